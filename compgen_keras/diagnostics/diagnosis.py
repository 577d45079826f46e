"""A diagnosis of a trained model: more than one number."""

from collections.abc import Sequence
from dataclasses import dataclass

from compgen_keras.benchmarks import Benchmark, require_benchmark
from compgen_keras.diagnostics.adaptation import Adaptation, adapt, checked_numbers
from compgen_keras.diagnostics.first_error import FirstErrors, first_error, first_errors
from compgen_keras.diagnostics.progress import WithProgress, checked_verbosity
from compgen_keras.diagnostics.recovery import Recovery, recovery
from compgen_keras.diagnostics.search import SearchSuccess, search_success
from compgen_keras.diagnostics.share import Share, share_of
from compgen_keras.diagnostics.targets import Target, with_end
from compgen_keras.diagnostics.teacher_forcing import teacher_forced_tokens
from compgen_keras.diagnostics.token_accuracy import TokenAccuracy, token_accuracy
from compgen_keras.errors import InputError, require_integer
from compgen_keras.evaluation import evaluate
from compgen_keras.models import ProgramWriter


@dataclass(frozen=True)
class Diagnosis:
    """How a trained model does on a split, and where it goes wrong.

    Attributes:
        benchmark: the benchmark's name.
        variant: the model's name.
        split: the split.
        seed: which of its streams.
        separators: whether the model writes separators, which then count as tokens.
        accuracy: examples solved by greedy decoding, as in `compgen_keras.evaluation.evaluate`.
        accuracy_by_parts: the same for each number of parts.
        teacher_forced: token accuracy where all earlier tokens are the true ones.
        free_running: token accuracy of greedy decoding, place by place.
        first_errors: where the first errors of greedy decoding fall.
        same_first_error: of all examples, those of which teacher forcing has its first error at the same place, or none either.
        recovery: what is right after the first error.
        adaptation: accuracy after fine-tuning on a few examples, and what moved.
        search: what a beam search finds.
    """

    benchmark: str
    variant: str
    split: str
    seed: int
    separators: bool
    accuracy: Share
    accuracy_by_parts: dict[int, Share]
    teacher_forced: TokenAccuracy
    free_running: TokenAccuracy
    first_errors: FirstErrors
    same_first_error: Share
    recovery: Recovery
    adaptation: Adaptation
    search: SearchSuccess

    @property
    def examples(self) -> int:
        """How many examples the model was measured on."""
        return self.accuracy.of

    def as_text(self) -> str:
        """A report in Markdown: one table of the main numbers, then a table for each section."""
        from compgen_keras.diagnostics.text import diagnosis_text

        return diagnosis_text(self)

    def as_json(self) -> dict:
        """The numbers as they are written to JSON."""
        return {
            "benchmark": self.benchmark,
            "variant": self.variant,
            "split": self.split,
            "seed": self.seed,
            "separators": self.separators,
            "examples": self.examples,
            "accuracy": self.accuracy.as_json(),
            "accuracy_by_parts": {str(parts): share.as_json() for parts, share in self.accuracy_by_parts.items()},
            "teacher_forced": self.teacher_forced.as_json(),
            "free_running": self.free_running.as_json(),
            "first_errors": self.first_errors.as_json(),
            "same_first_error": self.same_first_error.as_json(),
            "recovery": self.recovery.as_json(),
            "adaptation": self.adaptation.as_json(),
            "search": self.search.as_json(),
        }


def diagnose(
    model,
    bench: Benchmark,
    split: str = "test",
    n: int = 1000,
    beams: int = 32,
    adaptation: Sequence[int] = (0, 1, 2, 5, 10, 20, 50),
    seed: int = 0,
    batch_size: int = 128,
    verbose="auto",
) -> Diagnosis:
    """Measures a trained model in five ways that one accuracy hides.

    Token accuracy under teacher forcing and in free running, where the first error falls, what is right after it, how fast
    fine-tuning mends it, and what a beam search finds. The model is left as it was; what is fine-tuned is a copy.

    Args:
        model: a `ProgramWriter`, such as `compgen_keras.models.load` returns.
        bench: a benchmark of its domain.
        split: the split to measure on.
        n: number of examples, the split's first.
        beams: width of the beam search.
        adaptation: for each number n, a copy is fine-tuned on n examples of the test and n of the training distribution, and another on
            2n of the training distribution; 0 is the model as it is.
        seed: which of the split's streams, and of those for fine-tuning.
        batch_size: examples at once.
        verbose: 0 for silence, 1 for progress bars, 2 for a line whenever something is done, `"auto"` for 1 on a terminal and else 2.

    Returns:
        A `Diagnosis`.

    Raises:
        ValueError: `model` or `bench` is something else, they are of different domains, a number is out of range, the split is unknown, or
            there are not enough examples to fine-tune on.

    Example:

    >>> import compgen_keras as cg
    >>> bench = cg.benchmarks.load("scan/iid", parts=(1, 2))
    >>> model = cg.models.build("sep_to_last", bench, num_layers=1, num_heads=1, embedding_dim=8, feed_forward_dim=8)
    >>> found = diagnose(model, bench, n=4, beams=2, adaptation=(0,), verbose=0)
    >>> found.examples, found.adaptation.numbers, list(found.search.within)
    (4, (0,), [1, 2])
    >>> found.same_first_error.value  # by construction
    1.0

    Reference: Measuring Systematic Generalization: one-step error, rollout error, planning with the model held fixed, sample efficiency for
    adaptation.
    """
    require_benchmark(bench)
    if not isinstance(model, ProgramWriter):
        raise InputError(f"model is {model!r}; expected a model such as compgen_keras.models.load gives.")
    model.codec.check_benchmark(bench)
    bench.check_stream(split, seed, 0)
    n, beams = require_integer("the number of examples", n, 1), require_integer("beams", beams, 1)
    numbers, verbose = checked_numbers(adaptation), checked_verbosity(verbose)

    evaluated = evaluate(WithProgress(model, "greedy decoding", verbose), bench, split, n, seed, batch_size=batch_size)
    examples, written = evaluated.examples, evaluated.predictions
    parts = [len(example.parts) for example in examples]
    targets = [Target.of(example, model.codec.separators) for example in examples]
    teacher_tokens = teacher_forced_tokens(model, examples, batch_size, verbose)
    ended = [with_end(tokens) for tokens in written]
    free = [target.agreement(tokens) for target, tokens in zip(targets, ended, strict=True)]
    teacher = [target.agreement(tokens) for target, tokens in zip(targets, teacher_tokens, strict=True)]
    return Diagnosis(
        bench.name,
        model.variant,
        split,
        seed,
        model.codec.separators,
        accuracy=share_of(evaluated.correct),
        accuracy_by_parts={number: Share(*counts) for number, counts in evaluated.counts_by_parts.items()},
        teacher_forced=token_accuracy(teacher, parts),
        free_running=token_accuracy(free, parts),
        first_errors=first_errors(ended, targets),
        same_first_error=share_of(first_error(one) == first_error(other) for one, other in zip(free, teacher, strict=True)),
        recovery=recovery(bench, examples, targets, written, teacher_tokens),
        search=search_success(model, bench, split, n, beams, seed, batch_size, verbose),
        adaptation=adapt(model, bench, examples, numbers, seed, batch_size=batch_size, verbose=verbose),
    )
