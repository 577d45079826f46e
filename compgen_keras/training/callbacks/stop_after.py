"""Ends training after an exact number of batches."""

import keras

from compgen_keras.errors import require_integer


class StopAfter(keras.callbacks.Callback):
    """Ends training after a number of batches, in the midst of an epoch if need be; the epoch's validation still happens.

    Args:
        batches: how many, at least 1.

    Raises:
        ValueError: `batches` is no integer from 1.

    Example:

    >>> import numpy as np
    >>> model = keras.Sequential([keras.layers.Dense(1)])
    >>> model.compile(loss="mse")
    >>> history = model.fit(np.ones((8, 1)), np.ones((8, 1)), batch_size=1, epochs=2, verbose=0, callbacks=[StopAfter(11)])
    >>> int(model.optimizer.iterations)
    11
    """

    def __init__(self, batches):
        super().__init__()
        self.batches = require_integer("batches", batches, 1)
        self._seen = 0

    def on_train_begin(self, logs=None):
        self._seen = 0

    def on_train_batch_end(self, batch, logs=None):
        self._seen += 1
        if self._seen >= self.batches:
            self.model.stop_training = True
