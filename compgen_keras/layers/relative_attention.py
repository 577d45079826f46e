"""Multi-head attention with a learned bias for each head and bucket of relative positions."""

import math

import keras
from keras import ops

from compgen_keras.errors import InputError, require_integer
from compgen_keras.layers.lookup import lookup
from compgen_keras.layers.relative_position import check_buckets, relative_position_bucket

_MASKED = -1e9


@keras.saving.register_keras_serializable(package="compgen_keras")
class RelativeAttention(keras.layers.Layer):
    """Scaled dot-product attention whose logits get a learned bias that depends on the distance between query and key.

    The bias is the same for all queries and keys at one distance: `logits[h, q, k] += table[bucket(k - q), h]`. Without it
    (`relative=False`) this is plain multi-head attention. The projections have no bias. Bias, mask and softmax are computed
    in float32 whatever the layer's dtype policy. A query with nothing to attend to gets a zero output, never NaN.

    Args:
        num_heads: number of attention heads.
        head_dim: size of each head; the logits are divided by its square root.
        relative: whether to add the bias.
        bidirectional: whether earlier and later keys have buckets of their own; False for causal self-attention.
        num_buckets: number of buckets, see `relative_position_bucket`.
        max_distance: distance from which on all share a bucket.
        dropout: rate of dropout on the attention weights.
        **kwargs: passed on to `keras.layers.Layer`.

    Call arguments:
        query: (batch, queries, features).
        value: (batch, keys, features), from which keys and values are made; None for self-attention.
        attention_mask: booleans (batch or 1, queries, keys), True where a query may attend to a key; None if it may everywhere.
        position_buckets: integers (queries, keys) or (batch, queries, keys), the bucket of each pair. None: computed from the places
            in `query` and `value`. Layers that work on the same places can share one tensor.
        key_value: a pair from `project_key_value`, instead of `value`.
        cache: a pair of (batch, heads, cache length, head size): keys and values of the places so far. Those of `query`, a single
            place, are written to place `cache_index`, and the query attends to the whole cache as far as `attention_mask` lets it.
        cache_index: integer, the place of `query` in the cache.
        memory: a pair of (batch, heads, earlier places, head size): keys and values of places before those of the cache, which are read
            only. `attention_mask` and `position_buckets` have the memory's keys first, then the cache's.
        rows_per_key: how many rows of `query`, one after another, share a row of `memory` and `key_value`, as the beams of a search do.
        return_attention_scores: whether to return the weights too.
        training: whether dropout applies.

    Returns:
        The output (batch, queries, features); with a cache, the pair of output and new cache; with `return_attention_scores` the
        weights (batch, heads, queries, keys) come last.

    Raises:
        ValueError: an argument out of range.

    Reference: section 4.1 and appendix C of Shi et al.; the buckets are T5's (Raffel et al. 2020).

    Example:

    >>> import keras
    >>> layer = RelativeAttention(num_heads=2, head_dim=4, bidirectional=False)
    >>> tuple(layer(keras.random.normal((3, 5, 8))).shape)
    (3, 5, 8)
    """

    def __init__(self, num_heads, head_dim, relative=True, bidirectional=True, num_buckets=32, max_distance=128, dropout=0.0, **kwargs):
        super().__init__(**kwargs)
        num_heads = require_integer("num_heads", num_heads, 1)
        head_dim = require_integer("head_dim", head_dim, 1)
        if not isinstance(dropout, (int, float)) or not 0 <= dropout < 1:
            raise InputError(f"dropout is {dropout!r}; expected a rate from 0 to below 1.")
        check_buckets(bidirectional, num_buckets, max_distance)
        self.num_heads = num_heads
        self.head_dim = head_dim
        self.relative = relative
        self.bidirectional = bidirectional
        self.num_buckets = num_buckets
        self.max_distance = max_distance
        self.dropout = dropout
        self._weights_dropout = keras.layers.Dropout(dropout, dtype=self.dtype_policy)

    def build(self, query_shape, value_shape=None):
        inner = self.num_heads * self.head_dim
        value_features = (value_shape or query_shape)[-1]

        def kernel(name, rows, columns):
            return self.add_weight(name=name, shape=(rows, columns), initializer="glorot_uniform")

        self.query_kernel = kernel("query_kernel", query_shape[-1], inner)
        self.key_kernel = kernel("key_kernel", value_features, inner)
        self.value_kernel = kernel("value_kernel", value_features, inner)
        self.output_kernel = kernel("output_kernel", inner, query_shape[-1])
        if self.relative:
            self.bias_table = self.add_weight(
                name="bias_table",
                shape=(self.num_buckets, self.num_heads),
                initializer=keras.initializers.RandomNormal(stddev=1.0),
                dtype="float32",
                autocast=False,
            )
        super().build(query_shape)

    def project_key_value(self, value):
        """Keys and values of `value`, each (batch, heads, keys, head size), for use as `key_value`."""
        return self._project(value, (self.key_kernel, self.value_kernel))

    def bucket(self, relative_position):
        """The buckets of relative positions (key - query) under this layer's settings."""
        return relative_position_bucket(relative_position, self.bidirectional, self.num_buckets, self.max_distance)

    def call(
        self,
        query,
        value=None,
        attention_mask=None,
        position_buckets=None,
        key_value=None,
        cache=None,
        cache_index=None,
        memory=None,
        rows_per_key=1,
        return_attention_scores=False,
        training=None,
    ):
        self._check_cached(query, value, attention_mask, position_buckets, key_value, cache, cache_index, memory, rows_per_key)
        query_kernel = self.query_kernel * (1 / math.sqrt(self.head_dim))
        if value is None and key_value is None:
            queries, keys, values = self._project(query, (query_kernel, self.key_kernel, self.value_kernel))
        else:
            (queries,) = self._project(query, (query_kernel,))
            keys, values = self.project_key_value(value) if key_value is None else key_value
        if cache is not None:
            keys = ops.slice_update(cache[0], (0, 0, cache_index, 0), keys)
            values = ops.slice_update(cache[1], (0, 0, cache_index, 0), values)
        shared = 1 if key_value is None else rows_per_key
        logits = _matmul_by_rows(queries, ops.swapaxes(keys, 2, 3), shared)
        if memory is not None:
            logits = ops.concatenate([_matmul_by_rows(queries, ops.swapaxes(memory[0], 2, 3), rows_per_key), logits], axis=3)
        logits = ops.cast(logits, "float32")
        if self.relative:
            if position_buckets is None:
                position_buckets = self._default_buckets(ops.shape(query)[1], ops.shape(keys)[2], cache_index)
            logits = logits + self._bias(position_buckets)
        if attention_mask is not None:
            logits = logits + ops.expand_dims(ops.where(attention_mask, 0.0, _MASKED), 1)
        scores = ops.softmax(logits, axis=-1)
        weights = self._weights_dropout(ops.cast(scores, self.compute_dtype), training=training)
        if memory is None:
            attended = _matmul_by_rows(weights, values, shared)
        else:
            remembered = ops.shape(memory[0])[2]
            attended = _matmul_by_rows(weights[..., :remembered], memory[1], rows_per_key)
            attended = attended + _matmul_by_rows(weights[..., remembered:], values, shared)
        attended = ops.transpose(attended, (0, 2, 1, 3))
        attended = ops.reshape(attended, (-1, ops.shape(query)[1], self.num_heads * self.head_dim))
        if attention_mask is not None:
            attended = attended * ops.cast(ops.any(attention_mask, axis=-1, keepdims=True), attended.dtype)
        output = ops.matmul(attended, self.output_kernel)
        result = (output,) if cache is None else (output, (keys, values))
        if return_attention_scores:
            if attention_mask is not None:
                scores = ops.where(ops.expand_dims(attention_mask, 1), scores, 0.0)
            result = (*result, scores)
        return result if len(result) > 1 else output

    def _check_cached(self, query, value, attention_mask, position_buckets, key_value, cache, cache_index, memory, rows_per_key):
        if (cache is None) != (cache_index is None):
            given, missing = ("cache", "cache_index") if cache_index is None else ("cache_index", "cache")
            raise InputError(f"{given} is given without {missing}; expected both or neither.")
        require_integer("rows_per_key", rows_per_key, 1)
        rows = query.shape[0]
        if rows is not None and rows % rows_per_key:
            raise InputError(f"rows_per_key is {rows_per_key}; expected a number that divides the {rows} rows of the query.")
        if memory is None:
            return
        if self.relative and position_buckets is None:
            raise InputError("position_buckets are missing; expected them with a memory, whose places the layer does not know.")
        pairs = [pair for pair in (cache, key_value) if pair is not None]
        own_keys = pairs[0][0] if pairs else query if value is None else value
        sizes = memory[0].shape[2], own_keys.shape[-2]
        for name, tensor in (("attention_mask", attention_mask), ("position_buckets", position_buckets)):
            if tensor is not None and None not in (*sizes, tensor.shape[-1]) and tensor.shape[-1] != sum(sizes):
                expected = f"{sizes[0]} of the memory and then {sizes[1]} others, {sum(sizes)} in all"
                raise InputError(f"{name} has {tensor.shape[-1]} keys; expected {expected}.")

    def _project(self, inputs, kernels):
        """One matrix product for several projections, cut into heads."""
        kernel = kernels[0] if len(kernels) == 1 else ops.concatenate(kernels, axis=1)
        projected = ops.split(ops.matmul(inputs, kernel), len(kernels), axis=-1)
        shape = (-1, ops.shape(inputs)[1], self.num_heads, self.head_dim)
        return tuple(ops.transpose(ops.reshape(piece, shape), (0, 2, 1, 3)) for piece in projected)

    def _default_buckets(self, num_queries, num_keys, first_query):
        places = ops.arange(num_queries) + (0 if first_query is None else first_query)
        return self.bucket(ops.arange(num_keys)[None, :] - places[:, None])

    def _bias(self, position_buckets):
        bias = lookup(self.bias_table, position_buckets)
        if len(bias.shape) == 3:
            return ops.transpose(bias, (2, 0, 1))[None]
        return ops.transpose(bias, (0, 3, 1, 2))

    def get_config(self):
        return {
            **super().get_config(),
            "num_heads": self.num_heads,
            "head_dim": self.head_dim,
            "relative": self.relative,
            "bidirectional": self.bidirectional,
            "num_buckets": self.num_buckets,
            "max_distance": self.max_distance,
            "dropout": self.dropout,
        }


def _matmul_by_rows(left, right, rows_per_key):
    """The matrix product where this many rows of `left` (rows, heads, queries, ...), one after another, share a row of `right`."""
    if rows_per_key == 1:
        return ops.matmul(left, right)
    all_rows, heads, queries, inner = ops.shape(left)
    rows = all_rows // rows_per_key
    together = ops.swapaxes(ops.reshape(left, (rows, rows_per_key, heads, queries, inner)), 1, 2)
    product = ops.matmul(ops.reshape(together, (rows, heads, rows_per_key * queries, inner)), right)
    outer = ops.shape(product)[3]
    apart = ops.swapaxes(ops.reshape(product, (rows, heads, rows_per_key, queries, outer)), 1, 2)
    return ops.reshape(apart, (all_rows, heads, queries, outer))
