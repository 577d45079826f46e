"""The same cells by way of submitit."""

import pytest

from compgen_keras.grid import GridFolder
from compgen_keras.grid.cluster import GridWorker, submit
from tests.grid.test_run import ONE, PATIENCE


def test_a_job_of_the_local_executor_runs_a_cell(tmp_path):
    folder = GridFolder.create(tmp_path / "grid", ONE.replace("500", "10").replace(', "few_shot"', ""))
    [job] = submit(folder, workers=1, minutes=PATIENCE // 60, executor="local")
    [cell] = folder.grid.cells
    assert job.result() == {cell.name: "done"}
    assert folder.state(cell).result["training"]["steps"] == 10


def test_a_job_that_is_ended_is_queued_again_with_the_same_folder():
    again = GridWorker().checkpoint("some/folder")
    assert isinstance(again.function, GridWorker)
    assert again.args == ("some/folder",)


def test_unknown_parameters_and_a_missing_slurm_are_named(tmp_path):
    folder = GridFolder.create(tmp_path / "grid", ONE)
    with pytest.raises(ValueError, match=r"cannot be submitted to 'local'.*partitoin"):
        submit(folder, 1, 10, "local", {"partitoin": "gpu"})
    with pytest.raises(ValueError, match="cannot be submitted to 'slurm'"):
        submit(folder, 1, 10, "slurm")
