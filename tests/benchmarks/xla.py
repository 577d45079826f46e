"""Whether the train step compiles with XLA at every length that batches are padded to, and in half precision; and how long that takes."""

import time

import keras
import numpy as np

import compgen_keras as cg
from compgen_keras.data import XLA_LENGTHS

ROWS = 8
POLICIES = ("float32", "mixed_bfloat16", "mixed_float16")


def measure(show):
    bench = cg.benchmarks.load("scan/iid")
    lengths = [length for length in XLA_LENGTHS if length <= 256]
    for policy in POLICIES:
        model = cg.models.build("sep_to_last", bench, dtype=policy)
        model.compile(**{**cg.training.recipe("classroom"), "jit_compile": True})
        scaled = isinstance(model.optimizer, keras.optimizers.LossScaleOptimizer)
        started = time.perf_counter()
        losses = []
        for length in lengths:
            targets = np.full((ROWS, length), model.codec.program_vocabulary.ids(["WALK"])[0], dtype="int32")
            spec = np.full((ROWS, min(length, 64)), model.codec.spec_vocabulary.ids(["walk"])[0], dtype="int32")
            losses.append(float(model.train_on_batch({"spec": spec, "program": targets}, targets, return_dict=True)["loss"]))
        assert np.all(np.isfinite(losses)), losses
        show(
            f"XLA, {policy}{', loss scaled' if scaled else ''}: {len(lengths)} lengths",
            (time.perf_counter() - started) / len(lengths),
            "s each",
        )
