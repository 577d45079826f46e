"""Decoding: batches of specifications of about the same length, each written by a sampler in compiled functions."""

import copy

import keras_hub
import numpy as np

from compgen_keras.data import XLA_LENGTHS, padded_length
from compgen_keras.device import jit_compile_by_device
from compgen_keras.errors import InputError, require_integer
from compgen_keras.models.beam_decoding import write_by_beams
from compgen_keras.models.block_decoding import write_in_blocks
from compgen_keras.models.compiled import filled_up
from compgen_keras.models.search_decoding import write_by_search


def generate(model, specs, sampler="greedy", batch_size=128):
    """Implements `ProgramWriter.generate`."""
    sampler = _checked_sampler(sampler)
    batch_size = require_integer("batch_size", batch_size, 1)
    encoded = model.codec.encode_specs([specs] if isinstance(specs, str) else specs)
    programs = [None] * len(encoded)
    write = _writer(model, sampler)
    each_shape_compiles = jit_compile_by_device()
    for rows, limit in _batches(model.codec, encoded.lengths, batch_size):
        batch = encoded.select(rows)
        ids = batch.padded(*(padded_length(length, XLA_LENGTHS if each_shape_compiles else None) for length in batch.longest))
        if each_shape_compiles:
            ids = filled_up(ids, batch_size)
        written = write(model, ids, sampler, limit)[: len(rows)]
        for row, tokens in zip(rows, written, strict=True):
            if tokens.ndim == 1:
                programs[row] = model.codec.decode_program(tokens)
            else:
                programs[row] = [model.codec.decode_program(beam) for beam in tokens]
    return programs


def _writer(model, sampler):
    if not model.decodes_in_blocks:
        return write_by_search
    if type(sampler).__call__ is keras_hub.samplers.Sampler.__call__:
        return write_in_blocks
    # XLA writes to caches in place, but compiles for each of the many shapes that a search in blocks goes through.
    if type(sampler) is keras_hub.samplers.BeamSampler and not jit_compile_by_device():
        return write_by_beams
    return write_by_search


def _batches(codec, lengths, batch_size):
    """Pairs of the rows of a batch, by length, and the tokens that their programs may take.

    That is the benchmark's own limit, and as many times that as a specification is longer than its longest.
    """
    limits = codec.max_program_length * -(-lengths // codec.max_spec_length)
    by_length = np.argsort(lengths, kind="stable")
    for limit in np.unique(limits):
        rows = by_length[limits[by_length] == limit]
        for start in range(0, len(rows), batch_size):
            yield rows[start : start + batch_size], int(limit)


def _checked_sampler(sampler):
    if isinstance(sampler, str) and sampler == "greedy":
        return keras_hub.samplers.GreedySampler()
    if not isinstance(sampler, keras_hub.samplers.Sampler):
        raise InputError(f"sampler is {sampler!r}; expected 'greedy' or a keras_hub.samplers.Sampler such as BeamSampler(num_beams=10).")
    name = type(sampler).__name__
    if isinstance(sampler, keras_hub.samplers.ContrastiveSampler):
        raise InputError(f"sampler is a {name}, which needs a model's hidden states; expected a sampler that reads probabilities alone.")
    if sampler.variables:
        raise InputError(f"sampler is a {name}, which draws at random; expected a deterministic one such as GreedySampler or BeamSampler.")
    if isinstance(sampler, keras_hub.samplers.BeamSampler):
        require_integer("num_beams", sampler.num_beams, 1)
    # Compiled functions hold the sampler, and the caller's may change.
    return copy.copy(sampler)
