"""What all models share that read a specification and write a program."""

import keras

from compgen_keras.data import Codec
from compgen_keras.models.decoding import generate


class ProgramWriter(keras.Model):
    """A model that reads a specification and writes a program, token by token.

    A subclass implements `call`, `start_decoding` and `decode_step`, and makes all of its weights when it is made.

    Args:
        codec: a `Codec` or its config.
        variant: what the variant is called, for messages and reports.
        **kwargs: passed on to `keras.Model`.

    Attributes:
        decodes_in_blocks: whether it is an `EncoderDecoder`, whose cache can be cut into blocks.
    """

    decodes_in_blocks = False

    def __init__(self, codec, variant, **kwargs):
        super().__init__(**kwargs)
        self.codec = codec if isinstance(codec, Codec) else Codec(**codec)
        self.variant = variant

    def make_train_function(self, force=False):
        if not self.optimizer.built:
            # TensorFlow traces the train step a second time if the optimizer makes its variables in the first.
            self.optimizer.build(self.trainable_variables)
        return super().make_train_function(force)

    def start_decoding(self, spec, length):
        """What decoding starts from.

        Args:
            spec: ids of specifications, as in `inputs["spec"]` of a call.
            length: the number of tokens that may be written.

        Returns:
            A pair: what each step reads, a tuple of further arguments of `decode_step`, and the caches that it carries on.
        """
        raise NotImplementedError

    def decode_step(self, tokens, index, caches, *read):
        """Logits for one place of a program.

        Args:
            tokens: integers (batch, length): the program so far, padding from place `index + 1` on.
            index: integer, the place in `tokens` to compute.
            caches: what the step before returned, or `start_decoding`.
            *read: from `start_decoding`.

        Returns:
            Logits (batch, program vocabulary) and the new caches.
        """
        raise NotImplementedError

    def generate(self, specs, sampler="greedy", batch_size=128):
        """Writes programs for specifications.

        Args:
            specs: a sequence of specifications, as in `Example.spec`. They may be longer than any of the model's benchmark; the limit
                on the program's length grows with them.
            sampler: `"greedy"` or a deterministic `keras_hub.samplers.Sampler`; a `BeamSampler` with `return_all_beams` gives all of
                its beams.
            batch_size: specifications decoded at once.

        Returns:
            A list with a tuple of token strings for each, separators included, the end token left out. One that reached the length
            limit without an end token has `NO_END` as its last. With `return_all_beams`, a list of such tuples for each, best first.

        Raises:
            ValueError: a specification that the model cannot read.
        """
        return generate(self, specs, sampler, batch_size)

    def get_config(self):
        return {**super().get_config(), "codec": self.codec.get_config(), "variant": self.variant}
