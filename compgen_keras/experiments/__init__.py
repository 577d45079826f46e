"""Runs, their folders, and reports beside the paper's figures."""

from compgen_keras.experiments.paper import paper_result
from compgen_keras.experiments.report import Row, read_rows, table
from compgen_keras.experiments.run import evaluate_run, fine_tune_run, train_run
from compgen_keras.experiments.run_folder import RunFolder

__all__ = ["Row", "RunFolder", "evaluate_run", "fine_tune_run", "paper_result", "read_rows", "table", "train_run"]
