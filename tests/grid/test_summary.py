"""Means, deviations, orders and tests of fabricated results, worked out by hand."""

import json
import re

import numpy as np
import pytest

from compgen_keras.grid.differences import difference_table
from compgen_keras.grid.report import write_report
from compgen_keras.grid.significance import compare_on_examples, compare_over_seeds, holm
from compgen_keras.grid.summary import ordering, summarise
from tests.grid import fabricated

CONCEPTS = "scan/compose_different_concepts"


@pytest.fixture
def folder(tmp_path):
    return fabricated.folder(tmp_path / "grid")


def test_means_deviations_and_the_papers_figures(folder):
    for seed, right in ((0, 4), (1, 6), (2, 8)):
        fabricated.write_result(folder, fabricated.cell(folder, seed=seed), fabricated.first(right))
    fabricated.write_result(folder, fabricated.cell(folder, variant="relative_attention"), fabricated.first(3))
    summary = summarise(folder)
    of_concepts = summary["accuracy"]["zero_shot"][CONCEPTS]
    ours = of_concepts["sep_to_last"]
    assert (ours["seeds"], ours["percent"]) == ([0, 1, 2], [40.0, 60.0, 80.0])
    assert (ours["mean"], ours["std"]) == (pytest.approx(60.0), pytest.approx(20.0))
    assert ours["paper"] == {"mean": 74.4, "std": 9.3}
    assert ours["difference"] == pytest.approx(-14.4)
    assert of_concepts["relative_attention"]["std"] is None
    assert summary["by_parts"]["zero_shot"][CONCEPTS]["sep_to_last"] == {"2": {"correct": 18, "examples": 30}}
    assert (summary["cells"]["done"], summary["cells"]["total"], len(summary["cells"]["missing"])) == (4, 12, 8)
    assert list(summary["accuracy"]["zero_shot"]) == [CONCEPTS]


def test_mcnemar_on_the_same_examples_and_not_on_others(folder):
    two = [fabricated.cell(folder, variant=variant) for variant in folder.grid.models]
    # Six examples that only the second solves, one that only the first does: p = 2 (1 + 7) / 2^7.
    first = fabricated.write_result(folder, two[0], [1, 0, 0, 0, 0, 0, 0, 1, 0, 1])
    second = fabricated.write_result(folder, two[1], [0, 1, 1, 1, 1, 1, 1, 1, 0, 1])
    [pair] = compare_on_examples({"a": first, "b": second}, "zero_shot")
    assert (pair["only_first"], pair["only_second"]) == (1, 6)
    assert pair["p"] == pair["p_holm"] == pytest.approx(0.125)
    other = fabricated.write_result(folder, two[1], [0] * 10, specs="others")
    assert compare_on_examples({"a": first, "b": other}, "zero_shot") == []


def test_holm_by_hand():
    assert holm([0.04, 0.01, 0.02, 0.9]) == pytest.approx([0.08, 0.04, 0.06, 0.9])
    assert holm([]) == []
    assert holm([0.6, 0.7]) == pytest.approx([1.0, 1.0])


def test_the_t_test_over_seeds_has_two_degrees_of_freedom(folder):
    for seed, (one, other) in enumerate(((4, 3), (6, 4), (8, 5))):
        fabricated.write_result(folder, fabricated.cell(folder, seed=seed), fabricated.first(one))
        fabricated.write_result(folder, fabricated.cell(folder, variant="relative_attention", seed=seed), fabricated.first(other))
    [pair] = summarise(folder)["over_seeds"]["zero_shot"][CONCEPTS]
    assert pair["models"] == ["relative_attention", "sep_to_last"]
    assert (pair["mean"], pair["std"]) == (pytest.approx(-20.0), pytest.approx(10.0))
    # t = -20 / (10 / sqrt 3); for two degrees of freedom p = 1 - |t| / sqrt(2 + t^2).
    t = 20 / (10 / np.sqrt(3))
    assert pair["p"] == pytest.approx(1 - t / np.sqrt(2 + t**2))


def test_order_of_models():
    def models(*pairs, spread=1.0):
        return {str(i): {"mean": ours, "paper": {"mean": theirs, "std": spread}} for i, (ours, theirs) in enumerate(pairs)}

    assert ordering(models((1, 10), (2, 20), (3, 30)))["kendall_tau"] == pytest.approx(1)
    assert ordering(models((3, 10), (2, 20), (1, 30)))["kendall_tau"] == pytest.approx(-1)
    within_spread = ordering(models((1, 10), (2, 20), (3, 30), spread=7.0))
    assert (within_spread["clear_pairs"], within_spread["clear_pairs_alike"]) == (1, 1)
    assert ordering(models((1, 10), (1, 20)))["kendall_tau"] is None
    assert ordering(models((1, 10))) is None


def test_a_report_of_a_part_says_what_is_missing(folder):
    for variant, right in (("relative_attention", 0), ("sep_to_last", 9)):
        fabricated.write_result(folder, fabricated.cell(folder, variant=variant), fabricated.first(right))
    failed = fabricated.cell(folder, "scan/length_generalization")
    folder.write_failure(failed, "ValueError: as an example")
    write_report(folder, command="compgen-keras grid run here")
    text = (folder.path / "report" / "report.md").read_text()
    assert "**2 of 12 cells are done.**" in text
    assert "compgen-keras grid run here" in text
    assert f"`{failed.name}`: ValueError: as an example" in text
    assert "| 90.0<br>paper 74.4 ± 9.3<br>+15.6" in text
    assert "| not run" in text
    assert re.search(r"failed +\|", text)
    # 9 to 0 discordant examples: p = 2 / 2^9, significant.
    assert "-90.0*" in text
    assert "+90.0*" in text
    content = json.loads((folder.path / "report" / "report.json").read_text())
    assert failed.name in content["cells"]["failed"]
    assert len(content["cells"]["missing"]) == 9
    assert (folder.path / "report" / "zero_shot.png").stat().st_size > 10_000


def test_equal_differences_are_no_test(folder):
    # 38 - 33 = 55 - 50 = 54 - 49, in examples; in percent the last binary digits differ.
    percent = {"a": {0: 38.0, 1: 55.00000000000001, 2: 54.0}, "b": {0: 33.0, 1: 50.0, 2: 49.0}}
    [pair] = compare_over_seeds(percent)
    assert (pair["std"], pair["p"]) == (0.0, None)


def _first_less_second(folder):
    row = difference_table(summarise(folder), "zero_shot", CONCEPTS).splitlines()[2]
    return row.split("|")[-2].strip()


def test_a_star_needs_every_seed_in_the_same_direction(folder):
    """Nine examples to none are significant by themselves: p = 2 / 2^9."""
    first, second = folder.grid.models
    for variant, right in ((first, 0), (second, 9)):
        fabricated.write_result(folder, fabricated.cell(folder, variant=variant), fabricated.first(right))
    assert _first_less_second(folder) == "-90.0*"
    # A second seed of one model alone: the star was for seeds that both have.
    fabricated.write_result(folder, fabricated.cell(folder, variant=second, seed=1), fabricated.first(1))
    assert _first_less_second(folder) == "-90.0"
    # As significant, the other way round.
    fabricated.write_result(folder, fabricated.cell(folder, variant=first, seed=1), fabricated.first(10))
    assert _first_less_second(folder) == "+0.0"
    fabricated.write_result(folder, fabricated.cell(folder, variant=first, seed=1), fabricated.first(1))
    fabricated.write_result(folder, fabricated.cell(folder, variant=second, seed=1), fabricated.first(10))
    assert _first_less_second(folder) == "-90.0*"
