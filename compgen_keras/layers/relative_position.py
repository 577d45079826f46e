"""Buckets of relative positions, after T5 (Raffel et al. 2020)."""

import math

from keras import ops

from compgen_keras.errors import InputError


def relative_position_bucket(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    """Assigns each relative position to a bucket.

    Half of the buckets of one direction hold one distance each, the other half hold ranges that grow with the logarithm of the
    distance; all distances from `max_distance` on share the last bucket.

    Args:
        relative_position: integers of any shape, key position - query position.
        bidirectional: with True, keys before or at the query take the lower half of the buckets and later keys the upper half.
            With False, as in a causal decoder, all buckets are for earlier keys, and later keys share bucket 0 with the query's own.
        num_buckets: number of buckets in all; at least 4 and even if bidirectional, else at least 2.
        max_distance: the distance from which on all share a bucket; more than the number of exact buckets.

    Returns:
        int32 tensor of the same shape, values from 0 to `num_buckets` - 1.

    Raises:
        ValueError: `num_buckets` or `max_distance` out of range.

    Reference: section 4.1 of Shi et al. (relative attention) and appendix C (32 buckets, distance 128).

    Example:

    >>> from keras import ops
    >>> ops.convert_to_numpy(relative_position_bucket(ops.array([-200, -8, -1, 0, 1, 8]))).tolist()
    [15, 8, 1, 0, 17, 24]
    """
    check_buckets(bidirectional, num_buckets, max_distance)
    relative_position = ops.cast(relative_position, "int32")
    if bidirectional:
        num_buckets = num_buckets // 2
        offset = ops.where(relative_position > 0, num_buckets, 0)
        distance = ops.abs(relative_position)
    else:
        offset = ops.zeros_like(relative_position)
        distance = ops.maximum(-relative_position, 0)
    num_exact = num_buckets // 2
    bounds = _lower_bounds(num_buckets, num_exact, max_distance)
    far = ops.sum(ops.cast(ops.expand_dims(distance, -1) >= ops.array(bounds, "int32"), "int32"), axis=-1)
    return offset + ops.where(distance < num_exact, distance, num_exact - 1 + far)


def check_buckets(bidirectional, num_buckets, max_distance):
    """Raises a ValueError if these arguments of `relative_position_bucket` are out of range."""
    if not isinstance(num_buckets, int) or num_buckets < (4 if bidirectional else 2) or (bidirectional and num_buckets % 2):
        expected = "an even integer from 4" if bidirectional else "an integer from 2"
        raise InputError(f"num_buckets is {num_buckets!r}; expected {expected}.")
    exact = num_buckets // 4 if bidirectional else num_buckets // 2
    if not isinstance(max_distance, int) or max_distance <= exact:
        raise InputError(f"max_distance is {max_distance!r}; expected an integer above {exact}, the number of exact buckets.")


def _lower_bounds(num_buckets, num_exact, max_distance):
    """The smallest distance in each bucket that holds a range, found in exact arithmetic rather than by rounding a logarithm."""
    num_ranges = num_buckets - num_exact
    bounds = []
    for index in range(num_ranges):
        bound = math.floor(num_exact * (max_distance / num_exact) ** (index / num_ranges))
        while bound**num_ranges * num_exact**index < num_exact**num_ranges * max_distance**index:
            bound += 1
        bounds.append(bound)
    return bounds
