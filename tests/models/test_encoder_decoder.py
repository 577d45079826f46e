import keras
import numpy as np
import pytest
from keras import ops

import compgen_keras as cg
from tests.models.small import bench, small_model, specs, trained_model

pytestmark = pytest.mark.backend


def batch(model, number=1, size=6, lengths=None):
    return cg.data.TrainingBatches(bench(), model.codec, batch_size=size, window=4, lengths=lengths)[number]


@pytest.mark.parametrize("variant", cg.models.names())
def test_later_tokens_and_padding_change_nothing(variant):
    model = small_model(variant)
    inputs, _ = batch(model)
    logits = ops.convert_to_numpy(model(inputs))
    assert logits.shape == (*inputs["program"].shape, len(model.codec.program_vocabulary))
    cut = {"spec": inputs["spec"], "program": inputs["program"][:, :5]}
    np.testing.assert_allclose(ops.convert_to_numpy(model(cut)), logits[:, :5], atol=2e-5)
    padded = {name: np.pad(ids, ((0, 0), (0, 7))) for name, ids in inputs.items()}
    real = inputs["program"] != 0
    np.testing.assert_allclose(ops.convert_to_numpy(model(padded))[:, : real.shape[1]][real], logits[real], atol=2e-5)


def test_masks_make_parts_independent():
    """Under sep_to_last what a token sees of earlier parts goes through separators alone; in one layer, the tokens of the second
    part cannot see the first part at all, so that changing it changes nothing for them."""
    model = small_model("sep_to_last", num_layers=1)
    ids = model.codec.program_vocabulary.ids
    spec = model.codec.encode_specs(["walk and run"]).padded(4)
    first, second = ([[*ids(["SEP", verb, "SEP", "RUN", "RUN"])]] for verb in ("WALK", "JUMP"))
    logits = [ops.convert_to_numpy(model({"spec": spec, "program": np.array(program)})) for program in (first, second)]
    np.testing.assert_allclose(logits[0][0, 3:], logits[1][0, 3:], atol=1e-6)
    assert np.abs(logits[0][0, 2] - logits[1][0, 2]).max() > 1e-3


@pytest.mark.parametrize(
    ("variant", "policy", "size"),
    [
        ("transformer", "mixed_bfloat16", "paper"),
        ("relative_attention", "mixed_float16", "paper"),
        ("sep_to_last", "float32", "classroom"),
        ("sep_to_last", "mixed_bfloat16", "classroom"),
    ],
)
def test_the_train_step_compiles_with_xla_and_learns(variant, policy, size):
    keras.utils.set_random_seed(1)
    model = small_model(variant, dtype=policy, dropout=0.1, num_layers=1)
    # The paper's warm-up would take thousands of steps to show anything.
    optimizer = keras.optimizers.AdamW(3e-3) if size == "paper" else cg.training.find_recipe(size).optimizer(12)
    model.compile(**{**cg.training.compile_arguments(optimizer), "jit_compile": True})
    inputs, targets = batch(model, lengths=(12, 52), size=8)
    losses = [float(model.train_on_batch(inputs, targets, return_dict=True)["loss"]) for _ in range(12)]
    assert np.all(np.isfinite(losses))
    assert losses[-1] < losses[0]
    assert all(np.all(np.isfinite(weight)) for weight in model.get_weights())


@pytest.mark.skipif(keras.config.backend() != "tensorflow", reason="looks into TensorFlow's graph")
@pytest.mark.parametrize("policy", ["float32", "mixed_float16"])
def test_the_train_step_never_goes_back_to_python(policy):
    import tensorflow as tf

    model = small_model("sep_to_last", dtype=policy, dropout=0.1, num_layers=1)
    model.compile(**cg.training.recipe("classroom", steps=50))
    assert isinstance(model.optimizer, keras.optimizers.LossScaleOptimizer) == (policy == "mixed_float16")
    inputs, targets = batch(model)
    model.make_train_function()
    step = tf.function(lambda x, y: model.train_step((x, y))).get_concrete_function(inputs, tf.constant(targets))
    graph = step.graph.as_graph_def()
    kinds = {node.op for node in graph.node} | {node.op for function in graph.library.function for node in function.node_def}
    assert "MatMul" in kinds
    assert not [kind for kind in kinds if "PyFunc" in kind or kind in ("Print", "PrintV2", "Assert", "WriteSummary", "HostConst")]


@pytest.mark.skipif(keras.config.backend() != "tensorflow", reason="traces of TensorFlow")
def test_the_train_step_is_traced_once():
    model = small_model("relative_attention", num_layers=1)
    traces = []
    original = model.compute_loss
    model.compute_loss = lambda *args, **kwargs: traces.append(1) or original(*args, **kwargs)
    model.compile(**cg.training.recipe("classroom", steps=50))
    batches = cg.data.TrainingBatches(bench(), model.codec, batch_size=4, window=4)
    model.fit(batches, steps_per_epoch=6, shuffle=False, verbose=0)
    assert len(traces) == 1


def test_the_loss_is_the_mean_over_real_target_tokens():
    model = small_model("sep_to_last")
    inputs, targets = batch(model)
    model.compile(**cg.training.recipe("classroom"))
    logits = np.asarray(ops.convert_to_numpy(model(inputs)), dtype="float64")
    log_probabilities = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    terms = [-log_probabilities[b, t, targets[b, t]] for b, t in zip(*np.nonzero(targets), strict=True)]
    assert (targets == 0).any()
    results = model.test_on_batch(inputs, targets, return_dict=True)
    assert float(results["loss"]) == pytest.approx(np.mean(terms), rel=1e-5)
    right = [logits[b, t].argmax() == targets[b, t] for b, t in zip(*np.nonzero(targets), strict=True)]
    assert float(results["token_accuracy"]) == pytest.approx(np.mean(right), abs=1e-6)


@pytest.mark.parametrize("variant", ["transformer", "sep_to_last"])
def test_saving_and_loading_keeps_everything(variant, tmp_path):
    model = trained_model(variant)
    path = tmp_path / "model.keras"
    model.save(path)
    for again in (keras.saving.load_model(path), cg.models.load(path, variant=variant, benchmark="scan/iid")):
        assert again.get_config() == model.get_config()
        assert again.generate(specs(5)) == model.generate(specs(5))
        for a, b in zip(again.get_weights(), model.get_weights(), strict=True):
            np.testing.assert_array_equal(a, b)


def test_a_loaded_model_trains_on(tmp_path):
    model = small_model("sep_to_last", num_layers=1)
    model.compile(**cg.training.compile_arguments(keras.optimizers.AdamW(1e-2)))
    inputs, targets = batch(model)
    model.train_on_batch(inputs, targets)
    model.save(tmp_path / "model.keras")
    again = cg.models.load(tmp_path / "model.keras")
    losses = [float(m.train_on_batch(inputs, targets, return_dict=True)["loss"]) for m in (model, again)]
    assert int(again.optimizer.iterations) == 2
    assert losses[0] == pytest.approx(losses[1], rel=1e-5)


def test_the_seven_variants_are_the_rows_of_the_tables():
    assert cg.models.names() == (
        "transformer",
        "transformer_separators",
        "relative_attention",
        "relative_attention_separators",
        "sep_full_attention",
        "sep_to_sep_and_last",
        "sep_to_last",
    )
    rows = [cg.models.VARIANTS[name] for name in cg.models.names()]
    assert [row.relative_attention for row in rows] == [False, False, True, True, True, True, True]
    assert [row.separators for row in rows] == [False, True, False, True, True, True, True]
    assert [row.mask for row in rows] == ["causal"] * 4 + ["sep_full_attention", "sep_to_sep_and_last", "sep_to_last"]


def test_the_paper_size_is_that_of_appendix_c():
    model = cg.models.build("sep_to_last", cg.benchmarks.load("scan/iid"), size="paper")
    features, hidden, heads, layers, buckets = 256, 512, 4, 3, 32
    attention = 4 * features * features + buckets * heads
    feed_forward = features * hidden + hidden + hidden * features + features
    norm = 2 * features
    encoder = layers * (attention + feed_forward + 2 * norm) + norm
    decoder = layers * (2 * attention + feed_forward + 3 * norm) + norm
    words, actions = 13 + 3, 6 + 3
    assert model.count_params() == encoder + decoder + (words + actions) * features + features * actions + actions
    assert model.dropout == 0.1


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: cg.models.build("sep_to_first", bench()), "unknown model 'sep_to_first'; expected one of transformer"),
        (lambda: cg.models.build("sep_to_last", bench(), size="huge"), "unknown size 'huge'; expected one of paper, classroom"),
        (lambda: small_model("sep_to_last", num_heads=5), "embedding_dim is 32; expected a multiple of num_heads, which is 5"),
        (lambda: small_model("relative_attention", mask="sep_to_last"), "the mask 'sep_to_last' is computed from separators, which"),
        (lambda: small_model("transformer", separator_distance="parts"), "separator_distance is 'parts', but without relative attention"),
        (lambda: small_model("sep_to_last", mask="sep_to_lost"), "unknown mask strategy 'sep_to_lost'"),
        (lambda: small_model("sep_to_last", separator_distance="miles"), "separator_distance is 'miles'"),
    ],
)
def test_bad_arguments_are_named(call, complaint):
    with pytest.raises(ValueError, match=complaint):
        call()
