"""Random choices one after another, fast."""

from compgen_keras.benchmarks.randomness import RandomBlock

_CHUNK = 4096


class Draws:
    """A sequence of random choices that depends on a `RandomBlock` alone.

    Args:
        random: source of random numbers.
    """

    def __init__(self, random: RandomBlock):
        self._random = random
        self._numbers = iter(())

    def uniform(self) -> float:
        """A float in [0, 1)."""
        number = next(self._numbers, None)
        if number is None:
            self._numbers = iter(self._random.uniform((_CHUNK,)).tolist())
            number = next(self._numbers)
        return number

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
        items = list(items)
        for last in range(len(items) - 1, 0, -1):
            other = int(self.uniform() * (last + 1))
            items[last], items[other] = items[other], items[last]
        return items
