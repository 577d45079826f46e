"""What becomes of a program after its first error."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import reduce
from operator import add

import numpy as np

from compgen_keras.benchmarks import Benchmark, Example
from compgen_keras.diagnostics.first_error import first_error
from compgen_keras.diagnostics.part_alignment import Alignment, align, right_behind
from compgen_keras.diagnostics.share import NONE, Share, share_of
from compgen_keras.diagnostics.targets import Target, with_end


@dataclass(frozen=True)
class PartRecovery:
    """How often a part is right, by what came before it in free running.

    Attributes:
        after_right: where all earlier parts are right.
        after_right_teacher: the same parts of the same examples under teacher forcing.
        after_wrong: where an earlier part is wrong.
        after_wrong_teacher: the same parts of the same examples under teacher forcing, where no error is seen.
        chance: parts of `after_wrong`, if behind the first wrong part there stood what another program has behind its own.
    """

    after_right: Share = NONE
    after_right_teacher: Share = NONE
    after_wrong: Share = NONE
    after_wrong_teacher: Share = NONE
    chance: Share = NONE

    def __add__(self, other: "PartRecovery") -> "PartRecovery":
        return PartRecovery(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(self)))

    def as_json(self) -> dict:
        """The numbers as they are written to JSON."""
        return {each.name: getattr(self, each.name).as_json() for each in fields(self)}


@dataclass(frozen=True)
class Recovery:
    """What is right after the first error.

    Attributes:
        tokens: of the target's tokens behind the first error of free running, those that are right in free running, place by place.
        tokens_teacher: of the same tokens, those that are right under teacher forcing.
        by_part: a `PartRecovery` for each part from the second on, by its number.
    """

    tokens: Share
    tokens_teacher: Share
    by_part: dict[int, PartRecovery]

    @property
    def parts(self) -> PartRecovery:
        """All parts from the second on together."""
        return reduce(add, self.by_part.values(), PartRecovery())

    def as_json(self) -> dict:
        """The numbers as they are written to JSON."""
        return {
            "tokens": self.tokens.as_json(),
            "tokens_teacher": self.tokens_teacher.as_json(),
            "parts": self.parts.as_json(),
            "by_part": {str(number): part.as_json() for number, part in self.by_part.items()},
        }


def recovery(
    bench: Benchmark,
    examples: Sequence[Example],
    targets: Sequence[Target],
    free_tokens: Sequence[tuple[str, ...]],
    teacher_tokens: Sequence[tuple[str, ...]],
) -> Recovery:
    """Measures what is right after the first error, in free running and under teacher forcing.

    Args:
        bench: the benchmark.
        examples: the examples.
        targets: the target of each.
        free_tokens: what the model wrote for each, as `generate` returns it.
        teacher_tokens: what it would write under teacher forcing at each place of the target.

    Returns:
        A `Recovery`. Parts are compared as `align` says; under teacher forcing a part is right if the tokens at its places are.

    Example: the model recovers, and the second part is right as it stands, but no token is at its place any more.

    >>> import compgen_keras as cg
    >>> bench = cg.benchmarks.load("scan/iid")
    >>> example = cg.benchmarks.Example("walk and jump left", (("WALK",), ("LTURN", "JUMP")))
    >>> target = Target.of(example, separators=False)
    >>> found = recovery(bench, [example], [target], [("RUN", "RUN", "LTURN", "JUMP")], [("RUN", "LTURN", "JUMP", "EOS")])
    >>> found.tokens, found.tokens_teacher, found.parts.after_wrong
    (Share(count=0, of=3), Share(count=3, of=3), Share(count=1, of=1))
    """
    alignments = [align(bench, example, tokens) for example, tokens in zip(examples, free_tokens, strict=True)]
    shuffled = _by_chance(bench, examples, alignments)
    tokens, tokens_teacher, by_part = NONE, NONE, {}
    rows = zip(examples, targets, free_tokens, teacher_tokens, alignments, shuffled, strict=True)
    for example, target, free, teacher, alignment, by_chance in rows:
        of_free, of_teacher = target.agreement(with_end(free)), target.agreement(teacher)
        place = first_error(of_free)
        if place is not None:
            tokens += share_of(of_free[place + 1 :])
            tokens_teacher += share_of(of_teacher[place + 1 :])
        teacher_right = _right_under_teacher_forcing(bench, example, target, teacher)
        for number in range(1, len(example.parts)):
            counts = _part_counts(number, alignment, teacher_right, by_chance)
            by_part[number + 1] = by_part.get(number + 1, PartRecovery()) + counts
    return Recovery(tokens, tokens_teacher, dict(sorted(by_part.items())))


def _part_counts(number, alignment: Alignment, teacher_right, by_chance):
    right, right_teacher = share_of([alignment.right[number]]), share_of([teacher_right[number]])
    if alignment.first_wrong is None or number <= alignment.first_wrong:
        return PartRecovery(after_right=right, after_right_teacher=right_teacher)
    chance = NONE if by_chance is None else share_of([by_chance[number - alignment.first_wrong]])
    return PartRecovery(after_wrong=right, after_wrong_teacher=right_teacher, chance=chance)


def _right_under_teacher_forcing(bench, example, target, tokens):
    right = []
    places = np.array(target.parts)
    for number, part in enumerate(example.parts, start=1):
        # A part comes before the separator that belongs to it.
        own = np.flatnonzero(places == number)[: len(part)]
        predicted = tuple(tokens[place] for place in own)
        right.append(predicted == tuple(part) or bench.is_same_part(example, part, predicted))
    return right


def _by_chance(bench, examples, alignments: Sequence[Alignment]):
    """For each example which parts would be right if it went on, from its first wrong part on, as the next wrong program does.

    None where a program has no wrong part, or is the only one that has.
    """
    found = [None] * len(examples)
    wrong = [row for row, each in enumerate(alignments) if each.first_wrong is not None and each.first_wrong < len(each.right)]
    for row, other in zip(wrong, wrong[1:] + wrong[:1], strict=True):
        if row != other:
            found[row], _ = right_behind(bench, examples[row], alignments[row].first_wrong, alignments[other].rest)
    return found
