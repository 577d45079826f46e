"""What each model can and cannot know."""

import keras
import numpy as np
import pytest
from keras import ops

from compgen_keras import worlds
from compgen_keras.worlds.conditioned_network import ConditionedNetwork
from compgen_keras.worlds.mean_embedding import with_mean_embedding
from tests.worlds.small import SPLIT, trained_model, training_data

pytestmark = pytest.mark.backend


def predictions(model, cells, count=6):
    """(cells, count, 4): changes of state for the same states and pushes in several worlds."""
    generator = np.random.default_rng(0)
    state, action = generator.uniform(-1, 1, (count, 4)).astype("float32"), generator.uniform(-1, 1, (count, 2)).astype("float32")
    changes = [model({"state": state, "action": action, "factors": np.tile(cell, (count, 1))}) for cell in cells]
    return np.stack([ops.convert_to_numpy(change) for change in changes])


def test_models_have_nearly_as_many_parameters():
    sizes = [model().count_params() for model in worlds.MODELS.values()]
    assert max(sizes) <= 1.02 * min(sizes)
    # By hand: an embedding of 5 × 8, and (14 + 1) × 64 + 65 × 64 + 65 × 4 for each of the two networks.
    assert worlds.FactoredModel().count_params() == 2 * (40 + 15 * 64 + 65 * 64 + 65 * 4)


def test_an_exchange_changes_the_factored_model_alike_in_every_context():
    same = predictions(trained_model("factored"), [(0, 2), (0, 4), (3, 2), (3, 4)])
    np.testing.assert_allclose(same[1] - same[0], same[3] - same[2], atol=1e-5)
    for name in ("joined_factors", "world_id"):
        other = predictions(trained_model(name), [(0, 2), (0, 4), (3, 2), (3, 4)])
        assert np.abs((other[1] - other[0]) - (other[3] - other[2])).max() > 1e-3


def test_ids_that_were_never_trained_keep_their_initial_embeddings():
    model = trained_model("world_id")
    keras.utils.set_random_seed(0)
    initial = ops.convert_to_numpy(worlds.WorldIdModel(model.scaling).world_embeddings)
    trained = ops.convert_to_numpy(model.world_embeddings)
    numbers = {kind: [5 * row + column for row, column in cells] for kind, cells in vars(SPLIT).items() if kind != "side"}
    np.testing.assert_array_equal(trained[numbers["held_out"]], initial[numbers["held_out"]])
    assert (np.abs(trained - initial)[numbers["training"]].max(axis=1) > 0.01).all()


def test_the_mean_embedding_is_given_to_held_out_worlds_alone():
    model = trained_model("world_id")
    copy = with_mean_embedding(model, SPLIT)
    held_out, training = (predictions(copy, cells) for cells in (SPLIT.held_out, SPLIT.training))
    np.testing.assert_allclose(held_out, np.repeat(held_out[:1], len(held_out), axis=0), atol=1e-6)
    np.testing.assert_allclose(training, predictions(model, SPLIT.training), atol=1e-6)
    rows = ops.convert_to_numpy(model.world_embeddings)
    mean = np.mean([rows[5 * row + column] for row, column in SPLIT.training], axis=0)
    np.testing.assert_allclose(ops.convert_to_numpy(copy.world_embeddings)[1], mean, atol=1e-6)


@pytest.mark.parametrize("name", worlds.MODELS)
def test_rollouts_feed_predictions_back(name):
    model, seen = trained_model(name), training_data().select(slice(0, 60, 7))
    found = worlds.rollout(model, seen.states[:, 0], seen.actions, seen.factors)
    state = seen.states[:, 0]
    for step in range(seen.actions.shape[1]):
        change = model({"state": state, "action": seen.actions[:, step], "factors": seen.factors})
        state = state + ops.convert_to_numpy(change) * np.array(model.scaling.change, dtype="float32")
        np.testing.assert_allclose(found[:, step + 1], state, atol=1e-4)


@pytest.mark.parametrize("name", worlds.MODELS)
def test_a_second_of_training_halves_the_error_of_standing_still(name):
    model = trained_model(name)
    inputs, after = worlds.draw_trajectories("test", SPLIT.training, count=2).transitions()
    wrong, still = worlds.one_step(model, inputs) - after, inputs["state"] - after
    assert np.sqrt(np.mean(wrong**2)) < 0.5 * np.sqrt(np.mean(still**2))


@pytest.mark.parametrize("name", worlds.MODELS)
def test_saved_and_loaded(name, tmp_path):
    model = trained_model(name)
    model.save(tmp_path / "model.keras")
    loaded = keras.saving.load_model(tmp_path / "model.keras")
    assert type(loaded) is worlds.MODELS[name]
    assert loaded.scaling == model.scaling
    np.testing.assert_allclose(predictions(loaded, [(1, 0), (2, 2)]), predictions(model, [(1, 0), (2, 2)]), atol=1e-6)


def test_the_layer_is_made_again_from_its_config():
    layer = ConditionedNetwork(values=(5, 3), width=8, embedding_dim=2)
    again = ConditionedNetwork.from_config(layer.get_config())
    assert (again.values, again.width, again.embedding_dim) == ((5, 3), 8, 2)
    assert tuple(again(ops.zeros((7, 6)), ops.zeros((7, 2), dtype="int32")).shape) == (7, 4)


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (
            lambda: worlds.train_model("oracle", training_data()),
            r"models are \['oracle'\]; expected one or more of factored, joined_factors",
        ),
        (lambda: worlds.train_model("factored", training_data(), steps=0), "steps is 0; expected an integer from 1"),
        (lambda: worlds.train_model("factored", training_data(), seed=-1), "seed is -1; expected an integer from 0"),
        (lambda: worlds.FactoredModel(width=0), "width is 0"),
        (lambda: ConditionedNetwork((), 4), "values is empty"),
    ],
)
def test_bad_arguments_are_named(make, complaint):
    with pytest.raises(ValueError, match=complaint):
        make()
