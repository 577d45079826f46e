"""A swap test as a figure, readable in black and white."""

from compgen_keras.swap_test.swap_test import SwapTest

_BARS = (
    ("in_training", {"color": "0.85", "label": "training has the result"}),
    ("held_out", {"color": "0.45", "hatch": "//", "label": "result held out"}),
)
_CONTROL = {"color": "white", "hatch": "..", "label": "matched control"}
_OUTCOMES = {
    "both": {"color": "0.85", "hatch": ""},
    "only_first": {"color": "0.45", "hatch": "//"},
    "only_second": {"color": "white", "hatch": "\\\\"},
    "neither": {"color": "0.2", "hatch": ""},
}


def swap_test_figure(found: SwapTest):
    """Draws a swap test: right swaps and their controls by factor, and in which direction pairs are right.

    Bars are shares of all repeats with 95% intervals, dots the repeats.

    Args:
        found: the swap test.

    Returns:
        A matplotlib figure of three panels.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13, 4.6), layout="constrained")
    right, by_training, by_frequency = figure.subplots(1, 3)
    _right(right, found)
    _directions(by_training, found, "by_training", ("only the one that training has", "only the held-out one"))
    _directions(by_frequency, found, "by_frequency", ("only into the rarer value", "only into the more frequent"))
    by_training.set_title("Pairs with one held-out result", fontsize=10)
    by_frequency.set_title("All pairs", fontsize=10)
    for panel in (right, by_training, by_frequency):
        panel.set_xticks(range(len(found.factors)), list(found.factors))
        panel.set_xlim(-0.6, len(found.factors) - 0.4)
        panel.set_ylim(0, 103)
        panel.set_yticks(range(0, 101, 20))
        panel.set_ylabel("%")
        panel.spines[["top", "right"]].set_visible(False)
        panel.legend(fontsize=8, frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.1), ncols=2)
    figure.suptitle(f"Swap test: {found.variant} on {found.benchmark}, pairs of {found.split!r}", fontsize=11)
    return figure


def _right(panel, found):
    shown = [(style, [result.right(kind) for result in found.factors.values()]) for kind, style in _BARS]
    shown.append((_CONTROL, [result.difference().control for result in found.factors.values()]))
    width = 0.27
    for number, (style, shares) in enumerate(shown):
        places = [place + (number - 1) * width for place in range(len(shares))]
        panel.bar(places, [100 * (share.total.value or 0) for share in shares], 0.95 * width, edgecolor="black", linewidth=0.8, **style)
        for place, share in zip(places, shares, strict=True):
            if share.total.of:
                panel.vlines(place, *(100 * bound for bound in share.total.interval), color="black", linewidth=1)
            repeats = [100 * each.value for each in share.repeats if each.of]
            panel.plot([place + 0.05] * len(repeats), repeats, "o", color="black", mfc="white", markersize=3)
    panel.set_title("Swaps that are right", fontsize=10)


def _directions(panel, found, which, names):
    pairs = [getattr(result, which) for result in found.factors.values()]
    labels = {"both": "both directions", "only_first": names[0], "only_second": names[1], "neither": "neither"}
    bottoms = [0.0] * len(pairs)
    for outcome, style in _OUTCOMES.items():
        heights = [100 * getattr(of_factor, outcome) / max(of_factor.pairs, 1) for of_factor in pairs]
        panel.bar(range(len(pairs)), heights, 0.6, bottom=bottoms, edgecolor="black", linewidth=0.8, label=labels[outcome], **style)
        bottoms = [bottom + height for bottom, height in zip(bottoms, heights, strict=True)]
