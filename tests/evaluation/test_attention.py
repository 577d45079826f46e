"""What a decoder attends to, held against what it must be."""

import numpy as np
import pytest

import compgen_keras as cg
from compgen_keras.evaluation import attention, cross_attention_figure, self_attention_figure


def model_and_example(name, variant):
    bench = cg.benchmarks.load(name)
    return cg.models.build(variant, bench), next(bench.examples("test", seed=3))


@pytest.mark.parametrize(
    ("name", "variant"),
    [("scan/iid", "sep_to_last"), ("scan/iid", "transformer"), ("robustfill-mini/iid", "sep_to_sep_and_last")],
)
def test_weights_are_a_distribution_over_what_the_mask_and_the_specification_allow(name, variant):
    model, example = model_and_example(name, variant)
    seen = attention(model, example)
    blocks, heads, inputs = 2, 4, len(seen.inputs)
    assert seen.self_attention.shape == (blocks, heads, inputs, inputs)
    assert seen.cross_attention.shape == (blocks, heads, inputs, len(seen.spec))
    for weights in (seen.self_attention, seen.cross_attention):
        np.testing.assert_allclose(weights.sum(axis=-1), 1, atol=1e-5)
    assert np.all(seen.self_attention[..., ~seen.mask] == 0)
    separated = [token for part in example.parts for token in (*part, "SEP")]
    assert seen.inputs == ("SEP", *(separated if model.codec.separators else example.program))
    if name.startswith("scan"):
        assert seen.spec == tuple(example.spec.split())
    else:
        assert "".join(seen.spec) == "".join(wanted for _, wanted in example.spec)


def test_figures_have_a_panel_for_the_mask_and_each_head():
    seen = attention(*model_and_example("scan/iid", "sep_to_last"))
    titles = [panel.get_title() for panel in self_attention_figure(seen).axes]
    assert titles[:3] == ["mask", "block 1, head 1", "block 1, head 2"]
    assert len(titles) == 10
    assert len(cross_attention_figure(seen).axes) == 8
