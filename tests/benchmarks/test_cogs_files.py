"""COGS's own files: read as they are, trained and measured on in their order, and named line by line where they are malformed."""

import itertools
import lzma
import pickle
from pathlib import Path

import pytest

import compgen_keras as cg
from compgen_keras.benchmarks.cogs import logical_form, read_corpus, read_tsv

PUBLISHED = Path(__file__).parent / "published" / "cogs_train.tsv.xz"


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    path = tmp_path_factory.mktemp("cogs") / "train.tsv"
    path.write_bytes(lzma.decompress(PUBLISHED.read_bytes()))
    return path


def row(sentence, kind):
    return f"{sentence}\t{logical_form(sentence)}\t{kind}\n"


CASES = ("pp_recursion", "active_to_passive")


@pytest.fixture
def folder(tmp_path):
    """Four small files."""
    (tmp_path / "train.tsv").write_text(
        row("Emma slept .", "in_distribution") + row("A cat slept .", "in_distribution") + row("shark", "primitive")
    )
    (tmp_path / "dev.tsv").write_text(row("The cat slept .", "in_distribution") * 2)
    (tmp_path / "test.tsv").write_text(row("A girl smiled .", "in_distribution") * 2)
    (tmp_path / "gen.tsv").write_text(
        "".join(row(f"A {noun} was blessed .", CASES[place % 2]) for place, noun in enumerate(("rose", "cake", "box")))
    )
    return tmp_path


def test_the_published_file_is_read_as_it_is(published):
    examples = read_tsv(published)
    lines = published.read_text().splitlines()
    assert len(examples) == len(lines) == 24_155
    for example, line in zip(examples, lines, strict=True):
        assert "\t".join((example.spec, " ".join(example.program), example.case)) == line


def test_a_benchmark_of_files_trains_and_measures_on_them_in_their_order(folder):
    bench = cg.benchmarks.load("cogs/all", folder=folder)
    train = list(itertools.islice(bench.examples("train"), 6))
    assert (
        sorted(example.spec for example in train[:3])
        == sorted(example.spec for example in train[3:])
        == ["A cat slept .", "Emma slept .", "shark"]
    )
    assert [example.spec for example in bench.examples("valid", seed=0)] == ["The cat slept ."] * 2
    assert [example.spec for example in bench.examples("valid", seed=2)] == ["A girl smiled ."] * 2
    tested = list(bench.examples("test"))
    assert [example.spec for example in tested] == ["A rose was blessed .", "A cake was blessed .", "A box was blessed ."]
    assert [example.case for example in tested] == ["pp_recursion", "active_to_passive", "pp_recursion"]
    one_case = cg.benchmarks.load("cogs/active_to_passive", folder=folder)
    assert [example.spec for example in one_case.examples("test")] == ["A cake was blessed ."]
    specs, programs = bench.token_ids("train", 0, 0, 3, True)
    assert [len(example.spec.split()) for example in train[:3]] == specs.lengths.tolist()
    assert [len(example.program) + len(example.parts) for example in train[:3]] == programs.lengths.tolist()


def test_what_is_not_in_the_files_is_generated_without_their_sentences(folder):
    drawn = cg.benchmarks.load("cogs/active_to_passive")
    first = next(drawn.examples("test", seed=1))
    (folder / "gen.tsv").write_text(row(first.spec, "active_to_passive"))
    bench = cg.benchmarks.load("cogs/active_to_passive", folder=folder)
    assert first not in list(itertools.islice(bench.examples("test", seed=1), 50))
    assert len(list(bench.examples("few_shot"))) == 40
    beyond = list(itertools.islice(bench.examples("test", endless=True), 5))
    assert beyond[0].spec == first.spec
    assert {example.case for example in beyond} == {"active_to_passive"}
    again = pickle.loads(pickle.dumps(bench))
    assert list(itertools.islice(again.examples("test", endless=True), 5)) == beyond


def test_a_url_is_fetched_and_kept(folder, monkeypatch, tmp_path):
    monkeypatch.setenv("KERAS_HOME", str(tmp_path / "kept"))
    url = (folder / "dev.tsv").as_uri()
    assert read_tsv(url) == read_tsv(folder / "dev.tsv")
    assert read_corpus(folder.as_uri()).dev == read_corpus(folder).dev
    with pytest.raises(ValueError, match=r"nothing\.tsv cannot be fetched"):
        read_tsv((folder / "nothing.tsv").as_uri())


GOOD = row("Emma slept .", "in_distribution")


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "is empty; expected lines of sentence, logical form, kind, separated by tabs"),
        (GOOD.encode() + b"Emma slept .\n", "line 2 of .* has 1 columns; expected 3"),
        (GOOD.encode() + b"\n" + GOOD.encode(), "line 2 of .* has 1 columns; expected 3"),
        (b"Emma slept .\t\tin_distribution\n", "line 1 of .* has an empty logical form"),
        (b"Emma flew .\tsleep . agent ( x _ 1 , Emma )\tx\n", "line 1 of .*: token 2 of the sentence is 'flew', which COGS does not have"),
        (b"Emma slept .\tsleep . agent ( x _ 99 , Emma )\tx\n", "line 1 of .*: token 7 of the logical form is '99'"),
        (b"Emma slept .\tsleep . agent ( x _ 1 , Emma\tx\n", "line 1 of .*: 'sleep . agent .*' is no logical form; expected one such as"),
        (
            GOOD.encode() + b"Emma slept\tsleep . agent ( x _ 1 , Emma )\tx\n",
            "line 2 of .*: the sentence ends with 'slept'; expected a full",
        ),
        (
            b"Emma . slept .\tsleep . agent ( x _ 2 , Emma )\tx\n",
            "line 1 of .*: word 2 of the sentence is a full stop; expected one at the",
        ),
        (b".\tEmma\tx\n", "line 1 of .*: the sentence is '.' alone, which has no form of its own"),
        (b"slept\tEmma\tx\n", "line 1 of .*: the sentence is 'slept' alone, which has no form of its own"),
        (b"Emma slept .\tsleep . agent ( x _ 4 , Emma )\tx\n", "line 1 of .*: the logical form has index 4; expected at most 2"),
        (GOOD.encode() + b"Emma slept .\tsleep . agent ( x _ 1 , Emma )\t \n", "line 2 of .* has an empty kind"),
        (b"Emma \xff\n", r"is no text in UTF-8 \(byte 5\)"),
    ],
)
def test_malformed_files_are_named_with_their_lines(tmp_path, content, complaint):
    path = tmp_path / "bad.tsv"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=complaint) as caught:
        read_tsv(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_windows_line_ends_are_no_part_of_the_kind(tmp_path):
    (tmp_path / "file.tsv").write_bytes(GOOD.replace("\n", "\r\n").encode())
    assert read_tsv(tmp_path / "file.tsv")[0].case == "in_distribution"


def test_a_byte_order_mark_is_no_part_of_the_first_word(tmp_path):
    (tmp_path / "file.tsv").write_bytes(b"\xef\xbb\xbf" + GOOD.encode())
    assert read_tsv(tmp_path / "file.tsv")[0].spec == "Emma slept ."


@pytest.mark.parametrize("source", [None, 5, b"train.tsv", False, ["train.tsv"], "tr\0ain.tsv"])
def test_what_is_no_path(source):
    with pytest.raises(ValueError, match="expected a path or a URL"):
        read_tsv(source)
    with pytest.raises(ValueError, match="expected a path or a URL"):
        read_corpus(source)
    if source is not None:
        with pytest.raises(ValueError, match="expected a path or a URL"):
            cg.benchmarks.load("cogs/all", folder=source)


def test_longer_sentences_than_the_cases_have_room(folder):
    sentence = "Emma said that " * 20 + "Emma ate the cake ."
    (folder / "gen.tsv").write_text(row(sentence, "cp_recursion"))
    bench = cg.benchmarks.load("cogs/cp_recursion", folder=folder)
    (example,) = bench.examples("test")
    assert bench.max_spec_length == len(sentence.split()) == 65
    assert bench.max_program_length >= len(example.program) + len(example.parts) + 1


def test_folders_that_will_not_do(folder):
    with pytest.raises(ValueError, match="has no sentence of unacc_to_transitive; expected the case in the third column"):
        cg.benchmarks.load("cogs/unacc_to_transitive", folder=folder)
    with pytest.raises(ValueError, match=r"train_100\.tsv cannot be read: No such file"):
        cg.benchmarks.load("cogs/all", folder=folder, exposures=100)
    with pytest.raises(ValueError, match="exposures is 7; expected 1 or 100"):
        read_corpus(folder, exposures=7)
    with pytest.raises(ValueError, match=r"cannot be read"):
        cg.benchmarks.load("cogs/all", folder=folder / "nowhere")
