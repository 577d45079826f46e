"""What callbacks write for TensorBoard, read back from its files."""

import keras
import numpy as np
import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

import compgen_keras as cg
from compgen_keras.training import callbacks
from compgen_keras.training.callbacks import token_rate
from tests.models.small import bench, small_model


def logs_of(folder):
    accumulator = EventAccumulator(str(folder), size_guidance={"tensors": 0, "images": 0})
    accumulator.Reload()
    return accumulator


def scalars(folder, tag):
    return [(event.step, float(keras.ops.convert_to_numpy(_value(event)))) for event in logs_of(folder).Tensors(tag)]


def _value(event):
    from tensorboard.util.tensor_util import make_ndarray

    return make_ndarray(event.tensor_proto)


def fit(model, watchers, epochs=3, steps=2):
    model.compile(**cg.training.recipe("classroom", steps=epochs * steps))
    batches = cg.data.TrainingBatches(bench(), model.codec, batch_size=4)
    return model.fit(batches, steps_per_epoch=steps, epochs=epochs, verbose=0, shuffle=False, callbacks=watchers)


def test_generalization_is_evaluation_on_its_own_stream_every_few_epochs_and_at_the_end(tmp_path):
    model = small_model("sep_to_last")
    watch = callbacks.Generalization(bench(), tmp_path, examples=6, every=2, shown=2)
    fit(model, [watch])
    assert [epoch for epoch, *_ in watch.history] == [2, 3]
    _, known, new = watch.history[-1]
    assert (known.split, new.split, known.seed, new.seed) == ("valid", "test", 1, 1)
    again = cg.evaluation.evaluate(model, bench(), split="test", n=6, seed=1)
    assert new.predictions == again.predictions
    for name, result in (("in_distribution", known), ("generalization", new)):
        assert scalars(tmp_path / name, "accuracy")[-1] == (3, pytest.approx(result.accuracy))
        assert [step for step, _ in scalars(tmp_path / name, "accuracy")] == [2, 3]
        for parts, accuracy in result.accuracy_by_parts.items():
            assert scalars(tmp_path / name, f"accuracy_by_parts/{parts}")[-1] == (3, pytest.approx(accuracy))
        text = _value(logs_of(tmp_path / name).Tensors("programs")[-1]).reshape(-1)[0].decode()
        assert text.count("spec ") == 2
        assert f"spec    {result.examples[0].spec}" in text


def test_generalization_without_a_folder_keeps_its_history():
    watch = callbacks.Generalization(bench(), examples=3, every=3)
    fit(small_model("transformer"), [watch])
    assert [epoch for epoch, *_ in watch.history] == [3]


def test_the_last_epoch_may_be_in_another_fit():
    """Two epochs in one `fit`, a third in the next: no look in between."""

    class Notes(callbacks.Watcher):
        def look(self, epoch):
            seen.append(epoch)

    seen = []
    model, notes = small_model("transformer"), Notes(every=5, last_epoch=3)
    fit(model, [notes], epochs=2)
    batches = cg.data.TrainingBatches(bench(), model.codec, batch_size=4)
    model.fit(batches, initial_epoch=2, epochs=3, steps_per_epoch=1, verbose=0, callbacks=[notes])
    assert seen == [3]


def test_attention_is_drawn(tmp_path):
    watch = callbacks.AttentionPictures(bench(), tmp_path, every=2)
    fit(small_model("sep_to_last"), [watch])
    written = logs_of(tmp_path / "generalization")
    for tag in ("self_attention", "cross_attention"):
        events = written.Tensors(tag)
        assert [event.step for event in events] == [2, 3]
        width, height, picture = _value(events[0])[:3]
        assert int(width) > 300 and int(height) > 200
        assert picture.startswith(b"\x89PNG")


def test_tokens_per_second_counts_real_target_tokens(monkeypatch):
    model = small_model("transformer")
    clock = iter(range(0, 100, 2))
    monkeypatch.setattr(token_rate.time, "perf_counter", lambda: next(clock))
    history = fit(model, [callbacks.TokenRate()], epochs=1).history
    batches = cg.data.TrainingBatches(bench(), model.codec, batch_size=4)
    tokens = sum(np.count_nonzero(batches[index][1]) for index in range(2))
    assert history["tokens_per_second"] == [tokens / 2]


def test_tokens_are_counted_by_a_metric_that_must_be_there():
    model = small_model("transformer")
    model.compile(optimizer="sgd", loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    batches = cg.data.TrainingBatches(bench(), model.codec, batch_size=4)
    with pytest.raises(ValueError, match="TokenRate needs the metric TokenAccuracy"):
        model.fit(batches, steps_per_epoch=1, verbose=0, callbacks=[callbacks.TokenRate()])


def test_hyperparameters_and_results_are_found_by_the_dashboard(tmp_path):
    from tensorboard.plugins.hparams.plugin_data_pb2 import HParamsPluginData

    callbacks.log_hyperparameters(tmp_path, {"variant": "sep_to_last", "separators": True, "steps": 7})
    callbacks.log_results(tmp_path, {"zero_shot": 0.25})
    content = logs_of(tmp_path).SummaryMetadata("_hparams_/session_start_info").plugin_data.content
    started = HParamsPluginData.FromString(content).session_start_info
    assert {name: value.WhichOneof("kind") for name, value in started.hparams.items()} == {
        "variant": "string_value",
        "separators": "bool_value",
        "steps": "number_value",
    }
    assert scalars(tmp_path, "zero_shot") == [(0, 0.25)]


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: callbacks.Generalization(bench(), examples=0), "examples is 0; expected an integer from 1"),
        (lambda: callbacks.Generalization(bench(), every=0), "every is 0"),
        (lambda: callbacks.Generalization("scan/iid"), "a benchmark is expected"),
        (lambda: callbacks.AttentionPictures(bench(), "x", every=0.5), "every is 0.5"),
        (lambda: callbacks.AttentionPictures("scan/iid", "x"), "a benchmark is expected"),
    ],
)
def test_bad_arguments_are_named(make, complaint):
    with pytest.raises(ValueError, match=complaint):
        make()
