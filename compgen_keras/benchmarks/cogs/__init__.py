"""COGS: English sentences to logical forms (Kim and Linzen 2020)."""

from compgen_keras.benchmarks.cogs.benchmark import ALL, CogsBenchmark
from compgen_keras.benchmarks.cogs.cases import CASES
from compgen_keras.benchmarks.cogs.corpus import Corpus, corpus, sentences
from compgen_keras.benchmarks.cogs.files import read_corpus, read_tsv
from compgen_keras.benchmarks.cogs.grammar import logical_form
from compgen_keras.benchmarks.registry import register

register("cogs", CogsBenchmark, [ALL.identifier, *(case.task.identifier for case in CASES)])

__all__ = ["CASES", "CogsBenchmark", "Corpus", "corpus", "logical_form", "read_corpus", "read_tsv", "sentences"]
