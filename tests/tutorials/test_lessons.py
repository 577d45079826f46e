"""Every lesson runs, and the notebooks that the site shows are those of the lessons."""

import runpy
import sys
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
pytest.importorskip("jupytext")

TUTORIALS = Path(__file__).resolve().parents[2] / "tutorials"
EXECUTED = TUTORIALS.parent / "docs" / "lessons"
LESSONS = sorted(path.stem for path in TUTORIALS.glob("[0-9][0-9]_*.py"))


@pytest.fixture(autouse=True)
def in_tutorials(monkeypatch):
    monkeypatch.syspath_prepend(str(TUTORIALS))
    sys.modules.pop("lesson", None)


@pytest.mark.parametrize("lesson", LESSONS)
def test_lessons_run_with_the_fast_flag(lesson, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", [lesson, "--fast"])
    runpy.run_path(str(TUTORIALS / f"{lesson}.py"), run_name="__main__")
    printed = capsys.readouterr().out
    assert f"Lesson {lesson} took" in printed


@pytest.mark.parametrize("lesson", LESSONS)
def test_lessons_say_their_time_and_what_they_need_and_end_with_exercises(lesson):
    text = (TUTORIALS / f"{lesson}.py").read_text()
    assert text.startswith("# %% [markdown]\n# # " + str(int(lesson[:2])) + ". ")
    assert "# *Time: " in text
    assert "You need: " in text
    assert "# ## Exercises" in text


@pytest.mark.parametrize("path", sorted(EXECUTED.glob("*.ipynb")), ids=lambda path: path.stem)
def test_executed_notebooks_are_the_lessons(path):
    import notebooks

    executed, lesson = nbformat.read(path, as_version=4), notebooks.notebook_of(path.stem)
    assert [(cell.cell_type, cell.source) for cell in executed.cells] == [(cell.cell_type, cell.source) for cell in lesson.cells]
    outputs = [output for cell in executed.cells for output in cell.get("outputs", ())]
    assert outputs, "a notebook on the site has been run"
    assert not [output for output in outputs if output.output_type == "error"]
    assert str(TUTORIALS.parent.parent) not in path.read_text(), "no path of the machine it ran on"
