"""COGS's sentences and what they mean: a parser for the fragment of English that training and the generalization cases need."""

from compgen_keras.benchmarks.cogs.lexicon import (
    DETERMINERS,
    PREPOSITIONS,
    common_nouns,
    infinitives,
    lemmas,
    participle_classes,
    primitive_forms,
    proper_nouns,
    verb_classes,
)
from compgen_keras.benchmarks.cogs.meaning import Entity, Meaning
from compgen_keras.errors import InputError

_MOST_WORDS = 500


def logical_form(sentence: str) -> str:
    """The meaning of a sentence, or of a single word that has one, in the form of the published data.

    Definite nouns come first; then conjuncts in the order of their arguments' places. A variable is `x _ i`, with i the place of its
    word in the sentence, from 0. Verbs and nouns stand as lemmas, names for themselves.

    Args:
        sentence: words separated by spaces, the first capitalised, with a full stop at the end; or one of the 143 primitives.

    Returns:
        The logical form.

    Raises:
        ValueError: the sentence is outside the fragment; the message names the word, its place, and what was expected there.

    Reference: Kim and Linzen (2020).

    Example:

    >>> logical_form("A rose was helped by a dog .")
    'rose ( x _ 1 ) AND help . theme ( x _ 3 , x _ 1 ) AND help . agent ( x _ 3 , x _ 6 ) AND dog ( x _ 6 )'
    >>> logical_form("The girl wanted to walk .")
    '* girl ( x _ 1 ) ; want . agent ( x _ 2 , x _ 1 ) AND want . xcomp ( x _ 2 , x _ 4 ) AND walk . agent ( x _ 4 , x _ 1 )'
    >>> logical_form("shark")
    'LAMBDA a . shark ( a )'
    """
    if not isinstance(sentence, str):
        raise InputError(f"a sentence is a string of words, but {sentence!r} was given.")
    words = sentence.split()
    if not words:
        raise InputError("the sentence is empty; expected words such as 'A cat slept .'")
    if len(words) == 1:
        return _primitive(words[0])
    if len(words) > _MOST_WORDS:
        raise InputError(f"the sentence has {len(words):,} words; expected at most {_MOST_WORDS}.")
    return str(_Parser(words).sentence())


def _primitive(word):
    forms = primitive_forms()
    if word not in forms:
        raise InputError(f"word 1 is {word!r}, which has no logical form of its own; expected a sentence, or a primitive such as 'shark'.")
    return forms[word]


class _Parser:
    """Reads a sentence's words from left to right and puts its meaning together."""

    def __init__(self, words):
        self.words = words
        self.place = 0
        self.meaning = Meaning()

    def sentence(self):
        self._clause()
        if self._peek() != ".":
            self._complain("the end of the sentence, a full stop")
        self.place += 1
        if self._peek() is not None:
            self._complain("nothing after the full stop")
        return self.meaning

    def _clause(self):
        """A subject and its verb phrase; returns the verb's place."""
        subject = self._noun_phrase(with_phrases=True)
        if self._peek() == "was":
            self.place += 1
            return self._passive(subject)
        return self._active(subject)

    def _active(self, subject):
        classes, verb, place = self._verb(verb_classes(), "a verb in the past tense")
        following = self._peek()
        if following == "that" and "V_cp_taking" in classes:
            self.place += 1
            self._relate(verb, "agent", place, subject)
            self._relate(verb, "ccomp", place, Entity(self._clause()))
        elif following == "to" and "V_inf_taking" in classes:
            self.place += 1
            self._relate(verb, "agent", place, subject)
            self._relate(verb, "xcomp", place, Entity(self._infinitive(subject)))
        elif "V_dat" in classes:
            self._relate(verb, "agent", place, subject)
            self._dative_objects(verb, place)
        elif self._starts_noun_phrase() and classes & {"V_trans_omissible", "V_trans_not_omissible", "V_unacc"}:
            self._relate(verb, "agent", place, subject)
            self._relate(verb, "theme", place, self._noun_phrase(with_phrases=True))
        elif classes & {"V_trans_omissible", "V_unerg"}:
            self._relate(verb, "agent", place, subject)
        elif "V_unacc" in classes:
            self._relate(verb, "theme", place, subject)
        else:
            expected = {"V_trans_not_omissible": "an object", "V_cp_taking": "'that'", "V_inf_taking": "'to'"}
            self._complain(" or ".join(what for name, what in expected.items() if name in classes))
        return place

    def _dative_objects(self, verb, place):
        """`THEME to RECIPIENT` or `RECIPIENT THEME`; only a theme has prepositional phrases."""
        first = self._noun_phrase(with_phrases=True)
        if self._peek() == "to":
            self.place += 1
            self._relate(verb, "theme", place, first)
            self._relate(verb, "recipient", place, self._noun_phrase())
            return
        if self._phrase_after(first):
            self._complain("'to' and a recipient")
        self._relate(verb, "recipient", place, first)
        self._relate(verb, "theme", place, self._noun_phrase(with_phrases=True))

    def _phrase_after(self, entity):
        return self.place > entity.place + 1

    def _infinitive(self, subject):
        verb = self._peek()
        if verb not in infinitives():
            self._complain("an infinitive such as 'walk'")
        self.place += 1
        self._relate(verb, "agent", self.place - 1, subject)
        return self.place - 1

    def _passive(self, subject):
        classes, verb, place = self._verb(participle_classes(), "a participle")
        role = "theme"
        if self._peek() == "to" and "V_dat_pp" in classes:
            self.place += 1
            self._relate(verb, "recipient", place, self._noun_phrase())
        elif self._starts_noun_phrase() and "V_dat_pp" in classes:
            role = "recipient"
            self._relate(verb, "theme", place, self._noun_phrase(with_phrases=True))
        elif classes == {"V_dat_pp"}:
            self._complain("'to' and a recipient, or a theme")
        self._relate(verb, role, place, subject)
        if self._peek() == "by":
            self.place += 1
            self._relate(verb, "agent", place, self._noun_phrase(with_phrases=True))
        return place

    def _verb(self, classes, expected):
        word = self._peek()
        if word not in classes:
            self._complain(expected)
        self.place += 1
        return classes[word], lemmas()[word], self.place - 1

    def _relate(self, verb, role, place, entity):
        self.meaning.add_relation(f"{verb} . {role}", place, entity)

    def _starts_noun_phrase(self):
        return self._peek() in DETERMINERS or self._peek() in proper_nouns()

    def _noun_phrase(self, with_phrases=False):
        word = self._peek()
        if word in proper_nouns():
            self.place += 1
            return Entity(self.place - 1, word)
        if word not in DETERMINERS:
            self._complain("'a', 'the' or a name")
        self.place += 1
        noun = self._peek()
        if noun not in common_nouns():
            self._complain("a common noun")
        entity = Entity(self.place)
        self.meaning.add_noun(self.place, noun.lower(), DETERMINERS[word])
        self.place += 1
        if with_phrases and self._peek() in PREPOSITIONS:
            preposition = self._peek()
            self.place += 1
            if self._peek() not in DETERMINERS:
                self._complain("'a' or 'the'")
            self.meaning.add_relation(f"{noun.lower()} . nmod . {preposition}", entity.place, self._noun_phrase(with_phrases=True))
        return entity

    def _peek(self):
        """The next word, the sentence's first in lower case unless it is a name; None at the end."""
        if self.place >= len(self.words):
            return None
        word = self.words[self.place]
        if self.place == 0 and word in ("A", "The"):
            return word.lower()
        return None if self.place == 0 and word in DETERMINERS else word

    def _complain(self, expected):
        if self.place < len(self.words):
            hint = ", capitalised" if self.place == 0 else ""
            raise InputError(f"word {self.place + 1} of the sentence is {self.words[self.place]!r}; expected {expected}{hint}.")
        raise InputError(f"the sentence ends after word {self.place}, {self.words[-1]!r}; expected {expected}.")
