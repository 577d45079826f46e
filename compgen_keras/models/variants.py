"""The seven variants of Tables 1 and 2, the recurrent baselines of COGS, and the sizes they come in."""

from dataclasses import dataclass

from compgen_keras.benchmarks import Benchmark, require_benchmark
from compgen_keras.data import Codec
from compgen_keras.errors import InputError, require_integer
from compgen_keras.models.encoder_decoder import EncoderDecoder
from compgen_keras.models.program_writer import ProgramWriter
from compgen_keras.models.recurrent_encoder_decoder import RecurrentEncoderDecoder


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


@dataclass(frozen=True)
class RecurrentVariant:
    """An LSTM encoder-decoder with attention.

    Attributes:
        title: the paper's name.
        bidirectional: whether the encoder reads in both directions.
    """

    title: str
    bidirectional: bool


RECURRENT_VARIANTS = {
    "lstm": RecurrentVariant("LSTM", False),
    "bidirectional_lstm": RecurrentVariant("Bidirectional LSTM", True),
}
"""The recurrent baselines of section 5 of Kim and Linzen (2020)."""

SIZES = {
    "paper": {"num_layers": 3, "num_heads": 4, "embedding_dim": 256, "feed_forward_dim": 512, "dropout": 0.1},
    "classroom": {"num_layers": 2, "num_heads": 4, "embedding_dim": 48, "feed_forward_dim": 96, "dropout": 0.0},
    "cogs": {"num_layers": 2, "num_heads": 4, "embedding_dim": 512, "feed_forward_dim": 512, "dropout": 0.1},
}
"""The size of Shi et al. (appendix C), one that two CPU cores train in minutes, and that of the baselines of Kim and Linzen (section 5)."""

RECURRENT_SIZES = {
    "paper": {"num_layers": 3, "embedding_dim": 256, "dropout": 0.1},
    "classroom": {"num_layers": 2, "embedding_dim": 128, "dropout": 0.0},
    "cogs": {"num_layers": 2, "embedding_dim": 512, "dropout": 0.1},
}
"""The same for the recurrent variants."""


def names() -> tuple[str, ...]:
    """The names of the seven variants, in the order of the tables."""
    return tuple(VARIANTS)


def all_names() -> tuple[str, ...]:
    """The names of the seven variants and of the recurrent baselines."""
    return (*VARIANTS, *RECURRENT_VARIANTS)


def check_names(variant, size) -> None:
    """Raises a ValueError if there is no such variant or size."""
    if not isinstance(variant, str) or variant not in all_names():
        raise InputError(f"unknown model {variant!r}; expected one of {', '.join(all_names())}.")
    if not isinstance(size, str) or size not in SIZES:
        raise InputError(f"unknown size {size!r}; expected one of {', '.join(SIZES)}.")


def check_reads(variant: str, bench: Benchmark) -> None:
    """Raises a ValueError if a variant cannot read a benchmark's specifications."""
    if variant in RECURRENT_VARIANTS and bench.spec_format != "words":
        raise InputError(
            f"{variant} reads words, but the specifications of {bench.name} are input-output examples; expected another model."
        )


def check_architecture(variant: str, size: str, architecture: dict) -> None:
    """Raises a ValueError unless these are numbers that a size has, such as `{"dropout": 0.1, "num_layers": 1}`.

    Args:
        variant: a model's name.
        size: a size's name.
        architecture: what is to replace the size's own numbers.
    """
    known = (RECURRENT_SIZES if variant in RECURRENT_VARIANTS else SIZES)[size]
    for name, value in architecture.items():
        if name not in known:
            raise InputError(f"the architecture of {variant} has {name!r}; expected some of {', '.join(known)}.")
        if name == "dropout":
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 1:
                raise InputError(f"dropout is {value!r}; expected a number from 0 to below 1.")
        else:
            require_integer(name, value, 1)
    heads, width = ({**known, **architecture}.get(name) for name in ("num_heads", "embedding_dim"))
    if heads is not None and width % heads:
        raise InputError(f"embedding_dim is {width}; expected a multiple of the {heads} heads (num_heads).")


def build(variant: str, bench: Benchmark, size: str = "classroom", **options) -> ProgramWriter:
    """Builds a variant for a benchmark.

    Args:
        variant: one of `names()`, or `"lstm"` or `"bidirectional_lstm"` for a baseline of COGS.
        bench: the benchmark whose specifications it reads and whose programs it writes.
        size: `"classroom"`, `"paper"` (that of Shi et al.) or `"cogs"` (that of Kim and Linzen).
        **options: arguments of the model's class that replace the size's and the variant's.

    Returns:
        An `EncoderDecoder`, for the baselines a `RecurrentEncoderDecoder`, with fresh weights.

    Raises:
        ValueError: unknown variant or size, or an LSTM for a benchmark whose specifications are input-output examples.

    Example:

    >>> import compgen_keras as cg
    >>> model = cg.models.build("sep_to_last", cg.benchmarks.load("scan/iid"), size="classroom")
    >>> model.mask
    'sep_to_last'
    """
    require_benchmark(bench)
    check_names(variant, size)
    check_reads(variant, bench)
    if variant in RECURRENT_VARIANTS:
        settings = {"bidirectional": RECURRENT_VARIANTS[variant].bidirectional, **RECURRENT_SIZES[size], **options}
        return RecurrentEncoderDecoder(Codec.for_benchmark(bench, separators=False), variant, **settings)
    row = VARIANTS[variant]
    settings = {"relative_attention": row.relative_attention, "mask": row.mask, **SIZES[size], **options}
    return EncoderDecoder(Codec.for_benchmark(bench, row.separators), variant, **settings)
