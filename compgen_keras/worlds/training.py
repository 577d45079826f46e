"""How a model of worlds is trained."""

import keras
import numpy as np

from compgen_keras.device import jit_compile_by_device
from compgen_keras.errors import require_integer
from compgen_keras.worlds.models import MODELS, WorldModel, check_model_names
from compgen_keras.worlds.scaling import Scaling
from compgen_keras.worlds.trajectories import Trajectories

BATCH_SIZE = 256
LEARNING_RATE = 2e-2


def train_model(name: str, training: Trajectories, steps: int = 3_000, seed: int = 0, log_dir=None) -> WorldModel:
    """Builds a model and fits it to single steps of trajectories.

    Adam with a cosine decay to zero; the loss is the mean squared error of the scaled change of state. Sizes, rate and steps were chosen
    on fresh trajectories of training worlds.

    Args:
        name: one of `MODELS`.
        training: trajectories of training worlds.
        steps: optimizer steps, about; whole epochs are trained.
        seed: of weights and of the order of batches.
        log_dir: a folder for TensorBoard; None: no logs.

    Returns:
        The trained model.

    Raises:
        ValueError: an unknown name, steps not an integer from 1, or a negative seed.

    Example:

    >>> from compgen_keras.worlds.trajectories import draw_trajectories
    >>> model = train_model("factored", draw_trajectories("example", [(0, 0), (1, 1)], count=4), steps=3)

    Reference: the worked example of the section *Measuring Systematic Generalization*.
    """
    check_model_names([name])
    require_integer("steps", steps, 1)
    keras.utils.set_random_seed(require_integer("seed", seed, 0))
    model = MODELS[name](Scaling.of(training))
    inputs, targets = fit_arrays(model, training)
    batches = -(-len(targets) // BATCH_SIZE)
    epochs = max(1, round(steps / batches))
    compile_model(model, keras.optimizers.schedules.CosineDecay(LEARNING_RATE, epochs * batches), batches)
    logs = [keras.callbacks.TensorBoard(str(log_dir), write_graph=False)] if log_dir else []
    model.fit(inputs, targets, batch_size=BATCH_SIZE, epochs=epochs, callbacks=logs, verbose=0)
    return model


def compile_model(model: WorldModel, learning_rate, steps_per_execution: int) -> None:
    """Compiles a model for `fit`: Adam and the mean squared error.

    Args:
        model: the model.
        learning_rate: a number or a schedule.
        steps_per_execution: optimizer steps that run without going back to Python, most of the time of such small networks.
    """
    model.compile(
        optimizer=keras.optimizers.Adam(learning_rate),
        loss="mse",
        steps_per_execution=steps_per_execution,
        jit_compile=jit_compile_by_device(),
    )


def fit_arrays(model: WorldModel, trajectories: Trajectories) -> tuple[dict, np.ndarray]:
    """Inputs and targets for `fit`: single steps, and the scaled change of state in each.

    Args:
        model: its scaling is used.
        trajectories: the trajectories.
    """
    inputs, after = trajectories.transitions()
    return inputs, (after - inputs["state"]) / np.array(model.scaling.change, dtype="float32")
