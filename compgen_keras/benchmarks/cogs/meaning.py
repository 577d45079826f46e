"""COGS's logical forms: what a sentence says, as conjuncts over its words' places."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Entity:
    """What a noun phrase stands for.

    Attributes:
        place: place of the noun in the sentence, from 0.
        name: the name itself for a proper noun; None for a common noun, which is a variable.
    """

    place: int
    name: str | None = None

    def __str__(self):
        return self.name or variable(self.place)


def variable(place: int) -> str:
    """The variable of the word at a place."""
    return f"x _ {place}"


@dataclass
class Meaning:
    """A logical form as it is put together.

    Attributes:
        definites: places and lemmas of definite nouns.
        conjuncts: for each conjunct the places of its arguments, by which they are ordered, and its text.
    """

    definites: list[tuple[int, str]] = field(default_factory=list)
    conjuncts: list[tuple[tuple[int, ...], str]] = field(default_factory=list)

    def add_noun(self, place: int, lemma: str, definite: bool) -> None:
        """A common noun."""
        if definite:
            self.definites.append((place, lemma))
        else:
            self.conjuncts.append(((place,), f"{lemma} ( {variable(place)} )"))

    def add_relation(self, predicate: str, place: int, argument: Entity) -> None:
        """A predicate such as `eat . agent` of the word at a place and an entity."""
        self.conjuncts.append(((place, argument.place), f"{predicate} ( {variable(place)} , {argument} )"))

    @property
    def parts(self) -> tuple[str, ...]:
        """The definites with their `;`, then the conjuncts, each but the last with the `AND` that follows it."""
        definites = [f"* {lemma} ( {variable(place)} ) ;" for place, lemma in sorted(self.definites)]
        conjuncts = [text for _, text in sorted(self.conjuncts, key=lambda conjunct: conjunct[0])]
        return (*definites, *(f"{text} AND" for text in conjuncts[:-1]), *conjuncts[-1:])

    def __str__(self):
        return " ".join(self.parts)


_LAST = (";", "AND")


def parts_of_form(form: str) -> tuple[tuple[str, ...], ...]:
    """The parts of a logical form: each definite with its `;`, each conjunct with the `AND` that follows it.

    Args:
        form: any text of tokens separated by spaces.

    Returns:
        A tuple of tokens for each part.

    Example:

    >>> parts_of_form("* cat ( x _ 1 ) ; sleep . agent ( x _ 2 , x _ 1 )")[0]
    ('*', 'cat', '(', 'x', '_', '1', ')', ';')
    """
    parts = [[]]
    for token in form.split():
        parts[-1].append(token)
        if token in _LAST:
            parts.append([])
    return tuple(tuple(part) for part in parts if part)
