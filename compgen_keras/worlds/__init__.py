"""Factorial worlds: pairs of mechanisms, models of their dynamics, and what is measured in worlds that training never saw."""

from compgen_keras.worlds.budget import TINY, Budget
from compgen_keras.worlds.data import SplitData
from compgen_keras.worlds.dynamics import TRUE_DYNAMICS, TrueDynamics
from compgen_keras.worlds.hold_out import HoldOut
from compgen_keras.worlds.measurement import measure
from compgen_keras.worlds.mechanisms import ACTUATORS, FIELDS, Mechanism, world_name
from compgen_keras.worlds.models import MODELS, FactoredModel, JoinedFactorsModel, WorldIdModel
from compgen_keras.worlds.planner import plan
from compgen_keras.worlds.prediction_error import growth_exponent, growth_verdict, prediction_errors
from compgen_keras.worlds.rollout import one_step, rollout
from compgen_keras.worlds.scaling import Scaling
from compgen_keras.worlds.study import study
from compgen_keras.worlds.support import support
from compgen_keras.worlds.swap_test import crosses, swap_test, swaps
from compgen_keras.worlds.training import train_model
from compgen_keras.worlds.trajectories import Trajectories, draw_trajectories

__all__ = [
    "ACTUATORS",
    "FIELDS",
    "MODELS",
    "TINY",
    "TRUE_DYNAMICS",
    "Budget",
    "FactoredModel",
    "HoldOut",
    "JoinedFactorsModel",
    "Mechanism",
    "Scaling",
    "SplitData",
    "Trajectories",
    "TrueDynamics",
    "WorldIdModel",
    "crosses",
    "draw_trajectories",
    "growth_exponent",
    "growth_verdict",
    "measure",
    "one_step",
    "plan",
    "prediction_errors",
    "rollout",
    "study",
    "support",
    "swap_test",
    "swaps",
    "train_model",
    "world_name",
]
