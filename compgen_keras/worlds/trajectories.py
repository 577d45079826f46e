"""What has been seen of worlds: trajectories under random pushes."""

from dataclasses import dataclass

import numpy as np

from compgen_keras.benchmarks.randomness import RandomBlock
from compgen_keras.errors import InputError, require_integer
from compgen_keras.worlds.dynamics import ACTION_SIZE, STATE_SIZE, TRUE_DYNAMICS
from compgen_keras.worlds.rollout import rollout

STEPS = 20
"""Steps a trajectory: 2 s."""

_NEW_PUSH = 0.3
"""Probability that a step has another push than the step before: held pushes reach further than pushes that cancel out."""


@dataclass(frozen=True)
class Trajectories:
    """Trajectories of some worlds.

    Attributes:
        factors: integers (trajectories, 2), actuator and field of each.
        states: float32 (trajectories, steps + 1, 4), m and m/s, the first one given, the others true.
        actions: float32 (trajectories, steps, 2).
    """

    factors: np.ndarray
    states: np.ndarray
    actions: np.ndarray

    def __len__(self):
        return len(self.factors)

    def of(self, cells) -> "Trajectories":
        """Those of some worlds.

        Args:
            cells: pairs (actuator, field).

        Raises:
            ValueError: there are none of these worlds.
        """
        cells = list(cells)
        wanted = np.isin(_numbers(self.factors), _numbers(np.array(cells, dtype=int).reshape(-1, 2)))
        if not wanted.any():
            raise InputError(f"there are no trajectories of worlds {cells}; expected some: draw them with draw_trajectories.")
        return self.select(wanted)

    def select(self, rows) -> "Trajectories":
        """Those at some places, given as numpy takes them."""
        return Trajectories(self.factors[rows], self.states[rows], self.actions[rows])

    def transitions(self) -> tuple[dict, np.ndarray]:
        """Single steps: a model's inputs, and the states that follow.

        Returns:
            A dict of `"state"` (steps, 4), `"action"` (steps, 2) and `"factors"` (steps, 2), and the next states (steps, 4).
        """
        steps = self.actions.shape[1]
        inputs = {
            "state": self.states[:, :-1].reshape(-1, STATE_SIZE),
            "action": self.actions.reshape(-1, ACTION_SIZE),
            "factors": np.repeat(self.factors, steps, axis=0),
        }
        return inputs, self.states[:, 1:].reshape(-1, STATE_SIZE)


def draw_trajectories(purpose: str, cells, count: int, steps: int = STEPS) -> Trajectories:
    """Draws trajectories of some worlds: the same on any machine, whatever other worlds are drawn, up to rounding.

    Positions and velocities start uniform in [-1, 1]. A push is uniform in [-1, 1] and held for some steps, 3.3 on average.

    Args:
        purpose: names the stream, such as `"train"` or `"test"`.
        cells: pairs (actuator, field).
        count: trajectories of each world.
        steps: steps a trajectory.

    Raises:
        ValueError: count or steps is not an integer from 1.

    Example:

    >>> draw_trajectories("test", [(0, 0), (1, 2)], count=3).states.shape
    (6, 21, 4)
    """
    require_integer("count", count, 1)
    require_integer("steps", steps, 1)
    cells = [tuple(int(value) for value in cell) for cell in cells]
    starts, pushes = zip(*(_start_and_pushes(purpose, cell, count, steps) for cell in cells), strict=True)
    factors = np.repeat(np.array(cells, dtype="int32"), count, axis=0)
    start, actions = (np.concatenate(parts).astype("float32") for parts in (starts, pushes))
    states = rollout(TRUE_DYNAMICS, start, actions, factors)
    return Trajectories(factors, states, actions)


def _start_and_pushes(purpose, cell, count, steps):
    def uniform(what, shape):
        return RandomBlock("worlds", purpose, *cell, what, steps).uniform(shape)

    start = 2 * uniform("start", (count, STATE_SIZE)) - 1
    fresh = 2 * uniform("push", (count, steps, ACTION_SIZE)) - 1
    changes = uniform("change", (count, steps)) < _NEW_PUSH
    latest = np.maximum.accumulate(np.where(changes, np.arange(steps), 0), axis=1)
    return start, np.take_along_axis(fresh, latest[:, :, None], axis=1)


def _numbers(factors):
    return factors[:, 0] * 1_000 + factors[:, 1]
