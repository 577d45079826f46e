"""What SCAN's commands are composed of, and which combinations each task holds out."""

from functools import cache, lru_cache
from itertools import combinations, product

from compgen_keras.benchmarks.composition import Composition, Grid, number_of_parts
from compgen_keras.benchmarks.factorial_design import FactorialDesign
from compgen_keras.benchmarks.scan.factors import FACTORS, factors_of
from compgen_keras.benchmarks.scan.grammar import DIRECTIONS, Command


def composition_of_command(command: Command) -> Composition:
    """Atoms, compounds and elements of a command.

    Atoms are the words. Compounds are: of each phrase the combinations of two words and more, and the word of a phrase of one; of
    each two neighbouring phrases the two verbs, and the two directions, with the conjunction between them; and the number of parts.
    Elements are the phrases, with the factors of `FACTORS`, the direction of the phrase after it (`"next_direction"`), its place in the
    command from 1 (`"place"`), and the command's number of parts (`"parts"`).

    Example:

    >>> from compgen_keras.benchmarks.scan import parse
    >>> composition_of_command(parse("jump twice after turn left")).compounds
    (('jump', 'twice'), ('turn', 'left'), ('jump', 'after', 'turn'), ('2 parts',))
    """
    phrases, count = command.phrases, len(command.phrases)
    atoms = [word for phrase in phrases for word in phrase.words]
    compounds = [compound for phrase in phrases for compound in _compounds_of(phrase)]
    for first, conjunction, second in zip(phrases, command.conjunctions, phrases[1:], strict=False):
        compounds.append((first.verb, conjunction, second.verb))
        if first.direction and second.direction:
            compounds.append((first.direction, conjunction, second.direction))
    values = [_values_of(phrase) for phrase in phrases]
    following = [*(each["direction"] for each in values[1:]), "no phrase"]
    elements = tuple(
        {**each, "next_direction": after, "place": str(place), "parts": str(count)}
        for place, (each, after) in enumerate(zip(values, following, strict=True), start=1)
    )
    return Composition((*atoms, *command.conjunctions), (*compounds, number_of_parts(count)), elements)


_values_of = lru_cache(maxsize=None)(factors_of)


@cache
def _compounds_of(phrase):
    words = phrase.words
    if len(words) == 1:
        return (words,)
    return tuple(chosen for size in range(2, len(words) + 1) for chosen in combinations(words, size))


def grid_of_task(task: str, train_parts, test_parts, factors=None, design: FactorialDesign | None = None) -> Grid:
    """The two factors that show what a task shifts, and the cells it holds out.

    Args:
        task: the task's identifier.
        train_parts: the numbers of parts in training.
        test_parts: those in the test.
        factors: of `"factorial"`, its two factors.
        design: of `"factorial"`, its design.
    """
    if design is not None:
        return Grid(tuple(factors), design.rows, design.columns, design.held_out)
    verbs, phrases, directions = FACTORS["verb"], FACTORS["direction_phrase"], FACTORS["direction"]
    if task.startswith("length_generalization"):
        lengths = [str(parts) for parts in sorted({*train_parts, *test_parts})]
        new = [str(parts) for parts in sorted({*test_parts} - {*train_parts})]
        return Grid(("direction_phrase", "parts"), phrases, tuple(lengths), tuple(product(phrases, new)))
    if task in ("compose_different_concepts", "switch_concept_order"):
        left, right = DIRECTIONS
        held_out = ((left, right), (right, left)) if task == "compose_different_concepts" else ((right, left),)
        return Grid(("direction", "next_direction"), directions[1:], (*directions[1:], "no phrase"), held_out)
    held_out = {
        "compose_new_operation": tuple(("jump", phrase) for phrase in phrases[1:]),
        "add_operation_functionality": tuple((verb, "around right") for verb in verbs),
    }
    return Grid(("verb", "direction_phrase"), verbs, phrases, held_out.get(task, ()))
