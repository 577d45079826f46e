"""A table of runs beside the paper's figures: for the terminal, as JSON, and as a bar chart."""

from dataclasses import dataclass
from pathlib import Path

from compgen_keras.benchmarks import load, names
from compgen_keras.experiments.case_tables import case_legend, case_table, error_table
from compgen_keras.experiments.paper import paper_note, paper_result, paper_trials
from compgen_keras.experiments.run_folder import SETTINGS, RunFolder
from compgen_keras.models.variants import all_names

TITLES = {
    "in_distribution": "in-distribution",
    "zero_shot": "zero-shot",
    "few_shot": "few-shot",
    "few_shot_in_distribution": "in-dist. after",
}


@dataclass(frozen=True)
class Row:
    """One run's results.

    Attributes:
        domain: the benchmark's domain.
        task: the task's identifier.
        variant: the model's identifier.
        size: the model's size.
        seed: the training's seed.
        steps: optimizer steps.
        seconds: time that training took.
        evaluations: by setting, the numbers kept in the run folder; a setting that was not evaluated is missing.
    """

    domain: str
    task: str
    variant: str
    size: str
    seed: int
    steps: int | None
    seconds: float | None
    evaluations: dict[str, dict]

    @property
    def name(self) -> str:
        """The benchmark's name."""
        return f"{self.domain}/{self.task}"

    @classmethod
    def of(cls, folder: RunFolder) -> "Row":
        """The row of a run folder."""
        config, training = folder.config, folder.training or {}
        domain, task = config["benchmark"].split("/")
        evaluations = {setting: folder.evaluation(setting) for setting in SETTINGS}
        return cls(
            domain,
            task,
            config["variant"],
            config["size"],
            config["seed"],
            training.get("steps"),
            training.get("seconds"),
            {setting: evaluation for setting, evaluation in evaluations.items() if evaluation},
        )

    def paper(self, setting: str) -> tuple[float, float] | None:
        """The paper's mean and standard deviation in percent."""
        return paper_result(self.domain, setting, self.variant, self.task)

    def paper_note(self) -> str | None:
        """What must be said beside the paper's figures, if there are any."""
        has_figures = any(self.paper(setting) for setting in ("zero_shot", "few_shot"))
        return paper_note(self.domain) if has_figures else None

    def accuracy_text(self, setting: str) -> str:
        """The accuracy in percent with its 95% interval, and the share solved by any beam if there was a search; or a dash."""
        evaluation = self.evaluations.get(setting)
        if evaluation is None:
            return "–"
        low, high = evaluation["interval_95"]
        text = f"{100 * evaluation['accuracy']:.1f} [{100 * low:.1f}, {100 * high:.1f}]"
        search = evaluation.get("beam_search")
        return text + (f" ({100 * search['accuracy']:.1f} any of {search['beams']})" if search else "")

    def paper_text(self, setting: str) -> str:
        """The paper's mean and standard deviation, or a dash."""
        pair = self.paper(setting)
        return f"{pair[0]:.1f} ±{pair[1]:.1f}" if pair else "–"

    def as_json(self) -> dict:
        """The row as it is written to JSON."""
        paper = {setting: self.paper(setting) for setting in ("zero_shot", "few_shot")}
        return {
            "benchmark": self.name,
            "variant": self.variant,
            "size": self.size,
            "seed": self.seed,
            "steps": self.steps,
            "seconds": self.seconds,
            "evaluations": self.evaluations,
            "paper_percent": {setting: {"mean": pair[0], "std": pair[1]} for setting, pair in paper.items() if pair},
            "paper_note": self.paper_note(),
        }


def read_runs(paths) -> list[tuple[RunFolder, Row]]:
    """Run folders and their rows, by task and in the order of the paper's tables.

    Args:
        paths: run folders, or folders that hold some.

    Raises:
        ValueError: a path holds no run.
    """
    runs = []
    for path in map(Path, paths):
        inner = [path] if (path / "config.json").exists() else sorted(config.parent for config in path.glob("*/config.json"))
        runs += [(folder, Row.of(folder)) for folder in map(RunFolder.open, inner or [path]) if folder not in [run[0] for run in runs]]
    tasks, variants = names(), all_names()
    return sorted(runs, key=lambda run: (tasks.index(run[1].name), variants.index(run[1].variant), run[1].seed))


def read_rows(paths) -> list[Row]:
    """The rows alone, see `read_runs`."""
    return [row for _, row in read_runs(paths)]


def table(rows: list[Row]) -> str:
    """Text of at most 100 columns: for each task a table of models, with the paper's figures beside ours."""
    blocks = []
    for name in dict.fromkeys(row.name for row in rows):
        of_task = [row for row in rows if row.name == name]
        # In a domain of cases the number of parts, of which there are many, says little.
        more = [_case_text(of_task)] if load(name).groups else [_parts_table(of_task)]
        tables = [_accuracy_table(name, of_task), _beam_table(of_task), *more]
        blocks.append("\n\n".join(text for text in tables if text))
    return "\n\n".join(blocks)


def notes_on_paper(rows: list[Row]) -> list[str]:
    """What must be said beside the paper's figures of some rows, each note once."""
    return [note for note in dict.fromkeys(row.paper_note() for row in rows) if note]


def _accuracy_table(name, rows):
    with_seed = len({row.seed for row in rows}) > 1
    header = ["model", "in-distribution", "zero-shot", "paper", "few-shot", "paper"]
    lines = [header]
    for row in rows:
        cells = [_short(row, "in_distribution")]
        for setting in ("zero_shot", "few_shot"):
            cells += [_short(row, setting), row.paper_text(setting)]
        lines.append([row.variant, *cells])
    if with_seed:
        lines = [[line[0], seed, *line[1:]] for line, seed in zip(lines, ["seed", *(str(row.seed) for row in rows)], strict=True)]
    counts = sorted({e["examples"] for row in rows for e in row.evaluations.values()})
    examples = " / ".join(f"{count:,}" for count in counts) or "no"
    note = (
        f"{load(name).verdict} in percent on {examples} examples, ± the farther end of the 95% interval;"
        f"\npaper: mean ± standard deviation of {paper_trials(rows[0].domain)} trials."
    )
    note += "".join(f"\n{text}" for text in notes_on_paper(rows))
    return f"{name}\n{note}\n\n" + _aligned(lines, left=1)


def _case_text(rows):
    lines = case_table(rows)
    if not lines:
        return ""
    cases = f"{_aligned(lines, left=1)}\n\ncolumns: {case_legend(rows)}; mean ± standard deviation"
    (model, group, *kinds), *shares = error_table(rows)
    first, second = zip(*(kind.partition(" ")[::2] for kind in kinds), strict=True)
    errors = _aligned([[model, group, *first], ["", "", *second], *shares], left=2, header=2)
    return f"{cases}\n\n{errors}"


def _beam_table(rows):
    """What beam searches found, for rows that have one."""
    lines = []
    for row in rows:
        for setting, evaluation in row.evaluations.items():
            search = evaluation.get("beam_search")
            if search:
                greedy, any_beam = (f"{100 * numbers['accuracy']:.1f}" for numbers in (evaluation, search))
                lines.append([row.variant, TITLES[setting], greedy, str(search["beams"]), any_beam])
    return _aligned([["beam search", "", "greedy", "beams", "any beam right"], *lines], left=2) if lines else ""


def _short(row, setting):
    evaluation = row.evaluations.get(setting)
    if evaluation is None:
        return "–"
    low, high = evaluation["interval_95"]
    spread = max(high - evaluation["accuracy"], evaluation["accuracy"] - low)
    return f"{100 * evaluation['accuracy']:.1f} ±{100 * spread:.1f}"


def _parts_table(rows):
    parts = sorted({int(number) for row in rows for e in row.evaluations.values() for number in e["by_parts"]})
    header = ["by number of parts", "", *map(str, parts)]
    lines = []
    for row in rows:
        for setting, evaluation in row.evaluations.items():
            cells = [evaluation["by_parts"].get(str(number)) for number in parts]
            shown = [f"{100 * cell['correct'] / cell['examples']:.0f}" if cell else "–" for cell in cells]
            lines.append([row.variant, TITLES[setting], *shown])
    return _aligned([header, *lines], left=2) if lines else ""


def _aligned(lines, left, header=1):
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    text = []
    for number, line in enumerate(lines):
        cells = [
            cell.ljust(width) if column < left else cell.rjust(width) for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        text.append("  ".join(cells).rstrip())
        if number == header - 1:
            text.append("  ".join("-" * width for width in widths))
    return "\n".join(text)
