# %% [markdown]
# # 5. Length-Generalization-Hardest: from one part to many
#
# *Time: about 1 minute on two fast cores, 3 on slow ones. You need: lesson 3.*
#
# Now training has single parts only: `walk`, `jump left twice`, `run around right thrice`. Test commands join two to six of
# them. There are 102 different parts, and a model sees each of them again and again. It cannot fail to learn them. Can it join
# two?

# %%
from lesson import Lesson, counts_table, mistakes, papers_figures

lesson = Lesson("05_length_generalization_hardest")

import itertools
from collections import Counter

import numpy as np
from keras import ops

import compgen_keras as cg

bench = cg.benchmarks.load("scan/length_generalization_hardest")

# %% [markdown]
# ## What shifts

# %%
drawn = {split: list(itertools.islice(bench.examples(split), 2_000)) for split in ("train", "test")}
print("different training commands:", len({example.spec for example in drawn["train"]}))
words = {split: Counter(word for example in examples for word in example.spec.split()) for split, examples in drawn.items()}
counts_table("word", {word: (words["train"][word], words["test"][word]) for word in bench.spec_tokens}, ("train", "test"))

# %% [markdown]
# Look at the last rows. `and` and `after` do not occur in training at all. So this task asks for more than composition: it asks
# for the meaning of two words that were never shown. The paper keeps the task as the extreme end of a scale; when we measure
# generalization, we should say so. A test like this one cannot tell a model that composes from one that does not.
#
# ## Predict first
#
# **Write down**: what will a model do with `walk and jump left`? Will it write `WALK`? `LTURN JUMP`? Something else? And when
# will it stop?

# %%
untrained = lesson.build("sep_to_last", bench)
models = {name: lesson.train(name, bench, steps=3_000) for name in ("relative_attention", "sep_to_last")}

# %%
results = lesson.compare(models, bench)

# %% [markdown]
# ## Which mistakes?
#
# Let us sort the programs that `sep_to_last` writes for test commands.

# %%
zero_shot = results["sep_to_last", "test"]


def kind_of(example, tokens):
    parts = cg.evaluation.predicted_parts(example, tokens)
    if parts == example.parts:
        return "right"
    if len(parts) > 1:
        return "several parts, not the right ones"
    if parts and parts[0] in example.parts:
        return "one of the command's parts, and no more"
    return "one part that the command does not hold" if parts else "nothing"


kinds = Counter(kind_of(e, tokens) for e, tokens in zip(zero_shot.examples, zero_shot.predictions, strict=True))
counts_table("what it writes", {kind: (count,) for kind, count in kinds.most_common()}, ("programs",))
mistakes(zero_shot, bench)

# %% [markdown]
# ## What does a model know of a word it has never seen?
#
# Each word has an embedding, a vector that is drawn at random before training. Only training moves it. How far has each word's
# vector moved? The model `untrained` has the same random start (the same seed).

# %%


def embeddings(model):
    return ops.convert_to_numpy(model.spec_encoder.embedding.tokens.weights[0])


moved = np.linalg.norm(embeddings(models["sep_to_last"]) - embeddings(untrained), axis=1)
ids = models["sep_to_last"].codec.spec_vocabulary.ids
counts_table("word", {word: (f"{moved[ids([word])[0]]:.2f}",) for word in bench.spec_tokens}, ("moved by",))

# %% [markdown]
# The vectors of `and` and `after` are where they were, but for weight decay, which shrinks every vector a little. What they say
# to the rest of the network is noise, and noise that the attention layers have never learned to ignore.
#
# ## What the paper found

# %%
papers_figures("length_generalization_hardest")

# %% [markdown]
# No model gets anywhere, at any size. This is also a caution about few-shot numbers: 20 test examples in 30 steps at a small
# learning rate do not teach two new words and how to go on after the first part.
#
# ## Exercises
#
# 1. Mend the task: write a training distribution with single parts *and* a few commands of two parts, such as one in ten
#    (`cg.benchmarks.load("scan/iid", parts=(1, 2))` is a start). Do the models then write three parts?
# 2. Which test would show that a model composes, although it has only ever seen single parts? What must be in training for it
#    to be fair?

# %%
lesson.end()
