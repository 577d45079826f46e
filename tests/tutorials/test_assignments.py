"""nbgrader's whole cycle: student versions, submissions, points."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
pytest.importorskip("nbgrader")

ASSIGNMENTS = Path(__file__).resolve().parents[2] / "tutorials" / "assignments"
sys.path.insert(0, str(ASSIGNMENTS))

FULL = {"1_scan": 10, "2_relative_positions": 10, "3_masks": 12, "4_design_a_mask": 10}

WRONG = {
    "1_scan": {
        # Half a turn for `opposite`: its own point, the repeats that use it, and the translation.
        "opposite_turns_once": ("part_actions", "once = turn + turn + action", "once = turn + action", 10 - 1 - 2 - 2),
        # Both conjunctions bind alike: the mixed order, and the translation.
        "and_binds_no_tighter": (
            "ordered_parts",
            "return [part for group in reversed(groups) for part in group]",
            "return [group[0] for group in reversed(groups)] + [part for group in groups for part in group[1:]]",
            10 - 2 - 2,
        ),
        # A repeat that repeats the action alone.
        "repeats_the_action_alone": ("part_actions", "return once * repeats", "return once + action * (repeats - 1)", 10 - 2 - 2),
    },
    "2_relative_positions": {
        "wrong_sign": ("bidirectional_bucket", "relative_position > 0", "relative_position < 0", 10 - 3 - 2),
        "linear_ranges": (
            "causal_bucket",
            "ratio = np.log(np.maximum(distance, exact) / exact) / np.log(max_distance / exact)",
            "ratio = (np.maximum(distance, exact) - exact) / (max_distance - exact)",
            10 - 2 - 3,
        ),
        "rows_are_keys": (
            "bias",
            "np.arange(keys)[None, :] - np.arange(queries)[:, None]",
            "np.arange(keys)[:, None] - np.arange(queries)[None, :]",
            10 - 1 - 2,
        ),
    },
    "3_masks": {
        # The part without the separator that opens it, which every mask contains.
        "without_its_separator": (
            "own_part_mask",
            "(place[None, :] <= place[:, None])",
            "(place[None, :] <= place[:, None]) & ((np.array(tokens) != 'SEP')[None, :] | np.eye(len(tokens), dtype=bool))",
            2,
        ),
        "looks_ahead": ("sep_to_last", " & (place[None, :] < place[:, None])", "", 12 - 3 - 2),
        "previous_separator_alone": (
            "sep_to_sep_and_last",
            "(place[None, :] <= place[:, None])",
            "(part_numbers(tokens)[None, :] >= part_numbers(tokens)[:, None] - 1) & (place[None, :] <= place[:, None])",
            12 - 2,
        ),
    },
    "4_design_a_mask": {
        "asks_with_if": ("strategy", "return ops.where(", "if query.is_separator:\n        return key.ends_part\n    return ops.where(", 0),
        "made_for_one_length": ("strategy", "return ops.where(", "return (ops.arange(13)[None, None, :] > 3) & ops.where(", 2),
        # A token that sees itself alone: a mask, not the causal one, but nothing can be learned.
        "sees_itself_alone": (
            "strategy",
            "ops.where(query.is_separator, key.ends_part, key.part == query.part)",
            "key.position == query.position",
            1,
        ),
    },
}


def solution_cells(notebook):
    return {cell.metadata.nbgrader.grade_id: cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("solution")}


def submit(course, name, student, solutions):
    """Hands in the student version with these solutions filled in."""
    notebook = nbformat.read(course / "release" / name / f"{name}.ipynb", as_version=4)
    for grade_id, cell in solution_cells(notebook).items():
        if grade_id in solutions:
            cell.source = solutions[grade_id]
    path = course / "submitted" / student / name / f"{name}.ipynb"
    path.parent.mkdir(parents=True)
    nbformat.write(notebook, path)


@pytest.fixture
def nbgrader(tmp_path):
    """Calls nbgrader in a fresh course."""
    from course import make_course

    make_course(tmp_path)
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", "ASSIGNMENT_STEPS": "300"}

    def call(*arguments):
        command = [sys.executable, "-m", "nbgrader", *arguments]
        made = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert made.returncode == 0, made.stderr[-3000:]

    return call


@pytest.mark.parametrize("name", FULL)
def test_the_cycle(name, tmp_path, nbgrader):
    nbgrader("generate_assignment", name)
    released = (tmp_path / "release" / name / f"{name}.ipynb").read_text()
    for secret in ("BEGIN SOLUTION", "HIDDEN TESTS"):
        assert secret not in released
    assert "raise NotImplementedError" in released

    source = nbformat.read(tmp_path / "source" / name / f"{name}.ipynb", as_version=4)
    reference = {grade_id: cell.source for grade_id, cell in solution_cells(source).items()}
    submit(tmp_path, name, "reference", reference)
    submit(tmp_path, name, "empty", {})
    expected = {"reference": FULL[name], "empty": 0}
    for student, (grade_id, right, wrong, points) in WRONG[name].items():
        assert reference[grade_id].count(right) == 1
        submit(tmp_path, name, student, {**reference, grade_id: reference[grade_id].replace(right, wrong)})
        expected[student] = points
    nbgrader("autograde", name, "--create")
    assert grades(tmp_path, name) == expected


def grades(course, name):
    from nbgrader.api import Gradebook

    path = os.environ["PATH"]
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{path}"
    try:
        with Gradebook(f"sqlite:///{course / 'gradebook.db'}", "compgen_keras") as gradebook:
            assert gradebook.find_assignment(name).max_score == FULL[name]
            return {submission.student_id: submission.score for submission in gradebook.assignment_submissions(name)}
    finally:
        os.environ["PATH"] = path
