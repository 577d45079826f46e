"""The encoder-decoder Transformer, its seven variants and sizes, and decoding."""

from compgen_keras.models.encoder_decoder import EncoderDecoder
from compgen_keras.models.files import load
from compgen_keras.models.variants import SIZES, VARIANTS, Variant, build, names

__all__ = ["SIZES", "VARIANTS", "EncoderDecoder", "Variant", "build", "load", "names"]
