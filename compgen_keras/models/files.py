"""Model files: checked before they are trusted, and named when they are not what was asked for."""

import json
import zipfile
from pathlib import Path

import keras

from compgen_keras.errors import InputError
from compgen_keras.models.encoder_decoder import EncoderDecoder

_CLASS = "EncoderDecoder"


def load(path, variant: str | None = None, benchmark: str | None = None) -> EncoderDecoder:
    """Loads a model that `EncoderDecoder.save` wrote.

    Args:
        path: the `.keras` file.
        variant: the variant it must be; None if any will do.
        benchmark: the benchmark it must be for; None if any will do.

    Returns:
        The model, ready to generate.

    Raises:
        ValueError: no such file, a damaged one, not a model of this package, or one of another variant or benchmark.
    """
    path = Path(path)
    config = _read_config(path)
    for what, expected, found in (
        ("model", variant, config["variant"]),
        ("benchmark", benchmark, config["codec"]["benchmark"]),
    ):
        if expected is not None and expected != found:
            raise InputError(
                f"{path} holds the {what} {found}, not {expected}: it is {config['variant']} for {config['codec']['benchmark']}."
            )
    try:
        return keras.saving.load_model(path)
    except (ValueError, TypeError, KeyError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise InputError(f"{path} cannot be loaded ({_first_line(error)}); expected an undamaged .keras file.") from error


def _read_config(path):
    if not path.is_file():
        raise InputError(f"there is no model file {path}; expected a .keras file, such as a run folder's model.keras.")
    try:
        with zipfile.ZipFile(path) as archive:
            damaged = archive.testzip()
            if damaged:
                raise InputError(f"{path} is damaged: {damaged} inside it does not match its checksum; save the model again.")
            content = json.loads(archive.read("config.json"))
    except (zipfile.BadZipFile, KeyError, ValueError, EOFError, OSError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path} is no complete .keras file ({_first_line(error)}); save the model again.") from None
    if not isinstance(content, dict) or content.get("class_name") != _CLASS:
        found = content.get("class_name") if isinstance(content, dict) else None
        raise InputError(f"{path} holds a {found}, not an {_CLASS} of compgen_keras; expected a file that such a model saved.")
    return content["config"]


def _first_line(error):
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
