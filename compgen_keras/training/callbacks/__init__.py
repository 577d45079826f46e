"""Callbacks for `fit`: some show in TensorBoard how a model generalizes while it is trained."""

from compgen_keras.training.callbacks.attention_pictures import AttentionPictures
from compgen_keras.training.callbacks.checkpoint import Checkpoint
from compgen_keras.training.callbacks.generalization import Generalization
from compgen_keras.training.callbacks.hyperparameters import log_hyperparameters, log_results
from compgen_keras.training.callbacks.stop_after import StopAfter
from compgen_keras.training.callbacks.token_rate import TokenRate
from compgen_keras.training.callbacks.watcher import Watcher

__all__ = ["AttentionPictures", "Checkpoint", "Generalization", "StopAfter", "TokenRate", "Watcher", "log_hyperparameters", "log_results"]
