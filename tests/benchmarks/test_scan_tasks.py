"""What each task's splits hold, checked on the command's text by rules written out again here."""

import itertools
import os
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import compgen_keras as cg
from compgen_keras.benchmarks import Benchmark

TASKS = [f"scan/{task.identifier}" for task in cg.benchmarks.TASKS]
COUNT = 4000


def take(name, split, count=COUNT, seed=0, start=0):
    return list(itertools.islice(cg.benchmarks.load(name).examples(split, seed=seed, start=start), count))


def phrases_of(command):
    return command.replace(" after ", "|").replace(" and ", "|").split("|")


def directions_of(command):
    return [next((word for word in phrase.split() if word in ("left", "right")), None) for phrase in phrases_of(command)]


def one_direction(command):
    return len(set(directions_of(command))) == 1 and None not in directions_of(command)


def both_directions(command):
    return set(directions_of(command)) == {"left", "right"}


def halves(first, second):
    def check(command):
        directions = directions_of(command)
        half = len(directions) // 2
        return directions == [first] * half + [second] * (len(directions) - half)

    return check


def has_jump(command):
    return "jump" in command.split()


def always(command):
    return True


EXPECTED = {
    "scan/iid": (range(1, 11), always, range(1, 11), always),
    "scan/length_generalization": (range(1, 7), always, range(7, 11), always),
    "scan/length_generalization_hard": ([6], always, [1, 2, 3, 4, 5, 7, 8, 9, 10], always),
    "scan/length_generalization_hardest": ([1], always, range(2, 7), always),
    "scan/compose_different_concepts": (range(2, 7), one_direction, range(2, 7), both_directions),
    "scan/switch_concept_order": (range(2, 7), halves("left", "right"), range(2, 7), halves("right", "left")),
    "scan/compose_new_operation": (
        range(1, 7),
        lambda command: command == "jump" or not has_jump(command),
        range(1, 7),
        lambda command: has_jump(command) and command != "jump",
    ),
    "scan/add_operation_functionality": (
        range(1, 7),
        lambda command: "around right" not in command,
        range(1, 7),
        lambda command: "around right" in command,
    ),
}


def test_all_eight_tasks_are_there():
    assert set(TASKS) == set(EXPECTED)
    assert len(TASKS) == 8


@pytest.mark.parametrize("name", TASKS)
def test_splits_hold_what_the_task_says(name):
    train_parts, train_rule, test_parts, test_rule = EXPECTED[name]
    for split, parts, rule in (
        ("train", train_parts, train_rule),
        ("valid", train_parts, train_rule),
        ("test", test_parts, test_rule),
    ):
        examples = take(name, split)
        assert {len(example.parts) for example in examples} == set(parts)
        assert all(rule(example.spec) for example in examples)
        for example in examples[:200]:
            assert example.parts == cg.benchmarks.scan.translate(example.spec)


@pytest.mark.parametrize("name", TASKS)
def test_few_shot_alternates_and_is_disjoint_from_test(name):
    _, train_rule, _, test_rule = EXPECTED[name]
    examples = list(cg.benchmarks.load(name).examples("few_shot"))
    assert len(examples) == 40
    assert all(train_rule(example.spec) for example in examples[::2])
    assert all(test_rule(example.spec) for example in examples[1::2])
    tested = {example.spec for example in take(name, "test", 10_000)}
    assert not tested & {example.spec for example in examples[1::2]}


def test_few_shot_commands_are_left_out_of_the_test_stream_where_they_would_recur():
    """With one part there are 102 commands, so that the test stream would meet the few-shot ones at once."""
    bench = cg.benchmarks.load("scan/iid", parts=(1, 1))
    few_shot = {example.spec for example in bench.examples("few_shot")}
    tested = {example.spec for example in itertools.islice(bench.examples("test"), 5000)}
    assert not tested & few_shot
    assert len(tested | few_shot) == 102


@pytest.mark.parametrize("name", [name for name in TASKS if name != "scan/iid"])
def test_test_never_yields_a_training_command(name):
    train_parts, train_rule, _, _ = EXPECTED[name]
    for example in take(name, "test", 10_000):
        assert len(example.parts) not in train_parts or not train_rule(example.spec)


def share(items, condition):
    return np.mean([condition(item) for item in items])


def test_a_part_is_drawn_as_described():
    """Four templates alike, words alike, a repeat half of the time: within four standard errors on 20,000 parts."""
    phrases = [phrase.split() for example in take("scan/length_generalization_hardest", "train", 20_000) for phrase in [example.spec]]
    error = 4 * np.sqrt(0.25 / len(phrases))
    plain = [phrase for phrase in phrases if not {"left", "right"} & set(phrase)]
    directed = [phrase for phrase in phrases if {"left", "right"} & set(phrase)]
    assert abs(len(plain) / len(phrases) - 1 / 4) < error
    for manner in ("opposite", "around"):
        assert abs(share(phrases, lambda phrase, manner=manner: manner in phrase) - 1 / 4) < error
    for repeat in ("twice", "thrice"):
        assert abs(share(phrases, lambda phrase, repeat=repeat: repeat in phrase) - 1 / 4) < error
    for verb in ("walk", "look", "run", "jump"):
        assert abs(share(plain, lambda phrase, verb=verb: phrase[0] == verb) - 1 / 4) < 2 * error
        assert abs(share(directed, lambda phrase, verb=verb: phrase[0] == verb) - 1 / 5) < 2 * error
    assert abs(share(directed, lambda phrase: "left" in phrase) - 1 / 2) < 2 * error
    assert len({tuple(phrase) for phrase in phrases}) == 102


def test_numbers_of_parts_and_conjunctions_are_uniform():
    examples = take("scan/compose_different_concepts", "test", 10_000)
    counts = Counter(len(example.parts) for example in examples)
    assert all(abs(counts[parts] / 10_000 - 1 / 5) < 0.016 for parts in range(2, 7))
    conjunctions = [word for example in examples for word in example.spec.split() if word in ("and", "after")]
    assert abs(conjunctions.count("and") / len(conjunctions) - 1 / 2) < 0.012


def test_a_tenth_of_new_operation_training_is_jump_alone():
    examples = take("scan/compose_new_operation", "train", 20_000)
    assert abs(share(examples, lambda example: example.spec == "jump") - 0.1) < 4 * np.sqrt(0.09 / 20_000)
    others = Counter(len(example.parts) for example in examples if example.spec != "jump")
    assert all(abs(others[parts] / sum(others.values()) - 1 / 6) < 0.012 for parts in range(1, 7))


MEASURED_MEAN_LENGTHS = {
    "scan/length_generalization_hardest": 6.7,
    "scan/add_operation_functionality": 19.8,
    "scan/compose_new_operation": 20.8,
    "scan/length_generalization": 22.9,
    "scan/switch_concept_order": 31.3,
    "scan/compose_different_concepts": 31.7,
    "scan/length_generalization_hard": 39.4,
}


@pytest.mark.parametrize(("name", "mean"), MEASURED_MEAN_LENGTHS.items())
def test_mean_training_lengths_are_those_of_the_reference(name, mean):
    """Separators included, end token not; the reference's figures are rounded and sampled themselves."""
    _, programs = cg.benchmarks.load(name).token_ids("train", 0, 0, 50_000, separators=True)
    assert programs.lengths.mean() == pytest.approx(mean, rel=0.02)


@given(st.sampled_from(TASKS), st.sampled_from(["train", "valid", "test"]), st.integers(0, 5), st.integers(0, 3000))
def test_a_stream_can_start_anywhere(name, split, seed, start):
    from_zero = take(name, split, start % 40 + 3, seed, start - start % 40)
    assert take(name, split, 3, seed, start) == from_zero[start % 40 :]


@given(st.sampled_from(TASKS), st.sampled_from(["train", "test", "few_shot"]), st.integers(0, 2000), st.booleans())
def test_fast_token_ids_equal_those_made_from_examples(name, split, start, separators):
    bench = cg.benchmarks.load(name)
    start = start % 30 if split == "few_shot" else start
    fast = bench.token_ids(split, 1, start, 10, separators)
    slow = Benchmark.token_ids(bench, split, 1, start, 10, separators)
    for a, b in zip(fast, slow, strict=True):
        assert np.array_equal(a.values, b.values)
        assert np.array_equal(a.lengths, b.lengths)


def test_seeds_and_splits_give_different_streams():
    streams = [tuple(take("scan/iid", split, 20, seed)) for split in ("train", "valid", "test") for seed in (0, 1)]
    assert len(set(streams)) == len(streams)


PROGRAM = """
import itertools, hashlib, compgen_keras as cg
text = ""
for name in cg.benchmarks.names():
    if name.startswith("scan/"):
        for split in ("train", "valid", "test", "few_shot"):
            text += repr(list(itertools.islice(cg.benchmarks.load(name).examples(split, seed=3, start=7), 20)))
print(hashlib.sha256(text.encode()).hexdigest())
"""


def test_another_process_with_another_hash_seed_gives_the_same_examples():
    digests = set()
    for hash_seed in ("0", "1"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        digests.add(subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True).stdout)
    assert len(digests) == 1


def test_sizes():
    bench = cg.benchmarks.load("scan/iid")
    assert len(list(bench.examples("test"))) == 10_000
    assert len(list(bench.examples("valid", start=9_990))) == 10
    assert len(list(itertools.islice(bench.examples("test", start=9_990, endless=True), 20))) == 20
    assert list(bench.examples("few_shot", start=40)) == []


@pytest.mark.parametrize("name", TASKS)
def test_stated_limits_hold(name):
    bench = cg.benchmarks.load(name)
    for split in ("train", "test"):
        specs, programs = bench.token_ids(split, 0, 0, 20_000, separators=True)
        assert specs.lengths.max() <= bench.max_spec_length
        assert programs.lengths.max() + 1 <= bench.max_program_length
    assert bench.max_program_length <= 251
    assert bench.max_spec_length <= 49


def test_the_range_of_parts_is_an_option():
    bench = cg.benchmarks.load("scan/iid", parts=(40, 40))
    assert {len(example.parts) for example in itertools.islice(bench.examples("test"), 50)} == {40}
    assert bench.max_program_length == 40 * 25 + 1


@pytest.mark.parametrize(
    "prediction",
    [None, 7, "JUMP", ["JUMP", None], [["JUMP"]], [], iter(["JUMP"]), object(), [1.5, ("x",)], {"JUMP": 1}, {"JUMP"}, np.array([["JUMP"]])],
)
def test_nonsense_is_wrong_and_never_an_error(prediction):
    bench = cg.benchmarks.load("scan/iid")
    example = cg.benchmarks.Example("jump", (("JUMP",),))
    assert bench.is_correct(example, prediction) is False


def test_separators_do_not_count():
    bench = cg.benchmarks.load("scan/iid")
    example = cg.benchmarks.Example("run and walk", (("RUN",), ("WALK",)))
    assert bench.is_correct(example, ("RUN", "WALK"))
    assert bench.is_correct(example, ["RUN", "SEP", "WALK", "SEP"])
    assert bench.is_correct(example, ["SEP", "RUN", "WALK"])
    assert not bench.is_correct(example, ["WALK", "RUN"])
    assert not bench.is_correct(example, ["RUN", "WALK", "WALK"])
    assert not bench.is_correct(example, ["RUN", "SEP", "WALK", "SEP", cg.data.NO_END])


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: cg.benchmarks.load("scan/nothing"), "unknown task 'nothing' of scan; expected one of iid"),
        (lambda: cg.benchmarks.load("scam/iid"), "unknown benchmark 'scam/iid'"),
        (lambda: cg.benchmarks.load("scan"), "unknown benchmark 'scan'"),
        (lambda: cg.benchmarks.load(None), "unknown benchmark"),
        (lambda: cg.benchmarks.load("scan/length_generalization", parts=(1, 2)), "is for scan/iid and scan/factorial alone"),
        (lambda: cg.benchmarks.load("scan/iid", parts=(3, 2)), "parts is (3, 2)"),
        (lambda: cg.benchmarks.load("scan/iid", parts=5), "parts is 5"),
        (lambda: cg.benchmarks.load("scan/iid", parts=(0, 2)), "parts is (0, 2)"),
        (lambda: cg.benchmarks.load("scan/iid", colour=3), "no option 'colour'; expected one of: parts"),
        (lambda: cg.benchmarks.load("scan/iid", task="iid"), "no option 'task'"),
        (lambda: cg.benchmarks.load("scan/iid").examples("dev"), "unknown split 'dev'"),
        (lambda: cg.benchmarks.load("scan/iid").examples("train", seed=-1), "seed is -1"),
        (lambda: cg.benchmarks.load("scan/iid").examples("train", start=1.5), "start is 1.5"),
    ],
)
def test_bad_arguments_are_named(call, complaint):
    with pytest.raises(ValueError) as caught:
        call()
    assert complaint in str(caught.value)
