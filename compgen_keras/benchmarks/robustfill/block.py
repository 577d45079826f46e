"""Many tasks at once, and their token ids."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from compgen_keras.benchmarks.example import Example
from compgen_keras.benchmarks.ragged import Ragged
from compgen_keras.benchmarks.ragged_pairs import RaggedPairs
from compgen_keras.benchmarks.robustfill.dialect import Dialect
from compgen_keras.benchmarks.robustfill.distributions import Drawn

_SEPARATOR = -1


@dataclass(frozen=True)
class TaskBlock:
    """Programs with what they do, see `compgen_keras.benchmarks.blocks.Block`.

    Attributes:
        dialect: the language.
        tasks: the programs.
    """

    dialect: Dialect
    tasks: tuple[Drawn, ...]

    def __len__(self) -> int:
        return len(self.tasks)

    def rows(self, rows: slice) -> "TaskBlock":
        return TaskBlock(self.dialect, self.tasks[rows])

    def interleaved(self, other: "TaskBlock") -> "TaskBlock":
        return TaskBlock(self.dialect, tuple(task for pair in zip(self.tasks, other.tasks, strict=True) for task in pair))

    def example(self, row: int) -> Example:
        task = self.tasks[row]
        return Example(task.pairs, tuple(expression.tokens for expression in task.expressions))

    def spec_ids(self) -> RaggedPairs:
        sides = ([pair[side] for task in self.tasks for pair in task.pairs] for side in range(2))
        return RaggedPairs(*(_character_ids(self.dialect, strings) for strings in sides), self.dialect.pairs)

    def program_ids(self, separators: bool) -> Ragged:
        ids = token_ids(self.dialect, separators)
        return Ragged.from_rows([i for expression in task.expressions for i in ids(expression)] for task in self.tasks)


@lru_cache
def token_ids(dialect, separators):
    """A function from an operation to its tokens' indices in the dialect's vocabulary, which remembers what it has seen."""
    index = {token: number for number, token in enumerate(dialect.program_tokens)}
    closing = (_SEPARATOR,) if separators else ()

    @lru_cache(maxsize=2**16)
    def ids(expression):
        return (*(index[token] for token in expression.tokens), *closing)

    return ids


@lru_cache
def _character_table(dialect):
    table = np.full(128, -1, dtype=np.int32)
    table[[ord(character) for character in dialect.spec_tokens]] = np.arange(len(dialect.spec_tokens))
    return table


def _character_ids(dialect, strings):
    values = _character_table(dialect)[np.frombuffer("".join(strings).encode("ascii"), dtype=np.uint8)]
    return Ragged(values, np.fromiter(map(len, strings), dtype=np.int32, count=len(strings)))
