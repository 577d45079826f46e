"""Specifications that are examples of what a program does: pairs of an input and an output."""

from compgen_keras.errors import InputError

MOST_CHARACTERS = 1_000
"""Characters in the longest input or output that is read, and in the longest string that programs are run on."""


def checked_pairs(spec, characters):
    """The characters of a specification's inputs and outputs.

    Args:
        spec: a sequence of (input, output) pairs of strings.
        characters: those that may occur.

    Returns:
        For each pair, a tuple of the input's and of the output's characters.

    Raises:
        ValueError: it is no such sequence, or no output has a character (a model attends to the outputs, so it would learn nothing of the
            inputs either); the message names the pair, and what is wrong with it.

    Example:

    >>> checked_pairs([("ab", "b")], characters="abc")
    ((('a', 'b'), ('b',)),)
    """
    if not isinstance(spec, (list, tuple)) or not spec:
        raise InputError(f"a specification is a list of (input, output) pairs of strings, at least one, but {spec!r} was given.")
    known = set(characters)
    for number, pair in enumerate(spec, start=1):
        if not isinstance(pair, (list, tuple)) or len(pair) != 2 or not all(isinstance(side, str) for side in pair):
            raise InputError(f"pair {number} is {pair!r}; expected an input and an output, both strings.")
        for name, side in zip(("input", "output"), pair, strict=True):
            if len(side) > MOST_CHARACTERS:
                raise InputError(f"the {name} of pair {number} has {len(side):,} characters; expected at most {MOST_CHARACTERS:,}.")
            for place, character in enumerate(side, start=1):
                if character not in known:
                    where = f"character {place} of the {name} of pair {number}"
                    raise InputError(f"{where} is {character!r}, which the language lacks; expected one of {''.join(characters)}")
    if not any(wanted for _, wanted in spec):
        raise InputError(
            "the outputs of all pairs are empty; expected at least one with a character, since a model reads inputs by outputs."
        )
    return tuple((tuple(given), tuple(wanted)) for given, wanted in spec)
