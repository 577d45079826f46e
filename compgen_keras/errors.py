"""The one exception that stands for bad input, and the checks that many places share."""

import operator


class InputError(ValueError):
    """Something the caller gave cannot be used.

    Its message is one line that names what was given, what was expected and how to mend it. The command line prints that line and
    exits with status 2; in Python it is an ordinary `ValueError`.
    """


def require_integer(name: str, value, least: int, most: int | None = None) -> int:
    """The value as a Python integer.

    Args:
        name: what the value is called in the message.
        value: an integer of any kind, numpy's too, but no boolean.
        least: the smallest allowed.
        most: the largest allowed; None: no limit.

    Raises:
        ValueError: it is something else or out of range.
    """
    try:
        number = None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = None
    if number is None or number < least or (most is not None and number > most):
        expected = f"from {least}" if most is None else f"from {least} to {most}"
        raise InputError(f"{name} is {value!r}; expected an integer {expected}.")
    return number
