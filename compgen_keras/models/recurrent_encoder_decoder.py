"""LSTM encoder-decoders with attention, the recurrent baselines of COGS."""

import keras
from keras import ops

from compgen_keras.data import PAD_ID
from compgen_keras.errors import InputError, require_integer
from compgen_keras.models.program_writer import ProgramWriter


@keras.saving.register_keras_serializable(package="compgen_keras")
class RecurrentEncoderDecoder(ProgramWriter):
    """Reads a sentence with LSTMs and writes a program with LSTMs that attend to it.

    The decoder starts from the encoder's last states. After its last layer it attends to what the encoder's last layer wrote, by the dot
    product (global attention); the output layer reads `tanh` of a projection of both. Other than in the published baselines what
    was attended to is not fed into the next step (no input feeding), so that the decoder is Keras's own LSTM, which runs over the whole
    program at once when it is trained.

    Args:
        codec: a `Codec` or its config.
        variant: what the variant is called, for messages and reports.
        num_layers: LSTMs on top of each other, in the encoder and in the decoder.
        embedding_dim: size of embeddings and of the LSTMs' states.
        bidirectional: whether the encoder reads in both directions, with half of the states each.
        dropout: rate of dropout between the layers and before the output layer.
        **kwargs: passed on to `keras.Model`.

    Call arguments:
        inputs: a dict of `"spec"`, integers (batch, spec length), and `"program"`, integers (batch, program length): the program so far
            behind a separator.
        training: whether dropout applies.

    Returns:
        Logits, float32 (batch, program length, program vocabulary).

    Raises:
        ValueError: sizes that do not fit together, or a codec whose specifications are input-output examples.

    Reference: section 5 of Kim and Linzen (2020); global attention is from Luong et al. (2015).
    """

    def __init__(self, codec, variant, num_layers, embedding_dim, bidirectional=False, dropout=0.0, **kwargs):
        super().__init__(codec, variant, **kwargs)
        require_integer("num_layers", num_layers, 1)
        require_integer("embedding_dim", embedding_dim, 1)
        if bidirectional and embedding_dim % 2:
            raise InputError(f"embedding_dim is {embedding_dim}; expected an even number, half of it for each direction.")
        if self.codec.reads_pairs:
            raise InputError(f"{variant} reads words, but the specifications of {self.codec.benchmark} are input-output examples.")
        self.num_layers = num_layers
        self.embedding_dim = embedding_dim
        self.bidirectional = bidirectional
        self.dropout = dropout

        policy = self.dtype_policy

        def lstm(units, name):
            return keras.layers.LSTM(units, return_sequences=True, return_state=True, dtype=policy, name=name)

        def reader(name):
            if bidirectional:
                return keras.layers.Bidirectional(lstm(embedding_dim // 2, name), dtype=policy, name=name)
            return lstm(embedding_dim, name)

        def embedding(vocabulary, name):
            return keras.layers.Embedding(len(vocabulary), embedding_dim, dtype=policy, name=name)

        self.spec_embedding = embedding(self.codec.spec_vocabulary, "spec_embedding")
        self.program_embedding = embedding(self.codec.program_vocabulary, "program_embedding")
        self.encoder_layers = [reader(f"encoder_lstm_{i}") for i in range(num_layers)]
        self.decoder_layers = [lstm(embedding_dim, f"decoder_lstm_{i}") for i in range(num_layers)]
        self.attention = keras.layers.Attention(dtype=policy, name="attention")
        self.attended = keras.layers.Dense(embedding_dim, activation="tanh", use_bias=False, dtype=policy, name="attended")
        self.drop = keras.layers.Dropout(dropout, dtype=policy, name="dropout")
        self.logits = keras.layers.Dense(len(self.codec.program_vocabulary), dtype=policy, name="logits")
        self.build()

    def build(self, input_shape=None):
        if self.built:
            return
        hidden = (None, None, self.embedding_dim)
        for embedding in (self.spec_embedding, self.program_embedding):
            embedding.build((None, None))
        for layer in (*self.encoder_layers, *self.decoder_layers):
            layer.build(hidden)
        self.attention.build([hidden, hidden])
        self.attended.build((None, None, 2 * self.embedding_dim))
        self.drop.build(hidden)
        self.logits.build(hidden)
        self.built = True

    def call(self, inputs, training=None):
        encoded, spec_mask, states = self.encode(inputs["spec"], training=training)
        hidden = self.program_embedding(inputs["program"])
        for number, (layer, state) in enumerate(zip(self.decoder_layers, states, strict=True)):
            hidden, *_ = layer(self._dropped(hidden, number, training), initial_state=state, training=training)
        return self._logits(hidden, encoded, spec_mask, training)

    def encode(self, spec, training=None):
        """Encodes sentences.

        Args:
            spec: integers (batch, spec length).
            training: whether dropout applies.

        Returns:
            The encoding (batch, spec length, embedding), booleans (batch, spec length) that tell words from padding, and the last states
            of each layer, pairs of (batch, embedding).
        """
        mask = spec != PAD_ID
        hidden = self.spec_embedding(spec)
        states = []
        for number, layer in enumerate(self.encoder_layers):
            hidden, *last = layer(self._dropped(hidden, number, training), mask=mask, training=training)
            # Both directions have an output and a memory.
            states.append(tuple(ops.concatenate(last[kind::2], axis=-1) for kind in (0, 1)))
        return hidden, mask, states

    def start_decoding(self, spec, length):
        encoded, spec_mask, states = self.encode(spec, training=False)
        return (encoded, spec_mask), states

    def decode_step(self, tokens, index, caches, encoded, spec_mask):
        hidden = self.program_embedding(ops.take(tokens, index, axis=1))
        states = []
        for layer, state in zip(self.decoder_layers, caches, strict=True):
            hidden, state = layer.cell(hidden, state, training=False)
            states.append(tuple(state))
        return self._logits(hidden[:, None], encoded, spec_mask, False)[:, 0], states

    def _dropped(self, hidden, number, training):
        return self.drop(hidden, training=training) if number else hidden

    def _logits(self, hidden, encoded, spec_mask, training):
        read = self.attention([hidden, encoded], mask=[None, spec_mask])
        hidden = self.attended(ops.concatenate([read, hidden], axis=-1))
        return ops.cast(self.logits(self.drop(hidden, training=training)), "float32")

    def get_config(self):
        return {
            **super().get_config(),
            "num_layers": self.num_layers,
            "embedding_dim": self.embedding_dim,
            "bidirectional": self.bidirectional,
            "dropout": self.dropout,
        }
