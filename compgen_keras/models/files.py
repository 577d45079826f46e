"""Model files: checked before they are trusted, and named when they are not what was asked for."""

import json
import zipfile
from pathlib import Path

import keras

from compgen_keras.errors import InputError
from compgen_keras.models.encoder_decoder import EncoderDecoder
from compgen_keras.models.program_writer import ProgramWriter
from compgen_keras.models.recurrent_encoder_decoder import RecurrentEncoderDecoder

_CLASSES = tuple(model.__name__ for model in (EncoderDecoder, RecurrentEncoderDecoder))


def load(path, variant: str | None = None, benchmark: str | None = None) -> ProgramWriter:
    """Loads a model of this package that its method `save` wrote.

    Args:
        path: the `.keras` file.
        variant: the variant it must be; None if any will do.
        benchmark: the benchmark it must be for; None if any will do.

    Returns:
        The model, ready to generate.

    Raises:
        ValueError: no such file, a damaged one, not a model of this package, or one of another variant or benchmark.
    """
    try:
        path = Path(path)
    except TypeError:
        raise InputError(f"{path!r} is no path; expected that of a .keras file.") from None
    found_variant, found_benchmark = _what_it_is(path)
    for what, expected, found in (("model", variant, found_variant), ("benchmark", benchmark, found_benchmark)):
        if expected is not None and expected != found:
            raise InputError(f"{path} holds the {what} {found}, not {expected}: it is {found_variant} for {found_benchmark}.")
    try:
        return keras.saving.load_model(path)
    except Exception as error:  # a damaged file fails in whatever part of Keras, zip or HDF5 first stumbles over it
        raise InputError(f"{path} cannot be loaded ({_first_line(error)}); expected an undamaged .keras file.") from error


def _what_it_is(path):
    """The variant and the benchmark of the model in a file, read without building it."""
    if not path.is_file():
        raise InputError(f"there is no model file {path}; expected a .keras file, such as a run folder's model.keras.")
    try:
        with zipfile.ZipFile(path) as archive:
            damaged = archive.testzip()
            content = json.loads(archive.read("config.json"))
    except Exception as error:  # as above
        raise InputError(f"{path} is no complete .keras file ({_first_line(error)}); save the model again.") from None
    if damaged:
        raise InputError(f"{path} is damaged: {damaged} inside it does not match its checksum; save the model again.")
    found = content.get("class_name") if isinstance(content, dict) else None
    if found not in _CLASSES:
        raise InputError(f"{path} holds a {found}; expected a file that a model of compgen_keras ({', '.join(_CLASSES)}) saved.")
    try:
        return content["config"]["variant"], content["config"]["codec"]["benchmark"]
    except (KeyError, TypeError):
        raise InputError(f"{path} does not say which model it holds; expected a file that a model of compgen_keras saved.") from None


def _first_line(error):
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
