"""Random programs none of whose parts is ever empty, for inputs that are given."""

from dataclasses import dataclass
from functools import lru_cache

from compgen_keras.benchmarks.draws import Draws
from compgen_keras.benchmarks.robustfill.dialect import Dialect
from compgen_keras.benchmarks.robustfill.inputs import Inputs
from compgen_keras.benchmarks.robustfill.operations import (
    Compose,
    ConstStr,
    GetAll,
    GetFirst,
    GetFrom,
    GetSpan,
    GetToken,
    GetUpto,
    Operation,
    Remove,
    RemoveAll,
    Replace,
    Substitute,
    SubstituteAll,
    SubStr,
    ToCase,
    Trim,
    span_offset,
)

_MOST_TRIES = 50
"""Of an operation that is empty somewhere, before it counts as impossible on the inputs."""
_MOST_TRIES_OF_SPANS = 2_000
"""A span is possible on all inputs but may be rare."""


@dataclass(frozen=True)
class Pool:
    """What a part of a program is drawn from, uniformly.

    Attributes:
        dialect: the language.
        operations: classes of operations; `Compose` stands for a composition.
        inner_pools: what the inner operation of a composition is drawn from: one of these, each as likely.
    """

    dialect: Dialect
    operations: tuple[type[Operation], ...]
    inner_pools: tuple[tuple[type[Operation], ...], ...] = ()


def draw_part(draws: Draws, pools: tuple[Pool, ...], inputs: Inputs) -> tuple[Operation, list[str]]:
    """Draws a part of a program.

    Args:
        draws: source of random choices.
        pools: drawn from first, each as likely.
        inputs: what the part must not be empty on.

    Returns:
        The operation, and its results on the inputs.
    """
    while True:
        pool = draws.choice(pools)
        found = _draw_of_class(draws, draws.choice(pool.operations), pool, inputs)
        if found is not None:
            return found


def _draw_of_class(draws, operation_class, pool, inputs):
    """An operation of a class and its results; None if none is found."""
    if operation_class is Compose:
        return _draw_composition(draws, pool, inputs)
    if operation_class in (Remove, RemoveAll):
        return _draw_removal(draws, operation_class, pool.dialect, inputs)
    if operation_class is GetSpan:
        return _draw_span(draws, pool.dialect, inputs)
    draw = _DRAWN[operation_class]
    for _ in range(_MOST_TRIES):
        operation = _made(operation_class, *draw(draws, pool.dialect, inputs))
        results = _results(operation, inputs.strings)
        if results is not None:
            return operation, results
    return None


def _draw_span(draws, dialect, inputs):
    """Most tries are empty somewhere, so that the operation is made once one is not."""
    for _ in range(_MOST_TRIES_OF_SPANS):
        first, last = _span_end(draws, dialect, inputs), _span_end(draws, dialect, inputs)
        results = []
        for value in inputs.strings:
            start = span_offset(*first, value)
            result = None if start is None else value[start : span_offset(*last, value) or 0]
            if not result:
                break
            results.append(result)
        else:
            return _made(GetSpan, *first, *last), results
    return None


def _span_end(draws, dialect, inputs):
    regex = _regex(draws, inputs)
    return regex, _index(draws, dialect, inputs, regex), "START" if draws.coin() else "END"


def _draw_removal(draws, operation_class, dialect, inputs):
    for name in draws.shuffled(inputs.types):
        arguments = (name, _index(draws, dialect, inputs, name)) if operation_class is Remove else (name,)
        operation = _made(operation_class, *arguments)
        results = _results(operation, inputs.strings)
        if results is not None:
            return operation, results
    return None


def _draw_composition(draws, pool, inputs):
    """Both pieces are drawn as parts of their own first, and anew if their composition is empty somewhere."""
    inner_pool = draws.choice(pool.inner_pools)
    for _ in range(_MOST_TRIES):
        outer = _draw_of_class(draws, draws.choice(pool.dialect.modifications), pool, inputs)
        inner = _draw_of_class(draws, draws.choice(inner_pool), pool, inputs)
        if outer is None or inner is None:
            continue
        results = _results(outer[0], inner[1])
        if results is not None:
            return Compose(outer[0], inner[0]), results
    return None


def _results(operation, strings):
    """The results on the strings; None if one is empty."""
    results, run = [], operation.run
    for value in strings:
        result = run(value)
        if not result:
            return None
        results.append(result)
    return results


@lru_cache(maxsize=2**16)
def _made(operation_class, *arguments):
    return operation_class(*arguments)


def _index(draws, dialect, inputs, kind):
    most = inputs.counts[kind]
    size = 1 + draws.below(most if most < dialect.most_index else dialect.most_index)
    return -size if dialect.negative_indices and not draws.coin() else size


def _regex(draws, inputs):
    return draws.choice(inputs.delimiters if draws.coin() else inputs.types)


def _sub_str(draws, dialect, inputs):
    shortest = min(map(len, inputs.strings))
    first = draws.between(1 - shortest, shortest)
    return first, draws.between(first, shortest if first > 0 else 0)


def _type_and_index(draws, dialect, inputs):
    name = draws.choice(inputs.types)
    return name, _index(draws, dialect, inputs, name)


_DRAWN = {
    SubStr: _sub_str,
    GetToken: _type_and_index,
    GetUpto: lambda draws, dialect, inputs: (_regex(draws, inputs),),
    GetFrom: lambda draws, dialect, inputs: (_regex(draws, inputs),),
    ToCase: lambda draws, dialect, inputs: (draws.choice(("PROPER", "ALL_CAPS", "LOWER")),),
    Replace: lambda draws, dialect, inputs: (draws.choice(inputs.delimiters), draws.choice(dialect.delimiters)),
    Trim: lambda draws, dialect, inputs: (),
    GetFirst: _type_and_index,
    GetAll: lambda draws, dialect, inputs: (draws.choice(inputs.types),),
    Substitute: lambda draws, dialect, inputs: (*_type_and_index(draws, dialect, inputs), draws.choice(dialect.constants)),
    SubstituteAll: lambda draws, dialect, inputs: (draws.choice(inputs.types), draws.choice(dialect.constants)),
    ConstStr: lambda draws, dialect, inputs: (draws.choice(dialect.constants),),
}
