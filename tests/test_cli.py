"""The command line as a user meets it: what it prints, what it leaves behind, and what it says of bad input."""

import json
import os
import shutil
import subprocess
import sys

import numpy as np
import pytest

import compgen_keras as cg
from compgen_keras.cli import main

COMMAND = "jump left twice and run right after walk thrice"


def run(*arguments, **environment):
    """The command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "compgen_keras", *map(str, arguments)],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        check=False,
    )


@pytest.fixture(scope="module")
def small_run(tmp_path_factory):
    """A run folder made by the command line: few steps, few examples."""
    folder = tmp_path_factory.mktemp("runs") / "run"
    training = ["--steps", "6", "--batch-size", "4", "--deterministic"]
    made = run("train", "scan/length_generalization_hardest", "--model", "sep_to_last", "--run-dir", folder, *training)
    assert made.returncode == 0, made.stderr
    assert "compgen-keras evaluate" in made.stdout
    assert str(folder / "model.keras") in made.stdout
    return folder


def test_translate(capsys):
    assert main(["translate", COMMAND]) == 0
    assert capsys.readouterr().out == "WALK WALK WALK LTURN JUMP LTURN JUMP RTURN RUN\n"
    assert main(["translate", COMMAND, "--parts"]) == 0
    assert capsys.readouterr().out == "WALK WALK WALK\nLTURN JUMP LTURN JUMP\nRTURN RUN\n"


def test_show_mask(tmp_path, capsys):
    picture = tmp_path / "mask.png"
    assert main(["show-mask", COMMAND, "--strategy", "sep_to_last", "--output", str(picture)]) == 0
    lines = capsys.readouterr().out.splitlines()
    row = next(line for line in lines if line.startswith(" 12"))
    assert [place for place, mark in enumerate(row.split()[2:]) if mark == "#"] == [3, 8, 11, 12]
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_train_evaluate_fine_tune_generate_report(small_run, tmp_path, capsys):
    config = json.loads((small_run / "config.json").read_text())
    assert (config["benchmark"], config["variant"], config["steps"]) == ("scan/length_generalization_hardest", "sep_to_last", 6)
    assert list(small_run.glob("tensorboard/train/events*"))
    folder = tmp_path / "run"
    shutil.copytree(small_run, folder)
    assert main(["evaluate", str(folder), "--examples", "12"]) == 0
    assert "in-distribution" in capsys.readouterr().out
    zero_shot = json.loads((folder / "evaluations" / "zero_shot.json").read_text())
    assert zero_shot["examples"] == 12
    assert len((folder / "predictions" / "zero_shot.jsonl").read_text().splitlines()) == 12
    assert main(["fine-tune", str(folder), "--examples", "12"]) == 0
    output = capsys.readouterr().out
    assert str(folder / "few_shot.keras") in output
    assert max(len(line) for line in output.splitlines() if "tmp" not in line) <= 100
    assert main(["generate", str(folder), "jump left", "run"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2
    assert main(["report", str(folder), "--output", str(tmp_path / "report")]) == 0
    output = capsys.readouterr().out
    assert "1.0 ±0.2" in output, "the paper's zero-shot figure for this cell"
    (row,) = json.loads((tmp_path / "report" / "report.json").read_text())
    assert row["paper_percent"]["zero_shot"] == {"mean": 1.0, "std": 0.2}
    assert set(row["evaluations"]) == {"in_distribution", "zero_shot", "few_shot", "few_shot_in_distribution"}
    assert (tmp_path / "report" / "report.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "report" / "report.txt").read_text().strip() in output
    assert not list(folder.rglob(".*")), "temporary files are left over"


def test_deterministic_training_gives_the_same_weights(small_run, tmp_path):
    import numpy as np
    from keras import saving

    import compgen_keras.models  # noqa: F401 - registers the model

    again = tmp_path / "again"
    training = ["--steps", "6", "--batch-size", "4", "--deterministic"]
    made = run(
        "train",
        "scan/length_generalization_hardest",
        "--model",
        "sep_to_last",
        "--run-dir",
        again,
        *training,
        PYTHONHASHSEED="5",
    )
    assert made.returncode == 0, made.stderr
    first, second = (saving.load_model(folder / "model.keras").get_weights() for folder in (small_run, again))
    for a, b in zip(first, second, strict=True):
        np.testing.assert_array_equal(a, b)


def test_a_run_on_input_output_examples(tmp_path, capsys):
    folder = tmp_path / "run"
    task = "robustfill-mini/length_generalization_hardest"
    training = ["--steps", "3", "--batch-size", "4", "--processes", "1"]
    assert main(["train", task, "--model", "sep_to_last", "--run-dir", str(folder), *training]) == 0
    assert main(["evaluate", str(folder), "--examples", "6", "--beams", "2"]) == 0
    output = capsys.readouterr().out
    assert "Right outputs in percent on 6 examples" in output
    assert "any beam right" in output
    zero_shot = json.loads((folder / "evaluations" / "zero_shot.json").read_text())
    assert zero_shot["beam_search"]["beams"] == 2
    assert zero_shot["beam_search"]["correct"] >= 0
    prediction = json.loads((folder / "predictions" / "zero_shot.jsonl").read_text().splitlines()[0])
    assert len(prediction["spec"]) == 4
    assert main(["generate", str(folder), '[["ab:1", "ab"], ["c/2", "c"]]']) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1
    assert main(["report", str(folder)]) == 0
    assert " → " in capsys.readouterr().out
    for spec, complaint in (("ab", "'ab' is no specification"), ('[["é", "e"]]', "specification 1: character 1 of the input of pair 1")):
        assert main(["generate", str(folder), spec]) == 2
        error = capsys.readouterr().err
        assert complaint in error
        assert len(error.splitlines()) == 1


def test_run_program(capsys):
    assert main(["run-program", 'Concat(GetToken(WORD, 1), ConstStr("."))', "ada lovelace", ""]) == 0
    assert capsys.readouterr().out == "ada.\n.\n"


def test_run_program_on_what_is_no_text(capsys):
    assert main(["run-program", "Concat(Trim())", "ada", "\udcff"]) == 2
    captured = capsys.readouterr()
    assert captured.err == "compgen-keras run-program: input 2 is '\\udcff', which is not text in the encoding of your terminal.\n"
    assert not captured.out


def test_characters_that_the_terminal_lacks_are_escaped():
    command = [sys.executable, "-m", "compgen_keras", "run-program", "Concat(Trim())", "a→b"]
    made = subprocess.run(command, capture_output=True, env={**os.environ, "PYTHONIOENCODING": "ascii"}, check=False)
    assert (made.returncode, made.stdout) == (0, b"a\\u2192b\n")


BAD = [
    (["run-program", "Concat(Trim", "x"], "position 12: the program ends; expected '('"),
    (["run-program", "Concat(Trim())", "x" * 1001], "the input has 1,001 characters"),
    (["translate", "jump lef"], "word 2 of the command is 'lef'"),
    (["translate", "jump and"], "the command ends after word 2"),
    (["translate", ""], "the command is empty"),
    (["show-mask", "jump", "--strategy", "diagonal"], "unknown mask strategy 'diagonal'"),
    (["train", "scan/flying", "--model", "sep_to_last", "--run-dir", "RUN"], "unknown task 'flying' of scan"),
    (["train", "scam/iid", "--model", "sep_to_last", "--run-dir", "RUN"], "unknown benchmark 'scam/iid'"),
    (["train", "scan/iid", "--model", "gru", "--run-dir", "RUN"], "unknown model 'gru'"),
    (["train", "scan/iid", "--model", "sep_to_last", "--size", "xl", "--run-dir", "RUN"], "unknown size 'xl'"),
    (["train", "scan/iid", "--model", "sep_to_last", "--run-dir", "RUN", "--steps", "0"], "'0' is no integer from 1"),
    (["train", "scan/iid", "--model", "sep_to_last", "--run-dir", "RUN", "--seed", "-1"], "'-1' is no integer from 0"),
    (["evaluate", "RUN", "--examples", "some"], "'some' is no integer from 1, nor 'all'"),
    (["train", "scan/iid", "--model", "sep_to_last", "--run-dir", "RUN", "--precision", "int3"], "precision is 'int3'"),
    (["train", "scan/iid", "--model", "sep_to_last"], "--run-dir"),
    (["evaluate", "RUN"], "is no run folder"),
    (["fine-tune", "RUN"], "is no run folder"),
    (["report", "RUN"], "is no run folder"),
    (["generate", "RUN", "jump"], "there is no model file"),
    (["quickstart", "--task", "scan/flying", "--run-dir", "RUN"], "unknown task 'flying' of scan"),
    (["quickstart", "--size", "xl", "--run-dir", "RUN"], "unknown size 'xl'"),
    (["train", "scan/iid", "--model", "sep_to_last", "--run-dir", "RUN", "--seed", "4294967296"], "seed is 4294967296"),
    (["show-mask", "jump", "--output", "RUN/mask"], "expected a name that ends in .png"),
    (["show-mask", " and ".join(["jump around left thrice"] * 9), "--output", "RUN/mask.png"], "a picture shows at most 120"),
    (["fly"], "invalid choice: 'fly'"),
    ([], "required"),
]


@pytest.mark.parametrize(("arguments", "complaint"), BAD)
def test_bad_input_is_one_line_status_2_and_nothing_written(arguments, complaint, tmp_path, capsys):
    folder = tmp_path / "folder"
    try:
        status = main([argument.replace("RUN", str(folder)) for argument in arguments])
    except SystemExit as stopped:
        status = stopped.code
    captured = capsys.readouterr()
    assert status == 2
    assert complaint in captured.err
    assert len(captured.err.strip().splitlines()) == 1
    assert captured.out == ""
    assert not folder.exists()


def test_a_run_folder_that_exists_is_left_alone(small_run, capsys):
    before = {path: path.stat().st_mtime_ns for path in small_run.rglob("*")}
    assert main(["train", "scan/iid", "--model", "sep_to_last", "--run-dir", str(small_run)]) == 2
    assert "exists already" in capsys.readouterr().err
    assert {path: path.stat().st_mtime_ns for path in small_run.rglob("*")} == before


def test_damaged_files_of_a_run_are_named(small_run, tmp_path, capsys):
    folder = tmp_path / "run"
    shutil.copytree(small_run, folder)
    content = (folder / "model.keras").read_bytes()
    (folder / "model.keras").write_bytes(content[: len(content) // 2])
    assert main(["evaluate", str(folder)]) == 2
    assert "is no complete .keras file" in capsys.readouterr().err
    config = json.loads((folder / "config.json").read_text())
    (folder / "model.keras").write_bytes(content)
    (folder / "config.json").write_text(json.dumps({**config, "variant": "transformer"}))
    assert main(["evaluate", str(folder)]) == 2
    assert "holds the model sep_to_last, not transformer" in capsys.readouterr().err
    (folder / "config.json").write_text('{"benchmark": ')
    assert main(["evaluate", str(folder)]) == 2
    assert "cannot be read as JSON" in capsys.readouterr().err
    assert not (folder / "evaluations").exists()


def test_outputs_that_cannot_be_written_are_named(small_run, tmp_path, capsys):
    (tmp_path / "file").write_text("x")
    assert main(["report", str(small_run), "--output", str(tmp_path / "file")]) == 2
    assert main(["show-mask", "jump", "--output", str(tmp_path / "file" / "mask.png")]) == 2
    lines = capsys.readouterr().err.strip().splitlines()
    assert len(lines) == 2
    assert all(str(tmp_path / "file") in line for line in lines)
    assert list(tmp_path.iterdir()) == [tmp_path / "file"]


def test_generate_names_a_bad_command(small_run, capsys):
    assert main(["generate", str(small_run), "jump", "jump and"]) == 2
    assert "the command ends after word 2" in capsys.readouterr().err


def test_standard_error_holds_nothing_but_the_line(small_run, tmp_path):
    """Also what the backend's native code prints."""
    for arguments in (["train", "scan/flying", "--model", "x", "--run-dir", tmp_path / "run"], ["report", tmp_path / "nothing"]):
        assert len(run(*arguments).stderr.splitlines()) == 1


def test_cogs_from_its_own_files_to_a_table_by_case(tmp_path, capsys):
    """Two sentences to learn, two cases of one sentence each."""
    files = tmp_path / "files"
    files.mkdir()
    line = "Emma slept .\tsleep . agent ( x _ 1 , Emma )\t{}\n"
    for name, kinds in {
        "train": ("in_distribution",),
        "dev": ("x",),
        "test": ("x",),
        "gen": ("pp_recursion", "unacc_to_transitive"),
    }.items():
        (files / f"{name}.tsv").write_text("".join(line.format(kind) for kind in kinds))
    folder = tmp_path / "run"
    training = ["--steps", "3", "--batch-size", "4", "--watch", "0", "--option", f"folder={files}"]
    assert main(["train", "cogs/all", "--model", "lstm", "--run-dir", str(folder), *training]) == 0
    assert json.loads((folder / "config.json").read_text())["options"] == {"folder": str(files)}
    assert main(["evaluate", str(folder), "--examples", "all"]) == 0
    shown = capsys.readouterr().out
    assert "unacc_to_transitive" in shown
    assert len((folder / "predictions" / "in_distribution.jsonl").read_text().splitlines()) == 1
    assert [json.loads(row)["spec"] for row in (folder / "predictions" / "zero_shot.jsonl").read_text().splitlines()] == [
        "Emma slept ."
    ] * 2
    assert main(["generate", str(folder), "Emma slept"]) == 2
    assert "full stop" in capsys.readouterr().err
    assert main(["train", "cogs/all", "--model", "lstm", "--run-dir", str(tmp_path / "other"), "--option", "folder=/nowhere"]) == 2
    assert main(["train", "cogs/all", "--model", "lstm", "--run-dir", str(tmp_path / "other"), "--option", "colour=3"]) == 2
    assert "cogs has no option 'colour'; expected one of: exposures, folder" in capsys.readouterr().err
    assert main(["train", "robustfill/iid", "--model", "lstm", "--run-dir", str(tmp_path / "other")]) == 2
    assert "lstm reads words" in capsys.readouterr().err
    assert not (tmp_path / "other").exists()


def test_training_stops_early_with_the_weights_of_the_lowest_validation_loss(tmp_path, monkeypatch):
    """At a rate that only makes things worse, the first epoch is the best."""
    import dataclasses

    import keras

    from compgen_keras.experiments.run import train_run
    from compgen_keras.training import RECIPES

    hasty = dataclasses.replace(
        RECIPES["classroom"],
        optimizer=lambda steps: keras.optimizers.SGD(300.0, gradient_accumulation_steps=2),
        batches_per_step=2,
        batch_size=8,
        epoch_steps=2,
        steps=40,
        patience=2,
    )
    monkeypatch.setitem(RECIPES, "classroom", hasty)
    folder = train_run("scan/length_generalization_hardest", "transformer", tmp_path / "run", watch=0)
    training = folder.training
    losses = training["history"]["val_loss"]
    assert len(losses) == losses.index(min(losses)) + 1 + 2 < 20
    assert training["steps"] == 2 * len(losses)
    assert all(rate > 0 for rate in training["history"]["tokens_per_second"])


def test_early_stopping_with_an_epoch_cut_short(tmp_path, monkeypatch):
    """5 steps in epochs of 2: one call of `fit`, whose best weights are those of the first epoch, when everything gets worse."""
    import dataclasses

    import keras

    from compgen_keras.experiments.run import train_run
    from compgen_keras.training import RECIPES

    def trained(name, **changes):
        hasty = dataclasses.replace(
            RECIPES["classroom"],
            optimizer=lambda steps: keras.optimizers.SGD(300.0, gradient_accumulation_steps=2),
            batches_per_step=2,
            batch_size=8,
            epoch_steps=2,
            patience=5,
            **changes,
        )
        with monkeypatch.context() as patch:
            patch.setitem(RECIPES, "classroom", hasty)
            folder = train_run("scan/length_generalization_hardest", "transformer", tmp_path / name, watch=0)
        return folder.training, cg.models.load(folder.model_path).get_weights()

    long, weights = trained("five", steps=5)
    losses = long["history"]["val_loss"]
    assert long["steps"] == 5
    assert len(losses) == 3
    assert losses.index(min(losses)) == 0
    short, after_first_epoch = trained("two", steps=2)
    assert short["steps"] == 2
    for one, other in zip(weights, after_first_epoch, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


def test_the_number_of_steps_is_exact(tmp_path):
    from compgen_keras.experiments.run import fit_for_steps
    from compgen_keras.training import Recipe

    class Model:
        seen = ()
        stop_training = False

        def fit(self, batches, initial_epoch, epochs, steps_per_epoch, **options):
            self.seen += ((batches, initial_epoch, epochs, steps_per_epoch),)

    for steps, calls in {
        6: ((0, 0, 1, 6),),
        500: ((0, 0, 2, 250),),
        501: ((0, 0, 2, 250), (500, 2, 3, 1)),
    }.items():
        model = Model()
        fit_for_steps(model, lambda first: first, Recipe(32, steps, None), [])
        assert model.seen == calls
    for first_epoch, calls in {1: ((250, 1, 2, 250), (500, 2, 3, 1)), 2: ((500, 2, 3, 1),), 3: ()}.items():
        model = Model()
        fit_for_steps(model, lambda first: first, Recipe(32, 501, None), [], first_epoch=first_epoch)
        assert model.seen == calls


def test_help_is_fast_and_shows_examples():
    shown = run("--help")
    assert shown.returncode == 0
    for command in ("quickstart", "train", "evaluate", "generate", "fine-tune", "report", "translate", "show-mask"):
        assert command in shown.stdout
        assert "example: compgen-keras" in run(command, "--help").stdout


def test_import_loads_no_backend():
    program = "import sys, compgen_keras.cli; print([m for m in ('tensorflow', 'jax', 'keras', 'matplotlib') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_split_report(tmp_path, capsys):
    options = ["--examples", "300", "--factors", "verb,repeat", "--held-out", "jump,twice", "--output", str(tmp_path)]
    assert main(["split-report", "scan/compose_new_operation", *options]) == 0
    assert "held-out cell" not in capsys.readouterr().err
    kept = json.loads((tmp_path / "scan" / "compose_new_operation" / "report.json").read_text())
    assert kept["grid"]["held_out"] == [["jump", "twice"]]
    assert (kept["train_examples"], kept["grid"]["factors"]) == (300, ["verb", "repeat"])
    assert main(["split-report", "scan/iid", "--examples", "30", "--factors", "verb,colour", "--output", str(tmp_path)]) == 2
    assert "expected two of: verb" in capsys.readouterr().err
    assert not (tmp_path / "scan" / "iid").exists()


def test_diagnose(small_run, tmp_path, capsys):
    output = tmp_path / "diagnosis"
    options = ["--examples", "4", "--beams", "2", "--adaptation", "0", "--output", str(output)]
    assert main(["diagnose", str(small_run), *options]) == 0
    assert str(output / "diagnosis.md") in capsys.readouterr().out
    kept = json.loads((output / "diagnosis.json").read_text())
    assert (kept["accuracy"]["of"], list(kept["search"]["within"])) == (4, ["1", "2"])
    assert main(["diagnose", str(tmp_path)]) == 2
    assert "is no run folder" in capsys.readouterr().err


def test_swap_test(small_run, tmp_path, capsys):
    output = tmp_path / "swaps"
    options = ["--pairs", "2", "--repeats", "1", "--factors", "verb", "--output", str(output)]
    assert main(["swap-test", str(small_run), *options]) == 0
    assert str(output / "swap_test.md") in capsys.readouterr().out
    assert list(json.loads((output / "swap_test.json").read_text())["factors"]) == ["verb"]
    assert main(["swap-test", str(small_run), "--factors", "colour"]) == 2
    assert "verb, direction_phrase, repeat" in capsys.readouterr().err


def test_worlds(tmp_path, capsys):
    folder = tmp_path / "worlds"
    assert main(["worlds", "--run-dir", str(folder), "--diagonals", "1", "--seeds", "0", "--fast"]) == 0
    assert str(folder / "report.md") in capsys.readouterr().out
    assert {pair["model"] for pair in json.loads((folder / "results.json").read_text())["pairs"]} == {
        "factored",
        "joined_factors",
        "world_id",
    }
    assert main(["worlds", "--run-dir", str(folder), "--fast"]) == 2
