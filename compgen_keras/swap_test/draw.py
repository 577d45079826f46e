"""Drawing pairs of solved examples that share no factor value."""

from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from compgen_keras.benchmarks import Benchmark
from compgen_keras.swap_test.solved import SolvedExamples
from compgen_keras.swap_test.swap import Swap, SwapPair, strangers
from compgen_keras.swap_test.training_support import TrainingSupport

DISCARDS = {
    "unsolved": "one or both examples are not solved",
    "alike": "each element of the one shares a value with each of the other",
    "impossible": "the domain lacks one of the new combinations",
    "untrained": "training lacks one of the new combinations (for controls alone)",
}
"""Why a pair is not used, in the order in which it is looked at."""

_MOST_PARTNERS = 5


@dataclass(frozen=True)
class Draw:
    """Pairs that were drawn, and what was left aside.

    Attributes:
        pairs: the pairs to be used.
        wanted: how many were wanted.
        discarded: of each of `DISCARDS`, how many pairs were discarded.
        examples: how many examples were looked at.
        solved: how many of them are solved.
    """

    pairs: tuple[SwapPair, ...]
    wanted: int
    discarded: dict[str, int]
    examples: int
    solved: int

    def as_json(self) -> dict:
        """The numbers as they are written to JSON."""
        return {
            "wanted": self.wanted,
            "used": len(self.pairs),
            "discarded": self.discarded,
            "examples": self.examples,
            "solved": self.solved,
        }


def draw_pairs(
    bench: Benchmark,
    examples: SolvedExamples,
    factor: str,
    unlike: Iterable[str],
    wanted: int,
    support: TrainingSupport,
    seed: Iterable[int],
    trained: bool = False,
) -> Draw:
    """Pairs examples up at random until there are enough, or no more examples.

    An example is used in one pair. If a pair is discarded, those of the two that are solved wait for another partner, five partners at
    most; an example that is not solved is not tried again. Of two examples' elements that share no value, one pair is chosen at random,
    among those that can be exchanged.

    Args:
        bench: the benchmark.
        examples: the examples.
        factor: the factor to exchange.
        unlike: the factors of which the two elements must share no value.
        wanted: how many pairs.
        support: what training has.
        seed: of the random choices, integers from 0.
        trained: take only pairs of which both results are combinations that training has.

    Returns:
        A `Draw`; it has fewer pairs than wanted if the examples don't give more.
    """
    random = np.random.default_rng([*seed, *factor.encode()])
    unlike = tuple(dict.fromkeys([*unlike, factor]))
    pairs, discarded = [], Counter(dict.fromkeys(DISCARDS, 0))
    waiting, looked_at, solved, number = deque(), 0, 0, 0
    while len(pairs) < wanted and (chunk := examples.chunk(number)):
        waiting.extend((*chunk[place], _MOST_PARTNERS) for place in random.permutation(len(chunk)))
        looked_at, solved, number = looked_at + len(chunk), solved + sum(right for _, right in chunk), number + 1
        while len(pairs) < wanted and len(waiting) > 1:
            two = waiting.popleft(), waiting.popleft()
            found = _pair(bench, [each[:2] for each in two], factor, unlike, support, random, trained)
            if isinstance(found, SwapPair):
                pairs.append(found)
            else:
                discarded[found] += 1
                waiting.extend((example, right, partners - 1) for example, right, partners in two if right and partners > 1)
                waiting.rotate(1)  # so that the two are not each other's next partners
    return Draw(tuple(pairs), wanted, dict(discarded), looked_at, solved)


def _pair(bench, two, factor, unlike, support, random, trained):
    """A pair, or the reason why there is none."""
    (first, first_solved), (second, second_solved) = two
    if not (first_solved and second_solved):
        return "unsolved"
    elements = strangers(bench, first, second, unlike)
    reason = "alike"
    for place in random.permutation(len(elements)):
        i, j = elements[place]
        value_of_first, value_of_second = bench.composition(first).elements[i][factor], bench.composition(second).elements[j][factor]
        swaps = (
            Swap.of(bench, first, i, factor, value_of_second, support),
            Swap.of(bench, second, j, factor, value_of_first, support),
        )
        if None in swaps:
            reason = "impossible" if reason == "alike" else reason
        elif trained and not all(swap.in_training for swap in swaps):
            reason = "untrained"
        else:
            return SwapPair.of(*swaps, support)
    return reason
