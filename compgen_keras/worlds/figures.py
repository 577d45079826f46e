"""The figures of a study, readable in black and white."""

from pathlib import Path

import numpy as np

from compgen_keras.files import write_picture
from compgen_keras.worlds.models import TITLES
from compgen_keras.worlds.swap_test import BOUND, FACTORS

STYLES = {
    "factored": {"marker": "o", "linestyle": "-", "color": "black"},
    "joined_factors": {"marker": "s", "linestyle": "--", "color": "0.35"},
    "world_id": {"marker": "^", "linestyle": ":", "color": "0.55"},
}
"""How a model is drawn, everywhere."""

_WORLDS = {"held_out": "held-out worlds", "training": "training worlds, fresh trajectories"}


def draw_figures(results: dict, folder: Path) -> None:
    """Draws all figures as PNG files.

    Args:
        results: what `study` returns.
        folder: where to write them.
    """
    figures = {
        "pairs": pairs_figure,
        "rollout": rollout_figure,
        "planning": planning_figure,
        "adaptation": adaptation_figure,
        "swap": swap_figure,
    }
    for name, draw in figures.items():
        write_picture(Path(folder) / f"{name}.png", draw(results))


def pairs_figure(results: dict):
    """Rollout errors in held-out worlds, a place a pair, with the means as lines."""
    figure, (panel,) = _panels(1, (8, 3.4))
    pairs = list(dict.fromkeys((pair["diagonal"], pair["seed"]) for pair in results["pairs"]))
    for name, found in _by_model(results).items():
        errors = [pair["errors"]["held_out"]["rollout"] for pair in found]
        mean = float(np.mean(errors))
        panel.plot(range(len(pairs)), errors, **{**_style(name), "linestyle": ""})
        panel.axhline(mean, color=STYLES[name]["color"], linestyle=STYLES[name]["linestyle"], linewidth=1)
        panel.annotate(f"{mean:.3f}", (1.01, mean), xycoords=("axes fraction", "data"), va="center", fontsize=8)
    panel.set_xticks(range(len(pairs)), [f"{diagonal}, {seed}" for diagonal, seed in pairs])
    panel.set_xlabel("diagonal, seed")
    panel.set_ylabel("rollout error, steps 1–20")
    _scale_by_ratios(panel)
    _legend(figure, panel)
    return figure


def rollout_figure(results: dict):
    """Rollout error by step, mean of the pairs and their range."""
    figure, panels = _panels(2, (8, 3.6))
    for panel, kind in zip(panels, _WORLDS, strict=True):
        for name, found in _by_model(results).items():
            curves = np.array([pair["errors"][kind]["by_step"] for pair in found])
            steps = np.arange(1, curves.shape[1] + 1)
            panel.plot(steps, curves.mean(axis=0), **_style(name), markevery=3)
            panel.fill_between(steps, curves.min(axis=0), curves.max(axis=0), color=STYLES[name]["color"], alpha=0.15, linewidth=0)
        panel.set_title(_WORLDS[kind], fontsize=10)
        panel.set_xlabel("step")
        _scale_by_ratios(panel)
    panels[0].set_ylabel("error, standard deviations")
    _legend(figure, panels[0])
    return figure


def planning_figure(results: dict):
    """Success of planners, and predicted beside realised distance from the goal, in held-out worlds."""
    figure, (success, distance) = _panels(2, (8, 3.6), share=False)
    summary = results["summary"]
    planners = {"true\ndynamics": summary["bounds"]["true_dynamics"]["held_out"]}
    planners |= {TITLES[name].replace(" ", "\n"): model["planning"]["held_out"] for name, model in summary["models"].items()}
    planners["random\npushes"] = summary["bounds"]["random_pushes"]["held_out"]
    places = range(len(planners))
    shares = [100 * found["success"]["mean"] for found in planners.values()]
    deviations = [100 * found["success"]["std"] for found in planners.values()]
    success.bar(places, shares, 0.6, yerr=deviations, capsize=3, color="0.75", edgecolor="black")
    for place, share, deviation in zip(places, shares, deviations, strict=True):
        success.annotate(f"{share:.0f}", (place, share + deviation), xytext=(0, 3), textcoords="offset points", ha="center", fontsize=8)
    success.set_ylim(0, 115)
    success.set_ylabel("goals reached, %")
    for shift, (what, style) in enumerate({"predicted": {"color": "white", "hatch": "//"}, "realised": {"color": "0.45"}}.items()):
        known = [
            (place, -found[what]["mean"]) for place, found in zip(places, planners.values(), strict=True) if found[what]["mean"] is not None
        ]
        distance.bar(
            [place + 0.36 * shift - 0.18 for place, _ in known], [d for _, d in known], 0.36, edgecolor="black", label=what, **style
        )
    distance.set_ylabel("distance from the goal at the end, m")
    distance.legend(fontsize=8, frameon=False, loc="upper left")
    for panel in (success, distance):
        panel.set_xticks(places, planners, fontsize=8)
    return figure


def adaptation_figure(results: dict):
    """Rollout error in the new world after fine-tuning, by number of trajectories, mean of the pairs."""
    figure, panels = _panels(2, (8, 3.6))
    for panel, source in zip(panels, ("new world", "control"), strict=True):
        for name, found in _by_model(results).items():
            curves = [
                {r["trajectories"]: r["new_world"] for r in pair["adaptation"]["results"] if r["source"] == source or not r["trajectories"]}
                for pair in found
            ]
            numbers = list(curves[0])
            means = np.mean([[curve[n] for n in numbers] for curve in curves], axis=0)
            panel.plot(range(len(numbers)), means, **_style(name))
            panel.set_xticks(range(len(numbers)), numbers)
        _scale_by_ratios(panel)
        panel.set_xlabel("trajectories")
    panels[0].set_title("trajectories of the new world", fontsize=10)
    panels[1].set_title("control: of training worlds", fontsize=10)
    panels[0].set_ylabel("rollout error in the new world")
    _legend(figure, panels[0])
    return figure


def swap_figure(results: dict):
    """Median errors of predicted changes, a mark a pair; the bound as a line."""
    figure, panels = _panels(2, (8, 3.6))
    by_model = _by_model(results)
    for panel, factor in zip(panels, FACTORS, strict=True):
        for row, (name, found) in enumerate(by_model.items()):
            for place, kind in enumerate(("held_out", "control")):
                medians = [pair["swap"][factor][kind]["median"] for pair in found]
                shifts = 0.02 * (np.arange(len(medians)) - (len(medians) - 1) / 2) + 0.24 * (row - (len(by_model) - 1) / 2)
                label = {"label": TITLES[name]} if place == 0 else {}
                panel.plot(place + shifts, medians, **{**_style(name), "linestyle": "", "label": "_", **label})
        panel.axhline(BOUND, color="black", linewidth=1)
        panel.annotate(f"bound {BOUND}", (0.5, BOUND), xytext=(0, 3), textcoords="offset points", ha="center", fontsize=8)
        panel.set_xticks((0, 1), ("into held-out worlds", "control"))
        panel.set_xlim(-0.5, 1.5)
        _scale_by_ratios(panel)
        panel.set_title(f"{factor} exchanged", fontsize=10)
    panels[0].set_ylabel("error of the predicted change")
    _legend(figure, panels[0])
    return figure


def _panels(count, size, share=True):
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    panels = figure.subplots(1, count, sharey=share, squeeze=False)[0]
    for panel in panels:
        panel.spines[["top", "right"]].set_visible(False)
    return figure, panels


def _by_model(results):
    names = dict.fromkeys(pair["model"] for pair in results["pairs"])
    return {name: [pair for pair in results["pairs"] if pair["model"] == name] for name in names}


def _style(name):
    return {**STYLES[name], "mfc": "white", "label": TITLES[name]}


def _scale_by_ratios(panel):
    """A logarithmic axis with plain numbers at 1, 2 and 5."""
    from matplotlib.ticker import LogLocator, NullFormatter

    panel.set_yscale("log")
    panel.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    panel.yaxis.set_major_formatter("{x:g}")
    panel.yaxis.set_minor_formatter(NullFormatter())


def _legend(figure, panel):
    handles, labels = panel.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), fontsize=8, frameon=False)
