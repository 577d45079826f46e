"""Decoding with a key/value cache inside one compiled function, through keras_hub's samplers."""

import keras
import keras_hub
import numpy as np
from keras import ops, tree

from compgen_keras.data import EOS_ID, PAD_ID, SEP_ID, XLA_LENGTHS, padded_length
from compgen_keras.device import jit_compile_by_device
from compgen_keras.errors import InputError, require_integer

_NEVER = -1e9


def generate(model, specs, sampler="greedy", batch_size=128):
    """Implements `EncoderDecoder.generate`."""
    sampler = _checked_sampler(sampler)
    batch_size = require_integer("batch_size", batch_size, 1)
    encoded = model.codec.encode_specs([specs] if isinstance(specs, str) else specs)
    programs = [None] * len(encoded)
    by_length = np.argsort(encoded.lengths, kind="stable")
    for start in range(0, len(encoded), batch_size):
        rows = by_length[start : start + batch_size]
        batch = encoded.select(rows)
        longest = int(batch.lengths.max())
        ids = batch.padded(padded_length(longest, XLA_LENGTHS))
        # A last, smaller batch is filled up, so that it does not cost a compilation of its own.
        if len(encoded) > batch_size and len(rows) < batch_size:
            ids = np.concatenate([ids, np.repeat(ids[-1:], batch_size - len(rows), axis=0)])
        function = compiled_sampling(model, sampler, _limit(model.codec, longest))
        written = np.asarray(ops.convert_to_numpy(function(ids)))[: len(rows), ..., 1:]
        for row, tokens in zip(rows, written, strict=True):
            if tokens.ndim == 1:
                programs[row] = model.codec.decode_program(tokens)
            else:
                programs[row] = [model.codec.decode_program(beam) for beam in tokens]
    return programs


def _limit(codec, spec_length):
    """Tokens that a program may take: the benchmark's own limit, and as many times that as a specification is longer than its longest."""
    return codec.max_program_length * -(-spec_length // codec.max_spec_length)


def _checked_sampler(sampler):
    if sampler == "greedy":
        return keras_hub.samplers.GreedySampler()
    if isinstance(sampler, keras_hub.samplers.Sampler):
        return sampler
    raise InputError(f"sampler is {sampler!r}; expected 'greedy' or a keras_hub.samplers.Sampler such as BeamSampler(num_beams=10).")


def sample(model, spec, sampler, limit):
    """Encodes a batch of specifications and runs a sampler on it, in backend operations alone.

    Args:
        model: an `EncoderDecoder`.
        spec: integers (batch, spec length).
        sampler: a `keras_hub.samplers.Sampler`.
        limit: tokens that a program may take, the end token included.

    Returns:
        Integers (batch, limit + 1), or (batch, beams, limit + 1): a separator, then what was written, padding after the end token.
    """
    encoded, spec_mask = model.encode(spec, training=False)
    key_values = [block.project_encoded(encoded) for block in model.decoder_blocks]
    batch = ops.shape(spec)[0]
    length = limit + 1
    beams = getattr(sampler, "num_beams", 1)
    # The sampler repeats the prompt and the cache for its beams; what the step reads besides must be repeated here.
    key_values, spec_mask = tree.map_structure(lambda tensor: ops.repeat(tensor, beams, axis=0), (key_values, spec_mask))

    def next_token(prompt, caches, index):
        finished = ops.any(prompt == EOS_ID, axis=1, keepdims=True)
        logits, caches = model.decode_step(prompt, index - 1, caches, key_values, spec_mask)
        is_pad = ops.arange(ops.shape(logits)[1])[None, :] == PAD_ID
        # After its end a program gets padding with certainty, which keeps the score of a finished beam as it is.
        logits = ops.where(finished == is_pad, logits, _NEVER)
        return logits, None, caches

    prompt = ops.concatenate([ops.full((batch, 1), SEP_ID, dtype="int32"), ops.full((batch, length - 1), PAD_ID, dtype="int32")], axis=1)
    written = sampler(next_token, prompt, cache=model.empty_caches(batch, length), index=1, stop_token_ids=(EOS_ID,), model=model)
    return written[0] if isinstance(written, tuple) else written


def compiled_sampling(model, sampler, limit):
    """`sample` for a model, a sampler and a limit, as one compiled function of the specification's ids; kept for the next call."""
    kept = model.__dict__.setdefault("_sampling_functions", {})
    # keras_hub's samplers are what their config says; of a sampler of another origin only the object itself is sure to be the same.
    known = type(sampler).__module__.startswith("keras_hub.")
    key = (type(sampler), str(sorted(sampler.get_config().items())) if known else sampler, limit)
    if key not in kept:
        kept[key] = _compile(model, sampler, limit)
    return kept[key]


def _compile(model, sampler, limit):
    if keras.config.backend() == "tensorflow":
        import tensorflow as tf

        signature = [tf.TensorSpec((None, None), tf.int32)]
        return tf.function(lambda spec: sample(model, spec, sampler, limit), signature, jit_compile=jit_compile_by_device())
    if keras.config.backend() == "jax":
        import jax

        @jax.jit
        def compiled(variables, spec):
            with keras.StatelessScope(state_mapping=zip(model.variables, variables, strict=True)):
                return sample(model, spec, sampler, limit)

        return lambda spec: compiled([variable.value for variable in model.variables], spec)
    return lambda spec: sample(model, ops.convert_to_tensor(spec), sampler, limit)
