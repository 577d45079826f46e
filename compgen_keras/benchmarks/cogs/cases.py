"""The 21 generalization cases of COGS: what each draws, and what training shows of its word."""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from compgen_keras.benchmarks.cogs.generator import TRANSITIVE, Grammar, is_allowed
from compgen_keras.benchmarks.cogs.sentence import Clause, NounPhrase, Statement, statement
from compgen_keras.benchmarks.draws import Draws
from compgen_keras.benchmarks.randomness import RandomBlock
from compgen_keras.benchmarks.task import Task

DEPTHS = range(3, 13)
"""Depths of the two cases of recursion; training has 0 to 2."""


@dataclass(frozen=True)
class Case:
    """A generalization case.

    Attributes:
        task: its name, title and question.
        draw: called with a `Grammar` and the sentence's number, draws a clause, which may have to be drawn anew.
        structural: whether structures are new rather than a word's place in a known one.
        embedding: clauses behind `that` nested in each other, at most.
        phrases: prepositional phrases nested in each other, at most.
        no_repeats: see `Grammar`.
    """

    task: Task
    draw: Callable[[Grammar, int], Clause | None]
    structural: bool = False
    embedding: int = 2
    phrases: int = 2
    no_repeats: bool = False

    def statements(self, seed: int) -> Iterator[Statement]:
        """An endless stream of different sentences.

        Args:
            seed: which of the streams.
        """
        draws = Draws(RandomBlock("cogs", self.task.identifier, "test", seed))
        seen = set()
        for number in itertools.count():
            clause = None
            while clause is None or not is_allowed(clause, self.embedding, self.phrases) or clause in seen:
                clause = self.draw(Grammar(draws, self.no_repeats), number)
            seen.add(clause)
            yield statement(clause)


def _proper(word):
    return lambda grammar: NounPhrase(word)


def _common(word, phrase=False):
    """A common noun; with `phrase`, half of the time with a prepositional phrase."""

    def noun_phrase(grammar):
        return grammar.common(word, grammar.maybe_phrase() if phrase else None)

    return noun_phrase


def _as_object(noun_phrase):
    """The word as the object of a transitive or dative verb."""

    def draw(grammar, number):
        frames = [
            *(lambda verbs=verbs: grammar.transitive(verbs, theme=noun_phrase(grammar)) for verbs in TRANSITIVE),
            lambda: grammar.dative_with_to(theme=noun_phrase(grammar)),
            lambda: grammar.dative_with_two_objects(theme=noun_phrase(grammar)),
        ]
        return grammar.embedded(lambda: grammar.draws.choice(frames)())

    return draw


def _as_subject(noun_phrase):
    """The word as the agent of any verb but one that takes a clause."""

    def draw(grammar, number):
        agent = noun_phrase(grammar)
        frames = [
            *(lambda verbs=verbs: grammar.transitive(verbs, agent) for verbs in TRANSITIVE),
            *(lambda frame=frame: frame(agent) for frame in (grammar.unergative, grammar.without_object, grammar.with_infinitive)),
            *(lambda frame=frame: frame(agent) for frame in (grammar.dative_with_to, grammar.dative_with_two_objects)),
        ]
        return grammar.embedded(lambda: grammar.draws.choice(frames)())

    return draw


def _embedded(frame):
    return lambda grammar, number: grammar.embedded(lambda: frame(grammar))


def _phrase_on_subject(grammar, number):
    """A clause whose subject or by-agent has a prepositional phrase; half of those that can have one do."""
    clause = grammar.clause(embedding=False)
    changed = _with_phrases(grammar, clause)
    return None if changed == clause else grammar.embedded(lambda: changed)


def _with_phrases(grammar, clause):
    def changed(noun_phrase):
        if noun_phrase.definite is None or grammar.draws.coin():
            return noun_phrase
        return NounPhrase(noun_phrase.noun, noun_phrase.definite, grammar.phrase())

    objects = tuple((word, role, changed(each) if word == "by" else each) for word, role, each in clause.objects)
    return Clause(changed(clause.subject), clause.role, clause.verb, clause.passive, objects, clause.infinitive)


def _deep_clause(grammar, number):
    clause = grammar.clause(embedding=False)
    for _ in range(DEPTHS[number % len(DEPTHS)]):
        clause = grammar.with_complement(clause)
    return clause


def _deep_phrase(grammar, number):
    noun = grammar.noun("inanimate_nouns" if grammar.draws.coin() else "animate_nouns")
    theme = grammar.common(noun, grammar.phrase(DEPTHS[number % len(DEPTHS)]))
    return grammar.transitive(grammar.draws.choice(TRANSITIVE), theme=theme)


def _lexical(identifier, title, question, draw):
    return Case(Task(identifier, title, question), draw)


CASES = (
    _lexical(
        "subj_to_obj_common",
        "Subject to object (common noun)",
        "Can it read a noun as an object that it has seen as a subject only?",
        _as_object(_common("hedgehog", phrase=True)),
    ),
    _lexical(
        "subj_to_obj_proper",
        "Subject to object (proper noun)",
        "Can it read a name as an object that it has seen as a subject only?",
        _as_object(_proper("Lina")),
    ),
    _lexical(
        "prim_to_obj_common",
        "Primitive to object (common noun)",
        "Can it read a noun as an object that it has seen alone only?",
        _as_object(_common("shark", phrase=True)),
    ),
    _lexical(
        "prim_to_obj_proper",
        "Primitive to object (proper noun)",
        "Can it read a name as an object that it has seen alone only?",
        _as_object(_proper("Paula")),
    ),
    _lexical(
        "obj_to_subj_common",
        "Object to subject (common noun)",
        "Can it read a noun as a subject that it has seen as an object only?",
        _as_subject(_common("cockroach")),
    ),
    _lexical(
        "obj_to_subj_proper",
        "Object to subject (proper noun)",
        "Can it read a name as a subject that it has seen as an object only?",
        _as_subject(_proper("Charlie")),
    ),
    _lexical(
        "prim_to_subj_common",
        "Primitive to subject (common noun)",
        "Can it read a noun as a subject that it has seen alone only?",
        _as_subject(_common("shark")),
    ),
    _lexical(
        "prim_to_subj_proper",
        "Primitive to subject (proper noun)",
        "Can it read a name as a subject that it has seen alone only?",
        _as_subject(_proper("Paula")),
    ),
    _lexical(
        "prim_to_inf_arg",
        "Primitive to infinitival argument",
        "Can it read a verb behind `to` that it has seen alone only?",
        _embedded(lambda grammar: grammar.with_infinitive(infinitive="crawl")),
    ),
    _lexical(
        "active_to_passive",
        "Active to passive",
        "Can it read a verb in the passive that it has seen in the active only?",
        _embedded(lambda grammar: grammar.passive("blessed")),
    ),
    _lexical(
        "passive_to_active",
        "Passive to active",
        "Can it read a verb in the active that it has seen in the passive only?",
        _embedded(lambda grammar: grammar.transitive(verb="squeezed")),
    ),
    _lexical(
        "obj_omitted_transitive_to_transitive",
        "Object-omitted transitive to transitive",
        "Can it read a verb with an object that it has seen without one only?",
        _embedded(lambda grammar: grammar.transitive(verb="baked")),
    ),
    _lexical(
        "unacc_to_transitive",
        "Unaccusative to transitive",
        "Can it read a verb with an object that it has seen with its theme as the subject only?",
        _embedded(lambda grammar: grammar.transitive(verb="shattered")),
    ),
    _lexical(
        "do_dative_to_pp_dative",
        "Double object dative to PP dative",
        "Can it read a verb with `to` and a recipient that it has seen with two objects only?",
        _embedded(lambda grammar: grammar.dative_with_to(verb="teleported")),
    ),
    _lexical(
        "pp_dative_to_do_dative",
        "PP dative to double object dative",
        "Can it read a verb with two objects that it has seen with `to` and a recipient only?",
        _embedded(lambda grammar: grammar.dative_with_two_objects(verb="shipped")),
    ),
    _lexical(
        "only_seen_as_transitive_subj_as_unacc_subj",
        "Agent noun phrase to unaccusative subject",
        "Can it read a noun as the theme of a verb without object that it has seen as an agent only?",
        _embedded(lambda grammar: grammar.unaccusative(_common("cobra")(grammar))),
    ),
    _lexical(
        "only_seen_as_unacc_subj_as_obj_omitted_transitive_subj",
        "Theme noun phrase to object-omitted transitive subject",
        "Can it read a noun as the agent of a verb without its object that it has seen as a theme only?",
        _embedded(lambda grammar: grammar.without_object(_common("hippo")(grammar))),
    ),
    _lexical(
        "only_seen_as_unacc_subj_as_unerg_subj",
        "Theme noun phrase to unergative subject",
        "Can it read a noun as the agent of a verb that takes no object that it has seen as a theme only?",
        _embedded(lambda grammar: grammar.unergative(_common("hippo")(grammar))),
    ),
    Case(
        Task(
            "obj_pp_to_subj_pp",
            "Object modifier to subject modifier",
            "Can it read a prepositional phrase on a subject that it has seen on objects only?",
        ),
        _phrase_on_subject,
        structural=True,
    ),
    Case(
        Task("cp_recursion", "Depth: sentential complements", "Can it read more clauses inside clauses than any in training?"),
        _deep_clause,
        structural=True,
        embedding=DEPTHS[-1],
        no_repeats=True,
    ),
    Case(
        Task("pp_recursion", "Depth: prepositional phrases", "Can it read more nested prepositional phrases than any in training?"),
        _deep_phrase,
        structural=True,
        phrases=DEPTHS[-1],
        no_repeats=True,
    ),
)
"""In the paper's order: 18 lexical ones and three structural ones."""
CASES_BY_IDENTIFIER = {case.task.identifier: case for case in CASES}
