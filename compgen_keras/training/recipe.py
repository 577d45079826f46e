"""How models are trained: the papers' recipes, and one for two CPU cores."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import keras

from compgen_keras.data import PAD_ID
from compgen_keras.device import jit_compile_by_device
from compgen_keras.errors import require_integer
from compgen_keras.models.learning_rate_schedule import InverseSquareRootDecay, LinearWarmupDecay
from compgen_keras.models.smoothed_crossentropy import SmoothedCrossentropy
from compgen_keras.models.token_accuracy import TokenAccuracy
from compgen_keras.models.variants import RECURRENT_VARIANTS, check_names
from compgen_keras.training.data_parallel import is_mirrored


@dataclass(frozen=True)
class Recipe:
    """What goes into `compile` and `fit`.

    Attributes:
        batch_size: examples a batch.
        steps: optimizer steps, at most.
        optimizer: called with the number of steps, returns the optimizer.
        batches_per_step: batches whose gradients the optimizer accumulates for a step.
        label_smoothing: see `SmoothedCrossentropy`.
        epoch_steps: optimizer steps an epoch.
        patience: epochs without a lower loss on the validation split after which training stops early, with the weights of the lowest;
            None: never.
    """

    batch_size: int
    steps: int
    optimizer: Callable[[int], keras.optimizers.Optimizer]
    batches_per_step: int = 1
    label_smoothing: float = 0.0
    epoch_steps: int = 250
    patience: int | None = None


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


_CLIP_NORM = 5.0
_COGS_BATCHES_PER_STEP = 4


def _cogs_optimizer(steps, **options):
    """Adam with the Noam schedule: factor 2, states of 512, 4,000 steps of warm-up."""
    schedule = InverseSquareRootDecay(2 / math.sqrt(512 * 4_000), warmup_steps=4_000, batches_per_step=_COGS_BATCHES_PER_STEP)
    return keras.optimizers.Adam(
        schedule, beta_1=0.9, beta_2=0.998, epsilon=1e-9, gradient_accumulation_steps=_COGS_BATCHES_PER_STEP, **options
    )


def _recurrent_cogs_optimizer(steps):
    return _cogs_optimizer(steps, global_clipnorm=_CLIP_NORM)


def _recurrent_paper_optimizer(steps):
    optimizer = paper_adamw(InverseSquareRootDecay(1e-3, warmup_steps=16_000))
    optimizer.global_clipnorm = _CLIP_NORM
    return optimizer


def _recurrent_classroom_optimizer(steps):
    schedule = LinearWarmupDecay(5e-3, warmup_steps=max(1, min(300, steps // 10)), steps=steps + 1)
    return keras.optimizers.Adam(schedule, beta_2=0.98, epsilon=1e-9, global_clipnorm=_CLIP_NORM)


_COGS = Recipe(
    batch_size=128,
    steps=30_000,
    optimizer=_cogs_optimizer,
    batches_per_step=_COGS_BATCHES_PER_STEP,
    label_smoothing=0.1,
    epoch_steps=500,
    patience=5,
)

RECIPES = {
    "paper": Recipe(batch_size=128, steps=10_000, optimizer=_paper_optimizer),
    "classroom": Recipe(batch_size=32, steps=7_800, optimizer=_classroom_optimizer),
    "cogs": _COGS,
}
"""A recipe for each size."""

RECURRENT_RECIPES = {
    "paper": replace(RECIPES["paper"], optimizer=_recurrent_paper_optimizer),
    "classroom": replace(RECIPES["classroom"], optimizer=_recurrent_classroom_optimizer),
    "cogs": replace(_COGS, optimizer=_recurrent_cogs_optimizer, label_smoothing=0.0),
}
"""The same for the recurrent variants."""


def find_recipe(size: str = "classroom", steps: int | None = None, batch_size: int | None = None, variant: str = "transformer") -> Recipe:
    """The recipe of a size, with other numbers where given.

    Args:
        size: `"classroom"`, `"paper"` (Shi et al.) or `"cogs"` (Kim and Linzen).
        steps: optimizer steps; None: the recipe's.
        batch_size: examples a batch; None: the recipe's.
        variant: the model's name; the recurrent ones have recipes of their own.

    Returns:
        The `Recipe`.

    Raises:
        ValueError: unknown size or variant, or a number that is not an integer from 1.
    """
    check_names(variant, size)
    known = (RECURRENT_RECIPES if variant in RECURRENT_VARIANTS else RECIPES)[size]
    batch_size = known.batch_size if batch_size is None else require_integer("batch_size", batch_size, 1)
    steps = known.steps if steps is None else require_integer("steps", steps, 1)
    return replace(known, batch_size=batch_size, steps=steps)


def compile_arguments(optimizer: keras.optimizers.Optimizer, label_smoothing: float = 0.0) -> dict:
    """Arguments for `compile`: the loss over the real target tokens, their accuracy, and XLA where it pays.

    Args:
        optimizer: the optimizer.
        label_smoothing: see `SmoothedCrossentropy`.
    """
    plain = keras.losses.SparseCategoricalCrossentropy(from_logits=True, ignore_class=PAD_ID)
    # Each replica would divide by its own number of real tokens.
    mirrored = is_mirrored()
    return {
        "optimizer": optimizer,
        "loss": SmoothedCrossentropy(label_smoothing) if label_smoothing or mirrored else plain,
        "metrics": [TokenAccuracy()],
        "jit_compile": jit_compile_by_device() and not mirrored,
    }


def recipe(size: str = "classroom", steps: int | None = None, variant: str = "transformer") -> dict:
    """Arguments for `compile`.

    Args:
        size: `"paper"` for the recipe of Shi et al. (appendix C), `"cogs"` for that of Kim and Linzen (section 5), `"classroom"` for one
            that two CPU cores finish in minutes.
        steps: optimizer steps that the training will take, which the classroom's learning rate schedule is cut to; None: the
            recipe's.
        variant: the model's name; the recurrent ones have recipes of their own.

    Returns:
        A dict of `optimizer`, `loss`, `metrics` and `jit_compile`.

    Raises:
        ValueError: unknown size or variant, or steps not an integer from 1.

    Example:

    >>> import compgen_keras as cg
    >>> bench = cg.benchmarks.load("scan/iid")
    >>> model = cg.models.build("transformer", bench)
    >>> model.compile(**recipe("classroom", steps=100))
    """
    found = find_recipe(size, steps=steps, variant=variant)
    return compile_arguments(found.optimizer(found.steps), found.label_smoothing)
