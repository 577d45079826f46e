import keras
import numpy as np
import pytest

from compgen_keras.layers import RelativeAttention, TokenEmbedding

pytestmark = pytest.mark.backend


@pytest.mark.parametrize("times", [1, 4, 100])
def test_a_row_met_many_times_moves_by_the_learning_rate(times):
    """Adam's first step has the size of the learning rate, however the gradient came about."""
    model = keras.Sequential([keras.Input((times,), dtype="int32"), TokenEmbedding(3, 1, embeddings_initializer="zeros")])
    model.compile(keras.optimizers.Adam(0.1, epsilon=1e-9), "mse", jit_compile=False)
    model.train_on_batch(np.full((1, times), 1), np.ones((1, times, 1)))
    np.testing.assert_allclose(model.get_weights()[0].ravel(), [0.0, 0.1, 0.0], atol=1e-5)


def test_position_tables_move_by_the_learning_rate():
    inputs = keras.Input((12, 8))
    layer = RelativeAttention(2, 4)
    model = keras.Model(inputs, layer(inputs))
    model.compile(keras.optimizers.Adam(0.1), "mse", jit_compile=False)
    before = keras.ops.convert_to_numpy(layer.bias_table)
    model.train_on_batch(np.random.default_rng(0).normal(size=(4, 12, 8)).astype("float32"), np.ones((4, 12, 8), dtype="float32"))
    moved = np.abs(keras.ops.convert_to_numpy(layer.bias_table) - before)
    assert moved.max() == pytest.approx(0.1, rel=0.01)
