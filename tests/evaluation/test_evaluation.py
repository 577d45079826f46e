import itertools

import pytest

import compgen_keras as cg
from compgen_keras.benchmarks import Example
from compgen_keras.evaluation import aligned, predicted_parts, wilson_interval


class Oracle:
    """Writes the true program for some numbers of parts, nonsense for the others."""

    def __init__(self, solves):
        self.solves = solves

    def generate(self, specs, sampler="greedy", batch_size=128):
        programs = []
        for spec in specs:
            parts = cg.benchmarks.scan.translate(spec)
            tokens = tuple(token for part in parts for token in (*part, "SEP"))
            programs.append(tokens if len(parts) in self.solves else tokens[:-2])
        return programs


def test_accuracy_overall_and_by_parts():
    bench = cg.benchmarks.load("scan/length_generalization_hardest")
    result = cg.evaluation.evaluate(Oracle({2, 5}), bench, split="test", n=400)
    counts = {parts: sum(len(example.parts) == parts for example in result.examples) for parts in range(2, 7)}
    assert result.accuracy == (counts[2] + counts[5]) / 400
    assert result.accuracy_by_parts == {2: 1.0, 3: 0.0, 4: 0.0, 5: 1.0, 6: 0.0}
    assert result.counts_by_parts == {parts: (counts[parts] if parts in (2, 5) else 0, counts[parts]) for parts in range(2, 7)}
    assert result.interval == wilson_interval(counts[2] + counts[5], 400)
    assert result.summary()["by_parts"]["2"] == {"correct": counts[2], "examples": counts[2]}


def test_the_same_examples_for_every_model():
    bench = cg.benchmarks.load("scan/iid")
    first, second = (cg.evaluation.evaluate(Oracle(solves), bench, n=30) for solves in ({1}, {2}))
    assert first.examples == second.examples


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"n": 0}, "the number of examples is 0"),
        ({"seed": -1}, "seed is -1"),
        ({"n": 2.5}, "the number of examples is 2.5"),
        ({"split": "dev"}, "unknown split 'dev'"),
        ({"split": "few_shot", "n": 50}, "50 examples were asked for, but the split 'few_shot' of scan/iid has 40"),
    ],
)
def test_bad_arguments_are_named(options, complaint):
    with pytest.raises(ValueError, match=complaint):
        cg.evaluation.evaluate(Oracle(()), cg.benchmarks.load("scan/iid"), **options)


@pytest.mark.parametrize(
    ("correct", "total", "expected"),
    [(8, 10, (0.4902, 0.9433)), (0, 10, (0.0, 0.2775)), (10, 10, (0.7225, 1.0)), (500, 1000, (0.4691, 0.5309))],
)
def test_wilson_interval(correct, total, expected):
    """Values of the published formula, worked out apart."""
    assert wilson_interval(correct, total) == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize(("correct", "total"), [(1, 0), (3, 2), (-1, 5), (0.5, 5)])
def test_no_interval_of_what_cannot_be(correct, total):
    with pytest.raises(ValueError, match="expected an integer from"):
        wilson_interval(correct, total)


EXAMPLE = Example("run and walk left", (("RUN",), ("LTURN", "WALK")))


def test_parts_by_separators():
    assert predicted_parts(EXAMPLE, ("RUN", "SEP", "LTURN", "SEP", "JUMP")) == (("RUN",), ("LTURN",), ("JUMP",))


@pytest.mark.parametrize(
    ("tokens", "parts"),
    [
        (("RUN", "LTURN", "WALK"), (("RUN",), ("LTURN", "WALK"))),
        (("RUN", "WALK"), (("RUN",), ("WALK",))),
        (("LTURN", "WALK"), ((), ("LTURN", "WALK"))),
        (("RUN", "LTURN", "WALK", "WALK"), (("RUN",), ("LTURN", "WALK", "WALK"))),
        ((), ((), ())),
    ],
)
def test_parts_by_matching(tokens, parts):
    assert predicted_parts(EXAMPLE, tokens) == parts


def test_alignment_shows_the_difference_however_long_the_part():
    true = ("LTURN", "JUMP") * 12
    example = Example("jump around left thrice and " + "walk around right thrice and " * 8 + "run", (true,))
    lines = aligned(example, (*true[:-1], "RUN"), width=60).splitlines()
    assert max(map(len, lines)) <= 60
    assert " ".join(line.strip() for line in lines[:-2]) == f"spec    {example.spec}"
    assert lines[-2].startswith("x part  1  true       … ")
    assert lines[-2].endswith("JUMP LTURN JUMP")
    assert lines[-1].endswith("JUMP LTURN RUN")


def test_beams_are_graded_by_the_first_and_by_any():
    bench = cg.benchmarks.load("scan/iid")
    examples = list(itertools.islice(bench.examples("test"), 3))

    class Searcher:
        def generate(self, specs, sampler, batch_size):
            programs = [example.program for example in examples]
            return [[programs[0], ("RUN",)], [("RUN",) * 99, programs[1]], [("RUN",) * 99, ("WALK",) * 99]]

    class AllBeams:
        return_all_beams = True

    result = cg.evaluation.evaluate(Searcher(), bench, n=3, sampler=AllBeams())
    assert result.correct == (True, False, False)
    assert result.first_right == (1, 2, None)
    assert [result.solved_within(beams) for beams in (1, 2)] == [1, 2]
    assert result.summary()["beam_search"]["accuracy"] == pytest.approx(2 / 3)
    assert "beam_search" not in cg.evaluation.evaluate(Oracle({1}), bench, n=3).summary()


def test_alignment_shows_examples_of_inputs_and_outputs():
    example = Example((("ab", "b"), ("cd", "d")), (("GetToken", "CHAR", "2"),))
    assert aligned(example, example.program).splitlines()[:2] == ["spec    'ab' → 'b'", "        'cd' → 'd'"]


@pytest.mark.parametrize(
    ("part", "mark"),
    [
        (("GetToken", "CHAR", "2"), " "),
        (("GetToken", "LOWER", "1"), "x"),
        (("GetFrom", "CHAR"), " "),  # another operation with the same results
        (("GetFrom",), "x"),
        ((), "x"),
    ],
)
def test_a_part_that_does_the_same_is_no_mistake(part, mark):
    bench = cg.benchmarks.load("robustfill/iid")
    example = Example((("ab", "b"), ("cd", "d")), (("GetToken", "CHAR", "2"),))
    assert aligned(example, (*part, "SEP"), bench=bench).splitlines()[2][0] == mark


def test_parts_of_a_program_in_prefix_form_need_no_separators():
    """Matching tokens would give GetAll to the first part, since the true first part is a GetAll."""
    bench = cg.benchmarks.load("robustfill/iid")
    example = Example((("ab", "bb"),), (("GetAll", "LOWER"), ("ConstStr", '"b"')))
    tokens = ("ConstStr", '"b"', "Compose", "GetAll", "LOWER", "GetFrom", "LOWER")
    assert predicted_parts(example, tokens, bench) == (tokens[:2], tokens[2:])
    malformed = ("GetAll", "GetAll", "LOWER")
    assert predicted_parts(example, malformed, bench) == predicted_parts(example, malformed)


def test_alignment_marks_wrong_parts():
    lines = aligned(EXAMPLE, ("RUN", "SEP", "LTURN", "SEP")).splitlines()
    assert lines[0] == "spec    run and walk left"
    assert [line[0] for line in lines[1:]] == [" ", " ", "x", "x"]
    assert lines[3].endswith("true       LTURN WALK")
    assert lines[4].endswith("predicted  LTURN")
    assert all(len(line) <= 60 for line in aligned(EXAMPLE, ("RUN",) * 80, width=60).splitlines())
