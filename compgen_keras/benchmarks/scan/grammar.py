"""SCAN's commands and what they mean: Figure 2 of Shi et al., generalised from Lake and Baroni (2018) to any number of parts."""

from dataclasses import dataclass

from compgen_keras.errors import InputError

ACTION_OF_VERB = {"walk": "WALK", "look": "LOOK", "run": "RUN", "jump": "JUMP"}
VERBS = (*ACTION_OF_VERB, "turn")
TURN_OF_DIRECTION = {"left": "LTURN", "right": "RTURN"}
DIRECTIONS = tuple(TURN_OF_DIRECTION)
MANNERS = ("opposite", "around")
REPEATS = {"twice": 2, "thrice": 3}
CONJUNCTIONS = ("and", "after")
WORDS = (*VERBS, *DIRECTIONS, *MANNERS, *REPEATS, *CONJUNCTIONS)
ACTIONS = (*ACTION_OF_VERB.values(), *TURN_OF_DIRECTION.values())

ORIGINAL_SPELLING = {
    "WALK": "I_WALK",
    "LOOK": "I_LOOK",
    "RUN": "I_RUN",
    "JUMP": "I_JUMP",
    "LTURN": "I_TURN_LEFT",
    "RTURN": "I_TURN_RIGHT",
}
"""The spelling of the actions in the data of Lake and Baroni (2018)."""


@dataclass(frozen=True)
class Phrase:
    """The words of one part of a command.

    Attributes:
        verb: one of `VERBS`; `"turn"` only with a direction.
        manner: `"opposite"`, `"around"` or None; only with a direction.
        direction: `"left"`, `"right"` or None.
        repeat: `"twice"`, `"thrice"` or None.

    Example:

    >>> phrase = Phrase("jump", "opposite", "left", "twice")
    >>> " ".join(phrase.words)
    'jump opposite left twice'
    >>> phrase.actions
    ('LTURN', 'LTURN', 'JUMP', 'LTURN', 'LTURN', 'JUMP')
    """

    verb: str
    manner: str | None = None
    direction: str | None = None
    repeat: str | None = None

    @property
    def words(self) -> tuple[str, ...]:
        """The phrase as written."""
        return tuple(word for word in (self.verb, self.manner, self.direction, self.repeat) if word)

    @property
    def actions(self) -> tuple[str, ...]:
        """What the phrase means; `turn` contributes no action of its own, a repeat repeats the whole."""
        act = (ACTION_OF_VERB[self.verb],) if self.verb in ACTION_OF_VERB else ()
        turn = (TURN_OF_DIRECTION[self.direction],) if self.direction else ()
        if self.manner == "around":
            once = (turn + act) * 4
        elif self.manner == "opposite":
            once = turn + turn + act
        else:
            once = turn + act
        return once * REPEATS.get(self.repeat, 1)


@dataclass(frozen=True)
class Command:
    """A parsed command: phrases joined by conjunctions.

    Attributes:
        phrases: the n phrases as written, from left to right.
        conjunctions: the n - 1 words between them, each `"and"` or `"after"`.
    """

    phrases: tuple[Phrase, ...]
    conjunctions: tuple[str, ...]

    @property
    def phrases_in_program_order(self) -> tuple[Phrase, ...]:
        """The phrases as they are carried out: `and` binds tighter than `after`, and what stands after `after` comes first."""
        groups = [[self.phrases[0]]]
        for conjunction, phrase in zip(self.conjunctions, self.phrases[1:], strict=True):
            if conjunction == "after":
                groups.append([phrase])
            else:
                groups[-1].append(phrase)
        return tuple(phrase for group in reversed(groups) for phrase in group)

    def __str__(self) -> str:
        words = list(self.phrases[0].words)
        for conjunction, phrase in zip(self.conjunctions, self.phrases[1:], strict=True):
            words += [conjunction, *phrase.words]
        return " ".join(words)


class _Reader:
    """Reads a command's words from left to right and knows where it stands."""

    def __init__(self, text):
        if not isinstance(text, str):
            raise InputError(f"a command is a string of words, but {text!r} was given.")
        self.words = text.split()
        if not self.words:
            raise InputError("the command is empty; expected words such as 'jump left twice and walk'.")
        self.place = 0
        for place, word in enumerate(self.words, start=1):
            if word not in WORDS:
                raise InputError(f"word {place} of the command is {word!r}, which is no SCAN word; expected one of {', '.join(WORDS)}.")

    def take(self, options):
        """The next word if it is one of `options`, else None."""
        if self.place < len(self.words) and self.words[self.place] in options:
            self.place += 1
            return self.words[self.place - 1]
        return None

    def require(self, options):
        """The next word, which must be one of `options`."""
        word = self.take(options)
        if word is None:
            expected = options[0] if len(options) == 1 else f"{', '.join(options[:-1])} or {options[-1]}"
            if self.place < len(self.words):
                found = f"word {self.place + 1} of the command is {self.words[self.place]!r}"
            else:
                found = f"the command ends after word {self.place}, {self.words[-1]!r}"
            raise InputError(f"{found}; expected {expected} there.")
        return word


def parse(text: str) -> Command:
    """Parses a command.

    Args:
        text: words separated by white space.

    Returns:
        The `Command`.

    Raises:
        ValueError: the text is outside the grammar; the message names the word and its place, counted from 1.

    Example:

    >>> parse("jump left twice and walk").conjunctions
    ('and',)
    """
    reader = _Reader(text)
    phrases, conjunctions = [_read_phrase(reader)], []
    while reader.place < len(reader.words):
        conjunctions.append(reader.require(CONJUNCTIONS))
        phrases.append(_read_phrase(reader))
    return Command(tuple(phrases), tuple(conjunctions))


def _read_phrase(reader):
    verb = reader.require(VERBS)
    manner = reader.take(MANNERS)
    if manner:
        direction = reader.require(DIRECTIONS)
    elif verb == "turn":
        direction = reader.take(DIRECTIONS) or reader.require((*DIRECTIONS, *MANNERS))
    else:
        direction = reader.take(DIRECTIONS)
    return Phrase(verb, manner, direction, reader.take(tuple(REPEATS)))


def translate(text: str) -> tuple[tuple[str, ...], ...]:
    """Translates a command into its program, part by part.

    Args:
        text: words separated by white space.

    Returns:
        The parts in the order in which they are carried out, each a tuple of action tokens.

    Raises:
        ValueError: the text is outside the grammar; the message names the word and its place, counted from 1.

    Reference: Figure 2 of Shi et al.

    Example:

    >>> translate("jump left twice and run right after walk thrice")
    (('WALK', 'WALK', 'WALK'), ('LTURN', 'JUMP', 'LTURN', 'JUMP'), ('RTURN', 'RUN'))
    """
    return tuple(phrase.actions for phrase in parse(text).phrases_in_program_order)
