"""The kinds of arguments that operations take, and how they are written in a program's text and as tokens."""

from dataclasses import dataclass

from compgen_keras.benchmarks.robustfill.alphabet import CHARACTERS, DELIMITERS, TYPES
from compgen_keras.errors import InputError


def quoted(character: str) -> str:
    """A character as a program's text has it."""
    return '"\\""' if character == '"' else f'"{character}"'


@dataclass(frozen=True)
class ArgumentKind:
    """Which values an argument may have.

    Attributes:
        description: what to call it in messages.
        texts: each value and how it is written in a program's text.
        tokens: each value and its token.
    """

    description: str
    texts: dict
    tokens: dict

    def check(self, operation: str, value) -> None:
        """Raises a ValueError if the value is none of this kind."""
        # For Python, True and 1.0 are the same as 1, but they are no positions.
        if type(value) not in (str, int) or value not in self.texts:
            raise InputError(f"{operation} was given {value!r}; expected {self.description}.")

    def value_of_text(self, text: str):
        """The value written so; None if there is none."""
        return next((value for value, written in self.texts.items() if written == text), None)

    def value_of_token(self, token: str):
        """The value with this token; None if there is none."""
        return self._by_token.get(token)

    def __post_init__(self):
        object.__setattr__(self, "_by_token", {token: value for value, token in self.tokens.items()})

    def __or__(self, other: "ArgumentKind") -> "ArgumentKind":
        return ArgumentKind(f"{self.description} or {other.description}", {**self.texts, **other.texts}, {**self.tokens, **other.tokens})


def _bare(description, values):
    return ArgumentKind(description, {value: str(value) for value in values}, {value: str(value) for value in values})


def _characters(description, values):
    return ArgumentKind(description, {value: quoted(value) for value in values}, {value: f'"{value}"' for value in values})


_CASES = ("PROPER", "ALL_CAPS", "LOWER")

INTEGER = _bare("an integer from -100 to 100", range(-100, 101))
TYPE = _bare(f"a type ({', '.join(TYPES)})", TYPES)
BOUNDARY = _bare("START or END", ("START", "END"))
DELIMITER = _characters("a delimiter in double quotes", DELIMITERS)
CHARACTER = _characters("a letter, digit or delimiter in double quotes", CHARACTERS)
CASE = ArgumentKind("a case (PROPER, ALL_CAPS, LOWER)", {case: case for case in _CASES}, {case: f"case:{case}" for case in _CASES})
REGEX = TYPE | DELIMITER
