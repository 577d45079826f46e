"""Numbers as text, for the report."""


def table(header, rows) -> str:
    """A table in Markdown.

    Args:
        header: names of the columns.
        rows: lists of cells, strings.

    Example:

    >>> print(table(["a", "b"], [["1", "2"]]))
    | a | b |
    | --- | --- |
    | 1 | 2 |
    """
    return "\n".join("| " + " | ".join(line) + " |" for line in (header, ["---"] * len(header), *rows))


def number(value, digits: int = 3) -> str:
    """A number with some digits behind the point; a dash for None."""
    return "–" if value is None else f"{value:.{digits}f}"


def percent(value) -> str:
    """A share in percent; a dash for None."""
    return "–" if value is None else f"{100 * value:.0f}%"


def plus_minus(spread: dict, write=number) -> str:
    """Mean ± standard deviation of what `spread` gives.

    Args:
        spread: that of `summary.spread`.
        write: how a number is written.

    Example:

    >>> plus_minus({"mean": 0.5, "std": 0.25})
    '0.500 ± 0.250'
    """
    return "–" if spread["mean"] is None else f"{write(spread['mean'])} ± {write(spread['std'])}"
