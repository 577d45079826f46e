"""The encoder-decoder Transformer, its seven variants and sizes, and decoding."""

from compgen_keras.models.encoder_decoder import EncoderDecoder
from compgen_keras.models.files import load
from compgen_keras.models.learning_rate_schedule import InverseSquareRootDecay, LinearWarmupDecay
from compgen_keras.models.token_accuracy import TokenAccuracy
from compgen_keras.models.variants import SIZES, VARIANTS, Variant, build, check_names, names

__all__ = [
    "SIZES",
    "VARIANTS",
    "EncoderDecoder",
    "InverseSquareRootDecay",
    "LinearWarmupDecay",
    "TokenAccuracy",
    "Variant",
    "build",
    "check_names",
    "load",
    "names",
]
