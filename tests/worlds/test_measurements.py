"""Errors, planning, adaptation and swaps mean what they say, on dynamics whose faults are known."""

import numpy as np
import pytest

from compgen_keras import worlds
from compgen_keras.worlds.adaptation import adapt, spread_over_worlds
from compgen_keras.worlds.planning import draw_tasks, planning_success
from compgen_keras.worlds.swap_test import swaps
from tests.worlds.small import SPLIT, WithoutFactor, WithSteadyError, trained_model, training_data

SCALING = worlds.Scaling.of(training_data())


def test_the_true_dynamics_have_no_error():
    errors = worlds.prediction_errors(worlds.TRUE_DYNAMICS, training_data(), SCALING)
    assert errors["one_step"] < 1e-6
    assert errors["rollout"] < 1e-6


def test_a_steady_error_grows_linearly_in_the_velocity_and_faster_in_the_position():
    """In the world without a field, 0.2 m/s² for n steps are 0.02 n m/s and 0.002 (1 + … + n) m."""
    seen = worlds.draw_trajectories("test", [(0, 0)], count=3)
    unit = worlds.Scaling(deviation=(1.0, 1.0, 0.5, 0.5))
    errors = worlds.prediction_errors(WithSteadyError(0.2), seen, unit)
    steps = np.arange(1, 21)
    np.testing.assert_allclose(errors["velocity_by_step"], 0.02 * steps / 0.5, rtol=1e-3)
    np.testing.assert_allclose(errors["position_by_step"], 0.002 * steps * (steps + 1) / 2, rtol=1e-3)
    together = np.sqrt((np.array(errors["velocity_by_step"]) ** 2 + np.array(errors["position_by_step"]) ** 2) / 2)
    np.testing.assert_allclose(errors["by_step"], together, rtol=1e-3)
    assert errors["rollout"] == pytest.approx(together.mean(), rel=1e-3)
    assert errors["one_step"] == pytest.approx(together[0], rel=1e-3)
    assert worlds.growth_verdict(errors["growth"]["velocity_by_step"]) == "about linearly"
    assert 1.6 < errors["growth"]["position_by_step"] < 2
    assert worlds.growth_verdict(errors["growth"]["position_by_step"]) == "faster than linearly"
    assert worlds.growth_verdict(worlds.growth_exponent([0.0, 0.1])) == "not measurable"
    assert worlds.growth_verdict(0.5) == "more slowly than linearly"


def test_planning_is_as_good_as_what_the_planner_believes():
    tasks = draw_tasks(SPLIT.held_out, 4)
    beliefs = {"true": worlds.TRUE_DYNAMICS, "no actuator": WithoutFactor(0), "random": None}
    found = {name: planning_success(belief, tasks, training_data(), 64, 6) for name, belief in beliefs.items()}
    assert found["true"]["success"] > 0.7 > 0.3 > found["random"]["success"]
    assert found["true"]["optimism"] == pytest.approx(0, abs=1e-5)
    assert found["random"]["predicted"] is None
    # It believes in its plans as much as one who knows, and is disappointed.
    assert found["no actuator"]["predicted"] > -0.2
    assert found["no actuator"]["success"] < found["true"]["success"]
    assert found["no actuator"]["optimism"] > 0.5


def test_plans_are_pushes_in_range_and_a_goal_is_a_fixed_distance_away():
    tasks = draw_tasks([(0, 0), (2, 4)], 3)
    np.testing.assert_allclose(np.linalg.norm(tasks.goals - tasks.starts[:, :2], axis=1), 1.25)
    actions, predicted = worlds.plan(worlds.TRUE_DYNAMICS, tasks.starts, tasks.goals, tasks.factors, candidates=32, iterations=3)
    assert actions.shape == (6, 20, 2)
    assert np.abs(actions).max() <= 1
    states = worlds.rollout(worlds.TRUE_DYNAMICS, tasks.starts, actions, tasks.factors)
    np.testing.assert_allclose(predicted, -np.linalg.norm(states[:, -1, :2] - tasks.goals, axis=1), atol=1e-5)


def test_swaps_start_in_training_exchange_one_factor_and_have_matched_controls():
    every = swaps(SPLIT)
    assert len(every) == len(set(every)) == 5 * 8 + 20 * 6
    for swap in every:
        assert swap.source in SPLIT.training
        assert swap.held_out is (swap.target in SPLIT.held_out)
        differs = [one != other for one, other in zip(swap.source, swap.target, strict=True)]
        assert differs == [swap.factor == 0, swap.factor == 1]
    for swap in every:
        if swap.held_out:
            assert sum(other.exchange == swap.exchange and not other.held_out for other in every) == 3
    for first in SPLIT.training:
        for second in SPLIT.training:
            if first[0] != second[0] and first[1] != second[1]:
                reached = {(swap.source, swap.target) for swap in every}
                one, other = worlds.crosses(first, second)
                assert {(first, one), (second, one), (first, other), (second, other)} <= reached


def test_worlds_that_share_a_mechanism_have_no_crosses():
    with pytest.raises(ValueError, match=r"worlds \(0, 1\) and \(0, 2\) share a mechanism; expected two that differ in both"):
        worlds.crosses((0, 1), (0, 2))


def test_the_swap_test_finds_out_who_ignores_a_factor():
    probes = worlds.draw_trajectories("test", SPLIT.training, count=2)

    def passed(dynamics):
        found = worlds.swap_test(dynamics, SPLIT, probes, SCALING, repeats=2)
        return {(factor, kind): found[factor][kind]["passed"] for factor in ("actuator", "field") for kind in ("held_out", "control")}

    assert set(passed(worlds.TRUE_DYNAMICS).values()) == {1.0}
    assert passed(WithoutFactor(0)) == {
        ("actuator", "held_out"): 0,
        ("actuator", "control"): 0,
        ("field", "held_out"): 1,
        ("field", "control"): 1,
    }
    assert passed(WithoutFactor(1))["field", "held_out"] == 0
    ignoring = worlds.swap_test(WithoutFactor(1), SPLIT, probes, SCALING, repeats=2)["field"]["held_out"]
    # The true change is missed wholly, between any two values and in every repeat.
    assert [ignoring["from_to"][value][value] for value in range(5)] == [None] * 5
    np.testing.assert_allclose([error for row in ignoring["from_to"] for error in row if error is not None], 1, rtol=1e-4)
    np.testing.assert_allclose(ignoring["by_repeat"], 1, rtol=1e-4)
    with pytest.raises(ValueError, match="there are 20 probes for 21 repeats"):
        worlds.swap_test(worlds.TRUE_DYNAMICS, SPLIT, probes.select([0]), SCALING, repeats=21)


def test_adaptation_learns_the_new_world_and_leaves_the_model_as_it_was():
    model, cell = trained_model("world_id"), SPLIT.held_out[0]
    before = [np.array(weights) for weights in model.get_weights()]
    seen = worlds.draw_trajectories("adaptation", [cell], count=8)
    control = spread_over_worlds(worlds.draw_trajectories("adaptation", SPLIT.training, count=2))
    assert len(np.unique(control.factors[:20], axis=0)) == 20
    measured = {"new_world": worlds.draw_trajectories("test", [cell], count=8)}
    results = adapt(model, seen, control, measured, numbers=(1, 8), steps=60)
    assert [(found["trajectories"], found["source"]) for found in results] == [
        (0, "new world"),
        (1, "new world"),
        (8, "new world"),
        (1, "control"),
        (8, "control"),
    ]
    errors = [found["new_world"] for found in results]
    assert errors[2] < 0.6 * errors[0] < errors[4]
    assert set(results[0]["moved"].values()) == {0.0}
    assert min(results[2]["moved"].values()) > 0
    assert set(results[2]["moved"]) == {"world/embedding_0", "world/hidden_0", "world/hidden_1", "world/contribution"}
    for old, new in zip(before, model.get_weights(), strict=True):
        np.testing.assert_array_equal(old, new)
