"""RobustFill's eight tasks: what each split holds, and how often."""

import itertools
import pickle
import re
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest

import compgen_keras as cg
from compgen_keras.benchmarks import TASKS
from compgen_keras.benchmarks.robustfill import program_from_tokens
from compgen_keras.benchmarks.robustfill.operations import MODIFICATIONS, SUBSTRINGS, Compose, ConstStr, Substring
from compgen_keras.data import NO_END

DOMAINS = ("robustfill", "robustfill-mini")
NAMES = [f"{domain}/{task.identifier}" for domain in DOMAINS for task in TASKS]


def programs(name, split, count, seed=0):
    examples = itertools.islice(cg.benchmarks.load(name).examples(split, seed=seed, endless=split != "few_shot"), count)
    return [program_from_tokens(example.program).expressions for example in examples]


def kind(expression):
    """s: substring operation, m: modification, c: constant, M and S: composition with one of these inside."""
    if isinstance(expression, Compose):
        return "S" if isinstance(expression.inner, Substring) else "M"
    return "c" if isinstance(expression, ConstStr) else "s" if isinstance(expression, Substring) else "m"


def kinds(expressions):
    return "".join(map(kind, expressions))


def in_halves(first, second):
    return lambda text: set(text[: len(text) // 2]) <= set(first) and set(text[len(text) // 2 :]) <= set(second)


ANY = set("smcMS")
# For each task: training, then test; the numbers of parts, and what must hold of a program's kinds.
EXPECTED = {
    "iid": ((range(1, 11), lambda text: set(text) <= ANY),) * 2,
    "length_generalization": ((range(1, 7), lambda text: set(text) <= ANY), (range(7, 11), lambda text: set(text) <= ANY)),
    "length_generalization_hard": (
        ((6,), lambda text: set(text) <= ANY),
        ((1, 2, 3, 4, 5, 7, 8, 9, 10), lambda text: set(text) <= ANY),
    ),
    "length_generalization_hardest": (((1,), lambda text: text in ANY), (range(2, 7), lambda text: set(text) <= ANY)),
    "compose_different_concepts": (
        (range(2, 7), lambda text: set(text) <= {"s"} or set(text) <= set("mc")),
        (range(2, 7), lambda text: set(text) <= set("smc") and "s" in text and text.strip("s")),
    ),
    "switch_concept_order": ((range(2, 7), in_halves("s", "mc")), (range(2, 7), in_halves("mc", "s"))),
    "compose_new_operation": (
        (range(1, 7), lambda text: text in ("M", "S") or (len(text) > 1 and set(text) <= set("smc"))),
        (range(2, 7), lambda text: set(text) <= ANY and ("M" in text or "S" in text)),
    ),
    "add_operation_functionality": (
        (range(1, 7), lambda text: set(text) <= set("smcM")),
        (range(1, 7), lambda text: set(text) <= ANY and "S" in text),
    ),
}


@pytest.mark.parametrize("name", NAMES)
def test_each_split_holds_what_its_task_says(name):
    train, test = EXPECTED[name.split("/")[1]]
    for split, (parts, holds) in {"train": train, "valid": train, "test": test}.items():
        drawn = [kinds(expressions) for expressions in programs(name, split, 400)]
        assert {len(text) for text in drawn} == set(parts)
        assert all(map(holds, drawn))
    few = [kinds(expressions) for expressions in programs(name, "few_shot", 100)]
    assert len(few) == 40
    assert all(holds(text) and len(text) in parts for side, (parts, holds) in enumerate((train, test)) for text in few[side::2])


def test_pools_and_kinds_have_the_stated_shares():
    """On 100,000 programs; four standard deviations of a share are allowed."""
    drawn = programs("robustfill/length_generalization", "train", 100_000, seed=1)
    parts = Counter(map(len, drawn))
    assert set(parts) == set(range(1, 7))
    assert all(abs(count / 100_000 - 1 / 6) < 4 * np.sqrt(5 / 36 / 100_000) for count in parts.values())
    flat = [expression for expressions in drawn for expression in expressions]
    share = Counter(map(kind, flat))
    allowed = 4 * np.sqrt(3 / 16 / len(flat))
    composed = share["M"] + share["S"]
    # A pool whose operation fails is drawn anew, which only Remove and RemoveAll do, seldom.
    assert all(abs(count / len(flat) - 1 / 4) < allowed + 0.003 for count in (share["s"], share["m"], share["c"], composed))
    assert abs(share["S"] / composed - 1 / 2) < 4 * np.sqrt(1 / 4 / composed)
    names = Counter(type(expression).__name__ for expression in flat)
    for operations in (SUBSTRINGS, MODIFICATIONS):
        total = sum(names[operation.__name__] for operation in operations)
        for operation in operations:
            assert names[operation.__name__] / total == pytest.approx(1 / len(operations), abs=0.012)
    outer = Counter(type(expression.outer).__name__ for expression in flat if isinstance(expression, Compose))
    # Measured of the published implementation, to three digits.
    published = {"Trim": 0.121, "ToCase": 0.121, "SubstituteAll": 0.123, "Remove": 0.111, "GetAll": 0.102, "RemoveAll": 0.096}
    published["GetFirst"] = 0.084
    for name, expected in published.items():
        assert outer[name] / composed == pytest.approx(expected, abs=0.006)


def test_a_quarter_of_the_programs_of_compose_new_operation_are_one_composition():
    drawn = [kinds(expressions) for expressions in programs("robustfill/compose_new_operation", "train", 8_000)]
    assert sum(len(text) == 1 for text in drawn) / 8_000 == pytest.approx(0.25, abs=0.02)
    longer = Counter(len(text) for text in drawn if len(text) > 1)
    assert all(count / sum(longer.values()) == pytest.approx(0.2, abs=0.02) for count in longer.values())


def test_a_coin_for_each_program_chooses_the_concept_and_the_flat_pool_has_ten_operations():
    drawn = programs("robustfill/compose_different_concepts", "train", 6_000)
    substrings = [expressions for expressions in drawn if kind(expressions[0]) == "s"]
    assert len(substrings) / len(drawn) == pytest.approx(0.5, abs=0.03)
    others = [e for expressions in drawn if kind(expressions[0]) != "s" for e in expressions]
    assert sum(isinstance(e, ConstStr) for e in others) / len(others) == pytest.approx(0.1, abs=0.01)


def test_inputs_of_the_mini_family_are_a_number_and_a_word():
    examples = itertools.islice(cg.benchmarks.load("robustfill-mini/iid").examples("train"), 200)
    given = [text for example in examples for text, _ in example.spec]
    number, word = "[,./:][0-9]{2,3}", "[,./:][a-z]{2,3}"
    assert all(re.fullmatch(f"{number}{word}|{word}{number}", text) for text in given)
    assert {len(text) for text in given} == {6, 7, 8}


def test_operations_of_the_mini_family_are_all_possible_on_its_inputs():
    """A quarter of the parts are substring operations, a third of these GetFrom: the shares of the pools, none of which is ever skipped."""
    drawn = [expression for expressions in programs("robustfill-mini/iid", "train", 3_000) for expression in expressions]
    names = [type(expression).__name__ for expression in drawn]
    for name in ("GetToken", "GetUpto", "GetFrom", "ToCase", "GetAll", "RemoveAll"):
        assert names.count(name) / len(names) == pytest.approx(1 / 12, abs=0.012), name
    for example in itertools.islice(cg.benchmarks.load("robustfill-mini/iid").examples("train"), 200):
        delimiters = {frozenset(re.findall("[,./:]", text)) for text, _ in example.spec}
        assert len(delimiters) == 1, "the same delimiters in all of a task's inputs"


@pytest.mark.parametrize("name", NAMES)
def test_examples_are_true_of_their_programs_and_no_part_is_empty(name):
    bench = cg.benchmarks.load(name)
    for example in itertools.islice(bench.examples("test"), 100):
        program = program_from_tokens(example.program)
        assert program.parts == example.parts
        assert len(example.spec) == 4
        assert all(program(given) == wanted for given, wanted in example.spec)
        assert all(expression.run(given) for expression in program.expressions for given, _ in example.spec)
        assert set(example.program) <= set(bench.program_tokens)
        assert all(set(given + wanted) <= set(bench.spec_tokens) for given, wanted in example.spec)
        assert max(len(wanted) for _, wanted in example.spec) <= bench.max_spec_length
        assert len(example.program) + len(example.parts) + 1 <= bench.max_program_length


def test_what_is_right_is_decided_by_running():
    bench = cg.benchmarks.load("robustfill/iid")
    example = cg.benchmarks.Example((("ab cd", "ab."), ("x yz", "x.")), (("GetToken", "WORD", "1"), ("ConstStr", '"."')))
    assert bench.is_correct(example, example.program)
    assert bench.is_correct(example, ("GetToken", "LOWER", "1", "SEP", "ConstStr", '"."', "SEP"))
    assert bench.is_correct(example, ["GetToken", "WORD", "-2", "ConstStr", '"."'])
    wrong = [
        ("GetToken", "WORD", "1"),  # right inputs, no full stop
        ("GetToken", "WORD", "2", "ConstStr", '"."'),
        ("SubStr", "1", "2", "ConstStr", '"."'),  # right on the first example alone
        (*example.program, NO_END),
        ("GetToken", "WORD"),
        ("Compose", "GetToken", "WORD", "1", "ConstStr", '"."'),
        (),
        ("SEP",),
        None,
        7,
        "GetToken",
        [1, 2],
    ]
    assert not any(bench.is_correct(example, tokens) for tokens in wrong)


@pytest.mark.parametrize("split", ["train", "test", "few_shot"])
def test_streams_start_anywhere_and_are_the_same_in_another_process(split):
    bench = cg.benchmarks.load("robustfill/switch_concept_order")
    size = 40 if split == "few_shot" else 600
    stream = list(itertools.islice(bench.examples(split, seed=3), size))
    for start in (0, 7, 255, 256, 300):
        assert list(itertools.islice(bench.examples(split, seed=3, start=start), 5)) == stream[start : start + 5]
    code = (
        "import itertools, compgen_keras as cg\n"
        "bench = cg.benchmarks.load('robustfill/switch_concept_order')\n"
        f"print(list(itertools.islice(bench.examples({split!r}, seed=3, start=10), 5)))"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": "5"})
    assert printed.stdout.strip() == str(stream[10:15])
    again = pickle.loads(pickle.dumps(bench))
    assert list(itertools.islice(again.examples(split, seed=3), 5)) == stream[:5]


def test_few_shot_examples_are_not_among_the_test_examples():
    # Single parts on short inputs repeat often enough for this to show something.
    bench = cg.benchmarks.load("robustfill-mini/length_generalization_hardest")
    few = {example.spec for example in bench.examples("few_shot")}
    assert not any(example.spec in few for example in bench.examples("test"))


@pytest.mark.parametrize("name", ["robustfill/iid", "robustfill-mini/iid"])
@pytest.mark.parametrize("separators", [True, False])
def test_token_ids_are_those_of_the_examples(name, separators):
    bench = cg.benchmarks.load(name)
    codec = cg.data.Codec.for_benchmark(bench, separators)
    specs, targets = codec.encode_stream(bench, "train", 1, 250, 20)
    examples = list(itertools.islice(bench.examples("train", seed=1, start=250), 20))
    again = codec.encode_specs([example.spec for example in examples])
    lengths = specs.longest
    assert all(np.array_equal(specs.padded(*lengths)[side], again.padded(*lengths)[side]) for side in ("inputs", "outputs"))
    for row, length, example in zip(targets.padded(*targets.longest), targets.lengths, examples, strict=True):
        expected = [token for part in example.parts for token in (*part, *(["SEP"] if separators else []))]
        assert codec.decode_program(row[:length]) == tuple(expected)


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("ab", "a specification is a list of"),
        ([], "a specification is a list of"),
        (7, "a specification is a list of"),
        ([("a", "b"), "ab"], "pair 2 is 'ab'; expected an input and an output"),
        ([("a", 7)], "pair 1 is .*; expected an input and an output, both strings"),
        ([("a", "b"), ("é", "b")], "character 1 of the input of pair 2 is 'é', which the language lacks"),
        ([("a", "b\n")], "character 2 of the output of pair 1 is"),
        ([("a", ""), ("b", "")], "the outputs of all pairs are empty; expected at least one"),
        ([("a" * 1001, "b")], "the input of pair 1 has 1,001 characters; expected at most 1,000"),
    ],
)
def test_bad_specifications_are_named(spec, complaint):
    codec = cg.data.Codec.for_benchmark(cg.benchmarks.load("robustfill/iid"), True)
    with pytest.raises(ValueError, match=f"specification 1: {complaint}"):
        codec.encode_specs([spec])


def test_a_codec_refuses_a_benchmark_with_other_tokens():
    full, mini, scan = (cg.benchmarks.load(name) for name in ("robustfill/iid", "robustfill-mini/iid", "scan/iid"))
    codec = cg.data.Codec.for_benchmark(mini, True)
    for other in (full, scan):
        with pytest.raises(ValueError, match="the codec of robustfill-mini/iid does not have the tokens of"):
            codec.encode_stream(other, "train", 0, 0, 3)
        with pytest.raises(ValueError, match="does not have the tokens of"):
            cg.data.TrainingBatches(other, codec)
    cg.data.TrainingBatches(cg.benchmarks.load("robustfill-mini/length_generalization"), codec)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("few_shot", 0, 0, 41), "41 examples from 0 on were asked for, but the split 'few_shot' has 40"),
        (("train", 0, 0, 0), "count is 0; expected an integer from 1"),
        (("testing", 0, 0, 1), "unknown split 'testing'"),
    ],
)
def test_bad_arguments_of_token_ids_are_named(arguments, complaint):
    with pytest.raises(ValueError, match=complaint):
        cg.benchmarks.load("robustfill-mini/iid").token_ids(*arguments, separators=True)


def test_specifications_may_differ_in_how_many_pairs_they_have():
    codec = cg.data.Codec.for_benchmark(cg.benchmarks.load("robustfill/iid"), True)
    padded = codec.encode_specs([[("ab", "a")], [("c", "c"), ("", "d")]]).padded(3, 2)
    assert (padded["inputs"] > 0).tolist() == [[[True, True, False], [False] * 3], [[True, False, False], [False] * 3]]
    assert (padded["outputs"] > 0).tolist() == [[[True, False], [False] * 2], [[True, False], [True, False]]]
