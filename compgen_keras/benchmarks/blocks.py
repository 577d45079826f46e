"""Benchmarks whose examples are drawn a block at a time."""

import itertools
from abc import abstractmethod
from collections.abc import Iterator
from functools import lru_cache
from typing import Protocol

from compgen_keras.benchmarks.benchmark import Benchmark
from compgen_keras.benchmarks.example import Example
from compgen_keras.benchmarks.ragged import Ragged
from compgen_keras.benchmarks.ragged_pairs import RaggedPairs
from compgen_keras.benchmarks.randomness import RandomBlock
from compgen_keras.errors import InputError, require_integer

FEW_SHOT_SIDE = 20
"""Examples of each distribution in the few-shot split."""


class Block(Protocol):
    """Many examples in whatever form is fast."""

    def __len__(self) -> int:
        """How many."""

    def rows(self, rows) -> "Block":
        """Some of them, by slice or by indices."""

    def interleaved(self, other: "Block") -> "Block":
        """One of these examples, one of `other`, and so on; both have as many."""

    def example(self, row: int) -> Example:
        """One of them."""

    def spec_ids(self) -> Ragged | RaggedPairs:
        """The specifications as indices into the benchmark's `spec_tokens`."""

    def program_ids(self, separators: bool) -> Ragged:
        """The programs as indices into the benchmark's `program_tokens`, with -1 after each part if `separators`."""


class BlockBenchmark(Benchmark):
    """A benchmark with a training and a test distribution from which blocks are drawn.

    A domain derives from this class and implements `draw_block`, and `__reduce__` so that worker processes can be given the benchmark.

    Attributes:
        block_size: examples a block; another size makes another stream.
    """

    block_size = 1024

    def __init__(self):
        self._block = lru_cache(maxsize=8)(self._draw_split_block)

    @abstractmethod
    def draw_block(self, random: RandomBlock, side: str, count: int, excluded: Block | None = None) -> Block:
        """Draws a block.

        Args:
            random: source of random numbers.
            side: `"train"` or `"test"`, the distribution.
            count: number of examples.
            excluded: examples whose specifications must not occur.
        """

    def examples_from(self, split: str, seed: int, start: int) -> Iterator[Example]:
        for index in itertools.count(start):
            number, row = divmod(index, self.block_size)
            block = self._block(split, seed, number)
            if block is None or row >= len(block):
                return
            yield block.example(row)

    def token_ids(self, split: str, seed: int, start: int, count: int, separators: bool):
        self.check_stream(split, seed, start)
        require_integer("count", count, 1)
        if split == "few_shot" and start + count > self.sizes["few_shot"]:
            raise InputError(f"{count} examples from {start} on were asked for, but the split 'few_shot' has {self.sizes['few_shot']}.")
        specs, programs = [], []
        for number in range(start // self.block_size, -(-(start + count) // self.block_size)):
            first = number * self.block_size
            rows = slice(max(start - first, 0), min(start + count - first, self.block_size))
            block = self._block(split, seed, number).rows(rows)
            specs.append(block.spec_ids())
            programs.append(block.program_ids(separators))
        return type(specs[0]).concatenate(specs), Ragged.concatenate(programs)

    def _draw_split_block(self, split, seed, number):
        random = RandomBlock(self.domain, self.task.identifier, split, seed, number)
        if split == "few_shot":
            if number:
                return None
            train = self.draw_block(random, "train", FEW_SHOT_SIDE)
            return train.interleaved(self.draw_block(random, "test", FEW_SHOT_SIDE))
        if split == "test":
            return self.draw_block(random, "test", self.block_size, excluded=self._block("few_shot", seed, 0))
        return self.draw_block(random, "train", self.block_size)
