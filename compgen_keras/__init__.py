"""Compositional generalization in neural program synthesis: benchmarks, models, measurements and lessons on Keras."""

import importlib

__version__ = "0.1.0"

_ROOMS = (
    "benchmarks",
    "data",
    "diagnostics",
    "evaluation",
    "experiments",
    "grid",
    "layers",
    "models",
    "splits",
    "swap_test",
    "training",
    "worlds",
)

__all__ = [*_ROOMS, "__version__"]


def __getattr__(name):
    """Imports a subpackage on first use, so that `import compgen_keras` alone loads no backend."""
    if name in _ROOMS:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted(__all__)
