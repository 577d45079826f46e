"""Decoding with and without a cache, on trained weights."""

import keras
import keras_hub
import numpy as np
import pytest
from keras import ops

import compgen_keras as cg
from compgen_keras.data import EOS_ID, NO_END, PAD_ID, SEP_ID
from compgen_keras.layers import register_mask_strategy
from compgen_keras.layers.mask_strategy import _STRATEGIES
from compgen_keras.models.beam_decoding import write_by_beams
from compgen_keras.models.compiled import filled_up
from compgen_keras.models.search_decoding import write_by_search
from tests.models.slow_decoding import beams_without_cache, greedy_without_cache
from tests.models.small import bench, small_model, specs, trained_model

pytestmark = pytest.mark.backend


VARIANTS = [(variant, {}) for variant in cg.models.names()] + [("sep_to_last", {"separator_distance": "parts"})]


@pytest.mark.parametrize(("variant", "options"), VARIANTS)
def test_cached_and_uncached_decoding_write_the_same_programs(variant, options, monkeypatch):
    # Small blocks, so that programs cross many of their borders; no multiple of the limit of 51 tokens.
    monkeypatch.setattr("compgen_keras.models.block_decoding.BLOCK", 10)
    monkeypatch.setattr("compgen_keras.models.block_decoding.BLOCK_XLA", 32)
    model = trained_model(variant, **options)
    written = model.generate(specs(12), batch_size=12)
    assert written == greedy_without_cache(model, specs(12))
    assert len(set(written)) > 6
    if variant in ("sep_to_last", "transformer_separators") and not options:
        assert sum(tokens[-1:] != (NO_END,) for tokens in written) > 3


# Only TensorFlow has beams in blocks, which depend on the mask; elsewhere the sampler's own search is used.
BEAM_VARIANTS = [
    ("sep_to_last", {}),
    ("sep_to_last", {"separator_distance": "parts"}),
    ("sep_to_sep_and_last", {}),
    ("relative_attention", {}),
    ("transformer_separators", {}),
]


@pytest.mark.parametrize(("variant", "options"), BEAM_VARIANTS if keras.config.backend() == "tensorflow" else BEAM_VARIANTS[:1])
def test_beam_search_keeps_finished_beams(variant, options, monkeypatch):
    monkeypatch.setattr("compgen_keras.models.beam_decoding.BLOCK", 7)
    model = trained_model(variant, **options)
    sampler = keras_hub.samplers.BeamSampler(num_beams=4, return_all_beams=True)
    written = model.generate(specs(6), sampler=sampler)
    assert written == beams_without_cache(model, specs(6), 4)
    if variant == "sep_to_last" and not options:
        assert any(len(beam) > len(beams[0]) for beams in written for beam in beams), "no best beam ended early: this shows nothing"


@pytest.mark.skipif(keras.config.backend() != "tensorflow", reason="compiles for every block where sizes are fixed")
def test_beams_in_blocks_are_what_the_sampler_itself_finds(monkeypatch):
    monkeypatch.setattr("compgen_keras.models.search_decoding.LENGTHS", ())
    model = trained_model("sep_to_last")
    for sampler in (keras_hub.samplers.BeamSampler(5, return_all_beams=True), keras_hub.samplers.BeamSampler(12)):
        spec = model.codec.encode_specs(specs(9)).padded(12)
        found, in_blocks = (write(model, spec, sampler, 51) for write in (write_by_search, write_by_beams))
        assert np.array_equal(found, in_blocks)


def test_a_search_that_has_not_ended_is_made_again_with_a_longer_cache(monkeypatch):
    model = trained_model("sep_to_last")
    spec = model.codec.encode_specs(specs(6)).padded(12)
    samplers = [keras_hub.samplers.BeamSampler(3, return_all_beams=every) for every in (True, False)]
    monkeypatch.setattr("compgen_keras.models.search_decoding.LENGTHS", ())
    expected = [write_by_search(model, spec, sampler, 51) for sampler in samplers]
    monkeypatch.setattr("compgen_keras.models.search_decoding.LENGTHS", (4, 12))
    for sampler, programs in zip(samplers, expected, strict=True):
        assert np.array_equal(write_by_search(model, spec, sampler, 51), programs)


def test_one_beam_is_greedy_and_the_best_beam_is_the_first():
    model = trained_model("sep_to_last")
    assert model.generate(specs(6), sampler=keras_hub.samplers.BeamSampler(num_beams=1)) == model.generate(specs(6))
    every = model.generate(specs(6), sampler=keras_hub.samplers.BeamSampler(num_beams=3, return_all_beams=True))
    best = model.generate(specs(6), sampler=keras_hub.samplers.BeamSampler(num_beams=3))
    assert [beams[0] for beams in every] == best


def test_batch_mates_and_order_change_nothing():
    model = trained_model("sep_to_last")
    together = model.generate(specs(12), batch_size=12)
    assert model.generate(specs(12)[::-1], batch_size=12) == together[::-1]
    assert model.generate(specs(12), batch_size=5) == together
    assert [model.generate([spec])[0] for spec in specs(2)] == together[:2]


def test_new_weights_are_used_after_the_first_call():
    model, trained = small_model("sep_to_last"), trained_model("sep_to_last")
    before = model.generate(specs(4))
    model.set_weights(trained.get_weights())
    assert model.generate(specs(4)) == trained.generate(specs(4)) != before


def test_an_output_without_end_is_marked_and_wrong():
    model = small_model("transformer")
    bias = np.zeros(len(model.codec.program_vocabulary))
    bias[model.codec.program_vocabulary.ids(["JUMP"])[0]] = 1e4
    model.logits.bias.assign(bias)
    (tokens,) = model.generate(["jump"])
    assert tokens == ("JUMP",) * model.codec.max_program_length + (NO_END,)
    assert not bench().is_correct(cg.benchmarks.Example("jump", (("JUMP",),)), tokens)


@pytest.mark.parametrize("policy", ["mixed_bfloat16", "mixed_float16"])
def test_half_precision_decodes(policy, monkeypatch):
    """Rounding may tip a close call, so that a few programs may differ from float32's, and one when a block ends elsewhere."""
    model = small_model("sep_to_last", dtype=policy)
    model.set_weights(trained_model("sep_to_last").get_weights())
    expected = trained_model("sep_to_last").generate(specs(12), batch_size=12)
    written = model.generate(specs(12), batch_size=12)
    assert sum(a == b for a, b in zip(written, expected, strict=True)) >= 8
    beams = model.generate(specs(12), sampler=keras_hub.samplers.BeamSampler(num_beams=3))
    expected_beams = trained_model("sep_to_last").generate(specs(12), sampler=keras_hub.samplers.BeamSampler(num_beams=3))
    assert sum(a == b for a, b in zip(beams, expected_beams, strict=True)) >= 8
    for name in ("BLOCK", "BLOCK_XLA"):
        monkeypatch.setattr(f"compgen_keras.models.block_decoding.{name}", 10)
    assert sum(a == b for a, b in zip(model.generate(specs(12), batch_size=12), written, strict=True)) >= 11


@pytest.mark.skipif(keras.config.backend() != "tensorflow", reason="other backends compile in any case")
def test_decoding_compiles_with_xla(monkeypatch):
    beams = keras_hub.samplers.BeamSampler(num_beams=3)
    expected = [trained_model("sep_to_last").generate(specs(12), sampler) for sampler in ("greedy", beams)]
    for module in ("block_decoding", "compiled", "decoding"):
        monkeypatch.setattr(f"compgen_keras.models.{module}.jit_compile_by_device", lambda: True)
    monkeypatch.setattr("compgen_keras.models.block_decoding.BLOCK_XLA", 32)
    model = small_model("sep_to_last")
    model.set_weights(trained_model("sep_to_last").get_weights())
    assert [model.generate(specs(12), sampler) for sampler in ("greedy", beams)] == expected


def test_few_batch_sizes_are_compiled():
    sizes = {len(filled_up(np.zeros((rows, 3)), at_most=100)) for rows in range(1, 101)}
    assert sizes == {1, 2, 4, 8, 16, 32, 64, 100}
    assert filled_up(np.array([[1], [2], [3]]), at_most=8).tolist() == [[1], [2], [3], [3]]


LONG = " and ".join(["run left thrice"] * 6)


@pytest.mark.parametrize("variant", ["sep_to_last", "relative_attention_separators", "transformer"])
def test_longer_commands_than_the_benchmarks_are_read(variant, monkeypatch):
    """Each token is the one that the whole model holds for the likeliest after those before it."""
    monkeypatch.setattr("compgen_keras.models.block_decoding.BLOCK", 10)
    model = trained_model(variant)
    (tokens,) = model.generate([LONG])
    ids = model.codec.program_vocabulary.ids([token for token in tokens if token != NO_END])
    spec = model.codec.encode_specs([LONG]).padded(24)
    logits = np.array(model.predict_on_batch({"spec": spec, "program": np.array([[SEP_ID, *ids]])}))[0]
    logits[:, PAD_ID] = -np.inf
    assert logits.argmax(axis=-1)[: len(ids)].tolist() == ids
    assert len(ids) == 3 * model.codec.max_program_length if NO_END in tokens else logits[-1].argmax() == EOS_ID


def test_each_specification_has_its_own_limit():
    model = small_model("transformer")
    bias = np.zeros(len(model.codec.program_vocabulary))
    bias[model.codec.program_vocabulary.ids(["JUMP"])[0]] = 1e4
    model.logits.bias.assign(bias)
    assert [len(tokens) - 1 for tokens in model.generate(["jump", LONG, "walk"])] == [51, 3 * 51, 51]


def test_a_strategy_of_ones_own_decodes(monkeypatch):
    """This one sees its own part and the one before, and forgets what lies further back."""
    monkeypatch.setattr("compgen_keras.layers.mask_strategy._STRATEGIES", dict(_STRATEGIES))
    monkeypatch.setattr("compgen_keras.models.block_decoding.BLOCK", 10)

    @register_mask_strategy("neighbours", remembers=lambda key, part: key.part >= part - 1)
    def neighbours(query, key):
        return key.part >= query.part - 1

    model = trained_model("sep_to_last", mask="neighbours")
    written = model.generate(specs(12))
    assert written == greedy_without_cache(model, specs(12)) != trained_model("sep_to_last").generate(specs(12))


def test_a_strategy_without_separators(monkeypatch):
    monkeypatch.setattr("compgen_keras.layers.mask_strategy._STRATEGIES", dict(_STRATEGIES))

    @register_mask_strategy("window", needs_separators=False)
    def window(query, key):
        return query.position - key.position < 3

    model = trained_model("relative_attention", mask="window")
    assert model.generate(specs(6)) == greedy_without_cache(model, specs(6))


class Own(keras_hub.samplers.Sampler):
    """A sampler without a config of its own, as a user might write it."""

    def __init__(self, token):
        super().__init__()
        self.token = token

    def get_next_token(self, probabilities):
        return ops.full_like(probabilities[:, 0], self.token, dtype="int32")


def test_two_samplers_of_ones_own_are_not_confused():
    model = small_model("sep_to_last", num_layers=1)
    walk, run = model.codec.program_vocabulary.ids(["WALK", "RUN"])
    assert model.generate(["walk"], sampler=Own(walk))[0][0] == "WALK"
    assert model.generate(["walk"], sampler=Own(run))[0][0] == "RUN"


def test_a_sampler_may_change_between_calls():
    model = small_model("sep_to_last", num_layers=1)
    walk, run = model.codec.program_vocabulary.ids(["WALK", "RUN"])
    sampler = Own(walk)
    assert model.generate(["walk"], sampler=sampler)[0][0] == "WALK"
    sampler.token = run
    assert model.generate(["walk"], sampler=sampler)[0][0] == "RUN"
    assert model.generate(["walk", "run", "look"], sampler=sampler)[2][0] == "RUN"


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda model: model.generate(["jump", "jump high"]), "specification 2: word 2 of the command is 'high', which is no SCAN word"),
        (lambda model: model.generate(["and and"]), "specification 1: word 1 of the command is 'and'; expected walk"),
        (lambda model: model.generate([""]), "specification 1: the command is empty"),
        (lambda model: model.generate([7]), "specification 1: a command is a string of words, but 7 was given"),
        (lambda model: model.generate(None), "specifications are None; expected a list"),
        (lambda model: model.generate(["jump"], sampler="best"), "sampler is 'best'"),
        (lambda model: model.generate(["jump"], sampler=keras_hub.samplers.RandomSampler()), "a RandomSampler, which draws at random"),
        (lambda model: model.generate(["jump"], sampler=keras_hub.samplers.ContrastiveSampler()), "needs a model's hidden states"),
        (lambda model: model.generate(["jump"], sampler=keras_hub.samplers.BeamSampler(0)), "num_beams is 0; expected an integer from 1"),
        (lambda model: model.generate(["jump"], batch_size=0), "batch_size is 0"),
    ],
)
def test_bad_input_is_named(call, complaint):
    with pytest.raises(ValueError, match=complaint):
        call(small_model("sep_to_last", num_layers=1))


def test_no_specifications_give_no_programs():
    assert small_model("sep_to_last").generate([]) == []
