"""What an example is composed of: what a report on a split counts."""

import itertools
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Composition:
    """What an example is composed of.

    Attributes:
        atoms: its primitives, such as words, operations or lexical items, as often as they occur.
        compounds: the combinations of atoms in it, each a tuple of strings, as often as they occur.
        elements: the things in it that vary in factors, such as the parts of a command, each with its value of each factor.
    """

    atoms: tuple[str, ...]
    compounds: tuple[tuple[str, ...], ...]
    elements: tuple[dict[str, str], ...] = ()


@dataclass(frozen=True)
class Grid:
    """Two factors that a split is to be looked at by.

    Attributes:
        factors: their names.
        rows: values of the first, in order; those that are not among them follow.
        columns: values of the second, likewise.
        held_out: the cells that the split means to hold out of training, pairs of values; none if it says nothing.
    """

    factors: tuple[str, str]
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    held_out: tuple[tuple[str, str], ...] = ()


def composition_of_sequence(tokens: Iterable[str], parts: int) -> Composition:
    """The composition of a sequence of which nothing is known but its tokens and the number of parts it means.

    Atoms are the tokens, compounds the pairs of neighbours, and the number of parts; the factors of an element are a token
    (`"token"`) and the one after it (`"next_token"`).

    Example:

    >>> composition_of_sequence(["4", "7", "2"], parts=3).compounds
    (('4', '7'), ('7', '2'), ('3 parts',))
    """
    tokens = tuple(tokens)
    pairs = tuple(itertools.pairwise(tokens))
    elements = tuple({"token": first, "next_token": second} for first, second in pairs)
    return Composition(tokens, (*pairs, number_of_parts(parts)), elements)


def number_of_parts(parts: int) -> tuple[str]:
    """The compound that stands for an example's number of parts."""
    return (f"{parts} part" if parts == 1 else f"{parts} parts",)
