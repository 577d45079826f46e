"""A grid's report in Markdown, and its status for the terminal."""

from collections.abc import Sequence

from compgen_keras.diagnostics.text import table
from compgen_keras.experiments.paper import paper_note, paper_trials
from compgen_keras.experiments.report import TITLES
from compgen_keras.grid.folder import STATES, CellState, GridFolder
from compgen_keras.grid.worker import duration, epoch_of

LEVEL = 0.05
_BAR = 40


def report_text(summary: dict, command: str) -> str:
    """The report.

    Args:
        summary: of `compgen_keras.grid.summary.summarise`.
        command: what goes on with the grid.
    """
    sections = [_head(summary, command)]
    for setting in summary["grid"]["settings"]:
        if setting in summary["accuracy"]:
            sections += [_accuracy(summary, setting), _differences(summary, setting)]
            sections += [_parts(summary, setting)] if setting in ("zero_shot", "few_shot") else []
    return "\n\n".join(section for section in sections if section) + "\n"


def accuracy_table(summary: dict, setting: str, paper: bool = True) -> str:
    """A table in the paper's layout: a row a model, a column a benchmark.

    Args:
        summary: of `compgen_keras.grid.summary.summarise`.
        setting: which evaluations.
        paper: put the paper's figure and the difference below ours.
    """
    benchmarks = summary["grid"]["benchmarks"]
    failed = summary["cells"]["failed"]
    rows = []
    for model in summary["grid"]["models"]:
        cells = []
        for benchmark in benchmarks:
            numbers = summary["accuracy"].get(setting, {}).get(benchmark, {}).get(model)
            if numbers is None:
                prefix = f"{benchmark.replace('/', '.')}.{model}.seed_"
                cells.append("failed" if any(name.startswith(prefix) for name in failed) else "not run")
            else:
                cells.append(_cell(numbers, paper, len(summary["grid"]["seeds"])))
        rows.append((model, *cells))
    return table(("model", *(benchmark.split("/")[1].replace("_", " ") for benchmark in benchmarks)), rows)


def _cell(numbers, paper, seeds):
    text = _mean_text(numbers)
    if len(numbers["seeds"]) not in (1, seeds):
        text += f" ({len(numbers['seeds'])} of {seeds} seeds)"
    if "any_beam" in numbers:
        text += f"<br>any of {numbers['any_beam']['beams']} beams {numbers['any_beam']['mean']:.1f}"
    if paper and numbers["paper"]:
        text += f"<br>paper {numbers['paper']['mean']:.1f} ± {numbers['paper']['std']:.1f}<br>{numbers['difference']:+.1f}"
    return text


def _mean_text(numbers):
    return f"{numbers['mean']:.1f}" + ("" if numbers["std"] is None else f" ± {numbers['std']:.1f}")


def _head(summary, command):
    grid, cells = summary["grid"], summary["cells"]
    steps = grid["steps"] or "the recipe's"
    lines = [
        f"# {grid['name']}",
        f"{grid['description']}.",
        f"Size {grid['size']}, {steps} steps, seeds {', '.join(map(str, grid['seeds']))}; {grid['examples']:,} examples of each setting. "
        f"**{cells['done']} of {cells['total']} cells are done.** To go on from here, on any machine:",
        f"```\n{command}\n```",
    ]
    domain = grid["benchmarks"][0].split("/")[0]
    lines.append(
        f"Percent solved by greedy decoding, mean ± standard deviation over seeds; one number is of one seed. *Paper*: mean ± standard "
        f"deviation of {paper_trials(domain)} trials, at full size, and ours less the paper's."
        + (f" {paper_note(domain)}" if paper_note(domain) else "")
    )
    if cells["failed"]:
        lines.append("Failed:\n\n" + "\n".join(f"- `{name}`: {reason}" for name, reason in cells["failed"].items()))
    if cells["missing"]:
        lines.append(f"Not run yet: {len(cells['missing'])} cells. They are left out of all means, and named in `report.json`.")
    return "\n\n".join(lines)


def _accuracy(summary, setting):
    lines = [f"## {TITLES[setting][0].upper()}{TITLES[setting][1:]}", accuracy_table(summary, setting)]
    agreements = summary["ordering"].get(setting, {})
    if agreements:
        rows = []
        for benchmark, found in agreements.items():
            tau = "–" if found["kendall_tau"] is None else f"{found['kendall_tau']:+.2f}"
            rows.append((benchmark, tau, f"{found['clear_pairs_alike']} of {found['clear_pairs']}", found["best"], found["best_in_paper"]))
        lines.append(
            "The order of the models beside the paper's: Kendall's tau-b (1: the same order, -1: the opposite), how many of the pairs that "
            "differ in the paper by more than both standard deviations together come in the same order here, and the best model of each."
        )
        lines.append(table(("benchmark", "tau", "clear pairs in the same order", "best here", "best in the paper"), rows))
    lines.append(f"![{setting}]({setting}.png)")
    return "\n\n".join(lines)


def _differences(summary, setting):
    """For each benchmark a matrix of differences, the significant ones marked."""
    blocks = []
    for benchmark, by_seed in summary["on_examples"].get(setting, {}).items():
        over_seeds = summary["over_seeds"][setting][benchmark]
        models = list(summary["accuracy"][setting][benchmark])
        if len(models) < 2:
            continue
        means = {model: summary["accuracy"][setting][benchmark][model]["mean"] for model in models}
        marks = {}
        for pairs in by_seed.values():
            for pair in pairs:
                marks.setdefault(frozenset(pair["models"]), []).append("*" if pair["p_holm"] < LEVEL else "")
        stars = {pair: "*" if all(found) else "" for pair, found in marks.items()}
        for pair in over_seeds:
            if pair.get("p_holm") is not None and pair["p_holm"] < LEVEL:
                stars[frozenset(pair["models"])] = stars.get(frozenset(pair["models"]), "") + "†"
        rows = []
        for model in models:
            cells = [
                "" if other == model else f"{means[model] - means[other]:+.1f}{stars.get(frozenset((model, other)), '')}"
                for other in models
            ]
            rows.append((model, *cells))
        blocks.append(f"`{benchmark}`\n\n" + table(("row less column", *models), rows))
    if not blocks:
        return ""
    head = (
        f"### {TITLES[setting]}: differences\n\nIn points. *: significant at {LEVEL:.0%} for every seed, over the examples of the test "
        "(McNemar's exact test on the same examples, adjusted by Holm for the pairs of a task); †: over the seeds (paired t-test, adjusted "
        "alike), where there are two or more. The first says that these two trained models differ, not that two other seeds would."
    )
    return "\n\n".join([head, *blocks])


def _parts(summary, setting):
    blocks = []
    for benchmark, models in summary["by_parts"].get(setting, {}).items():
        numbers = sorted({int(number) for found in models.values() for number in found})
        rows = []
        for model, found in models.items():
            cells = [found.get(str(number)) for number in numbers]
            rows.append((model, *("–" if not cell else f"{100 * cell['correct'] / cell['examples']:.1f}" for cell in cells)))
        counts = [next(iter(models.values())).get(str(number), {}).get("examples", 0) for number in numbers]
        rows.append(("*examples*", *(str(count) for count in counts)))
        blocks.append(f"`{benchmark}`\n\n" + table(("number of parts", *map(str, numbers)), rows))
    return "\n\n".join([f"### {TITLES[setting]}: by number of parts", *blocks]) if blocks else ""


def status_text(folder: GridFolder, states: Sequence[CellState]) -> str:
    """Where a grid stands: a bar, counts, what runs, what failed and why, and the time left.

    Args:
        folder: the grid's folder.
        states: where its cells stand.
    """
    counts = {state: sum(each.state == state for each in states) for state in STATES}
    full = _BAR * counts["done"] // len(states)
    lines = [f"{folder.grid.name}  {folder.path}", f"[{'#' * full}{'.' * (_BAR - full)}] {counts['done']} of {len(states)} cells"]
    lines.append(", ".join(f"{count} {state}" for state, count in counts.items() if count))
    for each in states:
        if each.state == "running":
            lines.append(f"running      {each.cell.name}  {epoch_of(folder, each.cell) or 'starting'}")
    for each in states:
        if each.state == "failed":
            lines.append(f"failed       {each.cell.name}: {each.reason}")
    left = len(states) - counts["done"] - counts["failed"]
    seconds = [_seconds(each.result) for each in states if each.result is not None]
    if left and seconds:
        total = left * sum(seconds) / len(seconds)
        workers = max(1, counts["running"])
        lines.append(f"time left    about {duration(total / workers)}, at {workers} worker{'s' if workers > 1 else ''}")
    if left:
        lines.append(f"go on        compgen-keras grid run {folder.path}")
    if counts["failed"]:
        lines.append(f"try again    compgen-keras grid run {folder.path} --retry-failed")
    if counts["done"]:
        lines.append(f"report       compgen-keras grid report {folder.path}")
    return "\n".join(lines)


def _seconds(result):
    timing = result["timing"]
    return timing["training_seconds"] + sum(seconds or 0 for seconds in timing["evaluation_seconds"].values())
