"""Attention weights as figures, readable in black and white."""

import numpy as np

from compgen_keras.evaluation.attention import Attention


def self_attention_figure(attention: Attention, title: str = ""):
    """Draws the decoder's self-attention: a row a block, a column a head, and the mask before them.

    Args:
        attention: from `compgen_keras.evaluation.attention`.
        title: stands above it.

    Returns:
        A matplotlib figure. A row of a panel is a query, a column a key; the darker, the more is attended.
    """
    panels = [
        [("mask", attention.mask), *((f"block {number}, head {head}", weights) for head, weights in enumerate(heads, start=1))]
        for number, heads in enumerate(attention.self_attention, start=1)
    ]
    return _figure(panels, attention.inputs, attention.inputs, title)


def cross_attention_figure(attention: Attention, title: str = ""):
    """Draws what the decoder reads of the specification: a row a block, a column a head; a row a head where specifications are long.

    Args:
        attention: from `compgen_keras.evaluation.attention`.
        title: stands above it.

    Returns:
        A matplotlib figure.
    """
    panels = [
        [(f"block {number}, head {head}", weights) for head, weights in enumerate(heads, start=1)]
        for number, heads in enumerate(attention.cross_attention, start=1)
    ]
    if len(attention.spec) > _LONG:
        panels = [[panel] for of_block in panels for panel in of_block]
    return _figure(panels, attention.inputs, attention.spec, title)


_CELL = 0.16
"""Inches a token, so that its name can be read."""
_LONG = 40


def _figure(panels, queries, keys, title):
    from matplotlib.figure import Figure

    across, down = len(panels[0]), len(panels)
    panel_size = (max(1.8, _CELL * len(keys)), max(1.8, _CELL * len(queries)))
    figure = Figure(figsize=(across * panel_size[0] + 1.2, down * panel_size[1] + 1.6), layout="constrained")
    grid = figure.subplots(down, across, squeeze=False, sharex=True, sharey=True)
    for row, of_block in zip(grid, panels, strict=True):
        for panel, (name, weights) in zip(row, of_block, strict=True):
            panel.imshow(np.asarray(weights, dtype="float32"), cmap="gray_r", vmin=0, vmax=1, aspect="auto", interpolation="nearest")
            panel.set_title(name, fontsize=8)
            panel.set_xticks(range(len(keys)), keys, rotation=90, fontsize=6)
            panel.set_yticks(range(len(queries)), queries, fontsize=6)
    figure.supylabel("query: which token attends", fontsize=8)
    figure.supxlabel("key: what is attended to", fontsize=8)
    figure.suptitle(title, fontsize=9)
    return figure
