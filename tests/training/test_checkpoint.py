"""A training that was interrupted and taken up again is the undisturbed one, digit for digit."""

import keras
import numpy as np
import pytest

from compgen_keras import benchmarks, data, models, training
from compgen_keras.experiments.run import fit_for_steps
from compgen_keras.training.callbacks import Checkpoint

pytestmark = pytest.mark.backend


class InterruptedTrainingError(Exception):
    pass


class StopAfterEpoch(keras.callbacks.Callback):
    """Raises where a process would be killed: a while after the checkpoint, in the midst of the next epoch."""

    def __init__(self, epoch):
        super().__init__()
        self.epoch = epoch
        self.now = None

    def on_epoch_begin(self, epoch, logs=None):
        self.now = epoch

    def on_train_batch_end(self, batch, logs=None):
        if self.now == self.epoch and batch == 1:
            raise InterruptedTrainingError


def _train(path, recipe, interrupt_in=None, seed=5, dropout=0.3):
    bench = benchmarks.load("scan/iid", parts=(1, 2))
    keras.utils.set_random_seed(seed)
    model = models.build("sep_to_last", bench, num_layers=1, num_heads=2, embedding_dim=16, feed_forward_dim=16, dropout=dropout)
    model.compile(optimizer=recipe.optimizer(recipe.steps), loss="sparse_categorical_crossentropy", metrics=[])

    def batches_from(first):
        options = {"batch_size": recipe.batch_size, "seed": seed, "first_batch": first, "restarts": recipe.epoch_steps}
        return data.TrainingBatches(bench, model.codec, **options)

    stopping = (
        None if recipe.patience is None else keras.callbacks.EarlyStopping("loss", patience=recipe.patience, restore_best_weights=True)
    )
    checkpoint = Checkpoint(path, stopping)
    taken_up = checkpoint.restore(model)
    callbacks = [*([StopAfterEpoch(interrupt_in)] if interrupt_in is not None else []), *([stopping] if stopping else []), checkpoint]
    try:
        if not checkpoint.stopped:
            fit_for_steps(model, batches_from, recipe, callbacks, first_epoch=checkpoint.epochs)
    except InterruptedTrainingError:
        return None
    return model, checkpoint, taken_up


def _recipe(steps, patience=None, rate=1e-2):
    return training.Recipe(4, steps, lambda steps: keras.optimizers.AdamW(rate), epoch_steps=3, patience=patience)


@pytest.mark.parametrize(("steps", "interrupt_in"), [(9, 1), (8, 2)])
def test_goes_on_as_if_nothing_had_happened(tmp_path, steps, interrupt_in):
    recipe = _recipe(steps)
    model, whole, taken_up = _train(tmp_path / "whole.npz", recipe)
    assert not taken_up
    assert _train(tmp_path / "parts.npz", recipe, interrupt_in) is None
    resumed, parts, taken_up = _train(tmp_path / "parts.npz", recipe)
    assert taken_up
    assert int(resumed.optimizer.iterations) == int(model.optimizer.iterations) == steps
    assert parts.history["loss"] == whole.history["loss"]
    for kind in ("variables", "optimizer.variables"):
        ours, theirs = ([keras.ops.convert_to_numpy(v) for v in _attribute(m, kind)] for m in (resumed, model))
        assert len(ours) == len(theirs) > 4
        for one, other in zip(ours, theirs, strict=True):
            np.testing.assert_array_equal(one, other)


def _attribute(model, name):
    for each in name.split("."):
        model = getattr(model, each)
    return model


def test_the_state_of_dropout_matters_and_is_kept(tmp_path):
    """Without it the rest of the training would differ: the same test with the generators set back fails."""
    recipe = _recipe(6)
    model, whole, _ = _train(tmp_path / "whole.npz", recipe)
    generators = [v for v in model.variables if "seed_generator" in v.path]
    assert generators
    assert _train(tmp_path / "parts.npz", recipe, interrupt_in=1) is None
    path = tmp_path / "parts.npz"
    with np.load(path) as stored:
        arrays = {name: stored[name] for name in stored.files}
    for number, variable in enumerate(model.variables):
        if "seed_generator" in variable.path:
            arrays[f"model/{number}"] = arrays[f"model/{number}"] + 17
    np.savez(path, **arrays)
    _, parts, _ = _train(path, recipe)
    assert parts.history["loss"][0] == whole.history["loss"][0]
    assert parts.history["loss"][1] != whole.history["loss"][1]


def test_early_stopping_goes_on_counting_and_restores_the_best_weights(tmp_path):
    # A rate this high makes the loss rise again, which stops the training long before 90 steps.
    recipe = _recipe(90, patience=2, rate=0.5)
    model, whole, _ = _train(tmp_path / "whole.npz", recipe)
    epochs = len(whole.history["loss"])
    assert whole.stopped
    assert epochs < 30
    assert _train(tmp_path / "parts.npz", recipe, interrupt_in=epochs - 1) is None
    resumed, parts, _ = _train(tmp_path / "parts.npz", recipe)
    assert parts.history["loss"] == whole.history["loss"]
    after_the_end, _, _ = _train(tmp_path / "parts.npz", recipe)
    for expected, *others in zip(model.get_weights(), resumed.get_weights(), after_the_end.get_weights(), strict=True):
        for other in others:
            np.testing.assert_array_equal(expected, other)


def test_damaged_and_foreign_files_are_named(tmp_path):
    path = tmp_path / "checkpoint.npz"
    _train(path, _recipe(3))
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ValueError, match=r"checkpoint\.npz cannot be read as a checkpoint"):
        _train(path, _recipe(3))
    keras.utils.set_random_seed(0)
    other = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    other.compile("adam", "mse")
    path.write_bytes(whole)
    with pytest.raises(ValueError, match="of another model"):
        Checkpoint(path).restore(other)
