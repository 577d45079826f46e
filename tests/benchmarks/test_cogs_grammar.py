"""COGS's logical forms: the published training set, the forms of the generalization cases, and what is outside the fragment."""

import lzma
from pathlib import Path

import pytest

from compgen_keras.benchmarks.cogs import logical_form

PUBLISHED = Path(__file__).parent / "published" / "cogs_train.tsv.xz"


def test_every_published_training_pair_is_reproduced():
    lines = lzma.decompress(PUBLISHED.read_bytes()).decode().splitlines()
    assert len(lines) == 24_155
    for line in lines:
        sentence, wanted, _ = line.split("\t")
        assert logical_form(sentence) == wanted, sentence


@pytest.mark.parametrize(
    ("sentence", "wanted"),
    [
        # A prepositional phrase on a subject and on a by-agent, which training never has.
        (
            "The cake on a table froze .",
            "* cake ( x _ 1 ) ; cake . nmod . on ( x _ 1 , x _ 4 ) AND table ( x _ 4 ) AND freeze . theme ( x _ 5 , x _ 1 )",
        ),
        (
            "Emma was helped by the dog in a car .",
            "* dog ( x _ 5 ) ; help . theme ( x _ 2 , Emma ) AND help . agent ( x _ 2 , x _ 5 ) "
            "AND dog . nmod . in ( x _ 5 , x _ 8 ) AND car ( x _ 8 )",
        ),
        # Held-out verbs in their new forms.
        (
            "A girl teleported the cake to Liam .",
            "* cake ( x _ 4 ) ; girl ( x _ 1 ) AND teleport . agent ( x _ 2 , x _ 1 ) AND teleport . theme ( x _ 2 , x _ 4 ) "
            "AND teleport . recipient ( x _ 2 , Liam )",
        ),
        ("Emma wanted to crawl .", "want . agent ( x _ 1 , Emma ) AND want . xcomp ( x _ 1 , x _ 3 ) AND crawl . agent ( x _ 3 , Emma )"),
        # `liked` takes an object or a sentence; the next word decides.
        (
            "Emma liked that Liam slept .",
            "like . agent ( x _ 1 , Emma ) AND like . ccomp ( x _ 1 , x _ 4 ) AND sleep . agent ( x _ 4 , Liam )",
        ),
        # The recipient is the subject of a dative passive with a theme.
        ("Emma was given a TV .", "give . recipient ( x _ 2 , Emma ) AND give . theme ( x _ 2 , x _ 4 ) AND tv ( x _ 4 )"),
    ],
)
def test_forms_of_the_generalization_cases_worked_out_by_hand(sentence, wanted):
    assert logical_form(sentence) == wanted


def test_twelve_levels_of_that():
    form = logical_form("Emma said that " * 12 + "Liam slept .")
    assert form.count("ccomp") == 12
    assert form.endswith("sleep . agent ( x _ 37 , Liam )")
    assert "say . ccomp ( x _ 34 , x _ 37 )" in form


@pytest.mark.parametrize(
    ("sentence", "complaint"),
    [
        ("", "the sentence is empty"),
        (7, "a sentence is a string of words, but 7 was given"),
        ("the", "word 1 is 'the', which has no logical form of its own"),
        ("gave", "word 1 is 'gave'"),
        ("the cat slept .", "word 1 of the sentence is 'the'; expected 'a', 'the' or a name, capitalised"),
        ("The cat slept", "the sentence ends after word 3, 'slept'; expected the end of the sentence, a full stop"),
        ("The cat slept . .", "word 5 of the sentence is '.'; expected nothing after the full stop"),
        ("The unicorn slept .", "word 2 of the sentence is 'unicorn'; expected a common noun"),
        ("The cat sleep .", "word 3 of the sentence is 'sleep'; expected a verb in the past tense"),
        ("The cat helped .", "word 4 of the sentence is '.'; expected an object"),
        ("The cat said .", "word 4 of the sentence is '.'; expected 'that'"),
        ("The cat was slept .", "word 4 of the sentence is 'slept'; expected a participle"),
        ("The cat was given .", "word 5 of the sentence is '.'; expected 'to' and a recipient, or a theme"),
        ("The cat wanted to cake .", "word 5 of the sentence is 'cake'; expected an infinitive"),
        ("The cat on Emma slept .", "word 4 of the sentence is 'Emma'; expected 'a' or 'the'"),
        ("Emma gave a cat on a table the cake .", "word 8 of the sentence is 'the'; expected 'to' and a recipient"),
        ("Emma gave a cake to a cat on a table .", "word 8 of the sentence is 'on'; expected the end of the sentence"),
        ("Emma said that " * 200 + "Liam slept .", "the sentence has 603 words; expected at most 500"),
    ],
)
def test_what_is_outside_the_fragment_is_named(sentence, complaint):
    with pytest.raises(ValueError, match=complaint):
        logical_form(sentence)


def test_the_longest_sentence_that_is_read():
    assert logical_form("Emma said that " * 165 + "Liam slept .").count("ccomp") == 165
