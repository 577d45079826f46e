"""The cross-entropy method: plans by trying, keeping the best, and trying near them."""

import numpy as np

from compgen_keras.benchmarks.randomness import RandomBlock
from compgen_keras.worlds.dynamics import ACTION_SIZE
from compgen_keras.worlds.rollout import rollout

HOLD = 4
"""Steps that a planned push is held; that is about as long as in training, and leaves the planner few numbers to find."""

PUSHES = 5
"""Pushes of a plan: 20 steps in all."""

_ELITE_SHARE = 0.15
_FIRST_DEVIATION = 0.7


def plan(dynamics, starts, goals, factors, candidates: int = 96, iterations: int = 8) -> tuple[np.ndarray, np.ndarray]:
    """Plans pushes that bring pucks to goals, all tasks at once.

    In each iteration candidates are drawn from a normal distribution for each task and cut to [-1, 1]; the next distribution is that of
    the best 15%. The random numbers are the same for all dynamics.

    Args:
        dynamics: a model, or the true dynamics: what the planner believes.
        starts: states (tasks, 4), m and m/s.
        goals: positions (tasks, 2), m.
        factors: integers (tasks, 2), the worlds.
        candidates: plans an iteration, for each task.
        iterations: how often.

    Returns:
        The best plans found, float32 (tasks, 20, 2), and what they are predicted to return, (tasks,): see `returns`.

    Example:

    >>> from compgen_keras.worlds.dynamics import TRUE_DYNAMICS
    >>> actions, predicted = plan(TRUE_DYNAMICS, np.zeros((1, 4)), np.array([[1.0, 0.0]]), np.array([[0, 0]]))
    >>> actions.shape, bool(predicted[0] > -0.1)
    ((1, 20, 2), True)

    Reference: *Planning success with the model held fixed* of the section *Measuring Systematic Generalization*.
    """
    tasks = len(starts)
    mean = np.zeros((tasks, 1, PUSHES, ACTION_SIZE))
    deviation = np.full_like(mean, _FIRST_DEVIATION)
    best, best_return = None, np.full(tasks, -np.inf)
    elites = max(2, round(_ELITE_SHARE * candidates))
    repeated = [np.repeat(np.asarray(array), candidates, axis=0) for array in (starts, factors)]
    for iteration in range(iterations):
        noise = _normal(("worlds", "planner", iteration), (tasks, candidates, PUSHES, ACTION_SIZE))
        pushes = np.clip(mean + deviation * noise, -1, 1)
        actions = held(pushes)
        states = rollout(dynamics, repeated[0], actions.reshape(tasks * candidates, -1, ACTION_SIZE), repeated[1])
        value = returns(states.reshape(tasks, candidates, -1, states.shape[-1]), goals[:, None])
        order = np.argsort(-value, axis=1)[:, :elites]
        chosen = np.take_along_axis(pushes, order[:, :, None, None], axis=1)
        mean, deviation = chosen.mean(axis=1, keepdims=True), chosen.std(axis=1, keepdims=True)
        first = order[:, 0]
        found = value[np.arange(tasks), first]
        better = found > best_return
        best = actions[np.arange(tasks), first] if best is None else np.where(better[:, None, None], actions[np.arange(tasks), first], best)
        best_return = np.maximum(found, best_return)
    return best, best_return


def random_plans(tasks: int) -> np.ndarray:
    """Plans of random pushes, float32 (tasks, 20, 2): what a planner without any model does.

    Args:
        tasks: how many.
    """
    return held(2 * RandomBlock("worlds", "random planner").uniform((tasks, PUSHES, ACTION_SIZE)) - 1)


def returns(states: np.ndarray, goals: np.ndarray) -> np.ndarray:
    """The return of trajectories: minus the distance from the goal at the end, m.

    Args:
        states: (…, steps + 1, 4).
        goals: (…, 2).
    """
    return -np.linalg.norm(states[..., -1, :2] - goals, axis=-1)


def held(pushes: np.ndarray) -> np.ndarray:
    """Actions, float32 (…, 20, 2), of pushes (…, 5, 2) that are held for four steps each."""
    return np.repeat(pushes, HOLD, axis=-2).astype("float32")


def _normal(names, shape):
    """Standard normal numbers, by the Box–Muller transform."""
    first, second = (RandomBlock(*names, place).uniform(shape) for place in range(2))
    return np.sqrt(-2 * np.log1p(-first)) * np.cos(2 * np.pi * second)
