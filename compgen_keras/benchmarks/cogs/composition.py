"""What COGS's sentences are composed of, read off their logical forms."""

from collections import defaultdict

from compgen_keras.benchmarks.cogs.cases import DEPTHS
from compgen_keras.benchmarks.cogs.form import is_name, read_form
from compgen_keras.benchmarks.cogs.lexicon import PREPOSITIONS
from compgen_keras.benchmarks.composition import Composition, Grid

_PHRASE = "prepositional phrase"
_ALONE = "alone"
_LINKS = ("ccomp", "xcomp")
_NOUNS = ("noun", "definite")


def composition_of_sentence(form_tokens: tuple[str, ...], words: tuple[str, ...]) -> Composition:
    """Atoms, compounds and elements of a sentence.

    Atoms are the lexical items: nouns and verbs as lemmas, names, prepositions, and `that`. Compounds pair a lexical item with its use:
    of a noun or name its role (`"theme"`, say, or the preposition before it), of a verb its arguments in the order of their places, with
    `"was"` in the passive, or `"infinitive"`, of a primitive `"alone"`; a prepositional phrase with the role of the noun it modifies and
    on which side of the verb that stands; and how deep clauses behind `that` and prepositional phrases are nested. Elements are the
    lexical items with their `"word"` and `"use"`, and the nestings with what is nested (`"nesting"`) and how deep (`"depth"`).

    Args:
        form_tokens: the true logical form's tokens.
        words: the sentence's words.

    Example:

    >>> from compgen_keras.benchmarks.cogs import logical_form
    >>> form = tuple(logical_form("Emma ate the cake .").split())
    >>> composition_of_sentence(form, ("Emma", "ate", "the", "cake", ".")).compounds[:3]
    (('Emma', 'agent'), ('cake', 'theme'), ('eat', 'agent theme'))
    """
    form = read_form(form_tokens)
    if len(words) == 1:
        word = form.name or form.facts[0].word
        return Composition((word,), ((word, _ALONE),), ({"word": word, "use": _ALONE},))
    uses = list(_uses_of_verbs_and_arguments(form, words))
    modifiers = [fact for fact in form.facts if fact.label in PREPOSITIONS]
    nouns = {fact.arguments[0]: fact.word for fact in form.facts if fact.label in _NOUNS}
    uses += [(nouns[fact.arguments[1]], fact.label) for fact in modifiers]
    nestings = {"that": sum(fact.label == "ccomp" for fact in form.facts), _PHRASE: _depth(modifiers)}
    atoms = [fact.word for fact in form.facts if fact.label in _NOUNS] + [fact.label for fact in modifiers]
    atoms += [word for word in words if word == "that" or _is_name_in(form, word)] + list(_verbs(form).values())
    compounds = [*uses, *_modified(form, modifiers), *((kind, f"depth {depth}") for kind, depth in nestings.items())]
    elements = [{"word": word, "use": use} for word, use in uses]
    elements += [{"nesting": kind, "depth": str(depth)} for kind, depth in nestings.items()]
    return Composition(tuple(atoms), tuple(compounds), tuple(elements))


def _is_name_in(form, word):
    return any(word == argument for fact in form.facts for argument in fact.arguments if is_name(argument))


def _verbs(form):
    return {fact.arguments[0]: fact.word for fact in form.facts if fact.label not in _NOUNS and fact.label not in PREPOSITIONS}


def _uses_of_verbs_and_arguments(form, words):
    nouns = {fact.arguments[0]: fact.word for fact in form.facts if fact.label in _NOUNS}
    relations = defaultdict(list)
    for fact in form.facts:
        if fact.label not in _NOUNS and fact.label not in PREPOSITIONS:
            relations[fact.arguments[0]].append(fact)
    infinitives = {fact.arguments[1] for facts in relations.values() for fact in facts if fact.label == "xcomp"}
    for place, facts in relations.items():
        if place in infinitives:
            yield facts[0].word, "infinitive"
            continue
        ordered = sorted(facts, key=lambda fact: _place(fact.arguments[1], words))
        for fact in ordered:
            if fact.label not in _LINKS:
                yield nouns.get(fact.arguments[1], fact.arguments[1]), fact.label
        passive = ["was"] if words[place - 1] == "was" else []
        yield facts[0].word, " ".join([*passive, *(fact.label for fact in ordered)])


def _place(argument, words):
    return words.index(argument) if is_name(argument) else argument


def _depth(modifiers):
    inner = {fact.arguments[0]: fact.arguments[1] for fact in modifiers}
    deepest = 0
    for start in inner:
        depth, noun = 0, start
        while noun in inner:
            depth, noun = depth + 1, inner[noun]
        deepest = max(deepest, depth)
    return deepest


def _modified(form, modifiers):
    """For each noun with a prepositional phrase that is an argument: its role, and whether it stands before or behind the verb."""
    roles = {fact.arguments[1]: fact for fact in form.facts if fact.label not in _NOUNS and fact.label not in PREPOSITIONS}
    for modifier in modifiers:
        noun = modifier.arguments[0]
        if noun in roles:
            fact = roles[noun]
            yield _PHRASE, f"{fact.label} {'before' if noun < fact.arguments[0] else 'behind'} the verb"


def grid_of_case(case: str) -> Grid:
    """The two factors that show what a case shifts, and the cells it holds out.

    Args:
        case: the case's identifier, or `"all"`.
    """
    if case not in ("cp_recursion", "pp_recursion"):
        return Grid(("word", "use"))
    kind = "that" if case == "cp_recursion" else _PHRASE
    depths = tuple(str(depth) for depth in range(DEPTHS[-1] + 1))
    return Grid(("nesting", "depth"), ("that", _PHRASE), depths, tuple((kind, str(depth)) for depth in DEPTHS))
