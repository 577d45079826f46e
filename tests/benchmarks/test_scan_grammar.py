import itertools

import pytest

from compgen_keras.benchmarks import scan

# Published pairs of Lake and Baroni (2018), in their own spelling.
PUBLISHED = [
    ("jump", "I_JUMP"),
    ("jump left", "I_TURN_LEFT I_JUMP"),
    ("turn opposite left", "I_TURN_LEFT I_TURN_LEFT"),
    ("jump around right", "I_TURN_RIGHT I_JUMP I_TURN_RIGHT I_JUMP I_TURN_RIGHT I_JUMP I_TURN_RIGHT I_JUMP"),
    ("turn left twice", "I_TURN_LEFT I_TURN_LEFT"),
    ("jump thrice", "I_JUMP I_JUMP I_JUMP"),
    ("jump opposite left and walk thrice", "I_TURN_LEFT I_TURN_LEFT I_JUMP I_WALK I_WALK I_WALK"),
    ("jump opposite left after walk around left", "I_TURN_LEFT I_WALK " * 4 + "I_TURN_LEFT I_TURN_LEFT I_JUMP"),
    ("look right twice and run", "I_TURN_RIGHT I_LOOK I_TURN_RIGHT I_LOOK I_RUN"),
]


@pytest.mark.parametrize(("command", "actions"), PUBLISHED)
def test_published_commands_have_their_published_actions(command, actions):
    program = [scan.ORIGINAL_SPELLING[token] for part in scan.translate(command) for token in part]
    assert program == actions.split()


def all_phrases():
    """Every phrase of the grammar with its meaning, written out again without the package's own tables."""
    acts = {"walk": ["WALK"], "look": ["LOOK"], "run": ["RUN"], "jump": ["JUMP"], "turn": []}
    phrases = {verb: act for verb, act in acts.items() if verb != "turn"}
    for verb, direction in itertools.product(acts, ("left", "right")):
        turn = "LTURN" if direction == "left" else "RTURN"
        phrases[f"{verb} {direction}"] = [turn, *acts[verb]]
        phrases[f"{verb} opposite {direction}"] = [turn, turn, *acts[verb]]
        phrases[f"{verb} around {direction}"] = [turn, *acts[verb]] * 4
    repeated = {f"{words} twice": actions * 2 for words, actions in phrases.items()}
    thrice = {f"{words} thrice": actions * 3 for words, actions in phrases.items()}
    return {**phrases, **repeated, **thrice}


def test_all_original_commands_translate():
    """SCAN as published has 20,910 commands: all phrases, and all pairs joined by one conjunction."""
    phrases = all_phrases()
    count = 0
    for words, actions in phrases.items():
        assert scan.translate(words) == (tuple(actions),)
        count += 1
    for (first, a), (second, b) in itertools.product(phrases.items(), repeat=2):
        assert scan.translate(f"{first} and {second}") == (tuple(a), tuple(b))
        assert scan.translate(f"{first} after {second}") == (tuple(b), tuple(a))
        count += 2
    assert count == 20_910


def test_and_binds_tighter_than_after():
    parts = scan.translate("walk and look after run and jump after turn left and turn right")
    assert parts == (("LTURN",), ("RTURN",), ("RUN",), ("JUMP",), ("WALK",), ("LOOK",))


def test_the_example_of_figure_1():
    assert scan.translate("jump left twice and run right after walk thrice") == (
        ("WALK", "WALK", "WALK"),
        ("LTURN", "JUMP", "LTURN", "JUMP"),
        ("RTURN", "RUN"),
    )


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ("jump lef", "word 2 of the command is 'lef', which is no SCAN word"),
        ("Jump", "word 1 of the command is 'Jump', which is no SCAN word"),
        ("jump and", "the command ends after word 2, 'and'; expected walk, look, run, jump or turn there"),
        ("and jump", "word 1 of the command is 'and'; expected walk, look, run, jump or turn there"),
        ("turn", "the command ends after word 1, 'turn'; expected left, right, opposite or around there"),
        ("turn twice", "word 2 of the command is 'twice'; expected left, right, opposite or around there"),
        ("jump opposite walk", "word 3 of the command is 'walk'; expected left or right there"),
        ("jump left left", "word 3 of the command is 'left'; expected and or after there"),
        ("jump twice thrice", "word 3 of the command is 'thrice'; expected and or after there"),
        ("  ", "the command is empty"),
        (None, "a command is a string of words, but None was given"),
    ],
)
def test_errors_name_the_word_and_its_place(command, complaint):
    with pytest.raises(ValueError) as caught:
        scan.translate(command)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)
