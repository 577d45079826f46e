"""What the lessons share: the `--fast` flag, training through `fit`, comparison of models, figures, and the time at the end."""

import argparse
import itertools
import sys
import time
from pathlib import Path

from compgen_keras.startup import start_quietly

start_quietly()

import keras
from matplotlib.figure import Figure

import compgen_keras as cg

SETTINGS = {"valid": "in distribution", "test": "zero-shot"}
"""The two splits a lesson measures on: the training distribution, sampled afresh, and the test distribution."""
STREAM = 3
"""The stream of both that lessons use; the results in the documentation are of other streams."""


class Lesson:
    """One lesson as it runs.

    Args:
        name: the script's name without its suffix; figures go to `runs/lessons/<name>`.

    Attributes:
        fast: whether `--fast` was given: the same code on a tiny model and few examples, for a first look and for tests.
    """

    def __init__(self, name: str):
        parser = argparse.ArgumentParser(description=f"Lesson {name}.")
        parser.add_argument("--fast", action="store_true", help="a tiny model and few examples: under 30 seconds, results without meaning")
        in_notebook = "ipykernel" in sys.modules
        self.fast = parser.parse_args([] if in_notebook else None).fast
        self._root = Path(__file__).resolve().parent.parent
        self.folder = self._root / "runs" / "lessons" / name
        self.name = name
        self._started = time.perf_counter()
        keras.utils.set_random_seed(0)

    def choose(self, full, fast):
        """One value for the lesson as it is meant, another for `--fast`."""
        return fast if self.fast else full

    def build(self, variant: str, bench, seed: int = 0, **options):
        """A model of classroom size with fresh weights; a tiny one with `--fast`. Options are those of `cg.models.build`."""
        keras.utils.set_random_seed(seed)
        tiny = {"num_layers": 1, "num_heads": 2, "embedding_dim": 16, "feed_forward_dim": 16}
        return cg.models.build(variant, bench, size="classroom", **self.choose({}, tiny), **options)

    def train(self, variant: str, bench, steps: int, seed: int = 0, callbacks=(), **options):
        """Builds and trains a model with the classroom recipe, in epochs of 250 steps.

        Args:
            variant: the model's name.
            bench: the benchmark.
            steps: optimizer steps; with `--fast` two.
            seed: of weights and training stream.
            callbacks: passed on to `fit`.
            **options: passed on to `cg.models.build`, such as `dropout=0.1`.

        Returns:
            The model.
        """
        print(f"\n{variant} on {bench.name}", flush=True)
        model = self.build(variant, bench, seed, **options)
        steps = self.choose(steps, 2)
        model.compile(**cg.training.recipe("classroom", steps=steps), run_eagerly=self.fast)
        batches = cg.data.TrainingBatches(bench, model.codec, batch_size=self.choose(32, 4), seed=seed, window=self.choose(64, 2))
        epochs = max(1, steps // 250)
        model.fit(batches, epochs=epochs, steps_per_epoch=steps // epochs, shuffle=False, verbose=2, callbacks=list(callbacks))
        return model

    def evaluate(self, model, bench, split: str, n: int = 500):
        """An `Evaluation` on one of `SETTINGS`."""
        return cg.evaluation.evaluate(model, bench, split=split, n=self.choose(n, 4), seed=STREAM)

    def compare(self, models: dict, bench, n: int = 500) -> dict:
        """Evaluates models in distribution and zero-shot, prints a table by number of parts, and draws it.

        Args:
            models: names and models.
            bench: the benchmark.
            n: examples of each setting.

        Returns:
            An `Evaluation` for each (name, split).
        """
        results = {(name, split): self.evaluate(model, bench, split, n) for name, model in models.items() for split in SETTINGS}
        print_by_parts(results)
        self.show(by_parts_figure(results, bench.name), "by_parts")
        return results

    def show(self, figure: Figure, name: str) -> None:
        """Saves a figure, and shows it in a notebook."""
        path = self.folder / f"{name}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, dpi=120)
        if "ipykernel" in sys.modules:
            from IPython.display import Image, display

            display(Image(filename=path))
        else:
            print(f"figure  {path.relative_to(self._root)}")

    def end(self) -> None:
        """Prints how long the lesson took and where its figures are."""
        print(f"\nLesson {self.name} took {time.perf_counter() - self._started:.0f} s.")
        if self.folder.is_dir():
            print(f"figures  {self.folder.relative_to(self._root)}")


def print_by_parts(results: dict) -> None:
    """Prints accuracies in percent with 95% intervals, and by number of parts.

    Args:
        results: an `Evaluation` for each (name, split).
    """
    for (name, split), result in results.items():
        low, high = result.interval
        by_parts = "  ".join(f"{parts}: {100 * accuracy:.0f}" for parts, accuracy in result.accuracy_by_parts.items())
        print(f"{name:<24}{SETTINGS[split]:<16}{100 * result.accuracy:5.1f} [{100 * low:.1f}, {100 * high:.1f}]   by parts  {by_parts}")


def by_parts_figure(results: dict, title: str) -> Figure:
    """Accuracy by number of parts, a panel a setting, a line a model.

    Args:
        results: an `Evaluation` for each (name, split).
        title: stands above it.
    """
    figure = Figure(figsize=(8, 3), layout="constrained")
    panels = dict(zip(SETTINGS, figure.subplots(1, 2, sharey=True), strict=True))
    styles = ("o-", "s--", "^:", "d-.", "v-", "x--", "*:")
    names = list(dict.fromkeys(name for name, _ in results))
    for (name, split), result in results.items():
        accuracy = result.accuracy_by_parts
        panels[split].plot(
            list(accuracy), [100 * a for a in accuracy.values()], styles[names.index(name)], color="black", mfc="white", label=name
        )
    for split, panel in panels.items():
        panel.set_title(SETTINGS[split], fontsize=10)
        panel.set_xlabel("number of parts")
        panel.set_ylim(-5, 105)
        panel.xaxis.get_major_locator().set_params(integer=True)
    panels["valid"].set_ylabel("right, %")
    panels["valid"].legend(fontsize=8, frameon=False)
    figure.suptitle(title, fontsize=10)
    return figure


def counts_table(title: str, counts: dict, columns: tuple[str, ...]) -> None:
    """Prints counts as a table.

    Args:
        title: what a row is.
        counts: for each row a number for each column.
        columns: the columns' names.
    """
    width = max(len(title), *(len(str(row)) for row in counts)) + 2
    wide = max(12, *(len(column) + 2 for column in columns))
    print(f"{title:<{width}}" + "".join(f"{column:>{wide}}" for column in columns))
    for row, numbers in counts.items():
        print(f"{row!s:<{width}}" + "".join(f"{number:>{wide},}" if isinstance(number, int) else f"{number:>{wide}}" for number in numbers))


def part_pairs(result):
    """Yields each true part of the examples of an `Evaluation` with the predicted part at its place, `()` where the program has ended."""
    for example, tokens in zip(result.examples, result.predictions, strict=True):
        predicted = cg.evaluation.predicted_parts(example, tokens)
        yield from itertools.zip_longest(example.parts, predicted[: len(example.parts)], fillvalue=())


def mistakes(result, bench, count: int = 3) -> None:
    """Prints the first wrong programs of an `Evaluation` beside the true ones, part by part."""
    wrong = [index for index, right in enumerate(result.correct) if not right][:count]
    for index in wrong:
        print(cg.evaluation.aligned(result.examples[index], result.predictions[index], bench=bench) + "\n")
    if not wrong:
        print("no mistakes among these examples")


def papers_figures(task: str) -> None:
    """Prints the paper's results for a SCAN task (Table 1 of Shi et al.): mean ± standard deviation of three trials, in percent."""
    columns = ("zero_shot", "few_shot")
    rows = {
        name: tuple("{:.1f} ±{:.1f}".format(*cg.experiments.paper_result("scan", setting, name, task)) for setting in columns)
        for name in cg.models.names()
    }
    counts_table("the paper's model", rows, ("zero-shot", "few-shot"))
