"""Where the first error falls."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from compgen_keras.benchmarks import SEPARATOR
from compgen_keras.diagnostics.share import Share, share_of
from compgen_keras.diagnostics.targets import END, Target

KINDS = ("token", "separator", "early_end", "late_end")


def first_error(right) -> int | None:
    """The first place that is not right, from 0 on; None if all are.

    Args:
        right: booleans (target length,).

    Example:

    >>> first_error([True, True, False, True, False])
    2
    """
    wrong = np.flatnonzero(~np.asarray(right, dtype=bool))
    return int(wrong[0]) if len(wrong) else None


@dataclass(frozen=True)
class FirstErrors:
    """The places of first errors.

    A place counts the examples that *come to it*: that have such a place and no error before. Of them so many have their first error
    there. Without that, later places would seem safer only because few programs get so far.

    Attributes:
        any: of all examples, those that have an error.
        by_position: for each position in the target, from the first on.
        by_part: for each part, from the first on; its separator belongs to it.
        at_end: at the end token: the program goes on where it should end.
        by_kind: how many first errors are of which kind: an end where the program should go on (`"early_end"`); else something wrong
            where a token of a part should stand (`"token"`), where a separator should (`"separator"`), where the end should
            (`"late_end"`).
    """

    any: Share
    by_position: tuple[Share, ...]
    by_part: tuple[Share, ...]
    at_end: Share
    by_kind: dict[str, int]

    def as_json(self) -> dict:
        """The numbers as they are written to JSON; the lists begin with the first position and the first part."""
        return {
            "any": self.any.as_json(),
            "by_position": [share.as_json() for share in self.by_position],
            "by_part": [share.as_json() for share in self.by_part],
            "at_end": self.at_end.as_json(),
            "by_kind": self.by_kind,
        }


def first_errors(written: Sequence[tuple[str, ...]], targets: Sequence[Target]) -> FirstErrors:
    """Counts where first errors fall.

    Args:
        written: the tokens that were written for each example, the end token included.
        targets: the target of each example.

    Returns:
        A `FirstErrors`.

    Example:

    >>> target = Target(("WALK", "SEP", "RUN", "SEP", "EOS"), (1, 1, 2, 2, 3))
    >>> found = first_errors([target.tokens, ("WALK", "SEP", "EOS")], [target] * 2)
    >>> found.by_part, found.at_end
    ((Share(count=0, of=2), Share(count=1, of=2)), Share(count=0, of=1))
    >>> found.by_kind
    {'token': 0, 'separator': 0, 'early_end': 1, 'late_end': 0}
    """
    places = [first_error(target.agreement(tokens)) for target, tokens in zip(targets, written, strict=True)]
    longest = max((len(target.tokens) for target in targets), default=0)
    most_parts = max((target.parts[-1] - 1 for target in targets), default=0)
    pairs = list(zip(places, targets, strict=True))

    def of_position(position):
        coming = [place for place, target in pairs if position < len(target.tokens) and (place is None or place >= position)]
        return share_of(place == position for place in coming)

    def of_part(part):
        # The end token's number is a number more than that of the last part.
        reached = [_part_of(place, target) for place, target in pairs if part < target.parts[-1]]
        return share_of(wrong == part for wrong in reached if wrong is None or wrong >= part)

    at_end = share_of(place is not None for place, target in pairs if _part_of(place, target) in (None, target.parts[-1]))
    kinds = dict.fromkeys(KINDS, 0)
    for place, target, tokens in zip(places, targets, written, strict=True):
        if place is not None:
            kinds[_kind(place, target, tokens)] += 1
    return FirstErrors(
        share_of(place is not None for place in places),
        tuple(of_position(position) for position in range(longest)),
        tuple(of_part(part) for part in range(1, most_parts + 1)),
        at_end,
        kinds,
    )


def _part_of(place, target):
    return None if place is None else target.parts[place]


def _kind(place, target, tokens):
    if tokens[place : place + 1] == (END,):
        return "early_end"
    return {SEPARATOR: "separator", END: "late_end"}.get(target.tokens[place], "token")
