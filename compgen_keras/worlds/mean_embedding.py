"""The categorical baseline with a better guess at a world that it does not know."""

import numpy as np
from keras import ops

from compgen_keras.worlds.hold_out import HoldOut
from compgen_keras.worlds.models import WorldIdModel


def with_mean_embedding(model: WorldIdModel, split: HoldOut) -> WorldIdModel:
    """A copy whose held-out worlds have the mean of the trained embeddings in place of random ones.

    It tells how much of the baseline's error is due to random numbers, and how much to not knowing the world.

    Args:
        model: a trained baseline.
        split: which worlds it was trained on.

    Returns:
        The copy.
    """
    copy = WorldIdModel(model.scaling, model.width, name=f"{model.name}_with_mean")
    copy.set_weights(model.get_weights())
    rows = np.array(ops.convert_to_numpy(copy.world_embeddings))
    numbers = {cells: [row * split.side + column for row, column in cells] for cells in (split.training, split.held_out)}
    rows[numbers[split.held_out]] = rows[numbers[split.training]].mean(axis=0)
    copy.world_embeddings.assign(rows)
    return copy
