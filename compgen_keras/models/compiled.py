"""Functions of a model's variables and of tensors, compiled once for each model and kept with it."""

import keras
import numpy as np
from keras import ops, tree

from compgen_keras.device import jit_compile_by_device


def compiled(model, key, make):
    """The compiled form of a function.

    Args:
        model: the model whose variables the function reads.
        key: what to keep it by.
        make: called without arguments for the function where none is kept yet. The function takes nested structures of arrays and
            returns such a structure, by backend operations alone. On TensorFlow all sizes may differ from call to call, but for
            the second and the last of arrays of four dimensions (heads, head size).

    Returns:
        The compiled function.
    """
    kept = model.__dict__.setdefault("_compiled_functions", {})
    if key not in kept:
        kept[key] = _compile(model, make())
    return kept[key]


def batch_size(arrays):
    """How many rows a structure of arrays has."""
    return len(tree.flatten(arrays)[0])


def filled_up(arrays, at_most):
    """A structure of arrays with the last row repeated until there are a power of two, or `at_most`.

    That leaves few numbers, each of which costs a compilation with XLA.
    """
    rows = batch_size(arrays)
    wanted = max(rows, min(at_most, 1 << (rows - 1).bit_length()))
    return tree.map_structure(lambda array: np.concatenate([array, np.repeat(array[-1:], wanted - rows, axis=0)]), arrays)


def _compile(model, function):
    backend = keras.config.backend()
    if backend == "tensorflow":
        return _compile_for_tensorflow(function)
    if backend == "jax":
        import jax

        @jax.jit
        def pure(variables, arguments):
            with keras.StatelessScope(state_mapping=zip(model.variables, variables, strict=True)):
                return function(*arguments)

        return lambda *arguments: pure([variable.value for variable in model.variables], arguments)
    return lambda *arguments: function(*tree.map_structure(ops.convert_to_tensor, arguments))


def _compile_for_tensorflow(function):
    import tensorflow as tf

    traced = []

    def specification(tensor):
        # Keys and values (batch, heads, places, head size) have two sizes that are the model's.
        shape = [None, tensor.shape[1], None, tensor.shape[3]] if len(tensor.shape) == 4 else [None] * len(tensor.shape)
        return tf.TensorSpec(shape, tensor.dtype)

    def call(*arguments):
        arguments = tree.map_structure(tf.convert_to_tensor, arguments)
        if not traced:
            signature = tree.map_structure(specification, arguments)
            traced.append(tf.function(function, signature, jit_compile=jit_compile_by_device()))
        return traced[0](*arguments)

    return call
