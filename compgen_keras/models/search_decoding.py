"""Decoding with samplers that search among several programs for each specification, such as beam search."""

from functools import partial

import numpy as np
from keras import ops, tree

from compgen_keras.data import EOS_ID, PAD_ID, SEP_ID
from compgen_keras.models.block_decoding import may_write, sampler_key
from compgen_keras.models.compiled import batch_size, compiled, filled_up

LENGTHS = (32, 64, 128, 256, 512)
"""Lengths that a search is tried with."""


def write_by_search(model, spec, sampler, limit):
    """Writes programs for each specification of a batch.

    The cache is as long as the programs that are expected. Where a search has not ended by then, it is made again with a longer one;
    most programs are far shorter than the limit.

    Args:
        model: a `ProgramWriter`.
        spec: ids of specifications.
        sampler: a `keras_hub.samplers.Sampler`.
        limit: tokens that a program may take, the end token included.

    Returns:
        Integers (batch, limit), or (batch, beams, limit) if the sampler returns all beams: what was written, padding after the end token.
    """
    programs = None
    count = batch_size(spec)
    open_rows = np.arange(count)
    for length in [length for length in LENGTHS if length < limit] + [limit]:
        search = compiled(model, ("search", length, sampler_key(sampler)), partial(_search, model, sampler, length))
        still_open = tree.map_structure(partial(np.take, indices=open_rows, axis=0), spec)
        searched = ops.convert_to_numpy(search(filled_up(still_open, count)))
        written = np.asarray(searched)[: len(open_rows), ..., 1:]
        if programs is None:
            programs = np.full((*written.shape[:-1], limit), PAD_ID, dtype=np.int32)
        programs[open_rows, ..., :length] = written
        ended = np.all(np.any(written == EOS_ID, axis=-1), axis=tuple(range(1, written.ndim - 1)))
        open_rows = open_rows[~ended]
        if not len(open_rows):
            break
    return programs


def _search(model, sampler, limit):
    return lambda spec: search_programs(model, spec, sampler, limit)


def search_programs(model, spec, sampler, limit):
    """Encodes a batch of specifications and runs a sampler on it, in backend operations alone.

    Args:
        model, spec, sampler: as in `write_by_search`.
        limit: tokens that a program may take here.

    Returns:
        Integers (batch, limit + 1), or (batch, beams, limit + 1): a separator, then what was written, padding after the end token.
    """
    length = limit + 1
    read, caches = model.start_decoding(spec, length)
    batch = ops.shape(tree.flatten(caches)[0])[0]
    beams = getattr(sampler, "num_beams", 1)
    # The sampler repeats the prompt and the cache for its beams; what the step reads besides must be repeated here.
    read = tree.map_structure(lambda tensor: ops.repeat(tensor, beams, axis=0), read)

    def next_token(prompt, caches, index):
        logits, caches = model.decode_step(prompt, index - 1, caches, *read)
        # The certainty of padding after a program's end keeps the score of a finished beam as it is.
        return may_write(logits, ops.any(prompt == EOS_ID, axis=1)), None, caches

    prompt = ops.concatenate([ops.full((batch, 1), SEP_ID, dtype="int32"), ops.full((batch, length - 1), PAD_ID, dtype="int32")], axis=1)
    written = sampler(next_token, prompt, cache=caches, index=1, stop_token_ids=(EOS_ID,), model=model)
    return written[0] if isinstance(written, tuple) else written
