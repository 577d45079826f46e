"""The training and test distributions of the eight SCAN tasks (section 2 and appendix B of Shi et al.)."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from compgen_keras.benchmarks.factorial_design import FactorialDesign
from compgen_keras.benchmarks.randomness import RandomBlock
from compgen_keras.benchmarks.scan.factors import factors_of
from compgen_keras.benchmarks.scan.grammar import Phrase
from compgen_keras.benchmarks.scan.sampler import IS_LEFT, IS_RIGHT, PHRASES, CommandBlock, draw_phrases, phrases_that, turn_phrases


@dataclass(frozen=True)
class Distribution:
    """A distribution over commands.

    Attributes:
        parts: the numbers of parts, each as likely.
        directed: whether every phrase has a direction.
        condition: a command is redrawn, its number of parts kept, until this holds: called with a block, returns booleans.
        arrange: what is done to commands that meet the condition, such as giving them their directions: called with
            (random numbers, block), returns a block.
    """

    parts: tuple[int, ...]
    directed: bool = False
    condition: Callable[[CommandBlock], np.ndarray] | None = None
    arrange: Callable[[RandomBlock, CommandBlock], CommandBlock] | None = None

    def draw(self, random: RandomBlock, count: int, excluded: CommandBlock | None = None) -> CommandBlock:
        """Draws a block of commands.

        Args:
            random: source of random numbers.
            count: number of commands.
            excluded: commands that must not occur.

        Returns:
            The `CommandBlock`.
        """
        lengths = np.array(self.parts)[random.integers(len(self.parts), (count,))]
        block = self._draw_of_lengths(random, lengths)
        tries = 0
        while excluded is not None and (rows := np.flatnonzero(block.is_among(excluded))).size:
            tries += 1
            if tries > _TRIES_OF_LENGTH:
                lengths[rows] = np.array(self.parts)[random.integers(len(self.parts), (rows.size,))]
            block = block.replaced(rows, self._draw_of_lengths(random, lengths[rows]))
        return block

    def _draw_of_lengths(self, random, lengths):
        block = self._draw_freely(random, lengths)
        if self.condition:
            while (rows := np.flatnonzero(~self.condition(block))).size:
                block = block.replaced(rows, self._draw_freely(random, lengths[rows]))
        return self.arrange(random, block) if self.arrange else block

    def _draw_freely(self, random, lengths):
        count, most = len(lengths), max(self.parts)
        return CommandBlock(lengths, draw_phrases(random, (count, most), self.directed), random.integers(2, (count, most - 1)))


_TRIES_OF_LENGTH = 100
"""Of a condition that few commands of some length meet, all may be excluded: then another length takes its place."""

_HAS_JUMP = phrases_that(lambda phrase: phrase.verb == "jump")
_IS_AROUND_RIGHT = phrases_that(lambda phrase: phrase.manner == "around" and phrase.direction == "right")
_JUMP = PHRASES.index(Phrase("jump"))
_SHARE_OF_JUMP = 0.1


def _is_just_jump(block):
    return (block.lengths == 1) & (block.phrases[:, 0] == _JUMP)


def _one_direction(random, block):
    left = random.integers(2, (len(block), 1)) == 0
    return CommandBlock(block.lengths, turn_phrases(block.phrases, left), block.conjunctions)


def _first_half(block):
    return np.arange(block.phrases.shape[1]) < (block.lengths // 2)[:, None]


def _left_then_right(random, block):
    return CommandBlock(block.lengths, turn_phrases(block.phrases, _first_half(block)), block.conjunctions)


def _right_then_left(random, block):
    return CommandBlock(block.lengths, turn_phrases(block.phrases, ~_first_half(block)), block.conjunctions)


def _sometimes_just_jump(random, block):
    chosen = random.uniform((len(block),)) < _SHARE_OF_JUMP
    phrases = block.phrases.copy()
    phrases[chosen, 0] = _JUMP
    return CommandBlock(np.where(chosen, 1, block.lengths), phrases, block.conjunctions)


def _range(first, last):
    return tuple(range(first, last + 1))


def distributions(task: str, parts: tuple[int, int] = (1, 10)) -> tuple[Distribution, Distribution]:
    """A task's training and test distributions.

    Args:
        task: a task's identifier.
        parts: the smallest and the largest number of parts, for `"iid"` alone.

    Returns:
        Two `Distribution`: training and test.
    """
    if task == "iid":
        both = Distribution(_range(*parts))
        return both, both
    if task == "length_generalization":
        return Distribution(_range(1, 6)), Distribution(_range(7, 10))
    if task == "length_generalization_hard":
        return Distribution((6,)), Distribution((*_range(1, 5), *_range(7, 10)))
    if task == "length_generalization_hardest":
        return Distribution((1,)), Distribution(_range(2, 6))
    if task == "compose_different_concepts":
        train = Distribution(_range(2, 6), directed=True, arrange=_one_direction)
        test = Distribution(_range(2, 6), directed=True, condition=lambda block: block.any_phrase(IS_LEFT) & block.any_phrase(IS_RIGHT))
        return train, test
    if task == "switch_concept_order":
        return (
            Distribution(_range(2, 6), directed=True, arrange=_left_then_right),
            Distribution(_range(2, 6), directed=True, arrange=_right_then_left),
        )
    if task == "compose_new_operation":
        return (
            Distribution(_range(1, 6), condition=lambda block: ~block.any_phrase(_HAS_JUMP), arrange=_sometimes_just_jump),
            Distribution(_range(1, 6), condition=lambda block: block.any_phrase(_HAS_JUMP) & ~_is_just_jump(block)),
        )
    assert task == "add_operation_functionality", task
    return (
        Distribution(_range(1, 6), condition=lambda block: ~block.any_phrase(_IS_AROUND_RIGHT)),
        Distribution(_range(1, 6), condition=lambda block: block.any_phrase(_IS_AROUND_RIGHT)),
    )


def factorial_distributions(factors: tuple[str, str], design: FactorialDesign, parts: tuple[int, int] = (1, 6)):
    """The distributions of a split that holds out combinations of two factors.

    Args:
        factors: the two factors.
        design: which of their cells are held out.
        parts: the smallest and the largest number of parts.

    Returns:
        Two `Distribution`: training, without a part in a held-out cell, and test, with at least one in each command.
    """
    held_out = set(design.held_out)

    def is_held_out(phrase):
        values = factors_of(phrase)
        return tuple(values[factor] for factor in factors) in held_out

    in_held_out_cell = phrases_that(is_held_out)
    lengths = _range(*parts)
    return (
        Distribution(lengths, condition=lambda block: ~block.any_phrase(in_held_out_cell)),
        Distribution(lengths, condition=lambda block: block.any_phrase(in_held_out_cell)),
    )
