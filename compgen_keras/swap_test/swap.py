"""The two exchanges that a pair of examples gives."""

from collections.abc import Iterable
from dataclasses import dataclass

from compgen_keras.benchmarks import Benchmark, Example
from compgen_keras.errors import InputError
from compgen_keras.swap_test.training_support import TrainingSupport, check_factors


@dataclass(frozen=True)
class Swap:
    """An example whose element has got another value of one factor.

    Attributes:
        source: the example as it was.
        element: which of its elements has changed, from 0.
        factor: the factor.
        old: the value that the element had.
        new: the value that it has got.
        result: the new example, with the program that it must be given.
        in_training: whether training has every combination of values in the element that was changed, and the change made none beside it
            that training lacks.
    """

    source: Example
    element: int
    factor: str
    old: str
    new: str
    result: Example
    in_training: bool

    @property
    def changed_parts(self) -> frozenset[int]:
        """The parts of the new program, from 0, that are not those of the old one."""
        before, after = self.source.parts, self.result.parts
        return frozenset(number for number, part in enumerate(after) if number >= len(before) or before[number] != part)

    @classmethod
    def of(cls, bench: Benchmark, source: Example, element: int, factor: str, new: str, support: TrainingSupport) -> "Swap | None":
        """Gives an element another value; None if the domain has no such combination.

        Args:
            bench: the benchmark.
            source: the example.
            element: which of its elements, from 0.
            factor: the factor.
            new: the value it gets.
            support: what training has.

        Raises:
            ValueError: the domain's `with_value` does something else than giving the element that value.
        """
        result = bench.with_value(source, element, factor, new)
        if result is None:
            return None
        before, after = bench.composition(source).elements, bench.composition(result).elements
        if len(after) != len(before) or after[element].get(factor) != new:
            raise InputError(
                f"with_value of {bench.name} turned {source.spec!r} into {result.spec!r}; expected as many elements as before, and"
                f" {factor} {new!r} in element {element}."
            )
        # What an element beside the changed one lacked already is no matter of this swap.
        known = not support.missing(after[element]) and all(
            support.missing(new_one) <= support.missing(old_one) for old_one, new_one in zip(before, after, strict=True)
        )
        return cls(source, element, factor, before[element][factor], new, result, known)


@dataclass(frozen=True)
class SwapPair:
    """A pair of examples, each of which gets the other's value of a factor.

    Attributes:
        into_rarer: the one that gets the value that fewer training elements have; of values equally frequent, the first by name.
        into_frequent: the other one.
    """

    into_rarer: Swap
    into_frequent: Swap

    @property
    def swaps(self) -> tuple[Swap, Swap]:
        """Both."""
        return self.into_rarer, self.into_frequent

    @classmethod
    def of(cls, first: Swap, second: Swap, support: TrainingSupport) -> "SwapPair":
        """Puts two swaps of a pair of examples in order."""
        return cls(*sorted((first, second), key=lambda swap: (support.values[swap.factor, swap.new], swap.new)))


def strangers(bench: Benchmark, first: Example, second: Example, factors: Iterable[str]) -> list[tuple[int, int]]:
    """The elements, one of each example, that share no factor's value.

    Args:
        bench: the benchmark.
        first: an example.
        second: another.
        factors: the factors.

    Returns:
        Pairs of their numbers, from 0.

    Raises:
        ValueError: an element lacks a factor.

    Example:

    >>> import compgen_keras as cg
    >>> bench = cg.benchmarks.load("scan/iid")
    >>> texts = ("jump left twice and walk", "run right")
    >>> examples = [cg.benchmarks.Example(text, cg.benchmarks.scan.translate(text)) for text in texts]
    >>> strangers(bench, *examples, bench.swap_factors)  # "walk" and "run right" have no repeat
    [(0, 0)]
    """
    factors = tuple(factors)
    elements = [bench.composition(example).elements for example in (first, second)]
    for of_example in elements:
        for element in of_example:
            check_factors(bench, element, factors)
    return [
        (i, j)
        for i, one in enumerate(elements[0])
        for j, other in enumerate(elements[1])
        if all(one[factor] != other[factor] for factor in factors)
    ]
