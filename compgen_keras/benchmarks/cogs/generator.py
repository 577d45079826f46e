"""The probabilistic grammar of COGS: random noun phrases and clauses."""

import itertools
from bisect import bisect
from functools import cache

from compgen_keras.benchmarks.cogs.lexicon import PREPOSITIONS, word_lists
from compgen_keras.benchmarks.cogs.sentence import Clause, NounPhrase
from compgen_keras.benchmarks.draws import Draws

_EXPONENT = 1.4
_ZETA = 3.1055472779775810
"""The sum of k ** -1.4 over all k from 1."""
_NESTED = 0.1
"""The probability of a prepositional phrase inside another."""
SHARE_OF_EMBEDDING = 0.49 * 0.158
"""The probability that a sentence is a clause behind `that` in another one."""
TRANSITIVE = ("V_trans_omissible", "V_trans_not_omissible", "V_unacc")
"""Verbs that take an object."""


@cache
def _cumulative(size):
    """Zipf's law over the ranks, the mass of all ranks beyond the list spread evenly over it."""
    of_rank = [rank**-_EXPONENT / _ZETA for rank in range(1, size + 1)]
    beyond = (1 - sum(of_rank)) / size
    return list(itertools.accumulate(probability + beyond for probability in of_rank))


class Grammar:
    """Draws from the grammar.

    A method whose arguments are all left out draws what the grammar would; the generalization cases and exposure examples say
    some of them.

    Args:
        draws: source of random choices.
        no_repeats: whether a noun that this grammar has drawn already is drawn anew. A sentence of many nouns would hardly ever be
            drawn without a noun twice; short ones are drawn as the grammar says and thrown away if they have one.
    """

    def __init__(self, draws: Draws, no_repeats: bool = False):
        self.draws = draws
        self._used = set() if no_repeats else None

    def word(self, words: str) -> str:
        """A word of one of the published lists."""
        items = word_lists()[words]
        return items[min(bisect(_cumulative(len(items)), self.draws.uniform()), len(items) - 1)]

    def noun(self, words: str) -> str:
        """A noun or name of one of the published lists."""
        noun = self.word(words)
        while self._used is not None and noun in self._used:
            noun = self.word(words)
        if self._used is not None:
            self._used.add(noun)
        return noun

    def common(self, noun: str, phrase: tuple[str, NounPhrase] | None = None) -> NounPhrase:
        """A noun behind a determiner."""
        return NounPhrase(noun, self.draws.coin(), phrase)

    def phrase(self, depth: int | None = None) -> tuple[str, NounPhrase]:
        """A preposition and what it stands before.

        Args:
            depth: how many phrases are nested, this one included; None: as the grammar says.
        """
        preposition = self.draws.choice(PREPOSITIONS)
        noun = self.noun(f"{preposition}_nouns")
        nested = self.draws.uniform() < _NESTED if depth is None else depth > 1
        return preposition, self.common(noun, self.phrase(None if depth is None else depth - 1) if nested else None)

    def animate(self) -> NounPhrase:
        """A name, or an animate noun without a prepositional phrase."""
        return NounPhrase(self.noun("proper_nouns")) if self.draws.coin() else self.common(self.noun("animate_nouns"))

    def inanimate(self) -> NounPhrase:
        """An inanimate noun, half of the time with a prepositional phrase."""
        return self.common(self.noun("inanimate_nouns"), self.maybe_phrase())

    def theme(self) -> NounPhrase:
        """The object of a transitive verb: as often inanimate as animate.

        In the published training set a third of the animate ones are names.
        """
        if self.draws.coin():
            return self.inanimate()
        if self.draws.below(3) == 0:
            return NounPhrase(self.noun("proper_nouns"))
        return self.common(self.noun("animate_nouns"), self.maybe_phrase())

    def maybe_phrase(self) -> tuple[str, NounPhrase] | None:
        """Half of the time a prepositional phrase."""
        return self.phrase() if self.draws.coin() else None

    def clause(self, embedding: bool = True) -> Clause:
        """Any clause.

        Args:
            embedding: whether there may be a clause behind `that`.
        """
        drawn = self.draws.uniform()
        if drawn < 0.49:
            return self.external(embedding)
        if drawn < 0.49 + 0.06:
            return self.unaccusative()
        if drawn < 0.49 + 0.06 + 0.375:
            return self.passive()
        return self.dative_passive()

    def external(self, embedding: bool = True) -> Clause:
        """A clause with an animate agent as its subject; `embedding` as in `clause`."""
        without = (
            self.unergative,
            lambda: self.transitive("V_unacc"),
            self.without_object,
            lambda: self.transitive("V_trans_omissible"),
            lambda: self.transitive("V_trans_not_omissible"),
            self.with_infinitive,
            self.dative_with_to,
            self.dative_with_two_objects,
        )
        drawn = self.draws.uniform() * (8 * 0.10525 + 0.158 if embedding else 8 * 0.10525)
        kind = int(drawn / 0.10525)
        return without[kind]() if kind < 8 else self.with_complement(self.clause())

    def unergative(self, agent=None) -> Clause:
        """`The cat slept`."""
        return Clause(agent or self.animate(), "agent", self.word("V_unerg"))

    def without_object(self, agent=None, verb=None) -> Clause:
        """`The cat ate`."""
        return Clause(agent or self.animate(), "agent", verb or self.word("V_trans_omissible"))

    def transitive(self, verbs=None, agent=None, verb=None, theme=None) -> Clause:
        """`The cat found a cake`, with a verb of one of the lists of `TRANSITIVE`."""
        agent, verb = agent or self.animate(), verb or self.word(verbs)
        return Clause(agent, "agent", verb, objects=((None, "theme", theme or self.theme()),))

    def with_infinitive(self, agent=None, infinitive=None) -> Clause:
        """`The cat wanted to sleep`."""
        agent, verb = agent or self.animate(), self.word("V_inf_taking")
        return Clause(agent, "agent", verb, infinitive=infinitive or self.word("V_inf"))

    def dative_with_to(self, agent=None, verb=None, theme=None) -> Clause:
        """`The cat gave a cake to Emma`."""
        agent, verb, theme = agent or self.animate(), verb or self.word("V_dat"), theme or self.inanimate()
        return Clause(agent, "agent", verb, objects=((None, "theme", theme), ("to", "recipient", self.animate())))

    def dative_with_two_objects(self, agent=None, verb=None, theme=None) -> Clause:
        """`The cat gave Emma a cake`."""
        agent, verb, recipient = agent or self.animate(), verb or self.word("V_dat"), self.animate()
        return Clause(agent, "agent", verb, objects=((None, "recipient", recipient), (None, "theme", theme or self.inanimate())))

    def with_complement(self, complement: Clause) -> Clause:
        """`The cat said that` and a clause."""
        return Clause(self.animate(), "agent", self.word("V_cp_taking"), complement=complement)

    def unaccusative(self, theme=None, verb=None) -> Clause:
        """`The cake froze`."""
        if theme is None:
            theme = self.common(self.noun("inanimate_nouns")) if self.draws.coin() else self.animate()
        return Clause(theme, "theme", verb or self.word("V_unacc"))

    def passive(self, verb=None, agents=True) -> Clause:
        """`A cake was found by the cat`, and `A cake was given to Emma by the cat`; half of the time without an agent.

        Args:
            verb: a participle that is no dative's; None: any, of the four classes each as likely.
            agents: whether there may be an agent.
        """
        theme, recipient = self.common(self.noun("inanimate_nouns")), ()
        if verb is None:
            words = self.draws.choice(("V_trans_not_omissible_pp", "V_trans_omissible_pp", "V_unacc_pp", "V_dat_pp"))
            verb = self.word(words)
            recipient = (("to", "recipient", self.animate()),) if words == "V_dat_pp" else ()
        return Clause(theme, "theme", verb, passive=True, objects=(*recipient, *(self._maybe_agent() if agents else ())))

    def dative_passive(self) -> Clause:
        """`Emma was given a cake by the cat`; half of the time without an agent."""
        recipient, verb = self.animate(), self.word("V_dat_pp")
        objects = ((None, "theme", self.inanimate()), *self._maybe_agent())
        return Clause(recipient, "recipient", verb, passive=True, objects=objects)

    def _maybe_agent(self):
        return (("by", "agent", self.animate()),) if self.draws.coin() else ()

    def embedded(self, draw) -> Clause:
        """A clause, now and then behind `that` in another, as often as the grammar has it.

        Args:
            draw: called without arguments for the clause.
        """
        if self.draws.uniform() < SHARE_OF_EMBEDDING:
            return self.with_complement(self.embedded(draw))
        return draw()


def is_allowed(clause: Clause, embedding: int = 2, phrases: int = 2) -> bool:
    """Whether a clause has no noun twice, and is not nested too deep.

    Args:
        clause: the clause.
        embedding: clauses behind `that`, nested in each other, that it may have.
        phrases: the same for prepositional phrases.
    """
    nouns = clause.nouns()
    if len(set(nouns)) < len(nouns) or clause.depth > embedding:
        return False
    return all(noun_phrase.depth <= phrases for noun_phrase in clause.noun_phrases())
