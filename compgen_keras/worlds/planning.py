"""Whether a model is good enough to act on."""

from dataclasses import dataclass

import numpy as np

from compgen_keras.benchmarks.randomness import RandomBlock
from compgen_keras.worlds.dynamics import TRUE_DYNAMICS
from compgen_keras.worlds.planner import plan, random_plans, returns
from compgen_keras.worlds.rollout import rollout
from compgen_keras.worlds.support import share_in_range
from compgen_keras.worlds.trajectories import Trajectories

REACHED = 0.2
"""Within this distance of the goal at the end, in m, a plan has succeeded."""

_AWAY = 1.25
"""Distance of a goal from the start, m."""


@dataclass(frozen=True)
class Tasks:
    """Pucks at rest, and where they are to be 2 s later.

    Attributes:
        starts: states (tasks, 4), m and m/s.
        goals: positions (tasks, 2), m.
        factors: integers (tasks, 2), the worlds.
    """

    starts: np.ndarray
    goals: np.ndarray
    factors: np.ndarray


def draw_tasks(cells, count: int) -> Tasks:
    """Draws tasks: a start in [-1, 1] in both directions, a goal 1.25 m away in any direction.

    Args:
        cells: the worlds, pairs (actuator, field).
        count: tasks of each world.
    """
    cells = list(cells)
    numbers = np.stack([RandomBlock("worlds", "tasks", *cell).uniform((count, 3)) for cell in cells]).reshape(-1, 3)
    positions = 2 * numbers[:, :2] - 1
    angle = 2 * np.pi * numbers[:, 2]
    goals = positions + _AWAY * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    starts = np.concatenate([positions, np.zeros_like(positions)], axis=1)
    return Tasks(starts, goals, np.repeat(np.array(cells, dtype="int32"), count, axis=0))


def planning_success(dynamics, tasks: Tasks, training: Trajectories, candidates: int, iterations: int) -> dict:
    """Plans with a model that is held fixed, carries the plans out in the true worlds without looking again, and compares.

    Args:
        dynamics: what the planner believes; None: nothing, its pushes are random.
        tasks: the tasks.
        training: the training data, for the share of states it covers.
        candidates: see `plan`.
        iterations: see `plan`.

    Returns:
        A dict of `"success"`, the share of tasks that end within 0.2 m of the goal; `"realised"`, the mean return, minus the distance in m;
        `"predicted"`, what the planner expected, and `"optimism"`, predicted - realised (None without a model); `"in_range"`, the share of
        states on the way that are within the range of training states; `"tasks"`, their number.
    """
    if dynamics is None:
        actions, predicted = random_plans(len(tasks.starts)), None
    else:
        actions, predicted = plan(dynamics, tasks.starts, tasks.goals, tasks.factors, candidates, iterations)
    states = rollout(TRUE_DYNAMICS, tasks.starts, actions, tasks.factors)
    realised = returns(states, tasks.goals)
    return {
        "tasks": len(realised),
        "success": float(np.mean(-realised <= REACHED)),
        "realised": float(realised.mean()),
        "predicted": None if predicted is None else float(predicted.mean()),
        "optimism": None if predicted is None else float((predicted - realised).mean()),
        "in_range": share_in_range(states, training),
    }
