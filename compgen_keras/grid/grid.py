"""A grid of experiments, as a TOML file says it."""

import re
import tomllib
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

from compgen_keras.errors import InputError, require_integer
from compgen_keras.experiments.run_folder import SETTINGS
from compgen_keras.grid.cell import Cell

_LISTS = ("benchmarks", "models", "seeds", "settings")


@dataclass(frozen=True)
class Grid:
    """Every benchmark with every model and every seed.

    Attributes:
        name: the grid's name.
        benchmarks: names of benchmarks.
        models: names of models.
        seeds: integers from 0.
        settings: what each cell is evaluated as, of `compgen_keras.experiments.run_folder.SETTINGS`.
        description: a line for people.
        size: `"classroom"`, `"paper"` or `"cogs"`.
        steps: optimizer steps; None: the size's recipe.
        batch_size: examples a batch; None: the size's recipe.
        precision: a Keras dtype policy.
        deterministic: have the backend use deterministic operations, so that a cell gives the same numbers each time.
        examples: how many of each setting.
        beams: width of a beam search beside greedy decoding; 1: none.
        processes: worker processes that draw a training's examples.
        options: the benchmarks', see `compgen_keras.benchmarks.load`.
        architecture: numbers of the models that replace the size's own, such as `{"dropout": 0.1}`.
    """

    name: str
    benchmarks: tuple[str, ...]
    models: tuple[str, ...]
    seeds: tuple[int, ...]
    settings: tuple[str, ...] = SETTINGS
    description: str = ""
    size: str = "classroom"
    steps: int | None = None
    batch_size: int | None = None
    precision: str = "float32"
    deterministic: bool = True
    examples: int = 1000
    beams: int = 1
    processes: int = 0
    options: dict = field(default_factory=dict)
    architecture: dict = field(default_factory=dict)

    @property
    def common(self) -> dict:
        """What all cells have in common and their results depend on."""
        names = ("size", "steps", "batch_size", "precision", "deterministic", "examples", "beams", "options")
        own = {"architecture": self.architecture} if self.architecture else {}
        return {**{name: getattr(self, name) for name in names}, **own, "settings": list(self.settings)}

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All cells in the order in which they are run: seed by seed, of each the benchmarks, of each the models."""
        combinations = ((b, v, s) for s in self.seeds for b in self.benchmarks for v in self.models)
        return tuple(Cell(benchmark, variant, seed, self.common) for benchmark, variant, seed in combinations)

    def check(self) -> None:
        """Raises a ValueError if one of the cells could not run."""
        from compgen_keras.experiments.run import check_training

        if not re.fullmatch(r"\w[\w.-]*", self.name):
            raise InputError(f"the grid's name is {self.name!r}; expected letters, digits, '-', '_' and '.', since a folder gets it.")
        for key in _LISTS:
            values = getattr(self, key)
            if not values:
                raise InputError(f"grid {self.name!r}: {key} is empty; expected at least one.")
            repeated = next((value for value in values if values.count(value) > 1), None)
            if repeated is not None:
                raise InputError(f"grid {self.name!r}: {key} has {repeated!r} twice; expected each once.")
        unknown = [setting for setting in self.settings if setting not in SETTINGS]
        if unknown:
            raise InputError(f"grid {self.name!r}: settings has {unknown[0]!r}; expected some of {', '.join(SETTINGS)}.")
        for key in ("examples", "beams"):
            require_integer(f"grid {self.name!r}: {key}", getattr(self, key), 1)
        for cell in self.cells:
            try:
                check_training(
                    cell.benchmark,
                    cell.variant,
                    self.size,
                    cell.seed,
                    self.steps,
                    self.batch_size,
                    self.precision,
                    self.processes,
                    0,
                    self.options,
                    architecture=self.architecture,
                )
            except ValueError as error:
                raise InputError(f"grid {self.name!r}: {error}") from None


def shipped_grids() -> tuple[str, ...]:
    """Names of the grids that come with the package.

    Example:

    >>> shipped_grids()
    ('cogs-classroom', 'robustfill-mini-classroom', 'robustfill-paper', 'scan-classroom', 'scan-paper')
    """
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in _shipped().iterdir() if entry.name.endswith(".toml")))


def find_grid_text(name_or_path) -> str:
    """The text of a grid: of one that comes with the package, of a TOML file, or of the folder of a grid that has begun.

    Args:
        name_or_path: a name of `shipped_grids`, or a path.

    Raises:
        ValueError: there is no such grid.
    """
    if str(name_or_path) in shipped_grids():
        return (_shipped() / f"{name_or_path}.toml").read_text(encoding="utf-8")
    path = Path(name_or_path)
    path = path / "grid.toml" if path.is_dir() else path
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{path} is no text; expected a grid in TOML.") from None
    except OSError:
        known = ", ".join(shipped_grids())
        raise InputError(f"there is no grid {str(name_or_path)!r}; expected one of {known}, or the path of a TOML file.") from None


def read_grid(text: str, where="the grid") -> Grid:
    """Reads a grid.

    Args:
        text: TOML, with the attributes of `Grid` as keys.
        where: what it is called in messages.

    Raises:
        ValueError: it is no TOML, lacks something, or has something that is no such key or of the wrong type.

    Example:

    >>> grid = read_grid('name = "mine"\\nbenchmarks = ["scan/iid"]\\nmodels = ["sep_to_last"]\\nseeds = [0, 1]')
    >>> [cell.name for cell in grid.cells]
    ['scan.iid.sep_to_last.seed_0', 'scan.iid.sep_to_last.seed_1']
    """
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{where} is no TOML: {error}.") from None
    types = {"name": str, "description": str, "size": str, "precision": str, "deterministic": bool, "options": dict, "architecture": dict}
    types |= dict.fromkeys(("steps", "batch_size", "examples", "beams", "processes"), int) | dict.fromkeys(_LISTS, list)
    for key, value in content.items():
        if key not in types:
            raise InputError(f"{where} has the key {key!r}; expected some of {', '.join(types)}.")
        if not isinstance(value, types[key]) or (types[key] is int and isinstance(value, bool)):
            raise InputError(f"{where}: {key} is {value!r}; expected {_KINDS[types[key]]}.")
    for key in _LISTS:
        of_list = int if key == "seeds" else str
        for value in content.get(key, ()):
            if not isinstance(value, of_list) or isinstance(value, bool):
                raise InputError(f"{where}: {key} has {value!r}; expected {_KINDS[of_list]} in each place.")
    missing = [key for key in ("name", "benchmarks", "models", "seeds") if key not in content]
    if missing:
        raise InputError(f"{where} has no {missing[0]!r}; expected at least name, benchmarks, models and seeds.")
    grid = Grid(**{key: tuple(value) if key in _LISTS else value for key, value in content.items()})
    grid.check()
    return grid


_KINDS = {str: "a string", bool: "true or false", int: "an integer", list: "a list", dict: "a table"}


def _shipped():
    return resources.files("compgen_keras.grid") / "grids"
