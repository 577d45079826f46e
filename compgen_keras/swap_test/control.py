"""A matched control for each swap: the same kind of swap in the training distribution."""

from collections.abc import Sequence

from compgen_keras.swap_test.swap import Swap


def matched(swaps: Sequence[Swap], candidates: Sequence[Swap]) -> list[Swap | None]:
    """Finds for each swap another whose result is alike in length.

    The number of parts of the two results is the same; among those candidates the one is taken whose program's length is nearest, the first
    of equally near ones. Each candidate serves once. Swaps are served in order.

    Args:
        swaps: the swaps.
        candidates: swaps to choose from.

    Returns:
        For each swap a candidate; None if no candidate with as many parts is left.
    """
    left = {}
    for candidate in candidates:
        left.setdefault(len(candidate.result.parts), []).append(candidate)
    chosen = []
    for swap in swaps:
        alike = left.get(len(swap.result.parts))
        if not alike:
            chosen.append(None)
            continue
        nearest = min(range(len(alike)), key=lambda place: difference_in_length(swap, alike[place]))
        chosen.append(alike.pop(nearest))
    return chosen


def difference_in_length(one: Swap, other: Swap) -> int:
    """By how many tokens the programs of two results differ in length."""
    return abs(len(one.result.program) - len(other.result.program))
