"""What each token of a partial program may attend to: the strategies of section 4.2 of Shi et al., open to new ones."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from keras import ops

from compgen_keras.errors import InputError


@dataclass(frozen=True)
class Tokens:
    """What a strategy knows of the tokens of a batch of decoder inputs.

    As queries, each attribute has the shape (batch, queries, 1), as keys (batch, 1, keys), so that operations on one of each
    give (batch, queries, keys).

    Attributes:
        position: the token's place in the sequence, from 0.
        is_separator: whether it is a separator (or the start token).
        part: how many separators stand at or before it, so that a separator and the tokens of the part that it opens share a number.
        ends_part: whether a separator follows directly; an empty part ends with the separator that opens it.
    """

    position: Any
    is_separator: Any
    part: Any
    ends_part: Any


_STRATEGIES: dict[str, Callable[[Tokens, Tokens], Any]] = {}


def register_mask_strategy(name: str):
    """A decorator that makes a function a mask strategy, by name.

    The function takes the queries and the keys as `Tokens` and returns booleans that broadcast to (batch, queries, keys), True
    where the query may attend to the key. It need not mind keys after the query, padding, or a token's own place: those are
    masked, masked and open in any case.

    Args:
        name: what to call the strategy.

    Raises:
        ValueError: another function has that name already.

    Example:

    >>> @register_mask_strategy("part_and_separators")
    ... def part_and_separators(query, key):
    ...     return (key.part == query.part) | key.is_separator
    """

    def decorate(function):
        taken = _STRATEGIES.get(name)
        if taken is not None and (taken.__module__, taken.__qualname__) != (function.__module__, function.__qualname__):
            raise InputError(f"the mask strategy {name!r} exists already; register the function under another name.")
        _STRATEGIES[name] = function
        return function

    return decorate


def mask_strategy(name: str) -> Callable[[Tokens, Tokens], Any]:
    """The strategy of that name.

    Raises:
        ValueError: none has it.
    """
    if not isinstance(name, str) or name not in _STRATEGIES:
        raise InputError(f"unknown mask strategy {name!r}; expected one of {', '.join(_STRATEGIES)}, or register your own.")
    return _STRATEGIES[name]


def mask_strategy_names() -> tuple[str, ...]:
    """The names of all strategies."""
    return tuple(_STRATEGIES)


def _own_part(query, key):
    return key.part == query.part


@register_mask_strategy("causal")
def causal(query, key):
    """Every token attends to all tokens before it."""
    return query.position >= key.position


@register_mask_strategy("sep_full_attention")
def sep_full_attention(query, key):
    """A separator attends to everything before it, any other token to its own part from the separator on."""
    return query.is_separator | _own_part(query, key)


@register_mask_strategy("sep_to_sep_and_last")
def sep_to_sep_and_last(query, key):
    """A separator attends to all separators and to the last token of each part, any other token to its own part."""
    return ops.where(query.is_separator, key.is_separator | key.ends_part, _own_part(query, key))


@register_mask_strategy("sep_to_last")
def sep_to_last(query, key):
    """A separator attends to the last token of each part, any other token to its own part."""
    return ops.where(query.is_separator, key.ends_part, _own_part(query, key))
