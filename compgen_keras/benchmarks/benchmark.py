"""What every domain provides: streams of examples, vocabularies, and a verdict on predictions."""

import itertools
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import ClassVar

from compgen_keras.benchmarks.composition import Composition, Grid, composition_of_sequence
from compgen_keras.benchmarks.example import Example
from compgen_keras.benchmarks.ragged import Ragged
from compgen_keras.benchmarks.task import Task
from compgen_keras.errors import InputError, require_integer

SPLITS = ("train", "valid", "test", "few_shot")
SEPARATOR = "SEP"
HOW_TO_NAME_FACTORS = "expected a benchmark whose class sets swap_factors and implements with_value, as that of SCAN does"


class Benchmark(ABC):
    """One generalization task in one domain.

    A domain derives from this class, sets the attributes and implements `examples_from`, an endless stream. A class that can
    make token ids faster than one example at a time also overrides `token_ids`.

    Attributes:
        domain: the domain's name, such as `"scan"`.
        task: the `Task`.
        spec_format: `"words"` (a string of words separated by spaces) or `"io_examples"` (pairs of strings, read by characters).
        spec_tokens: every token that a specification can hold; its order gives the ids.
        program_tokens: every token that a program can hold, separators aside; its order gives the ids.
        max_spec_length: tokens in the longest specification of any split.
        max_program_length: tokens in the longest program of any split, with a separator after each part and the end token.
        sizes: number of examples in each split; None stands for endless.
        groups: for a domain that tells cases apart (see `Example.case`), the group of each case of the test split.
        error_kinds: what `error_kind` can say, for a domain that tells kinds apart.
        verdict: what makes a prediction right, in a few words for tables.
        grid: two factors that show what is held out, for reports on the split.
        training_examples: after how many examples the training stream repeats itself; None if it is drawn without end.
        swap_factors: for a domain that implements `with_value`, the factors that a swap test exchanges, see
            `compgen_keras.swap_test`; they are factors of the elements of `composition`.
        more_swap_factors: further factors that it can exchange if asked to, such as parts of those.
    """

    domain: str
    task: Task
    spec_format: str = "words"
    spec_tokens: tuple[str, ...]
    program_tokens: tuple[str, ...]
    max_spec_length: int
    max_program_length: int
    verdict: ClassVar[str] = "Exact match"
    groups: ClassVar[dict[str, str]] = {}
    error_kinds: ClassVar[tuple[str, ...]] = ("wrong",)
    grid: Grid = Grid(("token", "next_token"))
    training_examples: int | None = None
    swap_factors: ClassVar[tuple[str, ...]] = ()
    more_swap_factors: ClassVar[tuple[str, ...]] = ()
    sizes: ClassVar = {"train": None, "valid": 10_000, "test": 10_000, "few_shot": 40}

    @property
    def name(self) -> str:
        """The name that `load` takes: `"<domain>/<task>"`."""
        return f"{self.domain}/{self.task.identifier}"

    def examples(self, split: str, seed: int = 0, start: int = 0, endless: bool = False) -> Iterator[Example]:
        """Iterates over a split's examples.

        Args:
            split: `"train"` (endless), `"valid"` (the training distribution, another stream; 10,000), `"test"` (10,000), or
                `"few_shot"` (40, training and test distribution alternating; none of them is in `"test"` of the same seed).
            seed: which of the split's streams, an integer from 0.
            start: index of the first example; any offset costs the same, except where a domain says that it does not.
            endless: go on after the split's size; not for `"few_shot"`.

        Returns:
            An iterator of `Example`. It depends on the benchmark's name and options, split, seed and start alone.

        Raises:
            ValueError: unknown split, or a seed or start that is not an integer from 0.

        Example:

        >>> import compgen_keras as cg
        >>> bench = cg.benchmarks.load("scan/iid")
        >>> next(bench.examples("train", seed=0)) == next(bench.examples("train", seed=0))
        True
        """
        self.check_stream(split, seed, start)
        stream = self.examples_from(split, seed, start)
        size = self.sizes[split]
        if size is None or (endless and split != "few_shot"):
            return stream
        return itertools.islice(stream, max(size - start, 0))

    @abstractmethod
    def examples_from(self, split: str, seed: int, start: int) -> Iterator[Example]:
        """The stream of a split from an offset on, its size not minded; arguments are checked already."""

    def is_correct(self, example: Example, tokens) -> bool:
        """Whether predicted token strings solve the example.

        Here: whether they are exactly the true program's, separators removed. A domain in which several programs can be right
        overrides this.

        Args:
            example: the example.
            tokens: a list or tuple of token strings, with or without separators; for anything else the answer is False, never an error.
        """
        return without_separators(tokens) == example.program

    def tokenize_spec(self, spec) -> tuple[str, ...]:
        """A specification's tokens, each one of `spec_tokens`.

        Raises:
            ValueError: `spec` is no specification of this domain.
        """
        words = tuple(spec.split())
        known = set(self.spec_tokens)
        for place, word in enumerate(words, start=1):
            if word not in known:
                raise InputError(f"word {place} of {spec!r} is {word!r}, which {self.domain} does not know.")
        return words

    def read_spec(self, text: str):
        """A specification from what a user typed on the command line; here the text itself.

        Raises:
            ValueError: it is none.
        """
        return text

    def program_text(self, tokens) -> str:
        """A predicted program as it is shown; here its tokens."""
        return " ".join(tokens)

    def parts_of(self, tokens: tuple[str, ...]) -> tuple[tuple[str, ...], ...] | None:
        """The parts of a predicted program that has no separators; None, as here, where the tokens do not say where a part ends.

        For a close look at mistakes.
        """
        return None

    def is_same_part(self, example: Example, true: tuple[str, ...], predicted: tuple[str, ...]) -> bool:
        """Whether a predicted part does what the true one does; here: whether it is the same. For a close look at mistakes."""
        return true == predicted

    def same_meaning(self, example: Example, tokens) -> bool:
        """Whether a prediction means what the true program means, however it is written; here: whether it is correct."""
        return self.is_correct(example, tokens)

    def error_kind(self, example: Example, tokens) -> str | None:
        """What is wrong with a prediction, in a domain that tells kinds of errors apart; here `"wrong"`. None if nothing is."""
        return None if self.is_correct(example, tokens) else "wrong"

    def composition(self, example: Example) -> Composition:
        """What an example is composed of, for reports on the split.

        Here the tokens of the specification, or of the program where specifications are input-output examples, and the pairs of
        neighbours, see `composition_of_sequence`. A domain whose examples have a structure overrides this.
        """
        tokens = self.tokenize_spec(example.spec) if self.spec_format == "words" else example.program
        return composition_of_sequence(tokens, len(example.parts))

    def with_value(self, example: Example, element: int, factor: str, value: str) -> Example | None:
        """The example with another value of one factor of one of its elements, and the true program that then belongs to it.

        For the swap test. A domain that implements this names the factors in `swap_factors`.

        Args:
            example: the example.
            element: which of the elements of its `composition`, from 0.
            factor: one of `swap_factors` or `more_swap_factors`.
            value: the new value; all else stays.

        Returns:
            The example; None if the domain has no such combination.

        Raises:
            ValueError: no such element, factor or value; or, as here, the domain names no factors.
        """
        raise InputError(f"{self.name} names no factors to exchange; {HOW_TO_NAME_FACTORS}.")

    def token_ids(self, split: str, seed: int, start: int, count: int, separators: bool) -> tuple[Ragged, Ragged]:
        """Specifications and programs as indices into `spec_tokens` and `program_tokens`.

        Args:
            split: the split.
            seed: which of the split's streams.
            start: index of the first example.
            count: number of examples.
            separators: whether each part of a program is followed by -1, which stands for the separator.

        Returns:
            Two `Ragged` of `count` rows: specifications and programs.
        """
        spec_index = {token: index for index, token in enumerate(self.spec_tokens)}
        program_index = {token: index for index, token in enumerate(self.program_tokens)}
        specs, programs = [], []
        for example in itertools.islice(self.examples_from(split, seed, start), count):
            specs.append([spec_index[token] for token in self.tokenize_spec(example.spec)])
            closing = [-1] if separators else []
            programs.append([i for part in example.parts for i in [program_index[token] for token in part] + closing])
        return Ragged.from_rows(specs), Ragged.from_rows(programs)

    @staticmethod
    def check_stream(split, seed, start) -> None:
        """Raises a ValueError if the split is unknown, or seed or start is no integer from 0."""
        if split not in SPLITS:
            raise InputError(f"unknown split {split!r}; expected one of {', '.join(SPLITS)}.")
        require_integer("seed", seed, 0)
        require_integer("start", start, 0)


def require_benchmark(bench) -> Benchmark:
    """The benchmark itself; a ValueError for anything else, such as a benchmark's name."""
    if not isinstance(bench, Benchmark):
        raise InputError(f'a benchmark is expected, but {bench!r} was given; use compgen_keras.benchmarks.load("<domain>/<task>").')
    return bench


def without_separators(tokens) -> tuple[str, ...] | None:
    """Predicted tokens with the separators removed; None for anything that is no list or tuple of strings."""
    if not isinstance(tokens, (list, tuple)) or not all(isinstance(token, str) for token in tokens):
        return None
    return tuple(token for token in tokens if token != SEPARATOR)
