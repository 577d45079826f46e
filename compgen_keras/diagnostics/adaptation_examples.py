"""The examples that a model is adapted with: none of them is among those it is then measured on."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from compgen_keras.benchmarks import Benchmark, Example
from compgen_keras.errors import InputError

_STREAM = 10_000
"""Added to the seed for streams that nothing else reads."""
_MOST_TRIED = 100


@dataclass(frozen=True)
class AdaptationExamples:
    """What fine-tuning may see.

    Attributes:
        test: examples of the test distribution.
        train: examples of the training distribution, twice as many.
    """

    test: tuple[Example, ...]
    train: tuple[Example, ...]

    def mixed(self, number: int) -> tuple[Example, ...]:
        """The treatment: so many examples of each distribution, the first ones."""
        return self.train[:number] + self.test[:number]

    def control(self, number: int) -> tuple[Example, ...]:
        """The control: as many in all, of the training distribution alone."""
        return self.train[: 2 * number]


def adaptation_examples(bench: Benchmark, measured: Sequence[Example], number: int, seed: int = 0) -> AdaptationExamples:
    """Chooses examples for fine-tuning.

    First come those of the split `"few_shot"`, 20 of each distribution, so that with n = 20 the batch is that of
    `compgen_keras.training.fine_tune`. Others follow from streams of `"test"` and `"train"` of a seed that nothing else uses. Whatever
    shares its specification with an example that is measured is left out, also of the training distribution.

    Args:
        bench: the benchmark.
        measured: the examples that the model is measured on.
        number: how many of the test distribution are wanted; of the training distribution there will be twice as many.
        seed: which of the streams.

    Returns:
        The `AdaptationExamples`.

    Raises:
        ValueError: a stream has not enough examples that are not measured.

    Example:

    >>> import compgen_keras as cg
    >>> bench = cg.benchmarks.load("scan/length_generalization")
    >>> chosen = adaptation_examples(bench, [next(bench.examples("test"))], number=20)
    >>> set(chosen.mixed(20)) == set(bench.examples("few_shot"))
    True
    >>> max(len(example.parts) for example in chosen.control(20))  # training has 1 to 6 parts, the test 7 to 10
    6
    """
    known = {example.spec for example in measured}
    few_shot = list(bench.examples("few_shot", seed=seed))

    def chosen(first, split, count):
        tried = len(first) + _MOST_TRIED * (count + 10)
        stream = itertools.chain(first, bench.examples(split, seed=_STREAM + seed, endless=True))
        new = (example for example in itertools.islice(stream, tried) if example.spec not in known)
        found = tuple(itertools.islice(new, count))
        if len(found) < count:
            raise InputError(
                f"adaptation asks for {count} examples of {bench.name} ({split} distribution) that are not among the {len(measured)}"
                f" measured ones, but {len(found)} were found among {tried:,}; expected fewer measured examples (n), or smaller numbers for"
                " adaptation."
            )
        return found

    # The split alternates: training distribution, test distribution.
    return AdaptationExamples(test=chosen(few_shot[1::2], "test", number), train=chosen(few_shot[::2], "train", 2 * number))
