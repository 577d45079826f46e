"""`python -m tests.benchmarks`: how fast this machine trains, decodes and makes data. A script to read, not a test.

Prints each figure as it is measured and writes all of them as JSON (`--output`, default runs/benchmarks.json).
"""

import argparse
import platform
import time
from pathlib import Path

from compgen_keras.startup import start_quietly

start_quietly()

import keras

import compgen_keras as cg
from compgen_keras.experiments.files import write_json
from tests.benchmarks import decoding, process, training, xla
from tests.benchmarks.measure import peak_flops


def data_rate(count=40_960):
    """Encoded training examples a second."""
    bench = cg.benchmarks.load(training.TASK)
    codec = cg.data.Codec.for_benchmark(bench, separators=True)
    started = time.perf_counter()
    codec.encode_stream(bench, "train", 7, 0, count)
    return count / (time.perf_counter() - started)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=Path("runs/benchmarks.json"), help="where to write the figures")
    parser.add_argument("--model", help="a sep_to_last trained on scan/length_generalization (model.keras); default: untrained")
    parser.add_argument("--commands", type=int, default=1000, help="commands to decode (default 1000)")
    parser.add_argument("--steps", type=int, default=64, help="training steps to time (default 64)")
    parser.add_argument("--only", nargs="+", choices=("data", "process", "decoding", "training", "xla"), help="measure these alone")
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
        show("SCAN encoded", data_rate(), "examples/s")
    if wanted("decoding"):
        decoding.measure(show, options.model, options.commands)
    if wanted("training"):
        peak = peak_flops()
        show("peak, float32 matrix product", peak / 1e9, "GFLOP/s")
        training.measure(show, peak, options.steps)
    if wanted("xla"):
        xla.measure(show)
    write_json(options.output, figures)
    print(f"figures      {options.output}")


if __name__ == "__main__":
    main()
