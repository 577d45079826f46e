"""How specifications are read: one stack of blocks over words, or double attention over examples of inputs and outputs."""

import keras
from keras import ops

from compgen_keras.data import PAD_ID
from compgen_keras.layers import DecoderBlock, EncoderBlock, relative_position_bucket
from compgen_keras.layers.transformer_blocks import LAYER_NORM_EPSILON
from compgen_keras.models.placed_embedding import PlacedEmbedding


class _SpecEncoder(keras.layers.Layer):
    """What both encoders share.

    Args:
        vocabulary_size: number of tokens.
        embedding_dim: size of embeddings and of everything between the blocks.
        num_layers: blocks of each stack.
        block: arguments of the blocks, `dtype` aside.
        relative_cross: whether cross-attention has relative position biases.
        **kwargs: passed on to `keras.layers.Layer`.
    """

    def __init__(self, vocabulary_size, embedding_dim, num_layers, block, relative_cross, **kwargs):
        super().__init__(**kwargs)
        self.embedding_dim = embedding_dim
        self.block = block
        self.embedding = PlacedEmbedding(
            vocabulary_size, embedding_dim, not block["relative"], block["dropout"], dtype=self.dtype_policy, name="embedding"
        )
        self._make_stacks(num_layers, {**block, "dtype": self.dtype_policy}, relative_cross)

    def _norm(self, name):
        return keras.layers.LayerNormalization(epsilon=LAYER_NORM_EPSILON, dtype=self.dtype_policy, name=name)

    def _buckets(self, queries, keys):
        """Buckets between the places of two arrays of tokens (batch, places)."""
        if not self.block["relative"]:
            return None
        places = ops.arange(ops.shape(keys)[1])[None, :] - ops.arange(ops.shape(queries)[1])[:, None]
        return relative_position_bucket(places, True, self.block["num_buckets"], self.block["max_distance"])


class WordEncoder(_SpecEncoder):
    """Reads a specification of words with a stack of `EncoderBlock`.

    Call arguments:
        spec: integers (batch, length).
        training: whether dropout applies.

    Returns:
        The encoding (batch, length, embedding), and where it may be attended: booleans (batch, 1, length).

    Reference: section 4.1 and appendix C of Shi et al.
    """

    def _make_stacks(self, num_layers, block, relative_cross):
        self.blocks = [EncoderBlock(**block, name=f"block_{i}") for i in range(num_layers)]
        self.norm = self._norm("norm")

    def build(self, spec_shape=None):
        hidden = (None, None, self.embedding_dim)
        self.embedding.build((None, None))
        for layer in (*self.blocks, self.norm):
            layer.build(hidden)
        self.built = True

    def call(self, spec, training=None):
        mask = ops.expand_dims(spec != PAD_ID, 1)
        buckets = self._buckets(spec, spec)
        hidden = self.embedding(spec, training=training)
        for block in self.blocks:
            hidden = block(hidden, attention_mask=mask, position_buckets=buckets, training=training)
        return self.norm(hidden), mask


class ExampleEncoder(_SpecEncoder):
    """Reads examples of inputs and outputs with double attention.

    A stack of `EncoderBlock` reads the characters of an input, a second stack those of the output, each of whose blocks attends to the
    output itself and to the encoded input. The weights are the same for all examples; examples do not see each other. Places are counted
    inside each input and output.

    Call arguments:
        spec: a dict of `"inputs"`, integers (batch, examples, input length), and `"outputs"`, integers (batch, examples, output length).
        training: whether dropout applies.

    Returns:
        The encoded outputs of all examples one after another, (batch, examples * output length, embedding), and where they may be
        attended: booleans (batch, examples, output length).

    Reference: section 4.1 and appendix C of Shi et al.; double attention is from Devlin et al. (2017).
    """

    def _make_stacks(self, num_layers, block, relative_cross):
        self.input_blocks = [EncoderBlock(**block, name=f"input_block_{i}") for i in range(num_layers)]
        self.input_norm = self._norm("input_norm")
        self.output_blocks = [
            DecoderBlock(relative_cross=relative_cross, bidirectional=True, **block, name=f"output_block_{i}") for i in range(num_layers)
        ]
        self.output_norm = self._norm("output_norm")

    def build(self, spec_shape=None):
        hidden = (None, None, self.embedding_dim)
        self.embedding.build((None, None))
        for layer in (*self.input_blocks, self.input_norm, self.output_norm):
            layer.build(hidden)
        for block in self.output_blocks:
            block.build(hidden, hidden)
        self.built = True

    def call(self, spec, training=None):
        inputs, outputs = (ops.reshape(spec[name], (-1, ops.shape(spec[name])[2])) for name in ("inputs", "outputs"))
        input_mask, output_mask = (ops.expand_dims(tokens != PAD_ID, 1) for tokens in (inputs, outputs))
        input_buckets, output_buckets = self._buckets(inputs, inputs), self._buckets(outputs, outputs)
        cross_buckets = self._buckets(outputs, inputs)
        encoded = self.embedding(inputs, training=training)
        for block in self.input_blocks:
            encoded = block(encoded, attention_mask=input_mask, position_buckets=input_buckets, training=training)
        encoded = self.input_norm(encoded)
        hidden = self.embedding(outputs, training=training)
        for block in self.output_blocks:
            hidden = block(
                hidden,
                encoded,
                self_mask=output_mask,
                cross_mask=input_mask,
                self_buckets=output_buckets,
                cross_buckets=cross_buckets,
                training=training,
            )
        batch, examples, length = ops.shape(spec["outputs"])
        encoded = ops.reshape(self.output_norm(hidden), (batch, examples * length, self.embedding_dim))
        return encoded, ops.reshape(output_mask, (batch, examples, length))


SPEC_ENCODERS = {"words": WordEncoder, "io_examples": ExampleEncoder}
"""The encoder of each `Benchmark.spec_format`."""
