"""How much of RobustFill's language a family of benchmarks uses, and how long its strings are."""

import string
from dataclasses import dataclass

from compgen_keras.benchmarks.robustfill import operations
from compgen_keras.benchmarks.robustfill.alphabet import CHARACTERS, DELIMITERS, TYPES
from compgen_keras.benchmarks.robustfill.arguments import BOUNDARY, CASE, CHARACTER, INTEGER, TYPE
from compgen_keras.benchmarks.robustfill.operations import MODIFICATIONS, SUBSTRINGS, ConstStr, Operation


@dataclass(frozen=True)
class Dialect:
    """A choice of operations, arguments and sizes.

    Attributes:
        domain: the domain's name, such as `"robustfill"`.
        substrings: classes of substring operations.
        modifications: classes of modifications.
        types: types that inputs are made of.
        whole_alphabet: whether operations are given the type CHAR too, which any character matches.
        delimiters: delimiters that inputs are made of and that operations are given.
        constants: characters that programs add.
        integers: positions and indices that programs can hold.
        most_index: the largest size of an index that is drawn.
        negative_indices: whether indices that count from the end are drawn.
        distinct_kinds: whether a task's types are all different.
        share_of_delimiters: probability that a kind of token is a delimiter and no type.
        kinds: the smallest and the largest number of kinds of tokens in a task's inputs.
        repeats: how often each of them is placed, at least and at most.
        in_token: characters in a token of a type, its delimiter aside, at least and at most.
        delimiter_of_kind: whether all tokens of a kind begin with one delimiter in all of a task's inputs; else each token has its own.
        most_characters: where an input is cut.
        pairs: inputs a task.
    """

    domain: str
    substrings: tuple[type[Operation], ...]
    modifications: tuple[type[Operation], ...]
    types: tuple[str, ...]
    whole_alphabet: bool
    delimiters: tuple[str, ...]
    constants: tuple[str, ...]
    integers: tuple[int, ...]
    most_index: int
    negative_indices: bool
    distinct_kinds: bool
    share_of_delimiters: float
    kinds: tuple[int, int]
    repeats: tuple[int, int]
    in_token: tuple[int, int]
    delimiter_of_kind: bool
    most_characters: int
    pairs: int = 4

    @property
    def spec_tokens(self) -> tuple[str, ...]:
        """Every character that an input or an output can hold."""
        if self.whole_alphabet:
            return CHARACTERS
        return tuple(dict.fromkeys((*string.ascii_letters, *string.digits, *self.delimiters, *self.constants)))

    @property
    def program_tokens(self) -> tuple[str, ...]:
        """Every token that a program can hold."""
        classes = (*self.substrings, *self.modifications, ConstStr)
        used = [kind for operation in classes for kind in operation.signature]
        tokens = [operation.__name__ for operation in (*classes, operations.Compose)]
        types = (*self.types, "CHAR") if self.whole_alphabet else self.types
        tokens += [TYPE.tokens[name] for name in dict.fromkeys(types)]
        for kind in (CASE, BOUNDARY):
            tokens += kind.tokens.values() if any(kind is one for one in used) else ()
        characters = dict.fromkeys((*self.delimiters, *self.constants))
        return (*tokens, *(INTEGER.tokens[number] for number in self.integers), *(CHARACTER.tokens[c] for c in characters))

    @property
    def most_part_tokens(self) -> int:
        """Tokens in the longest part: a composition of the longest operations."""
        outer = max(1 + len(operation.signature) for operation in self.modifications)
        inner = max(1 + len(operation.signature) for operation in (*self.substrings, *self.modifications))
        return 1 + outer + inner


FULL = Dialect(
    domain="robustfill",
    substrings=SUBSTRINGS,
    modifications=MODIFICATIONS,
    types=TYPES,
    whole_alphabet=True,
    delimiters=DELIMITERS,
    constants=CHARACTERS,
    integers=tuple(range(-100, 101)),
    most_index=5,
    negative_indices=True,
    distinct_kinds=False,
    share_of_delimiters=1 / 3,
    kinds=(3, 5),
    repeats=(1, 3),
    in_token=(1, 4),
    delimiter_of_kind=False,
    most_characters=20,
)
"""The paper's: Figure 3 and section 3 of Shi et al."""

MINI = Dialect(
    domain="robustfill-mini",
    substrings=(operations.GetToken, operations.GetUpto, operations.GetFrom),
    modifications=(operations.ToCase, operations.GetAll, operations.RemoveAll),
    types=("NUMBER", "LOWER"),
    whole_alphabet=False,
    delimiters=tuple(",./:"),
    constants=tuple("!?#$%"),
    integers=(1,),
    most_index=1,
    negative_indices=False,
    distinct_kinds=True,
    share_of_delimiters=0.0,
    kinds=(2, 2),
    repeats=(1, 1),
    in_token=(2, 3),
    delimiter_of_kind=True,
    most_characters=8,
)
"""Small enough to be learned on two CPU cores in minutes."""
