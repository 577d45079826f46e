"""How many tokens are right, by place in the target and by number of parts of the example."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add

import numpy as np

from compgen_keras.diagnostics.share import NONE, Share, share_of


@dataclass(frozen=True)
class TokenAccuracy:
    """Shares of target tokens that are right.

    Attributes:
        by_position: for each position in the target, from the first on, of the examples whose target is that long.
        by_parts: for each number of parts, of all tokens of the examples with so many parts.
    """

    by_position: tuple[Share, ...]
    by_parts: dict[int, Share]

    @property
    def overall(self) -> Share:
        """Of all tokens."""
        return reduce(add, self.by_position, NONE)

    def as_json(self) -> dict:
        """The numbers as they are written to JSON; the list of positions begins with the first."""
        return {
            "overall": self.overall.as_json(),
            "by_position": [share.as_json() for share in self.by_position],
            "by_parts": {str(parts): share.as_json() for parts, share in self.by_parts.items()},
        }


def token_accuracy(right: Sequence[np.ndarray], parts: Sequence[int]) -> TokenAccuracy:
    """Counts right tokens.

    Args:
        right: for each example booleans (target length,), whether the token at each place is right.
        parts: the number of parts of each example.

    Returns:
        A `TokenAccuracy`.

    Example:

    >>> found = token_accuracy([[True, False], [True]], parts=[2, 1])
    >>> found.overall, found.by_parts
    (Share(count=2, of=3), {1: Share(count=1, of=1), 2: Share(count=1, of=2)})
    """
    longest = max(map(len, right), default=0)
    by_position = tuple(share_of(of_example[place] for of_example in right if place < len(of_example)) for place in range(longest))
    by_parts = {}
    for of_example, number in zip(right, parts, strict=True):
        by_parts[number] = by_parts.get(number, NONE) + share_of(of_example)
    return TokenAccuracy(by_position, dict(sorted(by_parts.items())))
