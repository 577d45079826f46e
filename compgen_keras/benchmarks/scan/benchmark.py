"""SCAN as a benchmark."""

import itertools
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from compgen_keras.benchmarks.benchmark import Benchmark
from compgen_keras.benchmarks.example import Example
from compgen_keras.benchmarks.ragged import Ragged
from compgen_keras.benchmarks.randomness import RandomBlock
from compgen_keras.benchmarks.scan.distributions import distributions
from compgen_keras.benchmarks.scan.grammar import ACTIONS, WORDS, parse
from compgen_keras.benchmarks.scan.sampler import MAX_ACTIONS, MAX_WORDS, CommandBlock
from compgen_keras.benchmarks.task import find_task
from compgen_keras.errors import InputError

_BLOCK_SIZE = 1024
_FEW_SHOT_SIDE = 20
_MOST_PARTS = 200


class ScanBenchmark(Benchmark):
    """One of SCAN's eight tasks: translate a command of n parts into n groups of actions.

    Args:
        task: the task's identifier.
        parts: smallest and largest number of parts, for `"iid"` alone; (1, 10) if None.

    Raises:
        ValueError: `parts` with another task, or not two integers in order from 1 to 200.

    Reference: sections 2 and 3 and appendix B of Shi et al.

    Example:

    >>> bench = ScanBenchmark("compose_new_operation")
    >>> example = next(bench.examples("test"))
    >>> bench.is_correct(example, example.program)
    True
    """

    domain = "scan"
    spec_tokens = WORDS
    program_tokens = ACTIONS

    def __init__(self, task: str, parts: tuple[int, int] | None = None):
        self.task = find_task(task)
        self.parts = parts
        if parts is None:
            self._train, self._test = distributions(task)
        else:
            self._train, self._test = distributions(task, _checked_parts(task, parts))
        most = max(self._train.parts + self._test.parts)
        self.max_spec_length = most * (MAX_WORDS + 1) - 1
        self.max_program_length = most * (MAX_ACTIONS + 1) + 1
        self._block = lru_cache(maxsize=8)(self._draw_block)

    def __reduce__(self):
        return ScanBenchmark, (self.task.identifier, self.parts)

    def examples_from(self, split: str, seed: int, start: int) -> Iterator[Example]:
        for index in itertools.count(start):
            block_number, row = divmod(index, _BLOCK_SIZE)
            block = self._block(split, seed, block_number)
            if row >= len(block):
                return
            command = block.command(row)
            yield Example(str(command), tuple(phrase.actions for phrase in command.phrases_in_program_order))

    def tokenize_spec(self, spec) -> tuple[str, ...]:
        return tuple(str(parse(spec)).split())

    def token_ids(self, split: str, seed: int, start: int, count: int, separators: bool) -> tuple[Ragged, Ragged]:
        specs, programs = [], []
        for block_number in range(start // _BLOCK_SIZE, -(-(start + count) // _BLOCK_SIZE)):
            first = block_number * _BLOCK_SIZE
            rows = slice(max(start - first, 0), min(start + count - first, _BLOCK_SIZE))
            block = self._block(split, seed, block_number).rows(rows)
            specs.append(block.word_ids())
            programs.append(block.action_ids(separators))
        return Ragged.concatenate(specs), Ragged.concatenate(programs)

    def _draw_block(self, split: str, seed: int, number: int) -> CommandBlock:
        random = RandomBlock(self.domain, self.task.identifier, split, seed, number)
        if split == "few_shot":
            return self._draw_few_shot(random) if number == 0 else _NO_COMMANDS
        if split == "test":
            return self._test.draw(random, _BLOCK_SIZE, excluded=self._block("few_shot", seed, 0))
        return self._train.draw(random, _BLOCK_SIZE)

    def _draw_few_shot(self, random: RandomBlock) -> CommandBlock:
        return self._train.draw(random, _FEW_SHOT_SIDE).interleaved(self._test.draw(random, _FEW_SHOT_SIDE))


_NO_COMMANDS = CommandBlock(np.zeros(0, dtype=np.int64), np.zeros((0, 1), dtype=np.int64), np.zeros((0, 0), dtype=np.int64))


def _checked_parts(task, parts):
    if task != "iid":
        raise InputError(f"the option parts={parts!r} is for scan/iid alone; {task} has its own numbers of parts.")
    try:
        first, last = parts
    except (TypeError, ValueError):
        raise InputError(f"parts is {parts!r}; expected the smallest and the largest number of parts, such as (1, 10).") from None
    whole = all(isinstance(value, int) and not isinstance(value, bool) for value in (first, last))
    if not whole or not 1 <= first <= last <= _MOST_PARTS:
        raise InputError(f"parts is {parts!r}; expected two integers in order, each from 1 to {_MOST_PARTS}, such as (1, 10).")
    return first, last
