"""A training that was interrupted goes on as if it had not been."""

import json
import time
import zipfile
from pathlib import Path

import keras
import numpy as np

from compgen_keras.errors import InputError
from compgen_keras.files import write_whole

_STOPPING = ("wait", "stopped_epoch", "best", "best_epoch")


class Checkpoint(keras.callbacks.Callback):
    """Keeps all of a training's state in one file after each epoch, and takes it up again.

    Kept are the weights, the state of every random number generator in the model (dropout's, which a saved model leaves out), the optimizer
    with its step and moments, the history, and how far an early stopping has come. Data streams need no state: the next batch follows from
    the number of epochs. The file is replaced whole, so an interruption at any moment leaves the last one or the one before.

    Put it last in the list of callbacks, so that it sees what the others decided.

    Args:
        path: the file, `.npz`.
        early_stopping: the `keras.callbacks.EarlyStopping` of the same training, if there is one.

    Attributes:
        epochs: how many epochs are done.
        history: a list of values for each metric, one an epoch.
        seconds: time that was spent until the last checkpoint, in seconds.
        stopped: whether the training stopped early.

    Example:

    >>> import tempfile
    >>> def train(epochs, path, **options):
    ...     keras.utils.set_random_seed(1)
    ...     model = keras.Sequential([keras.Input((4,)), keras.layers.Dropout(0.5), keras.layers.Dense(1)])
    ...     model.compile("adam", "mse")
    ...     checkpoint = Checkpoint(path)
    ...     checkpoint.restore(model)
    ...     fitted = {"initial_epoch": checkpoint.epochs, "epochs": epochs, "callbacks": [checkpoint], "verbose": 0, **options}
    ...     model.fit(np.ones((8, 4)), np.ones((8, 1)), batch_size=4, shuffle=False, **fitted)
    ...     return checkpoint.history["loss"]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     at_once = train(4, f"{folder}/at_once.npz")
    ...     first_half = train(2, f"{folder}/in_halves.npz")
    ...     train(4, f"{folder}/in_halves.npz") == at_once
    True
    """

    def __init__(self, path, early_stopping: keras.callbacks.EarlyStopping | None = None):
        super().__init__()
        self.path = Path(path)
        self.early_stopping = early_stopping
        self.epochs = 0
        self.history = {}
        self.seconds = 0.0
        self.stopped = False
        self._kept_stopping = None
        self._counted_until = 0.0

    def restore(self, model) -> bool:
        """Puts a model and this callback where the checkpoint left them, if there is one.

        Args:
            model: a model, built and compiled as it was when the checkpoint was written.

        Returns:
            Whether there was a checkpoint. If the training had stopped early, the model has its best weights.

        Raises:
            ValueError: the file is damaged, or of another model.
        """
        if not self.path.is_file():
            return False
        try:
            with np.load(self.path) as stored:
                arrays = {name: stored[name] for name in stored.files}
            state = json.loads(str(arrays.pop("state")))
            epochs, history, seconds, stopped = state["epochs"], state["history"], state["seconds"], state["stopped"]
        except (ValueError, KeyError, EOFError, OSError, zipfile.BadZipFile) as error:
            raise InputError(f"{self.path} cannot be read as a checkpoint ({error}); remove it to train from the start.") from None
        variables = _variables(model)
        found, expected = [(n, arrays[n].shape) for n in variables if n in arrays], [(n, tuple(v.shape)) for n, v in variables.items()]
        if found != expected:
            raise InputError(f"{self.path} is a checkpoint of another model; expected one of the model that is trained. Remove it.")
        for name, variable in variables.items():
            variable.assign(arrays[name])
        self.epochs, self.history, self.seconds, self.stopped = epochs, history, seconds, stopped
        if state["early_stopping"] is not None:
            best = [arrays[f"best/{i}"] for i in range(state["best_weights"])] or None
            self._kept_stopping = {**state["early_stopping"], "best_weights": best}
            if stopped and best:
                model.set_weights(best)
        return True

    def on_train_begin(self, logs=None):
        self._counted_until = time.perf_counter()
        # An early stopping forgets where it was when a training begins.
        if self.early_stopping is not None and self._kept_stopping is not None:
            for name, value in self._kept_stopping.items():
                setattr(self.early_stopping, name, value)
            self._kept_stopping = None

    def on_epoch_end(self, epoch, logs=None):
        for name, value in (logs or {}).items():
            self.history.setdefault(name, []).append(float(value))
        self.epochs = epoch + 1
        now = time.perf_counter()
        self.seconds, self._counted_until = self.seconds + now - self._counted_until, now
        self.stopped = bool(self.model.stop_training)
        self.write()

    def write(self) -> None:
        """Writes the checkpoint."""
        arrays = {name: keras.ops.convert_to_numpy(variable) for name, variable in _variables(self.model).items()}
        stopping, best = None, []
        if self.early_stopping is not None:
            stopping = {name: getattr(self.early_stopping, name) for name in _STOPPING}
            stopping["best"] = None if stopping["best"] is None else float(stopping["best"])
            best = self.early_stopping.best_weights or []
        state = {
            "epochs": self.epochs,
            "history": self.history,
            "seconds": self.seconds,
            "stopped": self.stopped,
            "early_stopping": stopping,
            "best_weights": len(best),
        }
        arrays.update({f"best/{i}": weights for i, weights in enumerate(best)})
        arrays["state"] = np.array(json.dumps(state))
        write_whole(self.path, lambda temporary: np.savez(temporary, **arrays))


def _variables(model):
    """All that changes in training, in an order that depends on the model alone."""
    if not model.optimizer.built:
        model.optimizer.build(model.trainable_variables)
    named = (("model", model.variables), ("optimizer", model.optimizer.variables))
    return {f"{kind}/{i}": variable for kind, variables in named for i, variable in enumerate(variables)}
