"""Grids as TOML says them."""

import pytest

from compgen_keras.experiments.paper import paper_result
from compgen_keras.grid import GridFolder, find_grid_text, read_grid, shipped_grids
from compgen_keras.models import VARIANTS
from tests.grid import fabricated


@pytest.mark.parametrize("name", shipped_grids())
def test_the_grids_of_the_package_are_in_order(name):
    grid = read_grid(find_grid_text(name))
    assert grid.name == name
    assert set(VARIANTS) <= set(grid.models)
    assert len(grid.cells) == len(grid.benchmarks) * len(grid.models) * len(grid.seeds)
    assert len({cell.name for cell in grid.cells}) == len(grid.cells)


@pytest.mark.parametrize("name", ["scan-classroom", "scan-paper", "robustfill-paper"])
def test_grids_of_the_papers_tables_have_every_cell_of_them(name):
    cells = read_grid(find_grid_text(name)).cells
    assert len(cells) == 7 * 7 * 3
    for cell in cells:
        domain, task = cell.benchmark.split("/")
        assert paper_result(domain, "zero_shot", cell.variant, task)


def test_cells_come_seed_by_seed():
    cells = read_grid(fabricated.GRID).cells
    assert [cell.seed for cell in cells] == [0] * 4 + [1] * 4 + [2] * 4
    assert [cell.benchmark.split("/")[1] for cell in cells[:4]] == ["compose_different_concepts"] * 2 + ["length_generalization"] * 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('name = "small"', ""), "has no 'name'"),
        (("examples = 10", "architecture = { layers = 1 }"), "has 'layers'; expected some of num_layers"),
        (("examples = 10", "architecture = { dropout = 1.5 }"), "dropout is 1.5"),
        (("examples = 10", "architecture = { embedding_dim = 10 }"), "embedding_dim is 10; expected a multiple of the 4 heads"),
        (('"small"', '"../small"'), "name is '../small'"),
        (("seeds = [0, 1, 2]", "seeds = [0, 0]"), "seeds has 0 twice"),
        (("seeds = [0, 1, 2]", "seeds = [true]"), "seeds has True; expected an integer"),
        (("seeds = [0, 1, 2]", "seeds = []"), "seeds is empty"),
        (("seeds = [0, 1, 2]", "seeds = [-1]"), "seed is -1"),
        (("seeds = [0, 1, 2]", "seeds = 0"), "seeds is 0; expected a list"),
        (("sep_to_last", "sep_to_first"), "sep_to_first"),
        (("scan/length_generalization", "scan/width_generalization"), "width_generalization"),
        (('["zero_shot"]', '["zero"]'), "settings has 'zero'"),
        (("examples = 10", "examples = 0"), "examples is 0"),
        (("examples = 10", 'examples = "all"'), "examples is 'all'; expected an integer"),
        (("examples = 10", "exmples = 10"), "key 'exmples'"),
        (("examples = 10", "examples = "), "is no TOML"),
        (("examples = 10", 'precision = "float8"'), "precision is 'float8'"),
    ],
)
def test_bad_grids_are_named(change, message):
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        read_grid(fabricated.GRID.replace(*change))


def test_an_unknown_grid_is_answered_with_those_there_are(tmp_path):
    with pytest.raises(ValueError, match="there is no grid 'scan-classrom'; expected one of cogs-classroom"):
        find_grid_text("scan-classrom")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match="is no text"):
        find_grid_text(tmp_path / "binary.toml")


def test_a_folder_keeps_its_grid(tmp_path):
    first = fabricated.folder(tmp_path / "grid")
    assert GridFolder.create(tmp_path / "grid", fabricated.GRID + "\n# a comment").grid == first.grid
    with pytest.raises(ValueError, match="is another grid than the one given"):
        GridFolder.create(tmp_path / "grid", fabricated.GRID.replace("[0, 1, 2]", "[0]"))
    with pytest.raises(ValueError, match=r"has no grid\.toml"):
        GridFolder.open(tmp_path)
