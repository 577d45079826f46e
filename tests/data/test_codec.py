import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import compgen_keras as cg
from compgen_keras.benchmarks.ragged import Ragged
from compgen_keras.data import EOS_ID, NO_END, SEP_ID, Codec, Vocabulary

rows_of_numbers = st.lists(st.lists(st.integers(0, 99), max_size=5), min_size=1, max_size=6)


@given(rows_of_numbers, st.randoms())
def test_ragged_keeps_its_rows(rows, random):
    ragged = Ragged.from_rows(rows)

    def rows_in(ragged):
        return [row[:length].tolist() for row, length in zip(ragged.padded(5), ragged.lengths, strict=True)]

    assert rows_in(ragged) == rows
    order = [random.randrange(len(rows)) for _ in range(4)]
    assert rows_in(ragged.select(np.array(order))) == [rows[i] for i in order]
    assert rows_in(Ragged.concatenate([ragged, ragged])) == rows + rows


@pytest.mark.parametrize("separators", [True, False])
@pytest.mark.parametrize("split", ["train", "test", "few_shot"])
def test_targets_decode_to_the_programs(separators, split):
    bench = cg.benchmarks.load("scan/switch_concept_order")
    codec = Codec.for_benchmark(bench, separators)
    specs, targets = codec.encode_stream(bench, split, 2, 5, 30)
    examples = list(itertools.islice(bench.examples(split, seed=2, start=5), 30))
    for row, example in zip(targets.padded(160), examples, strict=True):
        tokens = codec.decode_program(row)
        assert bench.is_correct(example, tokens)
        expected = [token for part in example.parts for token in (*part, "SEP")] if separators else example.program
        assert tokens == tuple(expected)
    again = codec.encode_specs([example.spec for example in examples])
    assert np.array_equal(again.values, specs.values)
    assert np.array_equal(again.lengths, specs.lengths)


def test_a_program_without_end_is_marked():
    codec = Codec.for_benchmark(cg.benchmarks.load("scan/iid"), True)
    run = codec.program_vocabulary.ids(["RUN"])[0]
    assert codec.decode_program([run, SEP_ID]) == ("RUN", "SEP", NO_END)
    assert codec.decode_program([run, SEP_ID, EOS_ID, run]) == ("RUN", "SEP")
    assert codec.decode_program([EOS_ID]) == ()


def test_config_round_trip():
    codec = Codec.for_benchmark(cg.benchmarks.load("scan/iid"), True)
    assert Codec(**codec.get_config()).get_config() == codec.get_config()


def test_vocabulary_complains_of_repeated_and_unknown_tokens():
    with pytest.raises(ValueError, match="holds 'a' more than once"):
        Vocabulary(["a", "b", "a"])
    with pytest.raises(ValueError, match="holds 'SEP' more than once"):
        Vocabulary(["SEP"])
    with pytest.raises(ValueError, match="token 'c' is not in the vocabulary of 5 tokens"):
        Vocabulary(["a", "b"]).ids(["a", "c"])
