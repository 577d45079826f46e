"""The decompositional attention mask, computed from the places of the separators."""

import keras
from keras import ops

from compgen_keras.errors import InputError, require_integer
from compgen_keras.layers.mask_strategy import Tokens, mask_strategy


@keras.saving.register_keras_serializable(package="compgen_keras")
class DecompositionMask(keras.layers.Layer):
    """Turns decoder inputs into the mask of their self-attention.

    A token that is no separator attends to its own part, from the separator that opens it up to itself. What a separator
    attends to is the strategy's choice (Figure 1 of Shi et al.). Whatever the strategy: no token attends to a later one, each
    attends to itself, padding is never attended, and a padded query attends to itself alone.

    Args:
        strategy: `"causal"`, `"sep_full_attention"`, `"sep_to_sep_and_last"`, `"sep_to_last"`, or a name given to
            `register_mask_strategy`.
        sep_id: id of the separator token.
        pad_id: id of the padding token.
        bos_id: id of the start token if it is another than the separator; it then counts as a separator too.
        **kwargs: passed on to `keras.layers.Layer`.

    Call arguments:
        token_ids: integers (batch, length), the decoder's input.

    Returns:
        Booleans (batch, length, length): [b, q, k] is True where query q may attend to key k.

    Raises:
        ValueError: unknown strategy, or ids that are not distinct integers from 0.

    Reference: section 4.2 and Figure 1 of Shi et al.

    Example:

    >>> from keras import ops
    >>> mask = DecompositionMask("sep_to_last", sep_id=1, pad_id=0)
    >>> ops.convert_to_numpy(ops.cast(mask(ops.array([[1, 5, 6, 1]])), "int32"))[0].tolist()
    [[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [0, 0, 1, 1]]
    """

    def __init__(self, strategy, sep_id, pad_id, bos_id=None, **kwargs):
        super().__init__(**kwargs)
        self._strategy = mask_strategy(strategy)
        ids = {"sep_id": sep_id, "pad_id": pad_id}
        if bos_id is not None and bos_id != sep_id:
            ids["bos_id"] = bos_id
        for name, token_id in ids.items():
            require_integer(name, token_id, 0)
        if len(set(ids.values())) < len(ids):
            raise InputError(f"{', '.join(f'{name} is {value}' for name, value in ids.items())}; expected ids that differ.")
        self.strategy = strategy
        self.sep_id = sep_id
        self.pad_id = pad_id
        self.bos_id = bos_id

    def call(self, token_ids):
        tokens = self.describe(token_ids)
        return self.between(tokens, tokens)

    def describe(self, token_ids, first_position=0, parts_before=None):
        """What a strategy knows of tokens.

        Args:
            token_ids: integers (batch, length).
            first_position: place of the first of them in its program.
            parts_before: integers (batch,), how many separators stand before them; None: none.

        Returns:
            `Tokens`, each attribute (batch, length), but `position`, which is (1, length).
        """
        token_ids = ops.cast(ops.convert_to_tensor(token_ids), "int32")
        if len(token_ids.shape) != 2:
            raise InputError(f"the token ids have the shape {tuple(token_ids.shape)}; expected (batch, length).")
        position = first_position + ops.arange(ops.shape(token_ids)[1], dtype="int32")[None, :]
        is_separator = token_ids == self.sep_id
        if self.bos_id is not None:
            is_separator = is_separator | (token_ids == self.bos_id)
        part = ops.cumsum(ops.cast(is_separator, "int32"), axis=1)
        if parts_before is not None:
            part = part + ops.expand_dims(parts_before, 1)
        ends_part = ops.concatenate([is_separator[:, 1:], ops.zeros_like(is_separator[:, :1])], axis=1)
        return Tokens(position, is_separator, part, ends_part, token_ids != self.pad_id)

    def between(self, query, key):
        """The mask of some tokens' attention to some tokens.

        Args:
            query, key: `Tokens`, from `describe`.

        Returns:
            Booleans (batch, queries, keys).
        """
        query, key = query.as_queries(), key.as_keys()
        earlier = (key.position < query.position) & key.is_real & query.is_real
        return (earlier & self._strategy.may_attend(query, key)) | (key.position == query.position)

    def compute_output_spec(self, token_ids):
        batch, length = token_ids.shape
        return keras.KerasTensor((batch, length, length), dtype="bool")

    @property
    def remembers(self):
        """The strategy's function of what to remember, or None; see `register_mask_strategy`."""
        return self._strategy.remembers

    def get_config(self):
        return {
            **super().get_config(),
            "strategy": self.strategy,
            "sep_id": self.sep_id,
            "pad_id": self.pad_id,
            "bos_id": self.bos_id,
        }
