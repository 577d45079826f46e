"""The published results: Tables 1 and 2 of Shi et al."""

import json
from functools import cache
from importlib import resources


@cache
def _tables():
    return json.loads(resources.files("compgen_keras.experiments").joinpath("paper_results.json").read_text(encoding="utf-8"))


_BEAMS_UNSAID = "The paper does not say whether its RobustFill figures are of one beam or of ten."


def paper_note(domain: str) -> str | None:
    """What must be said beside the paper's figures for a domain, if anything."""
    return _BEAMS_UNSAID if domain == "robustfill" else None


def paper_result(domain: str, setting: str, variant: str, task: str) -> tuple[float, float] | None:
    """A cell of Table 1 or 2: mean and standard deviation over three trials, in percent.

    Args:
        domain: `"scan"` or `"robustfill"`.
        setting: `"zero_shot"` or `"few_shot"`.
        variant: a model's identifier.
        task: a task's identifier.

    Returns:
        The pair, or None if the tables have no such cell.

    Example:

    >>> paper_result("scan", "zero_shot", "sep_to_last", "compose_different_concepts")
    (74.4, 9.3)
    """
    cell = _tables().get(domain, {}).get(setting, {}).get(variant, {}).get(task)
    return (cell["mean"], cell["std"]) if cell else None
