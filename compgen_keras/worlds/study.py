"""The whole study: train, measure, report."""

import time

from compgen_keras.errors import InputError, require_integer
from compgen_keras.experiments.run_folder import RunFolder
from compgen_keras.files import write_json, write_text
from compgen_keras.worlds.budget import Budget
from compgen_keras.worlds.data import SplitData
from compgen_keras.worlds.figures import draw_figures
from compgen_keras.worlds.hold_out import HoldOut
from compgen_keras.worlds.measurement import measure, measure_bounds
from compgen_keras.worlds.mechanisms import SIDE
from compgen_keras.worlds.models import MODELS, TITLES, check_model_names
from compgen_keras.worlds.report import report_text
from compgen_keras.worlds.summary import criterion, summarise
from compgen_keras.worlds.support import support
from compgen_keras.worlds.training import train_model


def study(run_dir, diagonals=(0, 1, 2), seeds=(0, 1, 2), models=tuple(MODELS), budget: Budget | None = None) -> dict:
    """Trains every model on every pair of a diagonal and a seed, measures it, and writes the report.

    `run_dir` then holds `report.md`, `results.json`, figures (`*.png`) and `tensorboard/`.

    Args:
        run_dir: the folder to make.
        diagonals: anti-diagonals to hold out, one after the other, each from 0 to 4.
        seeds: of weights and of the order of batches; data are the same.
        models: names of models, see `MODELS`.
        budget: how much of everything; None: the full study's, about four minutes on two cores.

    Returns:
        What `results.json` holds: `"settings"`; `"criterion"` and `"summary"`, see the functions; `"support"` and `"bounds"` by diagonal;
        and `"pairs"`, one dict a trained model.

    Raises:
        ValueError: a number or a name is wrong or comes twice, or the folder has something in it.

    Example:

    >>> import tempfile
    >>> from compgen_keras.worlds.budget import TINY
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     results = study(folder, diagonals=[1], seeds=[0], models=["factored"], budget=TINY)  # doctest: +ELLIPSIS
    diagonal 1, seed 0  factored ...
    >>> sorted(results)
    ['bounds', 'criterion', 'pairs', 'seconds', 'settings', 'summary', 'support']

    Reference: the section *Measuring Systematic Generalization*.
    """
    diagonals = _different("diagonals", diagonals, SIDE - 1)
    seeds = _different("seeds", seeds, None)
    names = check_model_names(_different_names(models))
    budget = budget or Budget()
    folder = RunFolder.create(run_dir).path
    started = time.perf_counter()
    pairs, bounds, supports = [], {}, {}
    for diagonal in diagonals:
        data = SplitData.draw(HoldOut.anti_diagonal(diagonal), budget)
        bounds[str(diagonal)] = measure_bounds(data, budget)
        supports[str(diagonal)] = support(data.split, data.training, data.test, data.scaling)
        for seed in seeds:
            for name in names:
                log_dir = folder / "tensorboard" / f"diagonal_{diagonal}_seed_{seed}_{name}"
                pairs.append({"diagonal": diagonal, "seed": seed, "model": name, **_trained(name, data, budget, seed, log_dir)})
                _show_progress(pairs[-1])
    summary = summarise(pairs, bounds)
    results = {
        "settings": {"diagonals": list(diagonals), "seeds": list(seeds), "models": list(names), "budget": budget.as_dict()},
        "seconds": time.perf_counter() - started,
        "criterion": criterion(summary),
        "summary": summary,
        "support": supports,
        "bounds": bounds,
        "pairs": pairs,
    }
    write_json(folder / "results.json", results)
    draw_figures(results, folder)
    write_text(folder / "report.md", report_text(results))
    _show_end(results, folder)
    return results


def _trained(name, data, budget, seed, log_dir):
    started = time.perf_counter()
    model = train_model(name, data.training, budget.training_steps, seed, log_dir)
    trained = time.perf_counter()
    found = measure(model, data, budget, seed)
    return {"training_seconds": trained - started, "measuring_seconds": time.perf_counter() - trained, **found}


def _show_progress(pair):
    seconds = pair["training_seconds"] + pair["measuring_seconds"]
    print(
        f"diagonal {pair['diagonal']}, seed {pair['seed']}  {TITLES[pair['model']]:<15} rollout error in held-out worlds "
        f"{pair['errors']['held_out']['rollout']:.3f}  planning {100 * pair['planning']['held_out']['success']:3.0f}%  ({seconds:.0f} s)",
        flush=True,
    )


def _show_end(results, folder):
    found = results["criterion"]
    if found:
        verdict = "at most half, as expected" if found["met"] else "more than half"
        print(f"\nfactored {found['factored']:.3f}, world ID {found['world_id']:.3f}: {100 * found['share']:.0f}%, {verdict}")
    print(f"report       {folder / 'report.md'}, as numbers {folder / 'results.json'}, figures {folder / '*.png'}")
    print(f"TensorBoard  tensorboard --logdir {folder / 'tensorboard'}")


def _different(name, numbers, most):
    try:
        numbers = tuple(numbers)
    except TypeError:
        raise InputError(f"{name} is {numbers!r}; expected a list of integers, such as [0, 1].") from None
    numbers = tuple(require_integer(f"one of {name}", number, 0, most) for number in numbers)
    if not numbers or len(set(numbers)) < len(numbers):
        raise InputError(f"{name} are {list(numbers)}; expected one or more, each once.")
    return numbers


def _different_names(names):
    names = (names,) if isinstance(names, str) else tuple(names)
    if len(set(names)) < len(names):
        raise InputError(f"models are {list(names)}; expected each once.")
    return names
