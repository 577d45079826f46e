"""One task for a program synthesizer: a specification and the program that satisfies it."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Example:
    """A specification together with its true program.

    Attributes:
        spec: what the model reads. A string of words for SCAN and COGS, a tuple of `(input, output)` string pairs for RobustFill.
        parts: the program's parts in order, each a tuple of token strings (section 2 of Shi et al.).
        case: what kind of example it is in a domain that tells kinds apart, such as COGS's generalization cases; else empty.

    Example:

    >>> example = Example("walk and jump left", (("WALK",), ("LTURN", "JUMP")))
    >>> example.program
    ('WALK', 'LTURN', 'JUMP')
    """

    spec: Any
    parts: tuple[tuple[str, ...], ...]
    case: str = ""

    @property
    def program(self) -> tuple[str, ...]:
        """All tokens of the program in order, without separators."""
        return tuple(token for part in self.parts for token in part)
