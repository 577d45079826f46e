"""COGS as a benchmark."""

import itertools
import threading
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from compgen_keras.benchmarks.benchmark import Benchmark, without_separators
from compgen_keras.benchmarks.cogs.cases import CASES, CASES_BY_IDENTIFIER, DEPTHS, Case
from compgen_keras.benchmarks.cogs.composition import composition_of_sentence, grid_of_case
from compgen_keras.benchmarks.cogs.corpus import HELD_BACK_SIZE, Corpus, checked_exposures, corpus, example_of, more_sentences
from compgen_keras.benchmarks.cogs.files import read_corpus
from compgen_keras.benchmarks.cogs.grading import ERRORS, error_kind, same_meaning
from compgen_keras.benchmarks.cogs.lexicon import form_tokens, sentence_words
from compgen_keras.benchmarks.cogs.meaning import parts_of_form
from compgen_keras.benchmarks.composition import Composition
from compgen_keras.benchmarks.example import Example
from compgen_keras.benchmarks.ragged import Ragged
from compgen_keras.benchmarks.randomness import RandomBlock
from compgen_keras.benchmarks.task import Task
from compgen_keras.errors import InputError

ALL = Task("all", "All cases", "Can it understand known words and structures in combinations that are new?")
_CASE_SIZE = 1_000
_FEW_SHOT_SIDE = 20
_DEV_SEED, _TEST_SEED = 0, 2
"""The streams of `"valid"` that are the corpus's own."""
_FILES_TEST_SEED = 0
"""The stream of `"test"` that files fill."""

# A level of `that` has a subject, its agent and a complement; the clause inside at most three roles, and five nouns, two of them in
# prepositional phrases: 16 words, as in "a girl was given a cake in a house on a table by a boy .". Each conjunct and definite is
# counted with a separator behind it; the end token stands where the last conjunct has no `AND`.
_ROLE, _DEFINITE, _PHRASE = 14, 9, 16
_MOST_WORDS = 4 * DEPTHS[-1] + 16
_MOST_TOKENS = DEPTHS[-1] * (2 * _ROLE + _DEFINITE) + 3 * _ROLE + 5 * _DEFINITE + 2 * _PHRASE


class CogsBenchmark(Benchmark):
    """Translate an English sentence to its logical form; the test sentences are of one generalization case, or of all.

    All cases share the training set: `"train"` goes through the corpus of 24,000 sentences, 143 primitives and 12 exposure examples again
    and again, each time in another order. `"valid"` is of the same distribution and has no sentence of the training set: seed 0 is the
    corpus's development set, seed 2, which runs report on, its test set; others are further sets, of longer sentences, since they hold
    none of the corpus's. In `"test"` of `cogs/all` the cases take turns. No sentence of these two comes twice, so to start at an offset
    all before it are drawn first, once.

    A part is a definite with its `;`, or a conjunct with the `AND` that follows it.

    Args:
        task: a case's identifier, or `"all"`.
        exposures: 1, or 100 for the paper's variant of the training set, see `corpus`.
        folder: a folder or URL of COGS's own files, see `read_corpus`, to train and measure on those: `"train"` then goes through the file,
            `"valid"` of seeds 0 and 2 and `"test"` of seed 0 are the files' sentences, in the files' order, before the generated ones
            that go on after them. Other seeds are generated as ever, without the files' sentences. None: all is generated.

    Raises:
        ValueError: unknown task, `exposures` neither 1 nor 100, or files that cannot be read, see `read_tsv`.

    Reference: Kim and Linzen (2020).

    Example:

    >>> bench = CogsBenchmark("subj_to_obj_common")
    >>> next(bench.examples("test")).spec
    'Emma believed that the girl improved a hedgehog in the house .'
    """

    domain = "cogs"
    error_kinds = ERRORS
    max_spec_length = _MOST_WORDS
    max_program_length = _MOST_TOKENS

    def __init__(self, task: str, exposures: int = 1, folder=None):
        if task != ALL.identifier and task not in CASES_BY_IDENTIFIER:
            raise InputError(f"unknown case {task!r}; expected one of all, {', '.join(CASES_BY_IDENTIFIER)}.")
        self.exposures = checked_exposures(exposures)
        self.folder = folder
        self._files = None if folder is None else read_corpus(folder, exposures)
        self.cases = CASES if task == ALL.identifier else (CASES_BY_IDENTIFIER[task],)
        self.groups = {case.task.identifier: "structural" if case.structural else "lexical" for case in self.cases}
        self.task = ALL if task == ALL.identifier else self.cases[0].task
        self.spec_tokens = sentence_words()
        self.program_tokens = form_tokens()
        self._of_cases = [] if self._files is None else [each for each in self._files.generalization if each.case in self.groups]
        if folder is not None and not self._of_cases:
            raise InputError(
                f"the generalization file in {folder} has no sentence of {self.task.identifier}; expected the case in the third column."
            )
        if self._files:
            self.max_spec_length = max(self.max_spec_length, self._files.longest[0])
            self.max_program_length = max(self.max_program_length, self._files.longest[1] + 1)
        test_size = len(self._of_cases) or _CASE_SIZE * len(self.cases)
        self.sizes = {
            "train": None,
            "valid": len(self.corpus.dev) if self._files else HELD_BACK_SIZE,
            "test": test_size,
            "few_shot": 2 * _FEW_SHOT_SIDE,
        }
        self.grid = grid_of_case(task)
        self._drawn = lru_cache(maxsize=8)(self._held_out_examples)

    def __reduce__(self):
        return CogsBenchmark, (self.task.identifier, self.exposures, self.folder)

    @property
    def training_examples(self) -> int:
        return len(self.corpus.train)

    @property
    def corpus(self) -> Corpus:
        """What it trains on and measures in distribution."""
        return self._files or corpus(exposures=self.exposures)

    def examples_from(self, split: str, seed: int, start: int) -> Iterator[Example]:
        if split == "train":
            rows = self.corpus.train
            return (rows[row] for row in self._training_order(seed, start))
        if split == "few_shot":
            return itertools.islice(self._few_shot(seed), start, None)
        return self._drawn(split, seed).from_place(start)

    def _training_order(self, seed, start):
        size = len(self.corpus.train)
        for epoch in itertools.count(start // size):
            order = _epoch_order(size, seed, epoch)
            yield from order[start - epoch * size if epoch == start // size else 0 :].tolist()

    def token_ids(self, split: str, seed: int, start: int, count: int, separators: bool):
        if split != "train":
            return super().token_ids(split, seed, start, count, separators)
        rows = np.fromiter(itertools.islice(self._training_order(seed, start), count), dtype=np.int64, count=count)
        specs, programs = _encoded_training_set(self.corpus, separators)
        return specs.select(rows), programs.select(rows)

    def tokenize_spec(self, spec) -> tuple[str, ...]:
        words = super().tokenize_spec(spec)
        if len(words) > 1 and words[-1] != ".":
            raise InputError(f"{spec!r} ends with {words[-1]!r}; expected a full stop, with a space before it, as in 'A cat slept .'")
        return words

    def parts_of(self, tokens: tuple[str, ...]) -> tuple[tuple[str, ...], ...] | None:
        return parts_of_form(" ".join(tokens))

    def composition(self, example: Example) -> Composition:
        """Atoms are lexical items, compounds what they are used as, and how deep structures are nested, see `composition_of_sentence`."""
        return composition_of_sentence(example.program, tuple(example.spec.split()))

    def same_meaning(self, example: Example, tokens) -> bool:
        written = without_separators(tokens)
        return written is not None and same_meaning(example.program, written)

    def error_kind(self, example: Example, tokens) -> str | None:
        return error_kind(example.program, without_separators(tokens) or ())

    def _held_out_examples(self, split, seed):
        if split == "valid":
            return _Drawn(lambda: self._in_distribution(seed))
        own = self._of_cases if seed == _FILES_TEST_SEED else ()
        return _Drawn(lambda: itertools.chain(own, self._test(seed, _FEW_SHOT_SIDE)))

    def _in_distribution(self, seed):
        yield from {_DEV_SEED: self.corpus.dev, _TEST_SEED: self.corpus.test}.get(seed, ())
        for said in more_sentences("valid", seed, without=self.corpus):
            yield example_of(said, "in_distribution")

    def _test(self, seed, first):
        """The cases in turn, each from its sentence number `first` on."""
        streams = [itertools.islice(self._case_examples(case, seed), first, None) for case in self.cases]
        for stream in itertools.cycle(streams):
            yield next(stream)

    def _case_examples(self, case: Case, seed):
        known = self._files
        said = (said for said in case.statements(seed) if known is None or not known.holds(said.sentence))
        return (example_of(each, case.task.identifier) for each in said)

    def _few_shot(self, seed):
        known = more_sentences("few_shot", seed, without=self.corpus)
        for _, said, new in zip(range(_FEW_SHOT_SIDE), known, self._test(seed, 0), strict=False):
            yield example_of(said, "in_distribution")
            yield new


class _Drawn:
    """A stream of examples that remembers those already drawn.

    Several threads can read it, and an interruption leaves it whole: the stream is then made anew.

    Args:
        stream: makes the stream, the same each time.
    """

    def __init__(self, stream):
        self._make_stream = stream
        self._stream = None
        self._examples = []
        self._drawing = threading.Lock()

    def from_place(self, start):
        for place in itertools.count(start):
            if place >= len(self._examples):
                self._draw_up_to(place)
            yield self._examples[place]

    def _draw_up_to(self, place):
        with self._drawing:
            try:
                if self._stream is None:
                    self._stream = itertools.islice(self._make_stream(), len(self._examples), None)
                while place >= len(self._examples):
                    self._examples.append(next(self._stream))
            except BaseException:
                self._stream = None
                raise


@lru_cache(maxsize=8)
def _epoch_order(size, seed, epoch):
    return np.argsort(RandomBlock("cogs", "training order", seed, epoch).uniform((size,)), kind="stable")


@lru_cache(maxsize=4)
def _encoded_training_set(corpus, separators):
    spec_index = {word: index for index, word in enumerate(sentence_words())}
    program_index = {token: index for index, token in enumerate(form_tokens())}
    closing = [-1] if separators else []
    rows = corpus.train
    return (
        Ragged.from_rows([spec_index[word] for word in example.spec.split()] for example in rows),
        Ragged.from_rows([i for part in example.parts for i in [*(program_index[token] for token in part), *closing]] for example in rows),
    )
