"""What a beam search finds among its candidates."""

from dataclasses import dataclass

import keras_hub

from compgen_keras.benchmarks import Benchmark
from compgen_keras.diagnostics.progress import WithProgress, checked_verbosity
from compgen_keras.diagnostics.share import Share
from compgen_keras.errors import require_integer
from compgen_keras.evaluation import evaluate


@dataclass(frozen=True)
class SearchSuccess:
    """How many tasks are solved by any of the first beams of one beam search.

    Attributes:
        beams: the width of the search.
        within: for each k, the tasks of which one of the k most probable candidates is right.
        checkable: whether a candidate can be checked without knowing the answer, as a program can be run on the examples of its
            specification. Then this is what a search reaches. If not, it is what an oracle could choose that knows the answer.
    """

    beams: int
    within: dict[int, Share]
    checkable: bool

    def as_json(self) -> dict:
        """The numbers as they are written to JSON."""
        within = {str(beams): share.as_json() for beams, share in self.within.items()}
        return {"beams": self.beams, "checked_by": "specification" if self.checkable else "oracle", "within": within}


def search_success(
    model, bench: Benchmark, split: str = "test", n: int = 1000, beams: int = 32, seed: int = 0, batch_size: int = 128, verbose=0
) -> SearchSuccess:
    """Searches for programs with many beams and counts the tasks that any of the first k solves.

    Args:
        model: a `ProgramWriter`.
        bench: the benchmark.
        split: the split.
        n: number of examples.
        beams: width of the beam search. The k are the powers of 2 up to it, and it itself.
        seed: which of the split's streams.
        batch_size: examples decoded at once.
        verbose: see `diagnose`.

    Returns:
        A `SearchSuccess`.

    Raises:
        ValueError: `beams` is no integer from 1, or see `compgen_keras.evaluation.evaluate`.

    Reference: *Planning success with the model held fixed* of the section *Measuring Systematic Generalization*.
    """
    beams = require_integer("beams", beams, 1)
    sampler = keras_hub.samplers.BeamSampler(num_beams=beams, return_all_beams=True)
    writer = WithProgress(model, f"beam search, {beams} beams", checked_verbosity(verbose))
    found = evaluate(writer, bench, split, n, seed, sampler, batch_size)
    return SearchSuccess(beams, {k: Share(found.solved_within(k), n) for k in _powers_of_two(beams)}, is_checkable(bench))


def is_checkable(bench: Benchmark) -> bool:
    """Whether `bench.is_correct` needs nothing but the specification: where that is examples of what a program does, which it is run on."""
    return bench.spec_format == "io_examples" and type(bench).is_correct is not Benchmark.is_correct


def _powers_of_two(most):
    return sorted({*(1 << power for power in range(most.bit_length())), most})
