"""A network that is told which mechanisms are at work."""

import keras
from keras import ops

from compgen_keras.errors import InputError, require_integer
from compgen_keras.worlds.dynamics import ACTION_SIZE, STATE_SIZE


@keras.saving.register_keras_serializable(package="compgen_keras")
class ConditionedNetwork(keras.layers.Layer):
    """Two hidden layers over the state, the action and an embedding of each code.

    Args:
        values: for each code how many values it has.
        width: units of a hidden layer.
        embedding_dim: size of a code's embedding.
        **kwargs: passed on to `keras.layers.Layer`.

    Call arguments:
        motion: (batch, 6), the scaled state and the action.
        codes: integers (batch, codes).

    Returns:
        (batch, 4), a contribution to the scaled change of state.

    Raises:
        ValueError: no code, or a size that is not an integer from 1.

    Example:

    >>> layer = ConditionedNetwork(values=(5,), width=8)
    >>> tuple(layer(ops.zeros((3, 6)), ops.zeros((3, 1), dtype="int32")).shape)
    (3, 4)
    """

    def __init__(self, values, width, embedding_dim=8, **kwargs):
        super().__init__(**kwargs)
        if not values:
            raise InputError("values is empty; expected the number of values of at least one code.")
        for number in values:
            require_integer("a number of values", number, 1)
        self.values = tuple(values)
        self.width = require_integer("width", width, 1)
        self.embedding_dim = require_integer("embedding_dim", embedding_dim, 1)
        policy = self.dtype_policy
        self.embeddings = [
            keras.layers.Embedding(number, embedding_dim, dtype=policy, name=f"embedding_{place}")
            for place, number in enumerate(self.values)
        ]
        self.hidden = [keras.layers.Dense(width, activation="swish", dtype=policy, name=f"hidden_{place}") for place in range(2)]
        self.contribution = keras.layers.Dense(STATE_SIZE, dtype=policy, name="contribution")

    def build(self, motion_shape, codes_shape=None):
        if self.built:
            return
        for embedding in self.embeddings:
            embedding.build((None,))
        size = STATE_SIZE + ACTION_SIZE + self.embedding_dim * len(self.values)
        for layer in self.hidden:
            layer.build((None, size))
            size = self.width
        self.contribution.build((None, size))
        self.built = True

    def call(self, motion, codes):
        found = [embedding(codes[:, place]) for place, embedding in enumerate(self.embeddings)]
        hidden = ops.concatenate([motion, *found], axis=-1)
        for layer in self.hidden:
            hidden = layer(hidden)
        return self.contribution(hidden)

    def compute_output_shape(self, motion_shape, codes_shape=None):
        return (motion_shape[0], STATE_SIZE)

    def get_config(self):
        return {**super().get_config(), "values": list(self.values), "width": self.width, "embedding_dim": self.embedding_dim}
