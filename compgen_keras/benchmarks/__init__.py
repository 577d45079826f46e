"""Benchmarks of compositional generalization: examples, their parts, and who is right."""

from compgen_keras.benchmarks import cogs, robustfill, scan
from compgen_keras.benchmarks.benchmark import SEPARATOR, SPLITS, Benchmark, require_benchmark
from compgen_keras.benchmarks.composition import Composition, Grid
from compgen_keras.benchmarks.example import Example
from compgen_keras.benchmarks.factorial_design import FactorialDesign
from compgen_keras.benchmarks.registry import load, names, register
from compgen_keras.benchmarks.task import TASKS, Task

__all__ = [
    "SEPARATOR",
    "SPLITS",
    "TASKS",
    "Benchmark",
    "Composition",
    "Example",
    "FactorialDesign",
    "Grid",
    "Task",
    "cogs",
    "load",
    "names",
    "register",
    "require_benchmark",
    "robustfill",
    "scan",
]
