"""One cell of a grid: a task, a model and a seed."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Cell:
    """What one cell trains and measures; its results follow from this alone.

    Attributes:
        benchmark: the benchmark's name.
        variant: the model's name.
        seed: of the initial weights, dropout and the training stream.
        settings: what the cells of a grid have in common: size, steps, batch size and so on, see `Grid.common`.
    """

    benchmark: str
    variant: str
    seed: int
    settings: dict

    @property
    def name(self) -> str:
        """A name for files and messages.

        Example:

        >>> Cell("scan/iid", "sep_to_last", 0, {}).name
        'scan.iid.sep_to_last.seed_0'
        """
        return f"{self.benchmark.replace('/', '.')}.{self.variant}.seed_{self.seed}"

    @property
    def config(self) -> dict:
        """All of it, as it is written into the cell's result."""
        return {"benchmark": self.benchmark, "variant": self.variant, "seed": self.seed, **self.settings}
