"""Logical forms read back from tokens, such as those a model writes."""

from dataclasses import dataclass
from functools import cache

from compgen_keras.benchmarks.cogs.lexicon import PREPOSITIONS, common_nouns, infinitives, lemmas, proper_nouns

_ROLES = ("agent", "theme", "recipient", "ccomp", "xcomp")
_BOUND = ("a", "b", "e")


@dataclass(frozen=True)
class Fact:
    """One conjunct or definite.

    Attributes:
        word: the noun's or verb's lemma.
        label: `"definite"` or `"noun"`, a verb's role such as `"agent"`, or a preposition.
        arguments: names, and variables as integers or, of a primitive, as letters.
    """

    word: str
    label: str
    arguments: tuple[int | str, ...]

    @property
    def variables(self) -> tuple[int | str, ...]:
        """The arguments that are no names."""
        return tuple(argument for argument in self.arguments if not is_name(argument))


@dataclass(frozen=True)
class Form:
    """A logical form.

    Attributes:
        facts: definites, then conjuncts, in order.
        bound: the variables behind a primitive's `LAMBDA`s, in order.
        name: the name that a name's primitive consists of.
    """

    facts: tuple[Fact, ...]
    bound: tuple[str, ...] = ()
    name: str | None = None


def is_name(argument) -> bool:
    """Whether an argument is a name rather than a variable."""
    return isinstance(argument, str) and argument not in _BOUND


def read_form(tokens) -> Form | None:
    """The logical form that tokens spell; None if they spell none.

    Args:
        tokens: a sequence of token strings.

    Example:

    >>> read_form("sleep . agent ( x _ 1 , Emma )".split()).facts
    (Fact(word='sleep', label='agent', arguments=(1, 'Emma')),)
    >>> read_form("sleep . agent ( x _ 1 , Emma".split()) is None
    True
    """
    try:
        return _Reader(tuple(tokens)).form()
    except _NoFormError:
        return None


class _NoFormError(Exception):
    pass


class _Reader:
    def __init__(self, tokens):
        self.tokens = tokens
        self.place = 0

    def form(self):
        if len(self.tokens) == 1 and self.tokens[0] in proper_nouns():
            return Form((), name=self.tokens[0])
        bound = []
        while self._peek() == "LAMBDA":
            self._take("LAMBDA")
            bound.append(self._one_of(_BOUND))
            self._take(".")
        facts = []
        while self._peek() == "*":
            self._take("*")
            facts.append(self._noun(self._one_of(_nouns()), "definite"))
            self._take(";")
        facts.append(self._conjunct(bound))
        while self.place < len(self.tokens):
            self._take("AND")
            facts.append(self._conjunct(bound))
        return Form(tuple(facts), tuple(bound))

    def _conjunct(self, bound):
        word = self._next()
        if self._peek() == "(":
            self._require(word in _nouns())
            return self._noun(word, "noun", bound)
        self._take(".")
        label = self._next()
        if label == "nmod":
            self._require(word in _nouns())
            self._take(".")
            label = self._one_of(PREPOSITIONS)
        else:
            self._require(label in _ROLES and word in _verbs())
        self._take("(")
        first = self._variable(bound)
        self._take(",")
        second = self._next() if self._peek() in proper_nouns() else self._variable(bound)
        self._take(")")
        return Fact(word, label, (first, second))

    def _noun(self, word, label, bound=()):
        self._take("(")
        variable = self._variable(bound)
        self._take(")")
        return Fact(word, label, (variable,))

    def _variable(self, bound):
        if bound:
            return self._one_of(bound)
        self._take("x")
        self._take("_")
        digits = self._next()
        self._require(digits.isdecimal() and digits.isascii() and len(digits) < 5)
        return int(digits)

    def _peek(self):
        return self.tokens[self.place] if self.place < len(self.tokens) else None

    def _next(self):
        self._require(self.place < len(self.tokens))
        self.place += 1
        return self.tokens[self.place - 1]

    def _take(self, wanted):
        self._require(self._next() == wanted)

    def _one_of(self, allowed):
        token = self._next()
        self._require(token in allowed)
        return token

    @staticmethod
    def _require(holds):
        if not holds:
            raise _NoFormError


@cache
def _nouns():
    return {noun.lower() for noun in common_nouns()}


@cache
def _verbs():
    return {*lemmas().values(), *infinitives()}
