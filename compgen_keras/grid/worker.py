"""Running a grid: one worker, which takes one cell after another."""

import contextlib
import re
import sys
import time

from compgen_keras.errors import InputError
from compgen_keras.grid.folder import CellState, GridFolder
from compgen_keras.grid.run_cell import Outcome, start_cell

_TRIES = 3
_POLL_SECONDS = 0.5
_WAIT_SECONDS = 5.0


def run_grid(folder: GridFolder, retry_failed: bool = False, most: int | None = None) -> list[CellState]:
    """Runs what is left of a grid; any number of workers can do so in the same folder at once.

    A cell that is done, or that another worker has, is left to it. At the end the worker waits for cells that others have, and takes
    over those whose worker has died. A cell that fails is kept as failed, with the reason, and the next one is run.

    Args:
        folder: the grid's folder.
        retry_failed: run failed cells, and those whose result is damaged, again.
        most: how many cells to run at most; None: all.

    Returns:
        The `CellState` of every cell.

    Raises:
        OSError: the folder cannot be written to.
    """
    if retry_failed:
        folder.forget_failures()
    worker = _Worker(folder, most)
    worker.run()
    return [CellState(s.cell, "failed", reason=worker.failed.get(s.cell.name)) if _only_here(s, worker) else s for s in folder.states()]


def _only_here(state, worker):
    """Whether a failure could not be written down."""
    return state.cell.name in worker.failed and state.state in ("interrupted", "not run")


class _Worker:
    def __init__(self, folder, most):
        self.folder = folder
        self.most = most
        self.failed = {}
        self.ran = 0
        self.seconds = []

    def run(self):
        waited_for = None
        while self.most is None or self.ran < self.most:
            states = self.folder.states()
            left = [state for state in states if state.state not in ("done", "failed") and state.cell.name not in self.failed]
            free = [state for state in left if state.state != "running"]
            if not left:
                return
            if not free:
                others = {state.cell.name for state in left}
                if others != waited_for:
                    _say(f"waiting for {len(others)} cells that other workers run")
                    waited_for = others
                time.sleep(_WAIT_SECONDS)
                continue
            self._run_cell(free[0].cell, len(left), len(states))

    def _run_cell(self, cell, left, total):
        title = f"[{total - left + 1}/{total}] {cell.name}"
        tries, before, started = 0, self._progress(cell), time.perf_counter()
        while True:
            outcome = self._one_process(cell, title)
            if outcome.kind != "killed":
                break
            now = self._progress(cell)
            tries, before = (1, now) if now != before else (tries + 1, before)
            if tries >= _TRIES:
                outcome = Outcome("failed", f"{outcome.reason}, {tries} times with no progress between (out of memory?)")
                with contextlib.suppress(OSError), self.folder.locked(cell) as free:
                    if free:
                        self.folder.write_failure(cell, outcome.reason)
                break
            _say(f"{title}: {outcome.reason}; going on from its last checkpoint")
        if outcome.kind == "busy":
            return
        self.ran += 1
        if outcome.kind == "failed":
            self.failed[cell.name] = outcome.reason
            _say(f"{title}: FAILED: {outcome.reason} (log: {self.folder.log_path(cell)})")
            return
        self.seconds.append(time.perf_counter() - started)
        _say(f"{title}: done in {duration(self.seconds[-1])}; {self._accuracies(cell)}{self._left(left - 1)}")

    def _one_process(self, cell, title):
        process, outcome = start_cell(self.folder, cell)
        try:
            shown = None
            if not _on_terminal():
                _say(f"{title}: started")
            while process.is_alive():
                process.join(_POLL_SECONDS)
                now = epoch_of(self.folder, cell)
                if _on_terminal() and now != shown:
                    print(f"\r\033[K{title}: {now or 'starting'}", end="", flush=True)
                    shown = now
            if _on_terminal():
                print("\r\033[K", end="")
            return outcome()
        finally:
            if process.is_alive():
                process.terminate()
                process.join()

    def _progress(self, cell):
        """What changes when a cell gets on."""
        run = self.folder.run_path(cell)
        files = [run / "checkpoint.npz", run / "training.json", run / "few_shot.keras", *sorted((run / "evaluations").glob("*.json"))]
        return [(file.name, file.stat().st_mtime_ns) for file in files if file.is_file()]

    def _accuracies(self, cell):
        try:
            evaluations = self.folder.state(cell).result["evaluations"]
        except (TypeError, InputError):
            return ""
        return ", ".join(f"{setting.replace('_', ' ')} {100 * numbers['accuracy']:.1f}%" for setting, numbers in evaluations.items())

    def _left(self, left):
        if not left:
            return ""
        mean = sum(self.seconds) / len(self.seconds)
        return f"; {left} cells left, about {duration(mean * left)} for one worker"


def epoch_of(folder: GridFolder, cell) -> str | None:
    """How far a cell that is running has come, from its log; None if it does not say."""
    try:
        with folder.log_path(cell).open("rb") as log:
            log.seek(max(0, log.seek(0, 2) - 4096))
            tail = log.read().decode("utf-8", errors="replace")
    except OSError:
        return None
    found = re.findall(r"Epoch (\d+/\d+)", tail)
    return f"epoch {found[-1]}" if found else None


def duration(seconds: float) -> str:
    """A time for people.

    Example:

    >>> duration(42), duration(400), duration(9000)
    ('42 s', '7 min', '2 h 30 min')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"


def _on_terminal():
    return sys.stdout.isatty()


def _say(text):
    print(text, flush=True)
