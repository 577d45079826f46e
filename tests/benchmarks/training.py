"""Training throughput: against fully padded batches, as a share of the machine's peak, and the input's share of a step."""

import time

import keras
import numpy as np

import compgen_keras as cg
from tests.benchmarks.measure import operation_seconds, peak_flops, training_flops

TASK = "scan/length_generalization"


class Recorded(keras.utils.PyDataset):
    """Batches made beforehand, over and over."""

    def __init__(self, batches):
        super().__init__()
        self.batches = batches

    @property
    def num_batches(self):
        return None

    def __getitem__(self, index):
        return self.batches[index % len(self.batches)]


def seconds_a_step(model, batches):
    """Of `fit` over these batches once, after a first time."""
    for _ in range(2):
        started = time.perf_counter()
        model.fit(Recorded(batches), steps_per_epoch=len(batches), verbose=0, shuffle=False)
        seconds = time.perf_counter() - started
    return seconds / len(batches)


def measure(show, size, steps=64):
    """Shows the figures of a size."""
    bench = cg.benchmarks.load(TASK)
    recipe = cg.training.find_recipe(size)
    model = cg.models.build("sep_to_last", bench, size=size)
    model.compile(**cg.training.recipe(size))
    stream = cg.data.TrainingBatches(bench, model.codec, batch_size=recipe.batch_size, window=steps)
    cut = [stream[index] for index in range(steps)]
    # The longest example that training can draw: 6 parts.
    longest = cg.data.TrainingBatches(bench, model.codec, batch_size=recipe.batch_size, window=steps, lengths=(152,))
    few = max(4, steps // 8)
    padded = [_with_short_specs(longest[index]) for index in range(few)]
    tokens = sum(np.count_nonzero(targets) for _, targets in cut)
    flops = sum(training_flops(model, len(targets), x["spec"].shape[1], targets.shape[1]) for x, targets in cut) / steps
    # The machine's speed swings from minute to minute, so that its peak is taken on both sides of what is compared with it.
    peaks = [peak_flops()]
    seconds = seconds_a_step(model, cut)
    peaks.append(peak_flops())
    peak = sum(peaks) / len(peaks)
    rate = tokens / steps / seconds
    padded_rate = sum(np.count_nonzero(targets) for _, targets in padded) / few / seconds_a_step(model, padded)
    show(f"peak, float32 matrix product, before and after training, {size}", peak / 1e9, "GFLOP/s")
    show(f"training, {size}: one step", seconds * 1000, "ms")
    show(f"training, {size}: real target tokens", rate, "tokens/s")
    show(f"training, {size}: against padding to the longest", rate / padded_rate, "times")
    show(f"training, {size}: share of the peak", 100 * flops / seconds / peak, "%")
    if keras.config.backend() == "tensorflow" and size == "classroom":
        show("input: share of a step", 100 * input_share(model, stream, steps), "%")


def _with_short_specs(batch):
    """The longest command has 29 words, so that padding it to the length of programs would be unfair."""
    inputs, targets = batch
    return {**inputs, "spec": inputs["spec"][:, :32]}, targets


def input_share(model, stream, steps):
    """Of the profiled time of `fit`, what making the batches takes."""
    started = time.perf_counter()
    seconds = operation_seconds(lambda: model.fit(stream, steps_per_epoch=steps, verbose=0, shuffle=False))
    whole = time.perf_counter() - started
    made = sum(value for name, value in seconds.items() if name.split(":")[-1] == "PyFunc")
    return made / whole
