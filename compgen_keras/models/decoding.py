"""Decoding: batches of specifications of about the same length, each written by a sampler in compiled functions."""

import keras_hub
import numpy as np

from compgen_keras.data import XLA_LENGTHS, padded_length
from compgen_keras.device import jit_compile_by_device
from compgen_keras.errors import InputError, require_integer
from compgen_keras.models.beam_decoding import write_by_beams
from compgen_keras.models.block_decoding import write_in_blocks
from compgen_keras.models.search_decoding import write_by_search


def generate(model, specs, sampler="greedy", batch_size=128):
    """Implements `EncoderDecoder.generate`."""
    sampler = _checked_sampler(sampler)
    batch_size = require_integer("batch_size", batch_size, 1)
    encoded = model.codec.encode_specs([specs] if isinstance(specs, str) else specs)
    programs = [None] * len(encoded)
    by_length = np.argsort(encoded.lengths, kind="stable")
    write = _writer(sampler)
    for start in range(0, len(encoded), batch_size):
        rows = by_length[start : start + batch_size]
        batch = encoded.select(rows)
        longest = int(batch.lengths.max())
        ids = batch.padded(padded_length(longest, XLA_LENGTHS))
        # A last, smaller batch is filled up, so that it does not cost a compilation of its own.
        if len(encoded) > batch_size and len(rows) < batch_size:
            ids = np.concatenate([ids, np.repeat(ids[-1:], batch_size - len(rows), axis=0)])
        written = write(model, ids, sampler, _limit(model.codec, longest))[: len(rows)]
        for row, tokens in zip(rows, written, strict=True):
            if tokens.ndim == 1:
                programs[row] = model.codec.decode_program(tokens)
            else:
                programs[row] = [model.codec.decode_program(beam) for beam in tokens]
    return programs


def _writer(sampler):
    if type(sampler).__call__ is keras_hub.samplers.Sampler.__call__:
        return write_in_blocks
    # XLA writes to caches in place, but compiles for each of the many shapes that a search in blocks goes through.
    if type(sampler) is keras_hub.samplers.BeamSampler and not jit_compile_by_device():
        return write_by_beams
    return write_by_search


def _limit(codec, spec_length):
    """Tokens that a program may take: the benchmark's own limit, and as many times that as a specification is longer than its longest."""
    return codec.max_program_length * -(-spec_length // codec.max_spec_length)


def _checked_sampler(sampler):
    if sampler == "greedy":
        return keras_hub.samplers.GreedySampler()
    if isinstance(sampler, keras_hub.samplers.Sampler):
        return sampler
    raise InputError(f"sampler is {sampler!r}; expected 'greedy' or a keras_hub.samplers.Sampler such as BeamSampler(num_beams=10).")
