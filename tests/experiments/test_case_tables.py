"""Tables by case, from runs whose numbers are set by hand."""

import dataclasses

import pytest

import compgen_keras as cg
from compgen_keras.benchmarks import Example
from compgen_keras.evaluation import Evaluation, case_results
from compgen_keras.experiments import RunFolder, paper_result, read_rows, table
from compgen_keras.experiments.case_tables import case_legend, case_table, error_table
from compgen_keras.experiments.markdown import markdown_table
from compgen_keras.experiments.mistakes import mistakes
from compgen_keras.files import write_json

BENCH = cg.benchmarks.load("cogs/all")
FORM = "sleep . agent ( x _ 1 , Emma )"
PREDICTIONS = {
    "right": FORM,
    "same meaning": "sleep . agent ( x _ 5 , Emma )",
    "wrong role": "sleep . theme ( x _ 1 , Emma )",
    "invalid form": "sleep . agent",
}


def make_run(path, predicted, variant="transformer", seed=0, task="all"):
    """A run whose test split is pairs of a case and a key of `PREDICTIONS`."""
    folder = RunFolder.create(path)
    write_json(folder.config_path, {"benchmark": f"cogs/{task}", "variant": variant, "size": "classroom", "seed": seed})
    write_json(folder.training_path, {"steps": 7800, "seconds": 240.0, "history": {}})
    examples = tuple(Example("Emma slept .", (tuple(FORM.split()),), case) for case, _ in predicted)
    tokens = tuple(tuple(PREDICTIONS[kind].split()) for _, kind in predicted)
    right = tuple(kind == "right" for _, kind in predicted)
    result = Evaluation(f"cogs/{task}", "test", 0, examples, tokens, right, cases=case_results(BENCH, examples, tokens))
    folder.write_evaluation("zero_shot", result)
    return folder


ONE = [
    ("pp_recursion", "invalid form"),
    ("active_to_passive", "right"),
    ("active_to_passive", "same meaning"),
    ("unacc_to_transitive", "right"),
]
OTHER = [
    ("pp_recursion", "right"),
    ("active_to_passive", "wrong role"),
    ("active_to_passive", "wrong role"),
    ("unacc_to_transitive", "right"),
]


def test_mean_and_spread_over_seeds_by_hand(tmp_path):
    make_run(tmp_path / "a", ONE)
    make_run(tmp_path / "b", OTHER, seed=1)
    make_run(tmp_path / "c", ONE, variant="lstm")
    rows = read_rows([tmp_path])
    assert [row.variant for row in rows] == ["transformer", "transformer", "lstm"]
    # Two values a and b have the standard deviation |a - b| / sqrt(2).
    assert case_table(rows) == [
        ["zero-shot by case, exact match", "1", "2"],
        ["active_to_passive", "25.0 ±35.4", "50.0"],
        ["unacc_to_transitive", "100.0 ±0.0", "100.0"],
        ["pp_recursion", "50.0 ±70.7", "0.0"],
        ["lexical cases", "50.0 ±23.6", "66.7"],
        ["structural cases", "50.0 ±70.7", "0.0"],
        ["all cases", "50.0 ±0.0", "50.0"],
        ["all cases, published", "35 ±6", "32 ±6"],
    ]
    assert case_legend(rows) == "1 transformer (2 seeds), 2 lstm (1 seed)"


def test_errors_of_form_and_of_meaning_are_told_apart(tmp_path):
    make_run(tmp_path / "a", ONE)
    make_run(tmp_path / "b", OTHER, seed=1)
    header, lexical, structural, together = error_table(read_rows([tmp_path]))
    assert header[2:] == ["exact match", "same meaning", "invalid form", "ends early", "wrong structure", "wrong role", "wrong index"]
    assert lexical == ["transformer", "lexical", "50.0", "66.7", "0.0", "0.0", "0.0", "33.3", "16.7"]
    assert structural == ["transformer", "structural", "50.0", "50.0", "50.0", "0.0", "0.0", "0.0", "0.0"]
    assert together == ["transformer", "all", "50.0", "62.5", "12.5", "0.0", "0.0", "25.0", "12.5"]


def test_the_report_has_both_tables_and_the_published_aggregate(tmp_path):
    folder = make_run(tmp_path / "a", ONE)
    rows = read_rows([tmp_path])
    text, markdown = table(rows), markdown_table(rows)
    assert max(map(len, text.splitlines())) <= 100
    assert "by number of parts" not in text
    for shown in (text, markdown):
        assert "before their correction of 2022" in shown
        assert "active_to_passive" in shown
    assert "| all cases, published | 35 ±6 |" in markdown
    assert "| wrong structure |" in markdown
    lines = text.splitlines()
    header = next(number for number, line in enumerate(lines) if line.startswith("what is wrong"))
    assert lines[header + 1].split() == ["match", "meaning", "form", "early", "structure", "role", "index"]
    assert "of 5 trials" in text
    assert "case    pp_recursion" in mistakes(folder, "zero_shot", 1)[0]


def test_a_single_case_is_one_line(tmp_path):
    make_run(tmp_path / "a", [("pp_recursion", "right")], task="pp_recursion")
    assert case_table(read_rows([tmp_path])) == [["zero-shot by case, exact match", "1"], ["pp_recursion", "100.0"]]


def test_published_aggregates():
    """From section 5.2 of Kim and Linzen."""
    assert paper_result("cogs", "zero_shot", "bidirectional_lstm", "all") == (16, 8)
    assert paper_result("cogs", "zero_shot", "sep_to_last", "all") is None
    assert paper_result("cogs", "zero_shot", "lstm", "pp_recursion") is None


def test_runs_of_other_domains_have_no_such_tables(tmp_path):
    row = dataclasses.replace(read_rows([make_run(tmp_path / "a", ONE).path])[0], evaluations={})
    assert case_table([row]) == error_table([row]) == []
    with pytest.raises(ValueError, match="is no run folder"):
        read_rows([tmp_path / "nothing"])
