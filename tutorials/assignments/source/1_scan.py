# %% [markdown]
# # Assignment 1: parse and translate SCAN
#
# **Goals.** After this assignment you can say what a part of a command is, translate commands into programs, and explain why
# the order of a program's parts is not the order of its command's words.
#
# **Points.** 10. **You need** lesson 0. Do not use `compgen_keras.benchmarks.scan`: you are writing it.
#
# A command's words are given as a list, such as `["jump", "left", "twice"]`. Actions are strings: `WALK`, `LOOK`, `RUN`,
# `JUMP`, `LTURN`, `RTURN`.
#
# ## 1. One part (5 points)
#
# Write `part_actions(words)`: the list of actions of one part. A part is
#
# - a verb (`walk`, `look`, `run`, `jump`, `turn`), which `turn` can only be with a direction;
# - then, perhaps, a direction (`left`, `right`), or `opposite` or `around` and a direction;
# - then, perhaps, `twice` or `thrice`.
#
# What each word does is in lesson 0.

# %% nbgrader={"grade": false, "grade_id": "part_actions", "locked": false, "schema_version": 3, "solution": true, "task": false}
def part_actions(words):
    """The actions of one part.

    Args:
        words: a list of words, such as ["jump", "left", "twice"].

    Returns:
        A list of actions, such as ["LTURN", "JUMP", "LTURN", "JUMP"].
    """
    ### BEGIN SOLUTION
    words = list(words)
    repeats = 1
    if words[-1] in ("twice", "thrice"):
        repeats = {"twice": 2, "thrice": 3}[words.pop()]
    action = [] if words[0] == "turn" else [words[0].upper()]
    turn = []
    if words[-1] in ("left", "right"):
        turn = [{"left": "LTURN", "right": "RTURN"}[words[-1]]]
    if "around" in words:
        once = (turn + action) * 4
    elif "opposite" in words:
        once = turn + turn + action
    else:
        once = turn + action
    return once * repeats
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "part_plain", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
for words, actions in ((["walk"], ["WALK"]), (["jump", "left"], ["LTURN", "JUMP"]), (["turn", "right"], ["RTURN"])):
    found = part_actions(list(words))
    assert isinstance(found, list), f"part_actions returned {type(found).__name__}; expected a list of strings"
    assert found == actions, f"{' '.join(words)!r}: your actions are {found}. Which comes first, the turn or the action? Does `turn` act?"
### BEGIN HIDDEN TESTS
for words, actions in ((["look"], ["LOOK"]), (["run", "right"], ["RTURN", "RUN"]), (["turn", "left"], ["LTURN"])):
    found = part_actions(list(words))
    assert found == actions, (
        f"{' '.join(words)!r}: your actions are {found}; look at the plain parts that you can see again: which comes first, the turn or the action?"
    )
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "part_opposite", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
found = part_actions(["look", "opposite", "left"])
assert found.count("LOOK") == 1, f"'look opposite left' looks {found.count('LOOK')} times; once is right"
assert found[-1] == "LOOK", "the turns come before the action"
### BEGIN HIDDEN TESTS
for words, actions in (
    (["walk", "opposite", "left"], ["LTURN", "LTURN", "WALK"]),
    (["turn", "opposite", "right"], ["RTURN", "RTURN"]),
):
    found = part_actions(list(words))
    assert found == actions, f"{' '.join(words)!r}: your actions are {found}. How far must one turn to face the opposite way?"
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "part_around", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
found = part_actions(["run", "around", "right"])
assert len(found) % 2 == 0 and found[::2] == ["RTURN"] * (len(found) // 2), f"'run around right' is {found}: a turn before each action"
### BEGIN HIDDEN TESTS
for words, actions in ((["jump", "around", "left"], ["LTURN", "JUMP"] * 4), (["turn", "around", "left"], ["LTURN"] * 4)):
    found = part_actions(list(words))
    assert found == actions, f"{' '.join(words)!r}: your actions are {found}. How many turns lead back to where one faced?"
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "part_repeats", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
found = part_actions(["walk", "thrice"])
assert found == ["WALK"] * 3, f"'walk thrice' is {found}; expected three actions"
### BEGIN HIDDEN TESTS
for words, actions in (
    (["jump", "left", "twice"], ["LTURN", "JUMP"] * 2),
    (["look", "opposite", "right", "thrice"], ["RTURN", "RTURN", "LOOK"] * 3),
    (["walk", "around", "right", "twice"], ["RTURN", "WALK"] * 8),
):
    found = part_actions(list(words))
    assert found == actions, (
        f"{' '.join(words)!r}: your actions are {found}. What does a repeat repeat, the action or all that stands before it?"
    )
### END HIDDEN TESTS

# %% [markdown]
# ## 2. The order of parts (3 points)
#
# Write `ordered_parts(words)`: the parts of a command, each a list of words, **in the order in which they are carried out**.
# Parts are joined by `and` and `after`. `x and y` carries out x, then y; `x after y` carries out y, then x. `and` binds
# tighter: `a and b after c and d` is `(a and b) after (c and d)`. With several `after`s the groups between them are carried
# out from the last to the first.


# %% nbgrader={"grade": false, "grade_id": "ordered_parts", "locked": false, "schema_version": 3, "solution": true, "task": false}
def ordered_parts(words):
    """The parts of a command in the order in which they are carried out.

    Args:
        words: a list of words, such as ["walk", "after", "run", "left"].

    Returns:
        A list of parts, each a list of words, such as [["run", "left"], ["walk"]].
    """
    ### BEGIN SOLUTION
    groups = [[[]]]
    for word in words:
        if word == "after":
            groups.append([[]])
        elif word == "and":
            groups[-1].append([])
        else:
            groups[-1][-1].append(word)
    return [part for group in reversed(groups) for part in group]
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "order_simple", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
found = ordered_parts("walk left".split())
assert found == [["walk", "left"]], f"'walk left' is {found}; expected a list of parts, each a list of words"
assert ordered_parts("walk and run left".split()) == [["walk"], ["run", "left"]], "`and` keeps the order"
found = ordered_parts("walk after run left".split())
assert len(found) == 2, f"'walk after run left' has two parts; you found {len(found)}"
### BEGIN HIDDEN TESTS
assert found == [["run", "left"], ["walk"]], "`x after y` carries out y first"
assert ordered_parts("walk and run and look".split()) == [["walk"], ["run"], ["look"]], "any number of parts can be joined by `and`"
### END HIDDEN TESTS

# %% nbgrader={"grade": true, "grade_id": "order_mixed", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
found = ordered_parts("walk and run after look and jump".split())
assert sorted(found) == [["jump"], ["look"], ["run"], ["walk"]], f"some parts are lost or made up: {found}"
### BEGIN HIDDEN TESTS
assert found == [["look"], ["jump"], ["walk"], ["run"]], (
    f"'walk and run after look and jump': your order is {found}. Which of `and` and `after` binds tighter?"
)
found = ordered_parts("walk after run and look after jump".split())
assert found == [["jump"], ["run"], ["look"], ["walk"]], (
    f"'walk after run and look after jump': your order is {found}. Groups go from the last to the first; inside a group nothing is turned round"
)
### END HIDDEN TESTS

# %% [markdown]
# ## 3. The translation (2 points)
#
# Write `translate(command)`: from a command as one string to its program, a tuple of parts, each a tuple of actions.


# %% nbgrader={"grade": false, "grade_id": "translate", "locked": false, "schema_version": 3, "solution": true, "task": false}
def translate(command):
    """A command's program.

    Args:
        command: a string, such as "walk after run left".

    Returns:
        A tuple of parts, each a tuple of actions, such as (("LTURN", "RUN"), ("WALK",)).
    """
    ### BEGIN SOLUTION
    return tuple(tuple(part_actions(part)) for part in ordered_parts(command.split()))
    ### END SOLUTION


# %% nbgrader={"grade": true, "grade_id": "translation", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
found = translate("walk and look")
assert found == (("WALK",), ("LOOK",)), f"'walk and look' is {found}; expected a tuple of parts, each a tuple of actions"
### BEGIN HIDDEN TESTS
import itertools

import compgen_keras as cg

for example in itertools.islice(cg.benchmarks.load("scan/iid").examples("valid", seed=11), 300):
    found = translate(example.spec)
    assert found == example.parts, f"{example.spec!r}: your program is {found}. Test the parts of this command one by one, then their order"
### END HIDDEN TESTS
