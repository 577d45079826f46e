"""COGS's corpus: sentences to train on, and more of their kind to measure on."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from compgen_keras.benchmarks.cogs.generator import TRANSITIVE, Grammar, is_allowed
from compgen_keras.benchmarks.cogs.lexicon import primitive_forms
from compgen_keras.benchmarks.cogs.meaning import parts_of_form
from compgen_keras.benchmarks.cogs.sentence import NounPhrase, Statement, statement
from compgen_keras.benchmarks.draws import Draws
from compgen_keras.benchmarks.example import Example
from compgen_keras.benchmarks.randomness import RandomBlock
from compgen_keras.errors import InputError, require_integer

TRAIN_SIZE = 24_000
HELD_BACK_SIZE = 3_000
"""Sentences of the development set, and of the test set."""
EXPOSURES = (1, 100)
"""How often training shows each primitive and each word of a generalization case."""


def sentences(seed: int = 0) -> Iterator[Statement]:
    """An endless stream of different sentences of the training distribution.

    No sentence comes twice, no noun comes twice in a sentence, and neither clauses nor prepositional phrases are nested deeper than two.
    Since the shortest sentences are soon used up, the stream's sentences slowly grow longer.

    Args:
        seed: which of the streams, an integer from 0.

    Yields:
        A `Statement` after the other.

    Raises:
        ValueError: `seed` is no integer from 0.

    Reference: section 4 of Kim and Linzen (2020).

    Example:

    >>> next(sentences()).sentence
    'Jaxon ate .'
    """
    return _different_sentences("sentences", require_integer("seed", seed, 0))


def _different_sentences(stream, seed):
    grammar = Grammar(Draws(RandomBlock("cogs", stream, seed)))
    seen = set()
    while True:
        clause = grammar.clause()
        if is_allowed(clause) and clause not in seen:
            seen.add(clause)
            yield statement(clause)


@dataclass(frozen=True, eq=False)
class Corpus:
    """What COGS trains on and measures in distribution.

    Attributes:
        train: 24,000 sentences, then primitives and exposure examples; their `Example.case` is `"in_distribution"`, `"primitive"` or
            `"exposure_example_…"`.
        dev: 3,000 other sentences.
        test: 3,000 other sentences.
        generalization: of a corpus read from files, the sentences of the cases; a drawn corpus leaves them to the cases' streams.
    """

    train: tuple[Example, ...]
    dev: tuple[Example, ...]
    test: tuple[Example, ...]
    generalization: tuple[Example, ...] = ()

    def holds(self, sentence: str) -> bool:
        """Whether a sentence is in any of these."""
        return sentence in self._sentences

    @property
    def longest(self) -> tuple[int, int]:
        """Words of the longest sentence, and tokens of the longest logical form with a separator after each part."""
        examples = list(self._examples())
        return max(len(each.spec.split()) for each in examples), max(len(each.program) + len(each.parts) for each in examples)

    @cached_property
    def _sentences(self):
        return frozenset(example.spec for example in self._examples())

    def _examples(self):
        return itertools.chain(self.train, self.dev, self.test, self.generalization)


def corpus(seed: int = 0, exposures: int = 1) -> Corpus:
    """Draws a corpus of the published one's size and proportions.

    Args:
        seed: which corpus.
        exposures: 1, or 100 for the paper's variant: copies of each of the 143 primitives, and sentences for each of the 12 words of the
            lexical cases that are shown in a sentence.

    Returns:
        The `Corpus`.

    Raises:
        ValueError: `seed` is no integer from 0, or `exposures` neither 1 nor 100.

    Reference: sections 4 and 5 of Kim and Linzen (2020).

    Example:

    >>> len(corpus().train)
    24155
    """
    return _drawn_corpus(require_integer("seed", seed, 0), checked_exposures(exposures))


def checked_exposures(exposures) -> int:
    """The number of exposures; a ValueError if it is neither the integer 1 nor 100."""
    if isinstance(exposures, bool) or not isinstance(exposures, int) or exposures not in EXPOSURES:
        raise InputError(f"exposures is {exposures!r}; expected 1 or 100, the paper's two training sets.")
    return exposures


@lru_cache(maxsize=4)
def _drawn_corpus(seed, exposures):
    drawn = list(itertools.islice(sentences(seed), TRAIN_SIZE + 2 * HELD_BACK_SIZE))
    # The stream's later sentences are longer than its first, which no part may have more of.
    mixed = [example_of(said, "in_distribution") for said in Draws(RandomBlock("cogs", "corpus", seed)).shuffled(drawn)]
    extra = (*_primitives() * exposures, *_exposure_examples(seed, exposures))
    dev_end = TRAIN_SIZE + HELD_BACK_SIZE
    return Corpus((*mixed[:TRAIN_SIZE], *extra), tuple(mixed[TRAIN_SIZE:dev_end]), tuple(mixed[dev_end:]))


def more_sentences(stream: str, seed: int, without: Corpus) -> Iterator[Statement]:
    """Different sentences of the training distribution that a corpus does not hold; `stream` and `seed` say which."""
    return (said for said in _different_sentences(stream, seed) if not without.holds(said.sentence))


def example_of(said: Statement, case: str = "") -> Example:
    """A sentence as an `Example`."""
    return Example(said.sentence, parts_of_form(str(said.meaning)), case)


def _primitives():
    return tuple(Example(word, parts_of_form(form), "primitive") for word, form in primitive_forms().items())


_EXPOSURE_EXAMPLES = {
    "exposure_example_subj_common": lambda g: g.transitive(g.draws.choice(TRANSITIVE), agent=g.common("hedgehog")),
    "exposure_example_subj_proper": lambda g: g.dative_with_to(agent=NounPhrase("Lina")),
    "exposure_example_obj_common": lambda g: g.transitive(g.draws.choice(TRANSITIVE), theme=g.common("cockroach", g.maybe_phrase())),
    "exposure_example_obj_proper": lambda g: g.transitive(g.draws.choice(TRANSITIVE), theme=NounPhrase("Charlie")),
    "exposure_example_active": lambda g: g.transitive(verb="blessed"),
    "exposure_example_passive": lambda g: g.passive("squeezed", agents=False),
    "exposure_example_obj_omitted_transitive": lambda g: g.without_object(verb="baked"),
    "exposure_example_unacc": lambda g: g.unaccusative(verb="shattered"),
    "exposure_example_do_dative": lambda g: g.dative_with_two_objects(verb="teleported"),
    "exposure_example_pp_dative": lambda g: g.dative_with_to(verb="shipped"),
    "exposure_example_transitive_subj": lambda g: g.transitive(g.draws.choice(TRANSITIVE), agent=g.common("cobra")),
    "exposure_example_unacc_subj": lambda g: g.unaccusative(g.common("hippo")),
}
"""What training shows of the words of the generalization cases, by the published names."""


def _exposure_examples(seed, count):
    """Different sentences of each kind."""
    found = []
    for kind, draw in _EXPOSURE_EXAMPLES.items():
        grammar = Grammar(Draws(RandomBlock("cogs", kind, seed)))
        clauses = {}
        while len(clauses) < count:
            clause = grammar.embedded(lambda grammar=grammar, draw=draw: draw(grammar))
            if is_allowed(clause):
                clauses[clause] = None
        found += [example_of(statement(clause), kind) for clause in clauses]
    return found
