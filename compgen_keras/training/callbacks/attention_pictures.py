"""Pictures of what the decoder attends to, as training goes on."""

import itertools

from compgen_keras.benchmarks import Benchmark, require_benchmark
from compgen_keras.evaluation import attention, cross_attention_figure, self_attention_figure
from compgen_keras.training.callbacks.generalization import STREAM
from compgen_keras.training.callbacks.summaries import Summaries
from compgen_keras.training.callbacks.watcher import Watcher

_CANDIDATES = 200
_MOST_TOKENS = 24


class AttentionPictures(Watcher):
    """Every few epochs draws the decoder's attention on one test example for TensorBoard's page of images.

    `self_attention` has the mask and each head of each block, `cross_attention` what the heads read of the specification; the true
    program is shown to the model (teacher forcing). The example is the first with at least two parts and at most 24 program tokens, or
    else the shortest, of the first 200 of the stream that `Generalization` takes its sample from. A look costs one pass of one
    example and the drawing, some two seconds on two cores.

    Args:
        bench: the benchmark.
        log_dir: TensorBoard's folder; the pictures go to `generalization/` inside it, since the example is of the test distribution.
        every: epochs between two looks; there is one after the last epoch, too.
        last_epoch: see `Watcher`.

    Attributes:
        example: the example.

    Raises:
        ValueError: `every` is not an integer from 1, or `bench` is no benchmark.

    Example:

    >>> import tempfile
    >>> import compgen_keras as cg
    >>> bench = cg.benchmarks.load("scan/iid")
    >>> AttentionPictures(bench, tempfile.mkdtemp()).example.spec
    'turn around right and jump left thrice and run and turn right after walk opposite right'
    """

    def __init__(self, bench: Benchmark, log_dir, every: int = 5, last_epoch=None):
        super().__init__(every, last_epoch)
        candidates = list(itertools.islice(require_benchmark(bench).examples("test", seed=STREAM), _CANDIDATES))
        fitting = (example for example in candidates if len(example.parts) > 1 and len(example.program) <= _MOST_TOKENS)
        self.example = next(fitting, None) or min(candidates, key=lambda example: len(example.program))
        self._summaries = Summaries(f"{log_dir}/generalization")

    def look(self, epoch: int) -> None:
        """Draws the model's attention as it is now.

        Args:
            epoch: the number of epochs done, which the pictures are kept under.
        """
        seen = attention(self.model, self.example)
        title = self.example.spec if isinstance(self.example.spec, str) else " ".join(f"{a!r} → {b!r}" for a, b in self.example.spec)
        self._summaries.picture("self_attention", self_attention_figure(seen, title), epoch)
        self._summaries.picture("cross_attention", cross_attention_figure(seen, title), epoch)
        self._summaries.flush()
