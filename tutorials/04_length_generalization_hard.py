# %% [markdown]
# # 4. Length-Generalization-Hard: only one length
#
# *Time: about 3 minutes on two fast cores, 7 on slow ones. You need: lesson 3.*
#
# In lesson 3 the number of parts varied in training, so that a model could learn *that* it varies. Now all training programs
# have exactly six parts; test programs have 1 to 10, but not 6. Shorter programs are easier to write, and a person who can do
# six parts can do two. Can a network?

# %%
from lesson import Lesson, counts_table, mistakes, papers_figures

lesson = Lesson("04_length_generalization_hard")

import itertools
from collections import Counter

import compgen_keras as cg

bench = cg.benchmarks.load("scan/length_generalization_hard")

# %% [markdown]
# ## What shifts

# %%
counts = {split: Counter(len(example.parts) for example in itertools.islice(bench.examples(split), 2_000)) for split in ("train", "test")}
counts_table("number of parts", {n: (counts["train"][n], counts["test"][n]) for n in range(1, 11)}, ("train", "test"))

# %% [markdown]
# Think about what a network must learn to do at the end of a program: stop when the command has no more parts. When every
# program has six parts, there is another rule that fits all of training just as well: stop after six. Training cannot tell the
# two apart. A rule like the second, which works on the training distribution for the wrong reason, is called a **shortcut**.
#
# ## Predict first
#
# **Write down**: for commands of 1 to 5 parts, how many parts will the models write? For commands of 7 to 10? For which number
# of parts will they be right most often?

# %%
models = {name: lesson.train(name, bench, steps=4_000) for name in ("relative_attention", "sep_to_last")}

# %%
results = lesson.compare(models, bench)

# %% [markdown]
# ## How many parts do they write?
#
# For each number of parts asked for, the numbers of parts that `sep_to_last` writes, most frequent first:

# %%
zero_shot = results["sep_to_last", "test"]
written = {}
for example, tokens in zip(zero_shot.examples, zero_shot.predictions, strict=True):
    written.setdefault(len(example.parts), Counter())[len(cg.evaluation.predicted_parts(example, tokens))] += 1
for asked in sorted(written):
    total = sum(written[asked].values())
    print(f"asked for {asked:>2}: wrote " + ", ".join(f"{n} ({100 * count / total:.0f}%)" for n, count in written[asked].most_common(4)))

# %% [markdown]
# `relative_attention` writes no separators, but its programs can be compared by their number of actions:

# %%
lengths = {}
baseline = results["relative_attention", "test"]
for example, tokens in zip(baseline.examples, baseline.predictions, strict=True):
    kind = "shorter" if len(tokens) < len(example.program) else "longer" if len(tokens) > len(example.program) else "as long"
    lengths.setdefault(len(example.parts), Counter())[kind] += 1
columns = ("shorter", "as long", "longer")
counts_table("parts asked for", {asked: tuple(lengths[asked][kind] for kind in columns) for asked in sorted(lengths)}, columns)

# %%
mistakes(zero_shot, bench)

# %% [markdown]
# ## What the paper found

# %%
papers_figures("length_generalization_hard")

# %% [markdown]
# Zero-shot, plain relative attention is ahead of `sep_to_last` in the paper, too, by 16 points; after fine-tuning on 20
# examples of each distribution the decompositional masks have caught up. Separators alone already cost points (36.3 to 23.6
# without relative positions, 39.8 to 33.8 with them); `sep_full_attention` wins them back (41.2), `sep_to_last` loses more
# (24.1). What might explain this?
#
# ## Exercises
#
# 1. Give the model some variety: train on 5 and 6 parts (`cg.benchmarks.load("scan/iid", parts=(5, 6))`), and test on this
#    task. How much variety is needed before it stops counting?
# 2. Where does the decoder "see" that six parts are done? Draw the attention of the seventh separator with
#    `cg.evaluation.attention` and `cg.evaluation.self_attention_figure`.
# 3. The share of test programs with fewer than six parts is 5/9. If a model were perfect on those and always wrong on the
#    others, what accuracy would it get? What does the paper's 39.8 for relative attention suggest?

# %%
lesson.end()
