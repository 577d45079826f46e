"""What each token of a partial program may attend to: the strategies of section 4.2 of Shi et al., open to new ones."""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
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
        is_real: whether it is no padding.
    """

    position: Any
    is_separator: Any
    part: Any
    ends_part: Any
    is_real: Any

    def as_queries(self) -> "Tokens":
        """(batch, tokens) → (batch, tokens, 1)."""
        return self._map(lambda attribute: ops.expand_dims(attribute, 2))

    def as_keys(self) -> "Tokens":
        """(batch, tokens) → (batch, 1, tokens)."""
        return self._map(lambda attribute: ops.expand_dims(attribute, 1))

    def at(self, place) -> "Tokens":
        """The tokens at one place: (batch, tokens) → (batch, 1)."""
        return self._map(lambda attribute: ops.take(attribute, ops.reshape(place, (1,)), axis=1))

    def followed_by(self, other: "Tokens") -> "Tokens":
        """These tokens and then others: (batch, tokens + others); positions stay (1, tokens + others) if both are the same for all rows."""
        pieces = [self, other]
        if (self.position.shape[0], other.position.shape[0]) != (1, 1):
            pieces = [replace(piece, position=ops.broadcast_to(piece.position, ops.shape(piece.is_real))) for piece in pieces]
        return Tokens(*(ops.concatenate([getattr(piece, f.name) for piece in pieces], axis=1) for f in fields(self)))

    def _map(self, function):
        return Tokens(*(function(getattr(self, f.name)) for f in fields(self)))


@dataclass(frozen=True)
class MaskStrategy:
    """What a token may attend to.

    Attributes:
        may_attend: called with queries and keys, see `register_mask_strategy`.
        remembers: called with earlier keys and the number of the part being written, or None; see `register_mask_strategy`.
        needs_separators: whether it says nothing of programs without separators.
    """

    may_attend: Callable[[Tokens, Tokens], Any]
    remembers: Callable[[Tokens, Any], Any] | None = None
    needs_separators: bool = True


_STRATEGIES: dict[str, MaskStrategy] = {}


def register_mask_strategy(name: str, remembers: Callable[[Tokens, Any], Any] | None = None, needs_separators: bool = True):
    """A decorator that makes a function a mask strategy, by name.

    The function takes the queries and the keys as `Tokens` and returns booleans that broadcast to (batch, queries, keys), True
    where the query may attend to the key. It need not mind keys after the query, padding, or a token's own place: those are
    masked, masked and open in any case.

    Args:
        name: what to call the strategy.
        remembers: for fast decoding, a function of the tokens written so far (`Tokens`, attributes (batch, tokens)) and of the number
            of the part being written, (batch, 1): True for what a token of this part or of a later one may still attend to. What it
            leaves out is forgotten, for good, so that the cost of a token need not grow with the program. It gets and returns numpy
            arrays; where a row has less to show than others, `is_real` is False and `position` -1, and the answer does not matter.
            None: nothing is forgotten.
        needs_separators: False for a strategy that makes sense without separators too, such as a window of some tokens.

    Raises:
        ValueError: the name is no string, another function has it already, or `remembers` is no function.

    Example: a token sees its own part and all separators, so that nothing else need be remembered.

    >>> def own_part_and_separators(key, part):
    ...     return (key.part == part) | key.is_separator
    >>> @register_mask_strategy("part_and_separators", remembers=own_part_and_separators)
    ... def part_and_separators(query, key):
    ...     return (key.part == query.part) | key.is_separator
    """
    if not isinstance(name, str) or not name:
        raise InputError(f"a mask strategy cannot be called {name!r}; expected a string, as in @register_mask_strategy('my_strategy').")
    if remembers is not None and not callable(remembers):
        raise InputError(f"remembers is {remembers!r}; expected a function of keys and of the part being written, or None.")

    def decorate(function):
        taken = _STRATEGIES.get(name)
        if taken is not None and _origin(taken.may_attend) != _origin(function):
            raise InputError(f"the mask strategy {name!r} exists already; register the function under another name.")
        _STRATEGIES[name] = MaskStrategy(function, remembers, needs_separators)
        return function

    return decorate


def _origin(function):
    return function.__module__, function.__qualname__


def mask_strategy(name: str) -> MaskStrategy:
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


@register_mask_strategy("causal", needs_separators=False)
def causal(query, key):
    """Every token attends to all tokens before it."""
    return query.position >= key.position


@register_mask_strategy("sep_full_attention")
def sep_full_attention(query, key):
    """A separator attends to everything before it, any other token to its own part from the separator on."""
    return query.is_separator | _own_part(query, key)


def _own_part_separators_and_last(key, part):
    return (key.part == part) | key.is_separator | key.ends_part


@register_mask_strategy("sep_to_sep_and_last", remembers=_own_part_separators_and_last)
def sep_to_sep_and_last(query, key):
    """A separator attends to all separators and to the last token of each part, any other token to its own part."""
    return ops.where(query.is_separator, key.is_separator | key.ends_part, _own_part(query, key))


def _own_part_and_last(key, part):
    return (key.part == part) | key.ends_part


@register_mask_strategy("sep_to_last", remembers=_own_part_and_last)
def sep_to_last(query, key):
    """A separator attends to the last token of each part, any other token to its own part."""
    return ops.where(query.is_separator, key.ends_part, _own_part(query, key))
