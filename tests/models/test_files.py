import json
import subprocess
import sys
import zipfile

import keras
import pytest

import compgen_keras as cg
from tests.models.small import bench, small_model


@pytest.fixture
def model_file(tmp_path):
    path = tmp_path / "model.keras"
    small_model("sep_to_last").save(path)
    return path


LOADING = """
import sys, keras, compgen_keras.models
model = keras.saving.load_model(sys.argv[1])
assert "compgen_keras.training" not in sys.modules
print(int(model.optimizer.iterations), model.generate(["jump"]))
"""


@pytest.mark.parametrize("size", ["classroom", "paper"])
def test_keras_alone_loads_a_trained_model_in_a_new_process(size, tmp_path):
    model = small_model("sep_to_last", num_layers=1)
    model.compile(**cg.training.recipe(size, steps=4))
    inputs, targets = cg.data.TrainingBatches(bench(), model.codec, batch_size=4)[1]
    model.train_on_batch(inputs, targets)
    path = tmp_path / "model.keras"
    model.save(path)
    loaded = subprocess.run([sys.executable, "-c", LOADING, path], capture_output=True, text=True, check=False)
    assert loaded.stdout == f"1 {model.generate(['jump'])}\n", loaded.stderr


def complaint_about(path, **expected):
    with pytest.raises(ValueError) as caught:
        cg.models.load(path, **expected)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_file_of_another_variant_or_task_says_what_it_is(model_file):
    assert "holds the model sep_to_last, not transformer: it is sep_to_last for scan/iid" in complaint_about(
        model_file, variant="transformer"
    )
    message = complaint_about(model_file, benchmark="scan/length_generalization")
    assert "holds the benchmark scan/iid, not scan/length_generalization" in message


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_truncated_files(model_file, share):
    content = model_file.read_bytes()
    model_file.write_bytes(content[: int(len(content) * share)])
    assert str(model_file) in complaint_about(model_file)


def test_flipped_bytes(model_file):
    content = bytearray(model_file.read_bytes())
    for place in range(len(content) // 2, len(content) // 2 + 400):
        content[place] ^= 0xFF
    model_file.write_bytes(bytes(content))
    assert "damaged" in complaint_about(model_file)


def test_files_that_are_no_model(tmp_path):
    assert "there is no model file" in complaint_about(tmp_path / "nothing.keras")
    assert "there is no model file" in complaint_about(tmp_path)
    text = tmp_path / "text.keras"
    text.write_text("hello")
    assert "is no complete .keras file" in complaint_about(text)
    other = tmp_path / "other.keras"
    keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)]).save(other)
    assert (
        "holds a Sequential; expected a file that a model of compgen_keras (EncoderDecoder, RecurrentEncoderDecoder) saved"
        in complaint_about(other)
    )
    archive = tmp_path / "archive.keras"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("config.json", json.dumps([1, 2]))
    assert "expected a file that a model of compgen_keras" in complaint_about(archive)
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("config.json", json.dumps({"class_name": "EncoderDecoder", "config": {}}))
    assert "does not say which model it holds" in complaint_about(archive)
    assert "None is no path" in complaint_about(None)


@pytest.mark.parametrize("place", range(0, 120, 7))
def test_single_damaged_bytes_of_the_archives_index(model_file, place):
    """Each either does not matter, or is a ValueError of one line."""
    content = bytearray(model_file.read_bytes())
    content[-1 - place] ^= 0x5A
    model_file.write_bytes(bytes(content))
    try:
        cg.models.load(model_file)
    except ValueError as error:
        assert str(model_file) in str(error)
        assert "\n" not in str(error)


def test_missing_weights(model_file, tmp_path):
    without = tmp_path / "without.keras"
    with zipfile.ZipFile(model_file) as source, zipfile.ZipFile(without, "w") as target:
        for name in source.namelist():
            if "weights" not in name:
                target.writestr(name, source.read(name))
    assert "cannot be loaded" in complaint_about(without)
