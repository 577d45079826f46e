"""What a model made of a swap."""

import re
from dataclasses import dataclass

from compgen_keras.benchmarks import Benchmark
from compgen_keras.data import NO_END
from compgen_keras.diagnostics.part_alignment import Written, align
from compgen_keras.swap_test.swap import Swap


@dataclass(frozen=True)
class Attempt:
    """A swap and how the model's prediction compares with what it must be.

    Attributes:
        swap: the swap.
        right: whether the whole program is right.
        changed_right: whether the parts that must change are.
        others_right: whether all other parts are still there, unchanged.
        control: the matched control, if one was found.
    """

    swap: Swap
    right: bool
    changed_right: bool
    others_right: bool
    control: "Attempt | None" = None


def judge(bench: Benchmark, swap: Swap, tokens, control: Attempt | None = None) -> Attempt:
    """Grades a prediction for the example that a swap led to.

    In a right program both kinds of parts are right. In a wrong one, where the benchmark's `parts_of` can tell parts without separators,
    they are compared as in `compgen_keras.diagnostics.align`. Elsewhere the other parts are unchanged if the program can be read as
    those parts in their places, with anything at all where the changed ones stand; then it is those that are wrong. If it can't, the
    changed parts are looked for by `align`.

    Args:
        bench: the benchmark.
        swap: the swap.
        tokens: token strings as `generate` returns them.
        control: the matched control's grade.

    Example: the verb had to change, and does. In the first program the other part did, too; in the second the changed part is too long.

    >>> import compgen_keras as cg
    >>> from compgen_keras.benchmarks import Example
    >>> bench = cg.benchmarks.load("scan/iid")
    >>> source, result = (Example(text, cg.benchmarks.scan.translate(text)) for text in ("walk and run left", "jump and run left"))
    >>> swap = Swap(source, 0, "verb", "walk", "jump", result, True)
    >>> for program in (("JUMP", "RTURN", "RUN"), ("JUMP", "JUMP", "LTURN", "RUN")):
    ...     found = judge(bench, swap, program)
    ...     print(found.right, found.changed_right, found.others_right)
    False True False
    False False True
    """
    if bench.is_correct(swap.result, tokens):
        return Attempt(swap, True, True, True, control)
    changed, aligned, written = swap.changed_parts, align(bench, swap.result, tokens).right, Written.of(bench, tokens)
    changed_right = all(aligned[number] for number in changed)
    if written.in_parts:
        return Attempt(swap, False, changed_right, all(each for number, each in enumerate(aligned) if number not in changed), control)
    others_right = _can_be_read(swap.result.parts, changed, written)
    return Attempt(swap, False, changed_right and not others_right, others_right, control)


def _can_be_read(parts, changed, written) -> bool:
    """Whether tokens are the parts in order, with anything in place of the changed ones."""
    tokens = (*written.units, *(() if written.ended else (NO_END,)))
    known = dict.fromkeys([*tokens, *(token for part in parts for token in part)])
    letters = {token: chr(ord("0") + number) for number, token in enumerate(known)}
    pattern = "".join(
        ".*" if number in changed else re.escape("".join(letters[token] for token in part)) for number, part in enumerate(parts)
    )
    return re.fullmatch(pattern, "".join(letters[token] for token in tokens), re.DOTALL) is not None
