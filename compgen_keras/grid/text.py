"""A grid's report in Markdown, and its status for the terminal."""

import shlex
from collections.abc import Sequence

from compgen_keras.diagnostics.text import table
from compgen_keras.experiments.paper import paper_note, paper_trials
from compgen_keras.experiments.report import TITLES
from compgen_keras.grid.differences import LEVEL, difference_table
from compgen_keras.grid.folder import STATES, CellState, GridFolder
from compgen_keras.grid.worker import duration, epoch_of

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
    rows = []
    for model in summary["grid"]["models"]:
        found = [summary["accuracy"].get(setting, {}).get(benchmark, {}).get(model) for benchmark in benchmarks]
        cells = [
            _no_cell(summary, benchmark, model) if numbers is None else _cell(numbers, paper, len(summary["grid"]["seeds"]))
            for benchmark, numbers in zip(benchmarks, found, strict=True)
        ]
        rows.append((model, *cells))
    of_one_domain = len(_domains(summary)) == 1
    names = [benchmark.split("/")[1] if of_one_domain else benchmark for benchmark in benchmarks]
    return table(("model", *(name.replace("_", " ") for name in names)), rows)


def _domains(summary):
    return list(dict.fromkeys(benchmark.split("/")[0] for benchmark in summary["grid"]["benchmarks"]))


def _no_cell(summary, benchmark, model):
    prefix = f"{benchmark.replace('/', '.')}.{model}.seed_"
    return "failed" if any(name.startswith(prefix) for name in summary["cells"]["failed"]) else "not run"


def _cell(numbers, paper, seeds):
    text, line = _mean_text(numbers), "<br>" if paper else ", "
    if len(numbers["seeds"]) not in (1, seeds):
        text += f" ({len(numbers['seeds'])} of {seeds} seeds)"
    if "any_beam" in numbers:
        text += f"{line}any of {numbers['any_beam']['beams']} beams {numbers['any_beam']['mean']:.1f}"
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
        *([grid["description"].rstrip(".") + "."] if grid["description"] else []),
        f"Size {grid['size']}, {steps} steps, seeds {', '.join(map(str, grid['seeds']))}; {grid['examples']:,} examples of each setting. "
        f"**{cells['done']} of {cells['total']} cells are done.** To go on from here, on any machine:",
        f"```\n{command}\n```",
    ]
    lines.append("Percent solved by greedy decoding, mean ± standard deviation over seeds; one number is of one seed.")
    models = [model for by_benchmark in summary["accuracy"].values() for found in by_benchmark.values() for model in found.values()]
    if any(numbers["paper"] for numbers in models):
        trials = ", ".join(dict.fromkeys(str(paper_trials(domain)) for domain in _domains(summary)))
        lines[-1] += f" *Paper*: mean ± standard deviation of {trials} trials, at full size, and ours less the paper's."
        lines += [paper_note(domain) for domain in _domains(summary) if paper_note(domain)]
    if cells["failed"]:
        lines.append("Failed:\n\n" + "\n".join(f"- `{name}`: {reason}" for name, reason in cells["failed"].items()))
    if cells["missing"]:
        lines.append(f"Not done yet: {len(cells['missing'])} cells. They are left out of all means, and named in `report.json`.")
    return "\n\n".join(lines)


def _accuracy(summary, setting):
    lines = [f"## {TITLES[setting][0].upper()}{TITLES[setting][1:]}", accuracy_table(summary, setting)]
    agreements = summary["ordering"].get(setting, {})
    if agreements:
        rows = []
        for benchmark, found in agreements.items():
            tau = "–" if found["kendall_tau"] is None else f"{found['kendall_tau']:+.2f}"
            rows.append(
                (
                    benchmark,
                    tau,
                    f"{found['clear_pairs_alike']} of {found['clear_pairs']}",
                    ", ".join(found["best"]) or "–",
                    ", ".join(found["best_in_paper"]),
                )
            )
        lines.append(
            "The order of the models beside the paper's: Kendall's tau-b (1: the same order, -1: the opposite), how many of the pairs that "
            "differ in the paper by more than both standard deviations together come in the same order here, and the best model of each."
        )
        lines.append(table(("benchmark", "tau", "clear pairs in the same order", "best here", "best in the paper"), rows))
    lines.append(f"![{setting}]({setting}.png)")
    return "\n\n".join(lines)


def _differences(summary, setting):
    found = {benchmark: difference_table(summary, setting, benchmark) for benchmark in summary["accuracy"][setting]}
    blocks = [f"`{benchmark}`\n\n{text}" for benchmark, text in found.items() if text]
    if not blocks:
        return ""
    head = (
        f"### {TITLES[setting]}: differences\n\nIn points, over the seeds that both models have. *: significant at {LEVEL:.0%}, in "
        "the same direction for every seed that either has, over the examples of the test (McNemar's exact test on the same examples, "
        "adjusted by Holm for the pairs of a task); †: over the seeds (paired t-test, adjusted alike), where there are two or more. The "
        "first says that these trained models differ, not that other seeds would."
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
        counts = [max(found.get(str(number), {}).get("examples", 0) for found in models.values()) for number in numbers]
        rows.append(("*examples*", *(str(count) for count in counts)))
        blocks.append(f"`{benchmark}`\n\n" + table(("number of parts", *map(str, numbers)), rows))
    return "\n\n".join([f"### {TITLES[setting]}: by number of parts", *blocks]) if blocks else ""


def status_text(folder: GridFolder, states: Sequence[CellState]) -> str:
    """Where a grid stands: a bar, counts, what runs, what failed and why, and the time left.

    Args:
        folder: the grid's folder.
        states: where its cells stand.
    """
    quoted = shlex.quote(str(folder.path))
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
        lines.append(f"go on        compgen-keras grid run {quoted}")
    if counts["failed"]:
        lines.append(f"try again    compgen-keras grid run {quoted} --retry-failed")
    if counts["done"]:
        lines.append(f"report       compgen-keras grid report {quoted}")
    return "\n".join(lines)


def _seconds(result):
    timing = result["timing"]
    return timing["training_seconds"] + sum(seconds or 0 for seconds in timing["evaluation_seconds"].values())
