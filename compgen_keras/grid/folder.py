"""Where a grid lives: its file, its results, and what it works with."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import filelock

from compgen_keras.errors import InputError
from compgen_keras.files import write_json, write_text
from compgen_keras.grid.cell import Cell
from compgen_keras.grid.grid import Grid, read_grid
from compgen_keras.grid.result import check_result

STATES = ("done", "running", "failed", "interrupted", "not run")


@dataclass(frozen=True)
class CellState:
    """Where a cell stands.

    Attributes:
        cell: the cell.
        state: one of `STATES`.
        result: its result, if it is done.
        reason: why it failed, if it did.
    """

    cell: Cell
    state: str
    result: dict | None = None
    reason: str | None = None


@dataclass(frozen=True)
class GridFolder:
    """The folder of a grid.

    `grid.toml` is the grid, `results/<cell>.json` the result of each cell that is done, `report/` the report: these are small, and all
    that is needed to go on elsewhere. `work/<cell>/` has the run folder with the models and every prediction, `log.txt`, and after a
    failure `failure.json`.

    Attributes:
        path: the folder.
        grid: the grid.
    """

    path: Path
    grid: Grid

    @classmethod
    def create(cls, path, text: str) -> "GridFolder":
        """Makes a folder for a grid, or opens the one in which the same grid has begun.

        Args:
            path: the folder.
            text: the grid, TOML.

        Raises:
            ValueError: the grid is not in order, another grid is in the folder, or the folder cannot be made.
        """
        grid = read_grid(text)
        path = Path(path)
        file = path / "grid.toml"
        if file.is_file():
            there = cls.open(path)
            if there.grid != grid:
                raise InputError(
                    f"{file} is another grid than the one given; to go on with it: compgen-keras grid run {path}. "
                    "Otherwise choose another --folder, or edit that file (more seeds, models or benchmarks keep what is done)."
                )
            return there
        try:
            write_text(file, text)
        except OSError as error:
            raise InputError(f"the grid's folder {path} cannot be made: {error.strerror}.") from None
        return cls(path, grid)

    @classmethod
    def open(cls, path) -> "GridFolder":
        """Opens the folder of a grid that has begun.

        Raises:
            ValueError: there is none.
        """
        file = Path(path) / "grid.toml"
        try:
            text = file.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise InputError(f"{file} is no text; expected a grid in TOML.") from None
        except OSError:
            raise InputError(
                f"{path} is no folder of a grid: it has no grid.toml; expected one that `compgen-keras grid run` made."
            ) from None
        return cls(Path(path), read_grid(text, where=file))

    def result_path(self, cell: Cell) -> Path:
        """Where a cell's result is."""
        return self.path / "results" / f"{cell.name}.json"

    def work_path(self, cell: Cell) -> Path:
        """Where a cell works."""
        return self.path / "work" / cell.name

    def run_path(self, cell: Cell) -> Path:
        """Where its models and predictions are."""
        return self.work_path(cell) / "run"

    def log_path(self, cell: Cell) -> Path:
        """What it printed."""
        return self.work_path(cell) / "log.txt"

    def failure_path(self, cell: Cell) -> Path:
        """Why it failed."""
        return self.work_path(cell) / "failure.json"

    @contextmanager
    def locked(self, cell: Cell) -> Iterator[bool]:
        """Holds a cell's lock, which the system releases when the process ends, however it ends.

        Yields:
            Whether the lock was free.
        """
        self.work_path(cell).mkdir(parents=True, exist_ok=True)
        lock = filelock.FileLock(self.work_path(cell) / "lock", timeout=0)
        try:
            lock.acquire()
        except filelock.Timeout:
            yield False
            return
        try:
            yield True
        finally:
            lock.release()

    def is_running(self, cell: Cell) -> bool:
        """Whether a process holds the cell's lock."""
        if not (self.work_path(cell) / "lock").is_file():
            return False
        try:
            with self.locked(cell) as free:
                return not free
        except PermissionError:
            return _is_locked(self.work_path(cell) / "lock")
        except OSError:
            # Nobody runs cells on a disk that cannot be written to.
            return False

    def state(self, cell: Cell) -> CellState:
        """Where a cell stands."""
        path = self.result_path(cell)
        if path.is_file():
            try:
                return CellState(cell, "done", result=check_result(path, cell))
            except InputError as error:
                return CellState(cell, "failed", reason=str(error))
        if self.is_running(cell):
            return CellState(cell, "running")
        if self.failure_path(cell).is_file():
            return CellState(cell, "failed", reason=self._reason(cell))
        begun = (self.run_path(cell) / "config.json").is_file()
        return CellState(cell, "interrupted" if begun else "not run")

    def states(self) -> list[CellState]:
        """Where all cells stand, in their order."""
        return [self.state(cell) for cell in self.grid.cells]

    def write_failure(self, cell: Cell, reason: str, traceback: str = "") -> None:
        """Keeps why a cell failed."""
        write_json(self.failure_path(cell), {"reason": reason, "time": time.strftime("%Y-%m-%d %H:%M:%S"), "traceback": traceback})

    def forget_failures(self) -> None:
        """Has failed cells run again, and those whose result is damaged or of other settings: such a file is put aside in `work/`."""
        for cell in self.grid.cells:
            if self.state(cell).state == "failed":
                self.failure_path(cell).unlink(missing_ok=True)
                if self.result_path(cell).is_file():
                    self.work_path(cell).mkdir(parents=True, exist_ok=True)
                    self.result_path(cell).replace(self.work_path(cell) / f"replaced_{time.strftime('%Y-%m-%d_%H-%M-%S')}.json")

    def _reason(self, cell):
        try:
            return str(json.loads(self.failure_path(cell).read_text(encoding="utf-8"))["reason"])
        except (ValueError, KeyError, TypeError, OSError):
            return f"unknown: {self.failure_path(cell)} cannot be read"


def _is_locked(path):
    """Whether somebody holds a lock that one may only read."""
    import fcntl

    try:
        with path.open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False
