import keras
import numpy as np
import pytest

import compgen_keras as cg
from compgen_keras.training import (
    InverseSquareRootDecay,
    LinearWarmupDecay,
    SmoothedCrossentropy,
    TokenAccuracy,
    few_shot_batch,
    find_recipe,
)
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
    assert config["learning_rate"]["config"] == {"learning_rate": 1e-3, "warmup_steps": 16_000, "batches_per_step": 1}
    assert (find_recipe("paper").batch_size, find_recipe("paper").steps) == (128, 10_000)


def test_the_recipe_of_cogs():
    """Section 5 of Kim and Linzen: the Noam schedule, whose highest rate is factor / sqrt(size * warm-up)."""
    transformer, lstm = (cg.training.recipe("cogs", variant=variant) for variant in ("transformer", "lstm"))
    for arguments in (transformer, lstm):
        optimizer = arguments["optimizer"]
        assert (optimizer.beta_1, optimizer.beta_2, optimizer.gradient_accumulation_steps) == (0.9, 0.998, 4)
        schedule = keras.optimizers.schedules.deserialize(optimizer.get_config()["learning_rate"])
        for step in (1, 2, 3_999, 16_000):
            noam = pytest.approx(2 * 512**-0.5 * min(step**-0.5, step * 4_000**-1.5))
            assert [float(schedule(batch)) for batch in (4 * step - 4, 4 * step - 1)] == [noam, noam], "four batches make a step"
    assert (transformer["optimizer"].global_clipnorm, lstm["optimizer"].global_clipnorm) == (None, 5)
    assert transformer["loss"].label_smoothing == 0.1
    assert isinstance(lstm["loss"], keras.losses.SparseCategoricalCrossentropy)
    found = find_recipe("cogs")
    assert (found.batch_size, found.batches_per_step, found.steps, found.epoch_steps, found.patience) == (128, 4, 30_000, 500, 5)
    assert cg.training.recipe("paper", variant="lstm")["optimizer"].global_clipnorm == 5


def test_four_batches_make_a_step():
    """Weights stay as they are until the fourth batch, and so does the learning rate: the schedule counts steps."""
    model = small_model("transformer", num_layers=1)
    model.compile(**cg.training.recipe("cogs"))
    inputs, targets = cg.data.TrainingBatches(bench(), model.codec, batch_size=4, lengths=(12, 52))[1]
    before = model.logits.bias.numpy() if hasattr(model.logits.bias, "numpy") else np.array(model.logits.bias)
    changes = []
    for _ in range(4):
        rate = float(np.array(model.optimizer.learning_rate))
        assert rate == pytest.approx(2 * 512**-0.5 * 4_000**-1.5)
        model.train_on_batch(inputs, targets)
        changes.append(float(np.abs(np.array(model.get_weights()[-1]) - before).max()))
    assert changes[:3] == [0, 0, 0]
    assert changes[3] > 0
    assert int(model.optimizer.iterations) == 1
    assert float(np.array(model.optimizer.learning_rate)) == pytest.approx(2 * 2 * 512**-0.5 * 4_000**-1.5)


def test_smoothed_crossentropy_by_hand():
    """Of 4 tokens the true one has 0.9 + 0.1 / 4; padding does not count."""
    loss = SmoothedCrossentropy(0.1)
    logits = np.log(np.array([[[0.1, 0.2, 0.3, 0.4], [0.25, 0.25, 0.25, 0.25], [0.7, 0.1, 0.1, 0.1]]], dtype="float32"))
    first = -(0.925 * np.log(0.4) + 0.025 * (np.log(0.1) + np.log(0.2) + np.log(0.3)))
    assert float(loss(np.array([[3, 2, 0]]), logits)) == pytest.approx((first + np.log(4)) / 2, rel=1e-5)
    assert float(loss(np.array([[0, 0, 0]]), logits)) == 0
    plain = keras.losses.SparseCategoricalCrossentropy(from_logits=True, ignore_class=0)
    targets = np.array([[3, 0, 1]])
    assert float(SmoothedCrossentropy(0.0)(targets, logits)) == pytest.approx(float(plain(targets, logits)), rel=1e-6)
    assert SmoothedCrossentropy.from_config(loss.get_config()).label_smoothing == 0.1


def test_validation_batches_are_the_same_each_time():
    codec = cg.data.Codec.for_benchmark(bench(), separators=False)
    batches = cg.data.TrainingBatches(bench(), codec, batch_size=4, split="valid", window=3, batches=3)
    assert batches.num_batches == 3
    rows = [tuple(row) for number in range(3) for row in batches[number][1]]
    assert len(rows) == 12
    assert [tuple(row) for number in range(3) for row in batches[number][1]] == rows


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
        (lambda: cg.training.recipe("huge"), "unknown size 'huge'; expected one of paper, classroom, cogs"),
        (lambda: cg.training.recipe("paper", steps=0), "steps is 0; expected an integer from 1"),
        (lambda: SmoothedCrossentropy(1), "label_smoothing is 1; expected a number from 0 to below 1"),
        (lambda: find_recipe("paper", variant="gru"), "unknown model 'gru'"),
        (lambda: find_recipe("paper", batch_size=1.5), "batch_size is 1.5; expected an integer from 1"),
    ],
)
def test_bad_arguments_are_named(call, complaint):
    with pytest.raises(ValueError, match=complaint):
        call()
