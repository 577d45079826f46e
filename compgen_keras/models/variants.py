"""The seven variants of Tables 1 and 2, and the sizes they come in."""

from dataclasses import dataclass

from compgen_keras.benchmarks import Benchmark, require_benchmark
from compgen_keras.data import Codec
from compgen_keras.errors import InputError
from compgen_keras.models.encoder_decoder import EncoderDecoder


@dataclass(frozen=True)
class Variant:
    """One row of Tables 1 and 2.

    Attributes:
        title: the paper's name.
        relative_attention: whether attention has relative position biases.
        separators: whether targets have a separator after each part.
        mask: the strategy of the decoder's self-attention.
    """

    title: str
    relative_attention: bool
    separators: bool
    mask: str = "causal"


VARIANTS = {
    "transformer": Variant("Transformer", False, False),
    "transformer_separators": Variant("Transformer + Separators", False, True),
    "relative_attention": Variant("Relative Attention", True, False),
    "relative_attention_separators": Variant("Relative Attention + Separators", True, True),
    "sep_full_attention": Variant("Sep-Full-Attention", True, True, "sep_full_attention"),
    "sep_to_sep_and_last": Variant("Sep-to-Sep-and-Last", True, True, "sep_to_sep_and_last"),
    "sep_to_last": Variant("Sep-to-Last", True, True, "sep_to_last"),
}
"""The seven variants, in the order of the tables (section 4 of Shi et al.)."""

SIZES = {
    "paper": {"num_layers": 3, "num_heads": 4, "embedding_dim": 256, "feed_forward_dim": 512, "dropout": 0.1},
    "classroom": {"num_layers": 2, "num_heads": 4, "embedding_dim": 48, "feed_forward_dim": 96, "dropout": 0.0},
}
"""The paper's size (appendix C), and one that two CPU cores train in minutes."""


def names() -> tuple[str, ...]:
    """The names of the seven variants, in the order of the tables."""
    return tuple(VARIANTS)


def check_names(variant, size) -> None:
    """Raises a ValueError if there is no such variant or size."""
    if not isinstance(variant, str) or variant not in VARIANTS:
        raise InputError(f"unknown model {variant!r}; expected one of {', '.join(VARIANTS)}.")
    if not isinstance(size, str) or size not in SIZES:
        raise InputError(f"unknown size {size!r}; expected one of {', '.join(SIZES)}.")


def build(variant: str, bench: Benchmark, size: str = "classroom", **options) -> EncoderDecoder:
    """Builds a variant for a benchmark.

    Args:
        variant: one of `names()`.
        bench: the benchmark whose specifications it reads and whose programs it writes.
        size: `"classroom"` or `"paper"`.
        **options: arguments of `EncoderDecoder` that replace the size's and the variant's.

    Returns:
        An `EncoderDecoder` with fresh weights.

    Raises:
        ValueError: unknown variant or size.

    Example:

    >>> import compgen_keras as cg
    >>> model = cg.models.build("sep_to_last", cg.benchmarks.load("scan/iid"), size="classroom")
    >>> model.mask
    'sep_to_last'
    """
    require_benchmark(bench)
    check_names(variant, size)
    row = VARIANTS[variant]
    settings = {"relative_attention": row.relative_attention, "mask": row.mask, **SIZES[size], **options}
    return EncoderDecoder(Codec.for_benchmark(bench, row.separators), variant, **settings)
