# %% [markdown]
# # Assignment 3: the decompositional masks
#
# **Goals.** After this assignment you can turn a text about which token may see which into a mask, and check it against a
# picture.
#
# **Points.** 12. **You need** section 4.2 of Shi et al., or lesson 2 from memory. Do not use `compgen_keras.layers`: you are
# writing it.
#
# A decoder's input is a list of tokens, such as `["SEP", "WALK", "SEP", "RUN", "RUN", "SEP"]`. It starts with a separator; a
# separator stands before every part, and after the last. A mask is a boolean array (queries, keys): `mask[q, k]` is True
# where the token at place q may look at the token at place k. Rows are queries.

# %%
import numpy as np

FIGURE_1 = ["SEP", "WALK", "WALK", "WALK", "SEP", "LTURN", "JUMP", "LTURN", "JUMP", "SEP", "RTURN", "RUN", "SEP"]


def seen_by(mask, place):
    """The places that one token sees, for messages."""
    return np.flatnonzero(mask[place]).tolist()


# %% [markdown]
# ## 1. Parts (2 points)
#
# Number the parts: a separator and the tokens of the part that it opens have the same number, beginning with 1.


# %% nbgrader={"grade": false, "grade_id": "part_numbers", "locked": false, "schema_version": 3, "solution": true, "task": false}
def part_numbers(tokens):
    """For each token the number of its part.

    Args:
        tokens: a list of tokens; the first is "SEP".

    Returns:
        An integer array (tokens,).
    """
    ### BEGIN SOLUTION
    return np.cumsum([token == "SEP" for token in tokens])
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "parts", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
assert list(part_numbers(["SEP", "WALK", "SEP", "RUN"])) == [1, 1, 2, 2], (
    f"your numbers are {list(part_numbers(['SEP', 'WALK', 'SEP', 'RUN']))}"
)
### BEGIN HIDDEN TESTS
assert list(part_numbers(FIGURE_1)) == [1] * 4 + [2] * 5 + [3] * 3 + [4], "Figure 1: does each separator open a new part, and belong to it?"
assert list(part_numbers(["SEP", "SEP", "SEP"])) == [1, 2, 3], "parts can be empty"
### END HIDDEN TESTS

# %% [markdown]
# ## 2. Inside a part (3 points)
#
# All three masks agree here: a token that is no separator sees its own part, from the separator that opens it up to itself,
# and nothing else. Write the mask with these rows; separators see only themselves for now.


# %% nbgrader={"grade": false, "grade_id": "own_part_mask", "locked": false, "schema_version": 3, "solution": true, "task": false}
def own_part_mask(tokens):
    """The mask in which a token sees its own part up to itself, and a separator itself.

    Args:
        tokens: a list of tokens; the first is "SEP".

    Returns:
        A boolean array (tokens, tokens).
    """
    ### BEGIN SOLUTION
    part = part_numbers(tokens)
    place = np.arange(len(tokens))
    return (part[:, None] == part[None, :]) & (place[None, :] <= place[:, None])
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "own_part", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
mask = own_part_mask(FIGURE_1)
assert mask.shape == (13, 13) and mask.dtype == bool, f"your mask has the shape {mask.shape} and type {mask.dtype}; expected (13, 13), bool"
assert not np.triu(mask, 1).any(), "some token sees a later one; a decoder has not written it yet"
assert mask.diagonal().all(), "each token sees itself"
### BEGIN HIDDEN TESTS
for place, expected in ((0, [0]), (3, [0, 1, 2, 3]), (4, [4]), (7, [4, 5, 6, 7]), (11, [9, 10, 11]), (12, [12])):
    assert seen_by(mask, place) == expected, (
        f"Figure 1, {FIGURE_1[place]} at place {place} sees {seen_by(mask, place)} in your mask. A separator sees only itself here; from which token on do the others see their part?"
    )
### END HIDDEN TESTS

# %% [markdown]
# ## 3. Separators that see everything (2 points)
#
# *Sep-Full-Attention*: a separator sees every token before it, and itself.


# %% nbgrader={"grade": false, "grade_id": "sep_full_attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def sep_full_attention(tokens):
    """The mask Sep-Full-Attention, booleans (tokens, tokens)."""
    ### BEGIN SOLUTION
    is_separator = np.array([token == "SEP" for token in tokens])
    place = np.arange(len(tokens))
    return own_part_mask(tokens) | (is_separator[:, None] & (place[None, :] <= place[:, None]))
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "full", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
mask = sep_full_attention(FIGURE_1)
assert not np.triu(mask, 1).any(), "some token sees a later one"
assert seen_by(mask, 4) == [0, 1, 2, 3, 4], f"the separator at place 4 sees {seen_by(mask, 4)} in your mask"
### BEGIN HIDDEN TESTS
assert seen_by(mask, 12) == list(range(13)), f"the separator at place 12 sees {seen_by(mask, 12)} in your mask"
assert seen_by(mask, 8) == [4, 5, 6, 7, 8], "tokens that are no separators see what they saw in section 2"
### END HIDDEN TESTS

# %% [markdown]
# ## 4. Separators that see summaries (5 points)
#
# *Sep-to-Last*: a separator sees itself and the last token of every earlier part. The last token of a part is the one that a
# separator follows directly; of an empty part it is the part's own separator.
#
# *Sep-to-Sep-and-Last*: in addition, it sees every earlier separator.


# %% nbgrader={"grade": false, "grade_id": "sep_to_last", "locked": false, "schema_version": 3, "solution": true, "task": false}
def sep_to_last(tokens):
    """The mask Sep-to-Last, booleans (tokens, tokens)."""
    ### BEGIN SOLUTION
    is_separator = np.array([token == "SEP" for token in tokens])
    ends_part = np.append(is_separator[1:], False)
    place = np.arange(len(tokens))
    return own_part_mask(tokens) | (is_separator[:, None] & ends_part[None, :] & (place[None, :] < place[:, None]))
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "to_last", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
mask = sep_to_last(FIGURE_1)
assert not np.triu(mask, 1).any(), "some token sees a later one"
assert mask.diagonal().all(), "each token sees itself, separators too"
assert 3 in seen_by(mask, 4), f"the separator at place 4 sees {seen_by(mask, 4)} in your mask; which is the last token before it?"
### BEGIN HIDDEN TESTS
for place, expected in ((0, [0]), (4, [3, 4]), (9, [3, 8, 9]), (12, [3, 8, 11, 12]), (8, [4, 5, 6, 7, 8])):
    assert seen_by(mask, place) == expected, f"Figure 1, {FIGURE_1[place]} at place {place} sees {seen_by(mask, place)} in your mask"
mask = sep_to_last(["SEP", "SEP", "WALK", "SEP"])
assert seen_by(mask, 3) == [0, 2, 3], (
    f"with an empty first part, the last separator sees {seen_by(mask, 3)} in your mask. What is the last token of an empty part?"
)
### END HIDDEN TESTS


# %% nbgrader={"grade": false, "grade_id": "sep_to_sep_and_last", "locked": false, "schema_version": 3, "solution": true, "task": false}
def sep_to_sep_and_last(tokens):
    """The mask Sep-to-Sep-and-Last, booleans (tokens, tokens)."""
    ### BEGIN SOLUTION
    is_separator = np.array([token == "SEP" for token in tokens])
    place = np.arange(len(tokens))
    return sep_to_last(tokens) | (is_separator[:, None] & is_separator[None, :] & (place[None, :] <= place[:, None]))
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "to_sep_and_last", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
mask = sep_to_sep_and_last(FIGURE_1)
assert not np.triu(mask, 1).any(), "some token sees a later one"
assert 0 in seen_by(mask, 12), "the first separator is an earlier separator, too"
### BEGIN HIDDEN TESTS
for place, expected in ((0, [0]), (4, [0, 3, 4]), (9, [0, 3, 4, 8, 9]), (12, [0, 3, 4, 8, 9, 11, 12]), (8, [4, 5, 6, 7, 8])):
    assert seen_by(mask, place) == expected, f"Figure 1, {FIGURE_1[place]} at place {place} sees {seen_by(mask, place)} in your mask"
### END HIDDEN TESTS
