"""`python tutorials/notebooks.py FOLDER [LESSON ...] [--execute]`: makes notebooks of the lessons.

Without `--execute` they have no outputs; with it each lesson runs in full, as long as it says at its top. A notebook that is there already
and whose code is the lesson's keeps its outputs, so that changes of the text alone cost nothing.
"""

import argparse
import time
from pathlib import Path

import jupytext
import nbformat

HERE = Path(__file__).resolve().parent
LESSONS = sorted(path.stem for path in HERE.glob("[0-9][0-9]_*.py"))


def notebook_of(lesson: str):
    """A lesson as a notebook without outputs."""
    notebook = jupytext.read(HERE / f"{lesson}.py")
    notebook.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    for number, cell in enumerate(notebook.cells):
        cell.metadata = {}
        cell["id"] = f"cell-{number}"
    return notebook


def code_of(notebook) -> list[str]:
    """The sources of the code cells."""
    return [cell.source for cell in notebook.cells if cell.cell_type == "code"]


def with_outputs_of(notebook, executed):
    """A notebook with the outputs of another that has the same code."""
    outputs = iter([cell for cell in executed.cells if cell.cell_type == "code"])
    for cell in notebook.cells:
        if cell.cell_type == "code":
            old = next(outputs)
            cell.outputs, cell.execution_count = old.outputs, old.execution_count
    return notebook


def execute(notebook):
    """Runs a notebook in the lessons' folder."""
    from nbclient import NotebookClient

    client = NotebookClient(notebook, timeout=None, kernel_name="python3", record_timing=False, resources={"metadata": {"path": str(HERE)}})
    client.execute()
    notebook.metadata.pop("language_info", None)
    return notebook


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the notebooks go")
    parser.add_argument("lessons", nargs="*", metavar="lesson", help=f"of {', '.join(LESSONS)} (default: all)")
    parser.add_argument("--execute", action="store_true", help="run those whose code has changed since they were last run")
    options = parser.parse_args()
    unknown = set(options.lessons) - set(LESSONS)
    if unknown:
        parser.error(f"unknown lesson {', '.join(sorted(unknown))}; expected one of {', '.join(LESSONS)}")
    options.folder.mkdir(parents=True, exist_ok=True)
    for lesson in options.lessons or LESSONS:
        path = options.folder / f"{lesson}.ipynb"
        notebook = notebook_of(lesson)
        executed = nbformat.read(path, as_version=4) if path.exists() else None
        started = time.perf_counter()
        if executed is not None and code_of(executed) == code_of(notebook):
            notebook = with_outputs_of(notebook, executed)
        elif options.execute:
            notebook = execute(notebook)
        nbformat.write(notebook, path)
        print(f"{path}  {time.perf_counter() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()
