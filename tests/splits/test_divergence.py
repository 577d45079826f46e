"""Divergences against values worked out by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compgen_keras.splits import divergence, total_variation

COUNTS = st.lists(st.integers(0, 50), min_size=4, max_size=4).filter(any)


@pytest.mark.parametrize(("alpha", "expected"), [(0.5, 1 - 0.5**0.5), (0.1, 1 - 0.5**0.1)])
def test_a_half_and_b_half_against_a_alone(alpha, expected):
    found = divergence({"a": 7, "b": 7}, {"a": 3}, alpha)
    assert found == pytest.approx(expected, abs=1e-12)
    assert round(found, 4) == {0.5: 0.2929, 0.1: 0.0670}[alpha]


def test_training_weighs_less_for_compounds():
    """Σ p^0.1 q^0.9 with p = (0.9, 0.1) and q = (0.5, 0.5), and the sides exchanged."""
    one, other = {"a": 9, "b": 1}, {"a": 1, "b": 1}
    assert divergence(one, other, 0.1) == pytest.approx(1 - (0.9**0.1 + 0.1**0.1) * 0.5**0.9, abs=1e-12)
    assert divergence(other, one, 0.1) == pytest.approx(1 - (0.9**0.9 + 0.1**0.9) * 0.5**0.1, abs=1e-12)
    assert divergence(other, one, 0.5) == pytest.approx(divergence(one, other, 0.5), abs=1e-12)


def test_nothing_in_common_is_one():
    assert divergence({"a": 4}, {"b": 2}, 0.5) == 1.0
    assert total_variation([4, 0], [0, 2]) == 1.0


@given(COUNTS, COUNTS, st.floats(0.05, 0.95))
def test_properties(train, test, alpha):
    found = divergence(train, test, alpha)
    assert 0 <= found <= 1
    assert divergence(train, [3 * count for count in train], alpha) == pytest.approx(0, abs=1e-12)
    assert found == pytest.approx(divergence(test, train, 1 - alpha), abs=1e-12)
    if found < 1e-15:
        assert np.array(train) / sum(train) == pytest.approx(np.array(test) / sum(test), abs=1e-6)


@pytest.mark.parametrize(
    ("train", "test", "alpha", "what"),
    [
        ({"a": 1}, {"a": 1}, 0, "alpha"),
        ({"a": 1}, {"a": 1}, 1, "alpha"),
        ({}, {"a": 1}, 0.5, "train has no counts"),
        ([1, 1], [0, 0], 0.5, "test has no counts"),
        ([1, -1], [1, 1], 0.5, "train has no counts"),
        ([1, 1], [1, 1, 1], 0.5, "one of each name"),
    ],
)
def test_bad_input(train, test, alpha, what):
    with pytest.raises(ValueError, match=what):
        divergence(train, test, alpha)
