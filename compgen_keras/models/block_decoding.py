"""Writing programs token by token with a key/value cache, a block of places at a time.

A cache as long as the longest program would be copied and read in full for every token. Here the cache that is written to holds one block;
what came before is read only, without what the mask lets no later token attend to, and programs that have ended leave the batch.
"""

import numpy as np
from keras import ops, tree

from compgen_keras.data import EOS_ID, PAD_ID, SEP_ID, XLA_LENGTHS, padded_length
from compgen_keras.device import jit_compile_by_device
from compgen_keras.layers import Tokens
from compgen_keras.models.compiled import batch_size, compiled
from compgen_keras.models.memory import Memory, choose_memory

BLOCK = 32
"""Places in a block where arrays are copied when written to: TensorFlow's graphs."""
BLOCK_XLA = 256
"""The same with XLA, which writes in place and compiles for each shape."""
UNLIKELY = -1e9
"""A logit or log-probability that never wins, and small enough to be added to others."""


def write_in_blocks(model, spec, sampler, limit):
    """Writes a program for each specification of a batch.

    Args:
        model: an `EncoderDecoder`.
        spec: ids, as `EncoderDecoder.encode` takes them.
        sampler: a `keras_hub.samplers.Sampler` that chooses each token from the probabilities of the next one.
        limit: tokens that a program may take, the end token included.

    Returns:
        Integers (batch, limit): what was written, padding after the end token.
    """
    in_place = jit_compile_by_device()
    block = min(BLOCK_XLA if in_place else BLOCK, limit)
    write = compiled(model, ("write", block, sampler_key(sampler)), lambda: lambda *state: _write_block(model, sampler, block, *state))
    key_values, spec_mask = compiled_encoding(model)(spec)
    count = batch_size(spec)
    programs = np.full((count, limit + 1), PAD_ID, dtype=np.int32)
    programs[:, 0] = SEP_ID
    finished = np.zeros(count, dtype=bool)
    rows, caches, places = np.arange(count, dtype=np.int32), no_caches(model, count), np.zeros((count, 0), dtype=np.int32)
    for position in range(0, limit, block):
        going_on = np.arange(len(rows), dtype=np.int32) if in_place else np.flatnonzero(~finished[rows]).astype(np.int32)
        rows, places = rows[going_on], places[going_on]
        # A program that has ended and stays in its batch needs no memory, which would swell that of the others.
        places = np.where(finished[rows, None], -1, places)
        kept, tokens, parts_before = choose_memory(model.decomposition_mask, programs[rows], position, places)
        if in_place:
            kept, tokens = _padded_memory(kept, tokens)
        steps = min(block, limit - position)
        written, caches = write(
            programs[rows, position],
            finished[rows],
            np.int32(position),
            np.int32(steps),
            parts_before,
            rows,
            going_on,
            kept,
            (tokens.position, tokens.is_separator, tokens.part, tokens.ends_part, tokens.is_real),
            caches,
            key_values,
            spec_mask,
        )
        programs[rows, position + 1 : position + 1 + steps] = ops.convert_to_numpy(written)[:, 1 : steps + 1]
        finished = np.any(programs == EOS_ID, axis=1)
        if finished.all():
            break
        here = np.broadcast_to(np.arange(position, position + block, dtype=np.int32), (len(rows), block))
        places = np.concatenate([tokens.position, here], axis=1)
    return programs[:, 1:]


def may_write(logits, finished):
    """Logits (batch, vocabulary) that leave padding alone after a program's end, with certainty, and no padding before it."""
    is_pad = ops.arange(ops.shape(logits)[1])[None, :] == PAD_ID
    return ops.where(ops.expand_dims(finished, 1) == is_pad, logits, UNLIKELY)


def sampler_key(sampler):
    """Equal for samplers of one class with equal attributes."""
    return type(sampler), repr(sorted(vars(sampler).items()))


def compiled_encoding(model):
    """`EncoderDecoder.encode_for_decoding` as a compiled function."""
    return compiled(model, "encode", lambda: model.encode_for_decoding)


def no_caches(model, batch):
    """Caches of no places."""
    shape = (batch, model.num_heads, 0, model.embedding_dim // model.num_heads)
    return [tuple(np.zeros(shape, dtype=model.compute_dtype) for _ in range(2)) for _ in model.decoder_blocks]


def _padded_memory(kept, tokens):
    """Pads what is remembered to one of a few lengths."""
    length = kept.shape[1]
    extra = ((0, 0), (0, padded_length(length, XLA_LENGTHS) - length if length else 0))
    values = {"position": -1, "is_real": False}
    padded = {name: np.pad(value, extra, constant_values=values.get(name, 0)) for name, value in vars(tokens).items()}
    return np.pad(kept, extra), Tokens(**padded)


def _write_block(
    model, sampler, block, first, finished, position, steps, parts_before, rows, going_on, kept, remembered, caches, key_values, spec_mask
):
    """Up to `steps` tokens, in backend operations alone."""
    key_values, spec_mask = tree.map_structure(lambda tensor: ops.take(tensor, rows, axis=0), (key_values, spec_mask))

    def recall(cache):
        return ops.take_along_axis(ops.take(cache, going_on, axis=0), kept[:, None, :, None], axis=2)

    memory = Memory(Tokens(*remembered), tree.map_structure(recall, caches), position, parts_before)
    batch = ops.shape(first)[0]
    tokens = ops.concatenate([first[:, None], ops.full((batch, block), PAD_ID, dtype="int32")], axis=1)

    def is_open(index, tokens, caches, finished):
        return (index < steps) & ~ops.all(finished)

    def write(index, tokens, caches, finished):
        logits, caches = model.decode_step(tokens[:, :block], index, caches, key_values, spec_mask, memory)
        probabilities = sampler.compute_probabilities(may_write(logits, finished))
        token = ops.cast(sampler.get_next_token(probabilities), "int32")
        tokens = ops.slice_update(tokens, (0, index + 1), token[:, None])
        return index + 1, tokens, caches, finished | (token == EOS_ID)

    state = (ops.zeros((), dtype="int32"), tokens, model.empty_caches(batch, block), finished)
    _, tokens, caches, _ = ops.while_loop(is_open, write, state)
    joined = [
        tuple(ops.concatenate(pair, axis=2) for pair in zip(before, now, strict=True))
        for before, now in zip(memory.key_values, caches, strict=True)
    ]
    return tokens, joined
