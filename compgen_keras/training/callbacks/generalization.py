"""Accuracy in distribution and on the test distribution as training goes on."""

from compgen_keras.benchmarks import Benchmark, require_benchmark
from compgen_keras.errors import require_integer
from compgen_keras.evaluation import Evaluation, aligned, evaluate
from compgen_keras.training.callbacks.summaries import Summaries
from compgen_keras.training.callbacks.watcher import Watcher

STREAM = 1
"""The stream of the sample; results are reported on others."""


class Generalization(Watcher):
    """Every few epochs has the model write programs for a fixed sample of each distribution and grades them.

    The sample is of other streams than those that results are reported on: whoever watches the curves has not seen the test. It costs
    the greedy decoding of `2 * examples` programs each time, and the compilation of the decoder at the first: at classroom size, with
    the defaults, some 10 seconds at first and 2 to 5 each time after that on two cores.

    TensorBoard then shows `accuracy` for `in_distribution` and `generalization` in one chart, `accuracy_by_parts/<n>`, and, as text,
    the first `shown` programs beside the true ones, part by part.

    Args:
        bench: the benchmark.
        log_dir: TensorBoard's folder; the numbers go to `in_distribution/` and `generalization/` inside it. None: they are kept in
            `history` alone.
        examples: how many of each distribution.
        every: epochs between two looks; there is one after the last epoch, too.
        shown: programs to show as text.
        last_epoch: see `Watcher`.

    Attributes:
        history: a list of `(epoch, in_distribution, generalization)`, the number of epochs done and an `Evaluation` of each.

    Raises:
        ValueError: a number that is not an integer from 1 (`shown`: 0), or `bench` is no benchmark.

    Example:

    >>> import compgen_keras as cg
    >>> bench = cg.benchmarks.load("scan/length_generalization_hardest")
    >>> model = cg.models.build("transformer", bench)
    >>> model.compile(**cg.training.recipe("classroom", steps=2))
    >>> batches = cg.data.TrainingBatches(bench, model.codec, batch_size=4)
    >>> watch = Generalization(bench, examples=4)
    >>> history = model.fit(batches, steps_per_epoch=2, verbose=0, callbacks=[watch])
    >>> [(epoch, len(known.examples), len(new.examples)) for epoch, known, new in watch.history]
    [(1, 4, 4)]
    """

    def __init__(self, bench: Benchmark, log_dir=None, examples: int = 64, every: int = 5, shown: int = 3, last_epoch=None):
        super().__init__(every, last_epoch)
        self.bench = require_benchmark(bench)
        self.examples = require_integer("examples", examples, 1)
        self.shown = require_integer("shown", shown, 0)
        self.history: list[tuple[int, Evaluation, Evaluation]] = []
        names = ("in_distribution", "generalization")
        self._summaries = [None if log_dir is None else Summaries(f"{log_dir}/{name}") for name in names]

    def look(self, epoch: int) -> None:
        """Grades the model as it is now.

        Args:
            epoch: the number of epochs done, which the results are kept under.
        """
        results = [evaluate(self.model, self.bench, split=split, n=self.examples, seed=STREAM) for split in ("valid", "test")]
        self.history.append((epoch, *results))
        for summaries, result in zip(self._summaries, results, strict=True):
            if summaries is not None:
                self._write(summaries, result, epoch)

    def _write(self, summaries, result, epoch):
        summaries.scalar("accuracy", result.accuracy, epoch)
        for parts, accuracy in result.accuracy_by_parts.items():
            summaries.scalar(f"accuracy_by_parts/{parts}", accuracy, epoch)
        shown = zip(result.examples[: self.shown], result.predictions, strict=False)
        text = "\n\n".join(aligned(example, tokens, bench=self.bench) for example, tokens in shown)
        if text:
            summaries.code("programs", text, epoch)
        summaries.flush()
