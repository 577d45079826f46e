"""Decoding with and without a cache, on trained weights."""

import keras_hub
import numpy as np
import pytest
from keras import ops

import compgen_keras as cg
from compgen_keras.data import EOS_ID, NO_END, PAD_ID, SEP_ID
from tests.models.small import bench, small_model, specs, trained_model

pytestmark = pytest.mark.backend


def log_probabilities(model, spec, programs):
    """Of the next token after each program, by running the whole model."""
    inputs = {"spec": np.repeat(model.codec.encode_specs([spec]).padded(16), len(programs), axis=0), "program": np.array(programs)}
    logits = np.array(ops.convert_to_numpy(model(inputs)), dtype="float64")[:, -1]
    logits[:, PAD_ID] = -1e9
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def greedy_without_cache(model, spec):
    program = [SEP_ID]
    while program[-1] != EOS_ID and len(program) <= model.codec.max_program_length:
        program.append(int(np.argmax(log_probabilities(model, spec, [program])[0])))
    return model.codec.decode_program(program[1:])


def beams_without_cache(model, spec, count):
    """Beam search as its definition says, finished programs kept as they are."""
    beams = [((SEP_ID,), 0.0)]
    for _ in range(model.codec.max_program_length):
        if all(program[-1] == EOS_ID for program, _ in beams):
            break
        candidates = [beam for beam in beams if beam[0][-1] == EOS_ID]
        for program, score in beams:
            if program[-1] != EOS_ID:
                following = log_probabilities(model, spec, [program])[0]
                candidates += [((*program, token), score + following[token]) for token in range(1, len(following))]
        beams = sorted(candidates, key=lambda beam: -beam[1])[:count]
    return [model.codec.decode_program(program[1:]) for program, _ in beams]


VARIANTS = [(variant, {}) for variant in cg.models.names()] + [("sep_to_last", {"separator_distance": "parts"})]


@pytest.mark.parametrize(("variant", "options"), VARIANTS)
def test_cached_and_uncached_decoding_write_the_same_programs(variant, options):
    model = trained_model(variant, **options)
    written = model.generate(specs(12), batch_size=5)
    assert written == [greedy_without_cache(model, spec) for spec in specs(12)]
    assert len(set(written)) > 6
    assert sum(tokens[-1:] != (NO_END,) for tokens in written) > 6


def test_beam_search_keeps_finished_beams():
    model = trained_model("sep_to_last")
    sampler = keras_hub.samplers.BeamSampler(num_beams=4, return_all_beams=True)
    lengths = set()
    for spec, beams in zip(specs(8), model.generate(specs(8), sampler=sampler), strict=True):
        assert beams == beams_without_cache(model, spec, 4)
        lengths |= {len(beam) - len(beams[0]) for beam in beams}
    assert max(lengths) > 0, "no beam ended after the best one, so that this shows nothing"


def test_one_beam_is_greedy_and_the_best_beam_is_the_first():
    model = trained_model("sep_to_last")
    greedy = model.generate(specs(6))
    assert model.generate(specs(6), sampler=keras_hub.samplers.BeamSampler(num_beams=1)) == greedy
    every = model.generate(specs(6), sampler=keras_hub.samplers.BeamSampler(num_beams=3, return_all_beams=True))
    best = model.generate(specs(6), sampler=keras_hub.samplers.BeamSampler(num_beams=3))
    assert [beams[0] for beams in every] == best


def test_batch_mates_and_order_change_nothing():
    model = trained_model("transformer")
    alone = [model.generate([spec])[0] for spec in specs(6)]
    assert model.generate(specs(6)) == alone
    assert model.generate(specs(6)[::-1], batch_size=4) == alone[::-1]


def test_new_weights_are_used_after_the_first_call():
    model = small_model("sep_to_last")
    model.generate(specs(2))
    model.set_weights(trained_model("sep_to_last").get_weights())
    assert model.generate(specs(4)) == trained_model("sep_to_last").generate(specs(4))


def test_an_output_without_end_is_marked_and_wrong():
    model = small_model("transformer")
    bias = np.zeros(len(model.codec.program_vocabulary))
    bias[model.codec.program_vocabulary.ids(["JUMP"])[0]] = 1e4
    model.logits.bias.assign(bias)
    (tokens,) = model.generate(["jump"])
    assert tokens == ("JUMP",) * model.codec.max_program_length + (NO_END,)
    assert not bench().is_correct(cg.benchmarks.Example("jump", (("JUMP",),)), tokens)


@pytest.mark.parametrize("policy", ["mixed_bfloat16", "mixed_float16"])
def test_half_precision_decodes(policy):
    model = small_model("sep_to_last", dtype=policy)
    model.set_weights(trained_model("sep_to_last").get_weights())
    expected = trained_model("sep_to_last").generate(specs(8))
    same = sum(a == b for a, b in zip(model.generate(specs(8)), expected, strict=True))
    assert same >= 4


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda model: model.generate(["jump", "jump high"]), "word 2 of specification 2 is 'high'"),
        (lambda model: model.generate([""]), "specification 1 has 0 tokens"),
        (lambda model: model.generate([7]), "specification 1 is 7; expected a string of words"),
        (lambda model: model.generate(["jump " * 50]), "specification 1 has 50 tokens; a model of scan/iid reads 1 to 14"),
        (lambda model: model.generate(["jump"], sampler="best"), "sampler is 'best'"),
        (lambda model: model.generate(["jump"], batch_size=0), "batch_size is 0"),
    ],
)
def test_bad_input_is_named(call, complaint):
    with pytest.raises(ValueError, match=complaint):
        call(small_model("sep_to_last"))


def test_no_specifications_give_no_programs():
    assert small_model("sep_to_last").generate([]) == []
