"""Where the cells of a grid stand."""

import dataclasses
import json
import re

import pytest

from compgen_keras.grid.run_cell import _start_afresh_if_changed
from compgen_keras.grid.text import status_text
from tests.grid import fabricated


@pytest.fixture
def folder(tmp_path):
    return fabricated.folder(tmp_path / "grid")


def _states(folder):
    return {state.cell.name: state for state in folder.states()}


def test_states(folder):
    done, failed, begun, running, damaged, *rest = folder.grid.cells
    fabricated.write_result(folder, done, fabricated.first(4))
    folder.write_failure(failed, "OSError: no space")
    folder.run_path(begun).mkdir(parents=True)
    (folder.run_path(begun) / "config.json").write_text("{}")
    folder.result_path(damaged).write_text("{")
    with folder.locked(running) as free:
        assert free
        states = _states(folder)
        with folder.locked(running) as again:
            assert not again
        text = status_text(folder, folder.states())
    assert states[done.name].state == "done"
    assert (states[failed.name].state, states[failed.name].reason) == ("failed", "OSError: no space")
    assert states[begun.name].state == "interrupted"
    assert states[running.name].state == "running"
    assert states[damaged.name].state == "failed"
    assert {states[cell.name].state for cell in rest} == {"not run"}
    assert "1 of 12 cells" in text
    assert "1 done, 1 running, 2 failed, 1 interrupted, 7 not run" in text
    assert f"{failed.name}: OSError: no space" in text
    # Nine cells are left, a hundred and one seconds each, one worker.
    assert "about 15 min, at 1 worker" in text
    assert _states(folder)[running.name].state == "not run"


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda result: result.pop("evaluations"), "is damaged .KeyError"),
        (lambda result: result["evaluations"]["zero_shot"].update(correct=5), "the numbers of zero_shot contradict one another"),
        (lambda result: result["evaluations"]["zero_shot"].update(solved="zz"), "is damaged .ValueError"),
        (lambda result: result["evaluations"]["zero_shot"].update(solved="ff"), "contradict"),
        (lambda result: result["cell"].update(steps=7), "is of another cell: steps is 7, the grid has None"),
        (lambda result: result.update(cell="x"), "is damaged .AttributeError"),
        (lambda result: result["timing"].pop("evaluation_seconds"), "is damaged .KeyError"),
        (lambda result: result["evaluations"]["zero_shot"].pop("specs_sha256"), "is damaged .KeyError"),
        (lambda result: result["evaluations"]["zero_shot"].update(accuracy=0.9), "contradict"),
        (lambda result: result["evaluations"]["zero_shot"]["by_parts"].clear(), "contradict"),
        (lambda result: result["cell"].update(seed=2), "is of another cell: seed is 2, the grid has 0"),
    ],
)
def test_a_damaged_result_is_a_failure_until_it_is_retried(folder, damage, message):
    cell = fabricated.cell(folder)
    result = fabricated.write_result(folder, cell, fabricated.first(4))
    assert folder.state(cell).state == "done"
    damage(result)
    folder.result_path(cell).write_text(json.dumps(result))
    state = folder.state(cell)
    assert state.state == "failed"
    assert re.search(message, state.reason)
    assert folder.result_path(cell).name in state.reason
    content = folder.result_path(cell).read_text()
    folder.forget_failures()
    assert folder.state(cell).state == "not run"
    [aside] = folder.work_path(cell).glob("replaced_*.json")
    assert aside.read_text() == content, "what was there is put aside, not deleted"


def test_results_of_fewer_examples_are_not_those_of_an_edited_grid(tmp_path):
    folder = fabricated.folder(tmp_path / "grid")
    cell = fabricated.cell(folder)
    fabricated.write_result(folder, cell, fabricated.first(4))
    run = folder.run_path(cell)
    run.mkdir(parents=True)
    (run / "training.json").write_text("{}")
    _start_afresh_if_changed(folder, cell)
    assert (run / "training.json").is_file(), "nothing has changed"
    edited = fabricated.folder(tmp_path / "edited", fabricated.GRID.replace("examples = 10", "examples = 20"))
    assert folder.grid != edited.grid
    there = dataclasses.replace(folder, grid=edited.grid)
    assert "examples is 10, the grid has 20" in there.state(fabricated.cell(there)).reason
    _start_afresh_if_changed(there, fabricated.cell(there))
    assert not run.exists()
