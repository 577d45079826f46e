"""RobustFill: programs that turn a string into another, to be found from four examples of what they do.

Shi et al. (Figure 3) extend the language of Devlin et al. (2017). `parse` reads a program's text, `program_from_tokens` the tokens that
a model writes.
"""

from compgen_keras.benchmarks.registry import register
from compgen_keras.benchmarks.robustfill.benchmark import RobustFillBenchmark, RobustFillMiniBenchmark
from compgen_keras.benchmarks.robustfill.dialect import FULL, MINI, Dialect
from compgen_keras.benchmarks.robustfill.program import Program, program_from_tokens
from compgen_keras.benchmarks.robustfill.syntax import parse
from compgen_keras.benchmarks.task import TASKS

register("robustfill", lambda task: RobustFillBenchmark(task), [task.identifier for task in TASKS])
register("robustfill-mini", RobustFillMiniBenchmark, [task.identifier for task in TASKS])

__all__ = ["FULL", "MINI", "Dialect", "Program", "RobustFillBenchmark", "RobustFillMiniBenchmark", "parse", "program_from_tokens"]
