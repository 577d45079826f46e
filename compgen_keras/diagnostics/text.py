"""A diagnosis in words and tables, as Markdown."""

from compgen_keras.diagnostics.adaptation import CONTROL, MIXED
from compgen_keras.diagnostics.diagnosis import Diagnosis
from compgen_keras.diagnostics.share import NONE, Share

_BIN = 10


def diagnosis_text(diagnosis: Diagnosis) -> str:
    """A report: the main numbers in one table, then a table for each section.

    Args:
        diagnosis: the diagnosis.
    """
    sections = (
        f"# {diagnosis.variant} on {diagnosis.benchmark}: beyond one number",
        _what_was_looked_at(diagnosis),
        table(("section", "measure", "value", "of"), summary_rows(diagnosis)),
        "## Token accuracy",
        _token_accuracy(diagnosis),
        "## First error",
        _first_errors(diagnosis),
        "## After the first error",
        _recovery(diagnosis),
        "## Adaptation",
        _adaptation(diagnosis),
        "## Search",
        _search(diagnosis),
    )
    return "\n\n".join(sections) + "\n"


def summary_rows(diagnosis: Diagnosis) -> list[tuple[str, str, str, str]]:
    """The main numbers of all sections.

    Args:
        diagnosis: the diagnosis.

    Returns:
        Rows of a section, a measure, its value, and what it is a share of.
    """
    parts, errors = diagnosis.recovery.parts, diagnosis.first_errors
    largest = diagnosis.adaptation.numbers[-1]
    rows = [
        ("accuracy", "solved by greedy decoding", percent_with_interval(diagnosis.accuracy), _of(diagnosis.accuracy, "examples")),
        *(
            ("token accuracy", name, percent(found.overall), _of(found.overall, "tokens"))
            for name, found in (("teacher forcing", diagnosis.teacher_forced), ("free running", diagnosis.free_running))
        ),
        ("first error", "programs with an error", percent(errors.any), _of(errors.any, "examples")),
        *(
            (
                "first error",
                f"median {name} of the first error",
                "–" if median is None else str(median),
                _of(Share(0, errors.any.count), "errors"),
            )
            for name, median in (("position", _median(errors.by_position)), ("part", _median((*errors.by_part, errors.at_end))))
        ),
        (
            "after the first error",
            "tokens, free running",
            percent(diagnosis.recovery.tokens),
            _of(diagnosis.recovery.tokens, "tokens"),
        ),
        (
            "after the first error",
            "the same tokens, teacher forcing",
            percent(diagnosis.recovery.tokens_teacher),
            _of(diagnosis.recovery.tokens_teacher, "tokens"),
        ),
        ("after the first error", "parts, where all earlier parts are right", percent(parts.after_right), _of(parts.after_right, "parts")),
        ("after the first error", "parts, where an earlier part is wrong", percent(parts.after_wrong), _of(parts.after_wrong, "parts")),
        (
            "after the first error",
            "the same parts, teacher forcing",
            percent(parts.after_wrong_teacher),
            _of(parts.after_wrong_teacher, "parts"),
        ),
        ("after the first error", "the same parts, by chance", percent(parts.chance), _of(parts.chance, "parts")),
    ]
    if largest:
        rows += [
            ("adaptation", f"after {largest} + {largest} examples", *_accuracy_cells(diagnosis.adaptation.point(largest))),
            ("adaptation", f"control, {2 * largest} examples", *_accuracy_cells(diagnosis.adaptation.point(largest, CONTROL))),
        ]
    within = diagnosis.search.within
    checked = "checked on the specification" if diagnosis.search.checkable else "oracle"
    for beams in dict.fromkeys((1, diagnosis.search.beams)):
        name = "best beam" if beams == 1 else f"any of {beams} beams ({checked})"
        rows.append(("search", name, percent_with_interval(within[beams]), _of(within[beams], "examples")))
    return rows


def percent(share: Share) -> str:
    """A share in percent, or a dash.

    Example:

    >>> percent(Share(1, 8)), percent(Share(0, 0))
    ('12.5%', '–')
    """
    return "–" if share.value is None else f"{100 * share.value:.1f}%"


def percent_with_interval(share: Share) -> str:
    """A share in percent with its 95% interval, or a dash.

    Example:

    >>> percent_with_interval(Share(8, 10))
    '80.0% [49.0, 94.3]'
    """
    if share.value is None:
        return "–"
    low, high = share.interval
    return f"{percent(share)} [{100 * low:.1f}, {100 * high:.1f}]"


def table(header: tuple[str, ...], rows) -> str:
    """A Markdown table with aligned columns, to be read as it is.

    Example:

    >>> print(table(("a", "b"), [("1", "22")]))
    | a   | b   |
    | --- | --- |
    | 1   | 22  |
    """
    lines = [header, *rows]
    widths = [max(3, *(len(line[column]) for line in lines)) for column in range(len(header))]
    lines.insert(1, ["-" * width for width in widths])
    return "\n".join("| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |" for line in lines)


def _what_was_looked_at(diagnosis):
    of_target = "parts, separators and the end token" if diagnosis.separators else "parts and the end token"
    return (
        f"The first {diagnosis.examples:,} examples of the split {diagnosis.split!r}, seed {diagnosis.seed}."
        f" Tokens are those of {of_target}. Intervals are of 95%, for the sample of examples alone:"
        " one trained model, one seed of its weights."
    )


def _of(share, what):
    return f"{share.of:,} {what}"


def _accuracy_cells(point):
    return percent_with_interval(point.accuracy), _of(point.accuracy, "examples")


def _median(shares):
    """The median place, from 1 on, of what the shares count."""
    total, sum_ = sum(share.count for share in shares), 0
    for place, share in enumerate(shares, start=1):
        sum_ += share.count
        if total and 2 * sum_ >= total:
            return place
    return None


def binned(shares) -> list[tuple[str, Share]]:
    """Shares by position, ten positions together.

    Args:
        shares: from the first position on.

    Returns:
        Pairs of the positions' name and the sum.

    Example:

    >>> binned([Share(1, 2)] * 12)
    [('1–10', Share(count=10, of=20)), ('11–12', Share(count=2, of=4))]
    """
    found = []
    for start in range(0, len(shares), _BIN):
        some = shares[start : start + _BIN]
        name = f"{start + 1}–{start + len(some)}" if len(some) > 1 else str(start + 1)
        found.append((name, sum(some, NONE)))
    return found


def _token_accuracy(diagnosis):
    teacher, free = diagnosis.teacher_forced, diagnosis.free_running
    by_parts = [
        (
            str(parts),
            f"{diagnosis.accuracy_by_parts[parts].of:,}",
            percent(diagnosis.accuracy_by_parts[parts]),
            percent(share),
            percent(free.by_parts[parts]),
        )
        for parts, share in teacher.by_parts.items()
    ]
    by_position = [
        (name, f"{share.of:,}", percent(share), percent(other))
        for (name, share), (_, other) in zip(binned(teacher.by_position), binned(free.by_position), strict=True)
    ]
    return "\n\n".join(
        (
            "Teacher forcing: all earlier tokens are the true ones. Free running: they are the model's own, and a token counts as right"
            " only at its own position.",
            table(("parts of the example", "examples", "solved", "tokens, teacher forcing", "tokens, free running"), by_parts),
            table(("position in the target", "tokens", "teacher forcing", "free running"), by_position),
        )
    )


def _first_errors(diagnosis):
    errors = diagnosis.first_errors
    total = errors.any.count
    places = [*((str(number), share) for number, share in enumerate(errors.by_part, start=1)), ("the end", errors.at_end)]

    def rows(named):
        return [(name, f"{share.count:,}", percent(Share(share.count, total)), f"{share.of:,}", percent(share)) for name, share in named]

    # A bin's errors are of the examples that come to its first position.
    bins = []
    for (name, share), start in zip(binned(errors.by_position), range(0, len(errors.by_position), _BIN), strict=True):
        bins.append((name, Share(share.count, errors.by_position[start].of)))
    kinds = errors.by_kind
    header = ("first errors", "of all errors", "come to it without an error", "of those")
    return "\n\n".join(
        (
            f"{total:,} of {errors.any.of:,} programs have an error: {kinds['token']:,} begin with a wrong token in a part,"
            f" {kinds['separator']:,} with something else in place of a separator, {kinds['early_end']:,} with an end that comes too early,"
            f" {kinds['late_end']:,} with one that comes too late. Teacher forcing has its first error at the same place in"
            f" {percent(diagnosis.same_first_error)} of the examples.",
            table(("part", *header), rows(places)),
            table(("position in the target", *header), rows(bins)),
        )
    )


def _recovery(diagnosis):
    found = diagnosis.recovery
    cells = ("after_right", "after_right_teacher", "after_wrong", "after_wrong_teacher", "chance")
    rows = [
        (str(number), f"{part.after_right.of:,}", f"{part.after_wrong.of:,}", *(percent(getattr(part, cell)) for cell in cells))
        for number, part in [*found.by_part.items(), ("all", found.parts)]
    ]
    header = (
        "part",
        "after right parts",
        "after a wrong part",
        "right after right parts",
        "the same, teacher forcing",
        "right after a wrong part",
        "the same, teacher forcing",
        "by chance",
    )
    return "\n\n".join(
        (
            f"Of {found.tokens.of:,} tokens behind a first error {percent(found.tokens)} are right in free running at their own position,"
            f" {percent(found.tokens_teacher)} of the same tokens under teacher forcing.",
            table(header, rows),
        )
    )


def _adaptation(diagnosis):
    found = diagnosis.adaptation
    rows = []
    for number in found.numbers:
        mixed, control = found.point(number), found.point(number, CONTROL)
        shown = (percent_with_interval(mixed.accuracy), "the same" if not number else percent_with_interval(control.accuracy))
        rows.append((str(number), str(2 * number), *shown))
    text = [
        f"A copy of the model is fine-tuned for {found.steps} steps at a learning rate of {found.learning_rate:g} on n examples of the test"
        " and n of the training distribution, or (control) on 2n of the training distribution; accuracy on the same examples as above, none"
        " of which is among those. n = 0: no fine-tuning.",
        table(("n", "examples", "n + n", "control"), rows),
    ]
    numbers = [number for number in found.numbers if number]
    if numbers:
        columns = [(number, kind) for kind in (MIXED, CONTROL) for number in numbers]
        header = ("layer", *(f"{number} + {number}" if kind == MIXED else f"control {2 * number}" for number, kind in columns))
        points = [found.point(number, kind) for number, kind in columns]
        moved = [(f"`{layer}`", *(_moved(point.moved[layer]) for point in points)) for layer in points[0].moved]
        text += ["How far each layer's weights moved, as a share of their norm:", table(header, moved)]
    return "\n\n".join(text)


def _moved(distance):
    return "–" if distance is None else f"{100 * distance:.2f}%"


def _search(diagnosis):
    found = diagnosis.search
    if found.checkable:
        note = "A candidate is checked by running it on the examples of its specification, so that this is what a search reaches."
    else:
        note = (
            "**Oracle**: only one who knows the answer could choose the right candidate. What it shows is whether the answer is among the"
            " candidates, not what a search would reach."
        )
    rows = [(str(beams), percent_with_interval(share)) for beams, share in found.within.items()]
    return "\n\n".join(
        (
            f"One beam search of {found.beams} beams; solved by any of the k most probable programs that it ends with. {note}",
            table(("k", "solved"), rows),
        )
    )
