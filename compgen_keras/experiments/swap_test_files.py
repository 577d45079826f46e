"""A run's swap test as files."""

from compgen_keras.errors import require_integer
from compgen_keras.experiments.measured_run import write_measurement
from compgen_keras.experiments.run import TEST_SEED
from compgen_keras.experiments.run_folder import RunFolder
from compgen_keras.swap_test import SwapTest, checked_swap_factors, swap_test, swap_test_figure, swap_test_text


def write_swap_test(run_dir, factors=None, pairs: int = 200, repeats: int = 3, output=None, **options) -> SwapTest:
    """Makes the swap test with the trained model of a run, prints the report, and writes it.

    There are `swap_test.md`, the report; `swap_test.json`, all numbers, what was asked for, and the seconds it took; and
    `swap_test.png`.

    Args:
        run_dir: the run folder.
        factors: the factors to exchange, see `compgen_keras.swap_test.swap_test`.
        pairs: how many pairs for each factor and repeat.
        repeats: how often it is repeated.
        output: the folder to write to, made if missing; None: `swap_test` in the run folder.
        **options: further arguments of `compgen_keras.swap_test.swap_test`.

    Returns:
        The `SwapTest`.

    Raises:
        ValueError: `run_dir` is no run folder, its model is missing or damaged, its benchmark names no factors or not these, or a number is
            out of range.
    """
    pairs, repeats = require_integer("pairs", pairs, 1), require_integer("repeats", repeats, 1)
    folder = RunFolder.open(run_dir)
    bench = folder.benchmark
    factors = checked_swap_factors(bench, factors)

    def measure(model):
        return swap_test(model, bench, factors, pairs, repeats, **{"seed": TEST_SEED, **options})

    return write_measurement(folder, "swap_test", measure, swap_test_text, swap_test_figure, output)
