"""The training and test distributions of the eight RobustFill tasks (section 2 and appendix B of Shi et al.)."""

from collections.abc import Callable
from dataclasses import dataclass

from compgen_keras.benchmarks.draws import Draws
from compgen_keras.benchmarks.randomness import RandomBlock
from compgen_keras.benchmarks.robustfill.dialect import Dialect
from compgen_keras.benchmarks.robustfill.inputs import draw_inputs
from compgen_keras.benchmarks.robustfill.operations import Compose, ConstStr, Operation, Substring
from compgen_keras.benchmarks.robustfill.sampler import Pool, draw_part

Pools = tuple[Pool, ...]


@dataclass(frozen=True)
class Drawn:
    """A program with what it does.

    Attributes:
        expressions: its operations.
        pairs: (input, output) pairs.
    """

    expressions: tuple[Operation, ...]
    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Distribution:
    """A distribution over programs and inputs for them.

    Attributes:
        dialect: the language.
        parts: the numbers of parts, each as likely.
        pools: called with (draws, number of parts), returns for each part the pools that it is drawn from.
        condition: a program is redrawn, inputs and number of parts kept, until this holds: called with its operations.
        choose_parts: called with draws, returns the number of parts; None: each of `parts` is as likely.
    """

    dialect: Dialect
    parts: tuple[int, ...]
    pools: Callable[[Draws, int], list[Pools]]
    condition: Callable[[tuple[Operation, ...]], bool] | None = None
    choose_parts: Callable[[Draws], int] | None = None

    def draw(self, random: RandomBlock, count: int) -> list[Drawn]:
        """Draws inputs, then for each a program none of whose parts is empty on any of them, and runs it."""
        inputs = draw_inputs(random, self.dialect, count)
        draws = Draws(random)
        return [self._draw_program(draws, of_task) for of_task in inputs]

    def _draw_program(self, draws, inputs):
        count = self.choose_parts(draws) if self.choose_parts else draws.choice(self.parts)
        while True:
            drawn = [draw_part(draws, pools, inputs) for pools in self.pools(draws, count)]
            expressions = tuple([operation for operation, _ in drawn])
            if self.condition is None or self.condition(expressions):
                outputs = map("".join, zip(*[results for _, results in drawn], strict=True))
                return Drawn(expressions, tuple(zip(inputs.strings, outputs, strict=True)))


def _is_composition(expression):
    return isinstance(expression, Compose)


def _is_composition_of_substring(expression):
    return isinstance(expression, Compose) and isinstance(expression.inner, Substring)


def distributions(task: str, dialect: Dialect) -> tuple[Distribution, Distribution]:
    """A task's training and test distributions.

    Args:
        task: a task's identifier.
        dialect: the language.

    Returns:
        Two `Distribution`: training and test.
    """
    substring = Pool(dialect, dialect.substrings)
    modification = Pool(dialect, dialect.modifications)
    constant = Pool(dialect, (ConstStr,))
    composition = Pool(dialect, (Compose,), inner_pools=(dialect.modifications, dialect.substrings))
    of_modifications = Pool(dialect, (Compose,), inner_pools=(dialect.modifications,))
    every = (substring, modification, composition, constant)
    concepts = ((substring,), (Pool(dialect, (*dialect.modifications, ConstStr)),))

    def always(pools):
        return lambda draws, count: [pools] * count

    def uniform(first, last, pools=every, **options):
        return Distribution(dialect, tuple(range(first, last + 1)), always(pools), **options)

    if task == "iid":
        both = uniform(1, 10)
        return both, both
    if task == "length_generalization":
        return uniform(1, 6), uniform(7, 10)
    if task == "length_generalization_hard":
        return uniform(6, 6), Distribution(dialect, (*range(1, 6), *range(7, 11)), always(every))
    if task == "length_generalization_hardest":
        return uniform(1, 1), uniform(2, 6)
    two_to_six = tuple(range(2, 7))
    if task == "compose_different_concepts":
        is_of_concept = [lambda e: isinstance(e, Substring), lambda e: not isinstance(e, Substring)]
        return (
            Distribution(dialect, two_to_six, lambda draws, count: [draws.choice(concepts)] * count),
            Distribution(
                dialect,
                two_to_six,
                lambda draws, count: [draws.choice(concepts) for _ in range(count)],
                condition=lambda expressions: all(any(map(is_one, expressions)) for is_one in is_of_concept),
            ),
        )
    if task == "switch_concept_order":

        def halves(first, second):
            return lambda draws, count: [first] * (count // 2) + [second] * (count - count // 2)

        return Distribution(dialect, two_to_six, halves(*concepts)), Distribution(dialect, two_to_six, halves(*concepts[::-1]))
    if task == "compose_new_operation":
        without = (substring, modification, constant)
        train = Distribution(
            dialect,
            (1, *two_to_six),
            lambda draws, count: [(composition,)] if count == 1 else [without] * count,
            choose_parts=lambda draws: 1 if draws.uniform() < _SHARE_OF_COMPOSITIONS else draws.choice(two_to_six),
        )
        return train, uniform(2, 6, condition=lambda expressions: any(map(_is_composition, expressions)))
    assert task == "add_operation_functionality", task
    return (
        uniform(1, 6, pools=(substring, modification, of_modifications, constant)),
        uniform(1, 6, condition=lambda expressions: any(map(_is_composition_of_substring, expressions))),
    )


_SHARE_OF_COMPOSITIONS = 0.25
