"""An attention mask as a picture and as text."""

from pathlib import Path

import numpy as np

from compgen_keras.benchmarks import SEPARATOR, scan
from compgen_keras.data import PAD_ID, SEP_ID, Vocabulary
from compgen_keras.errors import InputError
from compgen_keras.files import write_picture

_MOST_TOKENS = 120


def mask_text(tokens, mask: np.ndarray) -> str:
    """A mask as lines of text: a row a query, `#` where it may attend to the key of that column.

    Args:
        tokens: the decoder's input, token strings.
        mask: booleans (length, length).
    """
    width = max(len(token) for token in tokens)
    columns = [" ".join(f"{column:>2}" for column in range(len(tokens)))]
    lines = [f"{'':{width + 5}}{columns[0]}"]
    for row, token in enumerate(tokens):
        cells = " ".join(" #" if open_ else " ·" for open_ in mask[row])
        lines.append(f"{row:>3}  {token:<{width}}{cells}")
    return "\n".join(lines)


def draw_mask(tokens, mask: np.ndarray, title: str, path: Path) -> None:
    """Draws a mask as in Figure 1 of Shi et al.

    Args:
        tokens: the decoder's input, token strings.
        mask: booleans (length, length), a row a query.
        title: stands above it.
        path: the PNG file to write.
    """
    from matplotlib.figure import Figure

    side = max(3.5, 0.32 * len(tokens) + 1.5)
    figure = Figure(figsize=(side, side), layout="constrained")
    panel = figure.subplots()
    panel.imshow(np.where(mask, 0.45, 1.0), cmap="gray", vmin=0, vmax=1)
    panel.set_xticks(range(len(tokens)), tokens, rotation=90, fontsize=8)
    panel.set_yticks(range(len(tokens)), tokens, fontsize=8)
    panel.set_xticks(np.arange(-0.5, len(tokens)), minor=True)
    panel.set_yticks(np.arange(-0.5, len(tokens)), minor=True)
    panel.grid(which="minor", color="0.8", linewidth=0.5)
    panel.tick_params(which="minor", length=0)
    panel.set_xlabel("key: what is attended to")
    panel.set_ylabel("query: which token attends")
    panel.set_title(title)
    write_picture(path, figure)


def show_mask(command: str, strategy: str, output) -> None:
    """Prints and draws the mask of a SCAN command's program.

    Args:
        command: a SCAN command.
        strategy: a mask strategy's name.
        output: the PNG file to write.

    Raises:
        ValueError: the command is outside the grammar, or there is no such strategy.
    """
    from compgen_keras.layers import DecompositionMask

    tokens = [SEPARATOR]
    for part in scan.translate(command):
        tokens += [*part, SEPARATOR]
    if len(tokens) > _MOST_TOKENS:
        raise InputError(f"the command's program has {len(tokens)} tokens; a picture shows at most {_MOST_TOKENS}: use a shorter command.")
    vocabulary = Vocabulary(scan.ACTIONS)
    layer = DecompositionMask(strategy, sep_id=SEP_ID, pad_id=PAD_ID)
    mask = np.asarray(layer(np.array([vocabulary.ids(tokens)])))[0]
    draw_mask(tokens, mask, strategy, Path(output))
    print(mask_text(tokens, mask))
    print(f"\nA row is a query, a column a key; # marks where the query may attend.\npicture      {output}")
