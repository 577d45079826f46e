"""Models that read input-output examples: RobustFill."""

import itertools

import keras
import keras_hub
import numpy as np
import pytest
from keras import ops

import compgen_keras as cg
from compgen_keras.data import EOS_ID, NO_END, PAD_ID, SEP_ID
from compgen_keras.models.beam_decoding import write_by_beams
from compgen_keras.models.search_decoding import write_by_search

pytestmark = pytest.mark.backend

NAME = "robustfill-mini/length_generalization_hardest"
SPECS = [
    [("ab:12", "ab"), ("c/345", "c"), ("x.y", "x"), ("Q:1", "Q")],
    [("ab:12", "12!"), ("c/345", "345!"), ("d,6", "6!"), ("7:8", "7!")],
    [("a", "a"), ("bc", "bc"), ("def", "def"), ("g,1", "g,1")],
]


def small(variant="sep_to_last", name=NAME, **options):
    settings = {"num_layers": 2, "num_heads": 2, "embedding_dim": 32, "feed_forward_dim": 64, **options}
    keras.utils.set_random_seed(5)
    return cg.models.build(variant, cg.benchmarks.load(name), **settings)


def logits(model, specs, program, lengths=None):
    encoded = model.codec.encode_specs(specs)
    spec = encoded.padded(*(lengths or encoded.longest))
    return ops.convert_to_numpy(model({"spec": spec, "program": np.array([[SEP_ID, *program]] * len(specs))}))


@pytest.mark.parametrize("variant", ["transformer", "relative_attention", "sep_to_last"])
def test_padding_batch_mates_and_missing_examples_change_nothing(variant):
    model = small(variant)
    program = model.codec.program_vocabulary.ids(["GetToken", "LOWER", "1"])
    together = logits(model, SPECS, program)
    padded = logits(model, SPECS, program, lengths=(13, 17))
    np.testing.assert_allclose(padded, together, atol=2e-5)
    for number, spec in enumerate(SPECS):
        np.testing.assert_allclose(logits(model, [spec], program)[0], together[number], atol=2e-5)
    fewer = [SPECS[0], SPECS[1][:2]]
    np.testing.assert_allclose(logits(model, fewer, program)[1], logits(model, [SPECS[1][:2]], program)[0], atol=2e-5)
    assert np.abs(logits(model, fewer, program)[1] - together[1]).max() > 1e-3


@pytest.mark.parametrize("variant", ["transformer", "sep_to_last"])
def test_the_order_of_the_examples_changes_nothing(variant):
    model = small(variant)
    program = model.codec.program_vocabulary.ids(["ToCase"])
    np.testing.assert_allclose(logits(model, [SPECS[0]], program), logits(model, [SPECS[0][::-1]], program), atol=2e-5)
    swapped = [(given, SPECS[0][(i + 1) % 4][1]) for i, (given, _) in enumerate(SPECS[0])]
    assert np.abs(logits(model, [SPECS[0]], program) - logits(model, [swapped], program)).max() > 1e-3


def test_an_output_attends_to_its_own_input_alone():
    """Another input in the third example changes the encoding of the third output, and of no other."""
    model = small()
    changed = [*SPECS[0][:2], ("z.y", "x"), SPECS[0][3]]
    encoded, mask = (
        np.array(tensor) for tensor in model.encode(model.codec.encode_specs([SPECS[0], changed]).padded(5, 2), training=False)
    )
    assert mask[0].tolist() == [[True, True], [True, False], [True, False], [True, False]]
    difference = np.abs(encoded[0] - encoded[1]).reshape(4, 2, -1).max(axis=(1, 2))
    assert (difference > 1e-4).tolist() == [False, False, True, False]


@pytest.mark.parametrize("variant", cg.models.names() if keras.config.backend() == "tensorflow" else ["sep_to_last"])
def test_written_programs_are_their_own_teacher_forced_predictions(variant, monkeypatch):
    monkeypatch.setattr("compgen_keras.models.block_decoding.BLOCK", 5)
    model = small(variant)
    for spec, tokens in zip(SPECS, model.generate(SPECS), strict=True):
        ids = model.codec.program_vocabulary.ids([token for token in tokens if token != NO_END])
        whole = logits(model, [spec], ids)[0]
        whole[:, PAD_ID] = -np.inf
        assert whole.argmax(axis=-1)[: len(ids)].tolist() == ids
        assert len(ids) == model.codec.max_program_length if NO_END in tokens else whole[-1].argmax() == EOS_ID


@pytest.mark.skipif(keras.config.backend() != "tensorflow", reason="compiles for every block where sizes are fixed")
def test_beams_in_blocks_are_what_the_sampler_itself_finds(monkeypatch):
    monkeypatch.setattr("compgen_keras.models.search_decoding.LENGTHS", ())
    monkeypatch.setattr("compgen_keras.models.beam_decoding.BLOCK", 7)
    model = small()
    spec = model.codec.encode_specs(SPECS).padded(8, 8)
    sampler = keras_hub.samplers.BeamSampler(4, return_all_beams=True)
    assert np.array_equal(write_by_search(model, spec, sampler, 24), write_by_beams(model, spec, sampler, 24))


def test_training_saving_and_evaluating(tmp_path):
    bench = cg.benchmarks.load(NAME)
    model = small()
    model.compile(**cg.training.compile_arguments(keras.optimizers.Adam(3e-3)))
    batches = cg.data.TrainingBatches(bench, model.codec, batch_size=16, window=4, lengths=(12, 20))
    assert batches[1][0]["spec"]["inputs"].shape == (16, 4, 12)
    losses = model.fit(batches, steps_per_epoch=10, epochs=3, verbose=0, shuffle=False).history["loss"]
    assert losses[-1] < losses[0]
    model.save(tmp_path / "model.keras")
    again = cg.models.load(tmp_path / "model.keras")
    assert again.generate(SPECS) == model.generate(SPECS)
    sampler = keras_hub.samplers.BeamSampler(3, return_all_beams=True)
    result = cg.evaluation.evaluate(model, bench, split="valid", n=20, sampler=sampler)
    assert result.beams == 3
    examples = list(itertools.islice(bench.examples("valid"), 20))
    assert list(result.correct) == [bench.is_correct(*pair) for pair in zip(examples, result.predictions, strict=True)]
    assert result.solved_within(1) == sum(result.correct) <= result.solved_within(3)


def test_fine_tuning_on_examples():
    bench = cg.benchmarks.load(NAME)
    model = small(num_layers=1)
    inputs, targets = cg.training.few_shot_batch(bench, model.codec)
    assert len(targets) == len(inputs["spec"]["inputs"]) == 40
    history = cg.training.fine_tune(model, bench, steps=4)
    assert history.history["loss"][-1] < history.history["loss"][0]
