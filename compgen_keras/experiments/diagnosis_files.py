"""A run's diagnosis as files."""

import time
from pathlib import Path

from compgen_keras import models
from compgen_keras.diagnostics import Diagnosis, diagnose, diagnosis_figure, diagnosis_text
from compgen_keras.errors import require_integer
from compgen_keras.experiments.run import TEST_SEED
from compgen_keras.experiments.run_folder import RunFolder
from compgen_keras.files import write_json, write_picture, write_text


def write_diagnosis(run_dir, examples: int = 1000, beams: int = 32, output=None, **options) -> Diagnosis:
    """Diagnoses the trained model of a run on its test split, prints the report, and writes it.

    There are `diagnosis.md`, the report; `diagnosis.json`, all numbers, what was asked for, and the seconds it took; and
    `diagnosis.png`.

    Args:
        run_dir: the run folder.
        examples: number of examples.
        beams: width of the beam search.
        output: the folder to write to, made if missing; None: `diagnosis` in the run folder.
        **options: further arguments of `compgen_keras.diagnostics.diagnose`.

    Returns:
        The `Diagnosis`.

    Raises:
        ValueError: `run_dir` is no run folder, its model is missing or damaged, or a number is out of range.
    """
    examples, beams = require_integer("the number of examples", examples, 1), require_integer("beams", beams, 1)
    folder = RunFolder.open(run_dir)
    config = folder.config
    output = folder.path / "diagnosis" if output is None else Path(output)
    model = models.load(folder.model_path, variant=config["variant"], benchmark=config["benchmark"])
    started = time.perf_counter()
    found = diagnose(model, folder.benchmark, n=examples, beams=beams, **{"seed": TEST_SEED, **options})
    seconds = round(time.perf_counter() - started, 1)
    text = diagnosis_text(found)
    run = {name: config[name] for name in ("benchmark", "variant", "size", "seed")}
    write_text(output / "diagnosis.md", text)
    write_json(output / "diagnosis.json", {"run": run, "seconds": seconds, **found.as_json()})
    write_picture(output / "diagnosis.png", diagnosis_figure(found))
    print(f"\n{text}")
    print(f"report       {output / 'diagnosis.md'}, as numbers {output / 'diagnosis.json'}")
    print(f"figure       {output / 'diagnosis.png'}")
    return found
