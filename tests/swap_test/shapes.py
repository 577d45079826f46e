"""A small domain that names its factors, as a student would write it: coloured shapes, drawn one after another."""

import itertools
import random

from compgen_keras.benchmarks import Benchmark, Composition, Example, Task
from compgen_keras.benchmarks.composition import Grid

COLOURS = ("red", "blue", "green")
SHAPES = ("square", "circle", "star")


class Shapes(Benchmark):
    """Commands such as "red square then blue star". Training lacks one combination, the test has all of them alike."""

    domain = "shapes"
    task = Task("recombine", "Recombine", "Can it paint a shape in a colour it has seen on others?")
    spec_tokens = (*COLOURS, *SHAPES, "then")
    program_tokens = tuple(word.upper() for word in (*COLOURS, *SHAPES))
    swap_factors = ("colour", "shape")

    def __init__(self, number=3, parts=(1,), held_out=("blue", "square")):
        self.values = {"colour": COLOURS[:number], "shape": SHAPES[:number]}
        self.parts = parts
        self.held_out = held_out
        self.grid = Grid(("colour", "shape"), *self.values.values(), held_out=(held_out,))
        self.max_spec_length, self.max_program_length = 3 * max(parts), 3 * max(parts) + 1

    def examples_from(self, split, seed, start):
        for number in itertools.count(start):
            draw = random.Random(f"{split} {seed} {number}")
            cells = [cell for cell in itertools.product(*self.values.values()) if split == "test" or cell != self.held_out]
            yield self.example([draw.choice(cells) for _ in range(draw.choice(self.parts))])

    def example(self, cells):
        return Example(" then ".join(" ".join(cell) for cell in cells), tuple(tuple(word.upper() for word in cell) for cell in cells))

    def cells(self, example):
        return [tuple(text.split()) for text in example.spec.split(" then ")]

    def composition(self, example):
        cells = self.cells(example)
        return Composition(tuple(word for cell in cells for word in cell), tuple(cells), tuple({"colour": c, "shape": s} for c, s in cells))

    def with_value(self, example, element, factor, value):
        cells = self.cells(example)
        colour, shape = cells[element]
        cells[element] = (value, shape) if factor == "colour" else (colour, value)
        return self.example(cells)
