"""Real cells in real processes: killed, shared between workers, without a disk to write to."""

import json
import subprocess
import sys
import time

import pytest

from compgen_keras.cli import main
from compgen_keras.grid import GridFolder
from tests.grid import fabricated
from tests.grid.kills import kill, outcome, start_worker

GRID = """
name = "real"
description = "Cells of a few seconds"
benchmarks = ["scan/compose_different_concepts"]
models = ["sep_to_last", "transformer"]
seeds = [0]
steps = 500
batch_size = 4
examples = 4
settings = ["zero_shot", "few_shot"]
architecture = { num_layers = 1, num_heads = 2, embedding_dim = 16, feed_forward_dim = 16, dropout = 0.2 }
"""
ONE = GRID.replace(', "transformer"', "")
PATIENCE = 180
"""Seconds after which a test gives up."""


def _wait_for(condition, worker=None):
    until = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < until, "nothing happened"
        assert worker is None or worker.poll() is None, "the worker ended"
        time.sleep(0.05)


def _run(path, *options):
    command = [sys.executable, "-m", "compgen_keras", "grid", "run", str(path), *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)


def test_a_cell_killed_in_training_and_in_evaluation_has_the_undisturbed_result(tmp_path):
    GridFolder.create(tmp_path / "undisturbed", ONE)
    killed = GridFolder.create(tmp_path / "killed", ONE)
    [cell] = killed.grid.cells
    run = killed.run_path(cell)
    with (tmp_path / "log").open("ab") as log:
        undisturbed = start_worker(tmp_path / "undisturbed", log)
        assert undisturbed.wait(PATIENCE) == 0
        for file in (run / "checkpoint.npz", run / "evaluations" / "zero_shot.json"):
            worker = start_worker(killed.path, log)
            _wait_for(file.is_file, worker)
            kill(worker, everything=True)
            # The system needs a moment to release the lock.
            _wait_for(lambda: killed.state(cell).state == "interrupted")
        assert start_worker(killed.path, log).wait(PATIENCE) == 0
    assert "going on after epoch" in killed.log_path(cell).read_text()
    assert outcome(killed.path) == outcome(tmp_path / "undisturbed")
    assert not list(killed.path.rglob(".*-*")), "what a killed process left half written is removed"


def test_two_workers_of_which_one_is_killed_do_every_cell_once(tmp_path):
    folder = GridFolder.create(tmp_path / "grid", GRID)
    cells = folder.grid.cells
    with (tmp_path / "first").open("wb") as first, (tmp_path / "second").open("wb") as second:
        one, other = start_worker(folder.path, first), start_worker(folder.path, second)
        _wait_for(lambda: all((folder.run_path(cell) / "config.json").is_file() for cell in cells), one)
        kill(one)
        assert other.wait(PATIENCE) == 0
    assert [state.state for state in folder.states()] == ["done", "done"]
    finished = ((tmp_path / "first").read_text() + (tmp_path / "second").read_text()).count(": done in ")
    assert finished == 2
    # The survivor has taken over what the other had begun, and the epochs are those of one training each.
    for cell in cells:
        assert len(folder.state(cell).result["training"]["history"]["loss"]) == 2


def test_a_cell_that_cannot_run_is_named_and_the_next_one_is_run(tmp_path, capsys):
    folder = GridFolder.create(tmp_path / "grid", GRID)
    stuck, fine = folder.grid.cells
    folder.work_path(stuck).mkdir(parents=True)
    folder.run_path(stuck).write_text("a file where a folder is to be")
    fabricated.write_result(folder, fine, fabricated.first(1, of=4))
    run = _run(folder.path)
    assert run.returncode == 1
    assert f"{stuck.name}: FAILED: InputError" in run.stdout
    assert "1 done, 1 failed" in run.stdout
    assert main(["grid", "status", str(folder.path)]) == 0
    assert f"failed       {stuck.name}: InputError" in capsys.readouterr().out
    assert "traceback" in json.loads(folder.failure_path(stuck).read_text())


@pytest.fixture
def small_disk(tmp_path):
    """A file system of its own, of 300 KB."""
    path = tmp_path / "disk"
    path.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", str(path)], capture_output=True, check=False)
    if mounted.returncode:
        pytest.skip("file systems can't be mounted here")
    yield path
    subprocess.run(["umount", str(path)], check=True)


def test_a_full_and_a_read_only_disk(small_disk, capsys):
    folder = GridFolder.create(small_disk / "grid", GRID)
    full, fine = folder.grid.cells
    fabricated.write_result(folder, fine, fabricated.first(1, of=4))
    result = folder.result_path(fine).read_bytes()
    run = _run(folder.path)
    assert run.returncode == 1
    assert f"{full.name}: FAILED: " in run.stdout
    assert "No space left on device" in run.stdout
    assert folder.result_path(fine).read_bytes() == result
    assert not list(folder.path.rglob(".*-*"))
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    capsys.readouterr()
    assert main(["grid", "status", str(folder.path)]) == 0
    assert "1 done" in capsys.readouterr().out
    run = _run(folder.path, "--retry-failed")
    assert run.returncode == 2
    assert run.stderr.count("\n") == 1
    assert "Read-only file system" in run.stderr
    assert folder.result_path(fine).read_bytes() == result
