"""`python tutorials/assignments/course.py FOLDER`: makes an nbgrader course of the assignments.

The sources are scripts with solutions, hidden tests and points; here they become the notebooks under `FOLDER/source`. Then, in that folder,
`nbgrader generate_assignment NAME` makes the student version under `release/`, and `nbgrader autograde NAME` grades what students hand in
under `submitted/`.
"""

import argparse
import shutil
from pathlib import Path

import jupytext
import nbformat

HERE = Path(__file__).resolve().parent
ASSIGNMENTS = sorted(path.stem for path in (HERE / "source").glob("*.py"))


def notebook_of(text: str):
    """A source as a notebook with nbgrader's metadata.

    Args:
        text: the source, cells in percent format.
    """
    notebook = jupytext.reads(text, fmt="py:percent")
    notebook.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    for number, cell in enumerate(notebook.cells):
        cell.metadata = {name: value for name, value in cell.metadata.items() if name == "nbgrader"}
        cell["id"] = f"cell-{number}"
    return notebook


def make_course(folder: Path) -> None:
    """Writes the course's settings and the source notebook of each assignment.

    Args:
        folder: the course's folder; made if missing.
    """
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(HERE / "nbgrader_config.py", folder)
    for name in ASSIGNMENTS:
        path = folder / "source" / name / f"{name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook_of((HERE / "source" / f"{name}.py").read_text(encoding="utf-8")), path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="the course's folder, made if missing")
    folder = parser.parse_args().folder
    make_course(folder)
    print(f"{len(ASSIGNMENTS)} assignments in {folder / 'source'}")
    print(f"next: cd {folder} && nbgrader generate_assignment {ASSIGNMENTS[0]}")


if __name__ == "__main__":
    main()
