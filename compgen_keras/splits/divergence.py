"""How far apart two distributions of atoms or compounds are."""

import numpy as np

from compgen_keras.errors import InputError

ATOM_ALPHA = 0.5
"""Weight of training for atoms: both sides count alike."""

COMPOUND_ALPHA = 0.1
"""Weight of training for compounds: it matters that a test compound occurs in training, less how often."""


def divergence(train, test, alpha: float) -> float:
    """1 − C_α(train‖test) with the Chernoff coefficient C_α(P‖Q) = Σ p^α q^(1−α).

    Args:
        train: counts or frequencies by name (a dict), or an array of them, from 0.
        test: those of the test, of the same kind; arrays have the same length.
        alpha: the weight of training, between 0 and 1; `ATOM_ALPHA` for atoms and `COMPOUND_ALPHA` for compounds.

    Returns:
        A number from 0 (the same frequencies) to 1 (nothing in common).

    Raises:
        ValueError: a side is empty or has negative counts, the arrays differ in length, or alpha is out of range.

    Example:

    >>> round(divergence({"a": 1, "b": 1}, {"a": 1}, alpha=0.5), 4)
    0.2929
    >>> round(divergence({"a": 1, "b": 1}, {"a": 1}, alpha=0.1), 4)
    0.067

    Reference: Keysers et al., *Measuring Compositional Generalization* (2020), section 2.1; with plain frequencies.
    """
    if not 0 < alpha < 1:
        raise InputError(f"alpha is {alpha!r}; expected a number between 0 and 1, such as {ATOM_ALPHA} for atoms.")
    if isinstance(train, dict) or isinstance(test, dict):
        names = list(dict.fromkeys([*train, *test]))
        train, test = ([side.get(name, 0) for name in names] for side in (train, test))
    p, q = _frequencies("train", train), _frequencies("test", test)
    if len(p) != len(q):
        raise InputError(f"train has {len(p)} counts and test has {len(q)}; expected one of each name on both sides.")
    return float(np.clip(1 - np.sum(p**alpha * q ** (1 - alpha)), 0, 1))


def total_variation(train, test) -> float:
    """Half the sum of the absolute differences of two distributions' frequencies, from 0 to 1.

    Args:
        train: an array of counts.
        test: another of the same length.

    Example:

    >>> total_variation([1, 1, 0], [0, 1, 1])
    0.5
    """
    return float(np.abs(_frequencies("train", train) - _frequencies("test", test)).sum() / 2)


def _frequencies(name, counts):
    counts = np.asarray(counts, dtype=float)
    if counts.ndim != 1 or not counts.sum() > 0 or counts.min() < 0:
        raise InputError(f"{name} has no counts to compare; expected numbers from 0, at least one of them above 0.")
    return counts / counts.sum()
