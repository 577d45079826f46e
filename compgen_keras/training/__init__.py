"""Training through `compile` and `fit`: recipes, schedules, few-shot fine-tuning."""

from compgen_keras.models.learning_rate_schedule import InverseSquareRootDecay, LinearWarmupDecay
from compgen_keras.models.smoothed_crossentropy import SmoothedCrossentropy
from compgen_keras.models.token_accuracy import TokenAccuracy
from compgen_keras.training import callbacks
from compgen_keras.training.data_parallel import data_parallel, shared_batches
from compgen_keras.training.few_shot import few_shot_batch, fine_tune
from compgen_keras.training.recipe import RECIPES, RECURRENT_RECIPES, Recipe, compile_arguments, find_recipe, recipe

__all__ = [
    "RECIPES",
    "RECURRENT_RECIPES",
    "InverseSquareRootDecay",
    "LinearWarmupDecay",
    "Recipe",
    "SmoothedCrossentropy",
    "TokenAccuracy",
    "callbacks",
    "compile_arguments",
    "data_parallel",
    "few_shot_batch",
    "find_recipe",
    "fine_tune",
    "recipe",
    "shared_batches",
]
