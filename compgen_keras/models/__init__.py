"""The encoder-decoder Transformer in seven variants, recurrent baselines, sizes, and decoding."""

from compgen_keras.models.encoder_decoder import EncoderDecoder
from compgen_keras.models.files import load
from compgen_keras.models.learning_rate_schedule import InverseSquareRootDecay, LinearWarmupDecay
from compgen_keras.models.program_writer import ProgramWriter
from compgen_keras.models.recurrent_encoder_decoder import RecurrentEncoderDecoder
from compgen_keras.models.smoothed_crossentropy import SmoothedCrossentropy
from compgen_keras.models.token_accuracy import TokenAccuracy
from compgen_keras.models.variants import (
    RECURRENT_SIZES,
    RECURRENT_VARIANTS,
    SIZES,
    VARIANTS,
    RecurrentVariant,
    Variant,
    all_names,
    build,
    check_architecture,
    check_names,
    check_reads,
    names,
)

__all__ = [
    "RECURRENT_SIZES",
    "RECURRENT_VARIANTS",
    "SIZES",
    "VARIANTS",
    "EncoderDecoder",
    "InverseSquareRootDecay",
    "LinearWarmupDecay",
    "ProgramWriter",
    "RecurrentEncoderDecoder",
    "RecurrentVariant",
    "SmoothedCrossentropy",
    "TokenAccuracy",
    "Variant",
    "all_names",
    "build",
    "check_architecture",
    "check_names",
    "check_reads",
    "load",
    "names",
]
