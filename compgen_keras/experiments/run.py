"""One run from config to results: train, evaluate, fine-tune. What the command line calls."""

import contextlib
import sys
import time

import keras
import keras_hub

from compgen_keras import __version__, benchmarks, data, evaluation, models, training
from compgen_keras.device import has_accelerator, jit_compile_by_device, make_deterministic
from compgen_keras.errors import InputError
from compgen_keras.experiments.files import write_json, write_whole
from compgen_keras.experiments.run_folder import RunFolder

STEPS_PER_EPOCH = 250
EVALUATION_SEED = 0
"""The stream of the test, validation and few-shot splits that every model is measured on."""

_SPLIT_OF_SETTING = {
    "in_distribution": "valid",
    "zero_shot": "test",
    "few_shot": "test",
    "few_shot_in_distribution": "valid",
}


def train_run(
    benchmark: str,
    variant: str,
    run_dir,
    size: str = "classroom",
    seed: int = 0,
    steps: int | None = None,
    batch_size: int | None = None,
    deterministic: bool = False,
    precision: str = "float32",
) -> RunFolder:
    """Trains a model and keeps it in a new run folder.

    Args:
        benchmark: a benchmark's name.
        variant: a model's name.
        run_dir: the folder to make.
        size: `"classroom"` or `"paper"`.
        seed: of the initial weights, dropout and the training stream.
        steps: optimizer steps; None: the recipe's.
        batch_size: examples a batch; None: the recipe's.
        deterministic: have the backend use deterministic operations, so that the same seed gives the same weights.
        precision: a Keras dtype policy, such as `"mixed_bfloat16"`.

    Returns:
        The `RunFolder`.

    Raises:
        ValueError: an unknown name, a number out of range, or a run folder that exists. Nothing is written then.
    """
    bench = benchmarks.load(benchmark)
    recipe = training.find_recipe(size, steps=steps, batch_size=batch_size)
    if not isinstance(seed, int) or seed < 0:
        raise InputError(f"seed is {seed!r}; expected an integer from 0.")
    keras.utils.set_random_seed(seed)
    if deterministic:
        make_deterministic(seed)
    model = models.build(variant, bench, size=size, dtype=_checked_precision(precision))
    folder = RunFolder.create(run_dir)
    write_json(
        folder.config_path,
        {
            "benchmark": benchmark,
            "variant": variant,
            "size": size,
            "seed": seed,
            "steps": recipe.steps,
            "batch_size": recipe.batch_size,
            "deterministic": deterministic,
            "precision": precision,
            "parameters": model.count_params(),
            "backend": keras.config.backend(),
            "accelerator": has_accelerator(),
            "versions": {"compgen_keras": __version__, "keras": keras.__version__, "keras_hub": keras_hub.__version__},
        },
    )
    model.compile(**training.recipe(size, steps=recipe.steps))
    batches = data.TrainingBatches(
        bench,
        model.codec,
        batch_size=recipe.batch_size,
        seed=seed,
        lengths=data.XLA_LENGTHS if jit_compile_by_device() else None,
    )
    started = time.perf_counter()
    history = fit_for_steps(
        model, batches, recipe.steps, callbacks=[keras.callbacks.TensorBoard(folder.tensorboard_path, write_graph=False)]
    )
    seconds = time.perf_counter() - started
    write_whole(folder.model_path, lambda temporary: model.save(temporary))
    write_json(
        folder.training_path,
        {
            "steps": recipe.steps,
            "seconds": round(seconds, 1),
            "history": {name: [float(value) for value in values] for name, values in history.items()},
        },
    )
    return folder


def fit_for_steps(model, batches, steps: int, callbacks=()) -> dict:
    """Calls `fit` for a number of steps, in epochs of at most 250 that divide it evenly as far as possible.

    Returns:
        The history, a list of values for each metric.
    """
    epochs = -(-steps // STEPS_PER_EPOCH)
    return model.fit(
        batches,
        epochs=epochs,
        steps_per_epoch=-(-steps // epochs),
        shuffle=False,
        verbose=_verbosity(),
        callbacks=list(callbacks),
    ).history


def evaluate_run(folder: RunFolder, settings, examples: int = 1000) -> dict[str, evaluation.Evaluation]:
    """Evaluates a run's models and keeps the results in its folder.

    Args:
        folder: the run.
        settings: of `SETTINGS`; the few-shot ones need `fine_tune_run` first.
        examples: number of examples of each.

    Returns:
        An `Evaluation` for each setting.

    Raises:
        ValueError: a model file is missing or damaged, or is not what the run's config says.
    """
    config = folder.config
    bench = benchmarks.load(config["benchmark"])
    results, loaded = {}, {}
    for setting in settings:
        path = folder.few_shot_model_path if setting.startswith("few_shot") else folder.model_path
        if path not in loaded:
            loaded[path] = models.load(path, variant=config["variant"], benchmark=config["benchmark"])
        started = time.perf_counter()
        result = evaluation.evaluate(loaded[path], bench, split=_SPLIT_OF_SETTING[setting], n=examples, seed=EVALUATION_SEED)
        folder.write_evaluation(setting, result, seconds=round(time.perf_counter() - started, 1))
        results[setting] = result
    return results


def fine_tune_run(folder: RunFolder) -> None:
    """Fine-tunes a run's model on the few-shot batch and keeps the result beside it."""
    config = folder.config
    bench = benchmarks.load(config["benchmark"])
    model = models.load(folder.model_path, variant=config["variant"], benchmark=config["benchmark"])
    keras.utils.set_random_seed(config["seed"])
    callback = keras.callbacks.TensorBoard(folder.tensorboard_path / "few_shot", write_graph=False)
    training.fine_tune(model, bench, seed=EVALUATION_SEED, callbacks=[callback], verbose=_verbosity() if _verbosity() == 1 else 0)
    write_whole(folder.few_shot_model_path, lambda temporary: model.save(temporary))


def _verbosity():
    """A progress bar on a terminal, a line an epoch elsewhere."""
    return 1 if sys.stdout.isatty() else 2


def _checked_precision(precision):
    with contextlib.suppress(ValueError, TypeError):
        return keras.dtype_policies.get(precision).name
    raise InputError(f"precision is {precision!r}; expected float32, mixed_bfloat16 or mixed_float16.")
