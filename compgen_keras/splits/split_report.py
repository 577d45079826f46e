"""The report on a split."""

from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass

from compgen_keras.benchmarks.benchmark import Benchmark, require_benchmark
from compgen_keras.benchmarks.composition import Grid
from compgen_keras.errors import InputError, require_integer
from compgen_keras.splits.finding import Finding
from compgen_keras.splits.findings import find
from compgen_keras.splits.grid_counts import GridCounts, count_grid
from compgen_keras.splits.measures import Measures, measure, measure_control
from compgen_keras.splits.sample import Book, collect
from compgen_keras.splits.support import AtomSupport, CompoundSupport, support_of_atoms, support_of_compounds


@dataclass(frozen=True)
class SplitReport:
    """What a split's training and test examples are made of, and what follows for a score on it.

    Attributes:
        benchmark: the benchmark's name.
        seed: which of its streams were looked at.
        train_examples: how many training examples were.
        test_examples: how many test examples were.
        complete: whether these are all training examples that there are.
        atoms: every primitive, see `AtomSupport`.
        compounds: every combination in the test, see `CompoundSupport`.
        grid: the table of two factors, see `GridCounts`.
        parts: for each number of parts the examples in training and in the test.
        split: the split's numbers, see `Measures`.
        control: the same numbers for an i.i.d. split of the same data.
        findings: what was found, see `MEANINGS`.
    """

    benchmark: str
    seed: int
    train_examples: int
    test_examples: int
    complete: bool
    atoms: tuple[AtomSupport, ...]
    compounds: tuple[CompoundSupport, ...]
    grid: GridCounts
    parts: dict[int, tuple[int, int]]
    split: Measures
    control: Measures
    findings: tuple[Finding, ...]

    @property
    def absent(self) -> tuple[CompoundSupport, ...]:
        """The combinations of the test that training lacks, the most frequent first."""
        return tuple(each for each in self.compounds if not each.train)

    @property
    def present(self) -> tuple[CompoundSupport, ...]:
        """The combinations of the test that training has, the most frequent first."""
        return tuple(each for each in self.compounds if each.train)

    @property
    def bound(self) -> float:
        """The largest share of training examples that may hold a combination which none of those looked at held, at 95% confidence.

        3/n for a sample of n (the rule of three); 0 where all training examples were looked at.
        """
        return 0.0 if self.complete else 3 / self.train_examples

    @property
    def codes(self) -> tuple[str, ...]:
        """The findings' codes."""
        return tuple(finding.code for finding in self.findings)

    def as_dict(self) -> dict:
        """Everything but the compounds, which are many, for JSON."""
        grid = asdict(self.grid) | {"train": self.grid.train.tolist(), "test": self.grid.test.tolist()}
        return {
            "benchmark": self.benchmark,
            "seed": self.seed,
            "train_examples": self.train_examples,
            "test_examples": self.test_examples,
            "complete": self.complete,
            "bound": self.bound,
            "findings": [asdict(finding) for finding in self.findings],
            "split": asdict(self.split),
            "control": asdict(self.control),
            "parts": {str(number): list(counts) for number, counts in self.parts.items()},
            "compounds": {"in_test": len(self.compounds), "absent_from_training": len(self.absent)},
            "atoms": [asdict(each) for each in self.atoms],
            "grid": grid,
        }


def split_report(
    bench: Benchmark,
    examples: int = 100_000,
    seed: int = 0,
    factors: tuple[str, str] | None = None,
    held_out: tuple[tuple[str, str], ...] | None = None,
    show: Callable[[str, int, int], None] | None = None,
) -> SplitReport:
    """Looks at what a split's two sides are made of.

    What atoms, compounds and factors are is for the benchmark to say: `bench.composition(example)`. For a benchmark of your own that
    says nothing they are the tokens and pairs of neighbours. Where the training set is finite and no larger than `examples`, all of
    it is looked at once, and the test split at its own size; streams are sampled.

    Args:
        bench: the benchmark.
        examples: how many from each side.
        seed: which of the streams.
        factors: two factors for the grid; None: the benchmark's own.
        held_out: cells meant to be held out, pairs of the two factors' values; None: what the benchmark declares for its own factors.
        show: is called as work goes on with the side's name, the examples done, and those to do.

    Raises:
        ValueError: `bench` is no benchmark, a number is wrong, a side has no examples, or the examples lack a factor.

    Example:

    >>> import compgen_keras as cg
    >>> report = split_report(cg.benchmarks.load("scan/compose_new_operation"), examples=2000)
    >>> report.codes
    ('primitive-in-one-combination', 'parts-differ')
    >>> report.absent[0].compound
    ('jump', 'right')

    Reference: Measuring Systematic Generalization: primitive coverage, held-out combinations, divergence measures.
    """
    require_benchmark(bench)
    require_integer("examples", examples, 1)
    require_integer("seed", seed, 0)
    grid = _grid(bench, factors, held_out)
    size = bench.training_examples
    complete = size is not None and size <= examples
    counts = {"train": size if complete else examples, "test": examples}
    if complete and bench.sizes["test"]:
        counts["test"] = min(examples, bench.sizes["test"])
    book = Book(grid.factors)
    sides = {}
    for side, count in counts.items():
        done = (lambda number, side=side, count=count: show(side, number, count)) if show else lambda number: None
        sides[side] = collect(bench, side, seed, count, book, done)
        if not len(sides[side]):
            raise InputError(f"the split {side!r} of {bench.name} has no examples; expected at least one.")
    train, test = sides["train"], sides["test"]
    if not len(book.cells) and (factors or grid.held_out):
        known = ", ".join(book.factors) or "none"
        raise InputError(f"no example of {bench.name} has both of the factors {' and '.join(grid.factors)}; expected two of: {known}.")
    if held_out is not None:
        _check_values(grid, book)
    atoms, grid_counts = support_of_atoms(train, test, book), count_grid(train, test, book, grid)
    split, control = measure(train, test, book), measure_control(train, test, book, bench.name, seed)
    parts = _parts(train, test)
    return SplitReport(
        benchmark=bench.name,
        seed=seed,
        train_examples=len(train),
        test_examples=len(test),
        complete=complete,
        atoms=atoms,
        compounds=support_of_compounds(train, test, book),
        grid=grid_counts,
        parts=parts,
        split=split,
        control=control,
        findings=tuple(find(atoms, grid_counts, split, control, parts, len(train))),
    )


def _grid(bench, factors, held_out):
    if factors is None:
        chosen = bench.grid
    else:
        if isinstance(factors, str) or len(tuple(factors)) != 2 or len(set(factors)) != 2:
            raise InputError(f"factors are {factors!r}; expected two different ones, such as {bench.grid.factors!r}.")
        chosen = bench.grid if tuple(factors) == bench.grid.factors else Grid(tuple(factors))
    if held_out is None:
        return chosen
    cells = [held_out] if isinstance(held_out, str) else list(held_out)
    for cell in cells:
        if isinstance(cell, str) or len(cell) != 2:
            raise InputError(f"{cell!r} is no cell; expected a pair of values, one of {chosen.factors[0]} and one of {chosen.factors[1]}.")
    return Grid(chosen.factors, chosen.rows, chosen.columns, tuple(tuple(cell) for cell in cells))


def _check_values(grid, book):
    for place, (factor, declared) in enumerate(zip(grid.factors, (grid.rows, grid.columns), strict=True)):
        known = dict.fromkeys([*declared, *sorted({cell[place] for cell in book.cells})])
        for cell in grid.held_out:
            if cell[place] not in known:
                raise InputError(
                    f"no example has the {factor} {cell[place]!r} of the held-out cell {cell!r}; expected one of: {', '.join(known)}."
                )


def _parts(train, test):
    counts = [Counter(sample.parts.tolist()) for sample in (train, test)]
    return {number: (counts[0][number], counts[1][number]) for number in sorted({*counts[0], *counts[1]})}
