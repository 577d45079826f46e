"""The checks that a report makes."""

import numpy as np

from compgen_keras.splits.divergence import total_variation
from compgen_keras.splits.finding import Finding
from compgen_keras.splits.grid_counts import GridCounts
from compgen_keras.splits.measures import Measures
from compgen_keras.splits.support import AtomSupport

LOW_SUPPORT = 20
"""Fewer occurrences in training than this are few."""

_DIFFERENT_PARTS = 0.05
_NEW = 0.01
_SHOWN = 8


def find(
    atoms: tuple[AtomSupport, ...], grid: GridCounts, split: Measures, control: Measures, parts: dict, train_size: int
) -> list[Finding]:
    """Everything found, in the order of `MEANINGS`.

    Args:
        atoms: the support of every atom.
        grid: the table of two factors.
        split: the split's numbers.
        control: those of an i.i.d. split of the same data.
        parts: for each number of parts the examples in training and in the test.
        train_size: training examples looked at.
    """
    checks = (
        _missing_primitives(atoms, train_size),
        _primitives_in_one_combination(atoms),
        _low_support(atoms, grid),
        _missing_values(atoms, grid),
        _leaked(grid),
        _untested(grid),
        _overlap(split, control),
        _nothing_new(split, control),
        _different_parts(parts),
    )
    return [finding for check in checks for finding in check]


def _missing_primitives(atoms, train_size):
    missing = {each.atom: each.test for each in atoms if each.test and not each.train}
    if missing:
        subject = _agree(missing, "primitive of the test never occurs", "primitives of the test never occur")
        text = f"{subject} in {train_size:,} training examples: {_list(missing, '× in the test')}."
        yield Finding("primitive-missing", text, missing)


def _primitives_in_one_combination(atoms):
    alone = {each.atom: each.new_combinations for each in atoms if each.train and each.combinations <= 1 and each.new_combinations}
    if alone:
        subject = _agree(alone, "primitive stands in one combination in training", "primitives stand in one combination each in training")
        text = f"{subject}, and in others in the test: {_list(alone, ' new in the test')}."
        yield Finding("primitive-in-one-combination", text, alone)


def _low_support(atoms, grid):
    low = {each.atom: each.train for each in atoms if each.test and 0 < each.train < LOW_SUPPORT}
    low |= {name: train for name, train, test in _values(atoms, grid) if test and 0 < train < LOW_SUPPORT}
    if low:
        subject = _agree(low, "primitive or value of the test occurs", "primitives or values of the test occur")
        text = f"{subject} fewer than {LOW_SUPPORT} times in training: {_list(low, '×')}."
        yield Finding("low-support", text, low)


def _missing_values(atoms, grid):
    missing = {name: test for name, train, test in _values(atoms, grid) if test and not train}
    if missing:
        subject = _agree(missing, "value of a factor never occurs", "values of a factor never occur")
        text = f"{subject} in training: {_list(missing, '× in the test')}. The test asks for more than a recombination."
        yield Finding("value-missing", text, missing)


def _values(atoms, grid):
    """The factors' values that are no primitives themselves, with their elements on both sides."""
    primitives = {each.atom for each in atoms}
    return [(f"{factor} {value}", train, test) for factor, value, train, test in grid.values() if value not in primitives]


def _leaked(grid):
    leaked = {" × ".join(cell): grid.count("train", cell) for cell in grid.held_out if grid.count("train", cell)}
    if leaked:
        subject = _agree(leaked, "combination that is meant to be held out occurs", "combinations that are meant to be held out occur")
        text = f"{subject} in training: {_list(leaked, '×')}."
        yield Finding("combination-leaked", text, leaked)


def _untested(grid):
    untested = {" × ".join(cell): 0 for cell in grid.held_out if not grid.count("test", cell)}
    if untested:
        subject = _agree(untested, "held-out combination does not occur", "held-out combinations do not occur")
        text = f"{subject} in the test: {_list(untested)}."
        yield Finding("held-out-untested", text, untested)


def _overlap(split, control):
    if split.same_spec:
        text = (
            f"{_percent(split.same_spec)} of the test examples have a specification that training has, too;"
            f" an i.i.d. split of the same data would have {_percent(control.same_spec)}."
        )
        yield Finding("overlap", text, {"split": split.same_spec, "iid": control.same_spec})


def _nothing_new(split, control):
    if split.new - control.new < _NEW:
        text = (
            f"{_percent(split.new)} of the test examples hold a combination that training lacks; an i.i.d. split of the same data"
            f" would have {_percent(control.new)}. A score here says nothing about composition."
        )
        yield Finding("nothing-new", text, {"split": split.new, "iid": control.new})


def _different_parts(parts):
    train, test = np.array(list(parts.values())).T
    distance = total_variation(train, test)
    if distance > _DIFFERENT_PARTS:
        text = (
            f"the numbers of parts differ by a total variation of {distance:.2f} (training {_range(parts, 0)}, test {_range(parts, 1)})."
            " Length is a second difference, beside what is held out, or the one that is meant."
        )
        yield Finding("parts-differ", text, {"total_variation": distance})


def _range(parts, side):
    found = [number for number, counts in parts.items() if counts[side]]
    return f"{min(found)}–{max(found)}" if len(found) > 1 else str(found[0])


def _agree(found, one, several):
    return f"{len(found):,} {one if len(found) == 1 else several}"


def _list(found, unit=""):
    names = sorted(found, key=lambda name: -found[name])
    shown = [f"{name} ({found[name]:,}{unit if place == 0 else ''})" if unit else name for place, name in enumerate(names[:_SHOWN])]
    more = [f"and {len(names) - _SHOWN:,} more"] if len(names) > _SHOWN else []
    return ", ".join(shown + more)


def _percent(share):
    return f"{100 * share:.1f}%" if share >= 0.001 or share == 0 else f"{100 * share:.2g}%"
