"""Whether an exchange succeeds one way and fails the other."""

import math
from dataclasses import dataclass

from compgen_keras.errors import require_integer


def mcnemar(only_first: int, only_second: int) -> float:
    """McNemar's exact test: the probability that a fair coin splits the discordant pairs at least as unevenly.

    Args:
        only_first: pairs in which only the first succeeds.
        only_second: pairs in which only the second does.

    Returns:
        The two-sided p-value; 1 without discordant pairs.

    Raises:
        ValueError: a count is no integer from 0.

    Example: of 6 discordant pairs all fall on one side: 2 / 2⁶.

    >>> mcnemar(6, 0)
    0.03125
    """
    counts = [require_integer("a number of discordant pairs", count, 0) for count in (only_first, only_second)]
    total = sum(counts)
    fewer = sum(math.comb(total, count) for count in range(min(counts) + 1))
    return min(1.0, 2 * fewer / 2**total)


@dataclass(frozen=True)
class Asymmetry:
    """Pairs by which of their two directions succeeded.

    Attributes:
        both: both directions.
        only_first: the first alone.
        only_second: the second alone.
        neither: neither.
    """

    both: int
    only_first: int
    only_second: int
    neither: int

    @classmethod
    def of(cls, outcomes) -> "Asymmetry":
        """Counts pairs of booleans.

        Example:

        >>> Asymmetry.of([(True, True), (True, False), (True, False)])
        Asymmetry(both=1, only_first=2, only_second=0, neither=0)
        """
        outcomes = [tuple(map(bool, pair)) for pair in outcomes]
        return cls(*(outcomes.count(kind) for kind in ((True, True), (True, False), (False, True), (False, False))))

    @property
    def pairs(self) -> int:
        """How many pairs there are."""
        return self.both + self.only_first + self.only_second + self.neither

    @property
    def p_value(self) -> float:
        """McNemar's exact test of the two directions being equally hard, see `mcnemar`."""
        return mcnemar(self.only_first, self.only_second)

    def as_json(self, first: str, second: str) -> dict:
        """The numbers as they are written to JSON.

        Args:
            first: what the first direction is called.
            second: what the second is.
        """
        return {
            "pairs": self.pairs,
            "both": self.both,
            f"only_{first}": self.only_first,
            f"only_{second}": self.only_second,
            "neither": self.neither,
            "mcnemar_p": self.p_value,
        }
