"""How far the weights of each layer have moved."""

from collections.abc import Sequence

import numpy as np
from keras import ops


def copied_weights(model) -> list[np.ndarray]:
    """A copy of a model's weights, in the order of `model.weights`."""
    return [np.array(ops.convert_to_numpy(ops.cast(variable, "float32"))) for variable in model.weights]


def weight_movement(model, before: Sequence[np.ndarray]) -> dict[str, float | None]:
    """By layer, how far its weights are from what they were, as a share of their size.

    Args:
        model: the model.
        before: its weights before, from `copied_weights`.

    Returns:
        For each layer that has weights, by its path such as `"decoder_block_0/self_attention"`, the L2 norm of the change over the L2 norm
        of the weights before, all weights of the layer taken together; None if the layer moved and was all zeros before.

    Example:

    >>> import keras, numpy
    >>> model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1, use_bias=False, kernel_initializer="ones", name="last")])
    >>> before = copied_weights(model)
    >>> model.set_weights([numpy.array([[1.0], [0.0]])])
    >>> round(weight_movement(model, before)["last"], 4)  # 1 / sqrt(2)
    0.7071

    Reference: *Sample efficiency for adaptation* of the section *Measuring Systematic Generalization*: track which parameters change.
    """
    sizes, changes = {}, {}
    for variable, old, new in zip(model.weights, before, copied_weights(model), strict=True):
        layer = _layer(variable)
        sizes[layer] = sizes.get(layer, 0.0) + _squares(old)
        changes[layer] = changes.get(layer, 0.0) + _squares(new.astype("float64") - old)
    return {layer: _ratio(changes[layer], sizes[layer]) for layer in sizes}


def _layer(variable):
    """The path of the variable's layer, without the model's own name, which stands first, if there is more."""
    *layers, _ = variable.path.split("/")
    return "/".join(layers[1:] or layers)


def _squares(array):
    return float(np.sum(np.square(array, dtype="float64")))


def _ratio(change, size):
    if size:
        return float(np.sqrt(change / size))
    return None if change else 0.0
