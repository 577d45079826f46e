"""Results by case: how many predictions are right, how many mean the right thing, and what is wrong with the others."""

from collections import Counter
from dataclasses import dataclass, field

from compgen_keras.benchmarks import Benchmark, Example


@dataclass
class CaseResult:
    """Results of one case, or of several together.

    Attributes:
        examples: how many there are.
        correct: how many predictions are right.
        same_meaning: how many mean what they should, those that are right among them.
        errors: for each kind of error how many predictions have it.
    """

    examples: int = 0
    correct: int = 0
    same_meaning: int = 0
    errors: Counter = field(default_factory=Counter)

    @property
    def accuracy(self) -> float:
        """The share that is right, from 0 to 1."""
        return self.correct / self.examples

    def __add__(self, other: "CaseResult") -> "CaseResult":
        numbers = ((getattr(self, name) + getattr(other, name)) for name in ("examples", "correct", "same_meaning", "errors"))
        return CaseResult(*numbers)


@dataclass(frozen=True)
class CaseResults:
    """Results of a benchmark that tells cases apart.

    Attributes:
        by_case: a `CaseResult` for each case among the examples.
        groups: the group of each case that is in one.
    """

    by_case: dict[str, CaseResult]
    groups: dict[str, str]

    @property
    def by_group(self) -> dict[str, CaseResult]:
        """A `CaseResult` for each group: of all its cases together."""
        results = {}
        for case, result in self.by_case.items():
            if case in self.groups:
                results[self.groups[case]] = results.get(self.groups[case], CaseResult()) + result
        return results

    def summary(self) -> dict:
        """The numbers, as they are kept in a run folder."""
        return {
            case: {
                "examples": result.examples,
                "correct": result.correct,
                "same_meaning": result.same_meaning,
                "errors": dict(result.errors),
                "group": self.groups.get(case),
            }
            for case, result in self.by_case.items()
        }


def case_results(bench: Benchmark, examples: list[Example], predictions) -> CaseResults:
    """Grades predictions and counts them by case.

    Args:
        bench: the benchmark.
        examples: the examples.
        predictions: token strings for each.

    Returns:
        The `CaseResults`, cases in the benchmark's order.
    """
    found = {}
    for example, tokens in zip(examples, predictions, strict=True):
        result = found.setdefault(example.case, CaseResult())
        error = bench.error_kind(example, tokens)
        result.examples += 1
        result.correct += error is None
        result.same_meaning += bench.same_meaning(example, tokens)
        result.errors.update([error] if error else [])
    order = [*(case for case in bench.groups if case in found), *(case for case in found if case not in bench.groups)]
    return CaseResults({case: found[case] for case in order}, dict(bench.groups))
