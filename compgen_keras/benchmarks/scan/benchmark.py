"""SCAN as a benchmark."""

from compgen_keras.benchmarks.blocks import BlockBenchmark
from compgen_keras.benchmarks.composition import Composition
from compgen_keras.benchmarks.example import Example
from compgen_keras.benchmarks.randomness import RandomBlock
from compgen_keras.benchmarks.scan.composition import composition_of_command, grid_of_task
from compgen_keras.benchmarks.scan.distributions import distributions, factorial_distributions
from compgen_keras.benchmarks.scan.factors import checked_factors, factorial_design
from compgen_keras.benchmarks.scan.grammar import ACTIONS, WORDS, parse
from compgen_keras.benchmarks.scan.sampler import MAX_ACTIONS, MAX_WORDS, CommandBlock
from compgen_keras.benchmarks.scan.swaps import MORE_SWAP_FACTORS, SWAP_FACTORS, command_with_value
from compgen_keras.benchmarks.task import Task, find_task
from compgen_keras.errors import InputError

FACTORIAL = Task("factorial", "Factorial split", "Can it use two words together that it has seen each with all others?")
_DEFAULT_FACTORS = ("verb", "direction_phrase")
_MOST_PARTS = 200


class ScanBenchmark(BlockBenchmark):
    """One of SCAN's tasks: translate a command of n parts into n groups of actions.

    The task `"factorial"` holds out combinations of two factors of a part: no training command has a part in a held-out cell, every
    test command has at least one, and the number of parts is distributed alike.

    Args:
        task: the task's identifier.
        parts: smallest and largest number of parts, for `"iid"` and `"factorial"` alone; None: (1, 10) and (1, 6).
        factors: for `"factorial"`, two of `FACTORS`; None: verb and direction phrase.
        diagonal: for `"factorial"`, which anti-diagonal of the two factors' table is held out, see `diagonal_design`; None: 0.
        cells: for `"factorial"`, the cells to hold out instead, pairs of the two factors' values.

    Raises:
        ValueError: unknown task; an option of another task; `parts` not two integers in order from 1 to 200; factors or cells that
            make no split, see `FactorialDesign`.

    Reference: sections 2 and 3 and appendix B of Shi et al.; for `"factorial"` Measuring Systematic Generalization.

    Example:

    >>> bench = ScanBenchmark("compose_new_operation")
    >>> example = next(bench.examples("test"))
    >>> bench.is_correct(example, example.program)
    True
    >>> ScanBenchmark("factorial", factors=("verb", "repeat"), diagonal=2).design.held_out
    (('walk', 'thrice'), ('look', 'twice'), ('run', 'none'))
    """

    domain = "scan"
    spec_tokens = WORDS
    program_tokens = ACTIONS
    swap_factors = SWAP_FACTORS
    more_swap_factors = MORE_SWAP_FACTORS

    def __init__(self, task: str, parts: tuple[int, int] | None = None, factors=None, diagonal: int | None = None, cells=None):
        super().__init__()
        self.task = FACTORIAL if task == FACTORIAL.identifier else find_task(task)
        self.parts = parts
        self.design, chosen = None, None
        self._design_options = (factors, diagonal, cells)
        lengths = {} if parts is None else {"parts": _checked_parts(task, parts)}
        if self.task is FACTORIAL:
            chosen = _DEFAULT_FACTORS if factors is None else checked_factors(factors)
            self.design = factorial_design(chosen, diagonal, cells)
            self._train, self._test = factorial_distributions(chosen, self.design, **lengths)
        else:
            _check_options_absent(task, factors=factors, diagonal=diagonal, cells=cells)
            self._train, self._test = distributions(task, **lengths)
        self.grid = grid_of_task(task, self._train.parts, self._test.parts, chosen, self.design)
        most = max(self._train.parts + self._test.parts)
        self.max_spec_length = most * (MAX_WORDS + 1) - 1
        self.max_program_length = most * (MAX_ACTIONS + 1) + 1

    def __reduce__(self):
        return ScanBenchmark, (self.task.identifier, self.parts, *self._design_options)

    def draw_block(self, random: RandomBlock, side: str, count: int, excluded: CommandBlock | None = None) -> CommandBlock:
        return (self._train if side == "train" else self._test).draw(random, count, excluded)

    def tokenize_spec(self, spec) -> tuple[str, ...]:
        return tuple(str(parse(spec)).split())

    def composition(self, example: Example) -> Composition:
        """Atoms are words, compounds what stands together in a phrase or in neighbouring ones, see `composition_of_command`."""
        return composition_of_command(parse(example.spec))

    def with_value(self, example: Example, element: int, factor: str, value: str) -> Example | None:
        """The command with another value of one factor of one of its phrases, translated, see `command_with_value`."""
        command = command_with_value(parse(example.spec), element, factor, value)
        return None if command is None else Example(str(command), tuple(phrase.actions for phrase in command.phrases_in_program_order))


def _check_options_absent(task, **options):
    for name, value in options.items():
        if value is not None:
            raise InputError(f"the option {name}={value!r} is for scan/factorial alone; {task} has its own split.")


def _checked_parts(task, parts):
    if task not in ("iid", FACTORIAL.identifier):
        raise InputError(f"the option parts={parts!r} is for scan/iid and scan/factorial alone; {task} has its own numbers of parts.")
    try:
        first, last = parts
    except (TypeError, ValueError):
        raise InputError(f"parts is {parts!r}; expected the smallest and the largest number of parts, such as (1, 10).") from None
    whole = all(isinstance(value, int) and not isinstance(value, bool) for value in (first, last))
    if not whole or not 1 <= first <= last <= _MOST_PARTS:
        raise InputError(f"parts is {parts!r}; expected two integers in order, each from 1 to {_MOST_PARTS}, such as (1, 10).")
    if task == FACTORIAL.identifier and last == 1:
        raise InputError(f"parts is {parts!r}; expected a largest number from 2 on: few commands of one part are in held-out cells.")
    return first, last
