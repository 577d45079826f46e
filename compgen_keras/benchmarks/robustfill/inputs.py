"""The strings that a RobustFill program is shown at work on, drawn before the program."""

import string
from collections import Counter
from dataclasses import dataclass

from compgen_keras.benchmarks.robustfill.alphabet import CHARACTERS, DELIMITERS, TYPES
from compgen_keras.benchmarks.robustfill.draws import Draws

_LETTERS = {
    "NUMBER": string.digits,
    "WORD": string.ascii_letters,
    "ALPHANUM": string.ascii_letters + string.digits,
    "ALL_CAPS": string.ascii_uppercase,
    "LOWER": string.ascii_lowercase,
    "DIGIT": string.digits,
    "CHAR": "".join(CHARACTERS),
}
_SHARE_OF_DELIMITERS = 1 / 3
_MOST_IN_TOKEN = 4


@dataclass(frozen=True)
class Inputs:
    """The inputs of one task, and what a program for it may look for.

    Attributes:
        strings: the inputs.
        types: types among the kinds of tokens that they are made of, and CHAR.
        delimiters: delimiters among these kinds, and those that began other tokens.
        counts: for each of both, the largest size of an index.
    """

    strings: tuple[str, ...]
    types: tuple[str, ...]
    delimiters: tuple[str, ...]
    counts: dict[str, int]


def draw_inputs(draws: Draws, count: int, most_characters: int) -> Inputs:
    """Draws the inputs of a task.

    Each is made of tokens of the same three to five kinds, each kind placed one to three times. A kind is a delimiter with
    probability 1/3 and else a type; a token of a type is a random delimiter and one to four characters of that type.

    Args:
        draws: source of random choices.
        count: number of inputs.
        most_characters: where an input is cut.

    Returns:
        The `Inputs`.

    Reference: section 3 of Shi et al.; what it leaves open, as in the published implementation.
    """
    kinds = []
    for _ in range(draws.between(3, 5)):
        kind = draws.choice(DELIMITERS) if draws.uniform() < _SHARE_OF_DELIMITERS else draws.choice(TYPES)
        kinds.append((kind, draws.between(1, 3)))
    counts = Counter()
    for kind, repeats in kinds:
        counts[kind] += repeats
    strings = tuple(_draw_input(draws, kinds, most_characters, counts) for _ in range(count))
    counts["CHAR"] = max(map(len, strings))
    types = tuple(name for name in TYPES if counts[name])
    delimiters = tuple(delimiter for delimiter in DELIMITERS if counts[delimiter])
    return Inputs(strings, types, delimiters, dict(counts))


def _draw_input(draws, kinds, most_characters, counts):
    tokens, length = [], 0
    for kind, repeats in kinds:
        for _ in range(repeats):
            if length >= most_characters:
                break
            token = kind if len(kind) == 1 else _draw_token(draws, kind, counts)
            tokens.append(token)
            length += len(token)
    return "".join(draws.shuffled(tokens))[:most_characters]


def _draw_token(draws, kind, counts):
    delimiter = draws.choice(DELIMITERS)
    counts[delimiter] += 1
    if kind == "PROP_CASE":
        rest = draws.between(1, _MOST_IN_TOKEN - 1)
        return delimiter + draws.choice(string.ascii_uppercase) + "".join([draws.choice(string.ascii_lowercase) for _ in range(rest)])
    letters = _LETTERS[kind]
    return delimiter + "".join([draws.choice(letters) for _ in range(draws.between(1, _MOST_IN_TOKEN))])
