"""Swap tests of rules whose mistakes are known, and of a trained model."""

import json

import pytest

import compgen_keras as cg
from compgen_keras.benchmarks import Example
from compgen_keras.benchmarks.scan import parse, translate
from compgen_keras.data import NO_END
from compgen_keras.diagnostics import Share
from compgen_keras.errors import InputError
from compgen_keras.experiments import RunFolder
from compgen_keras.experiments.swap_test_files import write_swap_test
from compgen_keras.files import write_json
from compgen_keras.swap_test import Asymmetry, Difference, Repeated, Swap, judge, mcnemar, swap_test, swap_test_figure
from tests.models.small import bench as small_bench
from tests.models.small import trained_model
from tests.swap_test.shapes import Shapes
from tests.swap_test.writers import Writer, scan_program, shapes_program


def factorial(**options):
    return cg.benchmarks.load("scan/factorial", **options)


def run(bench, rule, factors=None, pairs=20, repeats=2, **options):
    return swap_test(Writer(bench, rule), bench, factors, pairs, repeats, verbose=0, **options)


def test_a_perfect_model_passes_everything():
    found = run(factorial(), scan_program)
    assert list(found.factors) == ["verb", "direction_phrase", "repeat"]
    for result in found.factors.values():
        assert result.right().repeats == (Share(40, 40),) * 2
        assert (result.right().mean, result.right().deviation) == (1, 0)
        assert result.right("in_training").total + result.right("held_out").total == Share(80, 80)
        assert result.right("held_out").total.of > 0
        assert result.changed_right().total == result.others_right().total == Share(80, 80)
        assert result.by_frequency == Asymmetry(both=40, only_first=0, only_second=0, neither=0)
        assert result.by_training.pairs == result.by_training.both > 0
        assert (result.difference().value, result.difference().mean, result.difference().deviation) == (0, 0, 0)
        assert result.difference().control.total.of > 70
        assert all(repeat.draw.discarded["unsolved"] == 0 for repeat in result.repeats)
        assert sum(share.of for share in result.from_to.values()) == 80


def test_a_memorising_model_by_hand():
    """Two colours, two shapes, no blue square in training, and the model cannot paint one.

    The only pairs that share nothing and are solved are red square and blue circle. Their crosses are red circle, right, and blue square,
    wrong, whichever factor is exchanged. Training has "blue" and "square" more rarely than "red" and "circle". No pair can be a control.
    """
    bench = Shapes(number=2)
    found = run(bench, lambda spec: ("RED", "CIRCLE") if spec == "blue square" else shapes_program(spec), pairs=3)
    for factor, result in found.factors.items():
        assert result.right().total == Share(6, 12)
        assert (result.right().mean, result.right().deviation) == (0.5, 0)
        assert result.right("in_training").total == Share(6, 6)
        assert result.right("held_out").total == Share(0, 6)
        assert result.changed_right().total == Share(6, 12)
        assert result.others_right().total == Share(12, 12)  # there is no other part
        assert result.by_training == Asymmetry(0, only_first=6, only_second=0, neither=0)
        assert result.by_frequency == Asymmetry(0, only_first=0, only_second=6, neither=0)
        assert result.by_training.p_value == result.by_frequency.p_value == 2 / 2**6
        rare, frequent = {"colour": ("blue", "red"), "shape": ("square", "circle")}[factor]
        assert result.from_to == {(frequent, rare): Share(0, 6), (rare, frequent): Share(6, 6)}
        assert result.into == {rare: Share(0, 6), frequent: Share(6, 6)}
        assert result.difference().value is None
        assert result.difference().interval is None
        assert all(repeat.control_draw.pairs == () and repeat.control_draw.discarded["untrained"] > 0 for repeat in result.repeats)
    assert "| colour |" in found.as_text()


def test_the_control_is_right_where_swaps_into_held_out_combinations_are_not():
    """Three by three: the model fails on blue squares alone, so that the difference is the share of swaps that lead there."""
    bench = Shapes(parts=(1, 2))
    found = run(bench, lambda spec: ("RED",) if "blue square" in spec else shapes_program(spec), pairs=40)
    for result in found.factors.values():
        assert result.right("in_training").total.value == 1
        assert result.right("held_out").total.value == 0
        difference = result.difference("held_out")
        assert difference.value == -1
        assert difference.control.total.of == difference.treatment.total.of > 0
        low, high = difference.interval
        assert low == pytest.approx(-1) and -1 < high < 0
        assert result.difference("in_training").value == 0
        held_out = result.right("held_out").total.of
        assert result.right().total == Share(160 - held_out, 160)


def test_a_model_that_memorises_one_combination_of_scan():
    """Wrong wherever a phrase says "jump around left": a swap of a solved example fails if and only if it leads there."""
    found = run(
        cg.benchmarks.load("scan/iid", parts=(1, 2)), lambda spec: () if "jump around left" in spec else scan_program(spec), pairs=60
    )
    for result in found.factors.values():
        for attempt in result.attempts:
            assert "jump around left" not in attempt.swap.source.spec
            assert attempt.right == ("jump around left" not in attempt.swap.result.spec)
        assert result.right("held_out").total.of == 0
    wrong = {factor: result.right().total.of - result.right().total.count for factor, result in found.factors.items()}
    assert wrong["verb"] > 0 and wrong["direction_phrase"] > 0 and wrong["repeat"] == 0


def test_a_model_that_changes_another_part_too():
    """Beside one phrase with "turn" it takes the other phrase's verb for "jump"."""

    def rule(spec):
        verbs = [phrase.verb for phrase in parse(spec).phrases]
        if verbs.count("turn") != 1:
            return scan_program(spec)
        other = verbs[1 - verbs.index("turn")]
        return scan_program(spec.replace(other, "jump"))

    found = run(cg.benchmarks.load("scan/iid", parts=(2, 2)), rule, "verb", pairs=80).factors["verb"]
    into_turn = [attempt for attempt in found.attempts if attempt.swap.new == "turn"]
    assert len(into_turn) > 10
    for attempt in into_turn:
        assert attempt.changed_right
        other = parse(attempt.swap.source.spec).phrases[1 - attempt.swap.element].verb
        assert attempt.right == attempt.others_right == (other in ("jump", "turn"))
    assert any(attempt.changed_right and not attempt.right for attempt in into_turn)


@pytest.mark.parametrize(
    ("program", "changed_right", "others_right"),
    [
        ("RUN LTURN JUMP LTURN JUMP WALK", True, True),
        ("RUN LTURN JUMP WALK", False, True),  # too short
        ("RUN LTURN JUMP LTURN JUMP LTURN JUMP WALK", False, True),  # too long
        ("RUN WALK", False, True),  # left out
        ("RUN LTURN JUMP LTURN JUMP LOOK", True, False),
        ("LOOK LTURN JUMP LTURN JUMP WALK", True, False),
        ("RUN LTURN JUMP LTURN JUMP", True, False),  # the last part is missing
        ("RUN LTURN JUMP LTURN JUMP WALK WALK", False, True),  # can be read as a changed part with too much
        ("LOOK LTURN JUMP LOOK", False, False),
        ("", False, False),
        ("RUN LTURN JUMP <no EOS>", False, False),
    ],
)
def test_which_parts_are_right_by_hand(program, changed_right, others_right):
    bench = cg.benchmarks.load("scan/iid")
    source, result = (Example(text, translate(text)) for text in ("run and jump left and walk", "run and jump left twice and walk"))
    tokens = tuple(program.replace("<no EOS>", "").split()) + ((NO_END,) if "<" in program else ())
    found = judge(bench, Swap(source, 1, "repeat", "none", "twice", result, True), tokens)
    assert (found.right, found.changed_right, found.others_right) == (changed_right and others_right, changed_right, others_right)


def test_a_model_that_solves_nothing():
    writer = Writer(factorial(), lambda spec: ())
    found = swap_test(writer, factorial(), "repeat", pairs=5, repeats=2, verbose=0)
    result = found.factors["repeat"]
    assert result.right().total == Share(0, 0)
    assert (result.right().mean, result.difference().mean, result.difference_in_length()) == (None, None, None)
    for repeat in result.repeats:
        assert (repeat.draw.examples, repeat.draw.solved, repeat.draw.discarded["unsolved"]) == (50, 0, 25)
        assert repeat.control_draw is None
    assert len(writer.read) == 100, "nothing is decoded for a control"
    assert "- **repeat**: no pair, of 10 could be had. The model solves 0 of the 100 examples" in found.as_text()
    json.dumps(found.as_json())
    swap_test_figure(found)


def test_too_few_pairs_are_reported():
    found = run(factorial(), lambda spec: scan_program(spec) if spec.startswith("look around right") else (), "verb", pairs=10, repeats=1)
    draw = found.factors["verb"].repeats[0].draw
    assert 0 <= len(draw.pairs) < 10
    assert draw.examples == 100
    assert "of 10 pairs could be had" in found.as_text() or "no pair, of 10" in found.as_text()


def test_the_same_seed_gives_the_same_result_whichever_factors_are_asked_for():
    bench = factorial(parts=(1, 3))

    def rule(spec):
        return scan_program(spec) if len(spec) % 3 else ()

    first, again, other = (run(bench, rule, pairs=10, seed=seed) for seed in (0, 0, 1))
    assert first == again
    assert first.as_json() == again.as_json()
    assert first.factors["verb"] != other.factors["verb"]
    assert run(bench, rule, "repeat, verb", pairs=10).factors == {name: first.factors[name] for name in ("repeat", "verb")}
    one, two = first.factors["verb"].repeats
    assert {each.swap.source.spec for each in one.attempts} != {each.swap.source.spec for each in two.attempts}


def test_lengths_beyond_training_have_no_control():
    found = run(cg.benchmarks.load("scan/length_generalization"), scan_program, "verb", pairs=5, repeats=1).factors["verb"]
    assert found.right("held_out").total == Share(10, 10)  # that many parts with any direction phrase are new
    assert found.difference().control.total == Share(0, 0)
    assert len(found.repeats[0].control_draw.pairs) == 10


@pytest.mark.parametrize(
    ("counts", "p_value"), [((0, 0), 1), ((3, 3), 1), ((1, 0), 1), ((6, 0), 0.03125), ((5, 1), 0.21875), ((1, 5), 0.21875)]
)
def test_mcnemar_by_hand(counts, p_value):
    assert mcnemar(*counts) == p_value


def test_differences_by_hand():
    difference = Difference(Repeated((Share(3, 4), Share(1, 4), Share(0, 0))), Repeated((Share(4, 4), Share(1, 2), Share(1, 1))))
    assert difference.value == pytest.approx(4 / 8 - 6 / 7)
    assert (difference.mean, difference.deviation) == (-0.25, 0)
    assert Repeated((Share(1, 2),)).deviation is None


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"factors": "colour"}, "factors is 'colour'; expected one or more of those of scan/factorial, each once: verb, direction_phrase"),
        ({"factors": ("verb", "verb")}, "factors is \\('verb', 'verb'\\)"),
        ({"factors": ()}, "factors is \\(\\)"),
        ({"factors": 3}, "factors is 3"),
        ({"pairs": 0}, "pairs is 0; expected an integer from 1"),
        ({"repeats": 0}, "repeats is 0; expected an integer from 1"),
        ({"split": "dev"}, "unknown split 'dev'"),
        ({"seed": -1}, "seed is -1"),
        ({"batch_size": 0}, "batch_size is 0"),
        ({"verbose": "loud"}, "verbose is 'loud'"),
        ({"bench": "scan/factorial"}, "a benchmark is expected"),
        ({"model": None}, "model is None; expected a model"),
        ({"bench": Shapes()}, "does not have the tokens of shapes/recombine"),
    ],
)
def test_bad_arguments_are_named(arguments, complaint):
    with pytest.raises(InputError, match=complaint):
        swap_test(**{"model": Writer(factorial(), scan_program), "bench": factorial(), "verbose": 0, **arguments})


def test_a_benchmark_must_name_its_factors():
    robustfill = cg.benchmarks.load("robustfill-mini/iid")
    with pytest.raises(InputError, match="robustfill-mini/iid names no factors to exchange; expected a benchmark whose class sets"):
        swap_test(Writer(robustfill, lambda spec: ()), robustfill)

    class Mistaken(Shapes):
        swap_factors = ("colour", "size")

    with pytest.raises(InputError, match="an element of shapes/recombine has the factors colour, shape, but not 'size'"):
        swap_test(Writer(Mistaken(), shapes_program), Mistaken(), verbose=0)

    class Lazy(Shapes):
        def with_value(self, example, element, factor, value):
            return example

    with pytest.raises(InputError, match="with_value of shapes/recombine turned"):
        swap_test(Writer(Lazy(), shapes_program), Lazy(), verbose=0)


@pytest.mark.backend
def test_a_trained_model():
    model, bench = trained_model("sep_to_last"), small_bench()
    found = swap_test(model, bench, "verb", pairs=4, repeats=1, verbose=0).factors["verb"]
    draw = found.repeats[0].draw
    evaluated = cg.evaluation.evaluate(model, bench, n=draw.examples)
    assert draw.solved == sum(evaluated.correct)
    specs = [attempt.swap.result.spec for attempt in found.attempts]
    assert specs
    for attempt, tokens in zip(found.attempts, model.generate(specs), strict=True):
        assert attempt.right == bench.is_correct(attempt.swap.result, tokens)


def test_files_of_a_run(tmp_path, capsys):
    folder = RunFolder.create(tmp_path / "run")
    config = {"benchmark": "scan/iid", "options": {"parts": [1, 2]}, "variant": "sep_to_last", "size": "classroom", "seed": 0}
    write_json(folder.config_path, config)
    trained_model("sep_to_last").save(folder.model_path)
    with pytest.raises(ValueError, match="expected one or more of those of scan/iid"):
        write_swap_test(folder.path, factors="colour")
    result = write_swap_test(folder.path, factors="verb,repeat", pairs=2, repeats=2)
    printed = capsys.readouterr().out
    output = tmp_path / "run" / "swap_test"
    assert "swap test, repeat 2 of 2: examples" in printed
    assert f"report       {output / 'swap_test.md'}" in printed
    assert sorted(path.name for path in output.iterdir()) == ["swap_test.json", "swap_test.md", "swap_test.png"]
    assert (output / "swap_test.md").read_text() == result.as_text()
    assert (output / "swap_test.png").read_bytes().startswith(b"\x89PNG")
    kept = json.loads((output / "swap_test.json").read_text())
    assert (kept["run"]["variant"], kept["pairs"], kept["repeats"], list(kept["factors"])) == ("sep_to_last", 2, 2, ["verb", "repeat"])
    assert kept["factors"]["verb"]["right"]["all"]["of"] == result.factors["verb"].right().total.of
    for section in ("What changes", "Two directions", "Values", "Matched control", "Drawing"):
        assert f"## {section}\n" in result.as_text()
    with pytest.raises(ValueError, match="is no run folder"):
        write_swap_test(tmp_path)
