"""How far a predicted logical form is from the true one: the same meaning, or the first thing that is wrong."""

from collections import Counter

from compgen_keras.benchmarks.cogs.form import Fact, Form, is_name, read_form

ERRORS = ("invalid form", "ends early", "wrong structure", "wrong role", "wrong index")
"""Kinds of errors; of several the first counts."""
_ROLES = ("agent", "theme", "recipient")


def same_meaning(true, predicted) -> bool:
    """Whether two logical forms say the same.

    They do if some one-to-one renaming of variables makes the sets of their conjuncts and definites equal. Whether a noun is definite
    counts, and so do names; the order does not.

    Args:
        true: tokens of the true form.
        predicted: tokens of the predicted one.

    Example:

    >>> one, two = "* cat ( x _ 1 ) ; sleep . agent ( x _ 2 , x _ 1 )", "* cat ( x _ 8 ) ; sleep . agent ( x _ 5 , x _ 8 )"
    >>> same_meaning(one.split(), two.split())
    True
    """
    one, other = read_form(true), read_form(predicted)
    if one is None or other is None:
        return tuple(true) == tuple(predicted)
    if (one.name, len(one.bound)) != (other.name, len(other.bound)):
        return False
    facts = [frozenset(form.facts) for form in (one, other)]
    # What stands behind LAMBDA is told apart by its place there.
    colours = [{variable: (-1, place) for place, variable in enumerate(form.bound)} for form in (one, other)]
    return len(facts[0]) == len(facts[1]) and _can_be_renamed(facts, colours)


def _can_be_renamed(facts, given):
    """Whether a renaming of variables that keeps given colours makes two sets of facts equal.

    Variables are coloured by what is said of them and of their neighbours until no more of them are told apart. Where some are left
    alike, one is set against each that it may be.
    """
    colours = [
        {variable: given[side].get(variable, 0) for fact in facts[side] for variable in fact.variables} | dict(given[side])
        for side in (0, 1)
    ]
    kinds = [len(set(side.values())) for side in colours]
    while True:
        colours = _refined(facts, colours)
        if Counter(colours[0].values()) != Counter(colours[1].values()):
            return False
        if kinds == (kinds := [len(set(side.values())) for side in colours]):
            break
    alike = next((colour for colour, count in Counter(colours[0].values()).items() if count > 1), None)
    if alike is None:
        of_colour = {colour: variable for variable, colour in colours[1].items()}
        renaming = {variable: of_colour[colour] for variable, colour in colours[0].items()}
        return {_renamed(fact, renaming) for fact in facts[0]} == facts[1]
    one = next(variable for variable, colour in colours[0].items() if colour == alike)
    others = [variable for variable, colour in colours[1].items() if colour == alike]
    return any(_can_be_renamed(facts, [colours[0] | {one: -1}, colours[1] | {other: -1}]) for other in others)


def _refined(facts, colours):
    """Colours by the present one and by what is said of a variable, the same numbers on both sides."""
    said = []
    for of_side, colour in zip(facts, colours, strict=True):
        about = {variable: [] for variable in colour}
        for fact in of_side:
            arguments = tuple(argument if is_name(argument) else colour[argument] for argument in fact.arguments)
            for place, argument in enumerate(fact.arguments):
                if not is_name(argument):
                    about[argument].append((fact.word, fact.label, place, repr(arguments)))
        said.append({variable: (repr(colour[variable]), tuple(sorted(what))) for variable, what in about.items()})
    numbers = {what: number for number, what in enumerate(sorted({what for side in said for what in side.values()}))}
    return [{variable: numbers[what] for variable, what in side.items()} for side in said]


def _renamed(fact, renaming):
    return Fact(fact.word, fact.label, tuple(renaming.get(argument, argument) for argument in fact.arguments))


def error_kind(true, predicted) -> str | None:
    """What is wrong with a predicted logical form, the first of `ERRORS` that applies; None if it is the true one.

    - *invalid form*: the tokens spell no logical form.
    - *ends early*: there are fewer different conjuncts and definites than there should be.
    - *wrong structure*: other words, names or relations, roles and prepositions aside.
    - *wrong role*: another role of a verb's argument, or another preposition.
    - *wrong index*: the variables are others, or the order is, or something is said twice.

    Args:
        true: tokens of the true form.
        predicted: tokens of the predicted one.

    Example:

    >>> true = "eat . agent ( x _ 1 , Emma )"
    >>> [error_kind(true.split(), text.split()) for text in ("eat . theme ( x _ 1 , Emma )", "eat . agent ( x _ 2 , Emma )", "eat")]
    ['wrong role', 'wrong index', 'invalid form']
    """
    if tuple(true) == tuple(predicted):
        return None
    wanted, found = read_form(true), read_form(predicted)
    if found is None:
        return "invalid form"
    if wanted is None:
        return "wrong structure"
    if len(set(found.facts)) < len(set(wanted.facts)):
        return "ends early"
    if _structure(wanted, _coarse) != _structure(found, _coarse):
        return "wrong structure"
    if _structure(wanted, lambda fact: fact.label) != _structure(found, lambda fact: fact.label):
        return "wrong role"
    return "wrong index"


def _coarse(fact):
    if fact.label in _ROLES:
        return "role"
    return fact.label if fact.label in ("definite", "noun", "ccomp", "xcomp") else "preposition"


def _structure(form: Form, label):
    facts = Counter(
        (fact.word, label(fact), tuple(argument if is_name(argument) else None for argument in fact.arguments)) for fact in set(form.facts)
    )
    return form.name, len(form.bound), facts
