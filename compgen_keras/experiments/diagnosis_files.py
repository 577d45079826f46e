"""A run's diagnosis as files."""

from compgen_keras.diagnostics import Diagnosis, diagnose, diagnosis_figure, diagnosis_text
from compgen_keras.errors import require_integer
from compgen_keras.experiments.measured_run import write_measurement
from compgen_keras.experiments.run import TEST_SEED
from compgen_keras.experiments.run_folder import RunFolder


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

    def measure(model):
        return diagnose(model, folder.benchmark, n=examples, beams=beams, **{"seed": TEST_SEED, **options})

    return write_measurement(folder, "diagnosis", measure, diagnosis_text, diagnosis_figure, output)
