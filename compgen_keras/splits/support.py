"""How well training covers what the test is made of."""

from collections import Counter
from dataclasses import dataclass

from compgen_keras.splits.sample import Book, Sample, occurrences, rows_with_each


@dataclass(frozen=True)
class AtomSupport:
    """A primitive and how much training shows of it.

    Attributes:
        atom: the primitive.
        train: how often it occurs in training.
        combinations: in how many different compounds it occurs in training.
        test: how often it occurs in the test.
        new_combinations: in how many different compounds it occurs in the test that training lacks.
    """

    atom: str
    train: int
    combinations: int
    test: int
    new_combinations: int


@dataclass(frozen=True)
class CompoundSupport:
    """A combination of primitives and how many examples hold it.

    Attributes:
        compound: the combination.
        train: training examples that hold it.
        test: test examples that hold it.
    """

    compound: tuple[str, ...]
    train: int
    test: int


def support_of_atoms(train: Sample, test: Sample, book: Book) -> tuple[AtomSupport, ...]:
    """Every atom of either side, the most frequent in the test first."""
    in_training = occurrences(train.compounds, len(book.compounds)) > 0
    known, new = Counter(), Counter()
    for compound, is_known in zip(book.compounds, in_training, strict=True):
        (known if is_known else new).update(set(compound))
    counts = (occurrences(sample.atoms, len(book.atoms)).tolist() for sample in (train, test))
    found = [
        AtomSupport(atom, in_train, known[atom], in_test, new[atom]) for atom, in_train, in_test in zip(book.atoms, *counts, strict=True)
    ]
    return tuple(sorted(found, key=lambda each: (-each.test, -each.train, each.atom)))


def support_of_compounds(train: Sample, test: Sample, book: Book) -> tuple[CompoundSupport, ...]:
    """Every compound of the test, the most frequent first."""
    counts = (rows_with_each(sample.compounds, len(book.compounds)).tolist() for sample in (train, test))
    found = [CompoundSupport(*each) for each in zip(book.compounds, *counts, strict=True) if each[2]]
    return tuple(sorted(found, key=lambda each: (-each.test, -each.train, each.compound)))
