"""What came of exchanging one factor."""

from collections.abc import Callable
from dataclasses import dataclass

from compgen_keras.diagnostics.share import NONE, Share, share_of
from compgen_keras.swap_test.asymmetry import Asymmetry
from compgen_keras.swap_test.attempt import Attempt
from compgen_keras.swap_test.control import difference_in_length
from compgen_keras.swap_test.draw import Draw
from compgen_keras.swap_test.repeated import Difference, Repeated

KINDS = {
    "all": lambda attempt: True,
    "in_training": lambda attempt: attempt.swap.in_training,
    "held_out": lambda attempt: not attempt.swap.in_training,
}
"""Swaps by what they lead to: any combination, one that training has, one that it lacks."""


@dataclass(frozen=True)
class FactorRepeat:
    """One repeat for one factor.

    Attributes:
        draw: how its pairs were drawn.
        pairs: of each pair the two attempts: into the rarer value, and into the more frequent one.
        control_draw: how the pairs were drawn that controls were chosen from; None if there was nothing to match.
    """

    draw: Draw
    pairs: tuple[tuple[Attempt, Attempt], ...]
    control_draw: Draw | None

    @property
    def attempts(self) -> tuple[Attempt, ...]:
        """Both of each pair."""
        return tuple(attempt for pair in self.pairs for attempt in pair)


@dataclass(frozen=True)
class FactorResult:
    """All repeats for one factor.

    Attributes:
        factor: the factor.
        repeats: the repeats.
    """

    factor: str
    repeats: tuple[FactorRepeat, ...]

    @property
    def attempts(self) -> tuple[Attempt, ...]:
        """Of all repeats."""
        return tuple(attempt for repeat in self.repeats for attempt in repeat.attempts)

    def right(self, kind: str = "all") -> Repeated:
        """How many swaps' programs are exactly right.

        Args:
            kind: one of `KINDS`.
        """
        return self._share(lambda attempt: attempt.right, KINDS[kind])

    def changed_right(self, kind: str = "all") -> Repeated:
        """How often the parts that must change are right, whatever the others are."""
        return self._share(lambda attempt: attempt.changed_right, KINDS[kind])

    def others_right(self, kind: str = "all") -> Repeated:
        """How often all other parts stay as they were."""
        return self._share(lambda attempt: attempt.others_right, KINDS[kind])

    def difference(self, kind: str = "all") -> Difference:
        """The swaps that have a matched control, less those controls.

        Args:
            kind: one of `KINDS`, of the swaps; controls lead to combinations that training has in any case.
        """

        def matched(attempt):
            return attempt.control is not None and KINDS[kind](attempt)

        return Difference(self._share(lambda attempt: attempt.right, matched), self._share(lambda attempt: attempt.control.right, matched))

    def difference_in_length(self) -> float | None:
        """The mean difference in length between the programs of swaps and of their controls, in tokens; None without controls."""
        differences = [difference_in_length(each.swap, each.control.swap) for each in self.attempts if each.control is not None]
        return sum(differences) / len(differences) if differences else None

    @property
    def by_frequency(self) -> Asymmetry:
        """All pairs: first the direction into the value that is rarer in training, then into the more frequent one."""
        return Asymmetry.of((rarer.right, frequent.right) for repeat in self.repeats for rarer, frequent in repeat.pairs)

    @property
    def by_training(self) -> Asymmetry:
        """Pairs in which training has the result of one direction alone: first that direction, then the held-out one."""
        mixed = [pair for repeat in self.repeats for pair in repeat.pairs if pair[0].swap.in_training != pair[1].swap.in_training]
        return Asymmetry.of((one.right, other.right) if one.swap.in_training else (other.right, one.right) for one, other in mixed)

    @property
    def from_to(self) -> dict[tuple[str, str], Share]:
        """Of each old and new value how many swaps are right, in the order of the values' names."""
        return self._by(lambda attempt: (attempt.swap.old, attempt.swap.new))

    @property
    def into(self) -> dict[str, Share]:
        """The same of each new value."""
        return self._by(lambda attempt: attempt.swap.new)

    def as_json(self) -> dict:
        """The numbers as they are written to JSON."""
        return {
            "right": {kind: self.right(kind).as_json() for kind in KINDS},
            "changed_parts_right": {kind: self.changed_right(kind).as_json() for kind in KINDS},
            "other_parts_unchanged": {kind: self.others_right(kind).as_json() for kind in KINDS},
            "less_control": {kind: self.difference(kind).as_json() for kind in KINDS},
            "mean_difference_in_length_to_control": self.difference_in_length(),
            "pairs_by_training": self.by_training.as_json("in_training", "held_out"),
            "pairs_by_frequency": self.by_frequency.as_json("into_rarer", "into_more_frequent"),
            "from_to": [{"from": old, "to": new, **share.as_json()} for (old, new), share in self.from_to.items()],
            "draws": [
                {
                    "swaps": repeat.draw.as_json(),
                    "control": None if repeat.control_draw is None else repeat.control_draw.as_json(),
                }
                for repeat in self.repeats
            ],
        }

    def _share(self, answer: Callable[[Attempt], bool], condition: Callable[[Attempt], bool]) -> Repeated:
        return Repeated(tuple(share_of(answer(attempt) for attempt in repeat.attempts if condition(attempt)) for repeat in self.repeats))

    def _by(self, name):
        found = {}
        for attempt in self.attempts:
            found[name(attempt)] = found.get(name(attempt), NONE) + share_of([attempt.right])
        return dict(sorted(found.items()))
