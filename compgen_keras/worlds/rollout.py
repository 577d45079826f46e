"""What dynamics predict many steps ahead."""

import numpy as np
from keras import ops

from compgen_keras.models.compiled import compiled
from compgen_keras.worlds.dynamics import ACTION_SIZE, STATE_SIZE


def rollout(dynamics, start, actions, factors) -> np.ndarray:
    """States when actions are replayed and each prediction is the next step's state.

    All trajectories go through each step together, in one compiled function.

    Args:
        dynamics: has `next_state` and `variables`: a model, or the true dynamics.
        start: states (trajectories, 4), m and m/s.
        actions: (trajectories, steps, 2).
        factors: integers (trajectories, 2).

    Returns:
        float32 (trajectories, steps + 1, 4), the start first.

    Example:

    >>> from compgen_keras.worlds.dynamics import TRUE_DYNAMICS
    >>> states = rollout(TRUE_DYNAMICS, np.array([[0, 0, 1, 0]]), np.zeros((1, 3, 2)), np.array([[0, 0]]))
    >>> [round(float(x), 3) for x in states[0, :, 0]]
    [0.0, 0.1, 0.2, 0.3]

    Reference: *Fixed-action autoregressive rollout error* of the section *Measuring Systematic Generalization*.
    """
    predict = compiled(dynamics, "rollout", lambda: _rollout_of(dynamics))
    start, actions = (np.asarray(value, dtype="float32") for value in (start, actions))
    later = predict(start, actions, np.asarray(factors, dtype="int32"))
    return np.concatenate([start[:, None], ops.convert_to_numpy(later)], axis=1)


def one_step(dynamics, inputs: dict) -> np.ndarray:
    """Predictions of the next states from true ones.

    Args:
        dynamics: see `rollout`.
        inputs: those of `Trajectories.transitions`.

    Returns:
        float32 (steps, 4).
    """
    return rollout(dynamics, inputs["state"], inputs["action"][:, None], inputs["factors"])[:, 1]


def _rollout_of(dynamics):
    def predict(start, actions, factors):
        factors = ops.reshape(factors, (-1, 2))

        def step(state, action):
            state = dynamics.next_state(state, ops.reshape(action, (-1, ACTION_SIZE)), factors)
            return state, state

        _, states = ops.scan(step, ops.reshape(start, (-1, STATE_SIZE)), ops.transpose(actions, (1, 0, 2)))
        return ops.transpose(states, (1, 0, 2))

    return predict
