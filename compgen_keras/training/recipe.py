"""How models are trained: the paper's recipe, and one for two CPU cores."""

from collections.abc import Callable
from dataclasses import dataclass

import keras

from compgen_keras.data import PAD_ID
from compgen_keras.device import jit_compile_by_device
from compgen_keras.errors import InputError, require_integer
from compgen_keras.models.learning_rate_schedule import InverseSquareRootDecay, LinearWarmupDecay
from compgen_keras.models.token_accuracy import TokenAccuracy


@dataclass(frozen=True)
class Recipe:
    """What goes into `compile` and `fit`.

    Attributes:
        batch_size: examples a batch.
        steps: optimizer steps.
        optimizer: called with the number of steps, returns the optimizer.
    """

    batch_size: int
    steps: int
    optimizer: Callable[[int], keras.optimizers.Optimizer]


def paper_adamw(learning_rate) -> keras.optimizers.AdamW:
    """The paper's AdamW, for training and for fine-tuning.

    Args:
        learning_rate: a number or a schedule.
    """
    return keras.optimizers.AdamW(learning_rate=learning_rate, beta_1=0.9, beta_2=0.98, epsilon=1e-9, weight_decay=0.1)


def _paper_optimizer(steps):
    return paper_adamw(InverseSquareRootDecay(1e-3, warmup_steps=16_000))


_MUON_RATE = 6e-3
_ADAM_RATE = 2e-2


def _classroom_optimizer(steps):
    """Muon on the projections; Adam, at a higher rate, on embeddings, output layer, biases and position tables."""
    warmup_steps = max(1, min(300, steps // 10))
    return keras.optimizers.Muon(
        learning_rate=LinearWarmupDecay(_MUON_RATE, warmup_steps=warmup_steps, steps=steps + 1),
        adam_lr_ratio=_ADAM_RATE / _MUON_RATE,
        exclude_layers=["logits", "bias_table"],
        exclude_embeddings=True,
        momentum=0.95,
        nesterov=True,
        rms_rate=0.2,
        ns_steps=3,  # about as good as five here, at three fifths of their cost
        adam_beta_1=0.9,
        adam_beta_2=0.98,
        epsilon=1e-9,
        weight_decay=0.01,
        adam_weight_decay=0.01,
    )


RECIPES = {
    "paper": Recipe(batch_size=128, steps=10_000, optimizer=_paper_optimizer),
    "classroom": Recipe(batch_size=32, steps=7_800, optimizer=_classroom_optimizer),
}
"""A recipe for each size."""


def find_recipe(size: str = "classroom", steps: int | None = None, batch_size: int | None = None) -> Recipe:
    """The recipe of a size, with other numbers where given.

    Args:
        size: `"classroom"` or `"paper"`.
        steps: optimizer steps; None: the recipe's.
        batch_size: examples a batch; None: the recipe's.

    Returns:
        The `Recipe`.

    Raises:
        ValueError: unknown size, or a number that is not an integer from 1.
    """
    if not isinstance(size, str) or size not in RECIPES:
        raise InputError(f"unknown size {size!r}; expected one of {', '.join(RECIPES)}.")
    known = RECIPES[size]
    batch_size = known.batch_size if batch_size is None else require_integer("batch_size", batch_size, 1)
    steps = known.steps if steps is None else require_integer("steps", steps, 1)
    return Recipe(batch_size, steps, known.optimizer)


def compile_arguments(optimizer: keras.optimizers.Optimizer) -> dict:
    """Arguments for `compile`: the loss over the real target tokens, their accuracy, and XLA where it pays.

    Args:
        optimizer: the optimizer.
    """
    return {
        "optimizer": optimizer,
        "loss": keras.losses.SparseCategoricalCrossentropy(from_logits=True, ignore_class=PAD_ID),
        "metrics": [TokenAccuracy()],
        "jit_compile": jit_compile_by_device(),
    }


def recipe(size: str = "classroom", steps: int | None = None) -> dict:
    """Arguments for `compile`.

    Args:
        size: `"paper"` for the paper's recipe (appendix C), `"classroom"` for one that two CPU cores finish in minutes.
        steps: optimizer steps that the training will take, which the classroom's learning rate schedule is cut to; None: the
            recipe's.

    Returns:
        A dict of `optimizer`, `loss`, `metrics` and `jit_compile`.

    Raises:
        ValueError: unknown size, or steps not an integer from 1.

    Example:

    >>> import compgen_keras as cg
    >>> bench = cg.benchmarks.load("scan/iid")
    >>> model = cg.models.build("transformer", bench)
    >>> model.compile(**recipe("classroom", steps=100))
    """
    found = find_recipe(size, steps=steps)
    return compile_arguments(found.optimizer(found.steps))
