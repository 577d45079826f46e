"""Specifications that are examples of what a program does, kept as the ids of their characters."""

from dataclasses import dataclass

import numpy as np

from compgen_keras.benchmarks.ragged import Ragged


@dataclass(frozen=True)
class RaggedPairs:
    """The inputs and outputs that make up many specifications, all of as many pairs.

    Attributes:
        inputs: a `Ragged` with a row for each pair, those of one specification one after another.
        outputs: the same for the outputs.
        pairs: how many pairs a specification has.

    Example:

    >>> one = Ragged.from_rows([[7], [8, 9]])
    >>> specs = RaggedPairs(one, one, pairs=2)
    >>> len(specs), specs.longest, specs.padded(2, 3)["inputs"].tolist()
    (1, (2, 2), [[[7, 0], [8, 9]]])
    """

    inputs: Ragged
    outputs: Ragged
    pairs: int

    @classmethod
    def from_rows(cls, specs) -> "RaggedPairs":
        """Stores specifications, each a sequence of pairs of sequences of integers; where one has fewer pairs, empty ones are added."""
        specs = [list(spec) for spec in specs]
        pairs = max(map(len, specs), default=0)
        filled = [pair for spec in specs for pair in [*spec, *[((), ())] * (pairs - len(spec))]]
        return cls(*(Ragged.from_rows(pair[side] for pair in filled) for side in range(2)), pairs)

    @classmethod
    def concatenate(cls, pieces) -> "RaggedPairs":
        """Joins several into one, in order."""
        pieces = list(pieces)
        sides = (Ragged.concatenate(getattr(piece, side) for piece in pieces) for side in ("inputs", "outputs"))
        return cls(*sides, pieces[0].pairs)

    def __len__(self) -> int:
        return len(self.outputs) // max(self.pairs, 1)

    @property
    def lengths(self) -> np.ndarray:
        """(specifications,) integers: characters in the longest output of each, at least 1."""
        return self.outputs.lengths.reshape(len(self), self.pairs).max(axis=1, initial=1)

    @property
    def num_tokens(self) -> int:
        """Characters of all inputs and outputs."""
        return self.inputs.num_tokens + self.outputs.num_tokens

    @property
    def longest(self) -> tuple[int, int]:
        """Characters in the longest input and in the longest output, at least 1."""
        return tuple(int(side.lengths.max(initial=1)) for side in (self.inputs, self.outputs))

    def select(self, rows: np.ndarray) -> "RaggedPairs":
        """The specifications with these indices, in the order given."""
        of_pairs = (np.asarray(rows)[:, None] * self.pairs + np.arange(self.pairs)).reshape(-1)
        return RaggedPairs(self.inputs.select(of_pairs), self.outputs.select(of_pairs), self.pairs)

    def shifted(self, by: int) -> "RaggedPairs":
        """All ids made larger by a number."""
        return RaggedPairs(self.inputs.shifted(by), self.outputs.shifted(by), self.pairs)

    def padded(self, input_length: int, output_length: int) -> dict[str, np.ndarray]:
        """A dict of `"inputs"`, int32 (specifications, pairs, input length), and `"outputs"`, filled up with 0."""
        lengths = {"inputs": input_length, "outputs": output_length}
        return {name: getattr(self, name).padded(length).reshape(-1, self.pairs, length) for name, length in lengths.items()}
