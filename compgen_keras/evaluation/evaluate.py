"""Accuracy of a model's programs on a benchmark."""

import itertools
from dataclasses import dataclass

from compgen_keras.benchmarks import Benchmark, Example, require_benchmark
from compgen_keras.errors import InputError, require_integer
from compgen_keras.evaluation.cases import CaseResults, case_results
from compgen_keras.evaluation.interval import wilson_interval


@dataclass(frozen=True)
class Evaluation:
    """What a model made of a number of examples.

    Attributes:
        benchmark: the benchmark's name.
        split: the split the examples are from.
        seed: which of the split's streams.
        examples: the examples.
        predictions: a tuple of token strings for each, the best beam's.
        correct: a boolean for each.
        beams: of a sampler that returns all its beams, how many there are for each example.
        first_right: the place of the first right beam, from 1, for each example that has one; None for the others.
        cases: results by case, for a benchmark that tells cases apart; else None.
    """

    benchmark: str
    split: str
    seed: int
    examples: tuple[Example, ...]
    predictions: tuple[tuple[str, ...], ...]
    correct: tuple[bool, ...]
    beams: int = 1
    first_right: tuple[int | None, ...] = ()
    cases: CaseResults | None = None

    def solved_within(self, beams: int) -> int:
        """How many examples have a right program among their first beams."""
        return sum(place is not None and place <= beams for place in self.first_right)

    @property
    def accuracy(self) -> float:
        """The share of examples solved, from 0 to 1."""
        return sum(self.correct) / len(self.correct)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% confidence interval of the accuracy."""
        return wilson_interval(sum(self.correct), len(self.correct))

    @property
    def counts_by_parts(self) -> dict[int, tuple[int, int]]:
        """For each number of parts, how many examples were solved and how many there are."""
        counts = {}
        for example, right in zip(self.examples, self.correct, strict=True):
            solved, total = counts.get(len(example.parts), (0, 0))
            counts[len(example.parts)] = (solved + right, total + 1)
        return dict(sorted(counts.items()))

    @property
    def accuracy_by_parts(self) -> dict[int, float]:
        """For each number of parts, the share of examples solved."""
        return {parts: solved / total for parts, (solved, total) in self.counts_by_parts.items()}

    def summary(self) -> dict:
        """The numbers, as they are kept in a run folder."""
        return {
            "benchmark": self.benchmark,
            "split": self.split,
            "seed": self.seed,
            "examples": len(self.examples),
            "correct": sum(self.correct),
            "accuracy": self.accuracy,
            "interval_95": list(self.interval),
            **({"beam_search": self._beam_summary()} if self.beams > 1 else {}),
            **({} if self.cases is None else {"by_case": self.cases.summary()}),
            "by_parts": {str(parts): {"correct": solved, "examples": total} for parts, (solved, total) in self.counts_by_parts.items()},
        }

    def _beam_summary(self):
        total = len(self.examples)
        solved = self.solved_within(self.beams)
        return {
            "beams": self.beams,
            "correct": solved,
            "accuracy": solved / total,
            "interval_95": list(wilson_interval(solved, total)),
        }


def evaluate(
    model, bench: Benchmark, split: str = "test", n: int = 1000, seed: int = 0, sampler="greedy", batch_size: int = 128
) -> Evaluation:
    """Has a model write programs for a split's first examples and grades them.

    Args:
        model: an `EncoderDecoder` for this benchmark's domain.
        bench: the benchmark.
        split: `"test"` for generalization, `"valid"` for accuracy in distribution.
        n: number of examples; past the split's size its stream goes on, but for `"few_shot"`.
        seed: which of the split's streams.
        sampler: see `EncoderDecoder.generate`. With one that returns all beams, the best beam alone decides whether an example is
            correct, and `Evaluation.solved_within` says what a choice among the beams could reach.
        batch_size: examples decoded at once.

    Returns:
        An `Evaluation`.

    Raises:
        ValueError: unknown split, `n` not an integer from 1 or more than `"few_shot"` has, or specifications that the model cannot read.

    Reference: section 5 of Shi et al. (10,000 test examples there).
    """
    n = require_integer("the number of examples", n, 1)
    examples = tuple(itertools.islice(require_benchmark(bench).examples(split, seed=seed, endless=True), n))
    if len(examples) < n:
        raise InputError(f"{n} examples were asked for, but the split {split!r} of {bench.name} has {len(examples)}.")
    written = model.generate([example.spec for example in examples], sampler=sampler, batch_size=batch_size)
    every_beam = getattr(sampler, "return_all_beams", False)
    beams = [of_example if every_beam else [of_example] for of_example in written]
    right = [[bench.is_correct(example, tokens) for tokens in of_example] for example, of_example in zip(examples, beams, strict=True)]
    return Evaluation(
        bench.name,
        split,
        seed,
        examples,
        predictions=tuple(of_example[0] for of_example in beams),
        correct=tuple(of_example[0] for of_example in right),
        beams=len(beams[0]),
        first_right=tuple(of_example.index(True) + 1 if any(of_example) else None for of_example in right),
        cases=case_results(bench, examples, [of_example[0] for of_example in beams]) if bench.groups else None,
    )
