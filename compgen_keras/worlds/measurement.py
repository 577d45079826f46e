"""Everything that is measured of one trained model."""

from compgen_keras.worlds.adaptation import adapt, spread_over_worlds
from compgen_keras.worlds.budget import Budget
from compgen_keras.worlds.data import SplitData
from compgen_keras.worlds.dynamics import TRUE_DYNAMICS
from compgen_keras.worlds.mean_embedding import with_mean_embedding
from compgen_keras.worlds.mechanisms import world_name
from compgen_keras.worlds.models import WorldIdModel, WorldModel
from compgen_keras.worlds.planning import planning_success
from compgen_keras.worlds.prediction_error import prediction_errors
from compgen_keras.worlds.swap_test import swap_test

KINDS = ("held_out", "training")
"""The worlds that are measured on: those never trained on, and as a control the others, on fresh trajectories."""


def measure(model: WorldModel, data: SplitData, budget: Budget, seed: int = 0) -> dict:
    """Measures a trained model in held-out worlds, and as a control in training worlds.

    Args:
        model: a trained model; it has the same weights afterwards.
        data: the split's trajectories and tasks.
        budget: how much.
        seed: chooses the held-out world that the model adapts to.

    Returns:
        A dict of `"errors"`, see `prediction_errors`, `"planning"`, see `planning_success`, both by `KINDS`; `"by_world"`, rollout errors
        in each held-out world; `"neighbours"`, for each held-out world the one-step errors in the training worlds of its row and its
        column; `"swap"`, see `swap_test`; `"adaptation"`, see `adapt`; `"parameters"`, their number; and for the categorical baseline
        `"mean_embedding"`, its errors in held-out worlds with the mean of the trained embeddings.
    """
    split, scaling = data.split, data.scaling
    found = {
        "parameters": model.count_params(),
        "errors": {kind: prediction_errors(model, data.test_of(kind), scaling) for kind in KINDS},
        "by_world": {world_name(cell): prediction_errors(model, data.test.of([cell]), scaling)["rollout"] for cell in split.held_out},
        "neighbours": {world_name(cell): _neighbours(model, data, cell) for cell in split.held_out},
        "planning": {kind: _planning(model, data, budget, kind) for kind in KINDS},
        "swap": swap_test(model, split, data.test_of("training"), scaling, budget.swap_repeats),
    }
    if isinstance(model, WorldIdModel):
        found["mean_embedding"] = prediction_errors(with_mean_embedding(model, split), data.test_of("held_out"), scaling)
    found["adaptation"] = _adaptation(model, data, budget, split.held_out[seed % len(split.held_out)])
    return found


def measure_bounds(data: SplitData, budget: Budget) -> dict:
    """Planning with the true dynamics, the upper bound, and with random pushes, the lower one; and the swap test of the true dynamics.

    Args:
        data: the split's trajectories and tasks.
        budget: how much.
    """
    return {
        "true_dynamics": {kind: _planning(TRUE_DYNAMICS, data, budget, kind) for kind in KINDS},
        "random_pushes": {kind: _planning(None, data, budget, kind) for kind in KINDS},
        "swap": swap_test(TRUE_DYNAMICS, data.split, data.test_of("training"), data.scaling, budget.swap_repeats),
    }


def _planning(dynamics, data, budget, kind):
    return planning_success(dynamics, data.tasks[kind], data.training, budget.candidates, budget.iterations)


def _neighbours(model, data, cell):
    seen = {name: data.test.of(data.split.neighbours(cell, place)) for place, name in enumerate(("row", "column"))}
    return {name: prediction_errors(model, trajectories, data.scaling)["one_step"] for name, trajectories in seen.items()}


def _adaptation(model, data, budget, cell):
    control = spread_over_worlds(data.adaptation.of(data.split.training))
    measured = {"new_world": data.test.of([cell]), "training_worlds": data.test_of("training")}
    numbers, steps = budget.adaptation_trajectories, budget.adaptation_steps
    return {"world": world_name(cell), "results": adapt(model, data.adaptation.of([cell]), control, measured, numbers, steps)}
