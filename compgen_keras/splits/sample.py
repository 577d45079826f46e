"""What a report keeps of many examples: numbers for names, in arrays."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from compgen_keras.benchmarks.benchmark import Benchmark
from compgen_keras.benchmarks.ragged import Ragged


class Names:
    """Gives names of any hashable kind numbers from 0, in the order of their first appearance."""

    def __init__(self):
        self._numbers = {}

    def number(self, name) -> int:
        """The number of a name, a new one if need be."""
        return self._numbers.setdefault(name, len(self._numbers))

    def __iter__(self):
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)


class Book:
    """The names that both sides of a split share.

    Attributes:
        atoms, compounds, cells, specs, programs: a `Names` each.
        factors: every factor that an element had a value of.
    """

    def __init__(self, factors: tuple[str, str]):
        self.atoms, self.compounds, self.cells, self.specs, self.programs = (Names() for _ in range(5))
        self.factors = {}
        self._chosen = factors

    def cells_of(self, elements) -> list[int]:
        """The numbers of the cells, pairs of the chosen factors' values, in which an example's elements lie."""
        first, second = self._chosen
        for element in elements:
            self.factors.update(dict.fromkeys(element))
        return [self.cells.number((each[first], each[second])) for each in elements if first in each and second in each]


@dataclass(frozen=True)
class Sample:
    """Examples, as numbers of a `Book`.

    Attributes:
        atoms: a row of atoms for each example.
        compounds: a row of compounds for each.
        cells: a row of cells of the grid for each.
        specs: (examples,) the specifications.
        programs: (examples,) the programs.
        parts: (examples,) the numbers of parts.
    """

    atoms: Ragged
    compounds: Ragged
    cells: Ragged
    specs: np.ndarray
    programs: np.ndarray
    parts: np.ndarray

    def __len__(self) -> int:
        return len(self.specs)

    def rows(self, rows: np.ndarray) -> "Sample":
        """Some of them, by index."""
        ragged = (each.select(rows) for each in (self.atoms, self.compounds, self.cells))
        return Sample(*ragged, self.specs[rows], self.programs[rows], self.parts[rows])

    def joined(self, other: "Sample") -> "Sample":
        """These examples and then others of the same book."""
        ragged = (
            Ragged.concatenate([mine, its])
            for mine, its in ((self.atoms, other.atoms), (self.compounds, other.compounds), (self.cells, other.cells))
        )
        flat = (
            np.concatenate([mine, its])
            for mine, its in ((self.specs, other.specs), (self.programs, other.programs), (self.parts, other.parts))
        )
        return Sample(*ragged, *flat)


def collect(bench: Benchmark, split: str, seed: int, count: int, book: Book, show: Callable[[int], None]) -> Sample:
    """Reads the compositions of a split's first examples.

    Args:
        bench: the benchmark.
        split: `"train"` or `"test"`.
        seed: which of the split's streams.
        count: how many, at most.
        book: the names, which are added to.
        show: is called now and then with the number of examples read.
    """
    atoms, compounds, cells, specs, programs, parts = [], [], [], [], [], []
    for number, example in enumerate(itertools.islice(bench.examples(split, seed, endless=True), count), start=1):
        composition = bench.composition(example)
        atoms.append([book.atoms.number(atom) for atom in composition.atoms])
        compounds.append([book.compounds.number(compound) for compound in composition.compounds])
        cells.append(book.cells_of(composition.elements))
        specs.append(book.specs.number(example.spec))
        programs.append(book.programs.number(example.program))
        parts.append(len(example.parts))
        if number % 1000 == 0 or number == count:
            show(number)
    ragged = (Ragged.from_rows(rows) for rows in (atoms, compounds, cells))
    return Sample(*ragged, *(np.array(values, dtype=np.int64) for values in (specs, programs, parts)))


def occurrences(ragged: Ragged, names: int) -> np.ndarray:
    """(names,) how often each number occurs in a ragged array."""
    return np.bincount(ragged.values, minlength=names)


def rows_with_each(ragged: Ragged, names: int) -> np.ndarray:
    """(names,) in how many rows each number occurs."""
    rows = np.repeat(np.arange(len(ragged), dtype=np.int64), ragged.lengths)
    return np.bincount(np.unique(rows * max(names, 1) + ragged.values) % max(names, 1), minlength=names)


def rows_with_any(ragged: Ragged, wanted: np.ndarray) -> np.ndarray:
    """(rows,) booleans: whether a row holds a number that is wanted.

    Args:
        ragged: the rows.
        wanted: (names,) booleans.
    """
    rows = np.repeat(np.arange(len(ragged)), ragged.lengths)
    return np.bincount(rows, weights=wanted[ragged.values], minlength=len(ragged)) > 0
