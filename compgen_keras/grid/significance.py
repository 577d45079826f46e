"""Which differences between models are more than chance, by the test examples and by the seeds."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from compgen_keras.grid.result import from_hex
from compgen_keras.swap_test.asymmetry import mcnemar


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjusts p-values of several tests, so that at a level of 5% any false finding at all has at most 5% probability (Holm 1979).

    Args:
        p_values: of the tests.

    Returns:
        The adjusted ones, in the same order.

    Example:

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p_values, kind="stable")
    adjusted, largest = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(order):
        largest = max(largest, (len(p_values) - rank) * p_values[place])
        adjusted[place] = min(1.0, float(largest))
    return adjusted


def compare_on_examples(results: dict[str, dict], setting: str) -> list[dict]:
    """Compares models of one seed, pair by pair, on the test examples that they share: McNemar's exact test.

    Args:
        results: by model, the result of its cell; all of one benchmark and one seed.
        setting: what the models were evaluated as.

    Returns:
        For each pair `"models"`, `"only_first"` and `"only_second"` (examples that only the one solves), `"p"`, and `"p_holm"`, adjusted
        for the number of pairs. Two models that were not measured on the same specifications are left out.
    """
    found = []
    for pair in combinations(results, 2):
        first, second = (results[name]["evaluations"][setting] for name in pair)
        if any(first[key] != second[key] for key in ("specs_sha256", "examples")):
            continue
        one, other = (from_hex(numbers["solved"], numbers["examples"]) for numbers in (first, second))
        only_first, only_second = int((one & ~other).sum()), int((other & ~one).sum())
        p_value = mcnemar(only_first, only_second)
        found.append({"models": list(pair), "only_first": only_first, "only_second": only_second, "p": p_value})
    for each, adjusted in zip(found, holm([each["p"] for each in found]), strict=True):
        each["p_holm"] = adjusted
    return found


def compare_over_seeds(percent: dict[str, dict[int, float]]) -> list[dict]:
    """Compares models, pair by pair, over the seeds that both have: a paired t-test.

    Args:
        percent: by model and seed, the accuracy in percent.

    Returns:
        For each pair with two seeds in common or more `"models"`, `"seeds"`, the mean and the standard deviation of the differences in
        points, `"p"` and `"p_holm"`. Where all differences are the same, their deviation is 0 and no test can be made: p is None.

    Example:

    >>> [pair] = compare_over_seeds({"a": {0: 50.0, 1: 54.0, 2: 52.0}, "b": {0: 40.0, 1: 41.0, 2: 45.0}})
    >>> pair["mean"], round(pair["std"], 2), round(pair["p"], 3)
    (10.0, 3.0, 0.029)
    """
    from scipy import stats

    found = []
    for pair in combinations(percent, 2):
        seeds = sorted(percent[pair[0]].keys() & percent[pair[1]].keys())
        if len(seeds) < 2:
            continue
        differences = [percent[pair[0]][seed] - percent[pair[1]][seed] for seed in seeds]
        spread = float(np.std(differences, ddof=1))
        # Equal differences of percentages may still differ in their last binary digit.
        spread = spread if spread > 1e-9 else 0.0
        p_value = float(stats.ttest_1samp(differences, 0.0).pvalue) if spread > 0 else None
        found.append({"models": list(pair), "seeds": seeds, "mean": float(np.mean(differences)), "std": spread, "p": p_value})
    tested = [each for each in found if each["p"] is not None]
    for each, adjusted in zip(tested, holm([each["p"] for each in tested]), strict=True):
        each["p_holm"] = adjusted
    return found
