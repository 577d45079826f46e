"""Benchmarks of a colour and a shape, with flaws planted."""

import itertools

from compgen_keras import benchmarks
from compgen_keras.benchmarks.randomness import RandomBlock

COLOURS = ("red", "green", "blue", "grey")
SHAPES = ("square", "circle", "star", "cross")
EVERY = tuple(itertools.product(COLOURS, SHAPES))
DIAGONAL = tuple(zip(COLOURS, reversed(SHAPES), strict=True))


class Planted(benchmarks.Benchmark):
    """Scenes of a number of things; which (colour, shape) each side draws from, and how often, is up to the test.

    Args:
        train: the things that training scenes are drawn from, with repetitions as weights.
        test: those of test scenes.
        train_parts: the number of things in training scenes.
        test_parts: that in test scenes.
        held_out: the cells that the benchmark says it holds out.
        size: after how many examples training repeats itself.
    """

    domain = "planted"
    task = benchmarks.Task("scenes", "Scenes", "Is it noticed?")
    spec_tokens = (*COLOURS, *SHAPES)
    program_tokens = (*COLOURS, *SHAPES)
    max_spec_length = 20
    max_program_length = 31

    def __init__(self, train, test, train_parts=1, test_parts=1, held_out=(), size=None):
        self.things = {"train": tuple(train), "test": tuple(test)}
        self.count = {"train": train_parts, "test": test_parts}
        self.grid = benchmarks.Grid(("colour", "shape"), COLOURS, SHAPES, tuple(held_out))
        self.training_examples = size

    def examples_from(self, split, seed, start):
        for index in itertools.count(start):
            place = index % self.training_examples if self.training_examples and split == "train" else index
            draws = RandomBlock("planted", split, seed, place).integers(len(self.things[split]), (self.count[split],))
            things = [self.things[split][draw] for draw in draws]
            yield benchmarks.Example(" ".join(" ".join(thing) for thing in things), tuple(things))

    def composition(self, example):
        things = example.parts
        return benchmarks.Composition(
            atoms=tuple(word for thing in things for word in thing),
            compounds=things,
            elements=tuple({"colour": colour, "shape": shape, "position": str(place)} for place, (colour, shape) in enumerate(things)),
        )


FAIR = {
    "train": [thing for thing in EVERY if thing not in DIAGONAL],
    "test": DIAGONAL,
    "held_out": DIAGONAL,
    "train_parts": 2,
    "test_parts": 2,
}
"""An anti-diagonal held out, cleanly."""
