"""What a newcomer runs first: two models on one task, beside the paper's figures."""

from pathlib import Path

from compgen_keras.experiments.run import check_training, evaluate_run, fine_tune_run, train_run
from compgen_keras.experiments.run_folder import RunFolder
from compgen_keras.experiments.written_report import write_report

VARIANTS = ("relative_attention", "sep_to_last")


def quickstart(benchmark: str, run_dir, examples: int | None = 1000, beams: int = 1, **training) -> None:
    """Trains, evaluates, fine-tunes and evaluates again the baseline and a decompositional model, then reports.

    Args:
        benchmark: a benchmark's name.
        run_dir: the folder to make; each model gets a run folder inside it.
        examples: see `evaluate_run`.
        beams: see `evaluate_run`.
        **training: further arguments of `train_run`.

    Raises:
        ValueError: see `train_run`.
    """
    options = {name: value for name, value in training.items() if name != "deterministic"}
    for variant in VARIANTS:
        check_training(benchmark, variant, **options)
    run_dir = RunFolder.create(run_dir).path
    for variant in VARIANTS:
        print(f"\n{variant} on {benchmark}: training", flush=True)
        folder = train_run(benchmark, variant, run_dir / variant, **training)
        counted = "all" if examples is None else f"{examples:,}"
        print(f"\n{variant} on {benchmark}: evaluation on {counted} examples, fine-tuning, evaluation", flush=True)
        evaluate_run(folder, ["in_distribution", "zero_shot"], examples, beams)
        fine_tune_run(folder)
        evaluate_run(folder, ["few_shot", "few_shot_in_distribution"], examples, beams)
    print()
    write_report([run_dir], Path(run_dir))
    print(f"TensorBoard  tensorboard --logdir {run_dir}")
