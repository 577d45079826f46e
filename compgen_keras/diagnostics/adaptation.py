"""How fast a model learns a new distribution from a few examples of it, and what changes in it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from keras import ops

from compgen_keras.benchmarks import Benchmark, Example
from compgen_keras.data import padded_length, teacher_forcing
from compgen_keras.diagnostics.adaptation_examples import AdaptationExamples, adaptation_examples
from compgen_keras.diagnostics.progress import WithProgress, checked_verbosity
from compgen_keras.diagnostics.share import Share, share_of
from compgen_keras.diagnostics.weight_movement import copied_weights, weight_movement
from compgen_keras.errors import InputError, require_integer
from compgen_keras.training.few_shot import LEARNING_RATE, STEPS, compile_for_fine_tuning, fit_batch

MIXED, CONTROL = "mixed", "control"


@dataclass(frozen=True)
class AdaptationPoint:
    """A model after fine-tuning on a number of examples.

    Attributes:
        number: n. There are 2n examples; 0: no fine-tuning at all, the model as it is.
        examples: `"mixed"`: n of the test and n of the training distribution; `"control"`: 2n of the training distribution.
        accuracy: of the measured examples, those solved by greedy decoding.
        moved: by layer, how far its weights moved, see `weight_movement`.
    """

    number: int
    examples: str
    accuracy: Share
    moved: dict[str, float | None]

    def as_json(self) -> dict:
        """The numbers as they are written to JSON."""
        return {"number": self.number, "examples": self.examples, "accuracy": self.accuracy.as_json(), "moved": self.moved}


@dataclass(frozen=True)
class Adaptation:
    """An adaptation curve and its control.

    Attributes:
        points: by number, for each the mixed examples and the control; 0 stands first, once.
        steps: optimizer steps of each fine-tuning, the same for all.
        learning_rate: of each fine-tuning.
    """

    points: tuple[AdaptationPoint, ...]
    steps: int
    learning_rate: float

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of examples, in ascending order."""
        return tuple(dict.fromkeys(point.number for point in self.points))

    def point(self, number: int, examples: str = MIXED) -> AdaptationPoint:
        """The point of a number; without fine-tuning mixed examples and control are the same point."""
        return next(point for point in self.points if point.number == number and (not number or point.examples == examples))

    def as_json(self) -> dict:
        """The numbers as they are written to JSON."""
        return {"steps": self.steps, "learning_rate": self.learning_rate, "points": [point.as_json() for point in self.points]}


def adapt(
    model,
    bench: Benchmark,
    measured: Sequence[Example],
    numbers: Sequence[int],
    seed: int = 0,
    steps: int = STEPS,
    batch_size: int = 128,
    verbose=0,
) -> Adaptation:
    """Fine-tunes copies of a model on n + n examples for several n, and on 2n examples of the training distribution as a control.

    Every fine-tuning starts from the model's weights with a fresh optimizer, and takes the same steps as `training.fine_tune`, all on one
    batch. Larger batches hold the smaller ones. The model itself is left alone: what is trained is a copy.

    Args:
        model: a trained `ProgramWriter`.
        bench: the benchmark.
        measured: the examples that its accuracy is measured on.
        numbers: integers from 0; 0, no fine-tuning, is always measured.
        seed: which examples to fine-tune on, see `adaptation_examples`; and of dropout.
        steps: optimizer steps of a fine-tuning.
        batch_size: examples decoded at once.
        verbose: see `diagnose`.

    Returns:
        An `Adaptation`.

    Raises:
        ValueError: a number is no integer from 0 or stands there twice, or there are not enough examples to fine-tune on.

    Reference: *Sample efficiency for adaptation* of the section *Measuring Systematic Generalization*; the fine-tuning is that of
    section 5 of Shi et al.
    """
    numbers = checked_numbers(numbers)
    steps, verbose = require_integer("steps", steps, 1), checked_verbosity(verbose)

    def accuracy(writer, title):
        programs = WithProgress(writer, title, verbose).generate([example.spec for example in measured], batch_size=batch_size)
        return share_of(bench.is_correct(example, tokens) for example, tokens in zip(measured, programs, strict=True))

    before = copied_weights(model)
    points = [AdaptationPoint(0, MIXED, accuracy(model, "adaptation: the model as it is"), weight_movement(model, before))]
    if numbers[-1]:
        chosen = adaptation_examples(bench, measured, numbers[-1], seed)
        tuner = _FineTuner(model, chosen, seed, steps)
        for number in numbers[1:]:
            for kind, examples in ((MIXED, chosen.mixed(number)), (CONTROL, chosen.control(number))):
                tuner.fine_tune(examples)
                solved = accuracy(tuner.model, f"adaptation: {_described(kind, number)}, {steps} steps")
                points.append(AdaptationPoint(number, kind, solved, weight_movement(tuner.model, before)))
    return Adaptation(tuple(points), steps, LEARNING_RATE)


def checked_numbers(numbers) -> tuple[int, ...]:
    """The numbers in ascending order, 0 among them.

    Raises:
        ValueError: one is no integer from 0 or stands there twice.
    """
    if isinstance(numbers, str) or not hasattr(numbers, "__iter__"):
        raise InputError(f"adaptation is {numbers!r}; expected numbers of examples, such as (0, 5, 20).")
    checked = [require_integer("a number of adaptation examples", number, 0) for number in numbers]
    if len(set(checked)) < len(checked):
        raise InputError(f"adaptation is {tuple(checked)!r}; expected each number once.")
    return tuple(sorted({0, *checked}))


def _described(kind, number):
    return f"{number} + {number} examples" if kind == MIXED else f"control, {2 * number} examples"


class _FineTuner:
    """A copy of a model that is fine-tuned again and again from the same start.

    It is compiled once, since compiling it for each fine-tuning costs more than the fine-tuning itself.
    """

    def __init__(self, model, chosen: AdaptationExamples, seed, steps):
        self.model = type(model).from_config(model.get_config())
        self.model.set_weights(model.get_weights())
        self._steps = steps
        compile_for_fine_tuning(self.model)
        self.model.optimizer.build(self.model.trainable_variables)
        weights = {id(variable) for variable in self.model.weights}
        for variable in self.model.variables:
            if id(variable) not in weights:  # the states of dropout's random numbers, drawn when the copy is made
                variable.assign(ops.cast(ops.reshape(ops.convert_to_tensor([seed % 2**31, 0]), variable.shape), variable.dtype))
        self._variables = [*self.model.variables, *self.model.optimizer.variables]
        self._start = [np.array(ops.convert_to_numpy(variable)) for variable in self._variables]
        # All batches have the same lengths, so that few shapes have to be compiled.
        every = chosen.train + chosen.test
        specs, targets = self._encoded(every)
        self._lengths = [padded_length(length, None) for length in (*specs.longest, *targets.longest)]

    def fine_tune(self, examples):
        for variable, value in zip(self._variables, self._start, strict=True):
            variable.assign(value)
        specs, targets = self._encoded(examples)
        *spec_lengths, target_length = self._lengths
        fit_batch(self.model, *teacher_forcing(specs, targets, spec_lengths, target_length), self._steps)

    def _encoded(self, examples):
        codec = self.model.codec
        return codec.encode_specs([example.spec for example in examples]), codec.encode_programs([example.parts for example in examples])
