"""COGS's own files: sentence, logical form and kind, separated by tabs."""

import hashlib
from os import PathLike
from pathlib import Path

from compgen_keras.benchmarks.cogs.corpus import Corpus, checked_exposures
from compgen_keras.benchmarks.cogs.form import read_form
from compgen_keras.benchmarks.cogs.grammar import logical_form
from compgen_keras.benchmarks.cogs.lexicon import form_tokens, sentence_words
from compgen_keras.benchmarks.cogs.meaning import parts_of_form
from compgen_keras.benchmarks.example import Example
from compgen_keras.errors import InputError

_COLUMNS = ("sentence", "logical form", "kind")


def read_tsv(source) -> tuple[Example, ...]:
    """Reads examples from a file in COGS's format, such as the published ones.

    Args:
        source: a path, or a URL, whose file is fetched once and kept by `keras.utils.get_file`.

    Returns:
        The examples; `Example.case` is the kind.

    Raises:
        ValueError: there is no such file, it cannot be fetched, or a line is not of three columns, holds a word that COGS does not
            have, a sentence without its full stop or with another, a lone word without a
            form, what is no logical form, or an index beyond the sentence; the message names the line.

    Example:

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "some.tsv")
    >>> _ = path.write_text("Emma slept .\\tsleep . agent ( x _ 1 , Emma )\\tin_distribution\\n")
    >>> read_tsv(path)[0].spec
    'Emma slept .'
    """
    _check_is_path("source", source)
    path = _fetched(source) if _is_url(source) else Path(source)
    try:
        # Some editors put a byte order mark before the first line.
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{source} is no text in UTF-8 (byte {error.start}); expected lines of {_expected()}.") from None
    except OSError as error:
        raise InputError(f"{source} cannot be read: {error.strerror}; expected a file of COGS's, or its URL.") from None
    lines = text.removesuffix("\n").split("\n") if text else []
    if not lines:
        raise InputError(f"{source} is empty; expected lines of {_expected()}.")
    words, tokens = frozenset(sentence_words()), frozenset(form_tokens())
    return tuple(
        _example(line.removesuffix("\r"), f"line {number} of {source}", words, tokens) for number, line in enumerate(lines, start=1)
    )


def read_corpus(folder, exposures: int = 1) -> Corpus:
    """Reads COGS's four files: `train.tsv` (or `train_100.tsv`), `dev.tsv`, `test.tsv` and `gen.tsv`.

    Args:
        folder: a path, or the URL that stands before the files' names.
        exposures: 1 for `train.tsv`, 100 for `train_100.tsv`.

    Raises:
        ValueError: `exposures` is neither 1 nor 100, or see `read_tsv`.
    """
    _check_is_path("folder", folder)
    exposures = checked_exposures(exposures)
    train = "train.tsv" if exposures == 1 else f"train_{exposures}.tsv"
    names = (train, "dev.tsv", "test.tsv", "gen.tsv")
    sources = [f"{folder.rstrip('/')}/{name}" if _is_url(folder) else Path(folder) / name for name in names]
    return Corpus(*map(read_tsv, sources))


def _check_is_path(name, source):
    if not isinstance(source, (str, PathLike)) or "\0" in str(source):
        raise InputError(f"{name} is {source!r}; expected a path or a URL, such as 'cogs/data'.")


def _is_url(source):
    return isinstance(source, str) and "://" in source


def _fetched(url):
    import keras

    # Files of one name may be of different places.
    kept_in = f"compgen_keras/{hashlib.sha256(url.encode()).hexdigest()[:16]}"
    try:
        return Path(keras.utils.get_file(origin=url, cache_subdir=kept_in))
    except Exception as error:  # of whatever kind the fetching raises
        raise InputError(f"{url} cannot be fetched ({error}); expected the URL of a file of COGS's.") from None


def _expected():
    return f"{', '.join(_COLUMNS)}, separated by tabs"


def _example(line, place, words, tokens):
    columns = line.split("\t")
    if len(columns) != len(_COLUMNS):
        raise InputError(f"{place} has {len(columns)} columns; expected {len(_COLUMNS)}: {_expected()}.")
    for name, text, known in (("sentence", columns[0], words), ("logical form", columns[1], tokens)):
        if not text.split():
            raise InputError(f"{place} has an empty {name}; expected {_expected()}.")
        for number, token in enumerate(text.split(), start=1):
            if token not in known:
                raise InputError(f"{place}: token {number} of the {name} is {token!r}, which COGS does not have.")
    sentence, form, kind = columns
    if not kind.strip():
        raise InputError(f"{place} has an empty kind; expected {_expected()}.")
    _check_stops(sentence.split(), place)
    if read_form(form.split()) is None:
        raise InputError(f"{place}: {form.strip()!r} is no logical form; expected one such as 'sleep . agent ( x _ 1 , Emma )'.")
    last = len(sentence.split()) - 1
    for token in form.split():
        if token.isdigit() and int(token) > last:
            raise InputError(f"{place}: the logical form has index {token}; expected at most {last}, the place of the last word.")
    return Example(" ".join(sentence.split()), parts_of_form(form), kind.strip())


def _check_stops(words, place):
    if len(words) == 1:
        try:
            logical_form(words[0])
        except InputError:
            raise InputError(f"{place}: the sentence is {words[0]!r} alone, which has no form of its own in COGS.") from None
        return
    if words[-1] != ".":
        raise InputError(f"{place}: the sentence ends with {words[-1]!r}; expected a full stop, with a space before it.")
    if "." in words[:-1]:
        raise InputError(f"{place}: word {words.index('.') + 1} of the sentence is a full stop; expected one at the end alone.")
