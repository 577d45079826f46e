"""Token strings and their ids."""

from compgen_keras.benchmarks import SEPARATOR
from compgen_keras.errors import InputError

PAD_ID = 0
SEP_ID = 1
EOS_ID = 2
SPECIAL_TOKENS = ("PAD", SEPARATOR, "EOS")


class Vocabulary:
    """Maps tokens to ids and back. Ids 0, 1 and 2 are padding, separator (which also starts a program) and end of sequence.

    Args:
        tokens: distinct strings; the first gets id 3.

    Raises:
        ValueError: tokens that repeat, or that are named like a special one.

    Example:

    >>> vocabulary = Vocabulary(["WALK", "RUN"])
    >>> vocabulary.ids(["RUN", "SEP", "EOS"])
    [4, 1, 2]
    """

    def __init__(self, tokens):
        self.tokens = tuple(tokens)
        all_tokens = SPECIAL_TOKENS + self.tokens
        self._ids = {token: index for index, token in enumerate(all_tokens)}
        if len(self._ids) < len(all_tokens):
            repeated = sorted({token for token in all_tokens if all_tokens.count(token) > 1})
            raise InputError(f"the vocabulary holds {', '.join(map(repr, repeated))} more than once; expected distinct tokens.")
        self._all_tokens = all_tokens

    def __len__(self) -> int:
        return len(self._all_tokens)

    def ids(self, tokens) -> list[int]:
        """The tokens' ids; a token that is not in the vocabulary raises a ValueError."""
        try:
            return [self._ids[token] for token in tokens]
        except KeyError as error:
            raise InputError(f"token {error.args[0]!r} is not in the vocabulary of {len(self)} tokens.") from None

    def strings(self, ids) -> tuple[str, ...]:
        """The ids' tokens."""
        return tuple(self._all_tokens[int(index)] for index in ids)
