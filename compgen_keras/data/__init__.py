"""From examples to batches of token ids."""

from compgen_keras.data.batches import XLA_LENGTHS, TrainingBatches, padded_length, teacher_forcing
from compgen_keras.data.codec import NO_END, Codec
from compgen_keras.data.vocabulary import EOS_ID, PAD_ID, SEP_ID, Vocabulary

__all__ = [
    "EOS_ID",
    "NO_END",
    "PAD_ID",
    "SEP_ID",
    "XLA_LENGTHS",
    "Codec",
    "TrainingBatches",
    "Vocabulary",
    "padded_length",
    "teacher_forcing",
]
