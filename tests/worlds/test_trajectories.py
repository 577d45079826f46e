"""What is drawn of worlds."""

import numpy as np
import pytest

from compgen_keras import worlds


def test_a_worlds_trajectories_do_not_depend_on_which_others_are_drawn():
    alone = worlds.draw_trajectories("test", [(2, 3)], count=4)
    among = worlds.draw_trajectories("test", [(0, 0), (2, 3), (4, 4)], count=4).of([(2, 3)])
    np.testing.assert_array_equal(alone.actions, among.actions)
    np.testing.assert_allclose(alone.states, among.states, atol=1e-6)
    fresh = worlds.draw_trajectories("train", [(2, 3)], count=4)
    assert not np.isin(fresh.actions, alone.actions).any()


def test_pushes_are_in_range_held_for_some_steps_and_excite_both_directions():
    actions = worlds.draw_trajectories("test", [(0, 0)], count=400).actions
    assert np.abs(actions).max() <= 1
    changes = (np.diff(actions, axis=1) != 0).any(axis=-1).mean()
    assert 0.27 < changes < 0.33
    np.testing.assert_allclose(np.cov(actions.reshape(-1, 2).T), np.eye(2) / 3, atol=0.03)


def test_transitions_are_the_single_steps():
    seen = worlds.draw_trajectories("test", [(0, 1), (3, 2)], count=2, steps=3)
    inputs, after = seen.transitions()
    assert len(after) == 12
    np.testing.assert_array_equal(inputs["state"][4], seen.states[1, 1])
    np.testing.assert_array_equal(inputs["action"][4], seen.actions[1, 1])
    np.testing.assert_array_equal(after[4], seen.states[1, 2])
    assert inputs["factors"][[0, 11]].tolist() == [[0, 1], [3, 2]]
    np.testing.assert_allclose(worlds.one_step(worlds.TRUE_DYNAMICS, inputs), after, atol=1e-6)


def test_the_scaling_is_of_training_states():
    seen = worlds.draw_trajectories("train", [(0, 1), (3, 2)], count=3)
    scaling = worlds.Scaling.of(seen)
    np.testing.assert_allclose(scaling.deviation, seen.states.reshape(-1, 4).std(axis=0), rtol=1e-5)
    change = seen.states[:, 1:] - seen.states[:, :-1]
    np.testing.assert_allclose(scaling.change, np.sqrt((change**2).reshape(-1, 4).mean(axis=0)), rtol=1e-5)
    assert worlds.Scaling.from_config(scaling.as_config()) == scaling


def test_support_counts_what_row_and_column_have_seen():
    split = worlds.HoldOut.anti_diagonal(0)
    training = worlds.draw_trajectories("train", split.training, count=4)
    scaling = worlds.Scaling.of(training)
    first, *_ = worlds.support(split, training, worlds.draw_trajectories("test", split.held_out, count=4), scaling)
    assert first["world"] == "direct × still"
    assert (first["row"]["trajectories"], first["row"]["steps"]) == (16, 320)
    assert 0 < first["column"]["in_bins"] <= first["column"]["in_range"] <= 1


def test_states_that_were_seen_are_covered_and_states_far_away_are_not():
    """World (0, 0) is held out; the same trajectories stand for the one world of its row and the one of its column."""
    seen = worlds.draw_trajectories("train", [(0, 1)], count=6)
    scaling = worlds.Scaling.of(seen)
    split = worlds.HoldOut(((0, 1), (1, 0)), ((0, 0),), side=2)
    factors = np.repeat(np.array([[0, 1], [1, 0]], dtype="int32"), 6, axis=0)
    training = worlds.Trajectories(factors, np.tile(seen.states, (2, 1, 1)), np.tile(seen.actions, (2, 1, 1)))
    for distance, share in ((0, 1), (100, 0)):
        asked = worlds.Trajectories(factors[:6] * 0, seen.states + np.float32(distance), seen.actions)
        (found,) = worlds.support(split, training, asked, scaling)
        for place in ("row", "column"):
            assert (found[place]["trajectories"], found[place]["steps"]) == (6, 120)
            assert (found[place]["in_range"], found[place]["in_bins"]) == (share, share)
            assert found[place]["excitation"] == found[place]["test_excitation"] > 0.1
    still = worlds.Trajectories(factors[:6] * 0, seen.states, seen.actions * np.array([1, 0], dtype="float32"))
    assert worlds.support(split, training, still, scaling)[0]["row"]["test_excitation"] == pytest.approx(0, abs=1e-9)
    with pytest.raises(ValueError, match=r"there are no trajectories of worlds \[\(0, 0\)\]; expected some"):
        worlds.support(split, training, training, scaling)


@pytest.mark.parametrize(("count", "steps", "complaint"), [(0, 2, "count is 0"), (1, 1.5, "steps is 1.5; expected an integer from 1")])
def test_bad_numbers_are_named(count, steps, complaint):
    with pytest.raises(ValueError, match=complaint):
        worlds.draw_trajectories("test", [(0, 0)], count=count, steps=steps)
