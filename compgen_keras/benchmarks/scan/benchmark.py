"""SCAN as a benchmark."""

from compgen_keras.benchmarks.blocks import BlockBenchmark
from compgen_keras.benchmarks.randomness import RandomBlock
from compgen_keras.benchmarks.scan.distributions import distributions
from compgen_keras.benchmarks.scan.grammar import ACTIONS, WORDS, parse
from compgen_keras.benchmarks.scan.sampler import MAX_ACTIONS, MAX_WORDS, CommandBlock
from compgen_keras.benchmarks.task import find_task
from compgen_keras.errors import InputError

_MOST_PARTS = 200


class ScanBenchmark(BlockBenchmark):
    """One of SCAN's eight tasks: translate a command of n parts into n groups of actions.

    Args:
        task: the task's identifier.
        parts: smallest and largest number of parts, for `"iid"` alone; (1, 10) if None.

    Raises:
        ValueError: `parts` with another task, or not two integers in order from 1 to 200.

    Reference: sections 2 and 3 and appendix B of Shi et al.

    Example:

    >>> bench = ScanBenchmark("compose_new_operation")
    >>> example = next(bench.examples("test"))
    >>> bench.is_correct(example, example.program)
    True
    """

    domain = "scan"
    spec_tokens = WORDS
    program_tokens = ACTIONS

    def __init__(self, task: str, parts: tuple[int, int] | None = None):
        super().__init__()
        self.task = find_task(task)
        self.parts = parts
        if parts is None:
            self._train, self._test = distributions(task)
        else:
            self._train, self._test = distributions(task, _checked_parts(task, parts))
        most = max(self._train.parts + self._test.parts)
        self.max_spec_length = most * (MAX_WORDS + 1) - 1
        self.max_program_length = most * (MAX_ACTIONS + 1) + 1

    def __reduce__(self):
        return ScanBenchmark, (self.task.identifier, self.parts)

    def draw_block(self, random: RandomBlock, side: str, count: int, excluded: CommandBlock | None = None) -> CommandBlock:
        return (self._train if side == "train" else self._test).draw(random, count, excluded)

    def tokenize_spec(self, spec) -> tuple[str, ...]:
        return tuple(str(parse(spec)).split())


def _checked_parts(task, parts):
    if task != "iid":
        raise InputError(f"the option parts={parts!r} is for scan/iid alone; {task} has its own numbers of parts.")
    try:
        first, last = parts
    except (TypeError, ValueError):
        raise InputError(f"parts is {parts!r}; expected the smallest and the largest number of parts, such as (1, 10).") from None
    whole = all(isinstance(value, int) and not isinstance(value, bool) for value in (first, last))
    if not whole or not 1 <= first <= last <= _MOST_PARTS:
        raise InputError(f"parts is {parts!r}; expected two integers in order, each from 1 to {_MOST_PARTS}, such as (1, 10).")
    return first, last
