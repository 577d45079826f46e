"""RobustFill's random inputs and programs."""

from collections import Counter

import pytest

from compgen_keras.benchmarks.randomness import RandomBlock
from compgen_keras.benchmarks.robustfill import Program, parse
from compgen_keras.benchmarks.robustfill.draws import Draws
from compgen_keras.benchmarks.robustfill.inputs import draw_inputs
from compgen_keras.benchmarks.robustfill.operations import MODIFICATIONS, SUBSTRINGS, Compose, ConstStr
from compgen_keras.benchmarks.robustfill.sampler import Pool, draw_part

FOUR_POOLS = (Pool(SUBSTRINGS), Pool(MODIFICATIONS), Pool((Compose,)), Pool((ConstStr,)))


def test_inputs_are_short_and_what_may_be_searched_for_is_counted():
    draws = Draws(RandomBlock("inputs"))
    for _ in range(500):
        inputs = draw_inputs(draws, 4, 20)
        assert len(inputs.strings) == 4
        assert all(1 <= len(value) <= 20 for value in inputs.strings)
        assert "CHAR" in inputs.types
        assert inputs.delimiters
        assert all(inputs.counts[kind] >= 1 for kind in (*inputs.types, *inputs.delimiters))
        assert inputs.counts["CHAR"] == max(map(len, inputs.strings))


def test_no_part_is_ever_empty_and_pools_are_drawn_alike():
    draws = Draws(RandomBlock("programs"))
    kinds, outer = Counter(), Counter()
    for _ in range(4_000):
        inputs = draw_inputs(draws, 4, 20)
        operation, results = draw_part(draws, FOUR_POOLS, inputs)
        assert all(results)
        assert results == [operation.run(value) for value in inputs.strings]
        assert parse(str(Program((operation,)))) == Program((operation,))
        kinds[next(n for n, pool in enumerate(FOUR_POOLS) if type(operation) in pool.operations)] += 1
        if isinstance(operation, Compose):
            outer[type(operation.outer).__name__] += 1
    assert all(share / 4_000 == pytest.approx(0.25, abs=0.03) for share in kinds.values())
    assert set(outer) == {operation.__name__ for operation in MODIFICATIONS}


def test_the_same_names_give_the_same_program():
    first, again, other = (
        draw_part(draws, FOUR_POOLS, draw_inputs(draws, 4, 20)) for draws in map(Draws, map(RandomBlock, ("a", "a", "b")))
    )
    assert first == again != other
