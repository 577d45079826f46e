"""Token embeddings with what tells their places."""

import keras
import keras_hub
from keras import ops

from compgen_keras.layers import TokenEmbedding


class PlacedEmbedding(keras.layers.Layer):
    """Looks tokens up, adds sinusoidal positions unless attention is told distances, and applies dropout.

    Args:
        vocabulary_size: number of tokens.
        embedding_dim: size of an embedding.
        positions: whether to add positions.
        dropout: rate of dropout.
        **kwargs: passed on to `keras.layers.Layer`.

    Call arguments:
        tokens: integers (batch, length).
        start: the place of the first of them.
        training: whether dropout applies.

    Returns:
        (batch, length, embedding).
    """

    def __init__(self, vocabulary_size, embedding_dim, positions, dropout, **kwargs):
        super().__init__(**kwargs)
        initializer = keras.initializers.RandomNormal(stddev=1.0)
        self.tokens = TokenEmbedding(vocabulary_size, embedding_dim, initializer, dtype=self.dtype_policy, name="tokens")
        # In half precision neighbouring positions past 256 would coincide.
        self.positions = keras_hub.layers.SinePositionEncoding(dtype="float32", name="positions") if positions else None
        self.dropout = keras.layers.Dropout(dropout, dtype=self.dtype_policy, name="dropout")

    def build(self, input_shape):
        self.tokens.build(input_shape)
        super().build(input_shape)

    def call(self, tokens, start=0, training=None):
        hidden = self.tokens(tokens)
        if self.positions is not None:
            hidden = hidden + ops.cast(self.positions(hidden, start_index=start), hidden.dtype)
        return self.dropout(hidden, training=training)
