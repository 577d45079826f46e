"""COGS's words: the published lists, in order of frequency rank (Kim and Linzen 2020; MIT licence, see LEXICON_LICENSE.txt)."""

import json
from functools import cache
from importlib import resources

DETERMINERS = {"a": False, "the": True}
"""Determiners, and whether they make a noun definite."""
PREPOSITIONS = ("on", "in", "beside")
LARGEST_INDEX = 64
"""Of a word in the longest sentence that models are to read."""


@cache
def word_lists() -> dict:
    """The published lists by name, and the nouns that occur as primitives."""
    return json.loads(resources.files("compgen_keras.benchmarks.cogs").joinpath("lexicon.json").read_text(encoding="utf-8"))


@cache
def common_nouns() -> frozenset[str]:
    """Every common noun, those of the generalization cases included."""
    lists = word_lists()
    names = ("animate_nouns", "inanimate_nouns", "on_nouns", "in_nouns", "beside_nouns")
    return frozenset(word for name in names for word in lists[name]) | frozenset(lists["held_out"]["common_nouns"])


@cache
def proper_nouns() -> frozenset[str]:
    """Every proper noun, those of the generalization cases included."""
    lists = word_lists()
    return frozenset((*lists["proper_nouns"], *lists["held_out"]["proper_nouns"]))


@cache
def verb_classes() -> dict[str, frozenset[str]]:
    """For each past tense the classes that it is in, such as `"V_unacc"`."""
    return _classes(("V_trans_omissible", "V_trans_not_omissible", "V_cp_taking", "V_inf_taking", "V_unacc", "V_unerg", "V_dat"))


@cache
def participle_classes() -> dict[str, frozenset[str]]:
    """For each participle the classes that it is in, such as `"V_dat_pp"`."""
    return _classes(("V_trans_omissible_pp", "V_trans_not_omissible_pp", "V_unacc_pp", "V_dat_pp"))


def _classes(names):
    lists = word_lists()
    classes = {}
    for name in names:
        # The held-out verbs are regular: their participle is their past tense.
        for word in (*lists[name], *lists["held_out"].get(name.removesuffix("_pp"), ())):
            classes.setdefault(word, set()).add(name)
    return {word: frozenset(found) for word, found in classes.items()}


@cache
def infinitives() -> frozenset[str]:
    """Verbs that can stand after `to`."""
    lists = word_lists()
    return frozenset((*lists["V_inf"], *lists["held_out"]["V_unerg"].values()))


@cache
def lemmas() -> dict[str, str]:
    """For each past tense and participle its infinitive."""
    lists = word_lists()
    of_held_out = {past: lemma for verbs in lists["held_out"].values() if isinstance(verbs, dict) for past, lemma in verbs.items()}
    return {**lists["verb_lemmas"], **of_held_out}


@cache
def primitive_forms() -> dict[str, str]:
    """The 143 words that have a published logical form of their own, and this form."""
    lists = word_lists()
    forms = {noun: noun for noun in lists["primitive_proper_nouns"]}
    forms.update({noun: f"LAMBDA a . {noun.lower()} ( a )" for noun in lists["primitive_common_nouns"]})
    for past in lists["V_unerg"]:
        forms[lemmas()[past]] = _one_role(lemmas()[past], "agent")
    forms.update({verb: _one_role(verb, "agent") for verb in lists["held_out"]["V_unerg"].values()})
    for past in lists["V_unacc"]:
        forms[lemmas()[past]] = _one_role(lemmas()[past], "theme")
    for past in (*lists["V_trans_omissible"], *lists["V_trans_not_omissible"]):
        verb = lemmas()[past]
        forms[verb] = f"LAMBDA a . LAMBDA b . LAMBDA e . {verb} . agent ( e , b ) AND {verb} . theme ( e , a )"
    return forms


def _one_role(verb, role):
    return f"LAMBDA a . LAMBDA e . {verb} . {role} ( e , a )"


@cache
def sentence_words() -> tuple[str, ...]:
    """Every word that a sentence or a primitive can hold, and the full stop."""
    known = (common_nouns(), proper_nouns(), verb_classes(), participle_classes(), infinitives(), primitive_forms())
    others = {word for words in known for word in words}
    return (*(".", "A", "The", *DETERMINERS, "was", "that", "to", "by"), *PREPOSITIONS, *sorted(others))


@cache
def form_tokens() -> tuple[str, ...]:
    """Every token that a logical form can hold."""
    roles = ("agent", "theme", "recipient", "ccomp", "xcomp", "nmod")
    verbs = {*lemmas().values(), *infinitives()}
    others = {*verbs, *(noun.lower() for noun in common_nouns()), *proper_nouns()}
    symbols = ("(", ")", ",", ".", ";", "*", "_", "x", "AND", "LAMBDA", "a", "b", "e")
    return (*symbols, *map(str, range(LARGEST_INDEX + 1)), *roles, *PREPOSITIONS, *sorted(others))
