"""`compgen-keras grid`, as far as nothing is trained."""

import pytest

from compgen_keras.cli import main
from compgen_keras.grid import shipped_grids
from tests.grid import fabricated


def test_list_names_all_grids(capsys):
    assert main(["grid", "list"]) == 0
    printed = capsys.readouterr().out
    assert all(name in printed for name in shipped_grids())


def test_report_writes_what_it_says_it_writes(tmp_path, capsys):
    folder = fabricated.folder(tmp_path / "grid")
    assert main(["grid", "report", str(folder.path)]) == 0
    assert "none: no cell is done" in capsys.readouterr().out
    for variant in folder.grid.models:
        fabricated.write_result(folder, fabricated.cell(folder, variant=variant), fabricated.first(7))
    assert main(["grid", "report", str(folder.path), "--output", str(tmp_path / "elsewhere")]) == 0
    printed = capsys.readouterr().out
    assert "| sep_to_last        | 70.0" in printed
    assert {path.name for path in (tmp_path / "elsewhere").iterdir()} == {"report.md", "report.json", "zero_shot.png"}
    assert str(tmp_path / "elsewhere" / "report.md") in printed


def test_a_grid_that_is_done_is_not_run_again(tmp_path, capsys):
    folder = fabricated.folder(tmp_path / "grid")
    for cell in folder.grid.cells:
        fabricated.write_result(folder, cell, fabricated.first(7))
    assert main(["grid", "run", str(folder.path)]) == 0
    assert "12 of 12 cells" in capsys.readouterr().out
    assert not (folder.path / "work").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["submit", "{folder}", "--slurm", "partition"], "--slurm is 'partition'"),
        (["run", "no-such-grid"], "there is no grid 'no-such-grid'"),
        (["status", "{folder}/nowhere"], "has no grid.toml"),
        (["run", "{folder}", "--gpus", "0,x"], "--gpus is '0,x'"),
        (["run", "scan-classroom", "--folder", "{folder}"], "is another grid than the one given"),
    ],
)
def test_bad_input_is_one_line(tmp_path, capsys, arguments, message):
    folder = fabricated.folder(tmp_path / "grid")
    assert main(["grid", *(argument.format(folder=folder.path) for argument in arguments)]) == 2
    printed = capsys.readouterr().err
    assert message in printed
    assert printed.count("\n") == 1


def test_each_gpu_gets_a_worker_that_sees_it_alone(tmp_path, monkeypatch, capsys):
    folder = fabricated.folder(tmp_path / "grid")
    started, status = [], 0

    class Worker:
        def __init__(self, command, env):
            started.append((command[2:], env.get("CUDA_VISIBLE_DEVICES")))

        def wait(self):
            return status

        def poll(self):
            return status

    monkeypatch.setattr("compgen_keras.cli_grid.subprocess.Popen", Worker)
    assert main(["grid", "run", str(folder.path), "--gpus", "0, 2", "--cells", "5"]) == 0
    command = ["compgen_keras", "grid", "run", str(folder.path), "--cells", "5"]
    assert started == [(command, "0"), (command, "2")]
    assert "0 of 12 cells" in capsys.readouterr().out
    status = 1
    assert main(["grid", "run", str(folder.path), "--workers", "2"]) == 1, "a worker that fails is no success"
