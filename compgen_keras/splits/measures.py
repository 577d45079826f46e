"""The numbers that a split is compared with an i.i.d. split of the same data by."""

from dataclasses import asdict, dataclass

import numpy as np

from compgen_keras.benchmarks.randomness import RandomBlock
from compgen_keras.splits.divergence import ATOM_ALPHA, COMPOUND_ALPHA, divergence
from compgen_keras.splits.sample import Book, Sample, occurrences, rows_with_any

_SHUFFLES = 3


@dataclass(frozen=True)
class Measures:
    """Five numbers, each from 0 to 1.

    Attributes:
        atom_divergence: 1 − C_0.5(train‖test) of the atoms.
        compound_divergence: 1 − C_0.1(train‖test) of the compounds.
        new: the share of test examples that hold a compound which training lacks.
        same_spec: the share of test examples whose specification training has, too.
        same_program: the share of test examples whose program training has, too.
    """

    atom_divergence: float
    compound_divergence: float
    new: float
    same_spec: float
    same_program: float


def measure(train: Sample, test: Sample, book: Book) -> Measures:
    """Measures a split.

    Args:
        train: the training examples.
        test: the test examples.
        book: their names.
    """
    compounds = occurrences(train.compounds, len(book.compounds))
    return Measures(
        atom_divergence=divergence(occurrences(train.atoms, len(book.atoms)), occurrences(test.atoms, len(book.atoms)), ATOM_ALPHA),
        compound_divergence=divergence(compounds, occurrences(test.compounds, len(book.compounds)), COMPOUND_ALPHA),
        new=float(rows_with_any(test.compounds, compounds == 0).mean()),
        same_spec=float(np.isin(test.specs, train.specs).mean()),
        same_program=float(np.isin(test.programs, train.programs).mean()),
    )


def measure_control(train: Sample, test: Sample, book: Book, *names) -> Measures:
    """The same numbers of an i.i.d. split: both sides' examples are pooled, shuffled, and split anew to the same sizes.

    Finite samples of one distribution never have divergence zero, so this, not zero, is what a split's numbers are to be held against.

    Args:
        train: the training examples.
        test: the test examples.
        book: their names.
        *names: what the shuffle's random numbers depend on.

    Returns:
        The mean of three shuffles.
    """
    pool = train.joined(test)
    found = []
    for shuffle in range(_SHUFFLES):
        order = np.argsort(RandomBlock("split report", *names, shuffle).uniform((len(pool),)), kind="stable")
        found.append(asdict(measure(pool.rows(order[: len(train)]), pool.rows(order[len(train) :]), book)))
    return Measures(**{name: sum(each[name] for each in found) / _SHUFFLES for name in found[0]})
