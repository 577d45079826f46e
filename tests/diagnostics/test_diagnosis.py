"""Diagnoses of models that are really, though briefly, trained."""

import functools
import json

import numpy as np
import pytest

import compgen_keras as cg
from compgen_keras.benchmarks import Example
from compgen_keras.diagnostics import (
    Share,
    Target,
    adaptation_examples,
    copied_weights,
    diagnose,
    first_error,
    is_checkable,
    search_success,
    teacher_forced_tokens,
    weight_movement,
    with_end,
)
from compgen_keras.diagnostics.adaptation import _FineTuner, checked_numbers
from compgen_keras.errors import InputError
from compgen_keras.experiments import RunFolder
from compgen_keras.experiments.diagnosis_files import write_diagnosis
from compgen_keras.files import write_json
from tests.models.small import bench, small_model, trained_model


@functools.cache
def found():
    """A model, its weights before, its diagnosis."""
    model = trained_model("sep_to_last")
    before = copied_weights(model)
    return model, before, diagnose(model, bench(), n=40, beams=4, adaptation=(0, 5), verbose=0)


@pytest.mark.backend
@pytest.mark.parametrize("variant", ["sep_to_last", "relative_attention_separators"])
def test_the_first_error_of_greedy_decoding_is_the_first_under_teacher_forcing(variant):
    model = trained_model(variant)
    examples = [next(bench().examples("test", start=start)) for start in range(60)]
    written = model.generate([example.spec for example in examples])
    teacher = teacher_forced_tokens(model, examples, batch_size=16)
    places = set()
    for example, free, forced in zip(examples, written, teacher, strict=True):
        target = Target.of(example, model.codec.separators)
        assert len(forced) == len(target.tokens)
        place = first_error(target.agreement(with_end(free)))
        assert place == first_error(target.agreement(forced))
        assert place is not None or bench().is_correct(example, free)
        places.add(place)
    assert len(places) > 3, "errors at several places, or nothing is tested"


@pytest.mark.backend
def test_teacher_forcing_agrees_with_keras():
    """The share of right tokens is what the metric of `evaluate` gives."""
    model = trained_model("sep_to_last")
    examples = [next(bench().examples("test", start=start)) for start in range(20)]
    specs, targets = model.codec.encode_specs([e.spec for e in examples]), model.codec.encode_programs([e.parts for e in examples])
    inputs, wanted = cg.data.teacher_forcing(specs, targets, specs.longest, *targets.longest)
    metric = cg.training.TokenAccuracy()
    metric.update_state(wanted, model(inputs, training=False))
    tokens = teacher_forced_tokens(model, examples)
    right = np.concatenate([Target.of(e, True).agreement(t) for e, t in zip(examples, tokens, strict=True)])
    assert right.mean() == pytest.approx(float(metric.result()), abs=1e-6)


def test_mixed_precision():
    model = small_model("sep_to_last", num_layers=1, dtype="mixed_bfloat16")
    examples = [next(bench().examples("test", start=start)) for start in range(6)]
    tokens = teacher_forced_tokens(model, examples)
    assert [len(of_example) for of_example in tokens] == [len(Target.of(example, True).tokens) for example in examples]
    tuner = _FineTuner(model, adaptation_examples(bench(), [], 1), seed=0, steps=1)
    assert tuner.model.dtype_policy == model.dtype_policy


def test_the_model_is_left_as_it_was():
    model, before, _ = found()
    for old, new in zip(before, copied_weights(model), strict=True):
        np.testing.assert_array_equal(old, new)


def test_accuracies_are_those_of_evaluate():
    model, _, result = found()
    evaluated = cg.evaluation.evaluate(model, bench(), n=40)
    assert result.accuracy == Share(sum(evaluated.correct), 40)
    assert {parts: (share.count, share.of) for parts, share in result.accuracy_by_parts.items()} == evaluated.counts_by_parts
    assert result.adaptation.point(0).accuracy == result.accuracy
    assert result.same_first_error == Share(40, 40)
    assert result.free_running.overall.of == result.teacher_forced.overall.of


def test_no_fine_tuning_moves_nothing_and_fine_tuning_moves_every_layer():
    *_, result = found()
    none, *others = result.adaptation.points
    assert (none.number, set(none.moved.values())) == (0, {0.0})
    assert [(point.number, point.examples) for point in others] == [(n, kind) for n in (5,) for kind in ("mixed", "control")]
    for point in others:
        assert all(0 < distance < 0.1 for distance in point.moved.values())
        assert {"decoder_block_0/self_attention", "logits"} < set(point.moved)


@pytest.mark.backend
def test_each_fine_tuning_starts_afresh_and_is_that_of_few_shot():
    """The same batch gives the same weights whatever came before, and n = 20 is `fine_tune` itself."""
    model = small_model("sep_to_last", num_layers=1, dropout=0.0)
    chosen = adaptation_examples(bench(), [], 20)
    tuner = _FineTuner(model, chosen, seed=0, steps=3)
    weights = []
    for examples in (chosen.mixed(20), chosen.control(20), chosen.mixed(20)):
        tuner.fine_tune(examples)
        weights.append(copied_weights(tuner.model))
    cg.training.fine_tune(model, bench(), seed=0, steps=3)
    for first, control, again, few_shot in zip(*weights, copied_weights(model), strict=True):
        np.testing.assert_allclose(first, again, rtol=1e-4, atol=1e-6)
        np.testing.assert_allclose(first, few_shot, rtol=1e-3, atol=2e-5)
        assert np.abs(first - control).max() > 0


def test_treatment_and_control_have_as_many_examples_and_none_that_is_measured():
    task = cg.benchmarks.load("scan/length_generalization")
    measured = [next(task.examples("test", start=start)) for start in range(50)]
    chosen = adaptation_examples(task, measured, 50)
    specs = {example.spec for example in measured}
    for number in (1, 5, 20, 50):
        mixed, control = chosen.mixed(number), chosen.control(number)
        assert len(mixed) == len(control) == 2 * number
        assert not specs & {example.spec for example in mixed + control}
        assert sum(len(example.parts) > 6 for example in mixed) == number
        assert all(len(example.parts) <= 6 for example in control)
        assert set(mixed) <= set(chosen.mixed(50))
    assert set(chosen.mixed(20)) == set(task.examples("few_shot"))


def test_what_is_measured_is_left_out_even_if_it_is_drawn():
    few_shot = list(bench().examples("few_shot"))
    chosen = adaptation_examples(bench(), few_shot[:3], 20)
    assert not {example.spec for example in few_shot[:3]} & {example.spec for example in chosen.mixed(20) + chosen.control(20)}


@pytest.mark.parametrize("name", ["cogs/all", "robustfill-mini/iid"])
def test_other_domains_have_examples_to_adapt_with(name):
    task = cg.benchmarks.load(name)
    measured = [next(task.examples("test", start=start)) for start in range(5)]
    assert len(adaptation_examples(task, measured, 25).mixed(25)) == 50


def test_weight_movement_by_hand():
    model = small_model("sep_to_last", num_layers=1)
    before = copied_weights(model)
    model.logits.kernel.assign(2 * model.logits.kernel)
    moved = weight_movement(model, before)
    kernel, bias = (np.linalg.norm(np.array(weights)) for weights in before[-2:])
    assert moved.pop("logits") == pytest.approx(kernel / np.hypot(kernel, bias))
    assert set(moved.values()) == {0.0}


def test_search_success_by_hand(monkeypatch):
    """The right program stands third, first, nowhere."""
    task = cg.benchmarks.load("scan/iid")
    examples = [next(task.examples("test", start=start)) for start in range(3)]
    wrong = ("JUMP",) * 99
    beams = {
        examples[0].spec: [wrong, wrong, examples[0].program, wrong],
        examples[1].spec: [examples[1].program, wrong, wrong, wrong],
        examples[2].spec: [wrong] * 4,
    }

    class Searcher:
        codec = cg.data.Codec.for_benchmark(task, separators=False)

        def generate(self, specs, sampler, batch_size):
            assert (sampler.num_beams, sampler.return_all_beams) == (4, True)
            return [beams[spec] for spec in specs]

    found = search_success(Searcher(), task, n=3, beams=4, batch_size=2)
    assert found.within == {1: Share(1, 3), 2: Share(1, 3), 4: Share(2, 3)}
    assert not found.checkable


def test_a_search_is_real_where_programs_can_be_run():
    assert [is_checkable(cg.benchmarks.load(name)) for name in ("robustfill/iid", "scan/iid", "cogs/all")] == [True, False, False]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"n": 0}, "the number of examples is 0; expected an integer from 1"),
        ({"beams": 0}, "beams is 0; expected an integer from 1"),
        ({"split": "dev"}, "unknown split 'dev'"),
        ({"seed": -1}, "seed is -1"),
        ({"adaptation": (1, 1)}, "expected each number once"),
        ({"adaptation": (-1,)}, "a number of adaptation examples is -1"),
        ({"adaptation": 5}, "adaptation is 5; expected numbers of examples"),
        ({"verbose": "loud"}, "verbose is 'loud'; expected 'auto', 0, 1 or 2"),
        ({"bench": "scan/iid"}, "a benchmark is expected"),
        ({"model": None}, "model is None; expected a model"),
        ({"bench": cg.benchmarks.load("robustfill-mini/iid")}, "does not have the tokens of robustfill-mini/iid"),
    ],
)
def test_bad_arguments_are_named(arguments, complaint):
    with pytest.raises(InputError, match=complaint):
        diagnose(**{"model": small_model("sep_to_last", num_layers=1), "bench": bench(), "verbose": 0, **arguments})


def test_too_few_examples_to_adapt_with_are_named():
    task = cg.benchmarks.load("scan/length_generalization_hardest")
    every = {example.spec for example, _ in zip(task.examples("train"), range(3000), strict=False)}
    with pytest.raises(ValueError, match="adaptation asks for 10 examples of scan/length_generalization_hardest"):
        adaptation_examples(task, [Example(spec, ()) for spec in every], 5)


def test_numbers_are_sorted_and_begin_with_none():
    assert checked_numbers([5, 1]) == (0, 1, 5)
    assert checked_numbers(()) == (0,)


def test_files_of_a_run(tmp_path, capsys):
    model, _, _ = found()
    folder = RunFolder.create(tmp_path / "run")
    config = {"benchmark": "scan/iid", "options": {"parts": [1, 2]}, "variant": "sep_to_last", "size": "classroom", "seed": 0}
    write_json(folder.config_path, config)
    model.save(folder.model_path)
    result = write_diagnosis(folder.path, examples=8, beams=2, adaptation=(), verbose=0)
    printed = capsys.readouterr().out
    output = tmp_path / "run" / "diagnosis"
    assert f"report       {output / 'diagnosis.md'}" in printed
    assert sorted(path.name for path in output.iterdir()) == ["diagnosis.json", "diagnosis.md", "diagnosis.png"]
    assert (output / "diagnosis.md").read_text() == result.as_text()
    assert (output / "diagnosis.png").read_bytes().startswith(b"\x89PNG")
    kept = json.loads((output / "diagnosis.json").read_text())
    assert kept["run"]["variant"] == "sep_to_last"
    assert kept["search"]["checked_by"] == "oracle"
    assert kept["accuracy"] == {"count": result.accuracy.count, "of": 8, "share": result.accuracy.value}
    for section in ("Token accuracy", "First error", "After the first error", "Adaptation", "Search"):
        assert f"## {section}\n" in result.as_text()
    with pytest.raises(ValueError, match="is no run folder"):
        write_diagnosis(tmp_path, examples=8)
