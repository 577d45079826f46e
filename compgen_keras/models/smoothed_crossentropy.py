"""Cross-entropy with smoothed labels. Here, not with the recipes, since a saved model holds its loss."""

import keras
from keras import ops

from compgen_keras.data import PAD_ID
from compgen_keras.device import mean_over_replicas
from compgen_keras.errors import InputError


@keras.saving.register_keras_serializable(package="compgen_keras")
class SmoothedCrossentropy(keras.losses.Loss):
    """Mean cross-entropy over the real target tokens, against labels of which a share is spread evenly over the vocabulary.

    Keras smooths one-hot labels alone (`keras.losses.CategoricalCrossentropy`); they are made here, a batch at a time.

    Args:
        label_smoothing: the share that is spread, from 0 to below 1.
        name: the loss's name.
        **kwargs: passed on to `keras.losses.Loss`.

    Call arguments:
        y_true: integers (batch, length); padding does not count.
        y_pred: logits (batch, length, vocabulary).

    Raises:
        ValueError: a share that is not from 0 to below 1.

    Reference: section 5 of Kim and Linzen (2020), where the share is 0.1.

    Example:

    >>> import numpy as np
    >>> logits = np.zeros((1, 2, 4), dtype="float32")
    >>> bool(np.isclose(SmoothedCrossentropy(0.1)(np.array([[3, 0]]), logits), np.log(4)))
    True
    """

    def __init__(self, label_smoothing, name="smoothed_crossentropy", **kwargs):
        super().__init__(name=name, **kwargs)
        if not isinstance(label_smoothing, (int, float)) or not 0 <= label_smoothing < 1:
            raise InputError(f"label_smoothing is {label_smoothing!r}; expected a number from 0 to below 1.")
        self.label_smoothing = label_smoothing

    def call(self, y_true, y_pred):
        one_hot = ops.one_hot(ops.cast(y_true, "int32"), y_pred.shape[-1], dtype=y_pred.dtype)
        losses = keras.losses.categorical_crossentropy(one_hot, y_pred, from_logits=True, label_smoothing=self.label_smoothing)
        is_real = ops.cast(y_true != PAD_ID, losses.dtype)
        # Keras takes the mean over all places, of which the real ones are to count.
        return losses * is_real / ops.maximum(mean_over_replicas(ops.mean(is_real)), keras.config.epsilon())

    def get_config(self):
        return {**super().get_config(), "label_smoothing": self.label_smoothing}
