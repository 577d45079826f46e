"""Trains one model on one device and on two, and prints both histories as JSON: what the test of data parallelism runs.

In a process of its own, since virtual devices must be there before the backend starts.
"""

import json
import tempfile

import keras

from compgen_keras import benchmarks, data, models, training
from compgen_keras.experiments import train_run
from compgen_keras.training.recipe import compile_arguments


def make_two_devices():
    """Makes TensorFlow see this processor as two devices; JAX does by an environment variable, which the test sets."""
    if keras.config.backend() == "tensorflow":
        import tensorflow as tf

        cpu = tf.config.list_physical_devices("CPU")[0]
        tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)


def train(devices, label_smoothing):
    """The losses of each step, the accuracies, and the sum of all weights at the end."""
    bench = benchmarks.load("scan/iid", parts=(1, 4))
    keras.utils.set_random_seed(3)
    with training.data_parallel(devices):
        model = models.build("sep_to_last", bench, num_layers=1, num_heads=2, embedding_dim=16, feed_forward_dim=16, dropout=0.0)
        model.compile(**compile_arguments(keras.optimizers.SGD(0.5), label_smoothing))
        batches = data.TrainingBatches(bench, model.codec, batch_size=8, seed=3)
        history = model.fit(training.shared_batches(batches), epochs=6, steps_per_epoch=1, shuffle=False, verbose=0).history
    return {**history, "weights": [float(keras.ops.sum(keras.ops.abs(weight))) for weight in model.trainable_weights]}


def train_with_the_recipe(devices):
    """The losses of what `compgen-keras train --devices` calls, with its recipe, callbacks, checkpoint and files."""
    with tempfile.TemporaryDirectory() as folder:
        run = train_run("scan/iid", "sep_to_last", f"{folder}/run", steps=2, batch_size=8, watch=0, devices=devices)
        return run.training["history"]


if __name__ == "__main__":
    make_two_devices()
    found = {smoothing: {devices: train(devices, smoothing) for devices in (1, 2)} for smoothing in (0.0, 0.1)}
    found["recipe"] = train_with_the_recipe(2)
    print(json.dumps(found))
