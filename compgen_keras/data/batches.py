"""Batches of examples of about the same length, as a `keras.utils.PyDataset`."""

import keras
import numpy as np

from compgen_keras.benchmarks import Benchmark, require_benchmark
from compgen_keras.benchmarks.ragged import Ragged
from compgen_keras.benchmarks.ragged_pairs import RaggedPairs
from compgen_keras.benchmarks.randomness import RandomBlock
from compgen_keras.data.ahead import Ahead
from compgen_keras.data.codec import Codec
from compgen_keras.data.vocabulary import SEP_ID
from compgen_keras.errors import InputError, require_integer

XLA_LENGTHS = (8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512)
"""Lengths that batches are padded to where each new shape costs a compilation."""

_MULTIPLE = 4


class TrainingBatches(keras.utils.PyDataset):
    """A stream of training batches, endless if not said otherwise; use it with `fit(..., steps_per_epoch=...)`.

    Examples are drawn afresh, a window of many batches at a time. Inside a window they are sorted by length and cut into batches,
    which then come in random order, so that little is computed on padding. A batch depends on the arguments and its number alone.

    Args:
        bench: the benchmark.
        codec: the model's `codec`.
        batch_size: examples a batch.
        split: `"train"`, or another split whose stream to read.
        seed: which of the split's streams.
        window: batches a window.
        first_batch: number of the first batch, to go on where another run stopped.
        lengths: lengths to pad to, in ascending order, such as `XLA_LENGTHS`; None: the next multiple of 4.
        processes: worker processes that draw the next windows while this one is trained on; 0: windows are drawn when they are needed. They
            start Python anew, so that a script that asks for them must do its work below `if __name__ == "__main__":`.
        batches: how many batches there are, for a validation that is to see the same ones each time; None: endless.
        restarts: an interrupted training may go on at every batch whose number is a multiple of this, and finds there what the undisturbed
            one did, to the last token of padding; None: padding of the first batch may differ then (on TensorFlow alone).
        **kwargs: passed on to `keras.utils.PyDataset`.

    Items: pairs of inputs and targets. Inputs are a dict of `"spec"`, int32 (batch, spec length), or for input-output examples a dict of
    `"inputs"` and `"outputs"`, int32 (batch, pairs, characters), and `"program"`, int32 (batch, program length), the targets shifted right
    behind a separator (teacher forcing). Targets are int32 (batch, program length).

    Example:

    >>> import compgen_keras as cg
    >>> bench = cg.benchmarks.load("scan/iid")
    >>> codec = cg.data.Codec.for_benchmark(bench, separators=True)
    >>> batches = cg.data.TrainingBatches(bench, codec, batch_size=8)
    >>> inputs, targets = batches[0]
    >>> inputs["program"].shape == targets.shape
    True
    """

    def __init__(
        self,
        bench: Benchmark,
        codec: Codec,
        batch_size: int = 128,
        split: str = "train",
        seed: int = 0,
        window: int = 64,
        first_batch: int = 0,
        lengths: tuple[int, ...] | None = None,
        processes: int = 0,
        batches: int | None = None,
        restarts: int | None = None,
        **kwargs,
    ):
        # With the single worker of Keras's default, `fit` on TensorFlow may return up to a minute late: it waits for a thread of
        # tf.data's autotuning to wake up, which is off when workers of Keras fetch the batches.
        super().__init__(**{"workers": 2, **kwargs})
        self.bench = require_benchmark(bench)
        self.bench.check_stream(split, seed, 0)
        if split == "few_shot":
            raise InputError("the split 'few_shot' is one batch of its own: use compgen_keras.training.few_shot_batch.")
        codec.check_benchmark(bench)
        self.codec = codec
        self.batch_size = require_integer("batch_size", batch_size, 1)
        self.split = split
        self.seed = seed
        self.window = require_integer("window", window, 1)
        self.first_batch = require_integer("first_batch", first_batch, 0)
        self.lengths = lengths
        self.processes = require_integer("processes", processes, 0)
        self.restarts = None if restarts is None else require_integer("restarts", restarts, 1)
        self.batches = None if batches is None else require_integer("batches", batches, 1)
        self._latest = None
        self._ahead = None

    @property
    def num_batches(self):
        """As given; None: endless."""
        return self.batches

    def __getitem__(self, index):
        specs, targets = self._batch(index)
        lengths = self._padded_lengths(specs, targets)
        if self._can_be_first(index) and keras.config.backend() == "tensorflow":
            # Keras has TensorFlow take a dimension in which the first two batches agree for a constant.
            others = self._padded_lengths(*self._batch(index + 1))
            pairs = zip(lengths, others, strict=True)
            lengths = [padded_length(length + 1, self.lengths) if length == other else length for length, other in pairs]
        *spec_lengths, target_length = lengths
        return teacher_forcing(specs, targets, spec_lengths, target_length)

    def _can_be_first(self, index):
        return index == 0 or (self.restarts is not None and (self.first_batch + index) % self.restarts == 0)

    def _batch(self, index):
        number, place = divmod(self.first_batch + index, self.window)
        # Read and replaced as a whole, so that several threads can ask for batches.
        latest = self._latest
        if latest is None or latest[0] != number:
            latest = self._latest = (number, *self._draw_window(number))
        _, specs, targets, rows = latest
        return specs.select(rows[place]), targets.select(rows[place])

    def _draw_window(self, number):
        specs, targets = self.codec.from_token_ids(*self._token_ids(number))
        rows = _by_length(specs, targets).reshape(self.window, self.batch_size)
        random = RandomBlock(self.bench.name, "batch order", self.split, self.seed, number)
        return specs, targets, rows[np.argsort(random.uniform((self.window,)))]

    def _token_ids(self, number):
        if not self.processes:
            return self.bench.token_ids(*self._window_arguments(number))
        if self._ahead is None:
            self._ahead = Ahead(self.bench.token_ids, self._window_arguments, self.processes)
        return self._ahead.result(number)

    def _window_arguments(self, number):
        size = self.window * self.batch_size
        return self.split, self.seed, number * size, size, self.codec.separators

    def _padded_lengths(self, specs, targets):
        return [padded_length(length, self.lengths) for length in (*specs.longest, *targets.longest)]


def _by_length(specs, targets):
    """The order in which padding is least: by the side that has more tokens, then by the other."""
    if targets.num_tokens >= specs.num_tokens:
        return np.lexsort((specs.lengths, targets.lengths))
    return np.lexsort((targets.lengths, -(-specs.lengths // _MULTIPLE)))


def padded_length(length: int, lengths: tuple[int, ...] | None) -> int:
    """The smallest of `lengths` that is at least `length`; past their last the next multiple of it, and without them the next of 4."""
    for candidate in lengths or ():
        if candidate >= length:
            return candidate
    multiple = lengths[-1] if lengths else _MULTIPLE
    return -(-length // multiple) * multiple


def teacher_forcing(specs: Ragged | RaggedPairs, targets: Ragged, spec_lengths, target_length: int):
    """Pads a batch and shifts its targets right: what `TrainingBatches` yields.

    Args:
        specs: ids of the specifications.
        targets: ids of the targets.
        spec_lengths: length to pad specifications to, or of pairs the inputs' and the outputs'.
        target_length: length to pad targets to.

    Returns:
        A pair of inputs (a dict of `"spec"` and `"program"`) and targets.
    """
    targets = targets.padded(target_length)
    program = np.concatenate([np.full((len(targets), 1), SEP_ID, dtype=np.int32), targets[:, :-1]], axis=1)
    return {"spec": specs.padded(*spec_lengths), "program": program}, targets
