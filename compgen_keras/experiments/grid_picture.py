"""A split's two factors as a picture: training beside test."""

from pathlib import Path

import numpy as np

from compgen_keras.files import write_picture
from compgen_keras.splits import SplitReport

_MOST = 24


def draw_grid(report: SplitReport, path: Path) -> None:
    """Draws how many elements lie in each cell, training at the left and the test at the right.

    Grey levels are logarithmic, cells meant to be held out have a frame, and a cross marks a cell that is empty in training. Of a
    large table the rows and columns are shown that the test has most of where training is empty, and then the most frequent.

    Args:
        report: the report.
        path: the PNG file to write.
    """
    from matplotlib.figure import Figure

    grid = report.grid
    rows, columns = (_chosen(grid, axis) for axis in (0, 1))
    wide = max(0.5 * len(columns), 3)
    figure = Figure(figsize=(2 * wide + 3.5, max(0.36 * len(rows), 1.5) + 2.4), layout="constrained")
    panels = figure.subplots(1, 2, sharey=True)
    top = np.log10(1 + max(grid.train.max(initial=0), grid.test.max(initial=0), 1))
    for panel, side, title in zip(panels, ("train", "test"), ("training", "test"), strict=True):
        counts = getattr(grid, side)[np.ix_(rows, columns)]
        panel.imshow(np.log10(1 + counts), cmap="Greys", vmin=0, vmax=top * 1.3, aspect="auto")
        panel.set_title(f"{title}: {getattr(report, f'{side}_examples'):,} examples")
        panel.set_xticks(range(len(columns)), [grid.columns[place] for place in columns], rotation=60, ha="right", fontsize=8)
        panel.set_yticks(range(len(rows)), [grid.rows[place] for place in rows], fontsize=8)
        panel.set_xlabel(grid.factors[1].replace("_", " "))
        _write_counts(panel, counts, top)
        _mark(panel, grid, rows, columns, empty=side == "train")
    panels[0].set_ylabel(grid.factors[0].replace("_", " "))
    hidden = len(grid.rows) - len(rows), len(grid.columns) - len(columns)
    note = f"; {hidden[0]} rows and {hidden[1]} columns are not shown" if any(hidden) else ""
    figure.suptitle(f"{report.benchmark}: elements in each cell\nframe: meant to be held out; cross: empty in training{note}", fontsize=10)
    write_picture(path, figure)


def _chosen(grid, axis):
    if len((grid.rows, grid.columns)[axis]) <= _MOST:
        return list(range(len((grid.rows, grid.columns)[axis])))
    new = np.where(grid.train == 0, grid.test, 0).sum(axis=1 - axis)
    order = np.lexsort((-grid.test.sum(axis=1 - axis), -new))
    return sorted(order[:_MOST].tolist())


def _write_counts(panel, counts, top):
    for (row, column), count in np.ndenumerate(counts):
        if count:
            dark = np.log10(1 + count) > 0.75 * top
            panel.text(column, row, _short(count), ha="center", va="center", fontsize=6, color="white" if dark else "black")


def _short(count):
    if count < 1000:
        return str(count)
    return f"{count / 1000:.1f}k" if count < 10_000 else f"{count // 1000}k"


def _mark(panel, grid, rows, columns, empty):
    held_out = set(grid.held_out)
    for y, row in enumerate(rows):
        for x, column in enumerate(columns):
            if (grid.rows[row], grid.columns[column]) in held_out:
                panel.add_patch(_frame(x, y))
            if empty and not grid.train[row, column]:
                panel.plot(x, y, "x", color="0.6", markersize=4)


def _frame(x, y):
    from matplotlib.patches import Rectangle

    return Rectangle((x - 0.45, y - 0.45), 0.9, 0.9, fill=False, edgecolor="black", linewidth=1.4)
