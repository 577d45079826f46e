"""Layers: relative attention, the decompositional mask, and the Transformer blocks made of them."""

from compgen_keras.layers.decomposition_mask import DecompositionMask
from compgen_keras.layers.lookup import TokenEmbedding
from compgen_keras.layers.mask_strategy import Tokens, mask_strategy_names, register_mask_strategy
from compgen_keras.layers.relative_attention import RelativeAttention
from compgen_keras.layers.relative_position import relative_position_bucket
from compgen_keras.layers.transformer_blocks import DecoderBlock, EncoderBlock

__all__ = [
    "DecoderBlock",
    "DecompositionMask",
    "EncoderBlock",
    "RelativeAttention",
    "TokenEmbedding",
    "Tokens",
    "mask_strategy_names",
    "register_mask_strategy",
    "relative_position_bucket",
]
