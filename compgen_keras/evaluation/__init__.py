"""Grading: accuracy overall and by number of parts, and a close look at mistakes and at what is attended to."""

from compgen_keras.evaluation.alignment import aligned, predicted_parts
from compgen_keras.evaluation.attention import Attention, attention
from compgen_keras.evaluation.attention_picture import cross_attention_figure, self_attention_figure
from compgen_keras.evaluation.cases import CaseResult, CaseResults, case_results
from compgen_keras.evaluation.evaluate import Evaluation, evaluate
from compgen_keras.evaluation.interval import wilson_interval

__all__ = [
    "Attention",
    "CaseResult",
    "CaseResults",
    "Evaluation",
    "aligned",
    "attention",
    "case_results",
    "cross_attention_figure",
    "evaluate",
    "predicted_parts",
    "self_attention_figure",
    "wilson_interval",
]
