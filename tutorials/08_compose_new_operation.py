# %% [markdown]
# # 8. Compose-New-Operation: a word that always stood alone
#
# *Time: about 2 minutes on two fast cores, 5 on slow ones. You need: lesson 3.*
#
# Somebody teaches you a new verb, `jump`, by showing you what it does, alone. The next moment you understand `jump around left
# twice`. In training, one command in ten is exactly `jump`, and no other command contains it; every test command does, in some
# larger context.

# %%
from lesson import Lesson, counts_table, mistakes, papers_figures, part_pairs

lesson = Lesson("08_compose_new_operation")

import itertools
from collections import Counter

import numpy as np
from keras import ops

import compgen_keras as cg

bench = cg.benchmarks.load("scan/compose_new_operation")

# %% [markdown]
# ## What shifts

# %%
rows = {}
for verb in ("walk", "look", "run", "jump"):
    numbers = []
    for split in ("train", "test"):
        specs = [example.spec for example in itertools.islice(bench.examples(split), 2_000)]
        numbers += [sum(spec == verb for spec in specs), sum(verb in spec.split() and spec != verb for spec in specs)]
    rows[verb] = tuple(numbers)
counts_table("verb", rows, ("train alone", "train other", "test alone", "test other"))

# %% [markdown]
# `jump` is not rare in training: it is seen more often than any other verb *alone*. It is seen in one context only, and then
# the whole program is `JUMP`. The word is known, and the context is known from the other verbs. Nothing but their combination
# is new.
#
# ## Predict first
#
# **Write down**: when a model must write `JUMP` inside a larger program, what will it write instead, if it fails? Another
# verb's action? Nothing? Or will it write `JUMP` and stop?

# %%
models = {name: lesson.train(name, bench, steps=4_000) for name in ("relative_attention", "sep_to_last")}

# %%
results = lesson.compare(models, bench)

# %% [markdown]
# ## Which mistakes?
#
# Look at the parts whose verb is `jump`. Which action stands where `JUMP` should?

# %%
ACTIONS = ("JUMP", "WALK", "LOOK", "RUN")
rows = {}
for name in models:
    instead = Counter()
    for true, predicted in part_pairs(results[name, "test"]):
        if "JUMP" in true:
            found = {token for token in predicted if token in ACTIONS}
            instead[found.pop() if len(found) == 1 else "several" if found else "none"] += 1
    rows[name] = tuple(instead[action] for action in (*ACTIONS, "several", "none"))
counts_table("parts with jump", rows, (*ACTIONS, "several", "none"))

# %% [markdown]
# And the parts *without* `jump`, in the same programs: are they right? If a model treats `jump` as an unknown word, it might
# still get everything else right; or the strange word might spoil the whole program.

# %%
rows = {}
for name in models:
    others = [true == predicted for true, predicted in part_pairs(results[name, "test"]) if "JUMP" not in true]
    rows[name] = (f"{100 * np.mean(others):.0f}%" if others else "–", len(others))
counts_table("parts without jump", rows, ("right", "of"))
mistakes(results["sep_to_last", "test"], bench)

# %% [markdown]
# ## Does the model know that `jump` is a verb?
#
# Compare the embeddings of words: do the other verbs look alike to the model, and is `jump` among them? (Cosine similarity: 1
# is the same direction, 0 unrelated.)

# %%
model = models["sep_to_last"]
vectors = ops.convert_to_numpy(model.spec_encoder.embedding.tokens.weights[0])
vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
words = ("walk", "look", "run", "jump", "left", "twice")
ids = model.codec.spec_vocabulary.ids(words)
similarity = vectors[ids] @ vectors[ids].T
counts_table("cosine", {word: tuple(f"{value:.2f}" for value in row) for word, row in zip(words, similarity, strict=True)}, words)

# %% [markdown]
# ## What the paper found

# %%
papers_figures("compose_new_operation")

# %% [markdown]
# Zero-shot all models are at about 10 percent, and the masks change little: they are about how parts see each other, and this
# task is about one word inside a part. Fine-tuning on 20 + 20 examples makes the largest difference of all tasks, to 95.7
# percent for `sep_to_last`: once `jump` has been seen in company, it takes its place among the verbs at once.
#
# ## Exercises
#
# 1. How many *different* companions does `jump` need? Add to training, say, one in a hundred commands with `jump left` and no
#    other. Does `jump around right` work then?
# 2. `jump` is one tenth of all training examples. Try one in a thousand. Does a rarer word generalize worse, or better, since
#    the model cannot afford a rule of its own for it?
# 3. Look at the parts without `jump` again. Are they wrong more often next to a part with `jump` than in programs without one
#    (lesson 3)?

# %%
lesson.end()
