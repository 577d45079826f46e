"""RobustFill as a benchmark."""

import json

from compgen_keras.benchmarks.benchmark import without_separators
from compgen_keras.benchmarks.blocks import BlockBenchmark
from compgen_keras.benchmarks.composition import Composition
from compgen_keras.benchmarks.example import Example
from compgen_keras.benchmarks.io_examples import checked_pairs
from compgen_keras.benchmarks.randomness import RandomBlock
from compgen_keras.benchmarks.robustfill.block import TaskBlock
from compgen_keras.benchmarks.robustfill.composition import composition_of_program, grid_of_task
from compgen_keras.benchmarks.robustfill.dialect import FULL, MINI, Dialect
from compgen_keras.benchmarks.robustfill.distributions import distributions
from compgen_keras.benchmarks.robustfill.program import program_from_tokens
from compgen_keras.benchmarks.task import find_task
from compgen_keras.errors import InputError


class RobustFillBenchmark(BlockBenchmark):
    """One of RobustFill's eight tasks: write a program of n parts from four examples of what it does.

    A prediction is right when its program gives the right output for every input of the specification; it need not be the
    program that the specification was made with.

    Args:
        task: the task's identifier.
        dialect: the language.

    Raises:
        ValueError: unknown task, or `dialect` is no `Dialect`.

    Reference: sections 2 and 3 and appendix B of Shi et al.

    Example:

    >>> bench = RobustFillBenchmark("iid")
    >>> example = next(bench.examples("test"))
    >>> len(example.spec), bench.is_correct(example, example.program)
    (4, True)
    """

    spec_format = "io_examples"
    verdict = "Right outputs"
    block_size = 256

    def __init__(self, task: str, dialect: Dialect = FULL):
        super().__init__()
        self.task = find_task(task)
        if not isinstance(dialect, Dialect):
            raise InputError(f"dialect is {dialect!r}; expected a Dialect such as compgen_keras.benchmarks.robustfill.FULL or MINI.")
        self.domain = dialect.domain
        self.dialect = dialect
        self.spec_tokens = dialect.spec_tokens
        self.program_tokens = dialect.program_tokens
        self._sides = dict(zip(("train", "test"), distributions(task, dialect), strict=True))
        self.grid = grid_of_task(task, self._sides["train"].parts, self._sides["test"].parts)
        most = max(part for side in self._sides.values() for part in side.parts)
        self.max_spec_length = most * dialect.most_characters
        self.max_program_length = most * (dialect.most_part_tokens + 1) + 1

    def __reduce__(self):
        return RobustFillBenchmark, (self.task.identifier, self.dialect)

    def draw_block(self, random: RandomBlock, side: str, count: int, excluded: TaskBlock | None = None) -> TaskBlock:
        forbidden = set() if excluded is None else {task.pairs for task in excluded.tasks}
        tasks = []
        while len(tasks) < count:
            tasks += [task for task in self._sides[side].draw(random, count - len(tasks)) if task.pairs not in forbidden]
        return TaskBlock(self.dialect, tuple(tasks))

    def is_correct(self, example: Example, tokens) -> bool:
        written = without_separators(tokens)
        try:
            program = program_from_tokens(written or ())
        except InputError:
            return False
        return all(program.run(given) == wanted for given, wanted in example.spec)

    def parts_of(self, tokens: tuple[str, ...]) -> tuple[tuple[str, ...], ...] | None:
        try:
            return program_from_tokens(tokens).parts
        except InputError:
            return None

    def is_same_part(self, example: Example, true: tuple[str, ...], predicted: tuple[str, ...]) -> bool:
        try:
            programs = [program_from_tokens(part) for part in (true, predicted)]
        except InputError:
            return False
        return all(programs[0].run(given) == programs[1].run(given) for given, _ in example.spec)

    def composition(self, example: Example) -> Composition:
        """Atoms are operations and named arguments, compounds what stands together in a part or in neighbouring ones, see
        `composition_of_program`.
        """
        return composition_of_program(program_from_tokens(example.program))

    def read_spec(self, text: str):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            expected = '[["ada lovelace", "Ada"], ["alan turing", "Alan"]]'
            raise InputError(f"{text!r} is no specification; expected (input, output) pairs as JSON, such as {expected}") from None

    def program_text(self, tokens) -> str:
        try:
            return str(program_from_tokens(without_separators(tokens)))
        except InputError:
            return super().program_text(tokens)

    def tokenize_spec(self, spec) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
        return checked_pairs(spec, self.spec_tokens)


class RobustFillMiniBenchmark(RobustFillBenchmark):
    """RobustFill small enough for two CPU cores: the same tasks on a part of the language.

    Six operations (GetToken, GetUpto, GetFrom; ToCase, GetAll, RemoveAll), Compose and ConstStr. An input is a number and a word in lower
    case, each of two or three characters, in any order. In front of each stands one of four delimiters, the same in all inputs of a task.
    Types are NUMBER and LOWER, the only index is 1, constants are five characters that no input holds. Pools, compositions and that no
    part is ever empty are as in the full language, so that each task asks its own question.

    Args:
        task: the task's identifier.

    Example:

    >>> bench = RobustFillMiniBenchmark("switch_concept_order")
    >>> max(len(given) for example in bench.examples("few_shot") for given, _ in example.spec)
    8
    """

    def __init__(self, task: str):
        super().__init__(task, MINI)

    def __reduce__(self):
        return RobustFillMiniBenchmark, (self.task.identifier,)
