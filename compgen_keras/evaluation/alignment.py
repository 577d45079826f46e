"""A wrong program beside the true one, part by part."""

import difflib
import textwrap
from itertools import takewhile, zip_longest

from compgen_keras.benchmarks import SEPARATOR, Benchmark, Example


def predicted_parts(example: Example, tokens, bench: Benchmark | None = None) -> tuple[tuple[str, ...], ...]:
    """Cuts predicted tokens into parts.

    Args:
        example: the example, for its true parts.
        tokens: predicted token strings. With separators they say where the parts end. Without, the benchmark is asked; if it cannot
            tell, the tokens are matched with the true program's, and each is given to the part of its match.
        bench: the example's benchmark.

    Returns:
        The parts, each a tuple of tokens.

    Example:

    >>> example = Example("walk and run", (("WALK",), ("RUN",)))
    >>> predicted_parts(example, ("WALK", "SEP", "JUMP", "SEP"))
    (('WALK',), ('JUMP',))
    """
    tokens = tuple(tokens)
    if SEPARATOR in tokens:
        parts, current = [], []
        for token in tokens:
            if token == SEPARATOR:
                parts.append(tuple(current))
                current = []
            else:
                current.append(token)
        return (*parts, tuple(current)) if current else tuple(parts)
    parts = bench.parts_of(tokens) if bench else None
    return _parts_by_matching(example, tokens) if parts is None else parts


def _parts_by_matching(example, tokens):
    part_of_place = []
    for number, part in enumerate(example.parts):
        part_of_place += [number] * len(part)
    parts = [[] for _ in example.parts]
    for _, first, last, start, stop in difflib.SequenceMatcher(None, example.program, tokens, autojunk=False).get_opcodes():
        for offset in range(stop - start):
            place = min(first + offset, max(last - 1, first))
            number = part_of_place[place] if place < len(part_of_place) else len(parts) - 1
            parts[number].append(tokens[start + offset])
    return tuple(tuple(part) for part in parts)


def aligned(example: Example, tokens, width: int = 100, bench: Benchmark | None = None) -> str:
    """Lines of text that show each true part above the predicted one, wrong parts marked with `x`.

    Args:
        example: the example.
        tokens: predicted token strings, separators or not.
        width: columns. A longer specification goes on in the next line; of a longer part, what stands well before the first
            difference is left out.
        bench: the example's benchmark, which says where parts end and which of them do the same; None: a part is right if it is the same.
    """
    lines = _spec_lines(example.spec, width)
    rows = zip_longest(example.parts, predicted_parts(example, tokens, bench))
    for number, (true, predicted) in enumerate(rows, start=1):
        mark = " " if _is_right(example, true, predicted, bench) else "x"
        shown = _around_first_difference(true, predicted, width - _MARGIN)
        lines.append(f"{mark} part {number:>2}  true       {shown[0]}")
        lines.append(f"{mark}          predicted  {shown[1]}")
    return "\n".join(lines)


def _is_right(example, true, predicted, bench):
    if bench is None or true is None or predicted is None:
        return true == predicted
    return bench.is_same_part(example, true, predicted)


def _spec_lines(spec, width):
    if isinstance(spec, str):
        return textwrap.wrap(f"spec    {spec}", width, subsequent_indent=" " * 8)
    return [_cut(f"{'spec' if number == 0 else '':<8}{given!r} → {wanted!r}", width) for number, (given, wanted) in enumerate(spec)]


_MARGIN = 22


def _around_first_difference(true, predicted, width):
    texts = [_text(part) for part in (true, predicted)]
    if true is None or predicted is None or max(map(len, texts)) <= width:
        return [_cut(text, width) for text in texts]
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(true, predicted, strict=False)))
    start = max(0, same - 3) if same < max(len(true), len(predicted)) else 0
    return [_cut(("… " if start else "") + _text(part[start:]), width) for part in (true, predicted)]


def _text(part):
    if part is None:
        return "(no such part)"
    return " ".join(part) if part else "(empty)"


def _cut(line, width):
    return line if len(line) <= width else line[: width - 1] + "…"
