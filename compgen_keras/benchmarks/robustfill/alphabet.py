"""Characters, and the regular expressions that RobustFill programs search with."""

import re
from functools import lru_cache

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


@lru_cache(maxsize=1024)
def matches(regex: str, value: str) -> tuple[str, ...]:
    """All texts in `value` that a type or a delimiter matches, from left to right, not overlapping."""
    return tuple(_COMPILED[regex].findall(value))


@lru_cache(maxsize=1024)
def spans(regex: str, value: str) -> tuple[tuple[int, int], ...]:
    """Start and end of each of these matches."""
    return tuple([match.span() for match in _COMPILED[regex].finditer(value)])


def first_end(regex: str, value: str) -> int | None:
    """The end of the first match; None without a match."""
    match = _COMPILED[regex].search(value)
    return None if match is None else match.end()
