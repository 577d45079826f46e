"""A batch shared among devices gives the same training as on one."""

import json
import os
import subprocess
import sys

import keras
import numpy as np
import pytest

from compgen_keras import training

pytestmark = pytest.mark.backend
TOLERANCE = 2e-5
"""Relative, in float32: sums are taken in another order."""


def test_two_devices_give_the_losses_of_one():
    two_devices = {"XLA_FLAGS": "--xla_force_host_platform_device_count=2", "CUDA_VISIBLE_DEVICES": ""}
    environment = {**os.environ, "KERAS_BACKEND": keras.config.backend(), **two_devices}
    command = [sys.executable, "-m", "tests.training.data_parallel_losses"]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr[-2000:]
    found = json.loads(run.stdout.splitlines()[-1])
    assert np.isfinite(found.pop("recipe")["loss"]).all()
    assert list(found) == ["0.0", "0.1"], "without label smoothing, and with"
    for one, two in (histories.values() for histories in found.values()):
        assert len(one["loss"]) == 6
        assert one["loss"][-1] < one["loss"][0]
        for name in ("loss", "token_accuracy", "weights"):
            np.testing.assert_allclose(two[name], one[name], rtol=TOLERANCE)


def test_says_how_many_devices_there_are():
    with pytest.raises(ValueError, match="1000 devices are asked for, there are"), training.data_parallel(1000):
        pass
    with pytest.raises(ValueError, match="devices is 0"), training.data_parallel(0):
        pass
