"""RobustFill's random inputs and programs."""

import numpy as np
import pytest

from compgen_keras.benchmarks.draws import Draws
from compgen_keras.benchmarks.randomness import RandomBlock
from compgen_keras.benchmarks.robustfill.dialect import FULL, MINI
from compgen_keras.benchmarks.robustfill.distributions import distributions
from compgen_keras.benchmarks.robustfill.inputs import draw_inputs
from compgen_keras.benchmarks.robustfill.operations import MODIFICATIONS, SUBSTRINGS, Compose, ConstStr
from compgen_keras.benchmarks.robustfill.sampler import Pool, draw_part


@pytest.mark.parametrize("dialect", [FULL, MINI])
def test_inputs_are_short_and_what_may_be_searched_for_is_counted(dialect):
    for inputs in draw_inputs(RandomBlock("inputs"), dialect, 500):
        assert len(inputs.strings) == 4
        assert all(1 <= len(value) <= dialect.most_characters for value in inputs.strings)
        assert set("".join(inputs.strings)) <= set(dialect.spec_tokens)
        assert ("CHAR" in inputs.types) == dialect.whole_alphabet
        assert inputs.types
        assert inputs.delimiters
        assert set(inputs.counts) == {*inputs.types, *inputs.delimiters}
        assert min(inputs.counts.values()) >= 1
        assert inputs.counts.get("CHAR") in (None, max(map(len, inputs.strings)))


def test_inputs_are_made_as_the_paper_says():
    """Shares against what the definition gives."""
    drawn = draw_inputs(RandomBlock("shares"), FULL, 20_000)
    # Among 3, 4 or 5 kinds, each is a certain one of 8 types with probability 2/3 · 1/8; CHAR is always there.
    absent = np.mean([(1 - 1 / 12) ** kinds for kinds in (3, 4, 5)])
    assert np.mean([len(inputs.types) for inputs in drawn]) == pytest.approx(1 + 7 * (1 - absent), abs=0.03)
    # A kind that was drawn is placed once, twice or three times; DIGIT stands for any type but CHAR.
    placed = [inputs.counts["DIGIT"] for inputs in drawn if "DIGIT" in inputs.types]
    assert min(placed) == 1
    assert np.mean([count <= 3 for count in placed]) > 0.85
    strings = [value for inputs in drawn for value in inputs.strings]
    assert np.mean([len(value) == 20 for value in strings]) > 0.3
    assert max(map(len, strings)) == 20


def pools():
    return tuple(Pool(FULL, operations) for operations in (SUBSTRINGS, MODIFICATIONS, (ConstStr,)))


def test_a_part_and_its_results_belong_together():
    draws = Draws(RandomBlock("programs"))
    composition = Pool(FULL, (Compose,), inner_pools=(MODIFICATIONS, SUBSTRINGS))
    for inputs in draw_inputs(RandomBlock("programs' inputs"), FULL, 1_000):
        operation, results = draw_part(draws, (*pools(), composition), inputs)
        assert all(results)
        assert results == [operation.run(value) for value in inputs.strings]


def test_the_same_names_give_the_same_programs():
    train, _ = distributions("iid", FULL)
    first, again, other = (train.draw(RandomBlock(name), 20) for name in ("a", "a", "b"))
    assert first == again != other
