"""The operations of RobustFill's language (Figure 3 of Shi et al.), each a small immutable object that turns a string into a string.

Where they look odd, they are as in the published implementation, which made the data.
"""

from dataclasses import dataclass
from typing import ClassVar

from compgen_keras.benchmarks.robustfill.alphabet import first_end, matches, spans
from compgen_keras.benchmarks.robustfill.arguments import (
    BOUNDARY,
    CASE,
    CHARACTER,
    DELIMITER,
    INTEGER,
    REGEX,
    TYPE,
    ArgumentKind,
)
from compgen_keras.errors import InputError


@dataclass(frozen=True, slots=True)
class Operation:
    """What all operations share: `str`, `tokens`, and the check of their arguments.

    Attributes:
        signature: the kinds of the arguments, in order.
    """

    signature: ClassVar[tuple[ArgumentKind, ...]] = ()

    def __post_init__(self):
        for kind, value in zip(self.signature, self.arguments, strict=True):
            kind.check(type(self).__name__, value)

    @property
    def arguments(self) -> tuple:
        """The values of the arguments."""
        return tuple(getattr(self, name) for name in self.__match_args__)

    @property
    def tokens(self) -> tuple[str, ...]:
        """The operation in prefix form: its name, then a token for each argument."""
        return (type(self).__name__, *(kind.tokens[value] for kind, value in zip(self.signature, self.arguments, strict=True)))

    def __str__(self):
        written = (kind.texts[value] for kind, value in zip(self.signature, self.arguments, strict=True))
        return f"{type(self).__name__}({', '.join(written)})"

    def run(self, value: str) -> str:
        """The result on a string; never raises."""
        raise NotImplementedError


class Substring(Operation):
    """An operation that takes a piece of the string."""

    __slots__ = ()


class Modification(Operation):
    """An operation that changes the string; it may be applied to the result of another."""

    __slots__ = ()


def nth(found: tuple, index: int):
    """The item with an index that counts from 1, or from -1 at the end; None if it is out of range or 0."""
    offset = index - 1 if index > 0 else len(found) + index
    return found[offset] if 0 <= offset < len(found) else None


@dataclass(frozen=True, slots=True)
class SubStr(Substring):
    """The characters from position `first` to `last`, both included.

    Positions count from 1, negative ones from the end; 0 stands for the offset just past the end. A quirk of the published
    implementation, on which its data depends: where both are the same, the result is empty, so that there is no SubStr of one character.

    Example:

    >>> SubStr(1, 3).run("robust"), SubStr(-3, -1).run("robust"), SubStr(2, 2).run("robust")
    ('rob', 'ust', '')
    """

    first: int
    last: int
    signature = (INTEGER, INTEGER)

    def run(self, value):
        start, end = (position - 1 if position > 0 else len(value) + position for position in (self.first, self.last))
        if start >= end:
            return ""
        return value[start:] if end == len(value) else value[start : end + 1]


@dataclass(frozen=True, slots=True)
class GetSpan(Substring):
    """What lies between a match and a match.

    Each end is the start or the end of the i-th match of a type or delimiter. Without any match the result is empty. A quirk of the
    published implementation: an index past the last match gives the offset (number of matches - 1), one before the first 0.

    Example:

    >>> GetSpan(" ", 1, "END", ".", -1, "START").run("to be. or. not")
    'be. or'
    """

    first_regex: str
    first_index: int
    first_boundary: str
    last_regex: str
    last_index: int
    last_boundary: str
    signature = (REGEX, INTEGER, BOUNDARY, REGEX, INTEGER, BOUNDARY)

    def run(self, value):
        start = span_offset(self.first_regex, self.first_index, self.first_boundary, value)
        end = span_offset(self.last_regex, self.last_index, self.last_boundary, value)
        return "" if start is None or end is None else value[start:end]


def span_offset(regex: str, index: int, boundary: str, value: str) -> int | None:
    """Where one end of a `GetSpan` falls in a string; None if there is no match at all."""
    found = spans(regex, value)
    if not found:
        return None
    offset = index - 1 if index > 0 else len(found) + index
    if offset >= len(found):
        return len(found) - 1
    if offset < 0:
        return 0
    return found[offset][0 if boundary == "START" else 1]


@dataclass(frozen=True, slots=True)
class GetToken(Substring):
    """The i-th match of a type, empty if there is none.

    Example:

    >>> GetToken("WORD", -1).run("ada king lovelace")
    'lovelace'
    """

    type: str
    index: int
    signature = (TYPE, INTEGER)

    def run(self, value):
        return nth(matches(self.type, value), self.index) or ""


@dataclass(frozen=True, slots=True)
class GetUpto(Substring):
    """Everything up to and including the first match, empty without one.

    Example:

    >>> GetUpto(",").run("Lovelace, Ada")
    'Lovelace,'
    """

    regex: str
    signature = (REGEX,)

    def run(self, value):
        end = first_end(self.regex, value)
        return "" if end is None else value[:end]


@dataclass(frozen=True, slots=True)
class GetFrom(Substring):
    """Everything after the first match, empty without one.

    Example:

    >>> GetFrom(",").run("Lovelace, Ada")
    ' Ada'
    """

    regex: str
    signature = (REGEX,)

    def run(self, value):
        end = first_end(self.regex, value)
        return "" if end is None else value[end:]


_CHANGES = {"PROPER": str.capitalize, "ALL_CAPS": str.upper, "LOWER": str.lower}


@dataclass(frozen=True, slots=True)
class ToCase(Modification):
    """The string in another case; PROPER makes the first character of the whole string upper case and all others lower case.

    Example:

    >>> ToCase("PROPER").run("ada KING")
    'Ada king'
    """

    case: str
    signature = (CASE,)

    def run(self, value):
        return _CHANGES[self.case](value)


@dataclass(frozen=True, slots=True)
class Replace(Modification):
    """Every occurrence of a delimiter replaced by another.

    Example:

    >>> Replace(" ", ".").run("a b c")
    'a.b.c'
    """

    old: str
    new: str
    signature = (DELIMITER, DELIMITER)

    def run(self, value):
        return value.replace(self.old, self.new)


@dataclass(frozen=True, slots=True)
class Trim(Modification):
    """The string without white space at its ends."""

    def run(self, value):
        return value.strip()


@dataclass(frozen=True, slots=True)
class GetFirst(Modification):
    """The first i matches of a type, joined; with a negative i all but the last -i.

    Example:

    >>> GetFirst("DIGIT", 2).run("1-2-3"), GetFirst("DIGIT", -1).run("1-2-3")
    ('12', '12')
    """

    type: str
    index: int
    signature = (TYPE, INTEGER)

    def run(self, value):
        return "".join(matches(self.type, value)[: self.index])


@dataclass(frozen=True, slots=True)
class GetAll(Modification):
    """All matches of a type, joined.

    Example:

    >>> GetAll("NUMBER").run("10 and 20")
    '1020'
    """

    type: str
    signature = (TYPE,)

    def run(self, value):
        return "".join(matches(self.type, value))


@dataclass(frozen=True, slots=True)
class Substitute(Modification):
    """The i-th match of a type replaced by a character.

    A quirk of the published implementation: it is the first occurrence of the match's text that is replaced, wherever it stands.

    Example:

    >>> Substitute("WORD", 2, "x").run("ab b")
    'ax b'
    """

    type: str
    index: int
    character: str
    signature = (TYPE, INTEGER, CHARACTER)

    def run(self, value):
        found = nth(matches(self.type, value), self.index)
        return value if found is None else value.replace(found, self.character, 1)


@dataclass(frozen=True, slots=True)
class SubstituteAll(Modification):
    """All matches of a type replaced by a character.

    The matches are found once; for each in turn the first occurrence of its text in what has become of the string is replaced.

    Example:

    >>> SubstituteAll("NUMBER", "#").run("10 and 20")
    '# and #'
    """

    type: str
    character: str
    signature = (TYPE, CHARACTER)

    def run(self, value):
        for found in matches(self.type, value):
            value = value.replace(found, self.character, 1)
        return value


@dataclass(frozen=True, slots=True)
class Remove(Modification):
    """The i-th match of a type removed, as in `Substitute`.

    Example:

    >>> Remove("WORD", 1).run("ada king")
    ' king'
    """

    type: str
    index: int
    signature = (TYPE, INTEGER)

    def run(self, value):
        found = nth(matches(self.type, value), self.index)
        return value if found is None else value.replace(found, "", 1)


@dataclass(frozen=True, slots=True)
class RemoveAll(Modification):
    """All matches of a type removed, as in `SubstituteAll`.

    Example:

    >>> RemoveAll("DIGIT").run("a1b2")
    'ab'
    """

    type: str
    signature = (TYPE,)

    def run(self, value):
        for found in matches(self.type, value):
            value = value.replace(found, "", 1)
        return value


@dataclass(frozen=True, slots=True)
class ConstStr(Operation):
    """A constant character, whatever the string."""

    character: str
    signature = (CHARACTER,)

    def run(self, value):
        return self.character


@dataclass(frozen=True, slots=True)
class Compose(Operation):
    """A modification of the result of a modification or substring operation.

    Example:

    >>> str(Compose(ToCase("PROPER"), GetToken("WORD", 1)))
    'ToCase(PROPER)(GetToken(WORD, 1))'
    """

    outer: Modification
    inner: Operation

    def __post_init__(self):
        if not isinstance(self.outer, MODIFICATIONS):
            raise InputError(f"Compose was given {self.outer!s} as its outer operation; expected a modification.")
        if not isinstance(self.inner, (*MODIFICATIONS, *SUBSTRINGS)):
            raise InputError(f"Compose was given {self.inner!s} as its inner operation; expected a modification or substring operation.")

    @property
    def tokens(self):
        return ("Compose", *self.outer.tokens, *self.inner.tokens)

    def __str__(self):
        return f"{self.outer}({self.inner})"

    def run(self, value):
        return self.outer.run(self.inner.run(value))


SUBSTRINGS = (SubStr, GetSpan, GetToken, GetUpto, GetFrom)
MODIFICATIONS = (ToCase, Replace, Trim, GetFirst, GetAll, Substitute, SubstituteAll, Remove, RemoveAll)
BY_NAME = {operation.__name__: operation for operation in (*SUBSTRINGS, *MODIFICATIONS, ConstStr)}
