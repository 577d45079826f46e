"""What RobustFill's programs are composed of, and which combinations each task holds out."""

from itertools import pairwise, product

from compgen_keras.benchmarks.composition import Composition, Grid, number_of_parts
from compgen_keras.benchmarks.robustfill.operations import Compose, ConstStr, Substring
from compgen_keras.benchmarks.robustfill.program import Program

_POOLS = ("substring", "modification", "constant", "Compose")
_NO_PART = "no part"


def composition_of_program(program: Program) -> Composition:
    """Atoms, compounds and elements of a program.

    Atoms are the operations, `Compose` among them, and the types, cases and boundaries they are given. Compounds are: an operation with
    each of those; `Compose` with its outer and inner operation; the operations, or `Compose`, of neighbouring parts; and the number of
    parts. Elements are the parts, with their `"operation"` (`"Compose"` for any composition), their `"pool"` (substring, modification,
    constant or Compose), the pool of the next part (`"next_pool"`), of compositions `"outer"` and `"inner"` operations and
    the `"inner_pool"`, their place from 1 (`"place"`), and the number of parts (`"parts"`).

    Example:

    >>> from compgen_keras.benchmarks.robustfill import parse
    >>> composition_of_program(parse('Concat(ToCase(PROPER)(GetToken(WORD, 1)), ConstStr("."))')).compounds[:3]
    (('Compose', 'ToCase', 'GetToken'), ('ToCase', 'case:PROPER'), ('GetToken', 'WORD'))
    """
    parts, count = program.expressions, len(program.expressions)
    atoms, compounds = [], []
    for part in parts:
        pieces = (part.outer, part.inner) if isinstance(part, Compose) else (part,)
        if isinstance(part, Compose):
            atoms.append("Compose")
            compounds.append(("Compose", *(type(piece).__name__ for piece in pieces)))
        for piece in pieces:
            name, *arguments = piece.tokens
            named = [token for token in arguments if token[0].isalpha()]
            atoms += [name, *named]
            compounds += [(name, token) for token in named]
    names = [type(part).__name__ for part in parts]
    compounds += pairwise(names)
    pools = [*(_pool_of(part) for part in parts), _NO_PART]
    elements = tuple(
        {"operation": names[place], "pool": pools[place], "next_pool": pools[place + 1], **_composed(part)}
        | {"place": str(place + 1), "parts": str(count)}
        for place, part in enumerate(parts)
    )
    return Composition(tuple(atoms), (*compounds, number_of_parts(count)), elements)


def _pool_of(part):
    if isinstance(part, Compose):
        return "Compose"
    if isinstance(part, ConstStr):
        return "constant"
    return "substring" if isinstance(part, Substring) else "modification"


def _composed(part):
    if not isinstance(part, Compose):
        return {}
    return {"outer": type(part.outer).__name__, "inner": type(part.inner).__name__, "inner_pool": _pool_of(part.inner)}


def grid_of_task(task: str, train_parts, test_parts) -> Grid:
    """The two factors that show what a task shifts, and the cells it holds out.

    Args:
        task: the task's identifier.
        train_parts: the numbers of parts in training.
        test_parts: those in the test.
    """
    if task.startswith("length_generalization"):
        lengths = [str(parts) for parts in sorted({*train_parts, *test_parts})]
        new = [str(parts) for parts in sorted({*test_parts} - {*train_parts})]
        return Grid(("pool", "parts"), _POOLS, tuple(lengths), tuple(product(_POOLS, new)))
    if task in ("compose_different_concepts", "switch_concept_order"):
        others = ("modification", "constant")
        held_out = [(other, "substring") for other in others]
        if task == "compose_different_concepts":
            held_out += [("substring", other) for other in others]
        return Grid(("pool", "next_pool"), _POOLS[:3], (*_POOLS[:3], _NO_PART), tuple(held_out))
    if task == "compose_new_operation":
        lengths = tuple(str(parts) for parts in range(1, 7))
        return Grid(("pool", "parts"), _POOLS, lengths, tuple(("Compose", parts) for parts in lengths[1:]))
    if task == "add_operation_functionality":
        return Grid(("pool", "inner_pool"), ("Compose",), _POOLS[:2], (("Compose", "substring"),))
    return Grid(("operation", "parts"))
