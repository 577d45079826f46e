"""COGS: English sentences to logical forms (Kim and Linzen 2020)."""

from compgen_keras.benchmarks.cogs.grammar import logical_form

__all__ = ["logical_form"]
