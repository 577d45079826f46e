"""Wrong predictions of a run, beside the truth."""

import json

from compgen_keras.benchmarks import Example
from compgen_keras.evaluation import aligned
from compgen_keras.experiments.report import TITLES
from compgen_keras.experiments.run_folder import RunFolder


def mistakes(folder: RunFolder, setting: str, count: int) -> list[str]:
    """The first wrong predictions of a setting, each as lines of text; none if it was not evaluated.

    Args:
        folder: the run.
        setting: one of `SETTINGS`.
        count: how many at most.
    """
    path = folder.path / "predictions" / f"{setting}.jsonl"
    found = []
    if path.is_file() and count:
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                if not row["correct"]:
                    example = Example(row["spec"], tuple(tuple(part) for part in row["parts"]))
                    found.append(aligned(example, row["prediction"]))
                    if len(found) == count:
                        break
    return found


def mistakes_text(folder: RunFolder, count: int) -> str:
    """A run's first zero-shot mistakes as text, or a line that says that there are none to show."""
    config = folder.config
    title = f"{config['variant']} on {config['benchmark']}, {TITLES['zero_shot']} mistakes"
    found = mistakes(folder, "zero_shot", count)
    return f"{title}\n\n" + ("\n\n".join(found) if found else "none among the evaluated examples")
