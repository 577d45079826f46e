"""The encoder and decoder blocks of a pre-norm Transformer with relative attention."""

import keras

from compgen_keras.errors import InputError
from compgen_keras.layers.relative_attention import RelativeAttention

LAYER_NORM_EPSILON = 1e-6


class _Block(keras.layers.Layer):
    """What both blocks share: settings, the feed-forward part, and the residual connection."""

    def __init__(self, num_heads, feed_forward_dim, relative=True, num_buckets=32, max_distance=128, dropout=0.0, **kwargs):
        super().__init__(**kwargs)
        self.num_heads = num_heads
        self.feed_forward_dim = feed_forward_dim
        self.relative = relative
        self.num_buckets = num_buckets
        self.max_distance = max_distance
        self.dropout = dropout

    def _attention(self, name, features, relative, bidirectional):
        if features % self.num_heads:
            raise InputError(f"the inputs have {features} features; expected a multiple of num_heads, which is {self.num_heads}.")
        return RelativeAttention(
            self.num_heads,
            features // self.num_heads,
            relative=relative,
            bidirectional=bidirectional,
            num_buckets=self.num_buckets,
            max_distance=self.max_distance,
            dropout=self.dropout,
            dtype=self.dtype_policy,
            name=name,
        )

    def _layer_norm(self, name):
        return keras.layers.LayerNormalization(epsilon=LAYER_NORM_EPSILON, dtype=self.dtype_policy, name=name)

    def _build_feed_forward(self, features):
        self.feed_forward_norm = self._layer_norm("feed_forward_norm")
        self.hidden = keras.layers.Dense(self.feed_forward_dim, dtype=self.dtype_policy, name="feed_forward_hidden")
        self.output_projection = keras.layers.Dense(features, dtype=self.dtype_policy, name="feed_forward_output")
        self.residual_dropout = keras.layers.Dropout(self.dropout, dtype=self.dtype_policy, name="residual_dropout")
        self.feed_forward_norm.build((None, None, features))
        self.hidden.build((None, None, features))
        self.output_projection.build((None, None, self.feed_forward_dim))

    def _feed_forward(self, inputs, training):
        hidden = keras.activations.gelu(self.hidden(self.feed_forward_norm(inputs)), approximate=True)
        hidden = self.residual_dropout(hidden, training=training)
        return inputs + self.residual_dropout(self.output_projection(hidden), training=training)

    def get_config(self):
        return {
            **super().get_config(),
            "num_heads": self.num_heads,
            "feed_forward_dim": self.feed_forward_dim,
            "relative": self.relative,
            "num_buckets": self.num_buckets,
            "max_distance": self.max_distance,
            "dropout": self.dropout,
        }


@keras.saving.register_keras_serializable(package="compgen_keras")
class EncoderBlock(_Block):
    """Self-attention and a feed-forward network, each behind a layer norm and inside a residual connection.

    Args:
        num_heads: number of attention heads; must divide the number of features.
        feed_forward_dim: size of the feed-forward network's hidden layer (GELU, tanh form).
        relative: whether attention has relative position biases.
        num_buckets: number of position buckets.
        max_distance: distance from which on all share a bucket.
        dropout: rate of dropout on attention weights, attention output, hidden layer and output.
        **kwargs: passed on to `keras.layers.Layer`.

    Call arguments:
        inputs: (batch, length, features).
        attention_mask: booleans (batch or 1, length, length).
        position_buckets: see `RelativeAttention`.
        training: whether dropout applies.

    Returns:
        (batch, length, features).

    Reference: section 4.1 and appendix C of Shi et al.

    Example:

    >>> import keras
    >>> tuple(EncoderBlock(num_heads=2, feed_forward_dim=16)(keras.random.normal((3, 5, 8))).shape)
    (3, 5, 8)
    """

    def build(self, input_shape):
        features = input_shape[-1]
        self.attention_norm = self._layer_norm("attention_norm")
        self.attention = self._attention("attention", features, self.relative, bidirectional=True)
        self.attention_norm.build(input_shape)
        self.attention.build(input_shape)
        self._build_feed_forward(features)
        super().build(input_shape)

    def call(self, inputs, attention_mask=None, position_buckets=None, training=None):
        attended = self.attention(
            self.attention_norm(inputs), attention_mask=attention_mask, position_buckets=position_buckets, training=training
        )
        return self._feed_forward(inputs + self.residual_dropout(attended, training=training), training)


@keras.saving.register_keras_serializable(package="compgen_keras")
class DecoderBlock(_Block):
    """Masked self-attention, cross-attention to the encoded specification, and a feed-forward network.

    Args:
        num_heads: number of attention heads; must divide the number of features.
        feed_forward_dim: size of the feed-forward network's hidden layer (GELU, tanh form).
        relative: whether self-attention has relative position biases.
        relative_cross: whether cross-attention has them.
        bidirectional: whether self-attention tells earlier from later places; False for a causal decoder.
        num_buckets: number of position buckets.
        max_distance: distance from which on all share a bucket.
        dropout: rate of dropout on attention weights, attention output, hidden layer and output.
        **kwargs: passed on to `keras.layers.Layer`.

    Call arguments:
        inputs: (batch, length, features).
        encoded: (batch, keys, features), what cross-attention reads; None with `key_value`.
        self_mask: booleans (batch or 1, length, length).
        cross_mask: booleans (batch or 1, 1 or length, keys).
        self_buckets, cross_buckets: position buckets, see `RelativeAttention`.
        key_value: the cross-attention's projected keys and values, from `project_encoded`.
        cache, cache_index, memory, rows_per_key: the self-attention's cache, the place of `inputs` in it, what comes before it, and
            how many rows share that and `key_value`; see `RelativeAttention`.
        return_attention_scores: whether to return the weights of both attentions too.
        training: whether dropout applies.

    Returns:
        (batch, length, features); with a cache, a pair of that and the new cache; with `return_attention_scores`, the pair of
        weights (self, cross) comes last.

    Reference: sections 4.1 and 4.2 of Shi et al.

    Example:

    >>> import keras
    >>> block = DecoderBlock(num_heads=2, feed_forward_dim=16)
    >>> tuple(block(keras.random.normal((3, 5, 8)), keras.random.normal((3, 7, 8))).shape)
    (3, 5, 8)
    """

    def __init__(self, num_heads, feed_forward_dim, relative_cross=True, bidirectional=False, **kwargs):
        super().__init__(num_heads, feed_forward_dim, **kwargs)
        self.relative_cross = relative_cross
        self.bidirectional = bidirectional

    def build(self, inputs_shape, encoded_shape=None):
        features = inputs_shape[-1]
        self.self_attention_norm = self._layer_norm("self_attention_norm")
        self.self_attention = self._attention("self_attention", features, self.relative, self.bidirectional)
        self.cross_attention_norm = self._layer_norm("cross_attention_norm")
        self.cross_attention = self._attention("cross_attention", features, self.relative and self.relative_cross, True)
        self.self_attention_norm.build(inputs_shape)
        self.self_attention.build(inputs_shape)
        self.cross_attention_norm.build(inputs_shape)
        self.cross_attention.build(inputs_shape, encoded_shape)
        self._build_feed_forward(features)
        super().build(inputs_shape)

    def project_encoded(self, encoded):
        """Keys and values of the cross-attention, the same for every place of the program."""
        return self.cross_attention.project_key_value(encoded)

    def call(
        self,
        inputs,
        encoded=None,
        self_mask=None,
        cross_mask=None,
        self_buckets=None,
        cross_buckets=None,
        key_value=None,
        cache=None,
        cache_index=None,
        memory=None,
        rows_per_key=1,
        return_attention_scores=False,
        training=None,
    ):
        attended, *self_extra = _as_tuple(
            self.self_attention(
                self.self_attention_norm(inputs),
                attention_mask=self_mask,
                position_buckets=self_buckets,
                cache=cache,
                cache_index=cache_index,
                memory=memory,
                rows_per_key=rows_per_key,
                return_attention_scores=return_attention_scores,
                training=training,
            )
        )
        hidden = inputs + self.residual_dropout(attended, training=training)
        attended, *cross_extra = _as_tuple(
            self.cross_attention(
                self.cross_attention_norm(hidden),
                encoded,
                attention_mask=cross_mask,
                position_buckets=cross_buckets,
                key_value=key_value,
                rows_per_key=rows_per_key,
                return_attention_scores=return_attention_scores,
                training=training,
            )
        )
        hidden = hidden + self.residual_dropout(attended, training=training)
        result = (self._feed_forward(hidden, training),)
        if cache is not None:
            result = (*result, self_extra.pop(0))
        if return_attention_scores:
            result = (*result, (self_extra[0], cross_extra[0]))
        return result if len(result) > 1 else result[0]

    def get_config(self):
        return {**super().get_config(), "relative_cross": self.relative_cross, "bidirectional": self.bidirectional}


def _as_tuple(result):
    return result if isinstance(result, tuple) else (result,)
