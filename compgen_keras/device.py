"""Choices that depend on the machine: compilation and deterministic operations."""

import keras

from compgen_keras.errors import InputError


def has_accelerator() -> bool:
    """Whether the Keras backend sees a GPU or TPU."""
    if keras.config.backend() == "tensorflow":
        import tensorflow as tf

        return bool(tf.config.list_physical_devices("GPU") or tf.config.list_physical_devices("TPU"))
    if keras.config.backend() == "jax":
        import jax

        return jax.default_backend() != "cpu"
    return False


def jit_compile_by_device() -> bool:
    """Whether `compile` should use XLA: always on JAX, on TensorFlow with an accelerator.

    TensorFlow's graph mode trains these models faster than XLA on a CPU, where XLA also compiles anew for each new shape.
    """
    return keras.config.backend() == "jax" or has_accelerator()


def mean_over_replicas(value):
    """The mean of a value over the replicas that share a batch under TensorFlow's `MirroredStrategy`; elsewhere the value itself.

    Args:
        value: a tensor.
    """
    if keras.config.backend() == "tensorflow":
        import tensorflow as tf

        context = tf.distribute.get_replica_context()
        if context is not None and context.num_replicas_in_sync > 1:
            return context.all_reduce(tf.distribute.ReduceOp.MEAN, value)
    return value


def make_deterministic() -> None:
    """Has TensorFlow use deterministic operations, at some cost in time; JAX on a CPU is deterministic as it is.

    Raises:
        ValueError: the backend is neither TensorFlow nor JAX.
    """
    if keras.config.backend() == "tensorflow":
        import tensorflow as tf

        tf.config.experimental.enable_op_determinism()
    elif keras.config.backend() != "jax":
        raise InputError(f"the backend is {keras.config.backend()}; expected tensorflow or jax for deterministic operations.")
