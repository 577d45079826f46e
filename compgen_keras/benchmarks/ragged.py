"""Many integer sequences of different lengths, kept end to end in one array."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Ragged:
    """Rows of different lengths, stored without padding.

    Attributes:
        values: (sum of lengths,) integers, the rows end to end.
        lengths: (rows,) integers.

    Example:

    >>> ragged = Ragged.from_rows([[7, 8], [], [9]])
    >>> ragged.padded(3).tolist()
    [[7, 8, 0], [0, 0, 0], [9, 0, 0]]
    """

    values: np.ndarray
    lengths: np.ndarray

    @classmethod
    def from_rows(cls, rows) -> "Ragged":
        """Stores a sequence of sequences of integers."""
        rows = list(rows)
        lengths = np.fromiter((len(row) for row in rows), dtype=np.int32, count=len(rows))
        values = np.fromiter((value for row in rows for value in row), dtype=np.int32, count=int(lengths.sum()))
        return cls(values, lengths)

    @classmethod
    def concatenate(cls, pieces) -> "Ragged":
        """Joins several into one, in order."""
        pieces = list(pieces)
        return cls(np.concatenate([piece.values for piece in pieces]), np.concatenate([piece.lengths for piece in pieces]))

    def __len__(self) -> int:
        return len(self.lengths)

    @property
    def num_tokens(self) -> int:
        """The sum of the lengths."""
        return len(self.values)

    @property
    def longest(self) -> tuple[int]:
        """The length of the longest row, at least 1, in a tuple."""
        return (int(self.lengths.max(initial=1)),)

    def shifted(self, by: int) -> "Ragged":
        """All values made larger by a number."""
        return Ragged(self.values + np.int32(by), self.lengths)

    def select(self, rows: np.ndarray) -> "Ragged":
        """The rows with these indices, in the order given."""
        starts = np.cumsum(self.lengths) - self.lengths
        lengths = self.lengths[rows]
        shifts = np.repeat(starts[rows] - (np.cumsum(lengths) - lengths), lengths)
        return Ragged(self.values[np.arange(len(shifts)) + shifts], lengths)

    def padded(self, length: int, value: int = 0) -> np.ndarray:
        """As an int32 array of shape (rows, length), filled up with `value`."""
        result = np.full((len(self), length), value, dtype=np.int32)
        result[np.arange(length) < self.lengths[:, None]] = self.values
        return result
