"""What a decoder remembers of the places of a program that lie before the ones it is writing."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from keras import ops

from compgen_keras.layers import Tokens


@dataclass(frozen=True)
class Memory:
    """Earlier tokens that later ones may still attend to.

    Attributes:
        tokens: their description, attributes (batch, remembered), see `DecompositionMask.describe`.
        key_values: for each decoder block, keys and values (batch, heads, some, head size) of the first of them. Those of the others stand
            at the beginning of the decoder's caches.
        first_position: place of the first token that is not in the memory.
        parts_before: integers (batch,), separators before that place.
        in_cache: how many of the tokens have their keys and values in the caches.
        rows_per_key: how many rows, one after another, share a row of `key_values` and of the encoding's keys and values.
    """

    tokens: Tokens
    key_values: list
    first_position: Any
    parts_before: Any
    in_cache: Any = 0
    rows_per_key: int = 1


def describe_programs(mask, programs):
    """What a strategy knows of programs that are written so far.

    Args:
        mask: the model's `DecompositionMask`.
        programs: integers (batch, length).

    Returns:
        `Tokens` of numpy arrays, each (batch, length), but `position`, which is (1, length).
    """
    return Tokens(*(np.asarray(ops.convert_to_numpy(attribute)) for attribute in vars(mask.describe(programs)).values()))


def remembered(mask, tokens, places):
    """Which of some places a later token may attend to.

    Args:
        mask: the model's `DecompositionMask`.
        tokens: from `describe_programs`, the last being the token that is read next.
        places: integers (batch, slots), -1 for nothing.

    Returns:
        Booleans (batch, slots).
    """
    keep = places >= 0
    if mask.remembers is not None:
        keep = keep & np.asarray(mask.remembers(tokens_at(tokens, places), tokens.part[:, -1:]))
    return keep


def tokens_at(tokens, places):
    """The description of the tokens at some places.

    Args:
        tokens: from `describe_programs`.
        places: integers (batch, slots), -1 for nothing.

    Returns:
        `Tokens` (batch, slots), not real where there is nothing.
    """
    at = np.maximum(places, 0)
    features = (np.take_along_axis(feature, at, axis=1) for feature in (tokens.is_separator, tokens.part, tokens.ends_part))
    return Tokens(places.astype(np.int32), *features, places >= 0)


def first_slots(keep):
    """The slots that are kept, as integers (batch, most kept in a row), and booleans of the same shape: False for a filler."""
    kept = np.argsort(~keep, axis=1, kind="stable")[:, : keep.sum(axis=1).max(initial=0)].astype(np.int32)
    return kept, np.take_along_axis(keep, kept, axis=1)


def choose_memory(mask, programs, position, places):
    """Decides what to remember before the token at `position` is read.

    Args:
        mask: the model's `DecompositionMask`.
        programs: integers (batch, length), written up to and with `position`.
        position: the place that is read next.
        places: integers (batch, slots), the place in its program of what each slot of the caches holds, -1 for nothing.

    Returns:
        Three arrays: `kept`, integers (batch, remembered), slots in the order of their places; the `Tokens` in these slots, whose
        attribute `is_real` is False where a row has less to remember than others; and `parts_before`, integers (batch,).
    """
    tokens = describe_programs(mask, programs[:, : position + 1])
    kept, is_kept = first_slots(remembered(mask, tokens, places))
    where = np.where(is_kept, np.take_along_axis(places, kept, axis=1), -1)
    return kept, tokens_at(tokens, where), parts_before_last(tokens)


def parts_before_last(tokens):
    """Integers (batch,): how many separators stand before the last token."""
    return (tokens.part[:, -1] - tokens.is_separator[:, -1]).astype(np.int32)
