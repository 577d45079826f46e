"""What TensorBoard's HParams dashboard compares runs by."""

from pathlib import Path

from compgen_keras.training.callbacks.summaries import Summaries


def log_hyperparameters(log_dir, hyperparameters: dict, name: str | None = None) -> None:
    """Writes a run's hyperparameters, once; the dashboard pairs them with all numbers under the same folder.

    Args:
        log_dir: TensorBoard's folder of the run.
        hyperparameters: names and values: booleans, numbers or strings.
        name: what to call the run; None: the folder's name.
    """
    import tensorflow as tf
    from tensorboard.plugins.hparams import api

    with tf.summary.create_file_writer(str(log_dir)).as_default():
        api.hparams(hyperparameters, trial_id=name or Path(log_dir).name)


def log_results(log_dir, results: dict[str, float]) -> None:
    """Writes a run's final numbers, which become columns of the dashboard.

    Args:
        log_dir: TensorBoard's folder of the run.
        results: names, such as `"zero_shot"`, and numbers.
    """
    summaries = Summaries(log_dir)
    for name, value in results.items():
        summaries.scalar(name, value, 0)
    summaries.flush()
