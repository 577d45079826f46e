"""Examples of a stream, a chunk at a time, and whether a model solves them."""

import itertools

from compgen_keras.benchmarks import Benchmark, Example
from compgen_keras.diagnostics.progress import WithProgress


class SolvedExamples:
    """A stream's examples, each decoded once, when it is first needed.

    Args:
        model: the model.
        bench: the benchmark.
        split: the split.
        seed: which of its streams.
        size: examples a chunk.
        chunks: how many chunks at most.
        title: what is done, for the progress bar.
        batch_size: examples decoded at once.
        verbose: see `compgen_keras.diagnostics.diagnose`.
    """

    def __init__(self, model, bench: Benchmark, split: str, seed: int, size: int, chunks: int, title: str, batch_size: int, verbose: int):
        self._writer, self._bench, self._batch_size = WithProgress(model, title, verbose), bench, batch_size
        self._stream = bench.examples(split, seed=seed, endless=True)
        self._size, self._most = size, chunks
        self._chunks = []

    def chunk(self, number: int) -> list[tuple[Example, bool]]:
        """Examples and whether greedy decoding solves them; none past the last chunk or the stream's end.

        Args:
            number: which chunk, from 0.
        """
        while len(self._chunks) <= min(number, self._most - 1):
            self._chunks.append(self._decoded(list(itertools.islice(self._stream, self._size))))
        return self._chunks[number] if number < self._most else []

    def _decoded(self, examples):
        if not examples:
            return []
        programs = self._writer.generate([example.spec for example in examples], batch_size=self._batch_size)
        return [(example, self._bench.is_correct(example, tokens)) for example, tokens in zip(examples, programs, strict=True)]
