"""One model on several devices, each with a share of every batch."""

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import keras

from compgen_keras.errors import InputError, require_integer


@contextmanager
def data_parallel(devices: int) -> Iterator[None]:
    """Has a model that is built, compiled and trained inside share each batch among devices, through Keras's own distribution.

    That is `keras.distribution.DataParallel` on JAX and `tf.distribute.MirroredStrategy` on TensorFlow. The loss is the mean over the
    real tokens of the whole batch, as on one device, not the mean of the devices' means: without dropout, training differs by
    rounding alone. With dropout, devices draw masks of their own; and where a recipe clips gradients (the recurrent
    models), TensorFlow clips those of each device.

    Args:
        devices: how many, of the GPUs if there are any, otherwise of the CPU devices; 1 changes nothing. Batches must be divisible by it.

    Raises:
        ValueError: there are not so many devices, or the backend is neither JAX nor TensorFlow.

    Example:

    >>> with data_parallel(1):
    ...     model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    ...     model.compile("sgd", "mse")
    """
    if require_integer("devices", devices, 1) == 1:
        yield
    elif keras.config.backend() == "tensorflow":
        import tensorflow as tf

        names = [device.name for kind in ("GPU", "CPU") for device in tf.config.list_logical_devices(kind)]
        with _mirrored(tuple(_first(names, "GPU", devices))).scope():
            yield
    elif keras.config.backend() == "jax":
        names = [name for kind in ("gpu", "cpu") for name in _jax_devices(kind)]
        before = keras.distribution.distribution()
        keras.distribution.set_distribution(keras.distribution.DataParallel(devices=_first(names, "gpu", devices)))
        try:
            yield
        finally:
            keras.distribution.set_distribution(before)
    else:
        raise InputError(f"the backend is {keras.config.backend()}; expected tensorflow or jax for several devices.")


@cache
def _mirrored(names):
    """One strategy for the same devices: the reductions of two in one process would take each other's numbers."""
    import tensorflow as tf

    return tf.distribute.MirroredStrategy(list(names))


def _jax_devices(kind):
    try:
        return keras.distribution.list_devices(kind)
    except RuntimeError:
        return []


def _first(names, accelerator, devices):
    """So many devices of the better kind, of which there must be enough."""
    accelerators = [name for name in names if f"{accelerator}:" in name]
    there = accelerators or names
    if len(there) < devices:
        raise InputError(f"{devices} devices are asked for, there are {len(there)}: {', '.join(there)}; expected at most so many.")
    return there[:devices]


def shared_batches(batches):
    """Batches in a form that several devices can share.

    Under TensorFlow's `MirroredStrategy`, `fit` on a `PyDataset` looks at its first batch to build the model and then goes on behind
    whatever was fetched ahead. As a `tf.data.Dataset` the stream begins again at its first batch.

    Args:
        batches: `TrainingBatches`.

    Returns:
        What to give to `fit`: the batches themselves, or a `tf.data.Dataset` of them.

    Raises:
        ValueError: the batches cannot be divided by the number of devices.
    """
    devices = device_count()
    if batches.batch_size % devices:
        raise InputError(f"batches have {batches.batch_size} examples; expected a multiple of the {devices} devices.")
    if not is_mirrored():
        return batches
    import tensorflow as tf

    shapes = keras.tree.map_structure(lambda array: tf.TensorSpec((None,) * array.ndim, array.dtype), batches[0])
    return tf.data.Dataset.from_generator(lambda: (batches[index] for index in itertools.count()), output_signature=shapes)


def device_count() -> int:
    """How many devices share what is built here."""
    if is_mirrored():
        import tensorflow as tf

        return tf.distribute.get_strategy().num_replicas_in_sync
    distribution = keras.distribution.distribution()
    return 1 if distribution is None else distribution.device_mesh.devices.size


def is_mirrored() -> bool:
    """Whether TensorFlow has several copies of what is built here."""
    if keras.config.backend() != "tensorflow":
        return False
    import tensorflow as tf

    return tf.distribute.get_strategy().num_replicas_in_sync > 1
