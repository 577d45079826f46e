"""Reports on splits in words and tables, as Markdown."""

from collections.abc import Iterable

from compgen_keras.splits.finding import MEANINGS
from compgen_keras.splits.split_report import SplitReport

_SHOWN = 20
_MEASURES = (
    ("atom divergence, 1 − C₀.₅", "atom_divergence", False),
    ("compound divergence, 1 − C₀.₁", "compound_divergence", False),
    ("test examples with a combination that training lacks", "new", True),
    ("test examples whose specification training has", "same_spec", True),
    ("test examples whose program training has", "same_program", True),
)


def report_text(report: SplitReport) -> str:
    """One report: findings, numbers beside an i.i.d. split's, the grid, primitives and combinations.

    Args:
        report: the report.
    """
    sections = (
        f"# {report.benchmark}: is the split fair?",
        _what_was_looked_at(report),
        "## Findings",
        _findings(report),
        "## Numbers",
        _numbers(report),
        "## Grid",
        _grid(report),
        "## Primitives",
        _atoms(report),
        "## Combinations of the test that training lacks",
        _absent(report),
        "## Combinations of the test that training has",
        _compounds(report, report.present),
    )
    return "\n\n".join(sections) + "\n"


def summary_table(reports: Iterable[SplitReport]) -> str:
    """One line a split: its numbers, those of an i.i.d. split of the same data in brackets, and the findings' codes.

    Args:
        reports: the reports.
    """
    header = ("split", "training", "test", "atoms", "compounds", "new combination", "held-out cell", "same specification", "findings")
    rows = []
    for report in reports:
        tested = report.grid.tested
        rows.append(
            (
                f"`{report.benchmark}`",
                f"{report.train_examples:,}" + (" (all)" if report.complete else ""),
                f"{report.test_examples:,}",
                _pair(report, "atom_divergence", False),
                _pair(report, "compound_divergence", False),
                _pair(report, "new", True),
                "–" if tested is None else share_text(tested),
                _pair(report, "same_spec", True),
                ", ".join(report.codes) or "none",
            )
        )
    return table(header, rows)


def table(header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """A Markdown table."""
    return "\n".join("| " + " | ".join(row) + " |" for row in (header, ["---"] * len(header), *rows))


def share_text(share: float) -> str:
    """A share in percent, with one decimal or, if it is tiny, two digits."""
    return f"{100 * share:.1f}%" if share >= 0.001 or share == 0 else f"{100 * share:.2g}%"


def divergence_text(value: float) -> str:
    """A divergence with three decimals, or its first digit if it is tiny."""
    return f"{value:.3f}" if value >= 0.0005 or value == 0 else f"{value:.0e}"


def _pair(report, name, is_share):
    show = share_text if is_share else divergence_text
    return f"{show(getattr(report.split, name))} ({show(getattr(report.control, name))})"


def _what_was_looked_at(report):
    training = f"all {report.train_examples:,} training examples" if report.complete else f"{report.train_examples:,} training examples"
    return f"Looked at: {training} and {report.test_examples:,} test examples (seed {report.seed})."


def _findings(report):
    if not report.findings:
        return "None: every primitive and value has support in training, nothing leaked, and the test needs new combinations."
    lines = [f"- **{finding.code}**: {finding.text}" for finding in report.findings]
    return "\n".join([*lines, "", "What the codes mean:", "", *(f"- {code}: {MEANINGS[code]}." for code in report.codes)])


def _numbers(report):
    rows = []
    for title, name, is_share in _MEASURES:
        show = share_text if is_share else divergence_text
        rows.append((title, show(getattr(report.split, name)), show(getattr(report.control, name))))
    if report.grid.tested is not None:
        rows.append(("test examples with a cell that is meant to be held out", share_text(report.grid.tested), "–"))
    parts = [(f"{number} parts" if number > 1 else "1 part", f"{train:,}", f"{test:,}") for number, (train, test) in report.parts.items()]
    return "\n\n".join(
        (
            table(("measure", "this split", "i.i.d. split of the same data"), rows),
            table(("examples of", "training", "test"), parts),
        )
    )


def _grid(report):
    grid = report.grid
    first, second = grid.factors
    if not grid.rows:
        return f"No element has both {first} and {second}."
    leaked = [cell for cell in grid.held_out if grid.count("train", cell)]
    lines = [
        f"{len(grid.rows):,} values of {first} (rows) and {len(grid.columns):,} of {second} (columns); the picture is in `grid.png`.",
        f"Cells with training elements: {int((grid.train > 0).sum()):,}; with test elements: {int((grid.test > 0).sum()):,};"
        f" with test elements only: {int(((grid.test > 0) & (grid.train == 0)).sum()):,}.",
    ]
    if grid.held_out:
        lines.append(f"Meant to be held out: {len(grid.held_out):,} cells, of which training has {len(leaked):,}.")
    values = sorted(grid.values(), key=lambda each: (grid.factors.index(each[0]), -each[3]))
    shown = [each for factor in grid.factors for each in [value for value in values if value[0] == factor][:_SHOWN]]
    rows = [(factor, f"`{value}`", f"{train:,}", f"{test:,}") for factor, value, train, test in shown]
    return "\n\n".join(
        (" ".join(lines), table(("factor", "value", "elements in training", "in the test"), rows) + _more(len(values), len(shown)))
    )


def _atoms(report):
    shown = report.atoms[: 2 * _SHOWN]
    rows = [
        (f"`{each.atom}`", f"{each.train:,}", f"{each.combinations:,}", f"{each.test:,}", f"{each.new_combinations:,}") for each in shown
    ]
    header = ("primitive", "times in training", "different combinations there", "times in the test", "new combinations there")
    return table(header, rows) + _more(len(report.atoms), len(shown))


def _absent(report):
    if not report.absent:
        return f"None of {len(report.compounds):,}."
    if report.complete:
        certainty = "All training examples were looked at, so this is exact."
    else:
        certainty = (
            f"Training is a stream, of which {report.train_examples:,} were looked at: at 95% confidence each of these is in at most"
            f" 3/n = {100 * report.bound:.2g}% of training examples."
        )
    return f"{len(report.absent):,} of {len(report.compounds):,}. {certainty}\n\n{_compounds(report, report.absent)}"


def _compounds(report, found):
    if not found:
        return "None."
    rows = [(" · ".join(each.compound).replace("|", "\\|"), f"{each.train:,}", f"{each.test:,}") for each in found[:_SHOWN]]
    return table(("combination", "training examples with it", "test examples with it"), rows) + _more(len(found), min(len(found), _SHOWN))


def _more(all_of_them, shown):
    return f"\n\n{all_of_them - shown:,} more in the files beside this one." if all_of_them > shown else ""
