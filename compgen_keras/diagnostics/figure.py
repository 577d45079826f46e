"""A diagnosis as figures, readable in black and white."""

from compgen_keras.diagnostics.adaptation import CONTROL, MIXED
from compgen_keras.diagnostics.diagnosis import Diagnosis
from compgen_keras.diagnostics.share import Share
from compgen_keras.diagnostics.text import binned

_FEWEST = 10
_TEACHER = {"color": "0.55", "marker": "s", "mfc": "white", "linestyle": "--", "label": "teacher forcing"}
_FREE = {"color": "black", "marker": "o", "mfc": "white", "linestyle": "-", "label": "free running"}


def diagnosis_figure(diagnosis: Diagnosis):
    """Draws a diagnosis: token accuracy, first errors, what is right after them, adaptation, what moved, and search.

    Curves over positions and parts leave out what is a share of fewer than ten.

    Args:
        diagnosis: the diagnosis.

    Returns:
        A matplotlib figure of six panels.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 9), layout="constrained")
    # Each row is laid out by itself, since layers have long names.
    for row, drawings in zip(figure.subfigures(2, 1), ((_tokens, _errors, _recovery), (_adaptation, _search, _moved)), strict=True):
        for panel, draw in zip(row.subplots(1, 3), drawings, strict=True):
            draw(panel, diagnosis)
            panel.spines[["top", "right"]].set_visible(False)
            if panel.get_legend_handles_labels()[0]:
                panel.legend(fontsize=8, frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=2)
    figure.suptitle(
        f"{diagnosis.variant} on {diagnosis.benchmark}, {diagnosis.examples:,} examples of {diagnosis.split!r}:"
        f" {100 * diagnosis.accuracy.value:.1f}% solved",
        fontsize=11,
    )
    return figure


def _tokens(panel, diagnosis):
    for found, style in ((diagnosis.teacher_forced, _TEACHER), (diagnosis.free_running, _FREE)):
        bins = binned(found.by_position)
        _plot(panel, [10 * number + 5.5 for number in range(len(bins))], [share for _, share in bins], style)
    _percent_axis(panel)
    panel.set_xlabel("position in the target, ten at a time")
    panel.set_title("Right tokens", fontsize=10)


def _errors(panel, diagnosis):
    errors = diagnosis.first_errors
    places = (*errors.by_part, errors.at_end)
    total = max(errors.any.count, 1)
    panel.bar(
        range(len(places)), [100 * share.count / total for share in places], 0.7, color="0.85", edgecolor="black", label="of all errors"
    )
    _plot(panel, range(len(errors.by_part)), errors.by_part, {**_FREE, "label": "of programs right so far"})
    _plot(panel, [len(errors.by_part)], [errors.at_end], {**_FREE, "label": None})
    step = -(-len(errors.by_part) // 12)
    ticks = [*range(0, len(errors.by_part), step), len(errors.by_part)]
    panel.set_xticks(ticks, [*(str(tick + 1) for tick in ticks[:-1]), "end"])
    _percent_axis(panel)
    panel.set_xlabel("part")
    panel.set_title("First error", fontsize=10)


def _recovery(panel, diagnosis):
    by_part = diagnosis.recovery.by_part
    styles = {
        "after_right": {"color": "black", "marker": "o", "mfc": "black", "linestyle": "-", "label": "after right parts"},
        "after_wrong": {"color": "black", "marker": "o", "mfc": "white", "linestyle": "-", "label": "after a wrong part"},
        "after_wrong_teacher": {**_TEACHER, "label": "the same, teacher forcing"},
        "chance": {"color": "0.55", "marker": "x", "linestyle": ":", "label": "the same, by chance"},
    }
    for name, style in styles.items():
        _plot(panel, by_part, [getattr(part, name) for part in by_part.values()], style)
    _percent_axis(panel)
    panel.set_xlabel("part")
    panel.set_title("Right parts", fontsize=10)


def _adaptation(panel, diagnosis):
    found = diagnosis.adaptation
    places = range(len(found.numbers))
    for kind, style in ((MIXED, {**_FREE, "label": "n + n examples"}), (CONTROL, {**_TEACHER, "label": "control: 2n of training"})):
        _plot(panel, places, [found.point(number, kind).accuracy for number in found.numbers], style, intervals=True)
    panel.set_xticks(places, [str(number) for number in found.numbers])
    _percent_axis(panel)
    panel.set_xlabel("n")
    panel.set_title("Solved after fine-tuning", fontsize=10)


def _moved(panel, diagnosis):
    found = diagnosis.adaptation
    largest = found.numbers[-1]
    mixed, control = (found.point(largest, kind).moved for kind in (MIXED, CONTROL))
    places = range(len(mixed))
    panel.barh(places, [100 * (mixed[layer] or 0) for layer in mixed], 0.7, color="0.75", edgecolor="black", linewidth=0.5, label="n + n")
    panel.plot([100 * (control[layer] or 0) for layer in mixed], places, "D", color="black", mfc="white", markersize=4, label="control")
    panel.set_yticks(places, list(mixed), fontsize=max(4, min(7, 180 // len(mixed))))
    panel.invert_yaxis()
    panel.set_xlabel("change of weights, % of their norm")
    panel.set_title(f"What moved, n = {largest}" if largest else "No fine-tuning", fontsize=10)


def _search(panel, diagnosis):
    found = diagnosis.search
    places = range(len(found.within))
    _plot(panel, places, list(found.within.values()), {**_FREE, "label": f"one search of {found.beams} beams"}, intervals=True)
    panel.axhline(100 * diagnosis.accuracy.value, color="0.55", linestyle="--", linewidth=1, label="greedy decoding")
    panel.set_xticks(places, [str(beams) for beams in found.within])
    _percent_axis(panel)
    panel.set_xlabel("any of the first k beams")
    panel.set_title("Solved by search" if found.checkable else "Solved by an oracle's choice", fontsize=10)


def _plot(panel, places, shares: list[Share], style, intervals=False):
    shown = [(place, share) for place, share in zip(places, shares, strict=True) if share.of >= _FEWEST or (intervals and share.of)]
    heights = [100 * share.value for _, share in shown]
    panel.plot([place for place, _ in shown], heights, **style)
    if intervals:
        for (place, share), height in zip(shown, heights, strict=True):
            low, high = (100 * bound for bound in share.interval)
            panel.vlines(place, min(low, height), max(high, height), color=style["color"], linewidth=1)


def _percent_axis(panel):
    panel.set_ylim(-3, 103)
    panel.set_yticks(range(0, 101, 20))
    panel.set_ylabel("%")
