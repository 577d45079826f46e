"""The text of RobustFill programs."""

import re

from compgen_keras.benchmarks.robustfill.arguments import ArgumentKind
from compgen_keras.benchmarks.robustfill.operations import BY_NAME, Compose, ConstStr, Modification, Operation
from compgen_keras.benchmarks.robustfill.program import Program
from compgen_keras.errors import InputError

_LEXEME = re.compile(r'\s*(?:(?P<word>[A-Za-z_]+|-?[0-9]+)|(?P<quoted>"(?:\\"|[^"\\])")|(?P<mark>[(),]))')


def parse(text: str) -> Program:
    """Reads a program: the inverse of `str`.

    Operations are written as in Figure 3 of Shi et al.; types, cases and boundaries are bare words, delimiters and characters are in
    double quotes (`"\\\\""` for the quote itself), and a composition is the outer operation followed by the inner one in parentheses.

    Args:
        text: the program.

    Returns:
        The `Program`.

    Raises:
        ValueError: it is none; the message names the position and what was expected there.

    Example:

    >>> program = parse('Concat(ToCase(PROPER)(GetToken(WORD, 1)), ConstStr("."), GetSpan(" ", -1, END, CHAR, -1, END))')
    >>> program("ada king lovelace")
    'Ada.lovelace'
    """
    if not isinstance(text, str):
        raise InputError(f"a program's text is a string, but {text!r} was given.")
    return _Parser(text).program()


class _Parser:
    def __init__(self, text):
        self.text = text
        self.lexemes = list(self._split())
        self.place = 0

    def _split(self):
        position = 0
        end = len(self.text.rstrip())
        while position < end:
            match = _LEXEME.match(self.text, position)
            if match is None:
                start = position + len(self.text[position:]) - len(self.text[position:].lstrip())
                raise InputError(f"position {start + 1}: {self.text[start]!r} begins nothing that can stand in a program.")
            yield match.start(match.lastgroup), match[match.lastgroup]
            position = match.end()

    def program(self):
        self._expect("Concat")
        self._expect("(")
        expressions = [self._expression()]
        while self._peek() == ",":
            self.place += 1
            expressions.append(self._expression())
        self._expect(")")
        if self.place < len(self.lexemes):
            self._complain("the end of the program")
        return Program(tuple(expressions))

    def _expression(self) -> Operation:
        start = self.place
        outer = self._operation()
        if self._peek() != "(":
            return outer
        if not isinstance(outer, Modification):
            self.place = start
            self._complain("a modification before an operation in parentheses")
        self.place += 1
        inner_start = self.place
        inner = self._operation()
        if isinstance(inner, ConstStr):
            self.place = inner_start
            self._complain("a modification or substring operation")
        self._expect(")")
        return Compose(outer, inner)

    def _operation(self) -> Operation:
        name = self._peek()
        if name not in BY_NAME:
            self._complain(f"an operation ({', '.join(BY_NAME)})")
        self.place += 1
        operation = BY_NAME[name]
        self._expect("(")
        arguments = []
        for number, kind in enumerate(operation.signature):
            if number:
                self._expect(",")
            arguments.append(self._argument(kind, name))
        self._expect(")")
        return operation(*arguments)

    def _argument(self, kind: ArgumentKind, operation: str):
        value = kind.value_of_text(self._peek())
        if value is None:
            self._complain(f"{kind.description}, for {operation}")
        self.place += 1
        return value

    def _peek(self):
        return self.lexemes[self.place][1] if self.place < len(self.lexemes) else None

    def _expect(self, lexeme):
        if self._peek() != lexeme:
            self._complain(repr(lexeme))
        self.place += 1

    def _complain(self, expected):
        if self.place < len(self.lexemes):
            position, found = self.lexemes[self.place]
            shown = "".join(character if character.isprintable() else repr(character)[1:-1] for character in found)
            raise InputError(f"position {position + 1}: {shown} was found; expected {expected}.")
        raise InputError(f"position {len(self.text) + 1}: the program ends; expected {expected}.")
