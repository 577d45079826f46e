"""Reports on splits as files."""

from collections.abc import Iterable
from pathlib import Path

from compgen_keras.benchmarks import Benchmark
from compgen_keras.experiments.grid_picture import draw_grid
from compgen_keras.files import write_json, write_text
from compgen_keras.splits import SplitReport, report_text, split_report, summary_table


def write_split_reports(benches: Iterable[Benchmark], folder, **options) -> list[SplitReport]:
    """Reports on the splits of benchmarks, shows what is found, and writes it.

    For each there is a folder with `report.md`, `report.json` (numbers, findings, primitives, grid), `combinations.tsv` (each combination
    of the test with its examples in training and in the test) and `grid.png`; `summary.md` has a line for each.

    Args:
        benches: the benchmarks.
        folder: where the folders go, each called as its benchmark.
        **options: arguments of `compgen_keras.splits.split_report`.

    Returns:
        The reports.
    """
    folder = Path(folder)
    reports = []
    for bench in benches:
        report = split_report(bench, **options, show=_Progress(bench.name))
        write_split_report(report, folder / bench.name)
        print(f"{report.benchmark}: {len(report.findings)} {'finding' if len(report.findings) == 1 else 'findings'}")
        for finding in report.findings:
            print(f"  {finding}")
        print(f"  report       {folder / bench.name / 'report.md'}, grid {folder / bench.name / 'grid.png'}\n", flush=True)
        reports.append(report)
    write_text(folder / "summary.md", summary_table(reports) + "\n")
    print(f"summary      {folder / 'summary.md'}")
    return reports


def write_split_report(report: SplitReport, folder: Path) -> None:
    """Writes one report's files into a folder, which is made if missing."""
    folder = Path(folder)
    lines = ["combination\ttraining examples\ttest examples"]
    lines += [f"{' '.join(each.compound)}\t{each.train}\t{each.test}" for each in report.compounds]
    write_text(folder / "combinations.tsv", "\n".join(lines) + "\n")
    write_json(folder / "report.json", report.as_dict())
    if report.grid.rows:
        draw_grid(report, folder / "grid.png")
    write_text(folder / "report.md", report_text(report))


class _Progress:
    """A progress bar for each side of a split."""

    def __init__(self, name):
        self._name = name
        self._bars = {}

    def __call__(self, side, done, size):
        from keras.utils import Progbar

        if side not in self._bars:
            print(f"{self._name}, {side}")
            self._bars[side] = Progbar(size, unit_name="example")
        self._bars[side].update(done)
