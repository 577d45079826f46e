"""The swap test: exchange one mechanism, and see whether the prediction changes as the world does."""

from dataclasses import dataclass

import numpy as np

from compgen_keras.errors import InputError
from compgen_keras.worlds.dynamics import TRUE_DYNAMICS
from compgen_keras.worlds.hold_out import HoldOut
from compgen_keras.worlds.rollout import one_step
from compgen_keras.worlds.scaling import Scaling
from compgen_keras.worlds.trajectories import Trajectories

BOUND = 0.25
"""A swap passes when the error of the predicted change is below this share of the true change."""

FACTORS = ("actuator", "field")


@dataclass(frozen=True)
class Swap:
    """One exchange of a mechanism.

    Attributes:
        source: the training world it starts from.
        target: the world it leads to, which differs in one factor.
        factor: which factor is exchanged, 0 the actuator, 1 the field.
        held_out: whether the target is a held-out world; if not, it is a training world and the swap a control.
    """

    source: tuple[int, int]
    target: tuple[int, int]
    factor: int
    held_out: bool

    @property
    def exchange(self) -> tuple[int, int, int]:
        """What is exchanged, wherever: the factor, its old and its new value. A swap's matched controls have the same."""
        return self.factor, self.source[self.factor], self.target[self.factor]


def crosses(first: tuple[int, int], second: tuple[int, int]) -> tuple[tuple[int, int], tuple[int, int]]:
    """The two cross-combinations of two worlds that share no mechanism.

    Args:
        first: (m1, m2).
        second: (m1', m2').

    Returns:
        (m1, m2') and (m1', m2).

    Raises:
        ValueError: the worlds share a mechanism.

    Example:

    >>> crosses((0, 1), (3, 4))
    ((0, 4), (3, 1))

    Reference: the last paragraph of the section *Measuring Systematic Generalization*.
    """
    if any(one == other for one, other in zip(first, second, strict=True)):
        raise InputError(f"worlds {first} and {second} share a mechanism; expected two that differ in both factors.")
    return (first[0], second[1]), (second[0], first[1])


def swaps(split: HoldOut) -> list[Swap]:
    """All swaps from a training world.

    These are the crosses of all pairs of training worlds that share no mechanism, each reached from both of its parents: (m1, m2') from
    (m1, m2) by the field, from (m1', m2') by the actuator. When an anti-diagonal is held out, each swap into a held-out world has
    side - 2 matched controls: the same exchange between two training worlds.

    Args:
        split: the worlds.
    """
    return [
        Swap(source, target, factor, target in split.held_out)
        for target in (*split.held_out, *split.training)
        for factor in (0, 1)
        for source in split.neighbours(target, 1 - factor)
        if source != target
    ]


def swap_test(dynamics, split: HoldOut, probes: Trajectories, scaling: Scaling, repeats: int = 4) -> dict:
    """Compares predicted with true changes for all swaps, on the same states and actions in all worlds.

    A swap's relative error is the root mean square of (predicted change - true change) over that of the true change, where a change is the
    next state in the target minus the next state in the source, in units of the states' standard deviation.

    Args:
        dynamics: a model, or the true dynamics.
        split: the worlds.
        probes: trajectories of training worlds that give the states and actions.
        scaling: of the training data.
        repeats: disjoint groups of probes to repeat it on.

    Returns:
        A dict of `"bound"`, and for each factor exchanged a dict of `"held_out"` and `"control"`: `"swaps"`, their number; `"passed"`, the
        share below the bound; `"median"` of the relative errors; `"by_repeat"`, the medians of the repeats; and `"from_to"`, for each pair
        of values the mean relative error (None on the diagonal). `"asymmetry"` compares, for held-out worlds, actuator and field swaps: the
        ratio of their median errors, the same of the controls, and the first over the second, in which unequal difficulty cancels out; and
        `"by_direction"`, for each factor the median ratio of the worse to the better of the directions m → m' and m' → m.

    Raises:
        ValueError: fewer probes than repeats.

    Reference: the last two paragraphs of the section *Measuring Systematic Generalization*.
    """
    inputs, _ = probes.transitions()
    probes_count = len(inputs["state"])
    if probes_count < repeats:
        raise InputError(f"there are {probes_count} probes for {repeats} repeats; expected one a repeat at least: give more trajectories.")
    every = swaps(split)
    errors = np.stack(
        [
            _relative_errors(dynamics, every, {name: array[start::repeats] for name, array in inputs.items()}, split.side, scaling)
            for start in range(repeats)
        ]
    )
    found = {}
    for factor, name in enumerate(FACTORS):
        found[name] = {}
        for held_out, kind in ((True, "held_out"), (False, "control")):
            rows = [place for place, swap in enumerate(every) if swap.factor == factor and swap.held_out == held_out]
            found[name][kind] = _summary(errors[:, rows], [every[row] for row in rows], split.side)
    return {"bound": BOUND, **found, "asymmetry": _asymmetry(found)}


def _relative_errors(dynamics, every, inputs, side, scaling):
    """One for each swap: every world's prediction is made once, swaps are differences of two."""
    predicted, true = (_next_states(of, inputs, side) / np.array(scaling.deviation) for of in (dynamics, TRUE_DYNAMICS))
    sources, targets = (np.array([swap.source if end == 0 else swap.target for swap in every]) @ [side, 1] for end in range(2))
    true_change = true[targets] - true[sources]
    wrong = predicted[targets] - predicted[sources] - true_change
    return np.sqrt(np.mean(wrong**2, axis=(1, 2)) / np.mean(true_change**2, axis=(1, 2)))


def _next_states(dynamics, inputs, side):
    """(worlds, probes, 4)."""
    cells = np.array([(row, column) for row in range(side) for column in range(side)], dtype="int32")
    probes = len(inputs["state"])
    everywhere = {name: np.tile(inputs[name], (len(cells), 1)) for name in ("state", "action")}
    states = one_step(dynamics, {**everywhere, "factors": np.repeat(cells, probes, axis=0)})
    return states.reshape(len(cells), probes, -1).astype("float64")


def _summary(errors, of, side):
    from_to = [[None] * side for _ in range(side)]
    for old in range(side):
        for new in range(side):
            places = [place for place, swap in enumerate(of) if swap.exchange[1:] == (old, new)]
            if places:
                from_to[old][new] = float(errors[:, places].mean())
    return {
        "swaps": errors.shape[1],
        "passed": float(np.mean(errors < BOUND)),
        "median": float(np.median(errors)),
        "by_repeat": np.median(errors, axis=1).tolist(),
        "from_to": from_to,
    }


def _asymmetry(found):
    ratio = {kind: _ratio(*(found[name][kind]["median"] for name in FACTORS)) for kind in ("held_out", "control")}
    return {
        **{f"actuator_over_field_{kind}": value for kind, value in ratio.items()},
        "beyond_controls": None if None in ratio.values() else _ratio(ratio["held_out"], ratio["control"]),
        "by_direction": {name: _direction_ratio(found[name]["held_out"]["from_to"]) for name in FACTORS},
    }


def _direction_ratio(from_to):
    pairs = [(from_to[a][b], from_to[b][a]) for a in range(len(from_to)) for b in range(a)]
    ratios = [_ratio(max(pair), min(pair)) for pair in pairs if None not in pair]
    ratios = [ratio for ratio in ratios if ratio is not None]
    return float(np.median(ratios)) if ratios else None


def _ratio(one, other):
    return one / other if other else None
