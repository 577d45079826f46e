import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compgen_keras.layers import relative_position_bucket

pytestmark = pytest.mark.backend


def buckets(positions, **settings):
    return np.asarray(relative_position_bucket(np.array(positions), **settings)).tolist()


def published_rule(relative_position, bidirectional, num_buckets, max_distance):
    """T5's rule for one position, as its paper's code states it, in double precision."""
    result = 0
    if bidirectional:
        num_buckets //= 2
        result = num_buckets if relative_position > 0 else 0
        distance = abs(relative_position)
    else:
        distance = max(-relative_position, 0)
    exact = num_buckets // 2
    if distance < exact:
        return result + distance
    far = exact + int(math.log(distance / exact) / math.log(max_distance / exact) * (num_buckets - exact) + 1e-9)
    return result + min(far, num_buckets - 1)


@pytest.mark.parametrize("bidirectional", [True, False])
@pytest.mark.parametrize(("num_buckets", "max_distance"), [(32, 128), (16, 64), (8, 20)])
def test_every_distance_has_the_published_bucket(bidirectional, num_buckets, max_distance):
    positions = list(range(-300, 301))
    expected = [published_rule(position, bidirectional, num_buckets, max_distance) for position in positions]
    assert buckets(positions, bidirectional=bidirectional, num_buckets=num_buckets, max_distance=max_distance) == expected


def test_hand_computed_buckets():
    # Bidirectional, 32 buckets: 8 exact distances a side, then ranges that begin at 8 * 16**(i/8): 8, 12, 16, 23, 32, 46, 64, 91.
    assert buckets([0, -1, -7, -8, -11, -12, -15, -16, -22, -23, -90, -91, -128, -999]) == [
        0,
        1,
        7,
        8,
        8,
        9,
        9,
        10,
        10,
        11,
        14,
        15,
        15,
        15,
    ]
    assert buckets([1, 7, 8, 12, 999]) == [17, 23, 24, 25, 31]
    # Causal: 16 exact distances, then ranges that begin at 16 * 8**(i/16): 16, 19, 21, 24, 27, 31, 35, ...; later keys share bucket 0.
    assert buckets([5, 0, -15, -16, -18, -19, -21, -127, -128], bidirectional=False) == [0, 0, 15, 16, 16, 17, 18, 31, 31]


@given(st.integers(-10_000, 10_000), st.booleans())
def test_buckets_are_in_range_and_grow_with_distance(position, bidirectional):
    (bucket,) = buckets([position], bidirectional=bidirectional)
    assert 0 <= bucket < 32
    if position < 0:
        assert buckets([position - 1], bidirectional=bidirectional)[0] >= bucket


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"num_buckets": 7}, "num_buckets is 7; expected an even integer from 4"),
        ({"num_buckets": 1, "bidirectional": False}, "num_buckets is 1; expected an integer from 2"),
        ({"max_distance": 8}, "max_distance is 8; expected an integer above 8"),
    ],
)
def test_bad_settings_are_named(settings, complaint):
    with pytest.raises(ValueError, match=complaint):
        relative_position_bucket(np.array([0]), **settings)
