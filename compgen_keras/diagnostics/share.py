"""A share that remembers how many it is of."""

from dataclasses import dataclass

from compgen_keras.evaluation import wilson_interval


@dataclass(frozen=True)
class Share:
    """So many of so many.

    Attributes:
        count: how many there are.
        of: among how many; 0: nothing was there to be counted.

    Example:

    >>> (Share(1, 2) + Share(2, 2)).value
    0.75
    """

    count: int
    of: int

    @property
    def value(self) -> float | None:
        """From 0 to 1; None of nothing."""
        return self.count / self.of if self.of else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95% confidence interval, as if what is counted were independent; None of nothing."""
        return wilson_interval(self.count, self.of) if self.of else None

    def __add__(self, other: "Share") -> "Share":
        return Share(self.count + other.count, self.of + other.of)

    def as_json(self) -> dict:
        """The numbers as they are written to JSON."""
        return {"count": self.count, "of": self.of, "share": self.value}


NONE = Share(0, 0)
"""Nothing counted yet."""


def share_of(answers) -> Share:
    """How many of some booleans are true.

    Args:
        answers: booleans, any number.

    Example:

    >>> share_of([True, False, True])
    Share(count=2, of=3)
    """
    answers = [bool(answer) for answer in answers]
    return Share(sum(answers), len(answers))
