"""The one exception that stands for bad input."""


class InputError(ValueError):
    """Something the caller gave cannot be used.

    Its message is one line that names what was given, what was expected and how to mend it. The command line prints that line and
    exits with status 2; in Python it is an ordinary `ValueError`.
    """
