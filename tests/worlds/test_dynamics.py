"""The worlds move as they are said to."""

import math

import numpy as np
import pytest
from keras import ops

from compgen_keras import worlds
from compgen_keras.worlds.mechanisms import SIDE

pytestmark = pytest.mark.backend

CELLS = [(actuator, field) for actuator in range(SIDE) for field in range(SIDE)]


def obvious_acceleration(actuator, field, x, y, u, v, a, b):
    """Plain arithmetic, written from the descriptions: position (x, y), velocity (u, v), push (a, b)."""
    pushed = {
        "direct": (2 * a, 2 * b),
        "turned": (-2 * b, 2 * a),
        "mirrored": (-2 * a, 2 * b),
        "saturating": (2 * math.tanh(3 * a), 2 * math.tanh(3 * b)),
        "fading": (2 * a / (1 + u * u + v * v), 2 * b / (1 + u * u + v * v)),
    }[worlds.ACTUATORS[actuator].name]
    added = {
        "still": (0, 0),
        "wind": (1, -0.5),
        "friction": tuple(-2 * w / math.hypot(1, u, v) for w in (u, v)),
        "spring": tuple(-3 * p / math.hypot(1, x, y) for p in (x, y)),
        "vortex": (-3 * y / (1 + x * x + y * y), 3 * x / (1 + x * x + y * y)),
    }[worlds.FIELDS[field].name]
    return pushed[0] + added[0], pushed[1] + added[1]


def test_one_step_worked_by_hand():
    """Turned: the push (1, 0) accelerates by (0, 2). Vortex at (1, 0): 3 (0, 1) / 2. So the velocity gains (0, 0.35)."""
    step = ops.convert_to_numpy(worlds.TRUE_DYNAMICS.next_state([[1.0, 0.0, 0.5, 0.0]], [[1.0, 0.0]], [[1, 4]]))
    np.testing.assert_allclose(step, [[1.05, 0.035, 0.5, 0.35]], atol=1e-6)


def test_every_world_is_what_plain_arithmetic_makes_of_it():
    generator = np.random.default_rng(0)
    for cell in CELLS:
        state, action = generator.uniform(-2, 2, 4), generator.uniform(-1, 1, 2)
        acceleration = obvious_acceleration(*cell, *state, *action)
        velocity = state[2:] + 0.1 * np.array(acceleration)
        expected = np.concatenate([state[:2] + 0.1 * velocity, velocity])
        found = ops.convert_to_numpy(worlds.TRUE_DYNAMICS.next_state([state], [action], [cell]))[0]
        np.testing.assert_allclose(found, expected, atol=1e-5, err_msg=worlds.world_name(cell))


def test_mechanisms_compose_exactly():
    """What another field changes is the same under every actuator."""
    generator = np.random.default_rng(1)
    state, action = generator.uniform(-2, 2, (1, 4)), generator.uniform(-1, 1, (1, 2))
    after = {cell: ops.convert_to_numpy(worlds.TRUE_DYNAMICS.next_state(state, action, [cell])) for cell in CELLS}
    for field in range(1, SIDE):
        changes = [after[actuator, field] - after[actuator, 0] for actuator in range(SIDE)]
        np.testing.assert_allclose(changes, np.repeat(changes[:1], SIDE, axis=0), atol=1e-6)


def test_accelerations_are_bounded():
    far = np.random.default_rng(2).uniform(-1_000, 1_000, (500, 4)).astype("float32")
    pushes = np.ones((500, 2), dtype="float32")
    for mechanism in (*worlds.ACTUATORS, *worlds.FIELDS):
        strength = np.linalg.norm(
            ops.convert_to_numpy(mechanism.acceleration(ops.convert_to_tensor(far), ops.convert_to_tensor(pushes))), axis=1
        )
        assert strength.max() <= 3.0001, mechanism.name


def test_rollouts_are_steps_one_after_the_other():
    seen = worlds.draw_trajectories("test", CELLS, count=2, steps=5)
    state = seen.states[:, 0]
    for step in range(5):
        state = ops.convert_to_numpy(worlds.TRUE_DYNAMICS.next_state(state, seen.actions[:, step], seen.factors))
        np.testing.assert_allclose(seen.states[:, step + 1], state, atol=1e-5)
