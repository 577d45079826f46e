"""How many elements of either side lie in each cell of two factors."""

from dataclasses import dataclass

import numpy as np

from compgen_keras.benchmarks.composition import Grid
from compgen_keras.splits.sample import Book, Sample, occurrences, rows_with_any


@dataclass(frozen=True)
class GridCounts:
    """Two factors' table, train and test.

    Attributes:
        factors: the names of the first (rows) and the second (columns).
        rows: the first factor's values.
        columns: the second factor's values.
        held_out: the cells that are meant to be held out of training.
        train: (rows, columns) elements of training examples in each cell.
        test: (rows, columns) elements of test examples.
        tested: the share of test examples with an element in a cell that is meant to be held out; None where none is.
    """

    factors: tuple[str, str]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    held_out: tuple[tuple[str, str], ...]
    train: np.ndarray
    test: np.ndarray
    tested: float | None

    def count(self, side: str, cell: tuple[str, str]) -> int:
        """How many elements a cell has on one side, `"train"` or `"test"`; 0 for a cell whose values nothing has."""
        if cell[0] not in self.rows or cell[1] not in self.columns:
            return 0
        return int(getattr(self, side)[self.rows.index(cell[0]), self.columns.index(cell[1])])

    def values(self) -> list[tuple[str, str, int, int]]:
        """For each value of a factor: the factor, the value, and its elements in training and in the test."""
        found = []
        for axis, (factor, names) in enumerate(zip(self.factors, (self.rows, self.columns), strict=True)):
            train, test = self.train.sum(axis=1 - axis), self.test.sum(axis=1 - axis)
            found += [(factor, name, int(train[place]), int(test[place])) for place, name in enumerate(names)]
        return found


def count_grid(train: Sample, test: Sample, book: Book, grid: Grid) -> GridCounts:
    """Counts the cells.

    Args:
        train: the training examples.
        test: the test examples.
        book: their names.
        grid: the factors, the order of their values, and what is held out.
    """
    cells = list(book.cells)
    rows = _ordered(grid.rows, (cell[0] for cell in cells))
    columns = _ordered(grid.columns, (cell[1] for cell in cells))
    place_of_row, place_of_column = ({name: place for place, name in enumerate(names)} for names in (rows, columns))
    tables = []
    for sample in (train, test):
        table = np.zeros((len(rows), len(columns)), dtype=np.int64)
        for cell, count in zip(cells, occurrences(sample.cells, len(cells)), strict=True):
            table[place_of_row[cell[0]], place_of_column[cell[1]]] = count
        tables.append(table)
    tested = None
    if grid.held_out:
        held_out = set(grid.held_out)
        tested = float(rows_with_any(test.cells, np.array([cell in held_out for cell in cells], dtype=bool)).mean())
    return GridCounts(grid.factors, rows, columns, grid.held_out, *tables, tested)


def _ordered(first, others):
    return tuple(dict.fromkeys([*first, *sorted(set(others))]))
