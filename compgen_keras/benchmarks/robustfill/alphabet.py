"""Characters, and the regular expressions that RobustFill programs search with."""

import re

DELIMITERS = tuple("&,.?!@()[]%{}/:;$#\"' ")
CHARACTERS = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") + DELIMITERS

_PATTERNS = {
    "NUMBER": "[0-9]+",
    "WORD": "[A-Za-z]+",
    "ALPHANUM": "[A-Za-z0-9]+",
    "ALL_CAPS": "[A-Z]+",
    "PROP_CASE": "[A-Z][a-z]+",
    "LOWER": "[a-z]+",
    "DIGIT": "[0-9]",
    "CHAR": f"[{re.escape(''.join(CHARACTERS))}]",
}
TYPES = tuple(_PATTERNS)

_COMPILED = {name: re.compile(pattern) for name, pattern in _PATTERNS.items()}
_COMPILED.update({delimiter: re.compile(re.escape(delimiter)) for delimiter in DELIMITERS})


def matches(regex: str, value: str) -> list[str]:
    """All texts in `value` that a type or a delimiter matches, from left to right, not overlapping."""
    return _COMPILED[regex].findall(value)


def spans(regex: str, value: str) -> list[tuple[int, int]]:
    """Start and end of each of these matches."""
    return [match.span() for match in _COMPILED[regex].finditer(value)]


def first_end(regex: str, value: str) -> int | None:
    """The end of the first match; None without a match."""
    match = _COMPILED[regex].search(value)
    return None if match is None else match.end()
