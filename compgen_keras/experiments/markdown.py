"""A table of runs in Markdown, for documents."""

from compgen_keras.experiments.case_tables import case_legend, case_table, error_table
from compgen_keras.experiments.report import Row, notes_on_paper

_HEADER = (
    "task",
    "model",
    "in-distribution",
    "zero-shot",
    "paper",
    "few-shot",
    "paper",
    "in-distribution after fine-tuning",
    "steps",
    "seconds",
    "seed",
)


def markdown_table(rows: list[Row]) -> str:
    """One line a run: accuracies in percent with their 95% intervals, the paper's mean ± standard deviation, cost and seed.

    Where there was a beam search, the share that any of its beams solves stands in brackets. For a benchmark of cases there follow the
    tables by case and by kind of error.

    Args:
        rows: the runs.
    """
    lines = [_HEADER]
    for row in rows:
        lines.append(
            (
                f"`{row.name}`",
                f"`{row.variant}`",
                row.accuracy_text("in_distribution"),
                row.accuracy_text("zero_shot"),
                row.paper_text("zero_shot"),
                row.accuracy_text("few_shot"),
                row.paper_text("few_shot"),
                row.accuracy_text("few_shot_in_distribution"),
                "–" if row.steps is None else f"{row.steps:,}",
                "–" if row.seconds is None else f"{row.seconds:.0f}",
                str(row.seed),
            )
        )
    text = _markdown(lines) + "".join(f"\n{note}\n" for note in notes_on_paper(rows))
    for name in dict.fromkeys(row.name for row in rows):
        of_task = [row for row in rows if row.name == name]
        cases = case_table(of_task)
        if cases:
            text += f"\n{_markdown(cases)}\nColumns of `{name}`: {case_legend(of_task)}.\n\n{_markdown(error_table(of_task))}"
    return text


def _markdown(lines):
    header, *body = lines
    return "".join("| " + " | ".join(line) + " |\n" for line in (header, ["---"] * len(header), *body))
