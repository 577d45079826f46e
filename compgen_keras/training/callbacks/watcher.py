"""Callbacks that look at a model every few epochs."""

from abc import abstractmethod

import keras

from compgen_keras.errors import require_integer


class Watcher(keras.callbacks.Callback):
    """Calls `look` every few epochs, and after the last one.

    Args:
        every: epochs between two looks.
        last_epoch: number of the epoch after which there is a last look, for a training that takes several calls of `fit`; None: the
            last look is at the end of `fit`.

    Raises:
        ValueError: a number that is not an integer from 1.

    Example:

    >>> class Bell(Watcher):
    ...     def look(self, epoch):
    ...         print("epoch", epoch)
    >>> bell = Bell(every=2)
    >>> for epoch in range(3):
    ...     bell.on_epoch_end(epoch)
    epoch 2
    >>> bell.on_train_end()
    epoch 3
    """

    def __init__(self, every: int = 5, last_epoch: int | None = None):
        super().__init__()
        self.every = require_integer("every", every, 1)
        self.last_epoch = None if last_epoch is None else require_integer("last_epoch", last_epoch, 1)
        self._looked = None

    @abstractmethod
    def look(self, epoch: int) -> None:
        """What there is to do.

        Args:
            epoch: the number of epochs done.
        """

    def on_epoch_end(self, epoch, logs=None):
        self._epochs = epoch + 1
        if self._epochs % self.every == 0 or self._epochs == self.last_epoch:
            self._looked = self._epochs
            self.look(self._epochs)

    def on_train_end(self, logs=None):
        if self.last_epoch is None and self._looked != self._epochs:
            self.look(self._epochs)
