"""Exchanging a factor of a SCAN phrase, and drawing pairs."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

import compgen_keras as cg
from compgen_keras.benchmarks.scan import FACTORS, parse, translate
from compgen_keras.errors import InputError
from compgen_keras.swap_test import DISCARDS, SolvedExamples, TrainingSupport, draw_pairs, matched, strangers
from tests.swap_test.shapes import Shapes
from tests.swap_test.writers import Writer, scan_program, shapes_program

BENCH = cg.benchmarks.load("scan/factorial")
EXAMPLES = list(itertools.islice(BENCH.examples("test"), 200))


@st.composite
def changes(draw):
    example = draw(st.sampled_from(EXAMPLES))
    element = draw(st.integers(0, len(example.parts) - 1))
    factor = draw(st.sampled_from(list(FACTORS)))
    return example, element, factor, draw(st.sampled_from(FACTORS[factor]))


def _value(example, element, factor):
    return BENCH.composition(example).elements[element][factor]


@given(changes())
def test_there_and_back_again(change):
    example, element, factor, value = change
    there = BENCH.with_value(example, element, factor, value)
    if there is not None:
        assert BENCH.with_value(there, element, factor, _value(example, element, factor)) == example


@given(changes())
def test_one_phrase_changes_and_the_program_is_its_translation(change):
    example, element, factor, value = change
    old = BENCH.composition(example).elements
    phrase = {name: old[element][name] for name in ("verb", "manner", "direction", "repeat")}
    if factor == "direction_phrase":
        manner, _, direction = value.rpartition(" ")
        phrase |= {"manner": manner or "none", "direction": direction}
    else:
        phrase[factor] = value
    texts = [" ".join(word for word in parsed.words) for parsed in parse(example.spec).phrases]
    texts[element] = " ".join(word for word in phrase.values() if word != "none")
    expected = " ".join(itertools.chain(*itertools.zip_longest(texts, parse(example.spec).conjunctions, fillvalue=""))).strip()
    changed = BENCH.with_value(example, element, factor, value)
    try:
        parts = translate(expected)
    except ValueError:
        assert changed is None
        return
    assert (changed.spec, changed.parts) == (expected, parts)
    assert _value(changed, element, factor) == value
    assert BENCH.is_correct(changed, changed.program)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((9, "verb", "jump"), "the phrase to change is 9; expected an integer from 0 to"),
        ((0, "colour", "jump"), "'colour' is no factor of a phrase; expected one of verb"),
        ((0, "verb", "left"), "'left' is no value of verb; expected one of walk"),
    ],
)
def test_bad_changes_are_named(arguments, complaint):
    with pytest.raises(InputError, match=complaint):
        BENCH.with_value(EXAMPLES[0], *arguments)


def test_a_benchmark_without_factors_says_so():
    cogs = cg.benchmarks.load("cogs/all")
    with pytest.raises(InputError, match="cogs/all names no factors to exchange; expected a benchmark whose class sets swap_factors"):
        cogs.with_value(next(cogs.examples("test")), 0, "verb", "x")


def _draw(bench, rule, factor, wanted=30, split="test", chunks=5, **options):
    support = TrainingSupport.of(bench, bench.swap_factors, 2000)
    examples = SolvedExamples(Writer(bench, rule), bench, split, 0, 2 * wanted, chunks, "", 64, 0)
    return draw_pairs(bench, examples, factor, bench.swap_factors, wanted, support, (0,), **options)


@pytest.mark.parametrize("factor", ["verb", "direction_phrase", "repeat", "direction", "manner"])
def test_pairs_share_no_value_and_get_each_others(factor):
    draw = _draw(BENCH, scan_program, factor)
    assert len(draw.pairs) == 30
    held_out = {" ".join(cell) for cell in BENCH.design.held_out if "none" not in cell}
    for pair in draw.pairs:
        rarer, frequent = pair.swaps
        assert (rarer.element, frequent.element) in strangers(BENCH, rarer.source, frequent.source, (*BENCH.swap_factors, factor))
        assert (rarer.old, rarer.new) == (frequent.new, frequent.old)
        for swap in pair.swaps:
            assert _value(swap.source, swap.element, factor) == swap.old
            assert swap.result == BENCH.with_value(swap.source, swap.element, factor, swap.new)
            assert len(swap.changed_parts) == 1
            element = BENCH.composition(swap.result).elements[swap.element]
            cell = element["verb"], element["direction_phrase"]
            assert swap.in_training == (cell not in BENCH.design.held_out)
            assert any(text in swap.source.spec for text in held_out) or "walk" in swap.source.spec


def test_each_example_is_in_one_pair_and_all_discards_are_counted():
    draw = _draw(BENCH, lambda spec: scan_program(spec) if "look" in spec else (), "direction_phrase", wanted=40)
    sources = [swap.source for pair in draw.pairs for swap in pair.swaps]
    assert all("look" in source.spec for source in sources)
    assert list(draw.discarded) == list(DISCARDS)
    assert draw.discarded["unsolved"] > 0
    assert draw.discarded["untrained"] == 0
    stream = [example.spec for example in itertools.islice(BENCH.examples("test"), draw.examples)]
    assert all(sum(source.spec == spec for source in sources) <= stream.count(spec) for spec in stream)
    assert draw.solved == sum("look" in spec for spec in stream)


def test_controls_lead_to_combinations_that_training_has():
    draw = _draw(Shapes(), shapes_program, "colour", split="valid", trained=True)
    assert len(draw.pairs) == 30
    assert draw.discarded["untrained"] > 0
    assert all("blue square" not in swap.result.spec for pair in draw.pairs for swap in pair.swaps)


def test_a_search_without_end_is_bounded():
    """All commands have one colour in common or the other: with one colour nothing can be exchanged."""
    bench = Shapes()
    bench.values = {"colour": ("red",), "shape": ("square", "star")}
    draw = _draw(bench, shapes_program, "shape", wanted=10, chunks=2)
    assert (draw.pairs, draw.examples, draw.solved) == ((), 40, 40)
    assert draw.discarded["alike"] > 0


def test_controls_are_matched_in_parts_and_nearest_in_length():
    treatment = [swap for pair in _draw(BENCH, scan_program, "repeat").pairs for swap in pair.swaps]
    candidates = [swap for pair in _draw(BENCH, scan_program, "repeat", split="valid", wanted=60).pairs for swap in pair.swaps]
    chosen = matched(treatment, candidates)
    assert len({id(swap) for swap in chosen if swap}) == sum(swap is not None for swap in chosen) > 40
    for swap, control in zip(treatment, chosen, strict=True):
        assert control is None or len(control.result.parts) == len(swap.result.parts)
    first = [len(each.result.program) for each in candidates if len(each.result.parts) == len(treatment[0].result.parts)]
    length = len(treatment[0].result.program)
    assert abs(len(chosen[0].result.program) - length) == min(abs(each - length) for each in first)
    assert matched(treatment[:1], []) == [None]
