"""What the phrases of SCAN's commands vary in, and splits that hold out combinations of it."""

from compgen_keras.benchmarks.factorial_design import FactorialDesign, diagonal_design
from compgen_keras.benchmarks.scan.grammar import DIRECTIONS, MANNERS, REPEATS, VERBS, Phrase
from compgen_keras.benchmarks.scan.sampler import PHRASES
from compgen_keras.errors import InputError

NONE = "none"
"""The value of a factor of which a phrase has no word."""

_DIRECTION_PHRASES = tuple(" ".join(filter(None, (manner, direction))) for manner in (None, *MANNERS) for direction in DIRECTIONS)

FACTORS = {
    "verb": VERBS,
    "direction_phrase": (NONE, *_DIRECTION_PHRASES),
    "manner": (NONE, *MANNERS),
    "direction": (NONE, *DIRECTIONS),
    "repeat": (NONE, *REPEATS),
}
"""The factors of a phrase with their values, in order."""


def factors_of(phrase: Phrase) -> dict[str, str]:
    """A phrase's value of each factor.

    Example:

    >>> factors_of(Phrase("jump", "around", "left"))["direction_phrase"]
    'around left'
    """
    direction_phrase = " ".join(word for word in (phrase.manner, phrase.direction) if word)
    return {
        "verb": phrase.verb,
        "direction_phrase": direction_phrase or NONE,
        "manner": phrase.manner or NONE,
        "direction": phrase.direction or NONE,
        "repeat": phrase.repeat or NONE,
    }


def factorial_design(factors: tuple[str, str], diagonal: int | None = None, cells=None) -> FactorialDesign:
    """The cells of two factors that a split of SCAN holds out.

    Args:
        factors: two names of `FACTORS`.
        diagonal: which anti-diagonal, see `diagonal_design`; None: 0 if there are no `cells`.
        cells: pairs of values to hold out instead; None: the diagonal.

    Raises:
        ValueError: both `diagonal` and `cells`, or cells that cannot be held out, see `FactorialDesign`.
    """
    first, second = factors
    rows, columns = FACTORS[first], FACTORS[second]
    phrases = [factors_of(phrase) for phrase in PHRASES]
    existing = {(values[first], values[second]) for values in phrases}
    possible = tuple((row, column) for row in rows for column in columns if (row, column) in existing)
    if cells is None:
        return diagonal_design(rows, columns, 0 if diagonal is None else diagonal, possible)
    if diagonal is not None:
        raise InputError(f"both diagonal={diagonal!r} and cells={cells!r} were given; expected one of them.")
    return FactorialDesign(rows, columns, _checked_cells(cells), possible)


def checked_factors(factors) -> tuple[str, str]:
    """Two names of `FACTORS`, from a sequence or from one string with a comma.

    Raises:
        ValueError: unknown or equal factors.
    """
    names = factors.split(",") if isinstance(factors, str) else factors
    names = tuple(name.strip() if isinstance(name, str) else name for name in names) if isinstance(names, (list, tuple)) else ()
    if len(names) != 2 or names[0] == names[1] or any(not isinstance(name, str) or name not in FACTORS for name in names):
        raise InputError(f"factors is {factors!r}; expected two different ones of {', '.join(FACTORS)}.")
    return names


def _checked_cells(cells):
    pairs = [tuple(cell) for cell in cells] if isinstance(cells, (list, tuple)) and all(isinstance(c, (list, tuple)) for c in cells) else []
    if not pairs or any(len(pair) != 2 or not all(isinstance(value, str) for value in pair) for pair in pairs):
        raise InputError(f"cells is {cells!r}; expected pairs of values such as [('jump', 'left'), ('run', 'around right')].")
    return tuple(dict.fromkeys(pairs))
