"""Dynamics and data small enough for tests."""

import functools

import numpy as np
from keras import ops

from compgen_keras import worlds

SPLIT = worlds.HoldOut.anti_diagonal(1)


class WithoutFactor:
    """The true dynamics of a world that has another value of one factor: it ignores that factor."""

    variables = ()

    def __init__(self, place):
        self.place = place

    def next_state(self, state, action, factors):
        kept = np.array([0, 1]) if self.place == 0 else np.array([1, 0])
        return worlds.TRUE_DYNAMICS.next_state(state, action, ops.convert_to_tensor(factors) * kept.astype("int32"))


class WithSteadyError:
    """The true dynamics with a steady error of the acceleration, m/s² in both directions."""

    variables = ()

    def __init__(self, acceleration):
        self.acceleration = acceleration

    def next_state(self, state, action, factors):
        extra = 0.1 * self.acceleration
        return worlds.TRUE_DYNAMICS.next_state(state, action, factors) + np.array([0.1 * extra] * 2 + [extra] * 2, dtype="float32")


@functools.cache
def training_data(count=4):
    return worlds.draw_trajectories("train", SPLIT.training, count)


@functools.cache
def trained_model(name):
    """A model that was trained for a second: better than nothing."""
    return worlds.train_model(name, training_data(8), steps=130)
