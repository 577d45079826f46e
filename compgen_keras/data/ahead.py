"""Work done ahead of time by worker processes."""

import multiprocessing
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any


class Ahead:
    """The results of a function for the numbers 0, 1, 2, ..., the next of which are computed before they are asked for.

    Args:
        function: called in worker processes, so that it must be picklable; its module should not take long to import.
        arguments: called with a number, returns the function's arguments for it.
        processes: how many.
    """

    def __init__(self, function: Callable[..., Any], arguments: Callable[[int], tuple], processes: int):
        self._function = function
        self._arguments = arguments
        self._processes = processes
        # Forked processes would share the locks of the backend's threads, which may be held for ever.
        self._pool = ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("spawn"))
        self._futures = {}
        self._lock = threading.Lock()

    def result(self, number: int):
        """The function's result for a number."""
        with self._lock:
            for following in range(number, number + self._processes + 1):
                if following not in self._futures:
                    self._futures[following] = self._pool.submit(self._function, *self._arguments(following))
            future = self._futures[number]
            # Another thread may still be at the number before.
            self._futures = {known: kept for known, kept in self._futures.items() if known >= number - 1}
        return future.result()
