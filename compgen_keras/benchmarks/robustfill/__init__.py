"""RobustFill: programs that turn a string into another, to be found from four examples of what they do.

Shi et al. (Figure 3) extend the language of Devlin et al. (2017). `parse` reads a program's text, `program_from_tokens` the tokens that
a model writes.
"""

from compgen_keras.benchmarks.robustfill.program import Program, program_from_tokens
from compgen_keras.benchmarks.robustfill.syntax import parse

__all__ = ["Program", "parse", "program_from_tokens"]
