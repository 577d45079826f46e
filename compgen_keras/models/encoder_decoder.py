"""The encoder-decoder Transformer of section 4 of Shi et al."""

import keras
from keras import ops

from compgen_keras.data import PAD_ID, SEP_ID
from compgen_keras.errors import InputError, require_integer
from compgen_keras.layers import DecoderBlock, DecompositionMask, relative_position_bucket
from compgen_keras.layers.mask_strategy import mask_strategy
from compgen_keras.layers.transformer_blocks import LAYER_NORM_EPSILON
from compgen_keras.models.placed_embedding import PlacedEmbedding
from compgen_keras.models.program_writer import ProgramWriter
from compgen_keras.models.spec_encoders import SPEC_ENCODERS


@keras.saving.register_keras_serializable(package="compgen_keras")
class EncoderDecoder(ProgramWriter):
    """Reads a specification and writes a program, token by token.

    Args:
        codec: a `Codec` or its config.
        variant: what the variant is called, for messages and reports.
        num_layers: blocks of the encoder, and of the decoder.
        num_heads: attention heads of each block; must divide `embedding_dim`.
        embedding_dim: size of embeddings and of everything between the blocks.
        feed_forward_dim: size of the feed-forward networks' hidden layer.
        dropout: rate of dropout.
        relative_attention: relative position biases in all attention and no absolute positions; False: sinusoidal positions.
        relative_cross_attention: whether cross-attention has the biases too.
        mask: the strategy of the decoder's self-attention, see `DecompositionMask`.
        separator_distance: `"tokens"`, or `"parts"` to count a separator's relative positions in parts.
        num_buckets: number of position buckets.
        max_distance: distance from which on all share a bucket.
        **kwargs: passed on to `keras.Model`.

    Call arguments:
        inputs: a dict of `"spec"`, see `encode`, and `"program"`, integers (batch, program length): the program so far behind a
            separator.
        training: whether dropout applies.

    Returns:
        Logits, float32 (batch, program length, program vocabulary).

    Raises:
        ValueError: sizes that do not fit together, or a mask without separators.

    Reference: section 4 and appendix C of Shi et al.
    """

    decodes_in_blocks = True

    def __init__(
        self,
        codec,
        variant,
        num_layers,
        num_heads,
        embedding_dim,
        feed_forward_dim,
        dropout=0.0,
        relative_attention=True,
        relative_cross_attention=True,
        mask="causal",
        separator_distance="tokens",
        num_buckets=32,
        max_distance=128,
        **kwargs,
    ):
        super().__init__(codec, variant, **kwargs)
        for name, size in (
            ("num_layers", num_layers),
            ("num_heads", num_heads),
            ("embedding_dim", embedding_dim),
            ("feed_forward_dim", feed_forward_dim),
        ):
            require_integer(name, size, 1)
        if embedding_dim % num_heads:
            raise InputError(f"embedding_dim is {embedding_dim}; expected a multiple of num_heads, which is {num_heads}.")
        if separator_distance not in ("tokens", "parts"):
            raise InputError(f"separator_distance is {separator_distance!r}; expected 'tokens' or 'parts'.")
        if separator_distance == "parts" and not relative_attention:
            raise InputError("separator_distance is 'parts', but without relative attention there are no distances; expected 'tokens'.")
        if mask_strategy(mask).needs_separators and not self.codec.separators:
            raise InputError(
                f"the mask {mask!r} is computed from separators, which the programs of this codec lack; expected separators=True. (A"
                " strategy of your own that reads no separators is registered with needs_separators=False.)"
            )
        self.num_layers = num_layers
        self.num_heads = num_heads
        self.embedding_dim = embedding_dim
        self.feed_forward_dim = feed_forward_dim
        self.dropout = dropout
        self.relative_attention = relative_attention
        self.relative_cross_attention = relative_cross_attention
        self.mask = mask
        self.separator_distance = separator_distance
        self.num_buckets = num_buckets
        self.max_distance = max_distance

        policy = self.dtype_policy
        block = {
            "num_heads": num_heads,
            "feed_forward_dim": feed_forward_dim,
            "relative": relative_attention,
            "num_buckets": num_buckets,
            "max_distance": max_distance,
            "dropout": dropout,
        }
        self.spec_encoder = SPEC_ENCODERS[self.codec.spec_format](
            len(self.codec.spec_vocabulary), embedding_dim, num_layers, block, relative_cross_attention, dtype=policy, name="spec_encoder"
        )
        self.program_embedding = PlacedEmbedding(
            len(self.codec.program_vocabulary), embedding_dim, not relative_attention, dropout, dtype=policy, name="program_embedding"
        )
        self.decoder_blocks = [
            DecoderBlock(relative_cross=relative_cross_attention, **block, dtype=policy, name=f"decoder_block_{i}")
            for i in range(num_layers)
        ]
        self.decoder_norm = keras.layers.LayerNormalization(epsilon=LAYER_NORM_EPSILON, dtype=policy, name="decoder_norm")
        self.logits = keras.layers.Dense(len(self.codec.program_vocabulary), dtype=policy, name="logits")
        self.decomposition_mask = DecompositionMask(mask, sep_id=SEP_ID, pad_id=PAD_ID, name="decomposition_mask")
        self.build()

    def build(self, input_shape=None):
        if self.built:
            return
        hidden = (None, None, self.embedding_dim)
        self.spec_encoder.build()
        self.program_embedding.build((None, None))
        for block in self.decoder_blocks:
            block.build(hidden, hidden)
        self.decoder_norm.build(hidden)
        self.logits.build(hidden)
        self.built = True

    def call(self, inputs, training=None):
        encoded, spec_mask = self.encode(inputs["spec"], training=training)
        return self.decode(inputs["program"], encoded, spec_mask, training=training)

    def encode(self, spec, training=None):
        """Encodes specifications.

        Args:
            spec: integers (batch, spec length), or of examples a dict of `"inputs"` and `"outputs"`, integers (batch, examples, length).
            training: whether dropout applies.

        Returns:
            The encoding (batch, keys, embedding), and where it may be attended, booleans (batch, examples, keys of an example). A
            specification of words counts as one example, whose keys are the words; else the keys are the characters of the outputs.
        """
        return self.spec_encoder(spec, training=training)

    def decode(self, program, encoded, spec_mask, return_attention_scores=False, training=None):
        """Logits for the token after each place of a program.

        Args:
            program: integers (batch, program length), beginning with a separator.
            encoded, spec_mask: from `encode`.
            return_attention_scores: whether to return the blocks' attention weights too.
            training: whether dropout applies.

        Returns:
            Logits (batch, program length, program vocabulary); with `return_attention_scores`, a pair of those and a list with the
            weights (self, cross) of each block.
        """
        tokens = self.decomposition_mask.describe(program)
        self_mask = self.decomposition_mask.between(tokens, tokens)
        self_buckets = self._self_buckets(tokens, tokens)
        cross_mask, cross_buckets = self._cross(ops.arange(ops.shape(program)[1]), spec_mask)
        hidden = self.program_embedding(program, training=training)
        scores = []
        for block in self.decoder_blocks:
            hidden = block(
                hidden,
                encoded,
                self_mask=self_mask,
                cross_mask=cross_mask,
                self_buckets=self_buckets,
                cross_buckets=cross_buckets,
                return_attention_scores=return_attention_scores,
                training=training,
            )
            if return_attention_scores:
                hidden, block_scores = hidden
                scores.append(block_scores)
        logits = self._logits(hidden)
        return (logits, scores) if return_attention_scores else logits

    def decode_step(self, tokens, index, caches, key_values, spec_mask, memory=None):
        """Logits for one place of a program, from cached keys and values.

        Args:
            tokens: integers (batch, length): the program so far, or what of it comes after the memory, and padding from place
                `index + 1` on.
            index: integer, the place in `tokens` to compute.
            caches: each block's self-attention cache, see `RelativeAttention`: what of the memory is said to be in it, then `length`
                places.
            key_values: each block's projected encoding, from `DecoderBlock.project_encoded`.
            spec_mask: from `encode`.
            memory: a `Memory` of what comes before `tokens`; None: nothing does.

        Returns:
            Logits (batch, program vocabulary) and the new caches.
        """
        if memory is None:
            here = keys = self.decomposition_mask.describe(tokens)
        else:
            here = self.decomposition_mask.describe(tokens, memory.first_position, memory.parts_before)
            keys = memory.tokens.followed_by(here)
        query = here.at(index)
        self_mask = self.decomposition_mask.between(query, keys)
        self_buckets = self._self_buckets(query, keys)
        cross_mask, cross_buckets = self._cross(query.position[0], spec_mask)
        token = ops.take(tokens, ops.reshape(index, (1,)), axis=1)
        hidden = self.program_embedding(token, start=query.position[0, 0], training=False)
        new_caches = []
        remembered = [None] * len(caches) if memory is None else memory.key_values
        cache_index = index if memory is None else memory.in_cache + index
        for block, cache, key_value, block_memory in zip(self.decoder_blocks, caches, key_values, remembered, strict=True):
            hidden, cache = block(
                hidden,
                self_mask=self_mask,
                cross_mask=cross_mask,
                self_buckets=self_buckets,
                cross_buckets=cross_buckets,
                key_value=key_value,
                cache=cache,
                cache_index=cache_index,
                memory=block_memory,
                rows_per_key=1 if memory is None else memory.rows_per_key,
                training=False,
            )
            new_caches.append(cache)
        return self._logits(hidden)[:, 0], new_caches

    def encode_for_decoding(self, spec):
        """The encoding's keys and values for each decoder block, and its mask."""
        encoded, spec_mask = self.encode(spec, training=False)
        return [block.project_encoded(encoded) for block in self.decoder_blocks], spec_mask

    def start_decoding(self, spec, length):
        read = self.encode_for_decoding(spec)
        return read, self.empty_caches(ops.shape(read[1])[0], length)

    def empty_caches(self, batch, length):
        """Self-attention caches for `batch` programs of up to `length` tokens."""
        shape = (batch, self.num_heads, length, self.embedding_dim // self.num_heads)
        return [tuple(ops.zeros(shape, dtype=self.compute_dtype) for _ in range(2)) for _ in self.decoder_blocks]

    def _cross(self, query_places, spec_mask):
        """Mask and position buckets of cross-attention, whose keys' places are counted inside each example."""
        batch, examples, length = ops.shape(spec_mask)
        mask = ops.reshape(spec_mask, (batch, 1, examples * length))
        if not self.relative_attention:
            return mask, None
        key_places = ops.arange(examples * length) % length
        relative_position = key_places[None, :] - query_places[:, None]
        return mask, relative_position_bucket(relative_position, True, self.num_buckets, self.max_distance)

    def _self_buckets(self, query, keys):
        """Buckets of the decoder's self-attention between described tokens, which need not stand at the same places in all rows."""
        if not self.relative_attention:
            return None

        def buckets(queries, keys):
            distance = ops.expand_dims(keys, 1) - ops.expand_dims(queries, 2)
            return relative_position_bucket(distance, False, self.num_buckets, self.max_distance)

        in_tokens = buckets(query.position, keys.position)
        if self.separator_distance == "tokens":
            return in_tokens
        return ops.where(ops.expand_dims(query.is_separator, 2), buckets(query.part, keys.part), in_tokens)

    def _logits(self, hidden):
        return ops.cast(self.logits(self.decoder_norm(hidden)), "float32")

    def get_config(self):
        return {
            **super().get_config(),
            "num_layers": self.num_layers,
            "num_heads": self.num_heads,
            "embedding_dim": self.embedding_dim,
            "feed_forward_dim": self.feed_forward_dim,
            "dropout": self.dropout,
            "relative_attention": self.relative_attention,
            "relative_cross_attention": self.relative_cross_attention,
            "mask": self.mask,
            "separator_distance": self.separator_distance,
            "num_buckets": self.num_buckets,
            "max_distance": self.max_distance,
        }
