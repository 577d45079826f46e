"""Beam search with a key/value cache, a block of places at a time.

The beams of one specification soon go back to one common beginning. Its keys and values are kept once for all of them, and only what
lies behind it is copied as beams overtake each other. Finished beams keep their score.
"""

import numpy as np
from keras import ops, tree

from compgen_keras.data import EOS_ID, PAD_ID, SEP_ID
from compgen_keras.layers import Tokens
from compgen_keras.models.block_decoding import UNLIKELY, compiled_encoding, may_write, no_caches, sampler_key
from compgen_keras.models.compiled import batch_size, compiled
from compgen_keras.models.memory import Memory, describe_programs, first_slots, parts_before_last, remembered, tokens_at

BLOCK = 16
"""Places in a block: fewer than in greedy decoding, since a block's cache is copied for every token."""


def write_by_beams(model, spec, sampler, limit):
    """What a `keras_hub.samplers.BeamSampler` does, in less time.

    Args:
        model: an `EncoderDecoder`.
        spec: ids, as `EncoderDecoder.encode` takes them.
        sampler: a `keras_hub.samplers.BeamSampler`.
        limit: tokens that a program may take, the end token included.

    Returns:
        Integers (batch, limit), or (batch, beams, limit), best first, if the sampler returns all beams: what was written, padding after
        the end token.
    """
    beams, count = sampler.num_beams, batch_size(spec)
    block = min(BLOCK, limit)
    key_values, spec_mask = compiled_encoding(model)(spec)
    write = compiled(model, ("beams", block, sampler_key(sampler)), lambda: lambda *state: _write_block(model, sampler, block, *state))
    programs = np.full((count, beams, limit + 1), PAD_ID, dtype=np.int32)
    programs[..., 0] = SEP_ID
    scores = np.full((count, beams), UNLIKELY, dtype=np.float32)
    scores[:, 0] = 0.0
    search = _Search(model, beams, count)
    for position in range(0, limit, block):
        finished = np.any(programs == EOS_ID, axis=2)
        if sampler.return_all_beams:
            done = finished.all(axis=1)
        else:
            # Scores only fall, so that nothing overtakes a finished best beam.
            done = np.take_along_axis(finished, scores.argmax(axis=1)[:, None], axis=1)[:, 0]
        if done.all():
            break
        items = np.flatnonzero(~done).astype(np.int32)
        steps = min(block, limit - position)
        state = search.before_block(items, programs[items, :, : position + 1], finished[items])
        written, source, new_scores, *kept = write(
            programs[items, :, position].reshape(-1),
            finished[items].reshape(-1),
            scores[items].reshape(-1),
            np.int32(position),
            np.int32(steps),
            items,
            *state,
            key_values,
            spec_mask,
        )
        search.after_block(position, block, *kept)
        written = ops.convert_to_numpy(written).reshape(len(items), beams, -1)
        source = ops.convert_to_numpy(source).reshape(len(items), beams, 1) % beams
        programs[items] = np.take_along_axis(programs[items], source, axis=1)
        programs[items, :, position + 1 : position + 1 + steps] = written[..., 1 : steps + 1]
        scores[items] = ops.convert_to_numpy(new_scores).reshape(len(items), beams)
        search.reorder(source)
    order = np.argsort(-scores, axis=1, kind="stable")
    programs = np.take_along_axis(programs, order[..., None], axis=1)[..., 1:]
    return programs if sampler.return_all_beams else programs[:, 0]


class _Search:
    """What of earlier blocks is kept where: places of programs in slots of the shared memory and of the beams' own caches."""

    def __init__(self, model, beams, count):
        self.mask = model.decomposition_mask
        self.beams = beams
        self.items = np.arange(count, dtype=np.int32)
        self.memory, self.caches = no_caches(model, count), no_caches(model, count * beams)
        self.shared_places = np.zeros((count, 0), dtype=np.int32)
        self.own_places = np.zeros((count, beams, 0), dtype=np.int32)

    def before_block(self, items, programs, finished):
        """Chooses what to go on with.

        Args:
            items: integers, which specifications of the batch go on.
            programs: integers (items, beams, position + 1).
            finished: booleans (items, beams).

        Returns:
            Arguments for the compiled block: `parts_before`, integers (items * beams,), separators before the last token; `going_on`, the
            rows of the memory, and `leader`, the rows of the caches, whose slots `shared` make the new memory; `rows` of the caches, whose
            slots `own` the beams keep; the description of all these places, memory first; the memory and the caches.
        """
        going_on = np.searchsorted(self.items, items).astype(np.int32)
        self.items = items
        shared_places, own_places = self.shared_places[going_on], self.own_places[going_on]
        leader = finished.argmin(axis=1)
        common = self._common_beginning(programs, finished, leader)
        described = describe_programs(self.mask, programs.reshape(-1, programs.shape[2]))
        leaders_own = np.take_along_axis(own_places, leader[:, None, None], axis=1)[:, 0]
        candidates = np.concatenate([shared_places, np.where(leaders_own < common[:, None], leaders_own, -1)], axis=1)
        for_beams = remembered(self.mask, described, np.repeat(candidates, self.beams, axis=0)).reshape(len(items), self.beams, -1)
        shared, is_shared = first_slots(np.any(for_beams & ~finished[..., None], axis=1))
        # The leader may have forgotten a common place that another beam still attends to, which that beam then keeps as its own.
        is_shared_place = np.any(own_places[..., None] == candidates[:, None, None, :], axis=3)
        own_rows = np.where(is_shared_place, -1, own_places).reshape(len(items) * self.beams, -1)
        own, is_own = first_slots(remembered(self.mask, described, own_rows) & ~finished.reshape(-1, 1))
        self.shared_places = np.where(is_shared, np.take_along_axis(candidates, shared, axis=1), -1)
        own_rows = np.where(is_own, np.take_along_axis(own_rows, own, axis=1), -1)
        self.own_places = own_rows.reshape(len(items), self.beams, -1)
        tokens = tokens_at(described, np.concatenate([np.repeat(self.shared_places, self.beams, axis=0), own_rows], axis=1))
        rows = (going_on[:, None] * self.beams + np.arange(self.beams)).reshape(-1).astype(np.int32)
        return (
            parts_before_last(described),
            going_on,
            (going_on * self.beams + leader).astype(np.int32),
            shared,
            rows,
            own,
            tuple(vars(tokens).values()),
            self.memory,
            self.caches,
        )

    @staticmethod
    def _common_beginning(programs, finished, leader):
        """How many tokens all unfinished beams of an item share."""
        first = np.take_along_axis(programs, leader[:, None, None], axis=1)
        same = np.all((programs == first) | finished[..., None], axis=1)
        return np.where(same.all(axis=1), same.shape[1], same.argmin(axis=1))

    def after_block(self, position, block, memory, caches):
        """Takes note of what the block wrote."""
        self.memory, self.caches = memory, caches
        here = np.broadcast_to(np.arange(position, position + block, dtype=np.int32), (*self.own_places.shape[:2], block))
        self.own_places = np.concatenate([self.own_places, here], axis=2)

    def reorder(self, source):
        """Follows the beams to where they come from; the block has done the same with the caches."""
        self.own_places = np.take_along_axis(self.own_places, source, axis=1)


def _write_block(
    model,
    sampler,
    block,
    first,
    finished,
    scores,
    position,
    steps,
    items,
    parts_before,
    going_on,
    leader,
    shared,
    rows,
    own,
    described,
    memory,
    caches,
    key_values,
    spec_mask,
):
    """Up to `steps` tokens of all beams, in backend operations alone.

    Args:
        model, sampler, block: as in `write_by_beams`.
        first: integers (items * beams,), the token that is read first.
        finished: booleans (items * beams,).
        scores: log-probabilities (items * beams,).
        position: the place of `first` in its program.
        steps: how many tokens to write.
        items: integers (items,), which specifications go on.
        parts_before, going_on, leader, shared, rows, own, described, memory, caches: from `_Search.before_block`.
        key_values, spec_mask: of all specifications, from `compiled_encoding`.

    Returns:
        Tokens (items * beams, block + 1), for each beam the row that it comes from, scores, and the new shared memory and caches.
    """
    beams = sampler.num_beams
    key_values, spec_mask = tree.map_structure(lambda tensor: ops.take(tensor, items, axis=0), (key_values, spec_mask))
    spec_mask = ops.repeat(spec_mask, beams, axis=0)

    def slots(cache, which):
        return ops.take_along_axis(cache, which[:, None, :, None], axis=2)

    def both(pieces):
        return [tuple(ops.concatenate(pair, axis=2) for pair in zip(*piece, strict=True)) for piece in zip(*pieces, strict=True)]

    def take(structure, which):
        return tree.map_structure(lambda tensor: ops.take(tensor, which, axis=0), structure)

    memory = tree.map_structure(lambda cache: slots(cache, shared), both([take(memory, going_on), take(caches, leader)]))
    kept = tree.map_structure(lambda cache: slots(cache, own), take(caches, rows))
    batch = ops.shape(first)[0]
    caches = both([kept, model.empty_caches(batch, block)])
    tokens = ops.concatenate([first[:, None], ops.full((batch, block), PAD_ID, dtype="int32")], axis=1)
    here = ops.arange(batch, dtype="int32")

    def is_open(index, tokens, caches, finished, scores, described, parts_before, source):
        return (index < steps) & ~ops.all(finished)

    def write(index, tokens, caches, finished, scores, described, parts_before, source):
        remembered_tokens = Memory(Tokens(*described), memory, position, parts_before, in_cache=ops.shape(own)[1], rows_per_key=beams)
        logits, caches = model.decode_step(tokens[:, :block], index, caches, key_values, spec_mask, remembered_tokens)
        vocabulary = logits.shape[1]
        probabilities = sampler.compute_probabilities(may_write(logits, finished))
        candidates = ops.reshape(ops.log(probabilities) + scores[:, None], (-1, beams * vocabulary))
        scores, best = ops.top_k(candidates, k=beams)
        scores, best = ops.reshape(scores, (-1,)), ops.cast(best, "int32")
        origin = ops.reshape(best // vocabulary + beams * ops.arange(ops.shape(best)[0], dtype="int32")[:, None], (-1,))
        token = ops.reshape(best % vocabulary, (-1,))
        tokens, caches, finished, described, parts_before, source = take(
            (tokens, caches, finished, described, parts_before, source), origin
        )
        tokens = ops.slice_update(tokens, (0, index + 1), token[:, None])
        return index + 1, tokens, caches, finished | (token == EOS_ID), scores, described, parts_before, source

    state = (ops.zeros((), dtype="int32"), tokens, caches, finished, scores, described, parts_before, here)
    _, tokens, caches, _, scores, _, _, source = ops.while_loop(is_open, write, state)
    return tokens, source, scores, memory, caches
