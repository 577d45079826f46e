"""The LSTM baselines: what they read, and that decoding step by step is what training saw."""

import functools

import keras
import keras_hub
import numpy as np
import pytest
from keras import ops

import compgen_keras as cg
from compgen_keras.data import PAD_ID
from tests.models.slow_decoding import beams_without_cache, greedy_without_cache
from tests.models.small import bench, specs

pytestmark = pytest.mark.backend

VARIANTS = ("lstm", "bidirectional_lstm")


def small_model(variant, **options):
    return cg.models.build(variant, bench(), num_layers=2, embedding_dim=32, **options)


@functools.cache
def trained_model(variant):
    keras.utils.set_random_seed(0)
    model = small_model(variant)
    batches = cg.data.TrainingBatches(bench(), model.codec, batch_size=32, window=8, lengths=(12, 52))
    model.compile(**cg.training.compile_arguments(keras.optimizers.Adam(1e-2)))
    model.fit(batches, steps_per_epoch=150, shuffle=False, verbose=0)
    return model


@pytest.mark.parametrize("variant", VARIANTS)
def test_decoding_step_by_step_writes_what_the_whole_model_writes(variant):
    model = trained_model(variant)
    written = model.generate(specs(12), batch_size=12)
    assert written == greedy_without_cache(model, specs(12))
    assert len(set(written)) > 6
    sampler = keras_hub.samplers.BeamSampler(num_beams=3, return_all_beams=True)
    assert model.generate(specs(5), sampler=sampler) == beams_without_cache(model, specs(5), 3)


@pytest.mark.parametrize("variant", VARIANTS)
def test_padding_and_batch_mates_change_nothing(variant):
    model = small_model(variant)
    codec = model.codec
    encoded, programs = codec.encode_specs(["jump left", "walk and run around right"]), np.array([[1, 3, 4], [1, 5, 3]], dtype="int32")
    together = model({"spec": encoded.padded(9), "program": programs})
    alone = model({"spec": encoded.select([0]).padded(2), "program": programs[:1]})
    np.testing.assert_allclose(ops.convert_to_numpy(together)[:1], ops.convert_to_numpy(alone), atol=1e-6)
    for sentence in (["jump left"], ["jump left", "walk and run around right"]):
        assert model.generate(sentence, batch_size=2)[0] == model.generate(["jump left"])[0]


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_is_written_depends_on_what_came_before_and_on_the_whole_sentence(variant):
    model = small_model(variant)
    spec, program = np.array([[3, 4, 5, 6]]), np.array([[1, 3, 4, 5]])
    logits = ops.convert_to_numpy(model({"spec": spec, "program": program}))
    later = program.copy()
    later[0, 3] = 6
    changed = ops.convert_to_numpy(model({"spec": spec, "program": later}))
    np.testing.assert_array_equal(logits[0, :3], changed[0, :3])
    assert np.abs(logits[0, 3] - changed[0, 3]).max() > 1e-4
    for place in range(4):
        other = spec.copy()
        other[0, place] = 7
        assert np.abs(logits - ops.convert_to_numpy(model({"spec": other, "program": program}))).max() > 1e-5


def test_attention_is_the_softmax_of_dot_products():
    """The output layer reads tanh of a projection of (what was attended to, state), computed here by numpy."""
    model = small_model("lstm")
    spec, program = np.array([[3, 4, PAD_ID]]), np.array([[1, 3]])
    encoded, mask, states = model.encode(spec)
    hidden = model.program_embedding(program)
    for layer, state in zip(model.decoder_layers, states, strict=True):
        hidden, *_ = layer(hidden, initial_state=state)
    encoded, hidden = (ops.convert_to_numpy(tensor)[0].astype("float64") for tensor in (encoded, hidden))
    weights = np.exp(hidden @ encoded[:2].T)
    read = weights / weights.sum(axis=1, keepdims=True) @ encoded[:2]
    projected = np.tanh(np.concatenate([read, hidden], axis=1) @ ops.convert_to_numpy(model.attended.kernel))
    expected = projected @ ops.convert_to_numpy(model.logits.kernel) + ops.convert_to_numpy(model.logits.bias)
    np.testing.assert_allclose(ops.convert_to_numpy(model({"spec": spec, "program": program}))[0], expected, atol=1e-5)
    assert ops.convert_to_numpy(mask).tolist() == [[True, True, False]]


def test_both_directions_share_the_states():
    one, two = (small_model(variant) for variant in VARIANTS)
    for model in (one, two):
        encoded, _, states = model.encode(np.array([[3, 4, 5]]))
        assert encoded.shape == (1, 3, 32)
        assert [[part.shape for part in pair] for pair in states] == [[(1, 32)] * 2] * 2
    # The first word's encoding tells of the last one if the encoder reads in both directions.
    for model, tells in ((one, False), (two, True)):
        first, second = (ops.convert_to_numpy(model.encode(np.array([[3, 4, last]]))[0])[0, 0] for last in (5, 6))
        assert np.array_equal(first, second) is not tells


@pytest.mark.parametrize("variant", VARIANTS)
def test_saved_and_loaded(variant, tmp_path):
    model = small_model(variant)
    model.save(tmp_path / "model.keras")
    loaded = cg.models.load(tmp_path / "model.keras", variant=variant)
    assert isinstance(loaded, cg.models.RecurrentEncoderDecoder)
    assert loaded.generate(specs(3)) == model.generate(specs(3))


@pytest.mark.parametrize("precision", ["mixed_bfloat16", "mixed_float16"])
def test_mixed_precision_trains_and_writes(precision):
    model = small_model("lstm", dtype=precision)
    model.compile(**cg.training.recipe("classroom", steps=4, variant="lstm"))
    batches = cg.data.TrainingBatches(bench(), model.codec, batch_size=4, window=4, lengths=(12, 52))
    history = model.fit(batches, steps_per_epoch=2, shuffle=False, verbose=0)
    assert np.isfinite(history.history["loss"][0])
    assert model({"spec": np.array([[3]]), "program": np.array([[1]])}).dtype == "float32"
    assert len(model.generate(specs(2))) == 2


def test_sizes():
    """Counted by hand: embeddings, LSTMs of 4 gates, the projection of attention, and the output layer."""
    model = cg.models.build("lstm", bench(), size="cogs")
    vocabularies = [len(model.codec.spec_vocabulary), len(model.codec.program_vocabulary)]
    lstm = 4 * (512 * 512 + 512 * 512 + 512)
    assert model.count_params() == 512 * sum(vocabularies) + 4 * lstm + 2 * 512 * 512 + (512 + 1) * vocabularies[1]
    half = 4 * (512 * 256 + 256 * 256 + 256)
    assert cg.models.build("bidirectional_lstm", bench(), size="cogs").count_params() == model.count_params() + 2 * (2 * half - lstm)
    assert cg.models.build("transformer", bench(), size="cogs").embedding_dim == 512


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: small_model("gru"), "unknown model 'gru'; expected one of transformer, .*, lstm, bidirectional_lstm"),
        (lambda: cg.models.build("bidirectional_lstm", bench(), embedding_dim=33), "embedding_dim is 33; expected an even number"),
        (lambda: cg.models.build("lstm", bench(), num_layers=0), "num_layers is 0; expected an integer from 1"),
        (
            lambda: cg.models.build("lstm", cg.benchmarks.load("robustfill/iid")),
            "lstm reads words, but the specifications of robustfill/iid are input-output examples",
        ),
    ],
)
def test_bad_arguments_are_named(make, complaint):
    with pytest.raises(ValueError, match=complaint):
        make()
