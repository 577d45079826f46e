"""The numbers of a grid: what is there, beside the paper's."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from compgen_keras.experiments.paper import paper_result
from compgen_keras.grid.folder import CellState, GridFolder
from compgen_keras.grid.significance import compare_on_examples, compare_over_seeds


def summarise(folder: GridFolder, states: Sequence[CellState] | None = None) -> dict:
    """All numbers of a grid, as they are written to JSON.

    Args:
        folder: the grid's folder.
        states: where its cells stand; None: they are looked up.

    Returns:
        `"grid"` and `"cells"` say what was asked for and what is there. `"accuracy"` has by setting, benchmark and model the percentages of
        the seeds, their mean and standard deviation (of a sample; None for one seed), the paper's, and the difference of the means;
        `"by_parts"` the examples and those solved for each number of parts, all seeds together; `"ordering"` how the order of the models
        agrees with the paper's, see `ordering`; `"on_examples"` and `"over_seeds"` what differences are significant. Times, which
        differ from one machine to the next, are under `"timing"` alone.
    """
    states = folder.states() if states is None else states
    grid, done = folder.grid, [state for state in states if state.state == "done"]
    results = {(s.cell.benchmark, s.cell.variant, s.cell.seed): s.result for s in done}
    accuracy, by_parts, order, examples, seeds = {}, {}, {}, {}, {}
    for setting in grid.settings:
        for benchmark in grid.benchmarks:
            of_models = {v: {s: results[benchmark, v, s] for s in grid.seeds if (benchmark, v, s) in results} for v in grid.models}
            of_models = {variant: found for variant, found in of_models.items() if found}
            if not of_models:
                continue
            place = {name: _accuracy(found, benchmark, name, setting) for name, found in of_models.items()}
            accuracy.setdefault(setting, {})[benchmark] = place
            by_parts.setdefault(setting, {})[benchmark] = {name: _parts(found, setting) for name, found in of_models.items()}
            agreement = ordering(place)
            if agreement:
                order.setdefault(setting, {})[benchmark] = agreement
            of_seeds = {s: {v: found[s] for v, found in of_models.items() if s in found} for s in grid.seeds}
            pairs = {str(s): compare_on_examples(found, setting) for s, found in of_seeds.items() if len(found) > 1}
            examples.setdefault(setting, {})[benchmark] = pairs
            percent = {v: {s: _percent(r, setting) for s, r in found.items()} for v, found in of_models.items()}
            seeds.setdefault(setting, {})[benchmark] = compare_over_seeds(percent)
    return {
        "grid": {"name": grid.name, "description": grid.description, **grid.common, **_lists(grid)},
        "cells": {
            "total": len(states),
            "done": len(done),
            "failed": {state.cell.name: state.reason for state in states if state.state == "failed"},
            "missing": [state.cell.name for state in states if state.state not in ("done", "failed")],
        },
        "accuracy": accuracy,
        "by_parts": by_parts,
        "ordering": order,
        "on_examples": examples,
        "over_seeds": seeds,
        "timing": {state.cell.name: state.result["timing"] for state in done},
    }


def ordering(models: dict[str, dict]) -> dict | None:
    """Whether the models come in the same order as in the paper.

    Args:
        models: by name, `"mean"` and the paper's mean and standard deviation, or None for the latter.

    Returns:
        Kendall's tau-b of the two orders (1: the same, -1: the opposite, None: all are equal); of the pairs of models that differ in the
        paper by more than their standard deviations together, how many are in the same order here; and the best models of each, several
        if they are equal, none if all are. None for fewer than two models with a figure in the paper.

    Example:

    >>> models = {name: {"mean": m, "paper": {"mean": p, "std": 1.0}} for name, m, p in (("a", 30, 10), ("b", 40, 60), ("c", 50, 59))}
    >>> found = ordering(models)
    >>> round(found["kendall_tau"], 2), found["clear_pairs"], found["clear_pairs_alike"], found["best"], found["best_in_paper"]
    (0.33, 2, 2, ['c'], ['b'])
    """
    from scipy import stats

    both = {name: numbers for name, numbers in models.items() if numbers["paper"]}
    if len(both) < 2:
        return None
    ours, theirs = ({name: value(numbers) for name, numbers in both.items()} for value in (_mean, _paper_mean))
    tau = float(stats.kendalltau(list(ours.values()), list(theirs.values())).statistic)
    clear = [
        (one, other)
        for one, other in combinations(both, 2)
        if abs(theirs[one] - theirs[other]) > both[one]["paper"]["std"] + both[other]["paper"]["std"]
    ]
    best, best_in_paper = (_best(means) for means in (ours, theirs))
    alike = sum((ours[one] - ours[other]) * (theirs[one] - theirs[other]) > 0 for one, other in clear)
    return {
        "kendall_tau": None if np.isnan(tau) else tau,
        "clear_pairs": len(clear),
        "clear_pairs_alike": alike,
        "best": best,
        "best_in_paper": best_in_paper,
    }


def _best(means):
    """The models with the highest mean; none if all are the same."""
    highest = max(means.values())
    best = [name for name, mean in means.items() if mean == highest]
    return best if len(best) < len(means) else []


def _mean(numbers):
    return numbers["mean"]


def _paper_mean(numbers):
    return numbers["paper"]["mean"]


def _lists(grid):
    return {"benchmarks": list(grid.benchmarks), "models": list(grid.models), "seeds": list(grid.seeds)}


def _percent(result, setting):
    return 100 * result["evaluations"][setting]["accuracy"]


def _accuracy(found, benchmark, variant, setting):
    values = [_percent(result, setting) for result in found.values()]
    domain, task = benchmark.split("/")
    published = paper_result(domain, setting, variant, task)
    mean = float(np.mean(values))
    low, high = next(iter(found.values()))["evaluations"][setting]["interval_95"]
    numbers = {
        "seeds": list(found),
        "percent": values,
        "mean": mean,
        "std": float(np.std(values, ddof=1)) if len(values) > 1 else None,
        "interval_95": [100 * low, 100 * high] if len(values) == 1 else None,
        "paper": {"mean": published[0], "std": published[1]} if published else None,
        "difference": mean - published[0] if published else None,
    }
    searches = [result["evaluations"][setting].get("beam_search") for result in found.values()]
    if all(searches):
        numbers["any_beam"] = {"beams": searches[0]["beams"], "mean": float(np.mean([100 * search["accuracy"] for search in searches]))}
    return numbers


def _parts(found, setting):
    together = {}
    for result in found.values():
        for number, counts in result["evaluations"][setting]["by_parts"].items():
            cell = together.setdefault(number, {"correct": 0, "examples": 0})
            for key in cell:
                cell[key] += counts[key]
    return dict(sorted(together.items(), key=lambda item: int(item[0])))
