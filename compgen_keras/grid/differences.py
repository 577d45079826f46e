"""Each model less each other, with marks for what is more than chance."""

from compgen_keras.diagnostics.text import table

LEVEL = 0.05


def difference_table(summary: dict, setting: str, benchmark: str) -> str | None:
    """A table of the differences in points, row less column, over the seeds that both models have.

    A star stands where the two differ significantly on the test examples, in the same direction, for every seed that either of them has; a
    dagger where the differences over seeds are significant.

    Args:
        summary: of `compgen_keras.grid.summary.summarise`.
        setting: which evaluations.
        benchmark: which benchmark.

    Returns:
        Markdown; None for fewer than two models.
    """
    percent = {
        name: dict(zip(numbers["seeds"], numbers["percent"], strict=True))
        for name, numbers in summary["accuracy"][setting][benchmark].items()
    }
    if len(percent) < 2:
        return None
    by_seed = {int(seed): pairs for seed, pairs in summary["on_examples"][setting][benchmark].items()}
    over_seeds = {frozenset(pair["models"]): pair for pair in summary["over_seeds"][setting][benchmark]}
    rows = []
    for row in percent:
        cells = []
        for column in percent:
            both = sorted(percent[row].keys() & percent[column].keys())
            if row == column or not both:
                cells.append("" if row == column else "–")
                continue
            points = sum(percent[row][seed] - percent[column][seed] for seed in both) / len(both)
            star = "*" if _star(by_seed, {row, column}, percent[row].keys() | percent[column].keys()) else ""
            adjusted = over_seeds.get(frozenset((row, column)), {}).get("p_holm")
            cells.append(f"{points:+.1f}{star}{'†' if adjusted is not None and adjusted < LEVEL else ''}")
        rows.append((row, *cells))
    return table(("row less column", *percent), rows)


def _star(by_seed, models, seeds):
    """Whether the two differ significantly for each of these seeds, always in the same direction."""
    pairs = [pair for seed in seeds for pair in by_seed.get(seed, ()) if set(pair["models"]) == models]
    directions = {pair["only_first"] > pair["only_second"] for pair in pairs}
    return len(pairs) == len(seeds) and len(directions) == 1 and all(pair["p_holm"] < LEVEL for pair in pairs)
