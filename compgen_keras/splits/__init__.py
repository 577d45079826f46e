"""Is a split fair? What training and test examples are made of, how far they are apart, and what is new in the test."""

from compgen_keras.splits.divergence import ATOM_ALPHA, COMPOUND_ALPHA, divergence, total_variation
from compgen_keras.splits.finding import MEANINGS, Finding
from compgen_keras.splits.grid_counts import GridCounts
from compgen_keras.splits.measures import Measures
from compgen_keras.splits.split_report import SplitReport, split_report
from compgen_keras.splits.support import AtomSupport, CompoundSupport
from compgen_keras.splits.text import report_text, summary_table

__all__ = [
    "ATOM_ALPHA",
    "COMPOUND_ALPHA",
    "MEANINGS",
    "AtomSupport",
    "CompoundSupport",
    "Finding",
    "GridCounts",
    "Measures",
    "SplitReport",
    "divergence",
    "report_text",
    "split_report",
    "summary_table",
    "total_variation",
]
