"""COGS's corpus beside the published one, and the generalization cases, each read by a program that is not the generator."""

import itertools
import lzma
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import pytest

import compgen_keras as cg
from compgen_keras.benchmarks.cogs import CASES, corpus, logical_form, sentences
from tests.benchmarks.cogs_reader import ANIMATE, HELD_OUT_WORDS, INANIMATE, WORDS, Phrase, read
from tests.benchmarks.test_cogs_grammar import PUBLISHED

NAMES = ["cogs/all", *(f"cogs/{case.task.identifier}" for case in CASES)]


@cache
def published():
    """Sentence and kind of each published training example."""
    lines = lzma.decompress(PUBLISHED.read_bytes()).decode().splitlines()
    return [(line.split("\t")[0], line.split("\t")[2]) for line in lines]


@cache
def drawn(case):
    return list(cg.benchmarks.load(f"cogs/{case}").examples("test"))


def shares(counts):
    return {key: count / counts.total() for key, count in counts.items()}


def test_the_training_set_has_the_published_shares_of_clause_types_and_lengths():
    specs = {
        "published": [sentence for sentence, kind in published() if kind == "in_distribution"],
        "generated": [example.spec for example in corpus().train if example.case == "in_distribution"],
    }
    assert [len(of) for of in specs.values()] == [24_000, 24_000]
    outer = {name: shares(Counter(_frame_of_sentence(spec) for spec in of)) for name, of in specs.items()}
    assert len(outer["published"]) == 20
    assert outer["published"].keys() == outer["generated"].keys()
    for frame, share in outer["published"].items():
        assert outer["generated"][frame] == pytest.approx(share, abs=0.006), frame
    lengths = {name: shares(Counter(len(spec.split()) for spec in of)) for name, of in specs.items()}
    every = lengths["published"].keys() | lengths["generated"].keys()
    distance = sum(abs(lengths["published"].get(n, 0) - lengths["generated"].get(n, 0)) for n in every) / 2
    assert distance <= 0.025


def _frame_of_sentence(sentence):
    outermost, *inside = read(sentence)
    return "complement" if inside else outermost.frame


def test_the_corpus_has_what_the_published_one_has():
    drawn = corpus()
    assert (len(drawn.train), len(drawn.dev), len(drawn.test)) == (24_155, 3_000, 3_000)
    assert Counter(e.case for e in drawn.train) == Counter(kind for _, kind in published())
    sentences = [example.spec for part in (drawn.train, drawn.dev, drawn.test) for example in part]
    assert len(set(sentences)) == len(sentences)
    words = {sentence for sentence, kind in published() if kind == "primitive"}
    assert {example.spec for example in drawn.train if example.case == "primitive"} == words


def test_no_word_of_a_case_is_trained_on_but_in_its_exposure():
    for example in (*corpus().train, *corpus().dev, *corpus().test):
        held_out = HELD_OUT_WORDS & set(example.spec.split())
        if example.case == "in_distribution":
            assert not held_out, example.spec
        elif example.case.startswith("exposure"):
            assert len(held_out) == 1, example.spec


def test_exposure_examples_have_the_published_frames():
    """Those of the published training set, the words aside: which role the word has and what stands around it."""
    roles = {
        "exposure_example_subj_common": ("hedgehog", "agent"),
        "exposure_example_subj_proper": ("Lina", "agent"),
        "exposure_example_obj_common": ("cockroach", "theme"),
        "exposure_example_obj_proper": ("Charlie", "theme"),
        "exposure_example_transitive_subj": ("cobra", "agent"),
        "exposure_example_unacc_subj": ("hippo", "theme"),
    }
    frames = {
        "exposure_example_active": ("blessed", {"active V_trans_not_omissible object"}),
        "exposure_example_passive": ("squeezed", {"passive V_trans_not_omissible"}),
        "exposure_example_obj_omitted_transitive": ("baked", {"active V_trans_omissible"}),
        "exposure_example_unacc": ("shattered", {"active V_unacc"}),
        "exposure_example_do_dative": ("teleported", {"active V_dat object object"}),
        "exposure_example_pp_dative": ("shipped", {"active V_dat object to"}),
        "exposure_example_subj_common": (None, TRANSITIVES),
        "exposure_example_subj_proper": (None, {"active V_dat object to"}),
        "exposure_example_obj_common": (None, TRANSITIVES),
        "exposure_example_obj_proper": (None, TRANSITIVES),
        "exposure_example_transitive_subj": (None, TRANSITIVES),
        "exposure_example_unacc_subj": (None, {"active V_unacc"}),
    }
    every = [(example.spec, example.case) for example in corpus(exposures=100).train]
    counts = Counter()
    for sentence, kind in [*published(), *every]:
        if kind.startswith("exposure"):
            counts[kind] += 1
            clause = read(sentence)[-1]
            verb, allowed = frames[kind]
            assert clause.verb == verb or verb is None
            assert clause.frame in allowed, sentence
            if kind in roles:
                word, role = roles[kind]
                assert f"{role} ( x _ {sentence.split().index(clause.verb)} , {_argument(sentence, word)} )" in logical_form(sentence)
    assert set(counts.values()) == {101}


def _argument(sentence, word):
    return word if word[0].isupper() else f"x _ {sentence.split().index(word)}"


def test_a_hundred_exposures():
    many = corpus(exposures=100)
    assert len(many.train) == 24_000 + 155 * 100
    counts = Counter(example.spec for example in many.train)
    assert counts["shark"] == counts["crawl"] == 100
    assert max(count for spec, count in counts.items() if " " in spec) == 1
    assert many.dev == corpus().dev


TRANSITIVES = {f"active {verbs} object" for verbs in ("V_trans_omissible", "V_trans_not_omissible", "V_unacc")}
OBJECTS = {*TRANSITIVES, "active V_dat object to", "active V_dat object object"}
EXTERNAL = {*OBJECTS, "active V_unerg", "active V_trans_omissible", "infinitive"}


def as_theme(word, clause):
    *_, theme = [phrase for marker, phrase in clause.objects if not marker]
    return clause.frame in OBJECTS and theme.noun == word


def as_agent(word, clause):
    return clause.frame in EXTERNAL and clause.subject == Phrase(word)


def has_verb(verb, frame, clause):
    return clause.verb == verb and clause.frame == frame


def is_bare_subject(word, frame, clause):
    return clause.subject == Phrase(word) and clause.frame == frame


WHAT_THE_TABLE_SAYS = {
    "subj_to_obj_common": ("hedgehog", lambda c: as_theme("hedgehog", c)),
    "subj_to_obj_proper": ("Lina", lambda c: as_theme("Lina", c)),
    "prim_to_obj_common": ("shark", lambda c: as_theme("shark", c)),
    "prim_to_obj_proper": ("Paula", lambda c: as_theme("Paula", c)),
    "obj_to_subj_common": ("cockroach", lambda c: as_agent("cockroach", c)),
    "obj_to_subj_proper": ("Charlie", lambda c: as_agent("Charlie", c)),
    "prim_to_subj_common": ("shark", lambda c: as_agent("shark", c)),
    "prim_to_subj_proper": ("Paula", lambda c: as_agent("Paula", c)),
    "prim_to_inf_arg": ("crawl", lambda c: c.infinitive == "crawl" and c.verb in WORDS["V_inf_taking"]),
    "active_to_passive": ("blessed", lambda c: c.verb == "blessed" and c.passive and c.subject.noun in INANIMATE),
    "passive_to_active": ("squeezed", lambda c: has_verb("squeezed", "active V_trans_not_omissible object", c)),
    "obj_omitted_transitive_to_transitive": ("baked", lambda c: has_verb("baked", "active V_trans_omissible object", c)),
    "unacc_to_transitive": ("shattered", lambda c: has_verb("shattered", "active V_unacc object", c)),
    "do_dative_to_pp_dative": ("teleported", lambda c: has_verb("teleported", "active V_dat object to", c)),
    "pp_dative_to_do_dative": ("shipped", lambda c: has_verb("shipped", "active V_dat object object", c)),
    "only_seen_as_transitive_subj_as_unacc_subj": ("cobra", lambda c: is_bare_subject("cobra", "active V_unacc", c)),
    "only_seen_as_unacc_subj_as_obj_omitted_transitive_subj": ("hippo", lambda c: is_bare_subject("hippo", "active V_trans_omissible", c)),
    "only_seen_as_unacc_subj_as_unerg_subj": ("hippo", lambda c: is_bare_subject("hippo", "active V_unerg", c)),
    "obj_pp_to_subj_pp": (None, lambda c: bool(c.subject.inside or [p for marker, p in c.objects if marker == "by" and p.inside])),
    "cp_recursion": (None, lambda c: True),
    "pp_recursion": (None, lambda c: c.frame in TRANSITIVES and len(c.objects[0][1].inside) >= 3),
}


@pytest.mark.parametrize("case", WHAT_THE_TABLE_SAYS)
def test_a_case_has_what_the_table_says_and_nothing_else(case):
    word, says = WHAT_THE_TABLE_SAYS[case]
    examples = drawn(case)
    assert len({example.spec for example in examples}) == 1_000
    for example in examples:
        assert " ".join(example.program) == logical_form(example.spec)
        assert example.case == case
        *around, clause = read(example.spec)
        assert says(clause), example.spec
        assert HELD_OUT_WORDS & set(example.spec.split()) == ({word} if word else set())
        phrases = [clause.subject, *(phrase for _, phrase in clause.objects)]
        nouns = [noun for phrase in phrases for noun in phrase.nouns] + [outer.subject.noun for outer in around]
        assert len(set(nouns)) == len(nouns), example.spec
        if case != "cp_recursion":
            assert len(around) <= 2
        if case != "pp_recursion":
            assert max(len(phrase.inside) for phrase in phrases) <= 2
        for outer in around:
            assert outer.verb in WORDS["V_cp_taking"] and not outer.objects
            assert outer.subject.noun in ANIMATE and not outer.subject.inside
        # Prepositional phrases stand on objects alone, but for the case that is about them.
        if case != "obj_pp_to_subj_pp":
            assert not clause.subject.inside
        assert not [p for marker, p in clause.objects if marker == "to" and p.inside]


def test_lexical_cases_vary_in_all_that_they_may():
    """Verb classes, determiners, embedding and prepositional phrases all occur."""
    clauses = [read(example.spec) for example in drawn("subj_to_obj_common")]
    assert {clause[-1].frame for clause in clauses} == OBJECTS
    assert {len(clause) for clause in clauses} == {1, 2, 3}
    assert {len(clause[-1].objects[-1][1].inside) for clause in clauses} >= {0, 1, 2}
    assert {read(example.spec)[-1].frame for example in drawn("obj_to_subj_proper")} == EXTERNAL
    passives = [read(example.spec)[-1] for example in drawn("active_to_passive")]
    assert {tuple(marker for marker, _ in clause.objects) for clause in passives} == {(), ("by",)}


def test_phrases_stand_on_subjects_of_every_kind_and_on_agents():
    seen = Counter()
    for example in drawn("obj_pp_to_subj_pp"):
        clause = read(example.spec)[-1]
        if clause.subject.inside:
            seen[clause.frame.split(" by")[0]] += 1
        seen["by"] += any(marker == "by" and phrase.inside for marker, phrase in clause.objects)
    unaccusative_and_passives = {
        "active V_unacc",
        "passive V_dat to",
        "passive V_dat object",
        *(f"passive {verbs}" for verbs in ("V_trans_omissible", "V_trans_not_omissible", "V_unacc")),
    }
    assert seen.keys() == EXTERNAL | unaccusative_and_passives | {"by"}


@pytest.mark.parametrize("case", ["cp_recursion", "pp_recursion"])
def test_depths_of_recursion_come_equally_often(case):
    def depth(sentence):
        clauses = read(sentence)
        return len(clauses) - 1 if case == "cp_recursion" else len(clauses[-1].objects[0][1].inside)

    assert Counter(depth(example.spec) for example in drawn(case)) == dict.fromkeys(range(3, 13), 100)


def test_only_forty_sentences_of_the_cobra_are_not_embedded():
    case = next(case for case in CASES if case.task.identifier == "only_seen_as_transitive_subj_as_unacc_subj")
    assert sum("that" not in said.sentence for said in itertools.islice(case.statements(0), 2_000)) == 40


def test_all_takes_the_cases_in_turn():
    together = list(cg.benchmarks.load("cogs/all").examples("test"))
    assert len(together) == 21_000
    for place, case in enumerate(CASES):
        assert together[place::21] == drawn(case.task.identifier)


def test_training_goes_through_the_corpus_again_and_again_in_another_order():
    bench = cg.benchmarks.load("cogs/pp_recursion")
    twice = list(itertools.islice(bench.examples("train"), 2 * 24_155))
    first, second = twice[:24_155], twice[24_155:]
    assert first != second
    assert Counter(first) == Counter(second) == Counter(corpus().train)
    assert list(itertools.islice(bench.examples("train", start=24_150), 10)) == twice[24_150:24_160]


def test_in_distribution_sets_share_no_sentence_with_training():
    bench = cg.benchmarks.load("cogs/all")
    train = {example.spec for example in corpus().train}
    sets = [tuple(bench.examples("valid", seed=seed)) for seed in range(3)]
    assert (sets[0], sets[2]) == (corpus().dev, corpus().test)
    for examples in sets:
        specs = {example.spec for example in examples}
        assert len(specs) == 3_000
        assert not specs & train


def test_few_shot_examples_alternate_and_are_not_tested_on():
    bench = cg.benchmarks.load("cogs/active_to_passive")
    few = list(bench.examples("few_shot"))
    assert [example.case for example in few] == ["in_distribution", "active_to_passive"] * 20
    assert not {example.spec for example in few} & {example.spec for example in bench.examples("test")}


def test_a_part_is_a_definite_or_a_conjunct_with_what_closes_it():
    bench = cg.benchmarks.load("cogs/all")
    example = cg.benchmarks.Example("The cat slept .", bench.parts_of(tuple(logical_form("The cat slept .").split())))
    assert example.parts == (
        ("*", "cat", "(", "x", "_", "1", ")", ";"),
        ("sleep", ".", "agent", "(", "x", "_", "2", ",", "x", "_", "1", ")"),
    )
    for example in itertools.islice(bench.examples("test"), 500):
        *closed, last = example.parts
        assert all(part[-1] in (";", "AND") and part[:-1].count("AND") == part[:-1].count(";") == 0 for part in closed)
        assert not {";", "AND"} & set(last)


def test_everything_drawn_fits_the_vocabularies_and_the_limits():
    bench = cg.benchmarks.load("cogs/all")
    spec_tokens, program_tokens = set(bench.spec_tokens), set(bench.program_tokens)
    assert len(spec_tokens) == len(bench.spec_tokens) and len(program_tokens) == len(bench.program_tokens)
    for example in itertools.chain(corpus().train, bench.examples("test"), bench.examples("valid", seed=5)):
        assert spec_tokens.issuperset(example.spec.split())
        assert program_tokens.issuperset(example.program)
        assert len(example.spec.split()) <= bench.max_spec_length
        assert len(example.program) + len(example.parts) + 1 <= bench.max_program_length


def test_the_longest_sentence_of_all_fits():
    bench = cg.benchmarks.load("cogs/cp_recursion")
    sentence = "The girl said that " + "the girl said that " * 11 + "the girl was given the cake in the house on the table by the boy ."
    assert len(sentence.split()) == bench.max_spec_length == 64
    conjuncts = logical_form(sentence).replace(";", "AND").split("AND")
    assert len(logical_form(sentence).split()) + len(conjuncts) + 1 == bench.max_program_length


def test_an_interrupted_stream_goes_on_where_it_was(monkeypatch):
    bench, whole = (cg.benchmarks.load("cogs/all", exposures=1) for _ in range(2))
    expected = [example.spec for example in itertools.islice(whole.examples("test"), 60)]
    drawn_so_far = itertools.count()
    case_examples = type(bench)._case_examples

    def interrupted(self, case, seed):
        for example in case_examples(self, case, seed):
            if next(drawn_so_far) == 450:
                raise KeyboardInterrupt
            yield example

    with monkeypatch.context() as patch:
        patch.setattr(type(bench), "_case_examples", interrupted)
        with pytest.raises(KeyboardInterrupt):
            list(itertools.islice(bench.examples("test"), 60))
        assert [example.spec for example in itertools.islice(bench.examples("test"), 60)] == expected


def test_threads_share_a_stream():
    bench, alone = (cg.benchmarks.load("cogs/all") for _ in range(2))
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: [e.spec for e in itertools.islice(bench.examples("test", seed=8), 400)], range(4)))
    assert found == [[e.spec for e in itertools.islice(alone.examples("test", seed=8), 400)]] * 4


def test_token_ids_are_those_of_the_examples():
    bench = cg.benchmarks.load("cogs/all")
    for split, start in (("train", 24_100), ("test", 7), ("few_shot", 3)):
        specs, programs = bench.token_ids(split, 0, start, 30, separators=True)
        places = [0, 0]
        for example, *lengths in zip(
            itertools.islice(bench.examples(split, start=start), 30), specs.lengths, programs.lengths, strict=True
        ):
            spec, program = (ids.values[at : at + n] for ids, at, n in zip((specs, programs), places, lengths, strict=True))
            places = [at + n for at, n in zip(places, lengths, strict=True)]
            assert [bench.spec_tokens[i] for i in spec] == example.spec.split()
            closed = [token for part in example.parts for token in (*part, "SEP")]
            assert ["SEP" if i < 0 else bench.program_tokens[i] for i in program] == closed


def test_sentences_never_come_twice():
    stream = list(itertools.islice(sentences(3), 5_000))
    assert len({said.sentence for said in stream}) == 5_000


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: cg.benchmarks.load("cogs/flying"), "unknown task 'flying' of cogs; expected one of all, subj_to_obj_common"),
        (lambda: cg.benchmarks.load("cogs/all", exposures=7), "exposures is 7; expected 1 or 100"),
        (lambda: corpus(exposures=True), "exposures is True"),
        (lambda: corpus(exposures=1.0), "exposures is 1.0; expected 1 or 100"),
        (lambda: cg.benchmarks.load("cogs/all", exposures=100.0), "exposures is 100.0; expected 1 or 100"),
        (lambda: cg.benchmarks.load("cogs/all", exposures=True), "exposures is True"),
        (lambda: sentences(-1), "seed is -1; expected an integer from 0"),
    ],
)
def test_bad_arguments_are_named(make, complaint):
    with pytest.raises(ValueError, match=complaint):
        make()
