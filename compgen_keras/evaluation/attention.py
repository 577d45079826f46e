"""What a decoder attends to while it is shown a program."""

from dataclasses import dataclass

import numpy as np
from keras import ops

from compgen_keras.benchmarks import Example
from compgen_keras.data import teacher_forcing


@dataclass(frozen=True)
class Attention:
    """Attention weights for one example.

    Attributes:
        inputs: the decoder's input tokens, the queries.
        spec: the tokens that cross-attention reads, its keys; of input-output examples the characters of the outputs.
        mask: booleans (inputs, inputs), where a query (row) may attend to a key (column).
        self_attention: weights (blocks, heads, inputs, inputs); each row adds up to 1.
        cross_attention: weights (blocks, heads, inputs, spec); each row adds up to 1.
    """

    inputs: tuple[str, ...]
    spec: tuple[str, ...]
    mask: np.ndarray
    self_attention: np.ndarray
    cross_attention: np.ndarray


def attention(model, example: Example) -> Attention:
    """Shows a model the true program of an example (teacher forcing) and records its decoder's attention.

    Args:
        model: an `EncoderDecoder`.
        example: an example of its benchmark's domain.

    Raises:
        ValueError: the model cannot read the example.

    Example:

    >>> import compgen_keras as cg
    >>> model = cg.models.build("sep_to_last", cg.benchmarks.load("scan/iid"))
    >>> seen = attention(model, cg.benchmarks.Example("walk and run", (("WALK",), ("RUN",))))
    >>> seen.inputs, seen.spec
    (('SEP', 'WALK', 'SEP', 'RUN', 'SEP'), ('walk', 'and', 'run'))
    >>> seen.self_attention.shape, seen.cross_attention.shape
    ((2, 4, 5, 5), (2, 4, 5, 3))
    """
    codec = model.codec
    specs, targets = codec.encode_specs([example.spec]), codec.encode_programs([example.parts])
    inputs, _ = teacher_forcing(specs, targets, specs.longest, *targets.longest)
    encoded, spec_mask = model.encode(inputs["spec"])
    _, scores = model.decode(inputs["program"], encoded, spec_mask, return_attention_scores=True)
    is_key = ops.convert_to_numpy(spec_mask).reshape(-1)
    keys = inputs["spec"]["outputs"] if codec.reads_pairs else inputs["spec"]
    self_attention, cross_attention = (_stacked(blocks) for blocks in zip(*scores, strict=True))
    return Attention(
        codec.program_vocabulary.strings(inputs["program"][0]),
        codec.spec_vocabulary.strings(keys.reshape(-1)[is_key]),
        ops.convert_to_numpy(model.decomposition_mask(inputs["program"]))[0],
        self_attention,
        cross_attention[..., is_key],
    )


def _stacked(blocks):
    return np.stack([ops.convert_to_numpy(ops.cast(weights, "float32"))[0] for weights in blocks])
