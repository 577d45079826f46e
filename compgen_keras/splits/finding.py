"""What a report on a split finds."""

from dataclasses import dataclass

MEANINGS = {
    "primitive-missing": "an atom of the test that training lacks",
    "primitive-in-one-combination": "an atom that training shows in one compound only, or in none, and the test in others",
    "low-support": "an atom or a factor's value of the test that training has fewer than 20 times",
    "value-missing": "a factor's value of the test that training lacks, so that the test is no recombination of known values",
    "combination-leaked": "a cell that is meant to be held out, but is in training",
    "held-out-untested": "a cell that is meant to be held out, but is not in the test either",
    "overlap": "test examples whose specification is in training, too",
    "nothing-new": "hardly any test example needs a compound that training lacks, beyond what an i.i.d. split would have",
    "parts-differ": "the numbers of parts are distributed differently (total variation above 0.05)",
}
"""What each code stands for."""


@dataclass(frozen=True)
class Finding:
    """Something about a split that a reader of its scores should know.

    Attributes:
        code: one of `MEANINGS`.
        text: a sentence with the numbers.
        numbers: the numbers by name.
    """

    code: str
    text: str
    numbers: dict

    def __str__(self) -> str:
        return f"{self.code}: {self.text}"
