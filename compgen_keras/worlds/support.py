"""Whether training has seen a held-out world's mechanisms where that world needs them."""

import numpy as np

from compgen_keras.worlds.hold_out import HoldOut
from compgen_keras.worlds.mechanisms import world_name
from compgen_keras.worlds.scaling import Scaling
from compgen_keras.worlds.trajectories import Trajectories

_BIN = 1.0
"""Edge of a bin, in standard deviations of the training states."""


def support(split: HoldOut, training: Trajectories, test: Trajectories, scaling: Scaling) -> list[dict]:
    """For each held-out world, how well the training worlds of its row and of its column cover it.

    The row has the world's actuator in other fields, the column its field under other actuators.

    Args:
        split: the worlds.
        training: trajectories of training worlds.
        test: trajectories that hold the held-out worlds'.
        scaling: of the training data.

    Returns:
        A dict a world: `"world"`, and for `"row"` and `"column"` a dict of `"trajectories"` and `"steps"`, their numbers; `"in_range"`, the
        share of the world's test states within the range of training states in all four coordinates; `"in_bins"`, the share in
        four-dimensional bins, one standard deviation wide, that hold a training state; `"excitation"`, the smallest eigenvalue of the
        actions' covariance (1/3 for uniform pushes); and `"test_excitation"`, that of the world's test actions.

    Reference: *Primitive coverage* of the section *Measuring Systematic Generalization*.
    """
    return [
        {
            "world": world_name(cell),
            **{
                name: _coverage(training.of(split.neighbours(cell, place)), test.of([cell]), scaling)
                for place, name in enumerate(("row", "column"))
            },
        }
        for cell in split.held_out
    ]


def share_in_range(states: np.ndarray, training: Trajectories) -> float:
    """The share of states within the range of training states in all four coordinates.

    Args:
        states: (…, 4), m and m/s.
        training: the trajectories that set the range.
    """
    seen = training.states[:, :-1].reshape(-1, 4)
    inside = (states >= seen.min(axis=0)) & (states <= seen.max(axis=0))
    return float(inside.all(axis=-1).mean())


def _coverage(seen, asked, scaling):
    known, needed = (_bins(trajectories.states[:, :-1], scaling) for trajectories in (seen, asked))
    occupied = set(map(tuple, known))
    return {
        "trajectories": len(seen),
        "steps": len(known),
        "in_range": share_in_range(asked.states[:, :-1], seen),
        "in_bins": float(np.mean([tuple(row) in occupied for row in needed])),
        "excitation": _excitation(seen),
        "test_excitation": _excitation(asked),
    }


def _bins(states, scaling):
    scaled = (states - np.array(scaling.mean)) / np.array(scaling.deviation)
    return np.floor(scaled / _BIN).astype(int).reshape(-1, 4)


def _excitation(trajectories):
    pushes = trajectories.actions.reshape(-1, trajectories.actions.shape[-1]).astype("float64")
    return float(np.linalg.eigvalsh(np.cov(pushes.T))[0])
