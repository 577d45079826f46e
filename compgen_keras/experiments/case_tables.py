"""Tables by generalization case, for domains that tell cases apart."""

import statistics
from collections import Counter

from compgen_keras.benchmarks import load
from compgen_keras.experiments.paper import paper_result

ALL = "all cases"


def case_table(rows) -> list[list[str]]:
    """Exact match in percent on each case of the test split, on each group of cases and on all; a column for each model.

    Args:
        rows: `Row`s of one task. Those of a model differ in their seeds: the cell is their mean, with the standard deviation (n − 1)
            behind ± if there are several.

    Returns:
        The table's lines, the header first, or an empty list if no row was evaluated by case. Columns are numbered as `case_legend` says.
    """
    models = _by_model(rows)
    if not models:
        return []
    cases = _merged(next(iter(models.values())))
    groups = list(dict.fromkeys(cell["group"] for cell in cases.values() if cell["group"]))
    lines = [["zero-shot by case, exact match", *(str(number) for number, _ in enumerate(models, start=1))]]
    chosen = [(case, lambda name, cell, case=case: name == case) for case in cases]
    chosen += [(f"{group} cases", lambda name, cell, group=group: cell["group"] == group) for group in groups]
    chosen.append((ALL, lambda name, cell: True))
    for title, belongs in chosen if len(cases) > 1 else chosen[:1]:
        lines.append([title, *(_mean_text([_share(by_case, belongs, "correct") for by_case in seeds]) for seeds in models.values())])
    if any(_paper(row) for row in rows):
        of_models = {row.variant: _paper(row) for row in rows}
        lines.append([f"{ALL}, published", *(of_models[variant] or "–" for variant in models)])
    return lines


def case_legend(rows) -> str:
    """What the numbered columns of `case_table` are."""
    models = _by_model(rows)
    seeds = {variant: len(runs) for variant, runs in models.items()}
    return ", ".join(
        f"{number} {variant} ({seeds[variant]} seed{'s'[: seeds[variant] > 1]})" for number, variant in enumerate(models, start=1)
    )


def error_table(rows) -> list[list[str]]:
    """For each model and group of cases: exact match, same meaning, and the share of each kind of error, in percent, seeds together.

    Args:
        rows: `Row`s of one task.

    Returns:
        The table's lines, the header first, or an empty list if no row was evaluated by case.
    """
    models = _by_model(rows)
    if not models:
        return []
    bench = load(rows[0].name)
    kinds = ("exact match", "same meaning", *bench.error_kinds)
    lines = [["what is wrong", "cases", *kinds]]
    for variant, runs in models.items():
        for group in dict.fromkeys((*bench.groups.values(), None)):
            cells = [cell for by_case in runs for cell in by_case.values() if group in (cell["group"], None)]
            counts = Counter()
            for cell in cells:
                counts.update({"exact match": cell["correct"], "same meaning": cell["same_meaning"], **cell["errors"]})
            examples = sum(cell["examples"] for cell in cells)
            shares = [f"{100 * counts[kind] / examples:.1f}" if examples else "–" for kind in kinds]
            lines.append([variant, group or "all", *shares])
    return lines


def _by_model(rows):
    """For each variant the results by case of each of its runs that has them."""
    models = {}
    for row in rows:
        by_case = row.evaluations.get("zero_shot", {}).get("by_case")
        if by_case:
            models.setdefault(row.variant, []).append(by_case)
    return models


def _merged(runs):
    """The cases of all runs, each with one run's cell."""
    return {case: cell for by_case in runs for case, cell in by_case.items()}


def _share(by_case, belongs, what):
    cells = [cell for name, cell in by_case.items() if belongs(name, cell)]
    examples = sum(cell["examples"] for cell in cells)
    return 100 * sum(cell[what] for cell in cells) / examples if examples else None


def _mean_text(shares):
    known = [share for share in shares if share is not None]
    if not known:
        return "–"
    spread = f" ±{statistics.stdev(known):.1f}" if len(known) > 1 else ""
    return f"{statistics.mean(known):.1f}{spread}"


def _paper(row):
    pair = paper_result(row.domain, "zero_shot", row.variant, row.task)
    return f"{pair[0]:g} ±{pair[1]:g}" if pair else None
