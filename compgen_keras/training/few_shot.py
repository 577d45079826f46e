"""Few-shot fine-tuning: thirty steps on one batch of forty examples."""

import keras

from compgen_keras.benchmarks import Benchmark
from compgen_keras.data import padded_length, teacher_forcing
from compgen_keras.training.recipe import compile_arguments, paper_adamw

STEPS = 30
LEARNING_RATE = 1e-4


def few_shot_batch(bench: Benchmark, codec, seed: int = 0):
    """The batch of the `"few_shot"` split: 20 training-distribution and 20 test-distribution examples, alternating.

    Args:
        bench: the benchmark.
        codec: the model's `codec`.
        seed: which few-shot sample; it is disjoint from the `"test"` split of the same seed.

    Returns:
        A pair of inputs and targets, see `TrainingBatches`.
    """
    specs, targets = codec.encode_stream(bench, "few_shot", seed, 0, bench.sizes["few_shot"])
    *spec_lengths, target_length = (padded_length(length, None) for length in (*specs.longest, *targets.longest))
    return teacher_forcing(specs, targets, spec_lengths, target_length)


def fine_tune(
    model, bench: Benchmark, seed: int = 0, steps: int = STEPS, callbacks=(), verbose=0, run_eagerly=False
) -> keras.callbacks.History:
    """Fine-tunes a trained model in place, through `fit`, on the few-shot batch.

    AdamW at a constant learning rate of 1e-4, weight decay 0.1, the model's own dropout. The optimizer is a fresh one, which is our
    choice: the published implementation keeps the state of the training's optimizer.

    Args:
        model: a trained `EncoderDecoder`; its weights change.
        bench: the benchmark.
        seed: which few-shot sample.
        steps: number of steps, all on the same batch.
        callbacks: passed on to `fit`.
        verbose: passed on to `fit`.
        run_eagerly: passed on to `compile`.

    Returns:
        The `History` that `fit` returns, one epoch a step.

    Reference: section 5 and appendix C of Shi et al.
    """
    inputs, targets = few_shot_batch(bench, model.codec, seed)
    compile_for_fine_tuning(model, run_eagerly)
    return fit_batch(model, inputs, targets, steps, callbacks, verbose)


def compile_for_fine_tuning(model, run_eagerly=False) -> None:
    """Gives a model the optimizer of fine-tuning, a fresh one.

    Args:
        model: the model.
        run_eagerly: passed on to `compile`.
    """
    model.compile(**compile_arguments(paper_adamw(LEARNING_RATE)), run_eagerly=run_eagerly)


def fit_batch(model, inputs, targets, steps: int = STEPS, callbacks=(), verbose=0) -> keras.callbacks.History:
    """Trains a compiled model on one and the same batch.

    Args:
        model: the model; its weights change.
        inputs, targets: the batch, see `TrainingBatches`.
        steps: number of steps.
        callbacks: passed on to `fit`.
        verbose: passed on to `fit`.

    Returns:
        The `History` that `fit` returns, one epoch a step.
    """
    return model.fit(inputs, targets, batch_size=len(targets), epochs=steps, shuffle=False, callbacks=list(callbacks), verbose=verbose)
