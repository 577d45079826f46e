"""What a model is to write, place by place, and where what it wrote agrees."""

from dataclasses import dataclass

import numpy as np

from compgen_keras.benchmarks import SEPARATOR, Example
from compgen_keras.data import NO_END

END = "EOS"


@dataclass(frozen=True)
class Target:
    """The tokens that a model is trained to write for an example.

    Attributes:
        tokens: token strings: the parts, each with a separator behind it if the model writes separators, and the end token.
        parts: the number of the part that each token belongs to, from 1 on. A separator belongs to the part that it closes; the end token
            to none, which is a number more than the last part's.
    """

    tokens: tuple[str, ...]
    parts: tuple[int, ...]

    @classmethod
    def of(cls, example: Example, separators: bool) -> "Target":
        """An example's target.

        Args:
            example: the example.
            separators: whether the model writes separators.

        Example:

        >>> example = Example("walk and run left", (("WALK",), ("LTURN", "RUN")))
        >>> Target.of(example, separators=True)
        Target(tokens=('WALK', 'SEP', 'LTURN', 'RUN', 'SEP', 'EOS'), parts=(1, 1, 2, 2, 2, 3))
        """
        closing = (SEPARATOR,) if separators else ()
        tokens, parts = [], []
        for number, part in enumerate(example.parts, start=1):
            tokens += (*part, *closing)
            parts += [number] * (len(part) + len(closing))
        return cls((*tokens, END), (*parts, len(example.parts) + 1))

    def agreement(self, tokens) -> np.ndarray:
        """Where other tokens, place by place, are the target's.

        Args:
            tokens: token strings; more than the target has do not count.

        Returns:
            Booleans (target length,), False where there are no tokens any more.
        """
        return np.array([place < len(tokens) and tokens[place] == token for place, token in enumerate(self.tokens)])


def with_end(tokens) -> tuple[str, ...]:
    """A written program with its end token, unless it never came to an end.

    Args:
        tokens: token strings as `generate` returns them.

    Example:

    >>> with_end(("WALK", "SEP"))
    ('WALK', 'SEP', 'EOS')
    """
    tokens = tuple(tokens)
    return tokens[:-1] if tokens[-1:] == (NO_END,) else (*tokens, END)
