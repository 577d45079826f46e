"""Looking up rows of a trainable table, with a gradient that every optimizer treats alike."""

import keras
from keras import ops


def lookup(table, indices):
    """The rows of a table.

    On TensorFlow the gradient of a plain lookup lists each row once for every time it was looked up, and Keras's Adam squares the entries
    before it adds them up: a row met n times then moves about the square root of n times too far in a step. Here the entries are added up
    first, as on every other backend.

    Args:
        table: (rows, features) weights.
        indices: integers of any shape.

    Returns:
        (*shape of indices, features).
    """
    return ops.take(ops.multiply(table, ops.ones((), dtype=table.dtype)), indices, axis=0)


@keras.saving.register_keras_serializable(package="compgen_keras")
class TokenEmbedding(keras.layers.Embedding):
    """`keras.layers.Embedding` whose rows' gradients are added up before the optimizer sees them, see `lookup`.

    Example:

    >>> import numpy as np
    >>> tuple(TokenEmbedding(10, 4)(np.array([[1, 2, 2]])).shape)
    (1, 3, 4)
    """

    def call(self, inputs):
        return ops.cast(lookup(self.embeddings, ops.cast(inputs, "int32")), self.compute_dtype)
