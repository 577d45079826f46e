import keras
import numpy as np
import pytest
from keras import ops

from compgen_keras.layers import DecoderBlock, EncoderBlock, RelativeAttention, relative_position_bucket

pytestmark = pytest.mark.backend


def random(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape).astype("float32")


def as_numpy(tensor):
    return ops.convert_to_numpy(ops.cast(tensor, "float32"))


def by_loops(layer, query, value, mask):
    """Attention as the formula says, one number at a time."""
    weights = [as_numpy(w) for w in (layer.query_kernel, layer.key_kernel, layer.value_kernel, layer.output_kernel)]
    table = as_numpy(layer.bias_table) if layer.relative else None
    heads, size = layer.num_heads, layer.head_dim
    result = np.zeros_like(query)
    for b in range(len(query)):
        projected = [x[b] @ w for x, w in zip((query, value, value), weights, strict=False)]
        for i in range(query.shape[1]):
            attended = []
            for h in range(heads):
                q, k, v = (p[:, h * size : (h + 1) * size] for p in projected)
                logits = np.array([q[i] @ k[j] / np.sqrt(size) for j in range(value.shape[1])])
                if table is not None:
                    for j in range(value.shape[1]):
                        bucket = relative_position_bucket(j - i, layer.bidirectional, layer.num_buckets, layer.max_distance)
                        logits[j] += table[int(bucket), h]
                open_ = mask[b, i]
                weight = np.where(open_, np.exp(logits - logits[open_].max(initial=-np.inf)), 0.0) if open_.any() else np.zeros(len(logits))
                total = weight.sum()
                attended.append((weight / total if total else weight) @ v)
            result[b, i] = np.concatenate(attended) @ weights[3]
    return result


@pytest.mark.parametrize("relative", [True, False])
@pytest.mark.parametrize("bidirectional", [True, False])
@pytest.mark.parametrize("cross", [True, False])
def test_equals_the_formula(relative, bidirectional, cross):
    layer = RelativeAttention(2, 3, relative=relative, bidirectional=bidirectional, num_buckets=8, max_distance=6)
    query, value = random(2, 9, 8), random(2, 11, 8, seed=1)
    value = value if cross else query
    mask = np.random.default_rng(2).random((2, 9, value.shape[1])) < 0.6
    mask[:, 0] = True
    mask[1, 3] = False  # nothing to attend to
    arguments = (query, value) if cross else (query,)
    output = as_numpy(layer(*arguments, attention_mask=mask))
    np.testing.assert_allclose(output, by_loops(layer, query, value, mask), atol=2e-5)
    assert np.all(output[1, 3] == 0)


@pytest.mark.parametrize("policy", ["float32", "mixed_bfloat16", "mixed_float16"])
def test_rows_with_nothing_to_attend_to_give_zeros(policy):
    layer = RelativeAttention(2, 4, dtype=policy)
    inputs = random(2, 6, 8) * 30
    mask = np.zeros((2, 6, 6), dtype=bool)
    mask[0, :, 2] = True
    output, scores = layer(inputs, attention_mask=mask, return_attention_scores=True)
    assert np.all(np.isfinite(as_numpy(output)))
    assert np.all(as_numpy(output)[1] == 0)
    assert np.all(as_numpy(scores)[1] == 0)
    np.testing.assert_allclose(as_numpy(scores)[0, :, :, 2], 1.0, atol=1e-6)


@pytest.mark.parametrize("policy", ["float32", "mixed_bfloat16", "mixed_float16"])
def test_training_through_empty_rows_keeps_weights_finite(policy):
    inputs, mask = keras.Input((6, 8)), keras.Input((6, 6), dtype="bool")
    model = keras.Model([inputs, mask], RelativeAttention(2, 4, dtype=policy)(inputs, attention_mask=mask))
    model.compile("sgd", "mse", jit_compile=False)
    open_ = np.zeros((2, 6, 6), dtype=bool)
    open_[0, :, 2] = True
    before = model.get_weights()
    for _ in range(3):
        model.train_on_batch([random(2, 6, 8), open_], np.ones((2, 6, 8), dtype="float32"))
    assert all(np.all(np.isfinite(weight)) for weight in model.get_weights())
    assert any(np.abs(a - b).max() > 0 for a, b in zip(before, model.get_weights(), strict=True))


def test_symbolic_calls_know_all_their_outputs():
    output, scores = RelativeAttention(2, 4)(keras.Input((5, 8)), return_attention_scores=True)
    assert output.shape == (None, 5, 8)
    assert scores.shape == (None, 2, 5, 5)
    encoded = keras.Input((7, 8))
    assert DecoderBlock(num_heads=2, feed_forward_dim=16)(keras.Input((5, 8)), encoded).shape == (None, 5, 8)


def test_heads_must_divide_the_features():
    with pytest.raises(ValueError, match="the inputs have 10 features; expected a multiple of num_heads, which is 4"):
        EncoderBlock(num_heads=4, feed_forward_dim=16)(random(1, 3, 10))


@pytest.mark.parametrize("policy", ["float32", "mixed_bfloat16", "mixed_float16"])
def test_masked_keys_have_no_influence_at_all(policy):
    layer = RelativeAttention(2, 4, dtype=policy)
    inputs = random(1, 6, 8)
    mask = np.ones((1, 6, 6), dtype=bool)
    mask[:, :, 4] = False
    changed = inputs.copy()
    changed[:, 4] += 100.0
    keep = [0, 1, 2, 3, 5]
    first, second = (as_numpy(layer(x, attention_mask=mask)) for x in (inputs, changed))
    np.testing.assert_array_equal(first[:, keep], second[:, keep])


def test_cache_gives_the_same_outputs():
    layer = RelativeAttention(2, 4, bidirectional=False)
    inputs = random(3, 7, 8)
    causal = np.tril(np.ones((1, 7, 7), dtype=bool))
    whole = as_numpy(layer(inputs, attention_mask=causal))
    cache = (ops.zeros((3, 2, 7, 4)), ops.zeros((3, 2, 7, 4)))
    for index in range(7):
        output, cache = layer(inputs[:, index : index + 1], attention_mask=causal[:, index : index + 1], cache=cache, cache_index=index)
        np.testing.assert_allclose(as_numpy(output)[:, 0], whole[:, index], atol=1e-5)


@pytest.mark.parametrize("relative", [True, False])
def test_a_memory_of_the_first_places_gives_the_same_outputs(relative):
    layer = RelativeAttention(2, 4, bidirectional=False, relative=relative)
    inputs = random(3, 7, 8)
    causal = np.tril(np.ones((1, 7, 7), dtype=bool))
    whole, scores = layer(inputs, attention_mask=causal, return_attention_scores=True)
    memory = layer.project_key_value(inputs[:, :4])
    cache = (ops.zeros((3, 2, 3, 4)), ops.zeros((3, 2, 3, 4)))
    buckets = layer.bucket(np.arange(7)[None, :] - np.arange(7)[:, None])
    for index in range(3):
        place = slice(4 + index, 5 + index)
        arguments = {"attention_mask": causal[:, place], "cache": cache, "cache_index": index, "memory": memory}
        output, cache, weights = layer(
            inputs[:, place], position_buckets=buckets[place] if relative else None, return_attention_scores=True, **arguments
        )
        np.testing.assert_allclose(as_numpy(output)[:, 0], as_numpy(whole)[:, 4 + index], atol=1e-5)
        np.testing.assert_allclose(as_numpy(weights)[:, :, 0], as_numpy(scores)[:, :, 4 + index], atol=1e-5)
    if relative:
        with pytest.raises(ValueError, match="position_buckets are missing"):
            layer(inputs[:, place], **arguments)


@pytest.mark.parametrize("with_memory", [False, True])
def test_rows_that_share_keys_give_the_same_as_repeated_keys(with_memory):
    layer = RelativeAttention(2, 4, relative=False)
    query = random(6, 1, 8)
    layer.build(query.shape)
    shared = layer.project_key_value(random(2, 5, 8, seed=1))
    memory = layer.project_key_value(random(2, 3, 8, seed=2)) if with_memory else None
    repeated = [None if pair is None else tuple(ops.repeat(tensor, 3, axis=0) for tensor in pair) for pair in (shared, memory)]
    together = as_numpy(layer(query, key_value=shared, memory=memory, rows_per_key=3))
    np.testing.assert_allclose(together, as_numpy(layer(query, key_value=repeated[0], memory=repeated[1])), atol=1e-5)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"cache": "cache"}, "cache is given without cache_index; expected both or neither"),
        ({"cache_index": 0}, "cache_index is given without cache; expected both or neither"),
        ({"rows_per_key": 0}, "rows_per_key is 0; expected an integer from 1"),
        ({"rows_per_key": 4}, "rows_per_key is 4; expected a number that divides the 6 rows of the query"),
        (
            {"attention_mask": np.ones((1, 1, 5), dtype=bool)},
            "attention_mask has 5 keys; expected 3 of the memory and then 5 others, 8 in all",
        ),
        ({"position_buckets": np.zeros((1, 5), dtype=int)}, "position_buckets has 5 keys; expected 3 of the memory and then 5 others"),
    ],
)
def test_caches_and_memories_that_do_not_fit_are_named(arguments, complaint):
    layer = RelativeAttention(2, 4, bidirectional=False)
    cache = (ops.zeros((6, 2, 5, 4)), ops.zeros((6, 2, 5, 4)))
    settings = {"cache": cache, "cache_index": 0, "memory": cache, "position_buckets": np.zeros((1, 8), dtype=int)}
    if "cache" in arguments or "cache_index" in arguments:
        settings = {name: cache if value == "cache" else value for name, value in arguments.items()}
    else:
        settings |= {"memory": tuple(tensor[:, :, :3] for tensor in cache), **arguments}
    with pytest.raises(ValueError, match=complaint):
        layer(random(6, 1, 8), **settings)


def test_projected_keys_and_values_give_the_same_outputs():
    layer = RelativeAttention(2, 4)
    query, value = random(2, 5, 8), random(2, 6, 8, seed=1)
    direct = as_numpy(layer(query, value))
    np.testing.assert_allclose(as_numpy(layer(query, key_value=layer.project_key_value(value))), direct, atol=1e-6)


def test_given_buckets_equal_the_default_ones_also_for_each_example_apart():
    layer = RelativeAttention(2, 4)
    inputs = random(2, 5, 8)
    relative_position = np.arange(5)[None, :] - np.arange(5)[:, None]
    buckets = layer.bucket(relative_position)
    expected = as_numpy(layer(inputs))
    np.testing.assert_allclose(as_numpy(layer(inputs, position_buckets=buckets)), expected, atol=1e-6)
    each = np.repeat(np.asarray(buckets)[None], 2, axis=0)
    np.testing.assert_allclose(as_numpy(layer(inputs, position_buckets=each)), expected, atol=1e-6)


def test_the_bias_depends_on_distance_alone():
    """With equal tokens the weights of a causal query can only come from the bias: the same at the same distance."""
    layer = RelativeAttention(1, 4, bidirectional=True)
    inputs = np.ones((1, 12, 8), dtype="float32")
    _, scores = layer(inputs, return_attention_scores=True)
    logits = np.log(as_numpy(scores)[0, 0])
    table = as_numpy(layer.bias_table)[:, 0]
    for query in range(12):
        expected = table[[int(relative_position_bucket(key - query)) for key in range(12)]]
        np.testing.assert_allclose(logits[query] - logits[query, query], expected - expected[query], atol=1e-4)


def blocks(policy="float32", dropout=0.0):
    settings = {"num_heads": 2, "feed_forward_dim": 16, "dropout": dropout, "dtype": policy}
    return EncoderBlock(**settings), DecoderBlock(**settings)


@pytest.mark.parametrize("policy", ["float32", "mixed_bfloat16", "mixed_float16"])
def test_blocks_stay_finite_and_keep_their_dtype(policy):
    encoder, decoder = blocks(policy)
    inputs = random(2, 5, 8) * 10
    mask = np.zeros((2, 1, 5), dtype=bool)
    mask[0, 0, :3] = True
    encoded = encoder(inputs, attention_mask=mask)
    output = decoder(inputs, encoded, cross_mask=mask)
    assert keras.backend.standardize_dtype(output.dtype) == encoder.compute_dtype
    assert np.all(np.isfinite(as_numpy(output)))


def test_dropout_acts_in_training_alone():
    encoder, _ = blocks(dropout=0.5)
    inputs = random(2, 5, 8)
    still = as_numpy(encoder(inputs, training=False))
    np.testing.assert_array_equal(still, as_numpy(encoder(inputs)))
    assert np.abs(as_numpy(encoder(inputs, training=True)) - still).max() > 0.1


@pytest.mark.parametrize("block", blocks(dropout=0.25))
def test_blocks_round_trip_their_config(block):
    again = keras.saving.deserialize_keras_object(keras.saving.serialize_keras_object(block))
    assert again.get_config() == block.get_config()


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"num_heads": 0, "head_dim": 4}, "num_heads is 0; expected an integer from 1"),
        ({"num_heads": 2, "head_dim": 4.5}, "head_dim is 4.5; expected an integer from 1"),
        ({"num_heads": 2, "head_dim": 4, "dropout": 1.0}, "dropout is 1.0; expected a rate from 0 to below 1"),
        ({"num_heads": 2, "head_dim": 4, "num_buckets": 3}, "num_buckets is 3; expected an even integer from 4"),
    ],
)
def test_bad_settings_are_named(settings, complaint):
    with pytest.raises(ValueError, match=complaint):
        RelativeAttention(**settings)
