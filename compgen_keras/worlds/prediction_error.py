"""How wrong predictions are: one step ahead, and many steps ahead by horizon."""

import numpy as np

from compgen_keras.worlds.rollout import one_step, rollout
from compgen_keras.worlds.scaling import Scaling
from compgen_keras.worlds.trajectories import Trajectories


def prediction_errors(dynamics, trajectories: Trajectories, scaling: Scaling) -> dict:
    """One-step and rollout errors, root mean squares in units of the training states' standard deviation.

    Args:
        dynamics: a model, or the true dynamics.
        trajectories: true ones; their actions are replayed.
        scaling: of the training data.

    Returns:
        A dict of `"one_step"`, the error from true states; `"by_step"`, `"position_by_step"` and `"velocity_by_step"`, the rollout's error
        at each step from the first on; `"rollout"`, the mean of `"by_step"`; and `"growth"`, the exponent of each of the three.

    Reference: *One-step error* and *Fixed-action autoregressive rollout error* of the section *Measuring Systematic Generalization*.
    """
    deviation = np.array(scaling.deviation)
    inputs, after = trajectories.transitions()
    single = (one_step(dynamics, inputs) - after) / deviation
    predicted = rollout(dynamics, trajectories.states[:, 0], trajectories.actions, trajectories.factors)
    many = ((predicted - trajectories.states) / deviation)[:, 1:]
    curves = {"by_step": many, "position_by_step": many[..., :2], "velocity_by_step": many[..., 2:]}
    by_step = {name: _root_mean_square(errors, axis=(0, 2)) for name, errors in curves.items()}
    return {
        "one_step": float(_root_mean_square(single, axis=None)),
        "rollout": float(by_step["by_step"].mean()),
        **{name: errors.tolist() for name, errors in by_step.items()},
        "growth": {name: growth_exponent(errors) for name, errors in by_step.items()},
    }


def growth_exponent(by_step) -> float | None:
    """The exponent b of the power law a × step^b that fits best, by least squares of logarithms.

    Args:
        by_step: errors at steps 1, 2, …

    Returns:
        The exponent; None where an error is zero or there are fewer than two.

    Example:

    >>> round(growth_exponent([0.1, 0.2, 0.3]), 3), round(growth_exponent([0.1, 0.4, 0.9]), 3)
    (1.0, 2.0)
    """
    errors = np.asarray(by_step, dtype="float64")
    if len(errors) < 2 or (errors <= 0).any():
        return None
    return float(np.polyfit(np.log(np.arange(1, len(errors) + 1)), np.log(errors), 1)[0])


def growth_verdict(exponent: float | None) -> str:
    """The exponent in words: from 0.85 to 1.15 counts as linear.

    Args:
        exponent: that of `growth_exponent`.

    Example:

    >>> growth_verdict(1.04), growth_verdict(1.8)
    ('about linearly', 'faster than linearly')
    """
    if exponent is None:
        return "not measurable"
    if exponent < 0.85:
        return "more slowly than linearly"
    return "about linearly" if exponent <= 1.15 else "faster than linearly"


def _root_mean_square(errors, axis):
    return np.sqrt(np.mean(errors.astype("float64") ** 2, axis=axis))
