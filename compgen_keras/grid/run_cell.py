"""Running one cell, in a process of its own."""

import contextlib
import json
import multiprocessing
import os
import shutil
import signal
import sys
import threading
import traceback
from dataclasses import dataclass

from compgen_keras.files import write_json
from compgen_keras.grid.cell import Cell
from compgen_keras.grid.folder import GridFolder

_DONE, _FAILED, _BUSY = "done", "failed", "busy"


@dataclass(frozen=True)
class Outcome:
    """What became of a cell that was to be run.

    Attributes:
        kind: `"done"`, `"failed"`, `"busy"` if another process has it, or `"killed"`.
        reason: why it failed, or what killed it.
    """

    kind: str
    reason: str = ""


def start_cell(folder: GridFolder, cell: Cell):
    """Starts a process that runs a cell.

    A process for each cell: nothing is left over from the one before, and what ends a process ends only one cell.

    Args:
        folder: the grid's folder.
        cell: the cell.

    Returns:
        A pair of the process and a function that is to be called when it has ended, and returns the `Outcome`.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_in_process, args=(folder, cell, theirs), name=cell.name, daemon=not folder.grid.processes)
    process.start()
    theirs.close()

    def outcome():
        process.join()
        with contextlib.suppress(EOFError), ours:
            return Outcome(*ours.recv())
        code = process.exitcode
        return Outcome(
            "killed", f"its process was ended by {signal.Signals(-code).name}" if code < 0 else f"its process ended with status {code}"
        )

    return process, outcome


def _in_process(folder, cell, pipe):
    _end_with_parent()
    try:
        with folder.locked(cell) as free:
            if not free or folder.result_path(cell).is_file() or folder.failure_path(cell).is_file():
                pipe.send((_BUSY,))
                return
            try:
                _log_to(folder.log_path(cell))
                run_cell(folder, cell)
            except Exception as error:
                reason = " ".join(f"{type(error).__name__}: {error}".split())
                traceback.print_exc()
                with contextlib.suppress(OSError):
                    folder.write_failure(cell, reason, traceback.format_exc())
                pipe.send((_FAILED, reason))
            else:
                pipe.send((_DONE,))
    except Exception as error:
        pipe.send((_FAILED, " ".join(f"{type(error).__name__}: {error}".split())))
    finally:
        # A full disk may keep what was printed from being written, which is no reason for another traceback.
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()


def run_cell(folder: GridFolder, cell: Cell) -> None:
    """Trains, evaluates, fine-tunes and evaluates again, each unless it is done already, and writes the result.

    Args:
        folder: the grid's folder.
        cell: the cell; the caller holds its lock.
    """
    from compgen_keras.startup import start_quietly

    start_quietly(folder.grid.size)
    from compgen_keras.experiments.run import evaluate_run, fine_tune_run
    from compgen_keras.grid.result import make_result

    _remove_half_written(folder.work_path(cell).rglob(".*-*"))
    _remove_half_written(folder.result_path(cell).parent.glob(f".{cell.name}-*"))
    _start_afresh_if_changed(folder, cell)
    run = _trained(folder, cell)
    for setting in cell.settings["settings"]:
        if setting.startswith("few_shot") and not run.few_shot_model_path.is_file():
            fine_tune_run(run)
        if run.evaluation(setting) is None:
            evaluate_run(run, [setting], examples=cell.settings["examples"], beams=cell.settings["beams"])
    write_json(folder.result_path(cell), make_result(run, cell))
    folder.failure_path(cell).unlink(missing_ok=True)


def _start_afresh_if_changed(folder, cell):
    """What was trained or measured under other settings is of no use, wherever the grid's file was edited."""
    path, config = folder.work_path(cell) / "cell.json", json.loads(json.dumps(cell.config))
    if path.is_file() and json.loads(path.read_text(encoding="utf-8")) != config:
        print("the grid's settings have changed: starting afresh", flush=True)
        shutil.rmtree(folder.run_path(cell), ignore_errors=True)
    write_json(path, config)


def _trained(folder, cell):
    from compgen_keras.experiments.run import train_run
    from compgen_keras.experiments.run_folder import OtherTrainingError, RunFolder

    path = folder.run_path(cell)
    if (path / "training.json").is_file():
        # It may have been trained on another machine, or with another version; the result says which.
        return RunFolder.open(path)
    own = {name: cell.settings[name] for name in ("size", "steps", "batch_size", "precision", "deterministic", "options")}
    own |= {
        "architecture": cell.settings.get("architecture"),
        "seed": cell.seed,
        "processes": folder.grid.processes,
        "watch": 0,
        "resume": True,
    }
    try:
        return train_run(cell.benchmark, cell.variant, path, **own)
    except OtherTrainingError as error:
        print(f"{error}\nThe settings are the same, the machine or the versions are not: starting afresh", flush=True)
        shutil.rmtree(path)
        return train_run(cell.benchmark, cell.variant, path, **own)


def _remove_half_written(paths):
    """What a process that was killed left of files that are written whole or not at all."""
    for left in list(paths):
        if left.is_file():
            left.unlink()
        else:
            shutil.rmtree(left, ignore_errors=True)


def _end_with_parent():
    """Ends this process when the one that started it has ended, even if that was killed."""
    parent = multiprocessing.parent_process()

    def wait():
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def _log_to(path):
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
    os.dup2(handle, 1)
    os.dup2(handle, 2)
    os.close(handle)
