from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import keras
import numpy as np
import pytest

import compgen_keras as cg
from compgen_keras.data import SEP_ID, XLA_LENGTHS, Codec, TrainingBatches, padded_length

BENCH = cg.benchmarks.load("scan/iid")
CODEC = Codec.for_benchmark(BENCH, True)


def batches(**options):
    return TrainingBatches(BENCH, CODEC, **{"batch_size": 8, "window": 5, **options})


def test_a_window_holds_each_example_of_the_stream_once():
    specs, targets = CODEC.encode_stream(BENCH, "train", 0, 40, 40)
    expected = Counter((tuple(s[s > 0]), tuple(t[t > 0])) for s, t in zip(specs.padded(50), targets.padded(260), strict=True))
    found = Counter()
    for number in range(5, 10):
        inputs, target = batches()[number]
        found += Counter((tuple(s[s > 0]), tuple(t[t > 0])) for s, t in zip(inputs["spec"], target, strict=True))
    assert found == expected


def test_inputs_are_the_targets_shifted_behind_a_separator():
    inputs, targets = batches()[3]
    assert np.all(inputs["program"][:, 0] == SEP_ID)
    assert np.array_equal(inputs["program"][:, 1:], targets[:, :-1])


def test_little_is_padding():
    sizes = [(np.count_nonzero(targets), targets.size) for _, targets in (batches(batch_size=32, window=64)[i] for i in range(2, 64))]
    real, padded = np.sum(sizes, axis=0)
    assert real / padded > 0.9


def test_batches_depend_on_their_number_alone():
    forward = batches()
    in_order = [forward[i] for i in range(12)]
    fresh = batches()
    for number in (11, 2, 7):
        assert np.array_equal(fresh[number][1], in_order[number][1])
    resumed = batches(first_batch=4)
    assert np.array_equal(resumed[3][1], in_order[7][1])
    assert not np.array_equal(batches(seed=1)[2][1], in_order[2][1])


@pytest.mark.skipif(keras.config.backend() != "tensorflow", reason="only TensorFlow's input pipeline needs it")
def test_first_two_batches_differ_in_both_lengths():
    """Otherwise Keras takes a length for a constant and a later batch of another length fails."""
    for seed in range(20):
        for lengths in (None, XLA_LENGTHS):
            made = batches(seed=seed, lengths=lengths)
            (first, second) = made[0], made[1]
            assert first[0]["spec"].shape[1] != second[0]["spec"].shape[1]
            assert first[1].shape[1] != second[1].shape[1]


def test_padded_lengths():
    assert [padded_length(n, None) for n in (1, 4, 5, 251)] == [4, 4, 8, 252]
    assert [padded_length(n, XLA_LENGTHS) for n in (1, 8, 9, 129, 513)] == [8, 8, 16, 192, 1024]


def test_threads_can_share_it():
    made = batches()
    expected = [batches()[index][1] for index in range(40)]
    with ThreadPoolExecutor(4) as threads:
        for found, target in zip(threads.map(lambda index: made[index][1], range(40)), expected, strict=True):
            assert np.array_equal(found, target)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"batch_size": 0}, "batch_size is 0"),
        ({"window": -1}, "window is -1"),
        ({"first_batch": 2.5}, "first_batch is 2.5"),
        ({"split": "dev"}, "unknown split 'dev'"),
        ({"seed": -1}, "seed is -1"),
        ({"split": "few_shot"}, "use compgen_keras.training.few_shot_batch"),
    ],
)
def test_bad_arguments_are_named(options, complaint):
    with pytest.raises(ValueError, match=complaint):
        batches(**options)


def test_a_name_is_no_benchmark():
    with pytest.raises(ValueError, match="a benchmark is expected, but 'scan/iid' was given"):
        TrainingBatches("scan/iid", CODEC)


def test_worker_processes_draw_the_same_batches():
    options = {"batch_size": 8, "window": 4, "seed": 3}
    for name in ("scan/iid", "robustfill-mini/iid"):
        bench = cg.benchmarks.load(name)
        codec = Codec.for_benchmark(bench, True)
        alone, helped = (TrainingBatches(bench, codec, processes=processes, **options) for processes in (0, 2))
        for index in (0, 1, 5, 9, 3, 20):
            (inputs, targets), (same_inputs, same_targets) = alone[index], helped[index]
            assert np.array_equal(targets, same_targets)
            assert keras.tree.map_structure(lambda a, b: np.array_equal(a, b), inputs, same_inputs) == keras.tree.map_structure(
                lambda array: True, inputs
            )


def test_batches_of_examples_have_few_shapes_for_xla():
    """Each dimension is one of the bucket lengths, so that a compiled step meets the same shapes again and again."""
    bench = cg.benchmarks.load("robustfill/length_generalization")
    stream = TrainingBatches(bench, Codec.for_benchmark(bench, True), batch_size=4, window=16, lengths=XLA_LENGTHS)
    shapes = set()
    for index in range(64):
        inputs, targets = stream[index]
        spec = inputs["spec"]
        assert spec["inputs"].shape[:2] == spec["outputs"].shape[:2] == (4, bench.dialect.pairs)
        assert inputs["program"].shape == targets.shape
        shapes.add((spec["inputs"].shape[2], spec["outputs"].shape[2], targets.shape[1]))
    assert {length for shape in shapes for length in shape} <= set(XLA_LENGTHS)
    assert len(shapes) < 64 / 2
