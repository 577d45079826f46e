"""How a puck moves: the true dynamics, and what every model of them has in common with them."""

from keras import ops

from compgen_keras.worlds.mechanisms import ACTUATORS, FIELDS

TIME_STEP = 0.1
"""Seconds a step."""

STATE_SIZE = 4
"""Position x, y in m and velocity x, y in m/s."""

ACTION_SIZE = 2
"""A push, each coordinate from -1 to 1."""


class TrueDynamics:
    """The worlds themselves. A world's acceleration is its actuator's plus its field's, so that mechanisms compose exactly.

    One step of 0.1 s: the velocity changes by the acceleration, then the position by the new velocity.

    Example:

    >>> step = TRUE_DYNAMICS.next_state([[0.0, 0.0, 1.0, 0.0]], [[0.5, 0.0]], [[0, 0]])
    >>> [round(float(number), 3) for number in step[0]]
    [0.11, 0.0, 1.1, 0.0]

    Reference: the worked example of the section *Measuring Systematic Generalization*.
    """

    variables = ()

    def next_state(self, state, action, factors):
        """The state one step later.

        Args:
            state: (batch, 4), m and m/s.
            action: (batch, 2), from -1 to 1.
            factors: integers (batch, 2), the world's actuator and field.

        Returns:
            (batch, 4).
        """
        state, action = (ops.convert_to_tensor(value, dtype="float32") for value in (state, action))
        factors = ops.convert_to_tensor(factors, dtype="int32")
        acceleration = _chosen(ACTUATORS, state, action, factors[:, 0]) + _chosen(FIELDS, state, action, factors[:, 1])
        velocity = state[:, 2:] + TIME_STEP * acceleration
        return ops.concatenate([state[:, :2] + TIME_STEP * velocity, velocity], axis=-1)


TRUE_DYNAMICS = TrueDynamics()
"""The one that everything uses, so that its functions are compiled once."""


def _chosen(mechanisms, state, action, numbers):
    """Each row's acceleration by its own mechanism."""
    every = ops.stack([mechanism.acceleration(state, action) for mechanism in mechanisms], axis=1)
    chosen = ops.one_hot(numbers, len(mechanisms), dtype=every.dtype)
    return ops.sum(every * chosen[:, :, None], axis=1)
