"""The study from one end to the other, and what it says about bad arguments."""

import functools
import json
import tempfile
from pathlib import Path

import matplotlib.image
import pytest

from compgen_keras import worlds
from compgen_keras.worlds.report import report_text
from compgen_keras.worlds.summary import criterion, spread


@functools.cache
def finished():
    """A tiny study: the folder, kept open, and what it returned."""
    folder = tempfile.TemporaryDirectory()
    results = worlds.study(folder.name, diagonals=[2], seeds=[3], models=["factored", "world_id"], budget=worlds.TINY)
    return folder, results


def test_a_study_leaves_a_complete_report():
    folder, results = finished()
    path = Path(folder.name)
    assert json.loads((path / "results.json").read_text()) == json.loads(json.dumps(results))
    assert {file.name for file in path.iterdir()} == {
        "results.json",
        "report.md",
        "tensorboard",
        *(f"{name}.png" for name in ("pairs", "rollout", "planning", "adaptation", "swap")),
    }
    report = (path / "report.md").read_text()
    for title in ("All pairs", "One step and many", "Support", "Planning", "Adaptation", "Swap test"):
        assert f"\n## {title}" in report
    assert "NaN" not in (path / "results.json").read_text()
    for picture in path.glob("*.png"):
        assert picture.name in report
        assert matplotlib.image.imread(picture).std() > 0.01
    shown = results["pairs"][0]["errors"]["held_out"]["rollout"]
    assert f"| 2 | 3 | {shown:.3f} |" in report
    assert list((path / "tensorboard").rglob("events*"))


def test_the_verdict_follows_from_the_means():
    _, results = finished()

    def with_means(factored, world_id):
        summary = json.loads(json.dumps(results["summary"]))
        for name, mean in (("factored", factored), ("world_id", world_id)):
            summary["models"][name]["rollout"]["held_out"]["mean"] = mean
        return {**results, "criterion": criterion(summary)}

    assert with_means(0.1, 0.2)["criterion"]["met"] is True
    assert "a share of 50%: at most half, as expected" in report_text(with_means(0.1, 0.2))
    missed = with_means(0.11, 0.2)
    assert missed["criterion"]["met"] is False
    assert "more than half: the expectation is not met" in report_text(missed)
    assert "The factored model's one-step error" in report_text(missed)
    assert criterion({"models": {"factored": results["summary"]["models"]["factored"]}}) is None


def test_spreads_leave_out_what_is_missing():
    assert spread([None]) == {"mean": None, "std": None, "min": None, "max": None, "n": 0}
    assert spread([2.0, None])["n"] == 1


def test_a_folder_is_not_overwritten():
    folder, _ = finished()
    with pytest.raises(ValueError, match="exists already; expected a new run folder"):
        worlds.study(folder.name, budget=worlds.TINY)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"diagonals": [5]}, "one of diagonals is 5; expected an integer from 0 to 4"),
        ({"diagonals": []}, r"diagonals are \[\]; expected one or more, each once"),
        ({"diagonals": 3}, "diagonals is 3; expected a list of integers"),
        ({"seeds": [1, 1]}, r"seeds are \[1, 1\]; expected one or more, each once"),
        ({"seeds": [-1]}, "one of seeds is -1; expected an integer from 0"),
        ({"models": ["oracle"]}, "expected one or more of factored, joined_factors, world_id"),
        ({"models": ["factored", "factored"]}, "expected each once"),
    ],
)
def test_bad_arguments_are_named_before_anything_is_made(arguments, complaint, tmp_path):
    with pytest.raises(ValueError, match=complaint):
        worlds.study(tmp_path / "new", **arguments)
    assert not (tmp_path / "new").exists()


def test_a_budget_names_what_is_wrong():
    with pytest.raises(ValueError, match="candidates is 3; expected an integer from 8"):
        worlds.Budget(candidates=3)
    with pytest.raises(ValueError, match="adaptation_trajectories is 0; expected an integer from 1"):
        worlds.Budget(adaptation_trajectories=(0, 1))
