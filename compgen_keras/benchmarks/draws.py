"""Random choices one after another, fast."""

import itertools

from compgen_keras.benchmarks.randomness import RandomBlock

_CHUNK = 4096


class Draws:
    """A sequence of random choices that depends on a `RandomBlock` alone.

    Args:
        random: source of random numbers.

    Attributes:
        uniform: a function without arguments: a float in [0, 1).
        below: of `bound`: an integer from 0 to `bound` - 1, each as likely.
        coin: a function without arguments: True half of the time.
        choice: of a sequence: one of its items, each as likely.
    """

    def __init__(self, random: RandomBlock):
        chunks = (random.uniform((_CHUNK,)).tolist() for _ in itertools.repeat(None))
        uniform = itertools.chain.from_iterable(chunks).__next__
        # Called some fifty times a program: as functions over a local they are a third faster than as methods.
        self.uniform = uniform
        self.below = lambda bound: int(uniform() * bound)
        self.coin = lambda: uniform() < 0.5
        self.choice = lambda items: items[int(uniform() * len(items))]

    def between(self, first: int, last: int) -> int:
        """An integer from `first` to `last`, each as likely."""
        return first + self.below(last - first + 1)

    def shuffled(self, items) -> list:
        """The items in random order, each order as likely."""
        items = list(items)
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]
        return items
