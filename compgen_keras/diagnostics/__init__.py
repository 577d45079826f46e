"""Beyond one number: where a trained model goes wrong, what it recovers from, how fast it adapts, what a search finds."""

from compgen_keras.diagnostics.adaptation import Adaptation, AdaptationPoint, adapt
from compgen_keras.diagnostics.adaptation_examples import AdaptationExamples, adaptation_examples
from compgen_keras.diagnostics.diagnosis import Diagnosis, diagnose
from compgen_keras.diagnostics.figure import diagnosis_figure
from compgen_keras.diagnostics.first_error import FirstErrors, first_error, first_errors
from compgen_keras.diagnostics.part_alignment import Alignment, Written, align, right_behind
from compgen_keras.diagnostics.recovery import PartRecovery, Recovery, recovery
from compgen_keras.diagnostics.search import SearchSuccess, is_checkable, search_success
from compgen_keras.diagnostics.share import Share, share_of
from compgen_keras.diagnostics.targets import Target, with_end
from compgen_keras.diagnostics.teacher_forcing import teacher_forced_tokens
from compgen_keras.diagnostics.text import diagnosis_text
from compgen_keras.diagnostics.token_accuracy import TokenAccuracy, token_accuracy
from compgen_keras.diagnostics.weight_movement import copied_weights, weight_movement

__all__ = [
    "Adaptation",
    "AdaptationExamples",
    "AdaptationPoint",
    "Alignment",
    "Diagnosis",
    "FirstErrors",
    "PartRecovery",
    "Recovery",
    "SearchSuccess",
    "Share",
    "Target",
    "TokenAccuracy",
    "Written",
    "adapt",
    "adaptation_examples",
    "align",
    "copied_weights",
    "diagnose",
    "diagnosis_figure",
    "diagnosis_text",
    "first_error",
    "first_errors",
    "is_checkable",
    "recovery",
    "right_behind",
    "search_success",
    "share_of",
    "teacher_forced_tokens",
    "token_accuracy",
    "weight_movement",
    "with_end",
]
