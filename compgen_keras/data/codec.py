"""From specifications and programs to token ids and back: all that a model must know of its benchmark."""

from collections.abc import Iterable
from functools import cached_property, partial

import numpy as np

from compgen_keras.benchmarks import Benchmark, load, names, require_benchmark
from compgen_keras.benchmarks.io_examples import checked_pairs
from compgen_keras.benchmarks.ragged import Ragged
from compgen_keras.benchmarks.ragged_pairs import RaggedPairs
from compgen_keras.data.vocabulary import EOS_ID, SEP_ID, Vocabulary
from compgen_keras.errors import InputError

NO_END = "<no EOS>"
"""Stands at the end of a decoded program that did not reach its end token within the limit, so that it counts as wrong."""


class Codec:
    """Encodes specifications and decodes programs for one benchmark.

    Args:
        benchmark: the benchmark's name.
        spec_format: see `Benchmark`.
        spec_tokens: tokens of specifications.
        program_tokens: tokens of programs.
        max_spec_length: tokens in the longest specification, or characters in the longest output of an example.
        max_program_length: tokens in the longest program, separators and end token included.
        separators: whether a separator stands after each part of a program.
    """

    def __init__(self, benchmark, spec_format, spec_tokens, program_tokens, max_spec_length, max_program_length, separators):
        self.benchmark = benchmark
        self.spec_format = spec_format
        self.spec_vocabulary = Vocabulary(spec_tokens)
        self.program_vocabulary = Vocabulary(program_tokens)
        self.max_spec_length = max_spec_length
        self.max_program_length = max_program_length
        self.separators = separators

    @classmethod
    def for_benchmark(cls, bench: Benchmark, separators: bool) -> "Codec":
        """The codec of a benchmark."""
        require_benchmark(bench)
        return cls(
            bench.name,
            bench.spec_format,
            bench.spec_tokens,
            bench.program_tokens,
            bench.max_spec_length,
            bench.max_program_length,
            separators,
        )

    def get_config(self) -> dict:
        """Arguments that make an equal codec."""
        return {
            "benchmark": self.benchmark,
            "spec_format": self.spec_format,
            "spec_tokens": list(self.spec_vocabulary.tokens),
            "program_tokens": list(self.program_vocabulary.tokens),
            "max_spec_length": self.max_spec_length,
            "max_program_length": self.max_program_length,
            "separators": self.separators,
        }

    def encode_stream(self, bench: Benchmark, split: str, seed: int, start: int, count: int) -> tuple[Ragged | RaggedPairs, Ragged]:
        """Ids of a benchmark's examples.

        Args:
            bench: the benchmark.
            split: the split.
            seed: which of its streams.
            start: index of the first example.
            count: number of examples.

        Returns:
            Specifications, a `Ragged` of words or `RaggedPairs` of characters, and targets that end with the end token, a `Ragged`; `count`
            of both.
        """
        self.check_benchmark(bench)
        return self.from_token_ids(*bench.token_ids(split, seed, start, count, self.separators))

    def check_benchmark(self, bench: Benchmark) -> None:
        """Raises a ValueError if the benchmark has other tokens than this codec."""
        known = (self.spec_format, self.spec_vocabulary.tokens, self.program_vocabulary.tokens)
        if known != (bench.spec_format, tuple(bench.spec_tokens), tuple(bench.program_tokens)):
            raise InputError(f"the codec of {self.benchmark} does not have the tokens of {bench.name}; expected a benchmark of its domain.")

    @staticmethod
    def from_token_ids(specs, programs) -> tuple[Ragged | RaggedPairs, Ragged]:
        """Turns what `Benchmark.token_ids` gives into the model's ids: makes room for the special tokens and ends the programs."""
        first = EOS_ID + 1
        targets = np.where(programs.values < 0, SEP_ID, programs.values + first).astype(np.int32)
        ends = np.cumsum(programs.lengths)
        return specs.shifted(first), Ragged(np.insert(targets, ends, EOS_ID), programs.lengths + 1)

    def encode_specs(self, specs) -> Ragged | RaggedPairs:
        """Ids of specifications.

        Args:
            specs: a sequence of specifications.

        Returns:
            As many, as in `encode_stream`.

        Raises:
            ValueError: one is empty or outside the benchmark's grammar, or holds a token that the model does not know.
        """
        if isinstance(specs, str) or not isinstance(specs, Iterable):
            raise InputError(f"specifications are {specs!r}; expected a list of them.")
        rows = []
        for number, spec in enumerate(specs, start=1):
            try:
                tokens = self._tokenize_spec(spec)
                if not tokens:
                    raise InputError("it is empty.")
                rows.append(self._spec_ids(tokens))
            except InputError as error:
                raise InputError(f"specification {number}: {error}") from None
        return RaggedPairs.from_rows(rows) if self.reads_pairs else Ragged.from_rows(rows)

    def encode_programs(self, programs) -> Ragged:
        """Ids of programs as targets, as in `encode_stream`.

        Args:
            programs: a sequence of programs, each a sequence of parts, each a sequence of token strings.

        Raises:
            ValueError: a token is not in the vocabulary.
        """
        closing = [SEP_ID] if self.separators else []
        return Ragged.from_rows(
            [[i for part in parts for i in (*self.program_vocabulary.ids(part), *closing)] + [EOS_ID] for parts in programs]
        )

    @property
    def reads_pairs(self) -> bool:
        """Whether specifications are (input, output) pairs."""
        return self.spec_format == "io_examples"

    def _spec_ids(self, tokens):
        if self.reads_pairs:
            return [tuple(self.spec_vocabulary.ids(side) for side in pair) for pair in tokens]
        return self.spec_vocabulary.ids(tokens)

    @cached_property
    def _tokenize_spec(self):
        """The benchmark's own parser; for a benchmark that is not registered, any words or characters of the vocabulary will do."""
        if self.benchmark in names():
            return load(self.benchmark).tokenize_spec
        return partial(checked_pairs, characters=self.spec_vocabulary.tokens) if self.reads_pairs else _words

    def decode_program(self, ids) -> tuple[str, ...]:
        """The tokens up to the end token, separators included; `NO_END` stands last if there is no end token.

        Args:
            ids: integers, what a model wrote.
        """
        ids = [int(index) for index in ids]
        if EOS_ID in ids:
            return self.program_vocabulary.strings(ids[: ids.index(EOS_ID)])
        return (*self.program_vocabulary.strings(ids), NO_END)


def _words(spec):
    if not isinstance(spec, str):
        raise InputError(f"{spec!r} is no string of words.")
    return spec.split()
