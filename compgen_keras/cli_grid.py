"""The command line of grids: `compgen-keras grid run|status|report|submit`."""

import ast
import os
import shlex
import subprocess
import sys
from pathlib import Path

from compgen_keras.errors import InputError


def add_grid(commands, make_command, integer_from) -> None:
    """Adds the command.

    Args:
        commands: the subparsers of the command line.
        make_command: makes a command with a help text and an example.
        integer_from: makes a parser of integers.
    """
    grid = commands.add_parser(
        "grid",
        help="run every model on every task with every seed, resumably, on one machine or several, and report on it",
        description="Grids of experiments.",
        epilog="example: compgen-keras grid run scan-classroom",
    )
    actions = grid.add_subparsers(dest="action", required=True, metavar="action")

    run = make_command(
        actions,
        "run",
        _run,
        "run what is left of a grid; it may be stopped at any moment",
        "compgen-keras grid run scan-classroom",
    )
    run.add_argument("grid", help="a grid of the package (see grid list), a TOML file, or the folder of a grid that has begun")
    run.add_argument("--folder", help="the grid's folder (default runs/grids/<name>)")
    run.add_argument("--workers", type=integer_from(1), default=1, help="processes that run cells at the same time (default 1)")
    run.add_argument("--gpus", help="numbers of GPUs, such as 0,1,2,3: one worker for each, in place of --workers")
    run.add_argument("--cells", type=integer_from(1), help="stop after so many cells (of each worker; default: all)")
    run.add_argument("--retry-failed", action="store_true", help="run cells again that failed or whose result is damaged")

    status = make_command(actions, "status", _status, "show where a grid stands", "compgen-keras grid status runs/grids/scan-classroom")
    status.add_argument("folder", help="the grid's folder")

    report = make_command(
        actions,
        "report",
        _report,
        "report on what is done of a grid, beside the paper",
        "compgen-keras grid report runs/grids/scan-classroom",
    )
    report.add_argument("folder", help="the grid's folder")
    report.add_argument("--output", help="where to write report.md, report.json and pictures (default: report/ in the folder)")

    listed = make_command(actions, "list", _list, "list the grids that come with the package", "compgen-keras grid list")
    listed.set_defaults(folder=None)

    submit = make_command(
        actions,
        "submit",
        _submit,
        "have Slurm start workers for a grid (extra: cluster)",
        "compgen-keras grid submit scan-paper --workers 8 --minutes 720 --slurm slurm_partition=gpu --slurm gpus_per_node=1",
    )
    submit.add_argument("grid", help="as for grid run")
    submit.add_argument("--folder", help="the grid's folder, on a file system that all machines share (default runs/grids/<name>)")
    submit.add_argument("--workers", type=integer_from(1), default=1, help="jobs to start, one worker each (default 1)")
    submit.add_argument("--minutes", type=integer_from(1), default=240, help="time of a job, which is queued again after it (default 240)")
    submit.add_argument(
        "--slurm", action="append", default=[], metavar="NAME=VALUE", help="a parameter of submitit's executor; may be given several times"
    )
    submit.add_argument("--executor", default="slurm", choices=("slurm", "local"), help="local: processes on this machine, to try it out")
    submit.add_argument("--wait", action="store_true", help="wait until the jobs have ended")


def _start():
    """GPUs are for the processes of the cells."""
    from compgen_keras.startup import start_quietly

    start_quietly(devices=False)


def _folder(options):
    _start()
    from compgen_keras.grid import GridFolder, find_grid_text, read_grid

    given = Path(options.grid)
    if options.folder is None and (given / "grid.toml").is_file():
        return GridFolder.open(given)
    text = find_grid_text(options.grid)
    name = read_grid(text, where=f"the grid {options.grid}").name
    return GridFolder.create(options.folder or Path("runs") / "grids" / name, text)


def _run(options):
    gpus = [] if options.gpus is None else [gpu.strip() for gpu in options.gpus.split(",")]
    if any(not gpu.isdecimal() for gpu in gpus):
        raise InputError(f"--gpus is {options.gpus!r}; expected numbers with commas between, such as 0,1,2,3.")
    folder = _folder(options)
    from compgen_keras.grid import run_grid
    from compgen_keras.grid.text import status_text

    well = True
    if len(gpus) > 1 or options.workers > 1:
        if options.retry_failed:
            folder.forget_failures()
        well = _run_workers(folder, gpus or [None] * options.workers, options.cells)
        states = folder.states()
    else:
        if gpus:
            os.environ["CUDA_VISIBLE_DEVICES"] = gpus[0]
        states = run_grid(folder, options.retry_failed, options.cells)
    print("\n" + status_text(folder, states))
    return 0 if well and all(state.state != "failed" for state in states) else 1


def _run_workers(folder, gpus, cells):
    """One process for each worker; each sees one GPU, if they are numbered. Returns whether all ended well."""
    command = [sys.executable, "-m", "compgen_keras", "grid", "run", str(folder.path), *(["--cells", str(cells)] if cells else [])]
    workers = []
    try:
        for gpu in gpus:
            environment = dict(os.environ) if gpu is None else {**os.environ, "CUDA_VISIBLE_DEVICES": gpu}
            workers.append(subprocess.Popen(command, env=environment))
        statuses = [worker.wait() for worker in workers]
        return not any(statuses)
    finally:
        for worker in workers:
            if worker.poll() is None:
                worker.terminate()
                worker.wait()


def _status(options):
    _start()
    from compgen_keras.grid import GridFolder
    from compgen_keras.grid.text import status_text

    folder = GridFolder.open(options.folder)
    print(status_text(folder, folder.states()))


def _report(options):
    _start()
    from compgen_keras.grid import GridFolder
    from compgen_keras.grid.report import write_report
    from compgen_keras.grid.text import accuracy_table

    folder = GridFolder.open(options.folder)
    output = Path(options.output) if options.output else folder.path / "report"
    summary = write_report(folder, output)
    for setting in summary["accuracy"]:
        print(f"{setting.replace('_', ' ')}, percent\n\n{accuracy_table(summary, setting, paper=False)}\n")
    cells = summary["cells"]
    print(f"cells        {cells['done']} of {cells['total']} done, {len(cells['failed'])} failed")
    print(f"report       {output / 'report.md'}, as numbers {output / 'report.json'}")
    print(f"figures      {', '.join(str(output / f'{setting}.png') for setting in summary['accuracy']) or 'none: no cell is done'}")


def _list(options):
    _start()
    from compgen_keras.grid import find_grid_text, read_grid, shipped_grids

    for name in shipped_grids():
        grid = read_grid(find_grid_text(name))
        print(f"{name:<26}{len(grid.cells):>4} cells  {grid.description}")


def _submit(options):
    folder = _folder(options)
    from compgen_keras.grid.cluster import submit

    parameters = dict(map(_parameter, options.slurm))
    jobs = submit(folder, options.workers, options.minutes, options.executor, parameters)
    print(f"jobs         {', '.join(str(job.job_id) for job in jobs)}")
    failed = False
    if options.wait:
        for job in jobs:
            error = job.exception()
            if error is not None:
                print(f"job {job.job_id} failed: {' '.join(str(error).split())[-500:]}")
            failed = failed or error is not None
        failed = failed or any(state.state == "failed" for state in folder.states())
    print(f"status       compgen-keras grid status {shlex.quote(str(folder.path))}")
    return 1 if failed else 0


def _parameter(text):
    """NAME=VALUE, the value as Python would read it, or a string."""
    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier():
        raise InputError(f"--slurm is {text!r}; expected NAME=VALUE, such as slurm_partition=gpu.")
    try:
        return name, ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return name, value
