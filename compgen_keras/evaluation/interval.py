"""How far off an accuracy on a sample may be."""

import math

from compgen_keras.errors import require_integer

_Z = 1.959963984540054


def wilson_interval(correct: int, total: int) -> tuple[float, float]:
    """The 95% confidence interval of a proportion, after Wilson (1927).

    Args:
        correct: number of successes.
        total: number of trials, at least 1.

    Returns:
        Lower and upper bound, as fractions. Unlike the normal approximation it is sensible at 0 and at `total` successes.

    Raises:
        ValueError: `total` is no integer from 1, or `correct` none from 0 to `total`.

    Example:

    >>> tuple(round(bound, 4) for bound in wilson_interval(8, 10))
    (0.4902, 0.9433)
    """
    total = require_integer("total", total, 1)
    share = require_integer("correct", correct, 0, most=total) / total
    centre = share + _Z**2 / (2 * total)
    spread = _Z * math.sqrt(share * (1 - share) / total + _Z**2 / (4 * total**2))
    scale = 1 + _Z**2 / total
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)
