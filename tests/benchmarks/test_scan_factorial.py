import itertools
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import compgen_keras as cg
from compgen_keras.benchmarks.factorial_design import FactorialDesign, diagonal_design
from compgen_keras.benchmarks.scan import FACTORS

VERBS = ("walk", "look", "run", "jump", "turn")
DIRECTION_PHRASES = ("none", "left", "right", "opposite left", "opposite right", "around left", "around right")


def take(split, count, **options):
    return list(itertools.islice(cg.benchmarks.load("scan/factorial", **options).examples(split), count))


def phrases(command):
    return command.replace(" after ", " and ").split(" and ")


def cell_of(phrase):
    """Verb and direction phrase, read off the words."""
    verb, *others = phrase.split()
    return verb, " ".join(word for word in others if word not in ("twice", "thrice")) or "none"


def test_the_default_factors_are_verb_and_direction_phrase():
    bench = cg.benchmarks.load("scan/factorial")
    assert (bench.design.rows, bench.design.columns) == (VERBS, DIRECTION_PHRASES)
    assert bench.design.held_out == (
        ("walk", "none"),
        ("look", "around right"),
        ("run", "around left"),
        ("jump", "opposite right"),
        ("turn", "opposite left"),
    )
    assert len(bench.design.possible) == 34


@pytest.mark.parametrize("diagonal", range(7))
def test_training_has_no_held_out_part_and_every_test_command_has_one(diagonal):
    held_out = {(verb, phrase) for i, verb in enumerate(VERBS) for j, phrase in enumerate(DIRECTION_PHRASES) if (i + j) % 7 == diagonal}
    for split in ("train", "valid"):
        assert not any(cell_of(phrase) in held_out for e in take(split, 2000, diagonal=diagonal) for phrase in phrases(e.spec))
    tested = take("test", 2000, diagonal=diagonal)
    assert all(any(cell_of(phrase) in held_out for phrase in phrases(example.spec)) for example in tested)
    shown = {cell_of(phrase) for example in take("train", 3000, diagonal=diagonal) for phrase in phrases(example.spec)}
    everything = {(verb, phrase) for verb in VERBS for phrase in DIRECTION_PHRASES} - {("turn", "none")}
    assert shown == everything - held_out
    for example in tested[:100]:
        assert example.parts == cg.benchmarks.scan.translate(example.spec)


def test_the_number_of_parts_is_distributed_alike():
    for split in ("train", "test"):
        counts = Counter(len(example.parts) for example in take(split, 9_000, diagonal=3))
        assert set(counts) == {1, 2, 3, 4, 5, 6}
        # A count of 1,500 expected has a standard deviation of 35.
        assert max(abs(count - 1500) for count in counts.values()) < 140


def test_a_list_of_cells_and_other_factors():
    tested = take("test", 500, factors="verb,repeat", cells=[["jump", "twice"], ["run", "none"]])
    assert all(
        any(("jump" in p and "twice" in p) or (p.split()[0] == "run" and not p.endswith(("twice", "thrice"))) for p in phrases(e.spec))
        for e in tested
    )
    trained = take("train", 2000, factors="verb,repeat", cells=[["jump", "twice"], ["run", "none"]])
    assert not any("jump" in p and "twice" in p for e in trained for p in phrases(e.spec))


def test_few_commands_of_some_length_are_no_endless_search():
    """Three commands of one part are in this cell; the few-shot examples, which the test stream leaves out, may be all of them."""
    bench = cg.benchmarks.load("scan/factorial", cells=[("jump", "left")])
    whole = {"jump left", "jump left twice", "jump left thrice"}
    seeds = [seed for seed in range(30) if whole <= {example.spec for example in bench.examples("few_shot", seed=seed)}]
    assert seeds
    for seed in seeds:
        assert not whole & {example.spec for example in itertools.islice(bench.examples("test", seed=seed), 300)}


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 8), st.integers(2, 8), st.data())
def test_a_diagonal_leaves_every_row_and_column_populated(height, width, data):
    diagonal = data.draw(st.integers(0, max(height, width) - 1))
    rows, columns = [f"r{i}" for i in range(height)], [f"c{j}" for j in range(width)]
    design = diagonal_design(rows, columns, diagonal)
    assert len(design.held_out) == min(height, width)
    assert len({row for row, _ in design.held_out}) == len({column for _, column in design.held_out}) == min(height, width)
    assert {row for row, _ in design.trained} == set(rows)
    assert {column for _, column in design.trained} == set(columns)
    assert set(design.trained) | set(design.held_out) == set(itertools.product(rows, columns))
    assert not set(design.trained) & set(design.held_out)


@given(st.permutations(sorted(FACTORS)), st.integers(0, 6))
def test_every_pair_of_factors_makes_a_split_or_says_why_not(order, diagonal):
    try:
        bench = cg.benchmarks.load("scan/factorial", factors=order[:2], diagonal=diagonal)
    except ValueError as error:
        assert any(text in str(error) for text in ("diagonal is", "is held out; expected at least one", "no cell is held out"))
    else:
        assert next(bench.examples("test")).spec


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"factors": "verb"}, "expected two different ones of verb"),
        ({"factors": ("verb", "verb")}, "expected two different ones of verb"),
        ({"factors": ("verb", 3)}, "expected two different ones of verb"),
        ({"diagonal": 7}, "diagonal is 7; expected an integer from 0 to 6"),
        ({"diagonal": 0, "cells": [("jump", "left")]}, "expected one of them"),
        ({"cells": "jump"}, "expected pairs of values"),
        ({"cells": [("turn", "none")]}, "the cell turn × none is none of this table"),
        ({"cells": [("jump", phrase) for phrase in DIRECTION_PHRASES]}, "every cell of the row 'jump' is held out"),
        ({"cells": [(verb, "left") for verb in VERBS]}, "every cell of the column 'left' is held out"),
        ({"parts": (1, 1)}, "expected a largest number from 2 on"),
    ],
)
def test_what_makes_no_split_is_said(options, message):
    with pytest.raises(ValueError, match=message):
        cg.benchmarks.load("scan/factorial", **options)


def test_only_the_factorial_task_takes_its_options():
    with pytest.raises(ValueError, match="the option diagonal=1 is for scan/factorial alone"):
        cg.benchmarks.load("scan/iid", diagonal=1)


def test_a_design_needs_a_held_out_cell():
    with pytest.raises(ValueError, match="no cell is held out"):
        FactorialDesign(("a", "b"), ("c", "d"), ())
