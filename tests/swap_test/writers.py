"""Stands in for trained models, so that what a swap test must find is known."""

from compgen_keras.benchmarks.scan import translate
from compgen_keras.data import Codec


class Writer:
    """Writes the program that a rule gives for each specification."""

    variant = "rule"

    def __init__(self, bench, rule):
        self.codec = Codec.for_benchmark(bench, separators=False)
        self._rule = rule
        self.read = []

    def generate(self, specs, sampler="greedy", batch_size=128):
        self.read += specs
        return [tuple(self._rule(spec)) for spec in specs]


def scan_program(spec):
    """The right program of a SCAN command."""
    return tuple(action for part in translate(spec) for action in part)


def shapes_program(spec):
    """The right program of a command of `Shapes`."""
    return tuple(word.upper() for word in spec.split() if word != "then")
