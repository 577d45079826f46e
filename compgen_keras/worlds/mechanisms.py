"""The two kinds of mechanism that a world is made of, and their values."""

from collections.abc import Callable
from dataclasses import dataclass

from keras import ops


@dataclass(frozen=True)
class Mechanism:
    """One value of a kind of mechanism.

    Attributes:
        name: what it is called in tables.
        meaning: what it does, in a few words.
        acceleration: called with (state, action), tensors (…, 4) and (…, 2), returns (…, 2) in m/s².
    """

    name: str
    meaning: str
    acceleration: Callable


_PUSH = 2.0
"""Acceleration of a full push, m/s²."""


def _direct(state, action):
    return _PUSH * action


def _turned(state, action):
    return _PUSH * ops.stack([-action[..., 1], action[..., 0]], axis=-1)


def _mirrored(state, action):
    return _PUSH * ops.stack([-action[..., 0], action[..., 1]], axis=-1)


def _saturating(state, action):
    return _PUSH * ops.tanh(3.0 * action)


def _fading(state, action):
    return _PUSH * action / (1.0 + _squared_length(state[..., 2:]))


def _still(state, action):
    return ops.zeros_like(action)


def _wind(state, action):
    return ops.zeros_like(action) + ops.convert_to_tensor([1.0, -0.5], dtype=action.dtype)


def _friction(state, action):
    velocity = state[..., 2:]
    return -2.0 * velocity / ops.sqrt(1.0 + _squared_length(velocity))


def _spring(state, action):
    position = state[..., :2]
    return -3.0 * position / ops.sqrt(1.0 + _squared_length(position))


def _vortex(state, action):
    position = state[..., :2]
    around = ops.stack([-position[..., 1], position[..., 0]], axis=-1)
    return 3.0 * around / (1.0 + _squared_length(position))


def _squared_length(vector):
    return ops.sum(ops.square(vector), axis=-1, keepdims=True)


ACTUATORS = (
    Mechanism("direct", "a push accelerates the puck its own way, by 2 m/s²", _direct),
    Mechanism("turned", "a quarter turn to the left of the push", _turned),
    Mechanism("mirrored", "left and right exchanged", _mirrored),
    Mechanism("saturating", "2 tanh(3 push): a weak push is nearly a full one", _saturating),
    Mechanism("fading", "2 push / (1 + speed²): a fast puck hardly feels a push", _fading),
)
"""What a world makes of a push: the first factor."""

FIELDS = (
    Mechanism("still", "nothing", _still),
    Mechanism("wind", "a steady (1, −0.5) m/s²", _wind),
    Mechanism("friction", "against the velocity v: −2 v / √(1 + |v|²)", _friction),
    Mechanism("spring", "towards the origin from position p: −3 p / √(1 + |p|²)", _spring),
    Mechanism("vortex", "around the origin: 3 (−p_y, p_x) / (1 + |p|²)", _vortex),
)
"""What a world adds of its own: the second factor."""

SIDE = len(ACTUATORS)
"""Values of each factor; there are `SIDE` × `SIDE` worlds."""


def world_name(cell) -> str:
    """What a world is called.

    Args:
        cell: its factors, (actuator, field).

    Example:

    >>> world_name((4, 3))
    'fading × spring'
    """
    actuator, field = cell
    return f"{ACTUATORS[actuator].name} × {FIELDS[field].name}"
