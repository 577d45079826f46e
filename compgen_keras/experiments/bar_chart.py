"""Bar charts of accuracies, readable in black and white."""

from pathlib import Path

from compgen_keras.benchmarks import load
from compgen_keras.experiments.report import TITLES, Row, notes_on_paper
from compgen_keras.files import write_picture

STYLES = (
    {"color": "0.85", "hatch": ""},
    {"color": "0.55", "hatch": "//"},
    {"color": "0.25", "hatch": ""},
    {"color": "white", "hatch": "xx"},
    {"color": "0.70", "hatch": "\\\\"},
    {"color": "0.40", "hatch": ".."},
    {"color": "white", "hatch": "--"},
)
_PAPER_LABEL = "paper, mean ±std"
_SETTINGS = ("in_distribution", "zero_shot", "few_shot")


def draw_accuracies(rows: list[Row], path: Path) -> None:
    """Draws the rows' accuracies, a panel a task: our bars with their 95% intervals, the paper's means as diamonds.

    Where there was a beam search, a dashed bar above shows what any of its beams solves.

    Args:
        rows: the runs to show.
        path: the PNG file to write.
    """
    from matplotlib.figure import Figure

    tasks = list(dict.fromkeys(row.name for row in rows))
    figure = Figure(figsize=(8, 3.6 * len(tasks)), layout="constrained")
    panels = figure.subplots(len(tasks), 1, squeeze=False)[:, 0]
    for panel, name in zip(panels, tasks, strict=True):
        draw_task(panel, name, [row for row in rows if row.name == name])
    write_picture(path, figure)


def draw_task(panel, name: str, rows: list[Row]) -> None:
    """Draws one task's rows into a panel (matplotlib axes)."""
    width = 0.8 / len(rows)
    several_seeds = len({row.seed for row in rows}) > 1
    for number, row in enumerate(rows):
        label = f"{row.variant}, seed {row.seed}" if several_seeds else row.variant
        for place, setting in enumerate(_SETTINGS):
            x = place + (number - (len(rows) - 1) / 2) * width
            if setting in row.evaluations:
                _draw_evaluation(panel, x, width * 0.95, row.evaluations[setting], label, STYLES[number % len(STYLES)])
            pair = row.paper(setting)
            if pair:
                panel.errorbar(x + width * 0.3, pair[0], pair[1], fmt="D", color="black", mfc="white", ms=5, capsize=2, label=_PAPER_LABEL)
    panel.set_xticks(range(len(_SETTINGS)), [TITLES[setting] for setting in _SETTINGS])
    panel.set_ylim(0, 120)
    panel.set_yticks(range(0, 101, 20))
    panel.set_ylabel(f"{load(name).verdict.lower()}, %")
    panel.set_title("\n".join([name, *notes_on_paper(rows)]), fontsize=10)
    panel.spines[["top", "right"]].set_visible(False)
    _draw_legend(panel)


def _draw_evaluation(panel, x, width, evaluation, label, style):
    height = 100 * evaluation["accuracy"]
    low, high = (100 * bound for bound in evaluation["interval_95"])
    panel.bar(x, height, width, edgecolor="black", label=label, **style)
    panel.errorbar(x, height, [[max(height - low, 0)], [max(high - height, 0)]], color="black", capsize=3, linewidth=1)
    text = f"{height:.1f}"
    search = evaluation.get("beam_search")
    if search:
        top = 100 * search["accuracy"]
        label = f"(any of {search['beams']} beams)"
        panel.bar(x, max(top - height, 0), width, height, fill=False, edgecolor="black", linestyle="--", label=label)
        text, high = f"{text}\n({top:.1f})", max(high, top)
    panel.annotate(text, (x, high), xytext=(0, 3), textcoords="offset points", ha="center", fontsize=8)


def _draw_legend(panel):
    """Each label once, models first."""
    handles = dict(zip(*reversed(panel.get_legend_handles_labels()), strict=True))
    labels = sorted(handles, key=lambda label: (label == _PAPER_LABEL, label.startswith("(")))
    panel.legend(
        [handles[label] for label in labels], labels, loc="upper center", bbox_to_anchor=(0.5, -0.1), ncols=3, fontsize=8, frameon=False
    )
