import keras
import numpy as np
import pytest

import compgen_keras as cg
from compgen_keras.training import InverseSquareRootDecay, LinearWarmupDecay, TokenAccuracy, few_shot_batch, find_recipe
from tests.models.small import bench, small_model

pytestmark = pytest.mark.backend


def test_inverse_square_root_decay_by_hand():
    schedule = InverseSquareRootDecay(1e-3, warmup_steps=16_000)
    assert float(schedule(0)) == pytest.approx(1e-3 / 16_000)
    assert float(schedule(7_999)) == pytest.approx(5e-4)
    assert float(schedule(15_999)) == pytest.approx(1e-3)
    assert float(schedule(63_999)) == pytest.approx(5e-4)
    again = InverseSquareRootDecay.from_config(schedule.get_config())
    assert float(again(999)) == float(schedule(999))


def test_the_papers_recipe():
    arguments = cg.training.recipe("paper")
    config = arguments["optimizer"].get_config()
    assert isinstance(arguments["optimizer"], keras.optimizers.AdamW)
    assert (config["beta_1"], config["beta_2"], config["epsilon"], config["weight_decay"]) == (0.9, 0.98, 1e-9, 0.1)
    assert config["clipnorm"] is config["global_clipnorm"] is config["clipvalue"] is None
    assert config["learning_rate"]["config"] == {"learning_rate": 1e-3, "warmup_steps": 16_000}
    assert (find_recipe("paper").batch_size, find_recipe("paper").steps) == (128, 10_000)


def test_the_classroom_schedule_rises_and_falls_within_the_steps():
    for steps in (5, 400):
        optimizer = cg.training.recipe("classroom", steps=steps)["optimizer"]
        schedule = keras.optimizers.schedules.deserialize(optimizer.get_config()["learning_rate"])
        rates = np.array([float(schedule(step)) for step in range(steps)])
        assert np.all(rates > 0)
        assert rates.max() == pytest.approx(6e-3, rel=0.01)
        assert rates[-1] < rates.max() / (0.8 * steps)
        peak = rates.argmax()
        assert np.all(np.diff(rates[: peak + 1]) > 0)
        assert np.all(np.diff(rates[peak:]) < 0)


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: InverseSquareRootDecay(0.0, 4), "learning_rate is 0.0; expected a number above 0"),
        (lambda: InverseSquareRootDecay(1e-3, 0), "warmup_steps is 0; expected an integer from 1"),
        (lambda: LinearWarmupDecay(1e-3, 10, 10), "steps is 10; expected an integer from 11"),
    ],
)
def test_schedules_name_bad_arguments(make, complaint):
    with pytest.raises(ValueError, match=complaint):
        make()


def test_token_accuracy_leaves_padding_out():
    metric = TokenAccuracy()
    logits = np.zeros((2, 3, 5), dtype="float32")
    logits[0, 0, 3] = logits[0, 1, 4] = logits[1, 0, 2] = 1
    metric.update_state(np.array([[3, 3, 2], [2, 0, 0]]), logits)
    assert float(metric.result()) == pytest.approx(2 / 4)


def test_token_accuracy_counts_tokens_and_not_examples():
    """One right token of one in a short batch, one of four in a long one: 2 of 5."""
    metric = TokenAccuracy()
    logits = np.eye(5)[[[3, 4, 4, 4]]]
    metric.update_state(np.array([[3]]), logits[:, :1])
    metric.update_state(np.array([[3, 3, 3, 3]]), logits)
    assert float(metric.result()) == pytest.approx(2 / 5)
    assert float(metric.count) == 5


def test_the_few_shot_batch_is_the_few_shot_split():
    model = small_model("sep_to_last")
    inputs, targets = few_shot_batch(bench(), model.codec, seed=3)
    examples = list(bench().examples("few_shot", seed=3))
    assert len(targets) == 40
    for row, words, example in zip(targets, inputs["spec"], examples, strict=True):
        assert bench().is_correct(example, model.codec.decode_program(row))
        assert " ".join(model.codec.spec_vocabulary.strings(words[words > 0])) == example.spec


def test_fine_tuning_takes_thirty_steps_on_one_batch_with_dropout_and_decay():
    keras.utils.set_random_seed(0)
    model = small_model("sep_to_last", dropout=0.1, num_layers=1)
    before = model.get_weights()
    history = cg.training.fine_tune(model, bench(), seed=0)
    assert len(history.history["loss"]) == 30
    assert history.history["loss"][-1] < history.history["loss"][0]
    assert isinstance(model.optimizer, keras.optimizers.AdamW)
    assert float(model.optimizer.learning_rate) == pytest.approx(1e-4)
    assert model.optimizer.weight_decay == 0.1
    assert int(model.optimizer.iterations) == 30
    moved = [np.abs(a - b).max() for a, b in zip(before, model.get_weights(), strict=True) if a.dtype.kind == "f"]
    assert 0 < max(moved) < 30 * 1e-4 * 1.5


def weights_after_training(seed, dropout=0.1):
    keras.utils.set_random_seed(seed)
    model = small_model("sep_to_last", dropout=dropout, num_layers=1)
    batches = cg.data.TrainingBatches(bench(), model.codec, batch_size=8, seed=seed, window=4, lengths=(12, 52))
    model.compile(**cg.training.compile_arguments(keras.optimizers.AdamW(1e-2)))
    model.fit(batches, steps_per_epoch=3, epochs=2, shuffle=False, verbose=0)
    return model.get_weights()


@pytest.mark.skipif(keras.config.backend() != "tensorflow", reason="compiles too often on JAX, and shows nothing of its own there")
def test_fit_repeats_itself_and_seeds_differ():
    first, again, other = (weights_after_training(seed) for seed in (0, 0, 1))
    for a, b in zip(first, again, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-6)
    assert any(np.abs(a - b).max() > 1e-3 for a, b in zip(first, other, strict=True))


def test_several_steps_in_one_execution():
    model = small_model("sep_to_last", num_layers=1)
    batches = cg.data.TrainingBatches(bench(), model.codec, batch_size=8, window=4, lengths=(12, 52))
    model.compile(**{**cg.training.compile_arguments(keras.optimizers.AdamW()), "steps_per_execution": 4})
    model.fit(batches, steps_per_epoch=8, shuffle=False, verbose=0)
    assert int(model.optimizer.iterations) == 8


def test_training_learns_single_parts():
    """The whole way from stream to verdict: after some steps most one-part commands are right, before none are."""
    keras.utils.set_random_seed(0)
    task = cg.benchmarks.load("scan/length_generalization_hardest")
    model = cg.models.build("sep_to_last", task, num_layers=1, num_heads=2, embedding_dim=64, feed_forward_dim=64)
    model.compile(**cg.training.recipe("classroom", steps=500))
    assert cg.evaluation.evaluate(model, task, split="valid", n=50).accuracy < 0.2
    batches = cg.data.TrainingBatches(task, model.codec, batch_size=32, lengths=(8, 32))
    model.fit(batches, steps_per_epoch=500, shuffle=False, verbose=0)
    assert cg.evaluation.evaluate(model, task, split="valid", n=200).accuracy > 0.8


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: cg.training.recipe("huge"), "unknown size 'huge'; expected one of paper, classroom"),
        (lambda: cg.training.recipe("paper", steps=0), "steps is 0; expected an integer from 1"),
        (lambda: find_recipe("paper", batch_size=1.5), "batch_size is 1.5; expected an integer from 1"),
    ],
)
def test_bad_arguments_are_named(call, complaint):
    with pytest.raises(ValueError, match=complaint):
        call()
