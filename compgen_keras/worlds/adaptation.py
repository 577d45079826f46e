"""How fast a model learns a new world from a few trajectories, and what changes in it."""

import keras
import numpy as np
from keras import ops

from compgen_keras.benchmarks.randomness import RandomBlock
from compgen_keras.worlds.models import WorldModel
from compgen_keras.worlds.prediction_error import prediction_errors
from compgen_keras.worlds.training import compile_model, fit_arrays
from compgen_keras.worlds.trajectories import Trajectories

_BATCH_SIZE = 64
_LEARNING_RATE = 3e-3


def adapt(model: WorldModel, seen: Trajectories, control: Trajectories, measured: dict, numbers, steps: int) -> list[dict]:
    """Fine-tunes a trained model on the first n trajectories of a new world, and as a control on as many of training worlds.

    Each fine-tuning starts from the trained weights with a fresh optimizer and takes the same number of steps of the same size, whatever n
    is. In the end the model has its trained weights again.

    Args:
        model: a trained model.
        seen: trajectories of the new world.
        control: trajectories of training worlds.
        measured: trajectories whose rollout error is measured, by name.
        numbers: how many trajectories to give, such as (1, 2, 5, 10).
        steps: optimizer steps of a fine-tuning.

    Returns:
        A dict a fine-tuning: `"trajectories"`, 0 for none; `"source"`, `"new world"` or `"control"`; for each name the rollout error; and
        `"moved"`, by layer how far its weights went, as a share of their size.

    Reference: *Sample efficiency for adaptation* of the section *Measuring Systematic Generalization*.
    """
    trained = [np.array(weights) for weights in model.get_weights()]
    results = [{"trajectories": 0, "source": "new world", **_errors(model, measured), "moved": _moved(model, trained)}]
    compile_model(model, keras.optimizers.schedules.CosineDecay(_LEARNING_RATE, steps), steps)
    fresh = None
    for source, trajectories in (("new world", seen), ("control", control)):
        for number in numbers:
            model.optimizer.build(model.trainable_variables)
            fresh = fresh or [np.array(ops.convert_to_numpy(variable)) for variable in model.optimizer.variables]
            for variable, value in zip(model.optimizer.variables, fresh, strict=True):
                variable.assign(value)
            inputs, targets = fit_arrays(model, trajectories.select(np.arange(number)))
            rows = RandomBlock("worlds", "adaptation", number).integers(len(targets), (steps * _BATCH_SIZE,))
            batches = {name: array[rows] for name, array in inputs.items()}
            model.fit(batches, targets[rows], batch_size=_BATCH_SIZE, shuffle=False, verbose=0)
            results.append({"trajectories": number, "source": source, **_errors(model, measured), "moved": _moved(model, trained)})
            model.set_weights(trained)
    return results


def spread_over_worlds(trajectories: Trajectories) -> Trajectories:
    """The same trajectories, worlds taking turns: the first few are then of different worlds.

    Args:
        trajectories: as many of each world, world by world.
    """
    worlds = len(np.unique(trajectories.factors, axis=0))
    return trajectories.select(np.arange(len(trajectories)).reshape(worlds, -1).T.ravel())


def _errors(model, measured):
    return {name: prediction_errors(model, trajectories, model.scaling)["rollout"] for name, trajectories in measured.items()}


def _moved(model, trained):
    """By layer the norm of the weights' change over that of the weights."""
    before, change = {}, {}
    for variable, old in zip(model.weights, trained, strict=True):
        layer = "/".join(variable.path.split("/")[-3:-1])
        new = ops.convert_to_numpy(variable)
        before[layer] = before.get(layer, 0.0) + float(np.sum(old.astype("float64") ** 2))
        change[layer] = change.get(layer, 0.0) + float(np.sum((new - old).astype("float64") ** 2))
    return {layer: float(np.sqrt(change[layer] / before[layer])) for layer in before}
