"""What a model would write at each place if all that stands before were right."""

from collections.abc import Sequence

import numpy as np
from keras import ops

from compgen_keras.benchmarks import Example
from compgen_keras.data import PAD_ID, XLA_LENGTHS, padded_length, teacher_forcing
from compgen_keras.device import jit_compile_by_device
from compgen_keras.diagnostics.progress import Progress, checked_verbosity
from compgen_keras.errors import require_integer
from compgen_keras.models.block_decoding import UNLIKELY
from compgen_keras.models.compiled import compiled, filled_up


def teacher_forced_tokens(model, examples: Sequence[Example], batch_size: int = 128, verbose=0) -> list[tuple[str, ...]]:
    """Shows a model the true programs and asks at each place for the token it finds most probable there.

    Args:
        model: a `ProgramWriter`.
        examples: examples of its benchmark's domain.
        batch_size: examples at once, sorted by length.
        verbose: see `diagnose`.

    Returns:
        For each example a token string for each token of its target (see `Target`). As in decoding it is never padding.

    Raises:
        ValueError: the model cannot read an example, or `batch_size` is no integer from 1.

    Example:

    >>> import compgen_keras as cg
    >>> model = cg.models.build("sep_to_last", cg.benchmarks.load("scan/iid"), num_layers=1, embedding_dim=8, feed_forward_dim=8)
    >>> (tokens,) = teacher_forced_tokens(model, [cg.benchmarks.Example("walk and run", (("WALK",), ("RUN",)))])
    >>> len(tokens)  # WALK SEP RUN SEP EOS
    5

    Reference: *One-step error on held-out combinations* of the section *Measuring Systematic Generalization*.
    """
    batch_size = require_integer("batch_size", batch_size, 1)
    codec = model.codec
    specs = codec.encode_specs([example.spec for example in examples])
    targets = codec.encode_programs([example.parts for example in examples])
    most_probable = compiled(model, "teacher_forced", lambda: lambda inputs: _most_probable(model, inputs))
    each_shape_compiles = jit_compile_by_device()
    lengths = XLA_LENGTHS if each_shape_compiles else None
    progress = Progress("teacher forcing", len(examples), checked_verbosity(verbose))
    tokens = [()] * len(examples)
    by_length = np.lexsort((specs.lengths, targets.lengths))
    for start in range(0, len(examples), batch_size):
        rows = by_length[start : start + batch_size]
        some_specs, some_targets = specs.select(rows), targets.select(rows)
        *spec_lengths, target_length = (padded_length(length, lengths) for length in (*some_specs.longest, *some_targets.longest))
        inputs, _ = teacher_forcing(some_specs, some_targets, spec_lengths, target_length)
        ids = ops.convert_to_numpy(most_probable(filled_up(inputs, batch_size) if each_shape_compiles else inputs))
        for row, of_example, length in zip(rows, ids, some_targets.lengths, strict=False):
            tokens[row] = codec.program_vocabulary.strings(of_example[:length])
        progress.advance(len(rows))
    return tokens


def _most_probable(model, inputs):
    logits = model(inputs, training=False)
    is_pad = ops.arange(logits.shape[-1]) == PAD_ID
    return ops.argmax(ops.where(is_pad, UNLIKELY, logits), axis=-1)
