"""Progress bars of what takes long."""

import sys

import keras
import numpy as np

from compgen_keras.errors import InputError


def checked_verbosity(verbose) -> int:
    """0 for silence, 1 for bars that move, 2 for a line when something is done; `"auto"` is 1 on a terminal and 2 elsewhere.

    Raises:
        ValueError: it is something else.
    """
    if verbose == "auto":
        return 1 if sys.stdout.isatty() else 2
    if isinstance(verbose, bool) or verbose not in (0, 1, 2):
        raise InputError(f"verbose is {verbose!r}; expected 'auto', 0, 1 or 2.")
    return verbose


class Progress:
    """A progress bar with a title.

    Args:
        title: what is done.
        total: how many things are to be done.
        verbose: see `checked_verbosity`.
    """

    def __init__(self, title: str, total: int, verbose: int):
        self._bar = None
        if verbose:
            print(title, flush=True)
            self._bar = keras.utils.Progbar(total, verbose=verbose, unit_name="example")

    def advance(self, count: int) -> None:
        """Takes note that so many more are done."""
        if self._bar is not None:
            self._bar.add(count)


class WithProgress:
    """A model whose `generate` shows how far it is. It writes the same programs, in the same batches.

    Args:
        model: a `ProgramWriter`.
        title: what is done, see `Progress`.
        verbose: see `checked_verbosity`.
    """

    def __init__(self, model, title: str, verbose: int):
        self._model, self._title, self._verbose = model, title, verbose

    def generate(self, specs, sampler="greedy", batch_size=128):
        """As `ProgramWriter.generate`."""
        progress = Progress(self._title, len(specs), self._verbose)
        programs = [None] * len(specs)
        # `generate` sorts by length to waste little on padding; so does this, to give it batches that need no more sorting.
        by_length = np.argsort(self._model.codec.encode_specs(specs).lengths, kind="stable")
        for start in range(0, len(specs), batch_size):
            rows = by_length[start : start + batch_size]
            written = self._model.generate([specs[row] for row in rows], sampler=sampler, batch_size=batch_size)
            for row, program in zip(rows, written, strict=True):
                programs[row] = program
            progress.advance(len(rows))
        return programs
