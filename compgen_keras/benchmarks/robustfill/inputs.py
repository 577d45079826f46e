"""The strings that RobustFill programs are shown at work on, drawn before the programs and for many tasks at once."""

import string
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from compgen_keras.benchmarks.randomness import RandomBlock
from compgen_keras.benchmarks.robustfill.alphabet import CHARACTERS, TYPES
from compgen_keras.benchmarks.robustfill.dialect import Dialect

_LETTERS = {
    "NUMBER": string.digits,
    "WORD": string.ascii_letters,
    "ALPHANUM": string.ascii_letters + string.digits,
    "ALL_CAPS": string.ascii_uppercase,
    "PROP_CASE": string.ascii_lowercase,
    "LOWER": string.ascii_lowercase,
    "DIGIT": string.digits,
    "CHAR": "".join(CHARACTERS),
}


@dataclass(frozen=True)
class Inputs:
    """The inputs of one task, and what a program for it may look for.

    Attributes:
        strings: the inputs.
        types: types among the kinds of tokens that they are made of, and CHAR if the dialect has it.
        delimiters: delimiters among these kinds, and those that began other tokens.
        counts: for each of both, the largest size of an index.
    """

    strings: tuple[str, ...]
    types: tuple[str, ...]
    delimiters: tuple[str, ...]
    counts: dict[str, int]


def draw_inputs(random: RandomBlock, dialect: Dialect, count: int) -> list[Inputs]:
    """Draws the inputs of some tasks.

    Those of one task are made of tokens of the same few kinds, each kind placed some times. A kind is a delimiter, in the paper's dialect
    with probability 1/3, or a type; a token of a type is a random delimiter and a few characters of that type. When the string is long
    enough, no more tokens are added; they are shuffled, and the string is cut.

    Args:
        random: source of random numbers.
        dialect: how many kinds, tokens and characters, and of what.
        count: number of tasks.

    Returns:
        An `Inputs` for each.

    Reference: section 3 of Shi et al.; what it leaves open, as in the published implementation.
    """
    kinds, repeats, slots = _draw_kinds(random, dialect, count)
    characters, lengths = _draw_tokens(random, dialect, slots)
    before = np.cumsum(lengths, axis=2) - lengths
    lengths = np.where(before < dialect.most_characters, lengths, 0)
    strings = _strings(*_shuffled(random, characters, lengths), dialect.most_characters)
    present_in = _present(dialect, _counts(dialect, kinds, repeats, characters, lengths))
    result = []
    for row in range(count):
        of_task = tuple(strings[row * dialect.pairs : (row + 1) * dialect.pairs])
        present = present_in[row]
        if dialect.whole_alphabet:
            present["CHAR"] = max(map(len, of_task))
        delimiters = tuple([name for name in present if len(name) == 1])
        result.append(Inputs(of_task, tuple([name for name in TYPES if name in present]), delimiters, present))
    return result


def _draw_kinds(random, dialect, count):
    """Kinds as indices into delimiters and then types, (tasks, most kinds); how often each is placed, 0 for those past the task's number
    of kinds; and for each task the kind of each slot for a token, (tasks, most kinds * most repeats), -1 for none."""
    (few, most), (seldom, often) = dialect.kinds, dialect.repeats
    shape = (count, most)
    number = few + random.integers(most - few + 1, (count, 1))
    is_delimiter = random.uniform(shape) < dialect.share_of_delimiters
    if dialect.distinct_kinds:
        types = np.argsort(random.uniform((count, len(dialect.types))), axis=1)[:, :most]
    else:
        types = random.integers(len(dialect.types), shape)
    kinds = np.where(is_delimiter, random.integers(len(dialect.delimiters), shape), len(dialect.delimiters) + types)
    repeats = np.where(np.arange(most) < number, seldom + random.integers(often - seldom + 1, shape), 0)
    slots = np.where(np.arange(often) < repeats[..., None], kinds[..., None], -1).reshape(count, most * often)
    return kinds, repeats, slots


@lru_cache
def _alphabets(dialect):
    """For each kind and each place in a token after the first: what is drawn from, as codes (kinds, places, most), and how many."""
    kinds = (*dialect.delimiters, *dialect.types)
    table = np.zeros((len(kinds), dialect.in_token[1], len(CHARACTERS)), dtype=np.uint8)
    sizes = np.ones(table.shape[:2], dtype=np.int64)
    for number, kind in enumerate(kinds):
        for place in range(dialect.in_token[1]):
            letters = string.ascii_uppercase if kind == "PROP_CASE" and place == 0 else _LETTERS.get(kind, " ")
            table[number, place, : len(letters)] = np.frombuffer(letters.encode(), dtype=np.uint8)
            sizes[number, place] = len(letters)
    return table, sizes


def _draw_tokens(random, dialect, slots):
    """Codes of the characters of each task's, pair's and slot's token, (tasks, pairs, slots, most), and its length, 0 for none."""
    table, sizes = _alphabets(dialect)
    shape = (len(slots), dialect.pairs, slots.shape[1])
    kinds = np.broadcast_to(slots[:, None, :], shape)
    exists, is_delimiter = kinds >= 0, (kinds >= 0) & (kinds < len(dialect.delimiters))
    delimiters = np.frombuffer("".join(dialect.delimiters).encode(), dtype=np.uint8)
    leading = np.where(is_delimiter, kinds, _leading(random, dialect, shape, len(delimiters)))
    indices = random.integers(sizes[kinds], (*shape, dialect.in_token[1]))
    letters = table[kinds[..., None], np.arange(dialect.in_token[1]), indices]
    least, most = dialect.in_token
    fewest = np.array([max(least, 2) if kind == "PROP_CASE" else least for kind in (*dialect.delimiters, *dialect.types)])[kinds]
    typed = 1 + fewest + random.integers(most - fewest + 1, shape)
    lengths = np.where(exists, np.where(is_delimiter, 1, typed), 0)
    return np.concatenate([delimiters[leading][..., None], letters], axis=3), lengths


def _leading(random, dialect, shape, count):
    """For each token the delimiter that it begins with if it has a type, one of `count`."""
    if not dialect.delimiter_of_kind:
        return random.integers(count, shape)
    of_kinds = random.integers(count, (shape[0], 1, dialect.kinds[1]))
    return np.broadcast_to(np.repeat(of_kinds, dialect.repeats[1], axis=2), shape)


def _shuffled(random, characters, lengths):
    order = np.argsort(random.uniform(lengths.shape), axis=2)
    return np.take_along_axis(characters, order[..., None], axis=2), np.take_along_axis(lengths, order, axis=2)


def _strings(characters, lengths, most):
    """The tokens of each task and pair joined and cut."""
    rows = characters.shape[0] * characters.shape[1]
    is_real = (np.arange(characters.shape[3]) < lengths[..., None]).reshape(rows, -1)
    is_real &= np.cumsum(is_real, axis=1) <= most
    text = characters.reshape(rows, -1)[is_real].tobytes().decode("ascii")
    ends = np.cumsum(is_real.sum(axis=1)).tolist()
    return [text[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def _counts(dialect, kinds, repeats, characters, lengths):
    """(tasks, kinds): how often each kind is placed in a string; a delimiter counts for each typed token that it begins, too."""
    count, number = len(kinds), len(dialect.delimiters) + len(dialect.types)
    counts = np.zeros((count, number), dtype=np.int64)
    tasks = np.arange(count)[:, None]
    np.add.at(counts, (tasks, kinds), repeats)
    index = np.zeros(128, dtype=np.int64)
    index[[ord(delimiter) for delimiter in dialect.delimiters]] = np.arange(len(dialect.delimiters))
    np.add.at(counts, (tasks[..., None], index[characters[..., 0]]), lengths > 1)
    return counts


def _present(dialect, counts):
    """For each task a dict of its kinds' names, delimiters first, and their counts."""
    names = (*dialect.delimiters, *dialect.types)
    present = [{} for _ in counts]
    tasks, kinds = counts.nonzero()
    for task, kind, number in zip(tasks.tolist(), kinds.tolist(), counts[tasks, kinds].tolist(), strict=True):
        present[task][names[kind]] = number
    return present
