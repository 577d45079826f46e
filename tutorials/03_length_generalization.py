# %% [markdown]
# # 3. Length-Generalization: longer programs than ever before
#
# *Time: about 6 minutes on two cores. You need: lessons 0 to 2.*
#
# The simplest way to compose more than you have practised: more parts. Training programs have 1 to 6 parts, test programs 7 to
# 10. Nothing else changes: the same parts, the same conjunctions. A person would hardly notice.

# %%
from lesson import Lesson, counts_table, mistakes, papers_figures

lesson = Lesson("03_length_generalization")

import itertools
from collections import Counter

import numpy as np

import compgen_keras as cg

bench = cg.benchmarks.load("scan/length_generalization")

# %% [markdown]
# ## What shifts
#
# Let us count it, in parts and in tokens.

# %%
drawn = {split: list(itertools.islice(bench.examples(split), 2_000)) for split in ("train", "test")}
for split, examples in drawn.items():
    words = [len(example.spec.split()) for example in examples]
    actions = [len(example.program) for example in examples]
    print(
        f"{split:<6} parts {min(len(e.parts) for e in examples)}–{max(len(e.parts) for e in examples)}"
        f"   words: median {np.median(words):.0f}, longest {max(words)}   actions: median {np.median(actions):.0f}, longest {max(actions)}"
    )
longest = max(len(example.program) for example in drawn["train"])
beyond = np.mean([len(example.program) > longest for example in drawn["test"]])
print(
    f"\ntest programs longer than the longest of these {len(drawn['train']):,} training programs ({longest} actions): {100 * beyond:.1f}%"
)

# %% [markdown]
# So a typical test program is no longer than the longest training programs: parts differ so much in length (one action for
# `walk`, 24 for `walk around left thrice`) that six long parts have more actions than ten short ones. What is new in most test
# programs is the *number of parts*, not the number of tokens.
#
# ## Predict first
#
# We train two models of the same size on the same stream of examples: `relative_attention`, an ordinary Transformer with
# relative positions, and `sep_to_last`, the strictest of the three decompositional masks of lesson 2. **Write down before you
# go on**: which one will be more often right on 7 to 10 parts? How will accuracy fall from 7 to 10 parts? And what will a
# typical mistake be: a wrong part, a part too few, or a part too many?
#
# ## Train
#
# `lesson.train` hides nothing but repetition. This is what it does:
#
# ```python
# model = cg.models.build("sep_to_last", bench, size="classroom")
# model.compile(**cg.training.recipe("classroom", steps=4_000))
# batches = cg.data.TrainingBatches(bench, model.codec, batch_size=32)
# model.fit(batches, epochs=16, steps_per_epoch=250)
# ```

# %%
models = {name: lesson.train(name, bench, steps=4_000) for name in ("relative_attention", "sep_to_last")}

# %% [markdown]
# ## In distribution and zero-shot

# %%
results = lesson.compare(models, bench)

# %% [markdown]
# ## Which mistakes?
#
# `sep_to_last` writes a separator after each part, so that we can count the parts that it writes.

# %%
zero_shot = results["sep_to_last", "test"]
written = [cg.evaluation.predicted_parts(e, p) for e, p in zip(zero_shot.examples, zero_shot.predictions, strict=True)]
difference = Counter(min(2, max(-2, len(p) - len(e.parts))) for e, p in zip(zero_shot.examples, written, strict=True))
names = {-2: "two or more too few", -1: "one too few", 0: "as many as asked for", 1: "one too many", 2: "two or more too many"}
counts_table("parts written", {names[d]: (difference[d],) for d in names}, ("programs",))

# %% [markdown]
# Never a part too many, and mostly one or more too few: the model tends to end where training programs ended. Here is the
# learned length, as a number.
#
# And where in the program do the mistakes begin? For each place, the share of test programs whose part at that place is right:

# %%
shares = {}
for place in range(10):
    pairs = [
        (e.parts[place], p[place] if place < len(p) else None)
        for e, p in zip(zero_shot.examples, written, strict=True)
        if place < len(e.parts)
    ]
    if pairs:
        shares[f"part {place + 1}"] = (f"{100 * np.mean([true == predicted for true, predicted in pairs]):.0f}%", len(pairs))
counts_table("place", shares, ("right", "programs"))

# %% [markdown]
# The first parts are mostly right, and each later one is worse: the ninth and tenth hardly ever come out. Both models know
# the parts; what gets lost is *which* part of the command is next. Look for right parts at a wrong place, and for parts left
# out:

# %%
mistakes(zero_shot, bench)

# %% [markdown]
# ## What the paper found
#
# At the paper's size (embeddings of 256, three blocks, 10,000 steps of 128 examples) all models do better:

# %%
papers_figures("length_generalization")

# %% [markdown]
# Two things to note. Relative positions matter a lot: the two models without them are far below the others. And zero-shot the
# decompositional masks change little, from 41.9 for `sep_to_last` to 50.2 for `sep_full_attention`, on both sides of plain
# relative attention's 46.1. After fine-tuning on 20 + 20 examples (lesson 10) the four models with relative positions and
# separators are ahead of it by 5 to 10 points; it is the separators that do this, the masks add little to them.
#
# ## Exercises
#
# 1. Rerun with `transformer` in place of `relative_attention`. Is the gap between them as large as in the paper?
# 2. `separator_distance="parts"` counts the distances between separators in parts instead of tokens:
#    `cg.models.build("sep_to_last", bench, separator_distance="parts")`. Why might that help with length? Does it?
# 3. Split the test programs by whether they have more *tokens* than any training program. Is accuracy lower for those at the
#    same number of parts?

# %%
lesson.end()
