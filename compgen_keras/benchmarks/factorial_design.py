"""Which combinations of two factors a split holds out."""

from collections.abc import Iterable
from dataclasses import dataclass

from compgen_keras.errors import InputError, require_integer


@dataclass(frozen=True)
class FactorialDesign:
    """A table of two factors' values, and the cells that training must not show.

    Args:
        rows: the first factor's values.
        columns: the second factor's values.
        held_out: the cells held out, each a pair of a row's and a column's value.
        possible: the cells that exist at all; None: all.

    Raises:
        ValueError: no cell, a cell that the table lacks, or a row or column of which nothing would be left to train on.

    Reference: Measuring Systematic Generalization, the canonical recipe.

    Example:

    >>> design = FactorialDesign(("walk", "jump"), ("left", "right"), (("jump", "left"),))
    >>> design.trained
    (('walk', 'left'), ('walk', 'right'), ('jump', 'right'))
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    held_out: tuple[tuple[str, str], ...]
    possible: tuple[tuple[str, str], ...] | None = None

    def __post_init__(self):
        if self.possible is None:
            object.__setattr__(self, "possible", tuple((row, column) for row in self.rows for column in self.columns))
        if not self.held_out:
            raise InputError("no cell is held out; expected at least one pair of values.")
        for cell in self.held_out:
            if cell not in self.possible:
                raise InputError(
                    f"the cell {' × '.join(cell)} is none of this table; expected one of {', '.join(self.rows)}"
                    f" with one of {', '.join(self.columns)}, a combination that exists."
                )
        for place, (kind, values) in enumerate((("row", self.rows), ("column", self.columns))):
            trained = {cell[place] for cell in self.trained}
            for value in values:
                if value not in trained and any(cell[place] == value for cell in self.possible):
                    raise InputError(f"every cell of the {kind} {value!r} is held out; expected at least one that training can show.")

    @property
    def trained(self) -> tuple[tuple[str, str], ...]:
        """The cells that training shows, in the table's order."""
        held_out = set(self.held_out)
        return tuple(cell for cell in self.possible if cell not in held_out)


def diagonal_design(
    rows: Iterable[str], columns: Iterable[str], diagonal: int, possible: Iterable[tuple[str, str]] | None = None
) -> FactorialDesign:
    """Holds out an anti-diagonal: the cells with (i + j) ≡ `diagonal`, modulo the longer side.

    Each row and each column loses one cell at most.

    Args:
        rows: the first factor's values, numbered i from 0.
        columns: the second factor's values, numbered j from 0.
        diagonal: which of the diagonals, from 0 to the longer side less one.
        possible: the cells that exist at all; None: all.

    Raises:
        ValueError: there is no such diagonal, no cell of it exists, or a row or column would be left empty.

    Example:

    >>> diagonal_design(("walk", "run", "jump"), ("left", "right"), 1).held_out
    (('walk', 'right'), ('run', 'left'))
    """
    rows, columns = tuple(rows), tuple(columns)
    side = max(len(rows), len(columns))
    require_integer("diagonal", diagonal, 0, most=side - 1)
    possible = None if possible is None else tuple(possible)
    cells = [(row, column) for i, row in enumerate(rows) for j, column in enumerate(columns) if (i + j) % side == diagonal]
    held_out = tuple(cell for cell in cells if possible is None or cell in possible)
    return FactorialDesign(rows, columns, held_out, possible)
