"""Teacher-forced token accuracy: a metric that a saved model holds."""

import keras
from keras import ops

from compgen_keras.data import PAD_ID


@keras.saving.register_keras_serializable(package="compgen_keras")
class TokenAccuracy(keras.metrics.Mean):
    """The share of target tokens, padding aside, to which the model gives the highest probability under teacher forcing.

    Args:
        name: the metric's name.
        **kwargs: passed on to `keras.metrics.Mean`.

    Example:

    >>> import numpy as np
    >>> metric = TokenAccuracy()
    >>> metric.update_state(np.array([[3, 4, 0]]), np.array([[[0, 0, 0, 1.0, 0], [1.0, 0, 0, 0, 0], [0, 0, 0, 0, 1.0]]]))
    >>> float(metric.result())
    0.5
    """

    def __init__(self, name="token_accuracy", **kwargs):
        super().__init__(name=name, **kwargs)

    def update_state(self, y_true, y_pred, sample_weight=None):
        # Flat, since Keras would otherwise average over the places of an example first, and count examples instead of tokens.
        wanted = ops.reshape(ops.cast(y_true, "int32"), (-1,))
        right = ops.reshape(ops.cast(ops.argmax(y_pred, axis=-1), "int32"), (-1,)) == wanted
        super().update_state(ops.cast(right, "float32"), sample_weight=ops.cast(wanted != PAD_ID, "float32"))
