"""What beams keep of earlier blocks: never less than they may still attend to."""

import numpy as np
import pytest

from compgen_keras.data import EOS_ID, PAD_ID, SEP_ID
from compgen_keras.models.beam_decoding import _Search
from compgen_keras.models.memory import describe_programs, remembered
from tests.models.small import small_model

BLOCK, BLOCKS, ITEMS = 5, 6, 2


def lacking(model, seed, beams):
    """How often, in a random search, an unfinished beam lacks the place of a token that it may still attend to."""
    random = np.random.default_rng(seed)
    mask = model.decomposition_mask
    search = _Search(model, beams, ITEMS)
    programs = np.full((ITEMS, beams, BLOCK * BLOCKS + 1), PAD_ID, dtype=np.int32)
    programs[..., 0] = SEP_ID
    lost = 0
    for position in range(0, BLOCK * BLOCKS, BLOCK):
        finished = np.any(programs == EOS_ID, axis=2)
        items = np.flatnonzero(~finished.all(axis=1)).astype(np.int32)
        if not len(items):
            break
        so_far = programs[items][:, :, : position + 1]
        state = search.before_block(items, so_far, finished[items])
        positions, memory, caches = state[6][0], state[7], state[8]
        every_place = np.broadcast_to(np.arange(position), (len(items) * beams, position))
        needed = remembered(mask, describe_programs(mask, so_far.reshape(-1, position + 1)), every_place)
        for row in np.flatnonzero(~finished[items].reshape(-1)):
            kept = positions[row][positions[row] >= 0].tolist()
            assert len(kept) == len(set(kept))
            lost += not set(np.flatnonzero(needed[row])) <= set(kept)
        search.after_block(position, BLOCK, memory, caches)
        source = np.broadcast_to(np.arange(beams), (len(items), beams))
        for place in range(position + 1, position + BLOCK + 1):
            if random.random() < 0.3:
                origin = random.integers(beams, size=(len(items), beams))
                programs[items] = np.take_along_axis(programs[items], origin[..., None], axis=1)
                source = np.take_along_axis(source, origin, axis=1)
            ended = np.any(programs[items] == EOS_ID, axis=2)
            words = random.choice([SEP_ID, EOS_ID, 3, 4], p=[0.15, 0.02, 0.415, 0.415], size=ended.shape)
            programs[items, :, place] = np.where(ended, PAD_ID, words)
        search.reorder(source[..., None])
    return lost


@pytest.mark.parametrize("strategy", ["causal", "sep_to_last", "sep_to_sep_and_last"])
@pytest.mark.parametrize("beams", [1, 2, 5])
def test_no_beam_loses_what_it_may_still_attend_to(strategy, beams):
    model = small_model("sep_to_last", num_layers=1, mask=strategy)
    assert sum(lacking(model, seed, beams) for seed in range(25)) == 0
