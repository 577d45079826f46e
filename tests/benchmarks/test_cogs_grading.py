"""Meaning and kinds of errors of predicted logical forms."""

import itertools
import random
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

import compgen_keras as cg
from compgen_keras.benchmarks.cogs.form import read_form
from compgen_keras.benchmarks.cogs.grading import error_kind, same_meaning

TRUE = (
    "* girl ( x _ 1 ) ; give . agent ( x _ 2 , x _ 1 ) AND give . theme ( x _ 2 , x _ 4 ) "
    "AND give . recipient ( x _ 2 , Emma ) AND cake ( x _ 4 )"
)


def changed(*pairs):
    text = TRUE
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return text.split()


@pytest.mark.parametrize(
    ("predicted", "kind", "means_the_same"),
    [
        (TRUE.split(), None, True),
        (changed(("x _ 4", "x _ 7")), "wrong index", True),
        (changed(("x _ 1", "x _ 9"), ("x _ 2", "x _ 1"), ("x _ 9", "x _ 2")), "wrong index", True),
        # Another order of the same conjuncts.
        (
            changed(("give . theme ( x _ 2 , x _ 4 ) AND ", ""), ("cake ( x _ 4 )", "cake ( x _ 4 ) AND give . theme ( x _ 2 , x _ 4 )")),
            "wrong index",
            True,
        ),
        # Two variables become one.
        (changed(("x _ 4", "x _ 1")), "wrong index", False),
        (
            changed(("agent ( x _ 2 , x _ 1 )", "agent ( x _ 2 , x _ 4 )"), ("theme ( x _ 2 , x _ 4 )", "theme ( x _ 2 , x _ 1 )")),
            "wrong index",
            False,
        ),
        (changed(("agent", "theme")), "wrong role", False),
        (changed(("agent", "xcomp")), "wrong structure", False),
        (changed(("cake", "donut")), "wrong structure", False),
        (changed(("Emma", "Ava")), "wrong structure", False),
        (changed(("Emma", "x _ 4")), "wrong structure", False),
        # The same conjunct once more, and one that says more.
        (changed(("cake ( x _ 4 )", "cake ( x _ 4 ) AND cake ( x _ 4 )")), "wrong index", True),
        (changed(("cake ( x _ 4 )", "cake ( x _ 4 ) AND girl ( x _ 4 )")), "wrong structure", False),
        # Definite instead of indefinite.
        (changed(("* girl ( x _ 1 ) ;", "* girl ( x _ 1 ) ; * cake ( x _ 4 ) ;"), (" AND cake ( x _ 4 )", "")), "wrong structure", False),
        (changed((" AND cake ( x _ 4 )", "")), "ends early", False),
        (changed((" cake ( x _ 4 )", "")), "invalid form", False),
        (changed(("girl", "give")), "invalid form", False),
        ((*TRUE.split(), "<no EOS>"), "invalid form", False),
        ((), "invalid form", False),
        (("Emma",), "ends early", False),
        (("x",) * 500, "invalid form", False),
    ],
)
def test_kinds_of_errors_and_meaning(predicted, kind, means_the_same):
    assert error_kind(TRUE.split(), predicted) == kind
    assert same_meaning(TRUE.split(), predicted) is means_the_same
    assert same_meaning(predicted, TRUE.split()) is means_the_same


def test_a_preposition_is_a_role_and_its_noun_is_structure():
    true = "Emma ate the cake on a table ."
    true = cg.benchmarks.cogs.logical_form(true).split()
    assert error_kind(true, [{"on": "in"}.get(token, token) for token in true]) == "wrong role"
    assert error_kind(true, [{"table": "bed"}.get(token, token) for token in true]) == "wrong structure"


def test_primitives():
    form = "LAMBDA a . LAMBDA b . LAMBDA e . eat . agent ( e , b ) AND eat . theme ( e , a )"
    swapped = "LAMBDA a . LAMBDA b . LAMBDA e . eat . agent ( e , a ) AND eat . theme ( e , b )"
    renamed = "LAMBDA b . LAMBDA a . LAMBDA e . eat . agent ( e , a ) AND eat . theme ( e , b )"
    assert same_meaning(form.split(), renamed.split())
    assert not same_meaning(form.split(), swapped.split())
    assert error_kind(form.split(), swapped.split()) == "wrong index"
    assert error_kind(form.split(), renamed.split()) == "wrong index"
    other_letter = [f"LAMBDA {letter} . cat ( {letter} )".split() for letter in "ab"]
    assert error_kind(*other_letter) == "wrong index"
    assert same_meaning(*other_letter)
    assert same_meaning(("Emma",), ("Emma",)) and not same_meaning(("Emma",), ("Ava",))
    cat, dog = (f"LAMBDA a . {noun} ( a )".split() for noun in ("cat", "dog"))
    assert error_kind(cat, dog) == "wrong structure"


def test_a_true_form_that_cannot_be_read_is_no_crash():
    assert error_kind(("x", "_"), TRUE.split()) == "wrong structure"
    assert error_kind(("x", "_"), ("x", "_")) is None


def test_every_form_that_is_drawn_is_read_and_is_itself():
    bench = cg.benchmarks.load("cogs/all")
    for example in itertools.chain(itertools.islice(bench.examples("test"), 500), bench.examples("few_shot")):
        form = read_form(example.program)
        assert len(form.facts) == len(example.parts)
        assert bench.same_meaning(example, example.program)
        assert bench.error_kind(example, example.program) is None


def _spelled(facts):
    def conjunct(fact):
        arguments = " , ".join(argument if isinstance(argument, str) else f"x _ {argument}" for argument in fact.arguments)
        if fact.label == "definite":
            return f"* {fact.word} ( {arguments} ) ;"
        if fact.label == "noun":
            return f"{fact.word} ( {arguments} )"
        path = f"{fact.word} . nmod . {fact.label}" if fact.label in ("on", "in", "beside") else f"{fact.word} . {fact.label}"
        return f"{path} ( {arguments} )"

    definites = [conjunct(fact) for fact in facts if fact.label == "definite"]
    others = " AND ".join(conjunct(fact) for fact in facts if fact.label != "definite")
    return " ".join([*definites, others]).split()


@given(st.integers(0, 400), st.randoms(use_true_random=False))
def test_renaming_and_reordering_keep_the_meaning_and_swapping_two_arguments_does_not(number, chance: random.Random):
    """A deep example: many variables, some of which only their neighbours tell apart."""
    example = _deep_examples()[number]
    facts = list(read_form(example.program).facts)
    variables = sorted({variable for fact in facts for variable in fact.variables})
    renaming = dict(zip(variables, chance.sample(range(65), len(variables)), strict=True))
    renamed = [type(f)(f.word, f.label, tuple(renaming.get(a, a) for a in f.arguments)) for f in facts]
    chance.shuffle(renamed)
    assert same_meaning(example.program, _spelled(renamed))
    relations = [place for place, fact in enumerate(renamed) if len(fact.variables) == 2]
    place = chance.choice(relations)
    fact = renamed[place]
    renamed[place] = type(fact)(fact.word, fact.label, fact.arguments[::-1])
    assert not same_meaning(example.program, _spelled(renamed))


@cache
def _deep_examples():
    return list(itertools.islice(cg.benchmarks.load("cogs/cp_recursion").examples("test"), 401))


def test_meaning_where_nothing_but_the_whole_tells_variables_apart():
    """Two cycles of three against one of six: the same neighbours everywhere."""

    def ring(*places):
        return [f"say . ccomp ( x _ {a} , x _ {b} )" for a, b in zip(places, (*places[1:], places[0]), strict=True)]

    two = " AND ".join([*ring(1, 2, 3), *ring(4, 5, 6)]).split()
    one = " AND ".join(ring(1, 2, 3, 4, 5, 6)).split()
    assert not same_meaning(two, one)
    assert same_meaning(two, " AND ".join([*ring(4, 2, 6), *ring(1, 3, 5)]).split())
