"""How many target tokens are trained on in a second."""

import time

import keras

from compgen_keras.errors import InputError
from compgen_keras.models.token_accuracy import TokenAccuracy


class TokenRate(keras.callbacks.Callback):
    """Adds `tokens_per_second` to each epoch's logs: real target tokens, padding not counted.

    They are counted by the model's `TokenAccuracy` metric, so that nothing is added to a step. What comes after this callback in the
    list given to `fit` sees the number, and so do the progress bar and the history; put it before `keras.callbacks.TensorBoard`. The time
    is that of the whole epoch but for a validation at its end: in the first one, compilation is in it.

    Raises:
        ValueError: after the first epoch, if the model was compiled without `TokenAccuracy`.

    Example:

    >>> import compgen_keras as cg
    >>> bench = cg.benchmarks.load("scan/length_generalization_hardest")
    >>> model = cg.models.build("transformer", bench)
    >>> model.compile(**cg.training.recipe("classroom", steps=2))
    >>> batches = cg.data.TrainingBatches(bench, model.codec, batch_size=4)
    >>> history = model.fit(batches, steps_per_epoch=2, verbose=0, callbacks=[TokenRate()])
    >>> history.history["tokens_per_second"][0] > 0
    True
    """

    def on_epoch_begin(self, epoch, logs=None):
        self._started = time.perf_counter()

        self._rate = None

    def on_test_begin(self, logs=None):
        # The validation at the end of an epoch counts its own tokens.
        self._rate = self._measured()

    def on_epoch_end(self, epoch, logs=None):
        if logs is not None:
            logs["tokens_per_second"] = self._rate or self._measured()

    def _measured(self):
        metric = _token_accuracy(self.model)
        if metric is None:
            raise InputError("TokenRate needs the metric TokenAccuracy, which the model was compiled without; see training.recipe.")
        # A variable that TensorFlow shares among devices is no number.
        return float(keras.ops.convert_to_numpy(metric.count)) / (time.perf_counter() - self._started)


def _token_accuracy(model):
    found = list(model.metrics)
    for metric in found:
        if isinstance(metric, TokenAccuracy):
            return metric
        found.extend(getattr(metric, "metrics", ()))
    return None
