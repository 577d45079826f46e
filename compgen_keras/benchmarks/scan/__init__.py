"""SCAN: natural-language-like commands to action sequences."""

from compgen_keras.benchmarks.registry import register
from compgen_keras.benchmarks.scan.benchmark import ScanBenchmark
from compgen_keras.benchmarks.scan.grammar import ACTIONS, ORIGINAL_SPELLING, WORDS, Command, Phrase, parse, translate
from compgen_keras.benchmarks.task import TASKS

register("scan", ScanBenchmark, [task.identifier for task in TASKS])

__all__ = ["ACTIONS", "ORIGINAL_SPELLING", "WORDS", "Command", "Phrase", "ScanBenchmark", "parse", "translate"]
