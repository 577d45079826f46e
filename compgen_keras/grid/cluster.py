"""Workers as jobs of a cluster, by way of submitit."""

from pathlib import Path

from compgen_keras.errors import InputError
from compgen_keras.grid.folder import GridFolder

_TIMEOUTS = 10_000
"""How often a job is queued again; submitit's default of 3 would leave a long grid standing."""


class GridWorker:
    """A job: one worker of a grid. If its time runs out or it is preempted, it is queued again and goes on from the last checkpoint."""

    def __call__(self, path: str) -> dict[str, str]:
        """Works until no cell is left.

        Args:
            path: the grid's folder.

        Returns:
            The state of each cell by its name.
        """
        from compgen_keras.startup import start_quietly

        start_quietly(devices=False)
        from compgen_keras.grid.worker import run_grid

        return {state.cell.name: state.state for state in run_grid(GridFolder.open(path))}

    def checkpoint(self, path: str):
        """What submitit is to queue when the job is to be ended."""
        from submitit.helpers import DelayedSubmission

        return DelayedSubmission(self, path)


def submit(folder: GridFolder, workers: int, minutes: int, executor: str = "slurm", parameters: dict | None = None) -> list:
    """Starts workers as jobs.

    Args:
        folder: the grid's folder, which all machines must see, with locks (`flock`) that hold between them.
        workers: how many jobs, one worker each.
        minutes: time limit of a job.
        executor: `"slurm"`, or `"local"` for processes on this machine.
        parameters: further parameters of submitit's `AutoExecutor.update_parameters`, such as `{"slurm_partition": "gpu"}`.

    Returns:
        The jobs, of submitit.

    Raises:
        ValueError: submitit is not installed, there is no Slurm here, or it does not know a parameter.
    """
    try:
        import submitit
    except ImportError:
        raise InputError("submitit is not installed; install the extra: pip install 'compgen_keras[cluster]'.") from None
    logs = Path(folder.path).resolve() / "work" / "jobs"
    try:
        chosen = submitit.AutoExecutor(folder=logs, cluster=executor, slurm_max_num_timeout=_TIMEOUTS)
        chosen.update_parameters(timeout_min=minutes, name=folder.grid.name, **(parameters or {}))
        return [chosen.submit(GridWorker(), str(Path(folder.path).resolve())) for _ in range(workers)]
    except (RuntimeError, ValueError, NameError, TypeError, AssertionError) as error:
        raise InputError(f"the jobs cannot be submitted to {executor!r}: {error}") from None
