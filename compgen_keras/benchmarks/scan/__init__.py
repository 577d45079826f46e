"""SCAN: natural-language-like commands to action sequences."""

from compgen_keras.benchmarks.registry import register
from compgen_keras.benchmarks.scan.benchmark import FACTORIAL, ScanBenchmark
from compgen_keras.benchmarks.scan.factors import FACTORS
from compgen_keras.benchmarks.scan.grammar import ACTIONS, ORIGINAL_SPELLING, WORDS, Command, Phrase, parse, translate
from compgen_keras.benchmarks.task import TASKS

register("scan", ScanBenchmark, [task.identifier for task in (*TASKS, FACTORIAL)])

__all__ = ["ACTIONS", "FACTORS", "ORIGINAL_SPELLING", "WORDS", "Command", "Phrase", "ScanBenchmark", "parse", "translate"]
