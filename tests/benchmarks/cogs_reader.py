"""Reads COGS sentences by their words alone, to check what the generator makes: neither its grammar nor its parser is used here."""

import json
from dataclasses import dataclass, field
from importlib import resources

WORDS = json.loads(resources.files("compgen_keras.benchmarks.cogs").joinpath("lexicon.json").read_text(encoding="utf-8"))
HELD_OUT = WORDS["held_out"]
NAMES = {*WORDS["proper_nouns"], *HELD_OUT["proper_nouns"]}
ANIMATE = {*WORDS["animate_nouns"], *WORDS["proper_nouns"]}
INANIMATE = set(WORDS["inanimate_nouns"])
PREPOSITIONS = ("on", "in", "beside")
HELD_OUT_WORDS = {
    *HELD_OUT["common_nouns"],
    *HELD_OUT["proper_nouns"],
    *(form for key, verbs in HELD_OUT.items() if key.startswith("V_") for pair in verbs.items() for form in pair),
}


@dataclass
class Phrase:
    """A noun and the nouns of the prepositional phrases behind it."""

    noun: str
    inside: list = field(default_factory=list)
    """Pairs of preposition and noun, each behind the one before."""

    @property
    def nouns(self):
        return [self.noun, *(noun for _, noun in self.inside)]


@dataclass
class Clause:
    """A subject, its verb, and what follows: pairs of `""`, `"to"` or `"by"` and a `Phrase`; an infinitive in `infinitive`."""

    subject: Phrase
    verb: str
    passive: bool
    objects: list
    infinitive: str | None

    @property
    def frame(self):
        """The clause's type: the verb's class, where what follows does not tell all, and what follows."""
        shape = "".join(f" {marker or 'object'}" for marker, _ in self.objects)
        if self.infinitive:
            return "infinitive"
        suffix = "_pp" if self.passive else ""
        classes = [
            name for name in ("V_trans_omissible", "V_trans_not_omissible", "V_unacc", "V_unerg", "V_dat") if self._is(name + suffix)
        ]
        if self.passive:
            return f"passive {classes[0]}{shape}"
        wanted = {
            0: ("V_trans_omissible", "V_unacc", "V_unerg"),
            1: ("V_trans_omissible", "V_trans_not_omissible", "V_unacc"),
            2: ("V_dat",),
        }
        return f"active {next(name for name in wanted[len(self.objects)] if name in classes)}{shape}"

    def _is(self, name):
        return self.verb in WORDS.get(name, ()) or self.verb in HELD_OUT.get(name.removesuffix("_pp"), ())


def read(sentence):
    """The clauses of a sentence, from the outermost in."""
    words = sentence.split()
    assert words.pop() == "."
    if words[0] in ("A", "The"):
        words[0] = words[0].lower()
    clauses = []
    for piece in _split(words, "that"):
        subject, rest = _phrase(piece)
        passive = rest[0] == "was"
        verb, *rest = rest[1:] if passive else rest
        infinitive, objects = None, []
        while rest:
            marker = rest.pop(0) if rest[0] in ("to", "by") else ""
            if marker == "to" and not passive and not objects:
                infinitive, rest = rest[0], rest[1:]
                continue
            phrase, rest = _phrase(rest)
            objects.append((marker, phrase))
        clauses.append(Clause(subject, verb, passive, objects, infinitive))
    return clauses


def _split(words, at):
    pieces = [[]]
    for word in words:
        if word == at:
            pieces.append([])
        else:
            pieces[-1].append(word)
    return pieces


def _noun(words):
    if words[0] in NAMES:
        return words[0], words[1:]
    assert words[0] in ("a", "the"), words
    return words[1], words[2:]


def _phrase(words):
    noun, words = _noun(words)
    phrase = Phrase(noun)
    while words and words[0] in PREPOSITIONS:
        preposition = words[0]
        assert words[1] in ("a", "the"), words
        inner, words = _noun(words[1:])
        assert inner in WORDS[f"{preposition}_nouns"], (preposition, inner)
        phrase.inside.append((preposition, inner))
    return phrase, words
