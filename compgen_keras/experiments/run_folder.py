"""Everything that one training run leaves behind, under one folder."""

import json
from dataclasses import dataclass
from pathlib import Path

from compgen_keras import benchmarks, models
from compgen_keras.errors import InputError
from compgen_keras.evaluation import Evaluation
from compgen_keras.files import write_json, write_text

SETTINGS = ("in_distribution", "zero_shot", "few_shot", "few_shot_in_distribution")
"""What a run can be evaluated as: on fresh training-distribution examples or on the test split, before or after fine-tuning."""


class OtherTrainingError(InputError):
    """A folder holds the training of something else than what is to go on there."""


@dataclass(frozen=True)
class RunFolder:
    """The files of a run.

    `config.json` says what was trained and how, `training.json` how long it took and where it got, `checkpoint.npz` is the state of
    a training that is not finished, `model.keras` and `few_shot.keras` are the models, `tensorboard/` the logs,
    `evaluations/<setting>.json` the results, `predictions/<setting>.jsonl` every prediction.

    Attributes:
        path: the folder.
    """

    path: Path

    @classmethod
    def create(cls, path) -> "RunFolder":
        """Makes a new folder, or takes an empty one.

        Raises:
            ValueError: a file or a folder with something in it is there already, or the folder cannot be made.
        """
        path = Path(path)
        try:
            if path.exists() and (not path.is_dir() or any(path.iterdir())):
                if (path / "config.json").is_file() and not (path / "training.json").is_file():
                    raise InputError(
                        f"{path} holds a training that was not finished; go on with it (--resume), choose another --run-dir, or remove it."
                    )
                raise InputError(f"{path} exists already; expected a new run folder: choose another --run-dir or remove it.")
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"the run folder {path} cannot be made: {error.strerror}.") from None
        return cls(path)

    @classmethod
    def take_up(cls, path, config: dict) -> "RunFolder":
        """Takes the folder of an interrupted training with the same config, or a new one.

        Args:
            path: the folder.
            config: what is to be trained and how.

        Raises:
            ValueError: it is the folder of something else, or it cannot be made.
        """
        folder = cls(Path(path))
        if not folder.config_path.is_file():
            return cls.create(path)
        there = folder.config
        # What is written is compared: JSON has no tuples.
        different = [key for key, value in json.loads(json.dumps(config)).items() if there.get(key) != value]
        if different:
            given = ", ".join(f"{key} {config[key]!r} (there: {there.get(key)!r})" for key in different)
            raise OtherTrainingError(f"{path} holds another training: {given}; expected the same one to go on with, or another --run-dir.")
        return folder

    @classmethod
    def open(cls, path) -> "RunFolder":
        """Opens the folder of a run.

        Raises:
            ValueError: it is not there, holds no run, or its config is damaged.
        """
        folder = cls(Path(path))
        if not folder.config_path.is_file():
            raise InputError(f"{path} is no run folder: it has no config.json; expected one that `compgen-keras train` made.")
        config = folder.config
        if not isinstance(config.get("options", {}), dict):
            raise InputError(f"{folder.config_path} has no proper 'options'; expected the file that compgen-keras wrote.")
        benchmarks.load(config["benchmark"])
        models.check_names(config["variant"], config["size"])
        return folder

    @property
    def config_path(self) -> Path:
        return self.path / "config.json"

    @property
    def model_path(self) -> Path:
        return self.path / "model.keras"

    @property
    def few_shot_model_path(self) -> Path:
        return self.path / "few_shot.keras"

    @property
    def checkpoint_path(self) -> Path:
        return self.path / "checkpoint.npz"

    @property
    def tensorboard_path(self) -> Path:
        return self.path / "tensorboard"

    @property
    def training_path(self) -> Path:
        return self.path / "training.json"

    @property
    def config(self) -> dict:
        """What was trained and how."""
        return _read_json(self.config_path, {"benchmark": str, "variant": str, "size": str, "seed": int})

    @property
    def benchmark(self) -> benchmarks.Benchmark:
        """The benchmark that was trained on, with its options."""
        config = self.config
        return benchmarks.load(config["benchmark"], **config.get("options", {}))

    @property
    def training(self) -> dict | None:
        """How long training took and where it got; None if it has not finished."""
        return _read_json(self.training_path, {"steps": int, "seconds": (int, float)}) if self.training_path.is_file() else None

    def evaluation(self, setting: str) -> dict | None:
        """A setting's results; None if it has not been evaluated."""
        path = self.path / "evaluations" / f"{setting}.json"
        keys = {"examples": int, "correct": int, "accuracy": (int, float), "interval_95": list, "by_parts": dict}
        return _read_json(path, keys) if path.is_file() else None

    def write_evaluation(self, setting: str, evaluation: Evaluation, **details) -> None:
        """Keeps an evaluation's numbers and predictions.

        Args:
            setting: one of `SETTINGS`.
            evaluation: the evaluation.
            **details: what else to keep with the numbers.
        """
        rows = zip(evaluation.examples, evaluation.predictions, evaluation.correct, strict=True)
        lines = [
            json.dumps({"spec": example.spec, "parts": example.parts, "case": example.case, "prediction": tokens, "correct": right})
            for example, tokens, right in rows
        ]
        write_text(self.path / "predictions" / f"{setting}.jsonl", "".join(line + "\n" for line in lines))
        write_json(self.path / "evaluations" / f"{setting}.json", {**evaluation.summary(), **details})


def _read_json(path, keys):
    """An object with at least these keys, each of its type."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, OSError) as error:
        raise InputError(f"{path} cannot be read as JSON ({error}); expected the file that compgen-keras wrote.") from None
    for key, kind in keys.items():
        if not isinstance(content, dict) or not isinstance(content.get(key), kind):
            raise InputError(f"{path} has no proper {key!r}; expected the file that compgen-keras wrote.")
    return content
