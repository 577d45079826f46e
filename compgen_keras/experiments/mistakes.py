"""Wrong predictions of a run, beside the truth."""

import json

from compgen_keras.benchmarks import Example, load
from compgen_keras.errors import InputError
from compgen_keras.evaluation import aligned
from compgen_keras.experiments.report import TITLES
from compgen_keras.experiments.run_folder import RunFolder


def mistakes(folder: RunFolder, setting: str, count: int) -> list[str]:
    """The first wrong predictions of a setting, each as lines of text.

    Args:
        folder: the run.
        setting: one of `SETTINGS`.
        count: how many at most.

    Raises:
        ValueError: the file of predictions is missing or damaged.
    """
    path = folder.path / "predictions" / f"{setting}.jsonl"
    bench = load(folder.config["benchmark"])
    found = []
    try:
        with path.open(encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                if not row["correct"] and len(found) < count:
                    example = Example(row["spec"], tuple(tuple(part) for part in row["parts"]), row.get("case", ""))
                    found.append((f"case    {example.case}\n" if example.case else "") + aligned(example, row["prediction"], bench=bench))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} cannot be read ({error!r}); expected the file that compgen-keras evaluate wrote.") from None
    return found


def mistakes_text(folder: RunFolder, count: int) -> str:
    """A run's first zero-shot mistakes as text, or a line that says that there are none to show."""
    config = folder.config
    title = f"{config['variant']} on {config['benchmark']}, {TITLES['zero_shot']} mistakes"
    if folder.evaluation("zero_shot") is None:
        return f"{title}\n\nnot evaluated yet"
    found = mistakes(folder, "zero_shot", count)
    return f"{title}\n\n" + ("\n\n".join(found) if found else "none among the evaluated examples")
