"""The report of some runs as files and on the terminal."""

from pathlib import Path

from compgen_keras.experiments.bar_chart import draw_accuracies
from compgen_keras.experiments.markdown import markdown_table
from compgen_keras.experiments.mistakes import mistakes_text
from compgen_keras.experiments.report import read_runs, table
from compgen_keras.files import write_json, write_text


def write_report(run_dirs, output, mistakes: int = 3) -> None:
    """Writes `report.txt`, `report.md`, `report.json` and `report.png`, prints the text, and says where the files are.

    Args:
        run_dirs: run folders, or folders that hold some.
        output: the folder to write to.
        mistakes: wrong predictions to show for each run.

    Raises:
        ValueError: a path holds no run.
    """
    runs = read_runs(run_dirs)
    rows = [row for _, row in runs]
    output = Path(output)
    text = table(rows)
    if mistakes:
        text = "\n\n".join([text, *(mistakes_text(folder, mistakes) for folder, _ in runs)])
    write_text(output / "report.txt", text + "\n")
    write_text(output / "report.md", markdown_table(rows))
    write_json(output / "report.json", [row.as_json() for row in rows])
    draw_accuracies(rows, output / "report.png")
    print(text)
    print(f"\ntable        {output / 'report.txt'}, with costs {output / 'report.md'}, as numbers {output / 'report.json'}")
    print(f"figure       {output / 'report.png'}")
    print(f"show again   compgen-keras report {' '.join(str(path) for path in run_dirs)}")
