"""What the measurements share: the clock, the machine's peak, counts of operations, and profiles."""

import collections
import tempfile
import time
from pathlib import Path

import numpy as np


def best_of(times, work):
    """Seconds of the fastest of several runs, after one that warms up."""
    work()
    seconds = []
    for _ in range(times):
        started = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - started)
    return min(seconds)


def peak_flops(size=2048):
    """Floating-point operations a second of a large float32 matrix product on all cores, by numpy's library."""
    a, b = (np.random.default_rng(seed).normal(size=(size, size)).astype("float32") for seed in range(2))
    return 2 * size**3 / best_of(5, lambda: a @ b)


def training_flops(model, examples, spec_length, program_length):
    """Floating-point operations of one training step's matrix products, from the shapes: the forward pass's, three times."""
    width, hidden = model.embedding_dim, model.feed_forward_dim
    projection, feed_forward = 2 * width**2, 4 * width * hidden

    def attention(queries, keys):
        return 4 * queries * keys * width

    encoder = spec_length * (4 * projection + feed_forward) + attention(spec_length, spec_length)
    decoder = program_length * (6 * projection + feed_forward) + 2 * spec_length * projection
    decoder += attention(program_length, program_length) + attention(program_length, spec_length)
    logits = 2 * program_length * width * len(model.codec.program_vocabulary)
    return 3 * examples * (model.num_layers * (encoder + decoder) + logits)


def operation_seconds(work):
    """Seconds that TensorFlow spends in each operation while `work` runs: a counter by the operation's path."""
    import tensorflow as tf
    from tensorflow.tsl.profiler.protobuf import xplane_pb2

    seconds = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        tf.profiler.experimental.start(folder)
        work()
        tf.profiler.experimental.stop()
        space = xplane_pb2.XSpace()
        space.ParseFromString(next(Path(folder).rglob("*.xplane.pb")).read_bytes())
    for plane in space.planes:
        for line in plane.lines:
            for event in line.events:
                seconds[plane.event_metadata[event.metadata_id].name] += event.duration_ps / 1e12
    return seconds
