"""How the backend starts: its threads, and what it prints. Nothing is imported before the settings are made."""

import contextlib
import os


def choose_threads(size: str = "classroom") -> None:
    """Sets TensorFlow up for a few cores: for small matrices several operations at once rather than several threads in one.

    Works through environment variables and only before TensorFlow is first imported; values that are set already are kept.
    On two cores a training step at classroom size takes about a third less time with one thread an operation, at the paper's size about
    a sixth less with two. Does nothing on more than four cores.

    Args:
        size: the size of the model that is trained.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if cores <= 4:
        threads = cores if size == "paper" else max(1, cores // 2)
        os.environ.setdefault("TF_NUM_INTRAOP_THREADS", str(threads))
        os.environ.setdefault("TF_NUM_INTEROP_THREADS", str(cores))
    os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "1")


def start_quietly(size: str = "classroom", devices: bool = True) -> None:
    """Sets threads and imports the backend without the lines that TensorFlow's native code prints as it looks for devices.

    Args:
        size: the size of the model that is trained.
        devices: have TensorFlow look for its devices now; it takes hold of the memory of every GPU then.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    choose_threads(size)
    with _native_errors_hidden():
        import keras

        if devices and keras.config.backend() == "tensorflow":
            import tensorflow as tf

            tf.config.list_logical_devices()


@contextlib.contextmanager
def _native_errors_hidden():
    """Sends what is written to the process's standard error to nowhere, whoever writes it."""
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)
