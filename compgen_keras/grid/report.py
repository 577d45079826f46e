"""A grid's report as files."""

import shlex
from pathlib import Path

from compgen_keras.files import write_json, write_picture, write_text
from compgen_keras.grid.figure import grid_figure
from compgen_keras.grid.folder import GridFolder
from compgen_keras.grid.summary import summarise
from compgen_keras.grid.text import report_text


def write_report(folder: GridFolder, output=None, command: str | None = None) -> dict:
    """Writes `report.md`, `report.json` and a picture for each setting; cells that are not done are named as missing.

    Args:
        folder: the grid's folder.
        output: where to write; None: `report/` in the folder.
        command: what goes on with the grid; None: `grid run` on the folder.

    Returns:
        The summary, see `compgen_keras.grid.summary.summarise`.
    """
    output = folder.path / "report" if output is None else Path(output)
    summary = summarise(folder)
    write_text(output / "report.md", report_text(summary, command or f"compgen-keras grid run {shlex.quote(str(folder.path))}"))
    write_json(output / "report.json", summary)
    for setting in summary["accuracy"]:
        write_picture(output / f"{setting}.png", grid_figure(summary, setting))
    return summary
