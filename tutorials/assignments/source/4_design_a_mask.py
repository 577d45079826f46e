# %% [markdown]
# # Assignment 4: design a mask
#
# **Goals.** After this assignment you can put an idea of your own into a Transformer's attention, and test it in a fair
# comparison.
#
# **Points.** 10. **You need** lesson 2. Time: about two minutes of training on two cores each time you run the notebook.
#
# `relative_attention`, an ordinary Transformer with relative positions, is the model to beat. You design a mask strategy; the
# model that uses it has the same size, gets the same examples and the same number of steps. It also writes separators, which
# your strategy needs and `relative_attention` does not have. And it must be decompositional: a token that is not a separator
# must not see most of the tokens of earlier parts. What counts is how often it is right on examples that neither has seen.

# %%
import os

from compgen_keras.startup import start_quietly

start_quietly()

import keras
import numpy as np
from keras import ops

import compgen_keras as cg

STEPS = int(os.environ.get("ASSIGNMENT_STEPS", "600"))
assert STEPS in (300, 600), f"ASSIGNMENT_STEPS is {STEPS}; expected 300 or 600"

# %% [markdown]
# ## Your strategy
#
# `may_attend(query, key)` gets the queries and the keys, and returns booleans, True where the query may look at the key. Of
# both you can ask `part` (the number of the token's part), `is_separator`, `ends_part` (whether a separator follows
# directly), and `position`. Compare and combine them with `==`, `<`, `&`, `|`, `~` and `ops.where`: shapes work out by
# themselves. That no token sees a later one, and that each sees itself, is taken care of.
#
# Think before you try: which tokens does a part need to be written rightly? What must a separator know? What distracts?


# %% nbgrader={"grade": false, "grade_id": "strategy", "locked": false, "schema_version": 3, "solution": true, "task": false}
def may_attend(query, key):
    """Where a query may look at a key."""
    ### BEGIN SOLUTION
    return ops.where(query.is_separator, key.ends_part, key.part == query.part)
    ### END SOLUTION


# %%
# Registers the strategy under a new name each time you run this cell.
NAME = f"designed_{np.random.default_rng().integers(10**9)}"
cg.layers.register_mask_strategy(NAME)(may_attend)

# %% [markdown]
# ## Is it a mask, and is it yours? (3 points)

# %% nbgrader={"grade": true, "grade_id": "is_a_mask", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
FIGURE_1 = [1, 3, 3, 3, 1, 4, 5, 4, 5, 1, 6, 7, 1]
mask = ops.convert_to_numpy(cg.layers.DecompositionMask(NAME, sep_id=1, pad_id=0)(np.array([FIGURE_1])))[0]
assert mask.dtype == bool and mask.shape == (13, 13), f"your strategy makes a mask of type {mask.dtype} and shape {mask.shape}"
### BEGIN HIDDEN TESTS
moved = [1, 8, 9, 1, *FIGURE_1]
again = ops.convert_to_numpy(cg.layers.DecompositionMask(NAME, sep_id=1, pad_id=0)(np.array([moved])))[0]
assert again.shape == (17, 17), "your strategy works for one length only"
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "is_decompositional", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
part = np.cumsum([token == 1 for token in FIGURE_1])
earlier = [mask[query, key] for query in range(13) for key in range(query) if FIGURE_1[query] != 1 and part[key] < part[query]]
seen = 100 * np.mean(earlier)
assert seen < 50, (
    f"tokens that are not separators see {seen:.0f}% of what stands in earlier parts; expected less than half. What could a part do without?"
)
### BEGIN HIDDEN TESTS
reaches = np.linalg.matrix_power(mask.astype(int), 4) > 0
assert reaches[11, 10], "a token can find out nothing about the token before it in its own part, not even by way of others"
### END HIDDEN TESTS

# %% [markdown]
# ## Train (you may change nothing here)

# %%
bench = cg.benchmarks.load("scan/iid", parts=(1, 3))
keras.utils.set_random_seed(1)
model = cg.models.build("sep_to_last", bench, mask=NAME)
model.compile(**cg.training.recipe("classroom", steps=STEPS))
batches = cg.data.TrainingBatches(bench, model.codec, batch_size=32, seed=1)
history = model.fit(batches, steps_per_epoch=STEPS, shuffle=False, verbose=2)

# %%
result = cg.evaluation.evaluate(model, bench, split="valid", n=200, seed=3)
print(f"{100 * result.accuracy:.1f}% right; 95% interval {100 * result.interval[0]:.1f} to {100 * result.interval[1]:.1f}")

# %% [markdown]
# ## Is it better? (7 points)
#
# The bar is the accuracy of `relative_attention` with the same seeds, 62% after 600 steps, and a margin.

# %% nbgrader={"grade": true, "grade_id": "beats_the_baseline", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
NEEDED = {600: 0.68, 300: 0.44}[STEPS]
assert result.accuracy > NEEDED, (
    f"your model is right on {100 * result.accuracy:.1f}% of the examples; expected more than {100 * NEEDED:.0f}%"
)

# %% nbgrader={"grade": true, "grade_id": "beats_it_by_far", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
FAR = {600: 0.85, 300: 0.5}[STEPS]
assert result.accuracy > FAR, (
    f"your model is right on {100 * result.accuracy:.1f}% of the examples; for the last points expected more than {100 * FAR:.0f}%"
)
