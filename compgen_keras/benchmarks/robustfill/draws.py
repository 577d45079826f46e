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
    """

    def __init__(self, random: RandomBlock):
        chunks = (random.uniform((_CHUNK,)).tolist() for _ in itertools.repeat(None))
        self.uniform = itertools.chain.from_iterable(chunks).__next__

    def below(self, bound: int) -> int:
        """An integer from 0 to `bound` - 1, each as likely."""
        return int(self.uniform() * bound)

    def between(self, first: int, last: int) -> int:
        """An integer from `first` to `last`, each as likely."""
        return first + int(self.uniform() * (last - first + 1))

    def coin(self) -> bool:
        """True half of the time."""
        return self.uniform() < 0.5

    def choice(self, items):
        """One of the items, each as likely."""
        return items[int(self.uniform() * len(items))]

    def shuffled(self, items) -> list:
        """The items in random order, each order as likely."""
        items, uniform = list(items), self.uniform
        for last in range(len(items) - 1, 0, -1):
            other = int(uniform() * (last + 1))
            items[last], items[other] = items[other], items[last]
        return items
