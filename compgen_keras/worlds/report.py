"""The report of a study, in Markdown."""

from compgen_keras.worlds.models import TITLES
from compgen_keras.worlds.planning import REACHED
from compgen_keras.worlds.prediction_error import growth_verdict
from compgen_keras.worlds.swap_test import BOUND, FACTORS
from compgen_keras.worlds.tables import number, percent, plus_minus, table

_PLACES = {"held_out": "held out", "training": "training", "control": "control"}


def report_text(results: dict) -> str:
    """The report.

    Args:
        results: what `study` returns.

    Returns:
        Markdown; its figures are the files that `draw_figures` makes.
    """
    sections = (_head, _pairs, _errors, _support, _planning, _adaptation, _swap)
    return "\n\n".join(section(results) for section in sections) + "\n"


def _head(results):
    settings, found = results["settings"], results["criterion"]
    lines = [
        "# Factorial worlds",
        f"Anti-diagonals {_listed(settings['diagonals'])}, seeds {_listed(settings['seeds'])}; {results['seconds']:.0f} s in all. "
        "Errors are root mean squares in units of the training states' standard deviation; ± is the standard deviation over the pairs of a "
        "diagonal and a seed.",
    ]
    if found:
        verdict = "at most half, as expected" if found["met"] else "more than half: the expectation is not met"
        lines.append(
            f"**Rollout error in held-out worlds, mean of steps 1–20: factored {number(found['factored'])}, world ID "
            f"{number(found['world_id'])}, a share of {percent(found['share'])}: {verdict}.**"
        )
        if not found["met"]:
            lines.append(_why_not(results))
    return "\n\n".join(lines)


def _why_not(results):
    """Whether the parts were not learned, or do not compose."""
    one_step = results["summary"]["models"]["factored"]["one_step"]
    known, new = (one_step[kind]["mean"] for kind in ("training", "held_out"))
    if new > 2 * known:
        return (
            f"The factored model's one-step error is {number(new)} in held-out worlds against {number(known)} in training worlds: its "
            "parts fit the worlds they were trained in and do not compose. See the support below."
        )
    return (
        f"The factored model's one-step error is about the same in training worlds ({number(known)}) as in held-out worlds "
        f"({number(new)}): its parts compose, but are not learned well enough. Train longer."
    )


def _pairs(results):
    names = results["settings"]["models"]
    found = {(pair["diagonal"], pair["seed"], pair["model"]): pair for pair in results["pairs"]}
    rows = [
        [str(diagonal), str(seed), *(number(found[diagonal, seed, name]["errors"]["held_out"]["rollout"]) for name in names)]
        for diagonal in results["settings"]["diagonals"]
        for seed in results["settings"]["seeds"]
    ]
    models = results["summary"]["models"]
    rows.append(["mean", "", *(plus_minus(models[name]["rollout"]["held_out"]) for name in names)])
    return _section(
        "All pairs",
        "Rollout error in held-out worlds, mean of steps 1–20.",
        table(["diagonal", "seed", *(TITLES[name] for name in names)], rows),
        "![all pairs](pairs.png)",
    )


def _errors(results):
    rows = []
    for name, model in results["summary"]["models"].items():
        for kind in ("held_out", "training"):
            errors = [plus_minus(model[what][kind]) for what in ("one_step", "rollout")]
            rows.append([TITLES[name], _PLACES[kind], *errors, f"{model['parameters']:,}"])
        if "mean_embedding" in model:
            errors = [plus_minus(model["mean_embedding"][what]) for what in ("one_step", "rollout")]
            rows.append([f"{TITLES[name]}, mean embedding", "held out", *errors, f"{model['parameters']:,}"])
    growth = []
    for name, model in results["summary"]["models"].items():
        exponents = [model["growth"][curve] for curve in ("by_step", "position_by_step", "velocity_by_step")]
        verdicts = [growth_verdict(exponent["mean"]) for exponent in exponents]
        growth.append([TITLES[name], *(f"{plus_minus(e, _two)}: {v}" for e, v in zip(exponents, verdicts, strict=True))])
    return _section(
        "One step and many",
        "The mean embedding is the baseline with the mean of its trained embeddings for worlds it does not know, in place of embeddings "
        "that no training has touched.",
        table(["model", "worlds", "one step", "rollout, steps 1–20", "parameters"], rows),
        "Growth in held-out worlds: the exponent b of error ∝ step^b. A steady error of acceleration gives 1 for the velocity and up to "
        "2 for the position, without any instability.",
        table(["model", "whole state", "position", "velocity"], growth),
        "![error by step](rollout.png)",
    )


def _support(results):
    rows = []
    for diagonal, worlds in results["support"].items():
        for world in worlds:
            row, column = world["row"], world["column"]
            cells = [f"{write(row[key])} / {write(column[key])}" for key, write in _SUPPORT.items()]
            rows.append([diagonal, world["world"], *cells, _two(row["test_excitation"])])
    estimates = []
    for name in results["settings"]["models"]:
        of_model = [pair["neighbours"] for pair in results["pairs"] if pair["model"] == name]
        worst = [max(world[where] for worlds in of_model for world in worlds.values()) for where in ("row", "column")]
        means = [
            sum(world[where] for worlds in of_model for world in worlds.values()) / sum(map(len, of_model)) for where in ("row", "column")
        ]
        estimates.append([TITLES[name], *(f"{number(m)} (at most {number(w)})" for m, w in zip(means, worst, strict=True))])
    return _section(
        "Support near the held-out worlds",
        "Row / column: training worlds with the same actuator / the same field. *In range* and *in bins*: the share of the held-out "
        "world's test states within the range, and in bins of one standard deviation, of those worlds' training states. *Excitation*: "
        "the smallest eigenvalue of the pushes' covariance, 1/3 for uniform ones.",
        table(["diagonal", "held-out world", "steps", "in range", "in bins", "excitation", "excitation in test"], rows),
        "How well the parts were learned: one-step error on fresh trajectories of the training worlds in the row and the column.",
        table(["model", "row", "column"], estimates),
    )


def _planning(results):
    rows = []
    summary = results["summary"]
    planners = {"true dynamics": summary["bounds"]["true_dynamics"]}
    planners |= {TITLES[name]: model["planning"] for name, model in summary["models"].items()}
    planners["random pushes"] = summary["bounds"]["random_pushes"]
    for title, planning in planners.items():
        for kind in ("held_out", "training"):
            found = planning[kind]
            rows.append(
                [
                    title,
                    _PLACES[kind],
                    plus_minus(found["success"], percent),
                    *(plus_minus(found[what], _two) for what in ("predicted", "realised", "optimism")),
                    percent(found["in_range"]["mean"]),
                ]
            )
    return _section(
        "Planning with the model held fixed",
        f"A puck at rest is to be at a goal 1.25 m away 2 s later; within {REACHED} m is a success. The plan is made once and carried "
        "out without looking. The return is minus the final distance in m; optimism is predicted minus realised.",
        table(["planner believes", "worlds", "success", "predicted", "realised", "optimism", "states in training's range"], rows),
        "![planning](planning.png)",
    )


def _adaptation(results):
    rows, moved = [], []
    for name, model in results["summary"]["models"].items():
        for found in model["adaptation"]:
            errors = [plus_minus(found[where]) for where in ("new_world", "training_worlds")]
            rows.append([TITLES[name], found["source"], str(found["trajectories"]), *errors])
        last = [found for found in model["adaptation"] if found["source"] == "new world"][-1]
        layers = ", ".join(f"{layer} {percent(spread['mean'])}" for layer, spread in last["moved"].items())
        moved.append([TITLES[name], str(last["trajectories"]), layers])
    steps = results["settings"]["budget"]["adaptation_steps"]
    return _section(
        "Adaptation to a held-out world",
        f"Fine-tuning takes {steps} steps of 64 single steps, drawn from n trajectories of the new world, or as a control of training "
        "worlds. Rollout errors afterwards, one held-out world a pair.",
        table(["model", "trajectories of", "n", "error in the new world", "error in training worlds"], rows),
        "How far each layer's weights moved, as a share of their norm:",
        table(["model", "n", "moved"], moved),
        "![adaptation](adaptation.png)",
    )


def _swap(results):
    rows, asymmetry = [], []
    for name, model in results["summary"]["models"].items():
        for factor in FACTORS:
            for kind in ("held_out", "control"):
                found = model["swap"][factor][kind]
                cells = [plus_minus(found["passed"], percent), plus_minus(found["median"]), number(found["repeats"]["mean"])]
                rows.append([TITLES[name], factor, _PLACES[kind], str(found["swaps"]), *cells])
        found = model["asymmetry"]
        asymmetry.append([TITLES[name], *(plus_minus(found[key], _two) for key in ("beyond_controls", *FACTORS))])
    return _section(
        "Swap test",
        "From a training world, one mechanism is exchanged: into a held-out world, or with the same exchange into another training "
        f"world (control). The error of the predicted change over the true change is to be below {BOUND}. *Between repeats* is the range "
        "of medians over disjoint groups of states.",
        table(["model", "exchanged", "target", "swaps", "passed", "median error", "between repeats"], rows),
        "Asymmetry, 1 for none: *factors* is the actuator's over the field's median error, held out over control; *directions* is the "
        "worse over the better of m → m' and m' → m, for each factor.",
        table(["model", "factors", "directions, actuator", "directions, field"], asymmetry),
        "The factored model's predicted change does not depend on the other factor, by construction: held-out swaps and controls must "
        "agree, and what the test can find out is only whether each part was learned.",
        "![swap test](swap.png)",
    )


def _two(value):
    return number(value, 2)


_SUPPORT = {"steps": lambda value: f"{value:,}", "in_range": percent, "in_bins": percent, "excitation": _two}


def _section(title, *paragraphs):
    return "\n\n".join([f"## {title}", *paragraphs])


def _listed(values):
    return ", ".join(map(str, values))
