"""A measurement of a run's trained model: made, printed and written."""

import time
from collections.abc import Callable
from pathlib import Path

from compgen_keras import models
from compgen_keras.experiments.run_folder import RunFolder
from compgen_keras.files import write_json, write_picture, write_text


def write_measurement(folder: RunFolder, name: str, measure: Callable, text_of: Callable, figure_of: Callable, output=None):
    """Measures a run's model, prints the report, and writes it as `<name>.md`, `<name>.json` and `<name>.png`.

    The JSON file has the numbers, which run they are of, and the seconds that measuring took.

    Args:
        folder: the run.
        name: of the files.
        measure: called with the model, returns what was found, which has `as_json`.
        text_of: called with what was found, returns Markdown.
        figure_of: likewise, a matplotlib figure.
        output: the folder to write to, made if missing; None: one of that name in the run folder.

    Returns:
        What was found.

    Raises:
        ValueError: the model is missing or damaged.
    """
    config = folder.config
    output = folder.path / name if output is None else Path(output)
    model = models.load(folder.model_path, variant=config["variant"], benchmark=config["benchmark"])
    started = time.perf_counter()
    found = measure(model)
    seconds = round(time.perf_counter() - started, 1)
    text = text_of(found)
    run = {key: config[key] for key in ("benchmark", "variant", "size", "seed")}
    write_text(output / f"{name}.md", text)
    write_json(output / f"{name}.json", {"run": run, "seconds": seconds, **found.as_json()})
    write_picture(output / f"{name}.png", figure_of(found))
    print(f"\n{text}")
    print(f"report       {output / f'{name}.md'}, as numbers {output / f'{name}.json'}")
    print(f"figure       {output / f'{name}.png'}")
    return found
