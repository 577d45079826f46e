"""Shares measured several times, and the difference of two of them."""

import math
import statistics
from dataclasses import dataclass
from functools import reduce
from operator import add

from compgen_keras.diagnostics.share import NONE, Share


@dataclass(frozen=True)
class Repeated:
    """A share in each of several repeats.

    Attributes:
        repeats: the shares.

    Example:

    >>> found = Repeated((Share(8, 10), Share(6, 10)))
    >>> found.total, found.mean, round(found.deviation, 4)
    (Share(count=14, of=20), 0.7, 0.1414)
    """

    repeats: tuple[Share, ...]

    @property
    def total(self) -> Share:
        """All repeats together."""
        return reduce(add, self.repeats, NONE)

    @property
    def mean(self) -> float | None:
        """The mean of the repeats that counted anything; None if none did."""
        return _mean(self._values)

    @property
    def deviation(self) -> float | None:
        """Their standard deviation (divided by one less than their number); None if there are fewer than two."""
        return _deviation(self._values)

    @property
    def _values(self):
        return [share.value for share in self.repeats if share.of]

    def as_json(self) -> dict:
        """The numbers as they are written to JSON."""
        return {
            **self.total.as_json(),
            "interval_95": self.total.interval,
            "mean": self.mean,
            "deviation": self.deviation,
            "repeats": [share.as_json() for share in self.repeats],
        }


@dataclass(frozen=True)
class Difference:
    """Two shares in each of several repeats, and by how much the first is larger.

    Attributes:
        treatment: the first.
        control: the second, with as many repeats.
    """

    treatment: Repeated
    control: Repeated

    @property
    def value(self) -> float | None:
        """Of all repeats together; None if either side counted nothing."""
        return _less(self.treatment.total, self.control.total)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95% confidence interval of the value, as if both sides were independent: Newcombe's (1998) of two Wilson intervals.

        Example: Newcombe's table II, 56/70 less 48/80.

        >>> found = Difference(Repeated((Share(56, 70),)), Repeated((Share(48, 80),)))
        >>> tuple(round(bound, 4) for bound in found.interval)
        (0.0524, 0.3339)
        """
        if self.value is None:
            return None
        first, second = self.treatment.total, self.control.total
        (first_low, first_high), (second_low, second_high) = first.interval, second.interval
        below = math.hypot(first.value - first_low, second_high - second.value)
        above = math.hypot(first_high - first.value, second.value - second_low)
        return self.value - below, self.value + above

    @property
    def mean(self) -> float | None:
        """The mean of the repeats' differences; None if there are none."""
        return _mean(self._values)

    @property
    def deviation(self) -> float | None:
        """Their standard deviation; None if there are fewer than two."""
        return _deviation(self._values)

    @property
    def _values(self):
        values = (_less(*shares) for shares in zip(self.treatment.repeats, self.control.repeats, strict=True))
        return [value for value in values if value is not None]

    def as_json(self) -> dict:
        """The numbers as they are written to JSON."""
        return {
            "difference": self.value,
            "interval_95": self.interval,
            "mean": self.mean,
            "deviation": self.deviation,
            "swaps": self.treatment.as_json(),
            "control": self.control.as_json(),
        }


def _less(one, other):
    return one.value - other.value if one.of and other.of else None


def _mean(values):
    return statistics.fmean(values) if values else None


def _deviation(values):
    return statistics.stdev(values) if len(values) > 1 else None
