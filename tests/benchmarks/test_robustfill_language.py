"""RobustFill's language: what each operation does, worked out by hand from its definition, and its two written forms."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compgen_keras.benchmarks.robustfill import Program, RobustFillBenchmark, parse, program_from_tokens
from compgen_keras.benchmarks.robustfill.alphabet import CHARACTERS, DELIMITERS, TYPES
from compgen_keras.benchmarks.robustfill.operations import (
    BY_NAME,
    MODIFICATIONS,
    SUBSTRINGS,
    Compose,
    ConstStr,
    GetSpan,
    GetToken,
    Modification,
    Operation,
    SubStr,
    Substring,
    ToCase,
    Trim,
)
from compgen_keras.benchmarks.robustfill.program import TOKENS

VALUE = "Ab, cd EF-12 x3."
"""Not all of it is in the alphabet: the hyphen is no delimiter. Offsets: A0 b1 ,2 _3 c4 d5 _6 E7 F8 -9 1 10 2 11 _12 x13 3 14 .15"""


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        # SubStr: both ends included, one character never, 0 just past the end, offsets outside as Python slices.
        ("SubStr(1, 2)", "robust", "ro"),
        ("SubStr(2, 6)", "robust", "obust"),
        ("SubStr(2, 100)", "robust", "obust"),
        ("SubStr(3, 3)", "robust", ""),
        ("SubStr(4, 2)", "robust", ""),
        ("SubStr(-3, -1)", "robust", "ust"),
        ("SubStr(-3, 0)", "robust", "ust"),
        ("SubStr(0, 3)", "robust", ""),
        ("SubStr(-100, 3)", "robust", "rob"),
        ("SubStr(-7, -6)", "robust", ""),  # offsets -1 and 0: value[-1:1]
        ("SubStr(7, 100)", "robust", ""),
        ("SubStr(1, 2)", "", ""),
        # GetSpan
        ('GetSpan(",", 1, START, " ", 1, END)', VALUE, ", "),
        ('GetSpan(",", 1, END, " ", -1, START)', VALUE, " cd EF-12"),
        ("GetSpan(NUMBER, 1, START, NUMBER, 2, END)", VALUE, "12 x3"),
        ("GetSpan(CHAR, -1, START, CHAR, -1, END)", VALUE, "."),
        ("GetSpan(WORD, 2, END, WORD, 1, START)", VALUE, ""),  # the end lies before the start
        ('GetSpan("$", 1, START, " ", 1, END)', VALUE, ""),  # no match at all
        ('GetSpan(" ", 1, START, "$", 1, END)', VALUE, ""),
        ('GetSpan(" ", 9, START, " ", 1, END)', VALUE, ", "),  # past the last of 3: offset 2
        ('GetSpan(" ", -9, START, ",", 1, START)', VALUE, "Ab"),  # before the first: offset 0
        ('GetSpan(" ", 0, END, " ", 1, END)', VALUE, ", "),  # 0 is past the last
        # GetToken
        ("GetToken(WORD, 1)", VALUE, "Ab"),
        ("GetToken(WORD, -1)", VALUE, "x"),
        ("GetToken(WORD, 5)", VALUE, ""),
        ("GetToken(WORD, -5)", VALUE, ""),
        ("GetToken(WORD, 0)", VALUE, ""),
        ("GetToken(NUMBER, 1)", VALUE, "12"),
        ("GetToken(DIGIT, 2)", VALUE, "2"),
        ("GetToken(ALPHANUM, 5)", VALUE, "x3"),
        ("GetToken(ALL_CAPS, 1)", VALUE, "A"),
        ("GetToken(ALL_CAPS, 2)", VALUE, "EF"),
        ("GetToken(PROP_CASE, 1)", VALUE, "Ab"),
        ("GetToken(PROP_CASE, 2)", VALUE, ""),
        ("GetToken(LOWER, 1)", VALUE, "b"),
        ("GetToken(CHAR, 10)", VALUE, "1"),  # the hyphen is no character of the alphabet
        ("GetToken(CHAR, 1)", "é\nx", "x"),
        ("GetToken(WORD, 1)", "", ""),
        # GetUpto and GetFrom, with characters that mean something in regular expressions
        ('GetUpto(",")', VALUE, "Ab,"),
        ('GetUpto("$")', VALUE, ""),
        ("GetUpto(NUMBER)", VALUE, "Ab, cd EF-12"),
        ('GetUpto(".")', "ab.c", "ab."),
        ('GetUpto("(")', "f(x)", "f("),
        ('GetFrom("]")', "a[0]b", "b"),
        ('GetFrom("?")', "what? yes", " yes"),
        ('GetFrom(".")', VALUE, ""),
        ('GetFrom("\\"")', 'say "hi"', 'hi"'),
        ("GetFrom(LOWER)", VALUE, ", cd EF-12 x3."),
        # ToCase
        ("ToCase(PROPER)", "ada KING", "Ada king"),
        ("ToCase(PROPER)", " ada", " ada"),
        ("ToCase(ALL_CAPS)", "a1.b", "A1.B"),
        ("ToCase(LOWER)", "A1.B", "a1.b"),
        # Replace, Trim
        ('Replace(" ", ".")', "a b  c", "a.b..c"),
        ('Replace("$", ".")', "a b", "a b"),
        ("Trim()", "  a b ", "a b"),
        ("Trim()", "   ", ""),
        # GetFirst, GetAll
        ("GetFirst(DIGIT, 2)", "1-2-3", "12"),
        ("GetFirst(DIGIT, 5)", "1-2-3", "123"),
        ("GetFirst(DIGIT, -1)", "1-2-3", "12"),
        ("GetFirst(DIGIT, -5)", "1-2-3", ""),
        ("GetFirst(DIGIT, 0)", "1-2-3", ""),
        ("GetFirst(DIGIT, 2)", "abc", ""),
        ("GetAll(NUMBER)", "10 and 20", "1020"),
        ("GetAll(NUMBER)", "and", ""),
        # Substitute and the like go by the text of the match
        ('Substitute(WORD, 1, "x")', "ab b", "x b"),
        ('Substitute(WORD, 2, "x")', "ab b", "ax b"),
        ('Substitute(WORD, -1, "x")', "ab b", "ax b"),
        ('Substitute(WORD, 3, "x")', "ab b", "ab b"),
        ('Substitute(WORD, 0, "x")', "ab b", "ab b"),
        ('SubstituteAll(NUMBER, "#")', "10 and 20", "# and #"),
        ('SubstituteAll(WORD, "a")', "b ab", "a a"),  # b -> a, then ab -> a
        ('SubstituteAll(DIGIT, "1")', "21", "11"),
        ('SubstituteAll(NUMBER, "2")', "1 12", "2 2"),
        ('SubstituteAll(LOWER, "?")', "ABC", "ABC"),
        ("Remove(WORD, 1)", "ab b", " b"),
        ("Remove(WORD, 2)", "ab b", "a b"),
        ("Remove(WORD, 3)", "ab b", "ab b"),
        ("RemoveAll(DIGIT)", "a1b2", "ab"),
        ("RemoveAll(WORD)", "b ab", " "),
        ("RemoveAll(WORD)", "ab b", " "),
        ("RemoveAll(CHAR)", "abc", ""),
        # ConstStr and compositions
        ('ConstStr("7")', "", "7"),
        ("ToCase(PROPER)(GetToken(WORD, 1))", "ada king", "Ada"),
        ("GetFirst(WORD, 1)(Trim())", "  ab c", "ab"),
        ("Trim()(GetUpto(NUMBER))", "  ab 1c", "ab 1"),
    ],
)
def test_operations(text, value, expected):
    assert parse(f"Concat({text})")(value) == expected


def test_the_designs_example():
    program = parse('Concat(ToCase(PROPER)(GetToken(WORD, 1)), ConstStr("."), GetSpan(" ", -1, END, CHAR, -1, END))')
    assert program("ada king lovelace") == "Ada.lovelace"
    assert program.expressions == (
        Compose(ToCase("PROPER"), GetToken("WORD", 1)),
        ConstStr("."),
        GetSpan(" ", -1, "END", "CHAR", -1, "END"),
    )
    assert program.parts == (
        ("Compose", "ToCase", "case:PROPER", "GetToken", "WORD", "1"),
        ("ConstStr", '"."'),
        ("GetSpan", '" "', "-1", "END", "CHAR", "-1", "END"),
    )


def test_the_vocabulary():
    assert (len(DELIMITERS), len(CHARACTERS), len(TYPES), len(TOKENS)) == (21, 83, 8, 313)
    assert len(set(TOKENS)) == 313
    assert len(SUBSTRINGS) + len(MODIFICATIONS) + len(("ConstStr", "Compose")) == 16


def operations(classes):
    return st.sampled_from(classes).flatmap(
        lambda operation: st.tuples(*(st.sampled_from(list(kind.texts)) for kind in operation.signature)).map(
            lambda arguments: operation(*arguments)
        )
    )


compositions = st.builds(Compose, operations(MODIFICATIONS), operations(MODIFICATIONS + SUBSTRINGS))
programs = st.lists(operations(tuple(BY_NAME.values())) | compositions, min_size=1, max_size=5).map(lambda found: Program(tuple(found)))


@given(programs)
def test_both_written_forms_are_read_back(program):
    assert parse(str(program)) == program
    assert program_from_tokens(program.tokens) == program
    assert set(program.tokens) <= set(TOKENS)
    spaced = str(program).replace("(", " ( ").replace('" ( "', '"("')
    assert parse(spaced) == program


@given(programs, st.text(max_size=40) | st.text(alphabet=CHARACTERS, max_size=40))
def test_no_program_ever_raises(program, value):
    assert isinstance(program(value), str)


@given(st.lists(st.sampled_from(TOKENS), max_size=6) | programs.map(lambda program: list(program.tokens)[:-1]))
def test_tokens_are_a_program_or_a_named_error(tokens):
    try:
        assert list(program_from_tokens(tokens).tokens) == tokens
    except ValueError as error:
        assert "expected" in str(error)


def test_long_strings_take_well_under_a_millisecond():
    value = ("ab1 Cd, " * 125)[:1000]
    for name in ("GetAll(WORD)", 'SubstituteAll(WORD, "x")', "RemoveAll(CHAR)", 'GetSpan(CHAR, -1, START, " ", -1, END)'):
        program = parse(f"Concat({name})")
        seconds = []
        for _ in range(20):
            started = time.perf_counter()
            program(value)
            seconds.append(time.perf_counter() - started)
        assert min(seconds) < 1e-3, name


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "position 1: the program ends; expected 'Concat'"),
        ('Concat(ConstStr("\n"))', r'position 17: "\\n" was found; expected a letter'),
        ("Concat()", r"position 8: \) was found; expected an operation \(SubStr, GetSpan"),
        ("Concat(Trim)", r"position 12: \) was found; expected '\('"),
        ("Concat(GetToken(WORDS, 1))", r"position 17: WORDS was found; expected a type \(NUMBER, WORD"),
        ("Concat(GetToken(WORD, 101))", "position 23: 101 was found; expected an integer from -100 to 100, for GetToken"),
        ('Concat(Replace("a", " "))', 'position 16: "a" was found; expected a delimiter in double quotes'),
        ("Concat(ToCase(WORD))", "position 15: WORD was found; expected a case"),
        ("Concat(GetUpto(START))", "position 16: START was found; expected a type .* or a delimiter"),
        ("Concat(GetToken(WORD, 1)(Trim()))", "position 8: GetToken was found; expected a modification before"),
        ('Concat(Trim()(ConstStr("a")))', "position 15: ConstStr was found; expected a modification or substring operation"),
        ("Concat(Trim()(Trim()(Trim())))", r"position 21: \( was found; expected '\)'"),
        ("Concat(Trim()) x", "position 16: x was found; expected the end of the program"),
        ("Concat(Trim(), ", "position 16: the program ends; expected an operation"),
        ("Concat(Trim(); Trim())", "position 14: ';' begins nothing that can stand in a program"),
        (7, "a program's text is a string, but 7 was given"),
    ],
)
def test_errors_in_the_text_name_the_position(text, complaint):
    with pytest.raises(ValueError, match=complaint):
        parse(text)


@pytest.mark.parametrize(
    ("tokens", "complaint"),
    [
        ([], "there are no tokens"),
        (["WORD"], "token 1 is 'WORD'; expected an operation"),
        (["GetToken", "WORD"], "token 3 is missing; expected an integer"),
        (["Replace", '"a"', '" "'], "token 2 is '\"a\"'; expected a delimiter"),
        (["Compose", "GetUpto", "WORD", "Trim"], "token 1: Compose was given .* as its outer operation; expected a modification"),
        (["Compose", "Trim", "ConstStr", '"a"'], "token 1: Compose was given .* as its inner operation"),
        (["Compose", "Trim", "Compose", "Trim", "Trim"], "token 3 is 'Compose'; expected an operation"),
        ([3], "token 1 is 3; expected an operation"),
    ],
)
def test_errors_in_tokens_name_the_place(tokens, complaint):
    with pytest.raises(ValueError, match=complaint):
        program_from_tokens(tokens)


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: SubStr(1, 101), "SubStr was given 101; expected an integer from -100 to 100"),
        (lambda: SubStr(True, 1), "SubStr was given True"),
        (lambda: GetToken("WORDS", 1), "GetToken was given 'WORDS'; expected a type"),
        (lambda: Program(()), r"a program was given \(\)"),
        (lambda: Program(("Trim",)), "a program was given 'Trim'"),
        (lambda: Program((Substring(),)), r"a program was given Substring\(\)"),
        (lambda: Compose(Modification(), Trim()), r"Compose was given Modification\(\) as its outer operation"),
        (lambda: Compose(Trim(), Operation()), r"Compose was given Operation\(\) as its inner operation"),
        (lambda: RobustFillBenchmark("iid", dialect="mini"), "dialect is 'mini'; expected a Dialect"),
        (lambda: RobustFillBenchmark(["iid"]), r"unknown task \['iid'\]; expected one of"),
        (lambda: Program((Trim(),))(3), "a program runs on a string, but 3 was given"),
        (lambda: Program((Trim(),))("x" * 1001), "the input has 1,001 characters; expected at most 1,000"),
    ],
)
def test_bad_arguments_are_named(make, complaint):
    with pytest.raises(ValueError, match=complaint):
        make()
