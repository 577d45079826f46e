"""`python -m tests.benchmarks`: how fast this machine trains, decodes and makes data. A script to read, not a test.

Prints each figure as it is measured and writes all of them as JSON (`--output`, default runs/benchmarks.json).
"""

import argparse
import itertools
import platform
import time
from pathlib import Path

from compgen_keras.startup import start_quietly

start_quietly()

import keras
import numpy as np
from keras import ops

import compgen_keras as cg
from compgen_keras.experiments.files import write_json

TASK = "scan/length_generalization"


def best_of(times, work):
    """Seconds of the fastest of several runs, the first of which warms up."""
    work()
    seconds = []
    for _ in range(times):
        started = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - started)
    return min(seconds)


def peak_gflops(size=2048):
    """Floating-point operations a second of a large float32 matrix product, in 1e9."""
    a, b = (keras.random.normal((size, size)) for _ in range(2))
    return 2 * size**3 / best_of(5, lambda: ops.convert_to_numpy(ops.matmul(a, b))) / 1e9


def data_rate(count=40_960):
    """Encoded training examples a second."""
    bench = cg.benchmarks.load(TASK)
    codec = cg.data.Codec.for_benchmark(bench, separators=True)
    started = time.perf_counter()
    codec.encode_stream(bench, "train", 7, 0, count)
    return count / (time.perf_counter() - started)


def training_rate(size, steps):
    """Real target tokens a second of `fit`, after its first steps."""
    bench = cg.benchmarks.load(TASK)
    recipe = cg.training.find_recipe(size)
    model = cg.models.build("sep_to_last", bench, size=size)
    model.compile(**cg.training.recipe(size))

    def batches(first):
        return cg.data.TrainingBatches(bench, model.codec, batch_size=recipe.batch_size, window=steps, first_batch=first)

    model.fit(batches(0), steps_per_epoch=steps, verbose=0, shuffle=False)
    tokens = sum(np.count_nonzero(batches(steps)[index][1]) for index in range(steps))
    started = time.perf_counter()
    model.fit(batches(steps), steps_per_epoch=steps, verbose=0, shuffle=False)
    return tokens / (time.perf_counter() - started)


def decoding_seconds(model_path, commands):
    """Seconds to decode commands of 10 parts, compilation included; without a trained model, every program runs to the limit."""
    bench = cg.benchmarks.load("scan/iid", parts=(10, 10))
    model = cg.models.load(model_path) if model_path else cg.models.build("sep_to_last", bench, size="classroom")
    specs = [example.spec for example in itertools.islice(bench.examples("test"), commands)]
    started = time.perf_counter()
    programs = model.generate(specs)
    return time.perf_counter() - started, sum(map(len, programs))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=Path("runs/benchmarks.json"), help="where to write the figures")
    parser.add_argument("--model", help="a trained sep_to_last that reads 10 parts, such as runs/…/model.keras; default: untrained")
    parser.add_argument("--commands", type=int, default=1000, help="commands to decode (default 1000)")
    parser.add_argument("--steps", type=int, default=64, help="training steps to time (default 64)")
    options = parser.parse_args()
    figures = {"machine": platform.processor() or platform.machine(), "backend": keras.config.backend()}

    def show(name, value, unit):
        figures[name] = value
        print(f"{name:<44}{value:>12,.1f} {unit}", flush=True)

    show("peak, float32 matrix product", peak_gflops(), "GFLOP/s")
    show("SCAN encoded", data_rate(), "examples/s")
    seconds, tokens = decoding_seconds(options.model, options.commands)
    show(f"decoding {options.commands} commands of 10 parts", seconds, "s, compilation included")
    show("decoding", tokens / seconds, "tokens/s")
    for size in ("classroom", "paper"):
        show(f"training, {size} size", training_rate(size, options.steps), "real target tokens/s")
    write_json(options.output, figures)
    print(f"figures      {options.output}")


if __name__ == "__main__":
    main()
