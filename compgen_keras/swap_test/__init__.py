"""The swap test: exchange one factor of an example, and see whether the model's prediction changes exactly as it must."""

from compgen_keras.swap_test.asymmetry import Asymmetry, mcnemar
from compgen_keras.swap_test.attempt import Attempt, judge
from compgen_keras.swap_test.control import matched
from compgen_keras.swap_test.draw import DISCARDS, Draw, draw_pairs
from compgen_keras.swap_test.factor_result import KINDS, FactorRepeat, FactorResult
from compgen_keras.swap_test.figure import swap_test_figure
from compgen_keras.swap_test.repeated import Difference, Repeated
from compgen_keras.swap_test.solved import SolvedExamples
from compgen_keras.swap_test.swap import Swap, SwapPair, strangers
from compgen_keras.swap_test.swap_test import SwapTest, checked_swap_factors, swap_test
from compgen_keras.swap_test.text import swap_test_text
from compgen_keras.swap_test.training_support import TrainingSupport

__all__ = [
    "DISCARDS",
    "KINDS",
    "Asymmetry",
    "Attempt",
    "Difference",
    "Draw",
    "FactorRepeat",
    "FactorResult",
    "Repeated",
    "SolvedExamples",
    "Swap",
    "SwapPair",
    "SwapTest",
    "TrainingSupport",
    "checked_swap_factors",
    "draw_pairs",
    "judge",
    "matched",
    "mcnemar",
    "strangers",
    "swap_test",
    "swap_test_figure",
    "swap_test_text",
]
