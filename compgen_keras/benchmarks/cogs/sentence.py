"""Sentences as they are put together: noun phrases and clauses, which say both their words and their meaning."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from compgen_keras.benchmarks.cogs.lexicon import lemmas
from compgen_keras.benchmarks.cogs.meaning import Entity, Meaning


@dataclass(frozen=True)
class NounPhrase:
    """A name, or a determiner and a common noun with or without a prepositional phrase.

    Attributes:
        noun: the noun as it stands in the sentence.
        definite: True for `the`, False for `a`, None for a name.
        phrase: None, or the preposition and the noun phrase behind it.
    """

    noun: str
    definite: bool | None = None
    phrase: tuple[str, NounPhrase] | None = None

    @property
    def depth(self) -> int:
        """How many prepositional phrases are nested in it."""
        return 0 if self.phrase is None else 1 + self.phrase[1].depth

    def nouns(self) -> Iterator[str]:
        """All its nouns and names."""
        yield self.noun
        if self.phrase is not None:
            yield from self.phrase[1].nouns()


@dataclass(frozen=True)
class Clause:
    """A subject, a verb, and what follows it.

    Attributes:
        subject: the subject.
        role: what the subject is to the verb: `"agent"`, `"theme"` or `"recipient"`.
        verb: the verb as it stands in the sentence.
        passive: whether `was` stands before the verb.
        objects: for each what stands before it (`None`, `"to"` or `"by"`), its role, and itself.
        infinitive: the verb behind `to`, whose agent is the subject, too; or None.
        complement: the clause behind `that`; or None.
    """

    subject: NounPhrase
    role: str
    verb: str
    passive: bool = False
    objects: tuple[tuple[str | None, str, NounPhrase], ...] = ()
    infinitive: str | None = None
    complement: Clause | None = None

    @property
    def depth(self) -> int:
        """How many clauses behind `that` are nested in it."""
        return 0 if self.complement is None else 1 + self.complement.depth

    def noun_phrases(self) -> Iterator[NounPhrase]:
        """Subjects and objects, its own and those of the clauses nested in it."""
        yield self.subject
        for _, _, noun_phrase in self.objects:
            yield noun_phrase
        if self.complement is not None:
            yield from self.complement.noun_phrases()

    def nouns(self) -> list[str]:
        """All nouns and names."""
        return [noun for noun_phrase in self.noun_phrases() for noun in noun_phrase.nouns()]


@dataclass(frozen=True)
class Statement:
    """A sentence and its logical form.

    Attributes:
        sentence: the words, separated by spaces.
        meaning: what they say.
    """

    sentence: str
    meaning: Meaning


def statement(clause: Clause) -> Statement:
    """The sentence that consists of a clause.

    Args:
        clause: the clause.

    Returns:
        The `Statement`.

    Example:

    >>> said = statement(Clause(NounPhrase("cat", definite=True), "agent", "slept"))
    >>> said.sentence, str(said.meaning)
    ('The cat slept .', '* cat ( x _ 1 ) ; sleep . agent ( x _ 2 , x _ 1 )')
    """
    words, meaning = [], Meaning()
    _write_clause(clause, words, meaning)
    words[0] = words[0][0].upper() + words[0][1:]
    return Statement(" ".join([*words, "."]), meaning)


def _write_clause(clause, words, meaning):
    """Adds a clause's words and meaning; returns its verb's place."""
    subject = _write_noun_phrase(clause.subject, words, meaning)
    if clause.passive:
        words.append("was")
    place, verb = len(words), lemmas()[clause.verb]
    words.append(clause.verb)
    meaning.add_relation(f"{verb} . {clause.role}", place, subject)
    for preposition, role, noun_phrase in clause.objects:
        if preposition:
            words.append(preposition)
        meaning.add_relation(f"{verb} . {role}", place, _write_noun_phrase(noun_phrase, words, meaning))
    if clause.infinitive:
        words += ["to", clause.infinitive]
        meaning.add_relation(f"{verb} . xcomp", place, Entity(len(words) - 1))
        meaning.add_relation(f"{clause.infinitive} . agent", len(words) - 1, subject)
    if clause.complement:
        words.append("that")
        meaning.add_relation(f"{verb} . ccomp", place, Entity(_write_clause(clause.complement, words, meaning)))
    return place


def _write_noun_phrase(noun_phrase, words, meaning):
    """Adds a noun phrase's words and meaning; returns its `Entity`."""
    if noun_phrase.definite is None:
        words.append(noun_phrase.noun)
        return Entity(len(words) - 1, noun_phrase.noun)
    words += ["the" if noun_phrase.definite else "a", noun_phrase.noun]
    place, lemma = len(words) - 1, noun_phrase.noun.lower()
    meaning.add_noun(place, lemma, noun_phrase.definite)
    if noun_phrase.phrase is not None:
        preposition, inner = noun_phrase.phrase
        words.append(preposition)
        meaning.add_relation(f"{lemma} . nmod . {preposition}", place, _write_noun_phrase(inner, words, meaning))
    return Entity(place)
