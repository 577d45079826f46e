"""Learning rate schedules: the paper's and the classroom's. Here, not with the recipes, since a saved model holds its own."""

import keras
from keras import ops

from compgen_keras.errors import InputError, require_integer


@keras.saving.register_keras_serializable(package="compgen_keras")
class InverseSquareRootDecay(keras.optimizers.schedules.LearningRateSchedule):
    """Linear warm-up, then decay with the inverse square root of the step.

    At step s, counted from 0: `learning_rate * min((s + 1) / warmup_steps, sqrt(warmup_steps / (s + 1)))`.

    Args:
        learning_rate: the highest rate, reached after `warmup_steps`.
        warmup_steps: steps of linear warm-up, at least 1.
        batches_per_step: the optimizer's `gradient_accumulation_steps`. Keras gives a schedule the number of batches, not of steps.

    Raises:
        ValueError: a rate that is not above 0, or a number of steps out of range.

    Reference: appendix C of Shi et al. (1e-3 and 16,000 steps).

    Example:

    >>> schedule = InverseSquareRootDecay(learning_rate=1e-3, warmup_steps=4)
    >>> [round(float(schedule(step)), 6) for step in (0, 3, 15)]
    [0.00025, 0.001, 0.0005]
    """

    def __init__(self, learning_rate, warmup_steps, batches_per_step=1):
        self.learning_rate = _checked_rate(learning_rate)
        self.warmup_steps = require_integer("warmup_steps", warmup_steps, 1)
        self.batches_per_step = require_integer("batches_per_step", batches_per_step, 1)

    def __call__(self, step):
        step = ops.floor(ops.cast(step, "float32") / self.batches_per_step) + 1.0
        return self.learning_rate * ops.minimum(step / self.warmup_steps, ops.sqrt(self.warmup_steps / step))

    def get_config(self):
        return {"learning_rate": self.learning_rate, "warmup_steps": self.warmup_steps, "batches_per_step": self.batches_per_step}


@keras.saving.register_keras_serializable(package="compgen_keras")
class LinearWarmupDecay(keras.optimizers.schedules.LearningRateSchedule):
    """Linear warm-up, then linear decay to zero at the last step.

    Args:
        learning_rate: the highest rate, reached after `warmup_steps`.
        warmup_steps: steps of linear warm-up, at least 1.
        steps: steps in all, more than `warmup_steps`.

    Raises:
        ValueError: a rate that is not above 0, or a number of steps out of range.

    Example:

    >>> schedule = LinearWarmupDecay(learning_rate=0.5, warmup_steps=2, steps=6)
    >>> [float(schedule(step)) for step in (0, 1, 3, 6)]
    [0.25, 0.5, 0.25, 0.0]
    """

    def __init__(self, learning_rate, warmup_steps, steps):
        self.learning_rate = _checked_rate(learning_rate)
        self.warmup_steps = require_integer("warmup_steps", warmup_steps, 1)
        self.steps = require_integer("steps", steps, self.warmup_steps + 1)

    def __call__(self, step):
        step = ops.cast(step, "float32") + 1.0
        decay = (self.steps - step) / (self.steps - self.warmup_steps)
        return self.learning_rate * ops.maximum(ops.minimum(step / self.warmup_steps, decay), 0.0)

    def get_config(self):
        return {"learning_rate": self.learning_rate, "warmup_steps": self.warmup_steps, "steps": self.steps}


def _checked_rate(learning_rate):
    if isinstance(learning_rate, bool) or not isinstance(learning_rate, (int, float)) or not learning_rate > 0:
        raise InputError(f"learning_rate is {learning_rate!r}; expected a number above 0.")
    return learning_rate
