"""`python -m tests.benchmarks`: how fast this machine trains, decodes and makes data. A script to read, not a test.

Prints each figure as it is measured and writes all of them as JSON (`--output`, default runs/benchmarks.json).
"""

import argparse
import json
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SIZE = "paper" if "paper" in sys.argv else "classroom"

from compgen_keras.startup import start_quietly

start_quietly(SIZE)

import keras

import compgen_keras as cg
from compgen_keras.files import write_json
from tests.benchmarks import decoding, process, training, xla


def data_rate(task, windows, processes=0):
    """Encoded training examples a second, through the batches that `fit` reads."""
    bench = cg.benchmarks.load(task)
    codec = cg.data.Codec.for_benchmark(bench, separators=True)
    batches = cg.data.TrainingBatches(bench, codec, batch_size=128, window=16, seed=7, processes=processes)
    # The first windows start the worker processes and fill what the domain remembers.
    before = 2 + processes
    for window in range(before):
        batches[16 * window]
    started = time.perf_counter()
    for index in range(16 * before, 16 * (before + windows)):
        batches[index]
    return windows * 16 * 128 / (time.perf_counter() - started)


def in_a_process_of_its_own(*arguments):
    """The figures of this script with other arguments."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "figures.json"
        subprocess.run([sys.executable, "-m", "tests.benchmarks", *map(str, arguments), "--output", str(output)], check=True)
        return json.loads(output.read_text())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=Path("runs/benchmarks.json"), help="where to write the figures")
    parser.add_argument("--model", help="a sep_to_last trained on scan/length_generalization (model.keras); default: untrained")
    parser.add_argument("--commands", type=int, default=1000, help="commands to decode (default 1000)")
    parser.add_argument("--steps", type=int, default=64, help="training steps to time (default 64)")
    parser.add_argument("--only", nargs="+", choices=("data", "process", "decoding", "training", "xla"), help="measure these alone")
    parser.add_argument("--size", choices=("classroom", "paper"), help="train this size alone (default: both)")
    options = parser.parse_args()
    figures = {"machine": platform.processor() or platform.machine(), "backend": keras.config.backend()}

    def show(name, value, unit):
        figures[f"{name} ({unit})" if unit else name] = value
        print(f"{name:<60}{value:>14,.2f} {unit}", flush=True)

    def wanted(name):
        return not options.only or name in options.only

    if wanted("process"):
        process.measure(show, options.commands)
    if wanted("data"):
        show("SCAN drawn, encoded and batched", data_rate(training.TASK, 20), "examples/s")
        for processes in (0, 1, 2):
            rate = data_rate("robustfill/length_generalization", 12, processes)
            show(f"RobustFill the same, {processes} worker processes", rate, "examples/s")
    if wanted("decoding"):
        decoding.measure(show, options.model, options.commands)
    if wanted("training"):
        training.measure(show, SIZE, options.steps)
        if options.size is None:
            # The sizes want other numbers of threads, which are settled when TensorFlow starts.
            for name, value in in_a_process_of_its_own("--only", "training", "--size", "paper", "--steps", options.steps).items():
                figures.setdefault(name, value)
    if wanted("xla"):
        xla.measure(show)
    write_json(options.output, figures)
    print(f"figures      {options.output}")


if __name__ == "__main__":
    main()
