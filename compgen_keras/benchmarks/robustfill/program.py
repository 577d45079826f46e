"""RobustFill programs: the results of some operations, joined."""

from dataclasses import dataclass

from compgen_keras.benchmarks.io_examples import MOST_CHARACTERS
from compgen_keras.benchmarks.robustfill.arguments import BOUNDARY, CASE, CHARACTER, INTEGER, TYPE
from compgen_keras.benchmarks.robustfill.operations import BY_NAME, Compose, Operation
from compgen_keras.errors import InputError

TOKENS = (*BY_NAME, "Compose", *(token for kind in (TYPE, CASE, BOUNDARY, INTEGER, CHARACTER) for token in kind.tokens.values()))
"""Every token that a program can hold."""


@dataclass(frozen=True)
class Program:
    """A program, `Concat` in Figure 3 of Shi et al.

    Args:
        expressions: its operations, at least one.

    Raises:
        ValueError: there are none, or something else is among them.

    Example:

    >>> from compgen_keras.benchmarks.robustfill.operations import ConstStr, GetToken
    >>> program = Program((GetToken("WORD", 1), ConstStr(".")))
    >>> program("ada lovelace"), str(program)
    ('ada.', 'Concat(GetToken(WORD, 1), ConstStr("."))')
    >>> program.parts
    (('GetToken', 'WORD', '1'), ('ConstStr', '"."'))
    """

    expressions: tuple[Operation, ...]

    def __post_init__(self):
        if not isinstance(self.expressions, tuple) or not self.expressions:
            raise InputError(f"a program was given {self.expressions!r}; expected a tuple of at least one operation.")
        for expression in self.expressions:
            if not isinstance(expression, (*BY_NAME.values(), Compose)):
                raise InputError(f"a program was given {expression!r}; expected operations such as GetToken('WORD', 1).")

    @property
    def parts(self) -> tuple[tuple[str, ...], ...]:
        """The tokens of each operation."""
        return tuple(expression.tokens for expression in self.expressions)

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens of all operations in order."""
        return tuple(token for part in self.parts for token in part)

    def __str__(self):
        return f"Concat({', '.join(map(str, self.expressions))})"

    def __call__(self, value: str) -> str:
        """The program's output on a string.

        Raises:
            ValueError: it is no string, or one of more than 1,000 characters.
        """
        if not isinstance(value, str):
            raise InputError(f"a program runs on a string, but {value!r} was given.")
        if len(value) > MOST_CHARACTERS:
            raise InputError(f"the input has {len(value):,} characters; expected at most {MOST_CHARACTERS:,}.")
        return self.run(value)

    def run(self, value: str) -> str:
        """The same without checks."""
        return "".join([expression.run(value) for expression in self.expressions])


def program_from_tokens(tokens) -> Program:
    """The program that has these tokens: the inverse of `Program.tokens`.

    Args:
        tokens: strings, no separators among them.

    Returns:
        The `Program`.

    Raises:
        ValueError: they are no program; the message names the place and what was expected there.

    Example:

    >>> str(program_from_tokens(("Compose", "ToCase", "case:LOWER", "GetUpto", '"."', "ConstStr", '"a"')))
    'Concat(ToCase(LOWER)(GetUpto(".")), ConstStr("a"))'
    """
    if not isinstance(tokens, (list, tuple)):
        raise InputError(f"{tokens!r} are no tokens; expected a list or tuple of strings.")
    expressions, place = [], 0
    while place < len(tokens):
        expression, place = _expression(tokens, place)
        expressions.append(expression)
    if not expressions:
        raise InputError("there are no tokens; expected at least one operation.")
    return Program(tuple(expressions))


def _expression(tokens, place):
    if tokens[place] != "Compose":
        return _operation(tokens, place)
    outer, following = _operation(tokens, place + 1)
    inner, following = _operation(tokens, following)
    try:
        return Compose(outer, inner), following
    except InputError as error:
        raise InputError(f"token {place + 1}: {error}") from None


def _operation(tokens, place):
    name = tokens[place] if place < len(tokens) else None
    if not isinstance(name, str) or name not in BY_NAME:
        raise InputError(f"token {place + 1} is {_shown(name)}; expected an operation ({', '.join(BY_NAME)}).")
    operation, arguments = BY_NAME[name], []
    for kind in operation.signature:
        place += 1
        token = tokens[place] if place < len(tokens) else None
        value = kind.value_of_token(token) if isinstance(token, str) else None
        if value is None:
            raise InputError(f"token {place + 1} is {_shown(token)}; expected {kind.description}, for {name}.")
        arguments.append(value)
    return operation(*arguments), place + 1


def _shown(token):
    return "missing" if token is None else repr(token)
