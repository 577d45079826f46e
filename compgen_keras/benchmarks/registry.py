"""Benchmarks by name."""

import inspect
from collections.abc import Callable, Iterable

from compgen_keras.benchmarks.benchmark import Benchmark
from compgen_keras.errors import InputError

_DOMAINS: dict[str, tuple[Callable[..., Benchmark], tuple[str, ...]]] = {}


def register(domain: str, factory: Callable[..., Benchmark], tasks: Iterable[str]) -> None:
    """Makes a domain known to `load` and `names`.

    Args:
        domain: the part of the name before the slash.
        factory: called as `factory(task, **options)`, returns the `Benchmark`.
        tasks: the identifiers after the slash.
    """
    _DOMAINS[domain] = (factory, tuple(tasks))


def names() -> tuple[str, ...]:
    """Every name that `load` takes, as `"<domain>/<task>"`."""
    return tuple(f"{domain}/{task}" for domain, (_, tasks) in _DOMAINS.items() for task in tasks)


def load(name: str, **options) -> Benchmark:
    """Loads a benchmark.

    Args:
        name: `"<domain>/<task>"`, one of `names()`.
        **options: the domain's own, such as `parts=(40, 40)` for `"scan/iid"`.

    Returns:
        The `Benchmark`.

    Raises:
        ValueError: no benchmark has that name, or it has no such option.

    Example:

    >>> import compgen_keras as cg
    >>> bench = cg.benchmarks.load("scan/length_generalization")
    >>> bench.task.title
    'Length-Generalization'
    """
    domain, slash, task = str(name).partition("/")
    if not slash or domain not in _DOMAINS:
        raise InputError(f'unknown benchmark {name!r}; expected "<domain>/<task>" with one of the domains {", ".join(_DOMAINS)}.')
    factory, tasks = _DOMAINS[domain]
    if task not in tasks:
        raise InputError(f"unknown task {task!r} of {domain}; expected one of {', '.join(tasks)}.")
    known = [name for name in inspect.signature(factory).parameters if name != "task"]
    for option in options:
        if option not in known:
            raise InputError(f"{domain} has no option {option!r}; expected one of: {', '.join(known) or 'none'}.")
    return factory(task, **options)
