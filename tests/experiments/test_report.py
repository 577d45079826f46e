import json

import pytest

from compgen_keras.benchmarks import Example
from compgen_keras.evaluation import Evaluation
from compgen_keras.experiments import RunFolder, paper_result, read_rows, table
from compgen_keras.experiments.bar_chart import draw_task
from compgen_keras.experiments.markdown import markdown_table
from compgen_keras.experiments.mistakes import mistakes_text
from compgen_keras.experiments.run_folder import SETTINGS
from compgen_keras.experiments.written_report import write_report
from compgen_keras.files import write_json, write_picture, write_whole
from compgen_keras.models import VARIANTS

RIGHT = Example("run", (("RUN",),))
WRONG = Example("walk and run", (("WALK",), ("RUN",)))


def evaluation(correct, total):
    examples = (RIGHT,) * correct + (WRONG,) * (total - correct)
    predictions = (("RUN", "SEP"),) * correct + (("WALK", "SEP"),) * (total - correct)
    return Evaluation("scan/switch_concept_order", "test", 0, examples, predictions, (True,) * correct + (False,) * (total - correct))


def make_run(path, variant="sep_to_last", seed=0, task="scan/switch_concept_order"):
    folder = RunFolder.create(path)
    write_json(folder.config_path, {"benchmark": task, "variant": variant, "size": "classroom", "seed": seed})
    write_json(folder.training_path, {"steps": 4500, "seconds": 251.4, "history": {}})
    folder.write_evaluation("in_distribution", evaluation(99, 100))
    folder.write_evaluation("zero_shot", evaluation(8, 10))
    return folder


def test_figures_of_tables_1_and_2():
    """Read off the paper's tables."""
    assert paper_result("scan", "zero_shot", "sep_to_last", "compose_different_concepts") == (74.4, 9.3)
    assert paper_result("scan", "zero_shot", "transformer", "length_generalization") == (26.9, 0.7)
    assert paper_result("scan", "few_shot", "sep_full_attention", "add_operation_functionality") == (99.8, 0.1)
    assert paper_result("scan", "few_shot", "relative_attention", "switch_concept_order") == (54.2, 4.5)
    assert paper_result("robustfill", "few_shot", "sep_to_last", "compose_different_concepts") == (92.4, 0.5)
    assert paper_result("scan", "zero_shot", "sep_to_last", "iid") is None


def test_the_table_holds_our_figures_and_the_papers(tmp_path):
    make_run(tmp_path / "b")
    make_run(tmp_path / "a", variant="relative_attention")
    text = table(read_rows([tmp_path]))
    lines = text.splitlines()
    assert lines[0] == "scan/switch_concept_order"
    row = next(line for line in lines if line.startswith("sep_to_last"))
    assert row.split("  ")[0] == "sep_to_last"
    assert "99.0 ±4.4" in row
    assert "80.0 ±31.0" in row
    assert "17.5 ±8.8" in row
    order = [line.split()[0] for line in lines if line.startswith(("sep_to_last", "relative_attention"))]
    assert order[:2] == ["relative_attention", "sep_to_last"], "the order of the paper's tables"
    assert max(map(len, lines)) <= 100
    by_parts = next(line for line in lines if line.startswith("sep_to_last") and "zero-shot" in line)
    assert by_parts.split()[-2:] == ["100", "0"]


def test_the_table_fits_100_columns_whatever_it_holds(tmp_path):
    for number, variant in enumerate(VARIANTS):
        for seed in (0, 1):
            folder = make_run(tmp_path / f"{number}-{seed}", variant=variant, seed=seed)
            for setting in SETTINGS:
                folder.write_evaluation(setting, evaluation(1000, 1000))
    assert max(map(len, table(read_rows([tmp_path])).splitlines())) <= 100


def test_markdown_has_costs_and_seed(tmp_path):
    make_run(tmp_path / "run", seed=3)
    line = markdown_table(read_rows([tmp_path / "run"])).splitlines()[2]
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    assert cells[0] == "`scan/switch_concept_order`"
    assert cells[-3:] == ["4,500", "251", "3"]
    assert "–" in cells, "what was not evaluated is a dash"


def test_report_files(tmp_path, capsys):
    make_run(tmp_path / "run")
    write_report([tmp_path / "run"], tmp_path / "out", mistakes=1)
    printed = capsys.readouterr().out
    assert "x part  2  true       RUN" in printed
    assert (tmp_path / "out" / "report.png").read_bytes().startswith(b"\x89PNG")
    (row,) = json.loads((tmp_path / "out" / "report.json").read_text())
    assert row["evaluations"]["zero_shot"]["correct"] == 8
    assert row["paper_percent"]["zero_shot"] == {"mean": 17.5, "std": 8.8}
    for name in ("report.txt", "report.md", "report.json", "report.png"):
        assert str(tmp_path / "out" / name) in printed


def test_beams_and_the_papers_silence_on_them_are_in_every_form_of_the_report(tmp_path, capsys):
    folder = make_run(tmp_path / "run", task="robustfill/switch_concept_order")
    folder.write_evaluation(
        "zero_shot", evaluation(8, 10), beam_search={"beams": 10, "correct": 9, "accuracy": 0.9, "interval_95": [0.6, 0.98]}
    )
    write_report([tmp_path / "run"], tmp_path / "out", mistakes=0)
    note = "The paper does not say whether its RobustFill figures are of one beam or of ten."
    text, markdown = ((tmp_path / "out" / name).read_text() for name in ("report.txt", "report.md"))
    assert note in text
    assert markdown.endswith(f"\n\n{note}\n")
    assert "80.0 [49.0, 94.3] (90.0 any of 10)" in markdown
    (row,) = json.loads((tmp_path / "out" / "report.json").read_text())
    assert row["paper_note"] == note
    assert row["evaluations"]["zero_shot"]["beam_search"]["accuracy"] == 0.9


def test_the_chart_has_each_label_once_and_the_beams(tmp_path):
    from matplotlib.figure import Figure

    for variant in ("sep_to_last", "relative_attention"):
        folder = make_run(tmp_path / variant, variant=variant, task="robustfill/switch_concept_order")
        folder.write_evaluation("zero_shot", evaluation(8, 10), beam_search={"beams": 10, "accuracy": 0.9})
    panel = Figure().subplots()
    draw_task(panel, "robustfill/switch_concept_order", read_rows([tmp_path]))
    labels = [text.get_text() for text in panel.get_legend().get_texts()]
    assert labels == ["relative_attention", "sep_to_last", "(any of 10 beams)", "paper, mean ±std"]
    dashed = [bar for bar in panel.patches if bar.get_linestyle() == "--"]
    assert [(bar.get_y(), bar.get_y() + bar.get_height()) for bar in dashed] == [(80, 90)] * 2
    assert "80.0\n(90.0)" in [text.get_text() for text in panel.texts]


def test_missing_or_damaged_predictions_are_said_to_be(tmp_path):
    folder = make_run(tmp_path / "run")
    path = tmp_path / "run" / "predictions" / "zero_shot.jsonl"
    path.write_text('{"spec": ')
    with pytest.raises(ValueError, match=r"zero_shot\.jsonl cannot be read"):
        mistakes_text(folder, 3)
    path.unlink()
    with pytest.raises(ValueError, match=r"zero_shot\.jsonl cannot be read"):
        mistakes_text(folder, 3)


@pytest.mark.parametrize(
    "config",
    [
        [],
        {},
        {"benchmark": "scan/iid"},
        {"benchmark": "scan", "variant": "sep_to_last", "size": "classroom", "seed": 0},
        {"benchmark": "scan/iid", "variant": "foo", "size": "classroom", "seed": 0},
    ],
)
def test_damaged_configs_are_value_errors(tmp_path, config):
    (tmp_path / "config.json").write_text(json.dumps(config))
    with pytest.raises(ValueError):
        read_rows([tmp_path])


def test_a_run_given_twice_is_one_row(tmp_path):
    make_run(tmp_path / "run")
    assert len(read_rows([tmp_path / "run", tmp_path])) == 1


def test_pictures_are_png(tmp_path):
    with pytest.raises(ValueError, match=r"expected a name that ends in \.png"):
        write_picture(tmp_path / "picture", None)
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(ValueError, match="is a folder"):
        write_picture(tmp_path / "folder.png", None)


def test_mistakes_of_a_perfect_run(tmp_path):
    folder = make_run(tmp_path / "run")
    folder.write_evaluation("zero_shot", evaluation(5, 5))
    assert "none among the evaluated examples" in mistakes_text(folder, 3)


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    path = tmp_path / "value.json"
    write_json(path, {"a": 1})

    def fail(temporary):
        temporary.write_text("half")
        raise RuntimeError("stopped")

    with pytest.raises(RuntimeError):
        write_whole(path, fail)
    assert json.loads(path.read_text()) == {"a": 1}
    assert list(tmp_path.iterdir()) == [path]


def test_run_folders_that_are_none(tmp_path):
    with pytest.raises(ValueError, match="is no run folder"):
        RunFolder.open(tmp_path)
    (tmp_path / "file").write_text("x")
    with pytest.raises(ValueError, match="exists already"):
        RunFolder.create(tmp_path / "file")
    with pytest.raises(ValueError, match="exists already"):
        RunFolder.create(tmp_path)
    (tmp_path / "stopped").mkdir()
    (tmp_path / "stopped" / "config.json").write_text("{}")
    with pytest.raises(ValueError, match="holds a training that was not finished"):
        RunFolder.create(tmp_path / "stopped")
    with pytest.raises(ValueError, match="cannot be made"):
        RunFolder.create(tmp_path / "file" / "run")
