"""Grading: accuracy overall and by number of parts, and a close look at mistakes."""

from compgen_keras.evaluation.alignment import aligned, predicted_parts
from compgen_keras.evaluation.evaluate import Evaluation, evaluate
from compgen_keras.evaluation.interval import wilson_interval

__all__ = ["Evaluation", "aligned", "evaluate", "predicted_parts", "wilson_interval"]
