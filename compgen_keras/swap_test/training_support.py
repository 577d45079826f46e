"""Which values and combinations training has."""

import itertools
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from compgen_keras.benchmarks import Benchmark
from compgen_keras.diagnostics.progress import Progress
from compgen_keras.errors import InputError

EXAMPLES = 10_000
"""How many training examples are looked at, unless there are fewer."""

_SHOW_EVERY = 1000


@dataclass(frozen=True)
class TrainingSupport:
    """How often training has each value and each pair of values.

    Attributes:
        examples: how many training examples were looked at.
        pairs: the pairs of factors whose combinations count: each two of the swap factors, and the two of the benchmark's grid.
        values: of (factor, value): how many elements of those examples have it.
        combinations: of (factor, value, other factor, its value), for the pairs: how many elements have both.
    """

    examples: int
    pairs: tuple[tuple[str, str], ...]
    values: Counter
    combinations: Counter

    @classmethod
    def of(cls, bench: Benchmark, factors: Iterable[str], examples: int = EXAMPLES, verbose: int = 0) -> "TrainingSupport":
        """Reads the training stream of seed 0.

        Args:
            bench: the benchmark.
            factors: the factors that together make an element.
            examples: how many examples to look at; a smaller training set is looked at as a whole.
            verbose: see `compgen_keras.diagnostics.diagnose`.

        Raises:
            ValueError: an element lacks a factor.

        Example: of this split, "look" with "around right" is held out.

        >>> import compgen_keras as cg
        >>> bench = cg.benchmarks.load("scan/factorial")
        >>> support = TrainingSupport.of(bench, bench.swap_factors, examples=2000)
        >>> for text in ("look right", "run around right", "look around right"):
        ...     print(*support.missing(*bench.composition(cg.benchmarks.Example(text, ())).elements))
        <BLANKLINE>
        <BLANKLINE>
        ('verb', 'look', 'direction_phrase', 'around right')

        Reference: Measuring Systematic Generalization, held-out combinations.
        """
        factors = tuple(factors)
        pairs = tuple(dict.fromkeys([*itertools.combinations(factors, 2), bench.grid.factors]))
        count = examples if bench.training_examples is None else min(examples, bench.training_examples)
        progress = Progress("swap test: combinations in training", count, verbose)
        values, combinations = Counter(), Counter()
        seen = 0
        for example in itertools.islice(bench.examples("train"), count):
            for element in bench.composition(example).elements:
                check_factors(bench, element, factors)
                values.update(element.items())
                combinations.update(_combinations(element, pairs))
            seen += 1
            if seen % _SHOW_EVERY == 0 or seen == count:
                progress.advance((seen - 1) % _SHOW_EVERY + 1)
        return cls(seen, pairs, values, combinations)

    def missing(self, element: dict[str, str]) -> frozenset[tuple[str, str, str, str]]:
        """The combinations of an element that none of the training examples has that were looked at.

        Args:
            element: its value of each factor.

        Returns:
            Of each combination the factor, its value, the other factor, and its value.
        """
        return frozenset(found for found in _combinations(element, self.pairs) if not self.combinations[found])


def check_factors(bench: Benchmark, element: dict[str, str], factors: Iterable[str]) -> None:
    """Raises a ValueError if an element of a composition lacks a factor."""
    for factor in factors:
        if factor not in element:
            raise InputError(
                f"an element of {bench.name} has the factors {', '.join(element) or 'none'}, but not {factor!r}; expected that every"
                " element of its composition has a value of each factor that can be exchanged."
            )


def _combinations(element, pairs):
    for first, second in pairs:
        if first in element and second in element:
            yield first, element[first], second, element[second]
