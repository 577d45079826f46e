"""The result of a cell: a small file with all that the report needs."""

import hashlib
import json
from pathlib import Path

import numpy as np

from compgen_keras.errors import InputError
from compgen_keras.experiments.run_folder import RunFolder
from compgen_keras.grid.cell import Cell

_SHOWN = ("loss", "token_accuracy", "val_loss")


def make_result(folder: RunFolder, cell: Cell) -> dict:
    """Gathers what a finished run has left.

    Args:
        folder: the run, trained and evaluated in all settings of the cell.
        cell: the cell.

    Returns:
        A dict for JSON. `"evaluations"` has for each setting the numbers, which of the test examples are solved (`"solved"`, a string of
        hexadecimal digits, first example first), and a digest of the specifications (`"specs_sha256"`), so that it can be checked that
        two models were measured on the same. All times are under `"timing"`.
    """
    config, training = folder.config, folder.training
    evaluations, seconds = {}, {}
    for setting in cell.settings["settings"]:
        numbers = dict(folder.evaluation(setting))
        seconds[setting] = numbers.pop("seconds", None)
        specs, solved = _predictions(folder.path / "predictions" / f"{setting}.jsonl")
        evaluations[setting] = {**numbers, "solved": to_hex(solved), "specs_sha256": hashlib.sha256("\n".join(specs).encode()).hexdigest()}
    return {
        "cell": cell.config,
        "parameters": config["parameters"],
        "backend": config["backend"],
        "accelerator": config["accelerator"],
        "versions": config["versions"],
        "training": {
            "steps": training["steps"],
            "history": {name: [round(value, 6) for value in training["history"][name]] for name in _SHOWN if name in training["history"]},
        },
        "evaluations": evaluations,
        "timing": {"training_seconds": training["seconds"], "evaluation_seconds": seconds},
    }


def to_hex(solved) -> str:
    """Booleans as hexadecimal digits.

    Example:

    >>> to_hex([True, False, False, False, True])
    '88'
    """
    return np.packbits(np.asarray(solved, dtype=bool)).tobytes().hex()


def from_hex(text: str, count: int) -> np.ndarray:
    """What `to_hex` was given.

    Args:
        text: the digits.
        count: how many booleans.

    Returns:
        Booleans, (count,).

    Example:

    >>> from_hex("88", 5).tolist()
    [True, False, False, False, True]
    """
    return np.unpackbits(np.frombuffer(bytes.fromhex(text), dtype=np.uint8))[:count].astype(bool)


def check_result(path: Path, cell: Cell) -> dict:
    """Reads a cell's result.

    Raises:
        ValueError: the file is damaged, contradicts itself, or is of another cell.
    """
    mend = "run the grid with --retry-failed to have the cell run again"
    try:
        result = json.loads(path.read_text(encoding="utf-8"))
        config, evaluations = result["cell"], result["evaluations"]
        damaged = [setting for setting in cell.settings["settings"] if not _agrees(evaluations[setting], cell.settings["examples"])]
        different = [key for key, value in json.loads(json.dumps(cell.config)).items() if config.get(key) != value]
        float(result["timing"]["training_seconds"])
        dict(result["timing"]["evaluation_seconds"])
    except (ValueError, KeyError, TypeError, AttributeError, OSError) as error:
        raise InputError(f"{path} is damaged ({type(error).__name__}: {error}); {mend}.") from None
    if different:
        key = different[0]
        raise InputError(f"{path} is of another cell: {key} is {config.get(key)!r}, the grid has {cell.config[key]!r}; {mend}.")
    if damaged:
        raise InputError(f"{path} is damaged: the numbers of {damaged[0]} contradict one another; {mend}.")
    return result


def _agrees(numbers, asked):
    """Whether all that the report uses is there and fits together; a split may have fewer examples than were asked for."""
    count, correct = numbers["examples"], numbers["correct"]
    solved, (low, high) = from_hex(numbers["solved"], count), numbers["interval_95"]
    parts = numbers["by_parts"].values()
    in_parts = [sum(part[key] for part in parts) for key in ("correct", "examples")]
    return (
        0 < count <= asked
        and len(solved) == count
        and solved.sum() == correct
        and abs(numbers["accuracy"] - correct / count) < 1e-9
        and in_parts == [correct, count]
        and low - 1e-9 <= numbers["accuracy"] <= high + 1e-9
        and isinstance(numbers["specs_sha256"], str)
    )


def _predictions(path):
    with path.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [json.dumps(row["spec"]) for row in rows], [row["correct"] for row in rows]
