"""What the report says of splits whose flaws are known because they were planted."""

import itertools
import json

import numpy as np
import pytest

from compgen_keras import benchmarks
from compgen_keras.experiments.split_report_files import write_split_report, write_split_reports
from compgen_keras.splits import MEANINGS, divergence, report_text, split_report, summary_table
from tests.splits.planted import COLOURS, DIAGONAL, EVERY, FAIR, SHAPES, Planted


def report_of(examples=600, **changes):
    return split_report(Planted(**{**FAIR, **changes}), examples=examples)


def finding(report, code):
    return next(each for each in report.findings if each.code == code)


def test_a_clean_split_has_no_finding():
    report = report_of()
    assert report.codes == ()
    assert {each.compound for each in report.absent} == set(DIAGONAL)
    assert report.present == ()
    assert report.split.new == report.grid.tested == 1
    assert report.split.same_spec == 0 < report.control.same_spec
    assert report.split.compound_divergence == 1
    assert report.control.compound_divergence < 0.01


def test_counts_are_those_of_a_slow_count():
    report = report_of(examples=50, test=EVERY, test_parts=3)
    bench = Planted(**{**FAIR, "test": EVERY, "test_parts": 3})
    train, test = ([things for e in itertools.islice(bench.examples(side), 50) for things in e.parts] for side in ("train", "test"))
    for each in report.atoms:
        assert each.train == sum(thing.count(each.atom) for thing in train)
        assert each.test == sum(thing.count(each.atom) for thing in test)
        assert each.combinations == len({thing for thing in train if each.atom in thing})
        assert each.new_combinations == len({thing for thing in test if each.atom in thing} - set(train))
    for (row, colour), (column, shape) in itertools.product(enumerate(COLOURS), enumerate(SHAPES)):
        assert report.grid.train[row, column] == train.count((colour, shape))
        assert report.grid.test[row, column] == test.count((colour, shape))
    examples = [set(e.parts) for e in itertools.islice(bench.examples("test"), 50)]
    assert {each.compound: each.test for each in report.compounds} == {t: sum(t in e for e in examples) for t in set(test)}
    assert report.split.new == np.mean([bool(e - set(train)) for e in examples])
    atoms = [{word: sum(thing.count(word) for thing in side) for word in (*COLOURS, *SHAPES)} for side in (train, test)]
    assert report.split.atom_divergence == pytest.approx(divergence(*atoms, alpha=0.5), abs=1e-12)


def test_primitive_missing():
    report = report_of(train=[thing for thing in FAIR["train"] if "red" not in thing])
    assert finding(report, "primitive-missing").numbers == {"red": next(a.test for a in report.atoms if a.atom == "red")}
    assert "1 primitive of the test never occurs in 600 training examples: red" in str(finding(report, "primitive-missing"))
    assert "value-missing" not in report.codes, "red is reported once, as a primitive"


def test_primitive_in_one_combination():
    report = report_of(train=[thing for thing in FAIR["train"] if "red" not in thing] + [("red", "star")])
    assert finding(report, "primitive-in-one-combination").numbers == {"red": 1}
    assert "primitive-missing" not in report.codes


def test_a_primitive_that_never_combines_otherwise_is_no_finding():
    pair = [("red", "cross")]
    rest = [thing for thing in FAIR["train"] if "red" not in thing]
    report = report_of(train=rest + pair, test=[*DIAGONAL[1:], *pair], held_out=DIAGONAL[1:])
    assert "primitive-in-one-combination" not in report.codes


def test_low_support():
    rare = [("red", shape) for shape in SHAPES[:3]]
    report = report_of(train=[thing for thing in FAIR["train"] if "red" not in thing] * 40 + rare)
    count = next(each.train for each in report.atoms if each.atom == "red")
    assert 0 < count < 20
    assert finding(report, "low-support").numbers == {"red": count}


def test_value_missing():
    """A factor that is no primitive: the third place is filled in the test only."""
    report = split_report(Planted(**{**FAIR, "test_parts": 3}), 600, factors=("colour", "position"))
    assert list(finding(report, "value-missing").numbers) == ["position 2"]


def test_combination_leaked():
    leak = DIAGONAL[0]
    report = report_of(train=[*FAIR["train"] * 20, leak])
    train = itertools.islice(Planted(**{**FAIR, "train": [*FAIR["train"] * 20, leak]}).examples("train"), 600)
    assert finding(report, "combination-leaked").numbers == {"red × cross": sum(e.parts.count(leak) for e in train)}
    assert leak in {each.compound for each in report.present}


def test_held_out_untested():
    report = report_of(test=DIAGONAL[:3])
    assert finding(report, "held-out-untested").numbers == {" × ".join(DIAGONAL[3]): 0}


def test_overlap_and_nothing_new():
    report = report_of(train=EVERY, test=EVERY, held_out=(), train_parts=1, test_parts=1)
    assert report.codes == ("overlap", "nothing-new")
    assert finding(report, "overlap").numbers == {"split": 1.0, "iid": 1.0}
    assert report.split.same_program == 1.0


def test_parts_differ():
    report = report_of(train_parts=2, test_parts=3)
    assert report.codes == ("parts-differ",)
    assert finding(report, "parts-differ").numbers == {"total_variation": 1.0}
    assert report.parts == {2: (600, 0), 3: (0, 600)}


def test_held_out_cells_of_the_user():
    report = split_report(Planted(**FAIR), 600, held_out=[("red", "square")])
    assert set(report.codes) == {"combination-leaked", "held-out-untested"}
    assert report.grid.tested == 0


def test_bound_of_a_stream_and_of_a_whole_training_set():
    assert report_of(examples=600).bound == 3 / 600
    whole = report_of(examples=600, size=100)
    assert whole.complete
    assert whole.bound == 0
    assert whole.train_examples == 100
    assert not report_of(examples=600, size=601).complete


def test_control_is_an_iid_split():
    """Of things drawn from two disjoint sets the control has half its test from each, so that next to nothing is new in it."""
    report = report_of()
    assert report.control.new < 0.01
    assert report.control.atom_divergence < report.split.atom_divergence + 0.01
    assert report.control == report_of().control


def test_written_files(tmp_path, capsys):
    (report,) = write_split_reports([Planted(**FAIR)], tmp_path, examples=200)
    folder = tmp_path / "planted" / "scenes"
    assert {path.name for path in folder.iterdir()} == {"report.md", "report.json", "combinations.tsv", "grid.png"}
    kept = json.loads((folder / "report.json").read_text())
    assert kept["split"]["new"] == 1
    assert kept["grid"]["train"] == report.grid.train.tolist()
    lines = (folder / "combinations.tsv").read_text().splitlines()
    assert len(lines) == 1 + len(report.compounds)
    assert lines[1].split("\t")[1] == "0"
    assert (folder / "grid.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "summary.md").read_text() == summary_table([report]) + "\n"
    assert str(tmp_path / "summary.md") in capsys.readouterr().out


def test_text_names_findings_and_bound():
    text = report_text(report_of(train_parts=3))
    assert "**parts-differ**" in text
    assert MEANINGS["parts-differ"] in text
    assert "3/n = 0.5%" in text
    assert "None: every primitive" in report_text(report_of())


def test_a_grid_of_a_large_table_is_drawn(tmp_path):
    report = split_report(benchmarks.load("cogs/subj_to_obj_common"), examples=300)
    write_split_report(report, tmp_path)
    assert len(report.grid.rows) > 24
    assert (tmp_path / "grid.png").exists()


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"examples": 0}, "examples is 0"),
        ({"examples": 1.5}, "examples is 1.5"),
        ({"seed": -1}, "seed is -1"),
        ({"factors": ("colour", "size")}, "expected two of: colour, shape, position"),
        ({"factors": "colour"}, "expected two different ones"),
        ({"factors": ("colour",)}, "expected two different ones"),
        ({"held_out": ["red"]}, "no cell"),
        ({"held_out": [("red", "sqare")]}, "sqare"),
    ],
)
def test_bad_input(options, what):
    with pytest.raises(ValueError, match=what):
        split_report(Planted(**FAIR), **{"examples": 50, **options})


def test_no_benchmark():
    with pytest.raises(ValueError, match="a benchmark is expected"):
        split_report("scan/iid")
