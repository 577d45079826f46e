"""Files that are written whole or not at all."""

import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from compgen_keras.errors import InputError


def write_whole(path: Path, write: Callable[[Path], None]) -> None:
    """Has `write` write a file beside `path`, then renames it, so that no reader ever sees half a file.

    Args:
        path: the file to make or replace; its folder is made if missing.
        write: called with the path of the temporary file, which has the same suffix.
    """
    path = Path(path)
    if path.is_dir():
        raise InputError(f"{path} is a folder; expected the name of a file to write.")
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}-", suffix=path.suffix)
    os.close(handle)
    temporary = Path(name)
    try:
        write(temporary)
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_text(path: Path, text: str) -> None:
    """Writes a text file whole."""
    write_whole(path, lambda temporary: temporary.write_text(text, encoding="utf-8"))


def write_json(path: Path, value) -> None:
    """Writes a JSON file whole."""
    write_text(path, json.dumps(value, indent=2) + "\n")


def write_picture(path: Path, figure) -> None:
    """Writes a matplotlib figure whole, as PNG.

    Raises:
        ValueError: the name does not end in `.png`.
    """
    path = Path(path)
    if path.suffix.lower() != ".png":
        raise InputError(f"the picture is to be {str(path)!r}; expected a name that ends in .png.")
    write_whole(path, lambda temporary: figure.savefig(temporary, dpi=150, format="png"))
