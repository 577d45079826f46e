"""Results of cells that nobody ran, with numbers set by hand."""

import hashlib

import numpy as np

from compgen_keras.evaluation import wilson_interval
from compgen_keras.files import write_json
from compgen_keras.grid import GridFolder
from compgen_keras.grid.result import to_hex

GRID = """
name = "small"
description = "Two tasks, two models"
benchmarks = ["scan/compose_different_concepts", "scan/length_generalization"]
models = ["relative_attention", "sep_to_last"]
seeds = [0, 1, 2]
settings = ["zero_shot"]
examples = 10
"""


def folder(path, text=GRID):
    """A grid's folder with nothing done."""
    return GridFolder.create(path, text)


def cell(grid_folder, benchmark="scan/compose_different_concepts", variant="sep_to_last", seed=0):
    """One of its cells."""
    return next(c for c in grid_folder.grid.cells if (c.benchmark, c.variant, c.seed) == (benchmark, variant, seed))


def write_result(grid_folder, of_cell, solved, specs="the same", by_parts=None, seconds=100.0):
    """Writes a result in which these examples are solved, in every setting."""
    solved = np.asarray(solved, dtype=bool)
    count, right = len(solved), int(solved.sum())
    numbers = {
        "examples": count,
        "correct": right,
        "accuracy": right / count,
        "interval_95": list(wilson_interval(right, count)),
        "by_parts": by_parts or {"2": {"correct": right, "examples": count}},
        "solved": to_hex(solved),
        "specs_sha256": hashlib.sha256(specs.encode()).hexdigest(),
    }
    result = {
        "cell": of_cell.config,
        "parameters": 1,
        "evaluations": dict.fromkeys(of_cell.settings["settings"], numbers),
        "timing": {"training_seconds": seconds, "evaluation_seconds": dict.fromkeys(of_cell.settings["settings"], 1.0)},
    }
    write_json(grid_folder.result_path(of_cell), result)
    return result


def first(count, of=10):
    """The first examples are solved, the others are not."""
    return np.arange(of) < count
