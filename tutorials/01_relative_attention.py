# %% [markdown]
# # 1. Attention with relative positions
#
# *Time: half a minute on two cores. Nothing is trained. You need: lesson 0, and an idea of what attention is.*
#
# In an attention layer, each token — the **query** — looks at tokens — the **keys** — and takes a weighted mean of what they
# hold (their **values**). Nothing in this depends on where the tokens stand: shuffle the keys, and the result is the same. So
# a Transformer must be told about positions. The classical way adds a vector for each *absolute* position to the token. This
# lesson shows another way, taken by five of the seven models in this course: attention that knows the *distance* between
# query and key.

# %%
from lesson import Lesson, counts_table

lesson = Lesson("01_relative_attention")

import keras
import numpy as np
from keras import ops
from matplotlib.figure import Figure

import compgen_keras as cg

# %% [markdown]
# ## A bias for each distance
#
# Before the softmax, attention has a number for each pair of query and key, the *logit*: the product of query and key vector.
# Relative attention adds a learned number that depends on the distance alone, `key position - query position`:
#
# ```
# logit[query, key] = query · key / sqrt(head size) + table[bucket(key - query)]
# ```
#
# An attention layer has several *heads*, each with vectors of its own, that work side by side. Each head has its own table,
# so that one head can learn to look one token back, another to look far away.
#
# Far distances are rare in training, so that a table with a row for each would leave many rows without training. T5 (Raffel
# et al., 2020) puts distances into **buckets**: one bucket each for small distances, then ever wider ranges, and the last
# bucket for all that lies beyond. A model that writes from left to right, a **decoder**, looks back only: all keys stand at
# or before the query. (It is *causal*.) Here are some of its 32 buckets:

# %%
distances = np.arange(0, 200)
buckets = ops.convert_to_numpy(cg.layers.relative_position_bucket(-distances, bidirectional=False))
ranges = {int(b): distances[buckets == b] for b in np.unique(buckets)}
shown = [0, 1, 2, 15, 16, 17, 20, 25, 30, 31]
counts_table("bucket", {b: (f"{ranges[b][0]}", f"{ranges[b][-1]}{' and on' if b == 31 else ''}") for b in shown}, ("nearest", "farthest"))

# %% [markdown]
# The part of a model that reads the command, the **encoder**, may look both ways. There, half of the buckets are for keys at
# or before the query, and half for keys after it. **Before you run the next cell**: with 32 buckets in all, how many
# distances to the left have a bucket of their own?

# %%
positions = np.arange(-12, 13)
print("key - query", positions.tolist())
print("bucket     ", ops.convert_to_numpy(cg.layers.relative_position_bucket(positions, bidirectional=True)).tolist())

# %% [markdown]
# ## The bias as a picture
#
# Below are the buckets of all pairs of 40 queries and keys, and the biases that a freshly initialised layer adds for two of its
# heads. Along each diagonal the distance is the same, and so are bucket and bias.

# %%
layer = cg.layers.RelativeAttention(num_heads=2, head_dim=8, bidirectional=False, num_buckets=32, max_distance=128)
layer.build((None, None, 16))
places = np.arange(40)
bucket_of_pair = ops.convert_to_numpy(layer.bucket(places[None, :] - places[:, None]))
table = ops.convert_to_numpy(layer.bias_table)
figure = Figure(figsize=(9, 3), layout="constrained")
panels = figure.subplots(1, 3)
pictures = [("bucket", bucket_of_pair), ("bias of head 1", table[bucket_of_pair, 0]), ("bias of head 2", table[bucket_of_pair, 1])]
for panel, (title, values) in zip(panels, pictures, strict=True):
    image = panel.imshow(np.where(np.tri(40, dtype=bool), values, np.nan), cmap="gray_r")
    panel.set_title(title, fontsize=10)
    panel.set_xlabel("key")
    panel.set_ylabel("query")
    figure.colorbar(image, ax=panel, shrink=0.8)
lesson.show(figure, "buckets")

# %% [markdown]
# (Nothing is drawn above the diagonal: in a decoder no token may look at a later one.)
#
# ## The layer alone
#
# `RelativeAttention` is a Keras layer like any other. It is built from `keras.ops`, so that it runs on TensorFlow and JAX; it
# can be saved, compiled, and used in a model of your own.

# %%
inputs = keras.random.normal((1, 6, 16), seed=1)
causal = np.tri(6, dtype=bool)[None]
output, weights = layer(inputs, attention_mask=causal, return_attention_scores=True)
print("output ", tuple(output.shape), " weights", tuple(weights.shape), "= (batch, heads, queries, keys)")
print(np.round(ops.convert_to_numpy(weights)[0, 0], 2))

# %% [markdown]
# Each row adds up to 1, and the mask has zeros above the diagonal. A good way to understand a layer is to compute it by hand.
# Here are the weights of one head in a few lines of numpy:

# %%
x = ops.convert_to_numpy(inputs)[0]
queries, keys = ((x @ ops.convert_to_numpy(kernel))[:, :8] for kernel in (layer.query_kernel, layer.key_kernel))
logits = queries @ keys.T / np.sqrt(8) + table[bucket_of_pair[:6, :6], 0]
logits[~causal[0]] = -np.inf
by_hand = np.exp(logits - logits.max(axis=1, keepdims=True))
by_hand /= by_hand.sum(axis=1, keepdims=True)
print("largest difference from the layer:", np.abs(by_hand - ops.convert_to_numpy(weights)[0, 0]).max())

# %% [markdown]
# ## Why this helps with length
#
# Take a sequence and put ten more tokens in front of it. With relative positions, nothing changes for tokens that look only at
# their neighbours: all distances between them are as before. With absolute positions everything has moved, and if training
# never went that far, the model now adds position vectors that it has never been trained with.
#
# Let us see it. Each query may look at itself and at the two tokens before it. The same eight tokens stand once at the
# beginning, and once behind ten others. We compare the last six of them, since the first two have other neighbours before
# them:

# %%


def window(length):
    distance = np.arange(length)[:, None] - np.arange(length)[None, :]
    return ((distance >= 0) & (distance <= 2))[None]


tokens = keras.random.normal((1, 8, 16), seed=2)
before = keras.random.normal((1, 10, 16), seed=3)
moved = ops.concatenate([before, tokens], axis=1)
here = ops.convert_to_numpy(layer(tokens, attention_mask=window(8)))[0]
there = ops.convert_to_numpy(layer(moved, attention_mask=window(18)))[0, 10:]
print("relative positions: largest change of the last six outputs:", np.abs(here[2:] - there[2:]).max())

import keras_hub

sinusoids = keras_hub.layers.SinePositionEncoding()
plain = cg.layers.RelativeAttention(num_heads=2, head_dim=8, relative=False)
here = ops.convert_to_numpy(plain(tokens + sinusoids(tokens), attention_mask=window(8)))[0]
there = ops.convert_to_numpy(plain(moved + sinusoids(moved), attention_mask=window(18)))[0, 10:]
print("absolute positions: largest change of the last six outputs:", round(float(np.abs(here[2:] - there[2:]).max()), 3))

# %% [markdown]
# With relative positions the outputs stay as they were, up to rounding; with absolute ones (the sinusoids of the original
# Transformer) they change. Note what this does *not* promise: a token that looks at something far away still meets distances
# that training never had, and the number of keys it spreads its attention over grows. Relative attention helps with length; it
# does not solve it, as lesson 3 will show.
#
# Where are relative positions used in our models? In the encoder's self-attention, in the decoder's self-attention, and, by
# default, between decoder and encoder (**cross-attention**), where the "distance" of program token 7 to command word 5 is
# simply 5 - 7. With relative attention there are no absolute positions at all.
#
# ## Exercises
#
# 1. Draw the function from distance to bucket, with a logarithmic axis. What would change with `max_distance=64`?
# 2. Two queries at positions 203 and 303 look at keys 200 places before them and at keys 150 places before them. Which pairs
#    share a bias?
# 3. Set the table, with `layer.bias_table.assign(...)`, so that head 1 always looks exactly one token back, whatever the
#    tokens are. (A bias of +20 is as good as certain.) Check with `return_attention_scores=True`.

# %%
lesson.end()
