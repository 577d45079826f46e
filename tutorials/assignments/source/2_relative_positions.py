# %% [markdown]
# # Assignment 2: relative positions
#
# **Goals.** After this assignment you can compute T5's buckets, explain why far distances share one, and add a relative bias
# to attention logits.
#
# **Points.** 10. **You need** lesson 1, and numpy. Do not use `compgen_keras.layers`: you are writing it.

# %%
import numpy as np

# %% [markdown]
# ## 1. Buckets for a causal decoder (4 points)
#
# In a decoder, keys stand at or before the query, at a *distance* of 0, 1, 2, … Of `num_buckets` buckets, the first half hold
# one distance each: with 32 buckets, bucket d for each distance d below 16. The other half hold ranges that grow with the
# logarithm of the distance. With `exact = num_buckets // 2`, the bucket of a distance d from `exact` on is
#
# $$\text{exact} + \left\lfloor \frac{\log(d / \text{exact})}{\log(\text{max\_distance} / \text{exact})} \cdot
# (\text{num\_buckets} - \text{exact}) \right\rfloor$$
#
# but never more than the last bucket, `num_buckets - 1`. Write it for arrays of distances.


# %% nbgrader={"grade": false, "grade_id": "causal_bucket", "locked": false, "schema_version": 3, "solution": true, "task": false}
def causal_bucket(distance, num_buckets=32, max_distance=128):
    """The bucket of each distance.

    Args:
        distance: integer array of any shape, query position - key position, from 0.
        num_buckets: number of buckets.
        max_distance: the distance from which on, at the latest, all share the last bucket.

    Returns:
        An integer array of the same shape.
    """
    ### BEGIN SOLUTION
    distance = np.asarray(distance)
    exact = num_buckets // 2
    ratio = np.log(np.maximum(distance, exact) / exact) / np.log(max_distance / exact)
    far = exact + np.floor(ratio * (num_buckets - exact)).astype(int)
    return np.where(distance < exact, distance, np.minimum(far, num_buckets - 1))
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "buckets_near", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
found = causal_bucket(np.array([[0, 1], [2, 15]]))
assert isinstance(found, np.ndarray) and found.shape == (2, 2), "return an array of the shape of `distance`"
assert np.issubdtype(found.dtype, np.integer), f"buckets are integers, yours have the type {found.dtype}"
assert found.tolist() == [[0, 1], [2, 15]], f"distances below 16 have a bucket each; yours are {found.tolist()}"
### BEGIN HIDDEN TESTS
assert causal_bucket(np.arange(4), num_buckets=8).tolist() == [0, 1, 2, 3], "with 8 buckets, distances below 4 have a bucket each"
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "buckets_ranges", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
assert int(causal_bucket(np.array(20))) > int(causal_bucket(np.array(16))), "the bucket grows with the distance"
### BEGIN HIDDEN TESTS
found = causal_bucket(np.array([17, 25, 40, 70, 100])).tolist()
assert found == [16, 19, 23, 27, 30], (
    f"distances 17, 25, 40, 70 and 100 fall into {found}. Ranges grow with the logarithm of the distance, not with the distance"
)
found = causal_bucket(np.array([5, 9, 20, 30]), num_buckets=8, max_distance=32).tolist()
assert found == [4, 5, 7, 7], f"with 8 buckets and max_distance=32: {found}. Do you use the arguments, or 32 and 128?"
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "buckets_far", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
found = causal_bucket(np.array([129, 1000, 10**6]))
assert len(set(found.tolist())) == 1, "all distances beyond max_distance share a bucket"
### BEGIN HIDDEN TESTS
assert found.tolist() == [31, 31, 31], f"that bucket is the last one; yours is {found[0]}"
### END HIDDEN TESTS

# %% [markdown]
# ## 2. Both sides (3 points)
#
# In an encoder, keys stand on both sides. The *relative position* is **key position - query position**: negative for keys
# before the query. Half of the buckets are for keys at or before the query; they are the buckets of section 1 with
# `num_buckets // 2`. The other half are for keys after it: the same, shifted by `num_buckets // 2`.


# %% nbgrader={"grade": false, "grade_id": "bidirectional_bucket", "locked": false, "schema_version": 3, "solution": true, "task": false}
def bidirectional_bucket(relative_position, num_buckets=32, max_distance=128):
    """The bucket of each relative position.

    Args:
        relative_position: integer array, key position - query position.
        num_buckets: number of buckets of both sides together.
        max_distance: the distance from which on all of one side share a bucket.

    Returns:
        An integer array of the same shape.
    """
    ### BEGIN SOLUTION
    relative_position = np.asarray(relative_position)
    half = num_buckets // 2
    return np.where(relative_position > 0, half, 0) + causal_bucket(np.abs(relative_position), half, max_distance)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "both_sides", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
found = bidirectional_bucket(np.array([0, -3, 3]))
assert found[0] == 0, f"the query's own place has bucket 0; yours is {found[0]}"
assert found[1] != found[2], "the same distance on the two sides has two different buckets"
### BEGIN HIDDEN TESTS
found = found.tolist()
assert found == [0, 3, 19], f"relative positions 0, -3 and 3 fall into {found}. Which sign has a key *before* the query? Which half is its?"
found = bidirectional_bucket(np.array([-200, -20, -9, 9, 20, 200])).tolist()
assert found == [15, 10, 8, 24, 26, 31], (
    f"relative positions -200, -20, -9, 9, 20, 200 fall into {found}. Each side has half of the buckets; of these, half hold one distance"
)
### END HIDDEN TESTS

# %% [markdown]
# ## 3. The bias (3 points)
#
# A layer has a table with a number for each bucket and head. Write `bias(table, queries, keys)`: for places 0, 1, 2, … of
# queries and keys, the bias of each head, query and key, with the buckets of section 2 (`num_buckets=len(table)`), to be
# added to logits of the shape (heads, queries, keys).


# %% nbgrader={"grade": false, "grade_id": "bias", "locked": false, "schema_version": 3, "solution": true, "task": false}
def bias(table, queries, keys):
    """The relative position bias.

    Args:
        table: float array (buckets, heads).
        queries: number of queries, at places 0, 1, ...
        keys: number of keys, at places 0, 1, ...

    Returns:
        Float array (heads, queries, keys).
    """
    ### BEGIN SOLUTION
    relative_position = np.arange(keys)[None, :] - np.arange(queries)[:, None]
    return np.moveaxis(table[bidirectional_bucket(relative_position, num_buckets=len(table))], -1, 0)
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "bias_shape", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
table = np.arange(64.0).reshape(32, 2)
found = bias(table, 5, 7)
assert found.shape == (2, 5, 7), f"your bias has the shape {found.shape}; expected (heads, queries, keys) = (2, 5, 7)"

# %% nbgrader={"grade": true, "grade_id": "bias_values", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
found = bias(table, 6, 6)
for offset in range(-5, 6):
    assert len(set(np.diagonal(found[0], offset))) == 1, (
        "the bias depends on the distance alone, so that it is constant along each diagonal"
    )
### BEGIN HIDDEN TESTS
for head in (0, 1):
    for query in range(6):
        for key in range(6):
            distance = key - query
            expected = table[-distance if distance <= 0 else 16 + distance, head]
            assert found[head, query, key] == expected, (
                f"head {head}, query {query}, key {key}: your bias is {found[head, query, key]}. Is the row the query and the column the key?"
            )
### END HIDDEN TESTS
