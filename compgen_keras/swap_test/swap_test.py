"""The swap test: exchange one factor, and see whether the prediction changes exactly as it must."""

from collections.abc import Sequence
from dataclasses import dataclass

from compgen_keras.benchmarks import Benchmark, require_benchmark
from compgen_keras.benchmarks.benchmark import HOW_TO_NAME_FACTORS
from compgen_keras.data import Codec
from compgen_keras.diagnostics.progress import WithProgress, checked_verbosity
from compgen_keras.errors import InputError, require_integer
from compgen_keras.swap_test.attempt import judge
from compgen_keras.swap_test.control import matched
from compgen_keras.swap_test.draw import Draw, draw_pairs
from compgen_keras.swap_test.factor_result import FactorRepeat, FactorResult
from compgen_keras.swap_test.solved import SolvedExamples
from compgen_keras.swap_test.swap import Swap
from compgen_keras.swap_test.training_support import TrainingSupport

CONTROL_SPLIT = "valid"
"""Where controls are from: the training distribution, in a stream that nothing was trained on."""

_CONTROL_STREAM = 20_000
_STREAMS_APART = 1000
_CHUNKS = 5
_CANDIDATES = 2


@dataclass(frozen=True)
class SwapTest:
    """What came of exchanging factors.

    Attributes:
        benchmark: the benchmark's name.
        variant: the model's name.
        split: the split that pairs are from.
        seed: which of its streams.
        pairs: how many pairs were asked for, for each factor and repeat.
        training_examples: how many training examples were looked at to tell known combinations from held-out ones.
        factors: by factor what came of it.
    """

    benchmark: str
    variant: str
    split: str
    seed: int
    pairs: int
    training_examples: int
    factors: dict[str, FactorResult]

    @property
    def repeats(self) -> int:
        """How often it was repeated."""
        return max(len(found.repeats) for found in self.factors.values())

    def as_text(self) -> str:
        """A report in Markdown: a table of the main numbers, then a table for each section."""
        from compgen_keras.swap_test.text import swap_test_text

        return swap_test_text(self)

    def as_json(self) -> dict:
        """The numbers as they are written to JSON."""
        return {
            "benchmark": self.benchmark,
            "variant": self.variant,
            "split": self.split,
            "seed": self.seed,
            "pairs": self.pairs,
            "repeats": self.repeats,
            "training_examples": self.training_examples,
            "factors": {factor: found.as_json() for factor, found in self.factors.items()},
        }


def swap_test(
    model,
    bench: Benchmark,
    factors: Sequence[str] | str | None = None,
    pairs: int = 200,
    repeats: int = 3,
    split: str = "test",
    seed: int = 0,
    batch_size: int = 128,
    verbose="auto",
) -> SwapTest:
    """Exchanges one factor between two examples that share none of its values, and looks whether the predictions change as they must.

    For each repeat and factor, pairs of examples are drawn that the model solves by greedy decoding. In each example one element is chosen
    (in SCAN, a phrase) so that the two elements share no value of any swap factor. Then each gets the other's value of the factor, and the
    model writes a program for both new specifications. Each of these swaps has a matched control: a swap of the same factor in the
    training distribution, with as many parts and a program nearly as long, that leads to combinations that training has.

    Args:
        model: a `ProgramWriter`, such as `compgen_keras.models.load` returns; or anything that has a `codec` and `generate` like it.
        bench: a benchmark of its domain that names factors in `swap_factors` and implements `with_value`.
        factors: which to exchange, of `bench.swap_factors` and `bench.more_swap_factors`, a sequence or one string with commas; None:
            all of `bench.swap_factors`.
        pairs: how many pairs for each factor and repeat. At most 10 times as many examples are decoded to find them; if that is not enough,
            there are fewer pairs, and the report says so.
        repeats: how often all of it is repeated, with other examples each time.
        split: where the pairs are from.
        seed: which of the split's streams, and of the random choices. Repeat r, from 0, reads stream `seed + 1000 r`.
        batch_size: examples decoded at once.
        verbose: 0 for silence, 1 for progress bars, 2 for a line whenever something is done, `"auto"` for 1 on a terminal and else 2.

    Returns:
        A `SwapTest`.

    Raises:
        ValueError: `model` or `bench` is something else, they are of different domains, the benchmark names no factors or not these, a
            number is out of range, or the split is unknown.

    Example: with a model that has not learnt anything there is nothing to exchange.

    >>> import compgen_keras as cg
    >>> bench = cg.benchmarks.load("scan/factorial", parts=(1, 2))
    >>> model = cg.models.build("sep_to_last", bench, num_layers=1, num_heads=1, embedding_dim=8, feed_forward_dim=8)
    >>> found = swap_test(model, bench, "verb", pairs=2, repeats=1, verbose=0)
    >>> found.factors["verb"].right().total, found.factors["verb"].repeats[0].draw.solved
    (Share(count=0, of=0), 0)

    Reference: Measuring Systematic Generalization, the swap test.
    """
    require_benchmark(bench)
    if not isinstance(getattr(model, "codec", None), Codec) or not callable(getattr(model, "generate", None)):
        raise InputError(f"model is {model!r}; expected a model such as compgen_keras.models.load gives.")
    model.codec.check_benchmark(bench)
    chosen = checked_swap_factors(bench, factors)
    pairs, repeats = require_integer("pairs", pairs, 1), require_integer("repeats", repeats, 1)
    bench.check_stream(split, seed, 0)
    batch_size, verbose = require_integer("batch_size", batch_size, 1), checked_verbosity(verbose)

    support = TrainingSupport.of(bench, bench.swap_factors, verbose=verbose)
    test = _Repeats(model, bench, chosen, pairs, split, seed, batch_size, verbose, support)
    by_repeat = [test.repeat(number, f"swap test, repeat {number + 1} of {repeats}") for number in range(repeats)]
    found = {factor: FactorResult(factor, tuple(each[factor] for each in by_repeat)) for factor in chosen}
    return SwapTest(bench.name, getattr(model, "variant", type(model).__name__), split, seed, pairs, support.examples, found)


def checked_swap_factors(bench: Benchmark, factors) -> tuple[str, ...]:
    """The names of the factors to exchange.

    Args:
        bench: the benchmark.
        factors: see `swap_test`.

    Raises:
        ValueError: the benchmark names no factors, or one of these is none of its own or stands there twice.
    """
    if not bench.swap_factors:
        raise InputError(f"{bench.name} names no factors to exchange; {HOW_TO_NAME_FACTORS}.")
    if factors is None:
        return tuple(bench.swap_factors)
    names = factors.split(",") if isinstance(factors, str) else factors
    names = tuple(name.strip() if isinstance(name, str) else name for name in names) if isinstance(names, (list, tuple)) else ()
    known = (*bench.swap_factors, *bench.more_swap_factors)
    if not names or len(set(names)) < len(names) or any(name not in known for name in names):
        raise InputError(f"factors is {factors!r}; expected one or more of those of {bench.name}, each once: {', '.join(known)}.")
    return names


class _Repeats:
    """All that the repeats have in common."""

    def __init__(self, model, bench, factors, pairs, split, seed, batch_size, verbose, support):
        self._model, self._bench, self._factors, self._pairs = model, bench, factors, pairs
        self._split, self._seed, self._batch_size, self._verbose, self._support = split, seed, batch_size, verbose, support

    def repeat(self, number, title) -> dict[str, FactorRepeat]:
        stream = self._seed + _STREAMS_APART * number
        size = 2 * self._pairs
        examples = self._examples(self._split, stream, size, f"{title}: examples")
        controls = self._examples(CONTROL_SPLIT, _CONTROL_STREAM + stream, _CANDIDATES * size, f"{title}: examples for the control")
        draws = {factor: self._draw(examples, factor, stream) for factor in self._factors}
        control_draws = {factor: self._draw(controls, factor, stream, control=True) for factor in self._factors if draws[factor].pairs}
        swaps = {factor: [swap for pair in draws[factor].pairs for swap in pair.swaps] for factor in self._factors}
        matches = {
            factor: matched(swaps[factor], [swap for pair in draw.pairs for swap in pair.swaps]) for factor, draw in control_draws.items()
        }
        written = self._written(
            [swap for of_factor in (*swaps.values(), *matches.values()) for swap in of_factor if swap is not None], f"{title}: swaps"
        )
        found = {}
        for factor in self._factors:
            attempts = []
            for swap, match in zip(swaps[factor], matches.get(factor, ()), strict=True):
                control = None if match is None else judge(self._bench, match, written[match.result.spec])
                attempts.append(judge(self._bench, swap, written[swap.result.spec], control))
            draw, control_draw = draws[factor], control_draws.get(factor)
            found[factor] = FactorRepeat(draw, tuple(zip(attempts[::2], attempts[1::2], strict=True)), control_draw)
        return found

    def _examples(self, split, stream, size, title):
        return SolvedExamples(self._model, self._bench, split, stream, size, _CHUNKS, title, self._batch_size, self._verbose)

    def _draw(self, examples, factor, stream, control=False) -> Draw:
        wanted = _CANDIDATES * self._pairs if control else self._pairs
        seed = (stream, int(control))
        return draw_pairs(self._bench, examples, factor, self._bench.swap_factors, wanted, self._support, seed, trained=control)

    def _written(self, swaps: list[Swap], title):
        """The program that the model writes for each specification."""
        specs = list(dict.fromkeys(swap.result.spec for swap in swaps))
        if not specs:
            return {}
        programs = WithProgress(self._model, title, self._verbose).generate(specs, batch_size=self._batch_size)
        return dict(zip(specs, programs, strict=True))
