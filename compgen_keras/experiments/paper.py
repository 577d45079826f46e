"""The published results: Tables 1 and 2 of Shi et al., and the aggregates of Kim and Linzen."""

import json
from functools import cache
from importlib import resources


@cache
def _tables():
    return json.loads(resources.files("compgen_keras.experiments").joinpath("paper_results.json").read_text(encoding="utf-8"))


_COGS = {"transformer": (35, 6), "lstm": (32, 6), "bidirectional_lstm": (16, 8)}
"""Table 2 of Kim and Linzen (2020): all cases, mean and standard deviation over five seeds."""

_NOTES = {
    "robustfill": "The paper does not say whether its RobustFill figures are of one beam or of ten.",
    "cogs": (
        "Published: full size, the official sentences before their correction of 2022;\nin distribution 96 (Transformer), 99 (LSTMs)."
    ),
}


def paper_note(domain: str) -> str | None:
    """What must be said beside the paper's figures for a domain, if anything."""
    return _NOTES.get(domain)


def paper_trials(domain: str) -> int:
    """Of how many trials the paper's figures for a domain are the mean."""
    return 5 if domain == "cogs" else 3


def paper_result(domain: str, setting: str, variant: str, task: str) -> tuple[float, float] | None:
    """A published figure: mean and standard deviation over `paper_trials`, in percent.

    Args:
        domain: `"scan"`, `"robustfill"` or `"cogs"`.
        setting: `"zero_shot"` or `"few_shot"`.
        variant: a model's identifier.
        task: a task's identifier.

    Returns:
        The pair, or None if the tables have no such cell.

    Example:

    >>> paper_result("scan", "zero_shot", "sep_to_last", "compose_different_concepts")
    (74.4, 9.3)
    """
    if domain == "cogs":
        return _COGS.get(variant) if (setting, task) == ("zero_shot", "all") else None
    cell = _tables().get(domain, {}).get(setting, {}).get(variant, {}).get(task)
    return (cell["mean"], cell["std"]) if cell else None
