import keras
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from keras import ops

from compgen_keras.layers import DecompositionMask, Tokens, mask_strategy_names, register_mask_strategy
from compgen_keras.layers.mask_strategy import _STRATEGIES
from compgen_keras.models.memory import choose_memory

pytestmark = pytest.mark.backend

PAD, SEP, BOS = 0, 1, 2
FIGURE_1 = [SEP, 5, 5, 5, SEP, 6, 7, 6, 7, SEP, 8, 9, SEP]
"""SEP WALK WALK WALK SEP LTURN JUMP LTURN JUMP SEP RTURN RUN SEP"""

OWN_PART = {
    1: {0, 1},
    2: {0, 1, 2},
    3: {0, 1, 2, 3},
    5: {4, 5},
    6: {4, 5, 6},
    7: {4, 5, 6, 7},
    8: {4, 5, 6, 7, 8},
    10: {9, 10},
    11: {9, 10, 11},
}
FIGURE_1_ROWS = {
    "sep_to_last": {0: {0}, 4: {3, 4}, 9: {3, 8, 9}, 12: {3, 8, 11, 12}},
    "sep_to_sep_and_last": {0: {0}, 4: {0, 3, 4}, 9: {0, 3, 4, 8, 9}, 12: {0, 3, 4, 8, 9, 11, 12}},
    "sep_full_attention": {0: {0}, 4: set(range(5)), 9: set(range(10)), 12: set(range(13))},
}


def computed(strategy, tokens, **ids):
    layer = DecompositionMask(strategy, sep_id=SEP, pad_id=PAD, **ids)
    return np.asarray(layer(np.array(tokens)))


@pytest.mark.parametrize("strategy", FIGURE_1_ROWS)
def test_figure_1(strategy):
    rows = {**OWN_PART, **FIGURE_1_ROWS[strategy]}
    mask = computed(strategy, [FIGURE_1])[0]
    assert {query: set(np.flatnonzero(mask[query])) for query in range(13)} == rows


def test_causal():
    assert np.array_equal(computed("causal", [FIGURE_1])[0], np.tril(np.ones((13, 13), dtype=bool)))


def by_loops(strategy, tokens, starts=(SEP,)):
    """The definition, query by query and key by key."""
    length = len(tokens)
    mask = np.zeros((length, length), dtype=bool)
    for q in range(length):
        mask[q, q] = True
        if tokens[q] == PAD:
            continue
        opening = max((k for k in range(q + 1) if tokens[k] in starts), default=0)
        for k in range(q):
            if tokens[k] == PAD:
                continue
            last_of_part = tokens[k + 1] in starts
            if strategy == "causal" or (tokens[q] in starts and strategy == "sep_full_attention"):
                mask[q, k] = True
            elif tokens[q] in starts and strategy == "sep_to_sep_and_last":
                mask[q, k] = tokens[k] in starts or last_of_part
            elif tokens[q] in starts:
                mask[q, k] = last_of_part
            else:
                mask[q, k] = k >= opening
    return mask


STRATEGIES = ["causal", "sep_full_attention", "sep_to_sep_and_last", "sep_to_last"]
sequences = st.lists(st.sampled_from([PAD, SEP, SEP, 3, 4, 5]), min_size=14, max_size=14)


@pytest.mark.parametrize("strategy", STRATEGIES)
@given(st.lists(sequences, min_size=1, max_size=3))
def test_random_sequences_follow_the_definition(strategy, batch):
    mask = computed(strategy, batch)
    for row, tokens in zip(mask, batch, strict=True):
        assert np.array_equal(row, by_loops(strategy, tokens))


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(
    "tokens",
    [
        [3, 4, 5, 4],
        [SEP, SEP, SEP],
        [SEP, 3, SEP, SEP, 4, SEP, PAD, PAD],
        [PAD, PAD, PAD],
        [3, SEP],
        [PAD, SEP, 3, PAD, 4, SEP],
    ],
)
def test_edges_follow_the_definition(strategy, tokens):
    assert np.array_equal(computed(strategy, [tokens])[0], by_loops(strategy, tokens))


def test_a_start_token_of_its_own_counts_as_a_separator():
    tokens = [BOS, 5, 6, SEP, 7, SEP]
    for strategy in STRATEGIES:
        assert np.array_equal(computed(strategy, [tokens], bos_id=BOS)[0], by_loops(strategy, tokens, starts=(SEP, BOS)))


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_one_row_equals_that_row_of_the_whole(strategy):
    tokens = np.array([FIGURE_1, FIGURE_1[:10] + [PAD] * 3])
    layer = DecompositionMask(strategy, sep_id=SEP, pad_id=PAD)
    whole = np.asarray(layer(tokens))
    described = layer.describe(tokens)
    for query in range(13):
        assert np.array_equal(np.asarray(layer.between(described.at(query), described)), whole[:, query : query + 1])


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("cut", [1, 4, 6, 12])
def test_tokens_described_in_two_pieces_are_the_same(strategy, cut):
    tokens = np.array([FIGURE_1, [SEP, 5, SEP, SEP, 6, 5, 7, SEP, 8, SEP, PAD, PAD, PAD]])
    layer = DecompositionMask(strategy, sep_id=SEP, pad_id=PAD)
    # A piece cannot know that a separator follows its last token, so the first one is read with one token more.
    first = Tokens(*(np.asarray(value)[:, :cut] for value in vars(layer.describe(tokens[:, : cut + 1])).values()))
    parts_before = (tokens[:, :cut] == SEP).sum(axis=1).astype("int32")
    second = layer.describe(tokens[:, cut:], first_position=cut, parts_before=parts_before)
    assert np.array_equal(np.asarray(layer.between(second, first.followed_by(second))), np.asarray(layer(tokens))[:, cut:])


@pytest.mark.parametrize("strategy", STRATEGIES)
@given(st.lists(st.sampled_from([SEP, SEP, 3, 4, 5]), min_size=2, max_size=14), st.integers(1, 13))
def test_what_is_forgotten_is_never_attended_again(strategy, tokens, position):
    tokens = [SEP, *tokens]
    position = min(position, len(tokens) - 1)
    layer = DecompositionMask(strategy, sep_id=SEP, pad_id=PAD)
    kept, remembered, parts_before = choose_memory(layer, np.array([tokens]), position, np.arange(position)[None])
    assert np.array_equal(kept, remembered.position)
    assert parts_before[0] == tokens[:position].count(SEP)
    mask = by_loops(strategy, tokens)
    forgotten = sorted(set(range(position)) - set(kept[0].tolist()))
    assert not mask[position:, forgotten].any()
    if strategy in ("causal", "sep_full_attention"):
        assert not forgotten


def test_what_sep_to_last_remembers_of_figure_1():
    layer = DecompositionMask("sep_to_last", sep_id=SEP, pad_id=PAD)
    program = np.array([FIGURE_1])
    for position, expected in ((3, [0, 1, 2]), (4, [3]), (7, [3, 4, 5, 6]), (12, [3, 8, 11])):
        assert choose_memory(layer, program, position, np.arange(position)[None])[0][0].tolist() == expected


def test_later_tokens_change_nothing():
    """While decoding, places after the query hold padding; its row must be what it is in the finished program."""
    for strategy in STRATEGIES:
        whole = computed(strategy, [FIGURE_1])[0]
        for query in range(13):
            so_far = FIGURE_1[: query + 1] + [PAD] * (12 - query)
            assert np.array_equal(computed(strategy, [so_far])[0, query], whole[query])


def test_a_strategy_can_be_registered_in_five_lines(monkeypatch):
    monkeypatch.setattr("compgen_keras.layers.mask_strategy._STRATEGIES", dict(_STRATEGIES))

    @register_mask_strategy("sep_to_sep_only")
    def sep_to_sep_only(query, key):
        return ops.where(query.is_separator, key.is_separator, key.part == query.part)

    mask = computed("sep_to_sep_only", [FIGURE_1])[0]
    assert set(np.flatnonzero(mask[12])) == {0, 4, 9, 12}
    assert set(np.flatnonzero(mask[11])) == {9, 10, 11}
    assert "sep_to_sep_only" in mask_strategy_names()
    with pytest.raises(ValueError, match="'sep_to_last' exists already"):
        register_mask_strategy("sep_to_last")(sep_to_sep_only)
    with pytest.raises(ValueError, match="remembers is True; expected a function"):
        register_mask_strategy("another", remembers=True)


def test_round_trip_of_the_config():
    layer = DecompositionMask("sep_to_last", sep_id=4, pad_id=3, bos_id=9)
    again = keras.saving.deserialize_keras_object(keras.saving.serialize_keras_object(layer))
    tokens = np.array([[9, 5, 4, 6, 4, 3]])
    assert np.array_equal(np.asarray(layer(tokens)), np.asarray(again(tokens)))


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("sep_to_everything", 1, 0), "unknown mask strategy 'sep_to_everything'; expected one of causal, sep_full_attention"),
        (("causal", 1, 1), "sep_id is 1, pad_id is 1; expected ids that differ"),
        (("causal", "SEP", 0), "sep_id is 'SEP'; expected an integer from 0"),
        (("causal", 1, 0, 0), "bos_id is 0; expected ids that differ"),
    ],
)
def test_bad_arguments_are_named(arguments, complaint):
    with pytest.raises(ValueError, match=complaint):
        DecompositionMask(*arguments)
