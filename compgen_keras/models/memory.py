"""What a decoder remembers of the places of a program that lie before the ones it is writing."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from compgen_keras.layers import Tokens


@dataclass(frozen=True)
class Memory:
    """Earlier tokens that later ones may still attend to.

    Attributes:
        tokens: their description, attributes (batch, remembered), see `DecompositionMask.describe`.
        key_values: for each decoder block, their keys and values (batch, heads, remembered, head size).
        first_position: place of the first token that is not in the memory.
        parts_before: integers (batch,), separators before that place.
    """

    tokens: Tokens
    key_values: list
    first_position: Any
    parts_before: Any


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
    ids = programs[:, : position + 1]
    is_separator = (ids == mask.sep_id) | (ids == (mask.sep_id if mask.bos_id is None else mask.bos_id))
    part = np.cumsum(is_separator, axis=1, dtype=np.int32)
    ends_part = np.concatenate([is_separator[:, 1:], np.zeros_like(is_separator[:, :1])], axis=1)

    def described(where):
        at = np.maximum(where, 0)
        return Tokens(
            where.astype(np.int32), *(np.take_along_axis(feature, at, axis=1) for feature in (is_separator, part, ends_part)), where >= 0
        )

    keep = places >= 0
    if mask.remembers is not None:
        keep = keep & np.asarray(mask.remembers(described(places), part[:, -1:]))
    kept = np.argsort(~keep, axis=1, kind="stable")[:, : keep.sum(axis=1).max(initial=0)].astype(np.int32)
    where = np.where(np.take_along_axis(keep, kept, axis=1), np.take_along_axis(places, kept, axis=1), -1)
    return kept, described(where), part[:, -1] - is_separator[:, -1]
