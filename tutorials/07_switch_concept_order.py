# %% [markdown]
# # 7. Switch-Concept-Order: left before right, then right before left
#
# *Time: about 3 minutes on two fast cores, 7 on slow ones. You need: lesson 6.*
#
# In lesson 6 training kept two concepts apart. Here they occur together in every training command, but always in the same
# order: the first half of the parts turn left, the second half right. (Of an odd number the middle part belongs to the second
# half.) In the test it is the other way round.

# %%
from lesson import Lesson, counts_table, mistakes, papers_figures, part_pairs

lesson = Lesson("07_switch_concept_order")

import itertools
from collections import Counter

import compgen_keras as cg

bench = cg.benchmarks.load("scan/switch_concept_order")

# %% [markdown]
# ## What shifts
#
# The directions of the parts, in the order of the *command*:

# %%


def command_directions(spec):
    """One letter a part: L or R."""
    return "".join(word[0].upper() for word in spec.split() if word in ("left", "right"))


for split in ("train", "test"):
    seen = Counter(command_directions(example.spec) for example in itertools.islice(bench.examples(split), 2_000))
    print(split, dict(sorted(seen.items(), key=lambda item: len(item[0]))))

# %% [markdown]
# Mind the word *command*: `after` reverses the order of the program's parts. So in the program, left can well come after right,
# in training, too:

# %%
seen = Counter()
for example in itertools.islice(bench.examples("train"), 2_000):
    seen["".join("L" if "LTURN" in part else "R" for part in example.parts)] += 1
print("programs of four parts in training:", {order: count for order, count in seen.most_common() if len(order) == 4})

# %% [markdown]
# The decoder has therefore seen both orders. What is always the same is the order of the *words*, which the encoder reads: a
# word near the command's beginning is about turning left.
#
# ## Predict first
#
# **Write down**: for a test command whose directions are `RRLL`, what will the models write? The right directions, `LLRR` as in
# training, or a mixture? Does a mask in the *decoder* bear on this?

# %%
models = {name: lesson.train(name, bench, steps=4_000) for name in ("relative_attention", "sep_to_last")}

# %%
results = lesson.compare(models, bench)

# %% [markdown]
# ## Which mistakes?
#
# For each part of each test program: is its direction the true one, and if not, is it the one that training would have had at
# its place in the command? Since there are only two directions, and test commands have the reverse of training's at each place,
# every part with a wrong direction is turned as in training.

# %%
rows = {}
for name in models:
    kinds = Counter()
    for true, predicted in part_pairs(results[name, "test"]):
        turns = {token for token in predicted if token in ("LTURN", "RTURN")}
        wanted = {token for token in true if token in ("LTURN", "RTURN")}
        kinds["true" if turns == wanted else "as in training" if len(turns) == 1 else "mixed or none"] += 1
    total = sum(kinds.values())
    rows[name] = tuple(f"{100 * kinds[kind] / total:.0f}%" for kind in ("true", "as in training", "mixed or none"))
counts_table("direction of a part", rows, ("true", "as in training", "mixed or none"))

# %%
mistakes(results["sep_to_last", "test"], bench)

# %% [markdown]
# ## What the paper found

# %%
papers_figures("switch_concept_order")

# %% [markdown]
# Zero-shot no model reaches 20 percent, even at the paper's size: `sep_to_last` is best with 17.5. But 20 examples in the new
# order are enough for all models but the plain Transformer to pass 50 percent. Knowing the concepts was not the problem; the
# order was.
#
# ## Exercises
#
# 1. Where does a model learn the order? Take a trained model and a training command; swap its first and last part; look at
#    the cross-attention with `cg.evaluation.cross_attention_figure`.
# 2. Train on a mixture: nine in ten commands in training order, one in ten in test order. How few examples of the other order
#    are enough?
# 3. Compare with lesson 6. There the two concepts never met in training; here they always do. Which one is harder for the
#    models, in the paper and here? Why might that be?

# %%
lesson.end()
