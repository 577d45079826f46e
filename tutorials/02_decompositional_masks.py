# %% [markdown]
# # 2. The decompositional mask
#
# *Time: half a minute on two cores. Nothing is trained. You need: lessons 0 and 1.*
#
# People who face a complex task split it into subtasks, and while they work on one they need not keep the details of the others
# in mind. Shi et al. give a Transformer the same habit, by deciding **which tokens may look at which**. That is all: no new
# weights, no new layers. A table of yes and no, the **attention mask**, computed from where the separators stand.

# %%
from lesson import Lesson

lesson = Lesson("02_decompositional_masks")

import numpy as np
from keras import ops
from matplotlib.figure import Figure

import compgen_keras as cg

# %% [markdown]
# ## What the decoder reads
#
# The **decoder** writes a program from left to right. To write a token it reads what it has written so far. In training it
# reads the *true* program, shifted by one place, so that at each place it has to predict the token that comes next; this is
# called **teacher forcing**. The sequence starts with a separator, so that before every part there is a `SEP`: think of it as
# the place where the model plans the part that follows.

# %%
command = "jump left twice and run right after walk thrice"
tokens = ["SEP"]
for part in cg.benchmarks.scan.translate(command):
    tokens += [*part, "SEP"]
for place, token in enumerate(tokens):
    print(f"{place:>2}  {token}")

# %% [markdown]
# This is the example of the paper's Figure 1. Three parts, four separators, at places 0, 4, 9 and 12.
#
# ## The ordinary mask
#
# An ordinary decoder uses the **causal** mask: each token may look at itself and at everything before it, whatever part that is
# in.
#
# ## The first rule: inside a part
#
# All three masks of the paper agree on the tokens that are no separators. **Such a token looks at its own part only**: from the
# `SEP` that opens the part, up to itself. While the model writes `LTURN JUMP LTURN JUMP`, the three `WALK`s before it are out
# of sight.
#
# ## The second rule: what a separator sees
#
# If every token saw only its own part, no part could know what the others have done. The separators carry this knowledge, and
# the three masks differ only in what a separator sees. Always itself, and in addition:
#
# | mask | a separator also sees |
# | --- | --- |
# | `sep_full_attention` | every token before it |
# | `sep_to_sep_and_last` | every separator before it, and the last token of each part before it |
# | `sep_to_last` | the last token of each part before it |
#
# Why the *last* token of a part? When it is written, it has seen its whole part. It can be a summary of what the part has done.
# The masks become stricter from top to bottom, and the model has to put more into these summaries.
#
# **Before you run the next cell**: for the separator at place 9, write down which places it sees under each mask.

# %%
vocabulary = cg.data.Vocabulary(cg.benchmarks.scan.ACTIONS)
ids = np.array([vocabulary.ids(tokens)])
strategies = ("causal", "sep_full_attention", "sep_to_sep_and_last", "sep_to_last")
masks = {
    name: ops.convert_to_numpy(cg.layers.DecompositionMask(name, sep_id=vocabulary.ids(["SEP"])[0], pad_id=0)(ids))[0]
    for name in strategies
}
for name, mask in masks.items():
    print(f"{name:<22} SEP at 9 sees {np.flatnonzero(mask[9]).tolist()},  JUMP at 8 sees {np.flatnonzero(mask[8]).tolist()}")

# %% [markdown]
# Under `sep_to_sep_and_last` it sees the separators 0 and 4, the last tokens 3 and 8, and itself; under `sep_to_last` the last
# tokens 3 and 8, and itself.
#
# ## Figure 1, drawn
#
# A row is a query, a column a key; black means that the query may look at the key.

# %%
figure = Figure(figsize=(9, 9), layout="constrained")
for panel, (name, mask) in zip(figure.subplots(2, 2).flat, masks.items(), strict=True):
    panel.imshow(mask, cmap="gray_r", vmin=0, vmax=1.3)
    panel.set_xticks(range(len(tokens)), tokens, rotation=90, fontsize=8)
    panel.set_yticks(range(len(tokens)), tokens, fontsize=8)
    panel.set_xlabel("key: what is looked at")
    panel.set_ylabel("query: who looks")
    panel.set_title(name)
lesson.show(figure, "figure_1")

# %% [markdown]
# Look at the triangles along the diagonal: each is a part, with the separator that opens it. In the three pictures after the
# causal one, whatever is black outside the triangles belongs to a separator's row. That is the only way by which one part can
# learn of another.
#
# The mask needs nothing but the places of the separators, so that it is computed from the tokens themselves, inside the
# model, for any number of parts, while the program is being written. It also saves work: under `sep_to_last`, all that has to
# be kept of a finished part is its last token, so that a token of a program of forty parts costs far less than it would
# without.
#
# ## Your own strategy
#
# A strategy is a function of the queries and the keys. It says where a query may look; that no token sees a later one, that
# each sees itself, and that padding is never seen, is taken care of. What you can ask of a token: `part` (the number of its
# part), `is_separator`, `ends_part` (whether a separator follows), `position`.
#
# Here is a stricter mask than any in the paper. A separator sees only the last token of the part *directly* before it:

# %%


@cg.layers.register_mask_strategy("sep_to_previous_last")
def sep_to_previous_last(query, key):
    of_previous_part = key.ends_part & (key.part == query.part - 1)
    return ops.where(query.is_separator, of_previous_part, key.part == query.part)


mask = ops.convert_to_numpy(cg.layers.DecompositionMask("sep_to_previous_last", sep_id=1, pad_id=0)(ids))[0]
for place in (0, 4, 9, 12):
    print(f"SEP at {place:>2} sees {np.flatnonzero(mask[place]).tolist()}")

# %% [markdown]
# Every model can be built with it, `cg.models.build("sep_to_last", bench, mask="sep_to_previous_last")`. Is that wise? The
# separator no longer sees the parts before the previous one, but the last token of the previous part could pass on what *its*
# separator knew. Whether training finds this, only an experiment can tell: assignment 4 asks you for one.
#
# ## Check yourself
#
# Without looking back: what may the separator at place 12 see under each of the three masks? What may `RUN` at place 11 see?

# %%
for name in strategies[1:]:
    print(f"{name:<22} SEP at 12: {np.flatnonzero(masks[name][12]).tolist()}   RUN at 11: {np.flatnonzero(masks[name][11]).tolist()}")

# %% [markdown]
# ## The seven models
#
# The paper compares seven models, which differ in three things. You meet them in the lessons that follow by these names:
#
# | model | relative positions | separators | mask |
# | --- | --- | --- | --- |
# | `transformer` | no | no | causal |
# | `transformer_separators` | no | yes | causal |
# | `relative_attention` | yes | no | causal |
# | `relative_attention_separators` | yes | yes | causal |
# | `sep_full_attention` | yes | yes | `sep_full_attention` |
# | `sep_to_sep_and_last` | yes | yes | `sep_to_sep_and_last` |
# | `sep_to_last` | yes | yes | `sep_to_last` |
#
# ## Exercises
#
# 1. A part can be empty: the program of `turn` with no direction would be, if SCAN allowed it. What is then "the last token"
#    of the part? Try the ids `[SEP, SEP, WALK, SEP]`.
# 2. Information can travel through several layers. With three decoder blocks (attention layers on top of each other), can the
#    token at place 11 find out anything about the token at place 1 under `sep_to_last`? Draw the path.
# 3. Write a strategy in which a separator sees the *first* token of each part before it. What is wrong with that token as a
#    summary?

# %%
lesson.end()
