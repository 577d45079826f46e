"""Small models that train in seconds, for tests."""

import functools

import keras

import compgen_keras as cg

BENCH = "scan/iid"
PARTS = (1, 2)


def bench():
    """Commands of one or two parts."""
    return cg.benchmarks.load(BENCH, parts=PARTS)


def small_model(variant, **options):
    """A variant small enough for tests."""
    settings = {"num_layers": 2, "num_heads": 2, "embedding_dim": 32, "feed_forward_dim": 64, **options}
    return cg.models.build(variant, bench(), size="classroom", **settings)


def trained_model(variant, **options):
    """The same with trained weights: far from perfect, but its programs end and differ.

    Masks and separators have no weights, so that one training serves all variants with relative attention, and one the others.
    """
    relative = cg.models.VARIANTS[variant].relative_attention
    model = small_model(variant, **options)
    model.set_weights(_trained_weights("sep_to_last" if relative else "transformer_separators"))
    return model


@functools.cache
def _trained_weights(variant):
    keras.utils.set_random_seed(0)
    model = small_model(variant)
    batches = cg.data.TrainingBatches(bench(), model.codec, batch_size=32, window=8, lengths=(12, 52))
    model.compile(**cg.training.compile_arguments(keras.optimizers.Adam(5e-3)))
    model.fit(batches, steps_per_epoch=150, shuffle=False, verbose=0)
    return model.get_weights()


def specs(count, start=0):
    """Specifications of the test split."""
    import itertools

    return [example.spec for example in itertools.islice(bench().examples("test", start=start), count)]
