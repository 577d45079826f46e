"""One run from config to results: train, evaluate, fine-tune. What the command line calls."""

import sys
import time

import keras
import keras_hub

from compgen_keras import __version__, benchmarks, data, evaluation, models, training
from compgen_keras.device import has_accelerator, jit_compile_by_device, make_deterministic
from compgen_keras.errors import InputError, require_integer
from compgen_keras.experiments.run_folder import RunFolder
from compgen_keras.files import write_json, write_whole

PRECISIONS = ("float32", "mixed_bfloat16", "mixed_float16")
TEST_SEED = 0
"""The stream of the test and few-shot splits that every model is measured on."""
VALIDATION_SEED = 2
"""The stream of the validation split that every model is measured on; streams 0 and 1 served to choose the classroom recipe."""

_STREAM_OF_SETTING = {
    "in_distribution": ("valid", VALIDATION_SEED),
    "zero_shot": ("test", TEST_SEED),
    "few_shot": ("test", TEST_SEED),
    "few_shot_in_distribution": ("valid", VALIDATION_SEED),
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
    processes: int = 0,
    watch: int = 10,
    options: dict | None = None,
    resume: bool = False,
    devices: int = 1,
    architecture: dict | None = None,
) -> RunFolder:
    """Trains a model and keeps it in a new run folder.

    After each epoch a checkpoint is kept, from which an interrupted training can go on, see `resume`.

    Args:
        benchmark: a benchmark's name.
        variant: a model's name.
        run_dir: the folder to make.
        size: `"classroom"`, `"paper"` or `"cogs"`.
        seed: of the initial weights, dropout and the training stream.
        steps: optimizer steps; None: the recipe's.
        batch_size: examples a batch; None: the recipe's.
        deterministic: have the backend use deterministic operations, so that the same seed gives the same weights.
        precision: a Keras dtype policy, such as `"mixed_bfloat16"`.
        processes: worker processes that draw examples, see `TrainingBatches`.
        watch: every how many epochs (of 250 steps; for size `"cogs"` 500, of four batches each) TensorBoard is shown accuracies, programs
            and attention, see `compgen_keras.training.callbacks`; 0: never.
        options: the benchmark's, see `compgen_keras.benchmarks.load`.
        resume: go on with what the same call began in the same folder, from its last checkpoint; the outcome is that of an undisturbed
            training, if operations are deterministic. A folder that is not there is made, a training that is finished is left alone.
        devices: how many devices of this machine share each batch, see `compgen_keras.training.data_parallel`.
        architecture: numbers that replace the size's own, such as `{"dropout": 0.1, "num_layers": 1}`.

    Returns:
        The `RunFolder`.

    Raises:
        ValueError: an unknown name, a number out of range, a run folder that exists and is not to be resumed, one that holds another
            training, or a damaged checkpoint. Nothing is written then.
    """
    check_training(benchmark, variant, size, seed, steps, batch_size, precision, processes, watch, options, architecture)
    bench = benchmarks.load(benchmark, **(options or {}))
    recipe = training.find_recipe(size, steps=steps, batch_size=batch_size, variant=variant)
    if recipe.batch_size % require_integer("devices", devices, 1):
        raise InputError(f"batches have {recipe.batch_size} examples; expected a multiple of the {devices} devices that share them.")
    if deterministic:
        make_deterministic()
    keras.utils.set_random_seed(seed)
    with training.data_parallel(devices):
        model = models.build(variant, bench, size=size, dtype=precision, **(architecture or {}))
        config = {
            "benchmark": benchmark,
            **({"options": options} if options else {}),
            "variant": variant,
            "size": size,
            **({"architecture": architecture} if architecture else {}),
            "seed": seed,
            "steps": recipe.steps,
            "batch_size": recipe.batch_size,
            "deterministic": deterministic,
            "precision": precision,
            **({"devices": devices} if devices > 1 else {}),
            "parameters": model.count_params(),
            "backend": keras.config.backend(),
            "accelerator": has_accelerator(),
            "versions": {"compgen_keras": __version__, "keras": keras.__version__, "keras_hub": keras_hub.__version__},
        }
        folder = RunFolder.take_up(run_dir, config) if resume else RunFolder.create(run_dir)
        if folder.training is not None:
            return folder
        if not folder.config_path.is_file():
            write_json(folder.config_path, config)
        model.compile(**training.recipe(size, steps=recipe.steps, variant=variant))

        def batches_from(first_batch):
            lengths = data.XLA_LENGTHS if jit_compile_by_device() else None
            options = {
                "batch_size": recipe.batch_size,
                "seed": seed,
                "first_batch": first_batch,
                "lengths": lengths,
                "processes": processes,
            }
            restarts = recipe.epoch_steps * recipe.batches_per_step
            return training.shared_batches(data.TrainingBatches(bench, model.codec, restarts=restarts, **options))

        callbacks = _callbacks(folder, bench, watch, recipe, attends=isinstance(model, models.EncoderDecoder))
        stopping = next((each for each in callbacks if isinstance(each, keras.callbacks.EarlyStopping)), None)
        checkpoint = training.callbacks.Checkpoint(folder.checkpoint_path, stopping)
        if checkpoint.restore(model):
            print(f"{folder.path}: going on after epoch {checkpoint.epochs}", flush=True)
        started = time.perf_counter() - checkpoint.seconds
        validation = None if recipe.patience is None else _validation(bench, model, recipe)
        if not checkpoint.stopped:
            fit_for_steps(model, batches_from, recipe, [*callbacks, checkpoint], validation, first_epoch=checkpoint.epochs)
        seconds = time.perf_counter() - started
        write_whole(folder.model_path, lambda temporary: model.save(temporary))
        write_json(
            folder.training_path,
            {
                "steps": int(keras.ops.convert_to_numpy(model.optimizer.iterations)),
                "seconds": round(seconds, 1),
                "history": checkpoint.history,
            },
        )
        folder.checkpoint_path.unlink(missing_ok=True)
        return folder


def _callbacks(folder, bench, watch, recipe, attends):
    log_dir = folder.tensorboard_path
    config = folder.config
    chosen = {name: config[name] for name in ("benchmark", "variant", "size", "seed", "steps", "batch_size", "precision", "backend")}
    variant = models.VARIANTS.get(config["variant"], models.Variant("", False, False, mask="none"))
    masks = {"relative_attention": variant.relative_attention, "separators": variant.separators, "mask": variant.mask}
    training.callbacks.log_hyperparameters(log_dir, {**chosen, **masks}, name=folder.path.name)
    watchers = []
    if watch:
        # Early stopping ends a training sooner.
        last_epoch = -(-config["steps"] // recipe.epoch_steps) if recipe.patience is None else None
        watchers = [training.callbacks.Generalization(bench, log_dir, every=watch, last_epoch=last_epoch)]
        if attends:
            watchers.append(training.callbacks.AttentionPictures(bench, log_dir, watch, last_epoch))
    if recipe.patience is not None:
        watchers.append(keras.callbacks.EarlyStopping("val_loss", patience=recipe.patience, restore_best_weights=True, verbose=1))
    return [training.callbacks.TokenRate(), *watchers, keras.callbacks.TensorBoard(log_dir, write_graph=False)]


def check_training(
    benchmark,
    variant,
    size="classroom",
    seed=0,
    steps=None,
    batch_size=None,
    precision="float32",
    processes=0,
    watch=10,
    options=None,
    architecture=None,
) -> None:
    """Raises a ValueError if `train_run` could not run with these arguments."""
    bench = benchmarks.load(benchmark, **(options or {}))
    models.check_names(variant, size)
    models.check_reads(variant, bench)
    models.check_architecture(variant, size, architecture or {})
    training.find_recipe(size, steps=steps, batch_size=batch_size, variant=variant)
    require_integer("seed", seed, 0, most=2**32 - 1)
    require_integer("processes", processes, 0)
    require_integer("watch", watch, 0)
    if precision not in PRECISIONS:
        raise InputError(f"precision is {precision!r}; expected one of {', '.join(PRECISIONS)}.")


def _validation(bench, model, recipe):
    """The validation split's first stream, which nothing is reported on, in as many batches as hold it once."""
    count = -(-bench.sizes["valid"] // recipe.batch_size)
    return data.TrainingBatches(bench, model.codec, recipe.batch_size, split="valid", seed=0, window=count, batches=count)


def fit_for_steps(model, batches_from, recipe: training.Recipe, callbacks, validation=None, first_epoch: int = 0) -> None:
    """Calls `fit` for the recipe's number of steps: whole epochs, and a shorter last one for what is left.

    The shorter epoch is a call of its own, except where the recipe stops early: a second call would forget which epoch was the best.

    Args:
        model: a compiled model.
        batches_from: called with the number of the first batch, returns the batches from there on.
        recipe: the recipe.
        callbacks: passed on to `fit`; one of them may stop the training.
        validation: passed on to `fit` as its validation data.
        first_epoch: how many epochs are done already.
    """
    whole, rest = divmod(recipe.steps, recipe.epoch_steps)
    calls = ((0, whole, recipe.epoch_steps), (whole, whole + 1, rest))
    left = recipe.steps - first_epoch * recipe.epoch_steps
    if recipe.patience is not None and rest and left > 0:
        callbacks = [training.callbacks.StopAfter(left * recipe.batches_per_step), *callbacks]
        calls = ((0, whole + 1, recipe.epoch_steps),)
    begun = False
    for start, last, length in calls:
        first = max(start, first_epoch)
        if first < last and length and not (begun and model.stop_training):
            begun = True
            model.fit(
                batches_from(first * recipe.epoch_steps * recipe.batches_per_step),
                initial_epoch=first,
                epochs=last,
                steps_per_epoch=length * recipe.batches_per_step,
                shuffle=False,
                verbose=_verbosity(),
                callbacks=callbacks,
                validation_data=validation,
            )


def evaluate_run(folder: RunFolder, settings, examples: int | None = 1000, beams: int = 1) -> dict[str, evaluation.Evaluation]:
    """Evaluates a run's models and keeps the results in its folder.

    Args:
        folder: the run.
        settings: of `SETTINGS`; the few-shot ones need `fine_tune_run` first.
        examples: number of examples of each; None: as many as each split has, see `Benchmark.sizes`.
        beams: width of a beam search that is graded beside greedy decoding, by whether any of its beams is right; 1: none.

    Returns:
        An `Evaluation` by greedy decoding for each setting.

    Raises:
        ValueError: a model file is missing or damaged, is not what the run's config says, or `beams` is no integer from 1.
    """
    config, bench = folder.config, folder.benchmark
    beams = require_integer("beams", beams, 1)
    results, loaded = {}, {}
    for setting in settings:
        path = folder.few_shot_model_path if setting.startswith("few_shot") else folder.model_path
        if path not in loaded:
            loaded[path] = models.load(path, variant=config["variant"], benchmark=config["benchmark"])
        started = time.perf_counter()
        split, stream = _STREAM_OF_SETTING[setting]
        count = bench.sizes[split] if examples is None else examples
        result = evaluation.evaluate(loaded[path], bench, split=split, n=count, seed=stream)
        details = {"seconds": round(time.perf_counter() - started, 1)}
        if beams > 1:
            sampler = keras_hub.samplers.BeamSampler(num_beams=beams, return_all_beams=True)
            searched = evaluation.evaluate(loaded[path], bench, split=split, n=count, seed=stream, sampler=sampler)
            details["beam_search"] = searched.summary()["beam_search"]
        folder.write_evaluation(setting, result, **details)
        training.callbacks.log_results(folder.tensorboard_path, {setting: result.accuracy})
        results[setting] = result
    return results


def fine_tune_run(folder: RunFolder) -> None:
    """Fine-tunes a run's model on the few-shot batch and keeps the result beside it."""
    config, bench = folder.config, folder.benchmark
    if config.get("deterministic"):
        make_deterministic()
    # Dropout draws the seeds of its generators when a model is made.
    keras.utils.set_random_seed(config["seed"])
    model = models.load(folder.model_path, variant=config["variant"], benchmark=config["benchmark"])
    callback = keras.callbacks.TensorBoard(folder.tensorboard_path / "few_shot", write_graph=False)
    training.fine_tune(model, bench, seed=TEST_SEED, callbacks=[callback], verbose=1 if _verbosity() == 1 else 0)
    write_whole(folder.few_shot_model_path, lambda temporary: model.save(temporary))


def _verbosity():
    """A progress bar on a terminal, a line an epoch elsewhere."""
    return 1 if sys.stdout.isatty() else 2
