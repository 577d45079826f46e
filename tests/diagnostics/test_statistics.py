"""Every statistic on cases that are worked out by hand."""

import numpy as np
import pytest

import compgen_keras as cg
from compgen_keras.benchmarks import Example
from compgen_keras.data import NO_END
from compgen_keras.diagnostics import (
    Share,
    Target,
    align,
    first_errors,
    recovery,
    share_of,
    token_accuracy,
    with_end,
)

SCAN = cg.benchmarks.load("scan/iid")
WALK, LEFT, RUNS, JUMP = ("WALK",), ("LTURN", "RUN"), ("RUN", "RUN"), ("JUMP",)
EXAMPLE = Example("walk and run left and run twice and jump", (WALK, LEFT, RUNS, JUMP))


def program(*parts, separators=False):
    return tuple(token for part in parts for token in ((*part, "SEP") if separators else part))


def test_shares():
    assert share_of([True, False, False, False]).value == 0.25
    assert share_of([]).value is share_of([]).interval is None
    assert Share(8, 10).interval == cg.evaluation.wilson_interval(8, 10)


def test_a_program_that_never_ends_has_no_end_token():
    assert with_end(("WALK", NO_END)) == ("WALK",)
    target = Target.of(EXAMPLE, separators=False)
    assert target.agreement(with_end((*EXAMPLE.program, NO_END))).tolist() == [True] * 6 + [False]
    assert target.agreement(with_end(EXAMPLE.program)).all()


def test_token_accuracy_by_hand():
    found = token_accuracy([[True, True, False], [False, True], [True]], parts=[2, 1, 2])
    assert found.by_position == (Share(2, 3), Share(2, 2), Share(0, 1))
    assert found.by_parts == {1: Share(1, 2), 2: Share(3, 4)}
    assert found.overall == Share(4, 6)


def test_first_errors_by_hand():
    """Of four programs one is right, one is wrong in part 1, one misses a separator behind part 2, one goes on at the end."""
    example = Example("walk and run", (("WALK",), ("RUN",)))
    target = Target.of(example, separators=True)
    right = ("WALK", "SEP", "RUN", "SEP", "EOS")
    written = [right, ("JUMP", *right[1:]), ("WALK", "SEP", "RUN", "RUN", "EOS"), (*right[:-1], "WALK", "SEP", "EOS")]
    found = first_errors(written, [target] * 4)
    assert found.any == Share(3, 4)
    assert found.by_position == (Share(1, 4), Share(0, 3), Share(0, 3), Share(1, 3), Share(1, 2))
    assert found.by_part == (Share(1, 4), Share(1, 3))
    assert found.at_end == Share(1, 2)
    assert found.by_kind == {"token": 1, "separator": 1, "early_end": 0, "late_end": 1}


def test_places_that_an_example_does_not_have_are_not_safe_places():
    short, long = (Target.of(Example("", parts), separators=False) for parts in ((WALK,), (WALK, JUMP)))
    found = first_errors([("WALK", "EOS"), ("WALK", "EOS")], [short, long])
    assert found.by_part == (Share(0, 2), Share(1, 1))
    assert found.at_end == Share(0, 1)
    assert found.by_kind["early_end"] == 1


@pytest.mark.parametrize("separators", [True, False])
@pytest.mark.parametrize(
    ("parts", "right", "end_right"),
    [
        ((WALK, LEFT, RUNS, JUMP), "1111", True),
        ((WALK, LEFT, RUNS), "1110", True),  # stops early
        ((WALK, RUNS, JUMP), "1011", True),  # leaves one out
        ((WALK, JUMP, RUNS, JUMP), "1011", True),  # another one in its place
        ((WALK, ("LTURN", "RUN", "LTURN"), RUNS, JUMP), "1101", True),  # one too long: the next has the first wrong token
        ((WALK, ("LTURN",), RUNS, JUMP), "1101", True),  # one too short, which shows one token later
        ((JUMP, JUMP, JUMP), "0001", True),
        ((), "0000", True),
        ((WALK, LEFT, RUNS, JUMP, JUMP), "1111", False),  # goes on
        ((JUMP, LEFT, RUNS, JUMP, ("LTURN",)), "0111", False),
    ],
)
def test_alignment_by_hand(parts, right, end_right, separators):
    """Separators make no difference."""
    found = align(SCAN, EXAMPLE, program(*parts, separators=separators))
    assert "".join(str(int(answer)) for answer in found.right) == right
    assert found.end_right == end_right
    assert found.first_wrong == (right.find("0") if "0" in right else None if end_right else 4)


def test_a_program_is_solved_if_and_only_if_all_parts_and_the_end_are_right():
    random = np.random.default_rng(0)
    for example in [next(SCAN.examples("test", start=start)) for start in range(40)]:
        tokens = list(example.program)
        for _ in range(random.integers(3)):
            tokens[random.integers(len(tokens))] = "JUMP"
        found = align(SCAN, example, tuple(tokens))
        assert (all(found.right) and found.end_right) == SCAN.is_correct(example, tuple(tokens))
        assert not align(SCAN, example, (*example.program, NO_END)).end_right


def test_parts_of_robustfill_are_compared_by_what_they_do():
    bench = cg.benchmarks.load("robustfill/iid")
    example = Example((("ab", "bab"), ("cd", "dcd")), (("GetToken", "CHAR", "2"), ("GetAll", "LOWER"), ("ConstStr", '"b"')))
    same = ("GetFrom", "CHAR")  # the second character of two, too
    assert align(bench, example, (*same, "GetAll", "LOWER", "ConstStr", '"b"')).right == (True, True, True)
    assert align(bench, example, ("ConstStr", '"a"', "ConstStr", '"b"')).right == (False, False, True)


def test_recovery_by_hand():
    """Free running leaves out the second part of the first example; the second example is right."""
    targets = [Target.of(EXAMPLE, separators=False)] * 2
    #                WALK   LTURN  RUN    RUN    RUN   JUMP   EOS
    teacher = ("WALK", "RUN", "RUN", "RUN", "RUN", "WALK", "EOS")
    found = recovery(SCAN, [EXAMPLE] * 2, targets, [program(WALK, RUNS, JUMP), EXAMPLE.program], [teacher, targets[1].tokens])
    # Behind the first error, at LTURN, stand RUN JUMP EOS in place of RUN RUN RUN JUMP EOS.
    assert found.tokens == Share(1, 5)
    assert found.tokens_teacher == Share(4, 5)
    second, third, fourth = (found.by_part[number] for number in (2, 3, 4))
    assert (second.after_right, second.after_right_teacher, second.after_wrong) == (Share(1, 2), Share(1, 2), Share(0, 0))
    assert (third.after_right, third.after_wrong, third.after_wrong_teacher) == (Share(1, 1), Share(1, 1), Share(1, 1))
    assert (fourth.after_right, fourth.after_wrong, fourth.after_wrong_teacher) == (Share(1, 1), Share(1, 1), Share(0, 1))
    assert found.parts.after_wrong == Share(2, 2)
    assert found.parts.chance == Share(0, 0), "there is no other wrong program"


def test_chance_is_what_another_program_would_give():
    """Two programs go wrong in part 1 and each goes on as its own target does: exchanged, only JUMP fits."""
    other = Example("run and look and walk and jump", (("RUN",), ("LOOK",), WALK, JUMP))
    examples = [EXAMPLE, other]
    targets = [Target.of(example, separators=False) for example in examples]
    written = [program(("RUN",), LEFT, RUNS, JUMP), program(("JUMP",), ("LOOK",), WALK, JUMP)]
    found = recovery(SCAN, examples, targets, written, [target.tokens for target in targets])
    assert found.parts.after_wrong == Share(6, 6)
    assert found.parts.chance == Share(2, 6)
