"""Exchanging one factor of one phrase of a command."""

from dataclasses import replace

from compgen_keras.benchmarks.scan.factors import FACTORS, NONE
from compgen_keras.benchmarks.scan.grammar import Command
from compgen_keras.benchmarks.scan.sampler import PHRASES
from compgen_keras.errors import InputError, require_integer

SWAP_FACTORS = ("verb", "direction_phrase", "repeat")
"""The factors that together make a phrase."""

MORE_SWAP_FACTORS = ("direction", "manner")
"""The two that a direction phrase is made of: with `"direction"`, left and right are exchanged and opposite or around stay."""

_EXISTING = frozenset(PHRASES)


def command_with_value(command: Command, element: int, factor: str, value: str) -> Command | None:
    """The command with another value of one factor of one phrase; all other words stay.

    Args:
        command: the command.
        element: which phrase as written, from 0.
        factor: one of `FACTORS`.
        value: one of the factor's values; `"none"` takes the word away.

    Returns:
        The command; None if the grammar has no such phrase: `turn` needs a direction, and so do `opposite` and `around`.

    Raises:
        ValueError: no such phrase, factor or value.

    Example:

    >>> from compgen_keras.benchmarks.scan import parse
    >>> str(command_with_value(parse("jump left twice and walk"), 0, "direction_phrase", "around right"))
    'jump around right twice and walk'
    >>> command_with_value(parse("turn left and walk"), 0, "direction_phrase", "none") is None
    True

    Reference: Measuring Systematic Generalization, the swap test.
    """
    element = require_integer("the phrase to change", element, 0, most=len(command.phrases) - 1)
    if factor not in FACTORS:
        raise InputError(f"{factor!r} is no factor of a phrase; expected one of {', '.join(FACTORS)}.")
    if value not in FACTORS[factor]:
        raise InputError(f"{value!r} is no value of {factor}; expected one of {', '.join(FACTORS[factor])}.")
    phrase = replace(command.phrases[element], **_words_of(factor, value))
    if phrase not in _EXISTING:
        return None
    phrases = (*command.phrases[:element], phrase, *command.phrases[element + 1 :])
    return Command(phrases, command.conjunctions)


def _words_of(factor, value):
    if factor != "direction_phrase":
        return {factor: None if value == NONE else value}
    *manner, direction = value.split()
    return {"manner": manner[0] if manner else None, "direction": None if direction == NONE else direction}
