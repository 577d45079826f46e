"""What the trained models of a study say together."""

import numpy as np

from compgen_keras.worlds.measurement import KINDS
from compgen_keras.worlds.swap_test import FACTORS

SHARE = 0.5
"""The factored model is expected to have at most this share of the categorical baseline's rollout error."""


def spread(values) -> dict:
    """Mean, standard deviation and range of some numbers.

    Args:
        values: the numbers; None for missing ones, which are left out.

    Example:

    >>> spread([1.0, 3.0])
    {'mean': 2.0, 'std': 1.0, 'min': 1.0, 'max': 3.0, 'n': 2}
    """
    known = np.array([value for value in values if value is not None], dtype="float64")
    if not len(known):
        return {"mean": None, "std": None, "min": None, "max": None, "n": 0}
    return {"mean": float(known.mean()), "std": float(known.std()), "min": float(known.min()), "max": float(known.max()), "n": len(known)}


def summarise(pairs: list[dict], bounds: dict) -> dict:
    """Spreads over the trained models of each name.

    Args:
        pairs: one dict a trained model, see `measure`, with `"model"`, `"diagonal"` and `"seed"`.
        bounds: by diagonal, see `measure_bounds`.

    Returns:
        A dict of `"models"`, for each name the spreads, and `"bounds"`, the planning of the true dynamics and of random pushes.
    """
    names = list(dict.fromkeys(pair["model"] for pair in pairs))
    return {
        "models": {name: _of_model([pair for pair in pairs if pair["model"] == name]) for name in names},
        "bounds": {
            name: {kind: _planning([bound[name][kind] for bound in bounds.values()]) for kind in KINDS}
            for name in ("true_dynamics", "random_pushes")
        },
    }


def criterion(summary: dict) -> dict | None:
    """Whether the factored model's mean rollout error in held-out worlds is at most half of the categorical baseline's.

    Args:
        summary: that of `summarise`.

    Returns:
        A dict of `"factored"` and `"world_id"`, the means, `"share"`, the first over the second, and `"met"`; None where a model is
        missing.
    """
    models = summary["models"]
    if not {"factored", "world_id"} <= set(models):
        return None
    factored, baseline = (models[name]["rollout"]["held_out"]["mean"] for name in ("factored", "world_id"))
    return {"factored": factored, "world_id": baseline, "share": factored / baseline, "met": bool(factored <= SHARE * baseline)}


def _of_model(pairs):
    def over(get):
        return spread([get(pair) for pair in pairs])

    found = {
        "parameters": pairs[0]["parameters"],
        "one_step": {kind: over(lambda pair, kind=kind: pair["errors"][kind]["one_step"]) for kind in KINDS},
        "rollout": {kind: over(lambda pair, kind=kind: pair["errors"][kind]["rollout"]) for kind in KINDS},
        "growth": {
            curve: over(lambda pair, curve=curve: pair["errors"]["held_out"]["growth"][curve])
            for curve in ("by_step", "position_by_step", "velocity_by_step")
        },
        "planning": {kind: _planning([pair["planning"][kind] for pair in pairs]) for kind in KINDS},
        "swap": {factor: {kind: _swap(pairs, factor, kind) for kind in ("held_out", "control")} for factor in FACTORS},
        "asymmetry": {
            "beyond_controls": over(lambda pair: pair["swap"]["asymmetry"]["beyond_controls"]),
            **{factor: over(lambda pair, factor=factor: pair["swap"]["asymmetry"]["by_direction"][factor]) for factor in FACTORS},
        },
        "adaptation": _adaptation(pairs),
    }
    if "mean_embedding" in pairs[0]:
        found["mean_embedding"] = {name: over(lambda pair, name=name: pair["mean_embedding"][name]) for name in ("one_step", "rollout")}
    return found


def _planning(results):
    return {name: spread([result[name] for result in results]) for name in ("success", "realised", "predicted", "optimism", "in_range")}


def _swap(pairs, factor, kind):
    results = [pair["swap"][factor][kind] for pair in pairs]
    return {
        "swaps": sum(result["swaps"] for result in results),
        "passed": spread([result["passed"] for result in results]),
        "median": spread([result["median"] for result in results]),
        "repeats": spread([max(result["by_repeat"]) - min(result["by_repeat"]) for result in results]),
    }


def _adaptation(pairs):
    """One entry a number of trajectories and a source, in the order they were measured in."""
    by_place = zip(*(pair["adaptation"]["results"] for pair in pairs), strict=True)
    return [
        {
            "trajectories": results[0]["trajectories"],
            "source": results[0]["source"],
            **{name: spread([result[name] for result in results]) for name in ("new_world", "training_worlds")},
            "moved": {layer: spread([result["moved"][layer] for result in results]) for layer in results[0]["moved"]},
        }
        for results in by_place
    ]
