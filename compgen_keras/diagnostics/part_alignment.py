"""Which parts of a written program are right, however far an error has shifted what comes behind it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from compgen_keras.benchmarks import Benchmark, Example
from compgen_keras.benchmarks.benchmark import without_separators
from compgen_keras.data import NO_END


@dataclass(frozen=True)
class Written:
    """A program as it is compared with the true one.

    Attributes:
        units: what it is cut into: its parts, if the benchmark can tell them without separators, else its tokens.
        in_parts: whether the units are parts.
        ended: whether it has come to its end.
    """

    units: tuple
    in_parts: bool
    ended: bool

    @classmethod
    def of(cls, bench: Benchmark, tokens) -> "Written":
        """A program that a model wrote.

        Args:
            bench: the benchmark.
            tokens: token strings as `generate` returns them. Separators are removed, so that models with and without are measured alike.
        """
        ended = tuple(tokens[-1:]) != (NO_END,)
        plain = without_separators(tuple(tokens) if ended else tuple(tokens[:-1]))
        parts = bench.parts_of(plain) if plain else None
        return cls(plain, False, ended) if parts is None else cls(tuple(parts), True, ended)

    def behind(self, unit: int) -> "Written":
        """What of it stands from a unit on."""
        return Written(self.units[unit:], self.in_parts, self.ended)


@dataclass(frozen=True)
class Alignment:
    """How a written program compares with the true one, part by part.

    Attributes:
        right: for each true part whether it is right.
        end_right: whether the program ends behind the last part.
        first_wrong: the number of the first wrong part, from 0 on; the number of parts if only the end is wrong; None if nothing is.
        rest: what was written from the first wrong part on; None if nothing is wrong.
    """

    right: tuple[bool, ...]
    end_right: bool
    first_wrong: int | None
    rest: Written | None


def align(bench: Benchmark, example: Example, tokens) -> Alignment:
    """Finds out which parts of a written program are right.

    Up to the first part that differs, parts are compared one after another at their places. That part is wrong. What follows is cut
    into as many pieces as there are true parts left, and a last one for what was written too much, so that as many parts as possible
    are exactly right; a piece may be empty. So a part that was left out, or one too long or too short, costs itself and no other.
    Where several cuts have as many right parts, the one with the earliest is taken.

    Args:
        bench: the benchmark. Where its `parts_of` knows the parts of a program without separators, those are compared, by
            `is_same_part`; else tokens are.
        example: the example.
        tokens: token strings as `generate` returns them.

    Returns:
        An `Alignment`.

    Example: the second part is wrong, and the third was left out.

    >>> import compgen_keras as cg
    >>> bench = cg.benchmarks.load("scan/iid")
    >>> example = cg.benchmarks.Example("walk and run left and run and jump", (("WALK",), ("LTURN", "RUN"), ("RUN",), ("JUMP",)))
    >>> align(bench, example, ("WALK", "SEP", "LTURN", "LTURN", "SEP", "JUMP", "SEP")).right
    (True, False, False, True)
    """
    written = Written.of(bench, tokens)
    fits = _fits(bench, example, written)
    unit = 0
    for number in range(len(example.parts)):
        length = fits(number, unit)
        if length is None:
            right, end_right = right_behind(bench, example, number, written.behind(unit))
            return Alignment((True,) * number + right, end_right, number, written.behind(unit))
        unit += length
    end_right = written.ended and unit == len(written.units)
    first_wrong, rest = (None, None) if end_right else (len(example.parts), written.behind(unit))
    return Alignment((True,) * len(example.parts), end_right, first_wrong, rest)


def right_behind(bench: Benchmark, example: Example, wrong: int, rest: Written) -> tuple[tuple[bool, ...], bool]:
    """Which parts are right from a wrong one on.

    Args:
        bench: the benchmark.
        example: the example.
        wrong: the number of the wrong part, from 0 on.
        rest: what was written from there on.

    Returns:
        Whether each part from the wrong one on is right, the first being False; and whether nothing was written too much.
    """
    size, count = len(rest.units), len(example.parts)
    fits = _fits(bench, example, rest)
    # For every unit that a part may begin with: how many of the parts from there on are right, and which, as bits with the end's lowest.
    best = [(1, 1) if rest.ended and unit == size else (0, 0) for unit in range(size + 1)]
    for number in range(count - 1, wrong - 1, -1):
        skipped = list(best)
        for unit in range(size - 1, -1, -1):
            skipped[unit] = max(skipped[unit], skipped[unit + 1])
        taken = list(skipped)
        if number > wrong:
            for unit in range(size + 1):
                length = fits(number, unit)
                if length is not None:
                    right, bits = best[unit + length]
                    taken[unit] = max(taken[unit], (right + 1, bits | 1 << (count - number)))
        best = taken
    bits = best[0][1]
    return tuple(bool(bits >> (count - number) & 1) for number in range(wrong, count)), bool(bits & 1)


def _fits(bench: Benchmark, example: Example, written: Written) -> Callable[[int, int], int | None]:
    """Of the number of a part and of a unit: how many units from there on are that part; None if they are not."""
    parts: Sequence[tuple[str, ...]] = example.parts
    units = written.units
    if not written.in_parts:

        def fits(number, unit):
            length = len(parts[number])
            return length if units[unit : unit + length] == tuple(parts[number]) else None

        return fits

    @cache
    def is_same(number, part):
        return bench.is_same_part(example, parts[number], part)

    return lambda number, unit: 1 if unit < len(units) and is_same(number, units[unit]) else None
