"""Random commands, a block at a time: all of a block's commands are drawn at once, as arrays of phrase numbers."""

from dataclasses import dataclass

import numpy as np

from compgen_keras.benchmarks.example import Example
from compgen_keras.benchmarks.ragged import Ragged
from compgen_keras.benchmarks.randomness import RandomBlock
from compgen_keras.benchmarks.scan.grammar import ACTION_OF_VERB, ACTIONS, CONJUNCTIONS, DIRECTIONS, VERBS, WORDS, Command, Phrase

_REPEATS = (None, "twice", "thrice")
_PLAIN_VERBS = tuple(ACTION_OF_VERB)
_MANNERS = (None, "opposite", "around")

PHRASES = tuple(Phrase(verb, repeat=repeat) for repeat in _REPEATS for verb in _PLAIN_VERBS) + tuple(
    Phrase(verb, manner, direction, repeat) for repeat in _REPEATS for manner in _MANNERS for direction in DIRECTIONS for verb in VERBS
)
"""All 102 phrases; a phrase's number is its place here."""

_NUM_PLAIN = len(_REPEATS) * len(_PLAIN_VERBS)
MAX_WORDS = max(len(phrase.words) for phrase in PHRASES)
MAX_ACTIONS = max(len(phrase.actions) for phrase in PHRASES)


def phrases_that(condition) -> np.ndarray:
    """Which of `PHRASES` meet a condition, as 102 booleans."""
    return np.array([condition(phrase) for phrase in PHRASES])


def _table(rows, width, fill):
    table = np.full((len(rows) + 1, width), fill, dtype=np.int32)
    for i, row in enumerate(rows):
        table[i, : len(row)] = row
    return table


_NONE = -2
_SEPARATOR = -1
_WORD_IDS = _table([[WORDS.index(word) for word in phrase.words] for phrase in PHRASES], MAX_WORDS, _NONE)
_ACTION_IDS = _table([[ACTIONS.index(a) for a in phrase.actions] for phrase in PHRASES], MAX_ACTIONS, _NONE)
_ACTION_IDS_CLOSED = _table([[ACTIONS.index(a) for a in p.actions] + [_SEPARATOR] for p in PHRASES], MAX_ACTIONS + 1, _NONE)
_CONJUNCTION_IDS = np.array([WORDS.index(word) for word in CONJUNCTIONS], dtype=np.int32)
_AFTER = CONJUNCTIONS.index("after")


def draw_phrases(random: RandomBlock, shape, directed: bool) -> np.ndarray:
    """Draws phrase numbers.

    Args:
        random: source of random numbers.
        shape: of the result.
        directed: leave out the template without a direction.

    Returns:
        Integers of that shape: one of the templates `V`, `P D`, `P opposite D`, `P around D`, each as likely, its words likewise,
        then with probability one half `twice` or `thrice`.
    """
    template = random.integers(3, shape) + 1 if directed else random.integers(4, shape)
    repeat = random.integers(4, shape)
    repeat = np.where(repeat < 2, 0, repeat - 1)
    verb = random.uniform(shape)
    direction = random.integers(len(DIRECTIONS), shape)
    plain = repeat * len(_PLAIN_VERBS) + np.floor(verb * len(_PLAIN_VERBS)).astype(np.int64)
    manner = np.maximum(template - 1, 0)
    group = (repeat * len(_MANNERS) + manner) * len(DIRECTIONS) + direction
    with_direction = _NUM_PLAIN + group * len(VERBS) + np.floor(verb * len(VERBS)).astype(np.int64)
    return np.where(template == 0, plain, with_direction)


_OTHER_DIRECTION = np.array(
    [
        PHRASES.index(Phrase(p.verb, p.manner, DIRECTIONS[1 - DIRECTIONS.index(p.direction)], p.repeat)) if p.direction else i
        for i, p in enumerate(PHRASES)
    ]
)
IS_LEFT = phrases_that(lambda phrase: phrase.direction == "left")
IS_RIGHT = phrases_that(lambda phrase: phrase.direction == "right")


def turn_phrases(phrases: np.ndarray, left: np.ndarray) -> np.ndarray:
    """The same phrases with the direction left where `left` is true and right elsewhere; phrases without one stay."""
    return np.where(np.where(left, IS_RIGHT[phrases], IS_LEFT[phrases]), _OTHER_DIRECTION[phrases], phrases)


@dataclass(frozen=True)
class CommandBlock:
    """Many commands as arrays.

    Attributes:
        lengths: (commands,) number of parts of each.
        phrases: (commands, most parts) phrase numbers; what lies past a command's length has no meaning.
        conjunctions: (commands, most parts - 1) indices into `CONJUNCTIONS`, likewise.
    """

    lengths: np.ndarray
    phrases: np.ndarray
    conjunctions: np.ndarray

    def __len__(self) -> int:
        return len(self.lengths)

    @property
    def exists(self) -> np.ndarray:
        """(commands, most parts) booleans: where a phrase is one of the command's."""
        return np.arange(self.phrases.shape[1]) < self.lengths[:, None]

    def rows(self, rows) -> "CommandBlock":
        """A part of the block, by slice or by indices."""
        return CommandBlock(self.lengths[rows], self.phrases[rows], self.conjunctions[rows])

    def command(self, row: int) -> Command:
        """One command of the block."""
        n = self.lengths[row]
        phrases = tuple(PHRASES[number] for number in self.phrases[row, :n])
        return Command(phrases, tuple(CONJUNCTIONS[index] for index in self.conjunctions[row, : n - 1]))

    def example(self, row: int) -> Example:
        """One command and its program."""
        command = self.command(row)
        return Example(str(command), tuple(phrase.actions for phrase in command.phrases_in_program_order))

    def any_phrase(self, condition: np.ndarray) -> np.ndarray:
        """(commands,) booleans: whether a command holds a phrase that meets the condition (102 booleans)."""
        return (condition[self.phrases] & self.exists).any(axis=1)

    def replaced(self, rows: np.ndarray, other: "CommandBlock") -> "CommandBlock":
        """A copy in which the commands of `other` stand at these rows."""
        arrays = [array.copy() for array in (self.lengths, self.phrases, self.conjunctions)]
        for array, new in zip(arrays, (other.lengths, other.phrases, other.conjunctions), strict=True):
            array[rows] = new
        return CommandBlock(*arrays)

    def interleaved(self, other: "CommandBlock") -> "CommandBlock":
        """One command of this block, one of `other`, and so on; both have as many commands."""
        most = max(self.phrases.shape[1], other.phrases.shape[1])
        width = {"phrases": most, "conjunctions": most - 1}
        arrays = [np.stack([self.lengths, other.lengths], axis=1).reshape(-1)]
        for name, columns in width.items():
            pair = [np.pad(array, ((0, 0), (0, columns - array.shape[1]))) for array in (getattr(self, name), getattr(other, name))]
            arrays.append(np.stack(pair, axis=1).reshape(2 * len(self), columns))
        return CommandBlock(*arrays)

    def is_among(self, others: "CommandBlock") -> np.ndarray:
        """(commands,) booleans: whether a command is one of `others`."""
        seen = set(others._keys())
        return np.fromiter((key in seen for key in self._keys()), dtype=bool, count=len(self))

    def _keys(self):
        """One bytes object a command: each phrase number with the conjunction after it, so that blocks of any width compare."""
        most = self.phrases.shape[1]
        pairs = np.zeros((len(self), most), dtype=np.int16)
        pairs[:, :-1] = self.conjunctions
        pairs = np.where(np.arange(most) < self.lengths[:, None] - 1, pairs, 0) + 2 * self.phrases
        return [row[:n].tobytes() for n, row in zip(self.lengths.tolist(), pairs.astype(np.int16), strict=True)]

    def spec_ids(self) -> Ragged:
        """The commands as indices into `WORDS`."""
        phrases = np.where(self.exists, self.phrases, len(PHRASES))
        words = np.full((*phrases.shape, MAX_WORDS + 1), _NONE, dtype=np.int32)
        words[:, :, :MAX_WORDS] = _WORD_IDS[phrases]
        words[:, :-1, MAX_WORDS] = np.where(self.exists[:, 1:], _CONJUNCTION_IDS[self.conjunctions], _NONE)
        return _packed(words.reshape(len(self), -1))

    def program_ids(self, separators: bool) -> Ragged:
        """The programs as indices into `ACTIONS`, with -1 after each part if `separators`."""
        group = np.zeros(self.phrases.shape, dtype=np.int64)
        np.cumsum((self.conjunctions == _AFTER) & self.exists[:, 1:], axis=1, out=group[:, 1:])
        order = np.argsort(np.where(self.exists, -group, 1), axis=1, kind="stable")
        phrases = np.take_along_axis(np.where(self.exists, self.phrases, len(PHRASES)), order, axis=1)
        table = _ACTION_IDS_CLOSED if separators else _ACTION_IDS
        return _packed(table[phrases].reshape(len(self), -1))


def _packed(ids):
    real = ids != _NONE
    return Ragged(ids[real], real.sum(axis=1).astype(np.int32))
