# %% [markdown]
# # 11. Program synthesis from examples: RobustFill
#
# *Time: about 3 minutes on two fast cores, 10 on slow ones. You need: lessons 0 to 3.*
#
# A SCAN command says in words what to do. In this lesson the model gets no words at all, only **examples of what a program
# does**, and has to find the program. You know this from spreadsheets that fill a column after you have typed two cells.

# %%
from lesson import STREAM, Lesson, counts_table

lesson = Lesson("11_synthesis_from_examples")

import itertools
from collections import Counter

import keras_hub

import compgen_keras as cg
from compgen_keras.benchmarks.robustfill import parse, program_from_tokens

# %% [markdown]
# ## Programs on strings
#
# The language is that of the paper's Figure 3. A program joins the results of its parts; each part takes a piece of the
# input, changes the input, or is a constant character.

# %%
program = parse('Concat(ToCase(PROPER)(GetToken(WORD, 1)), ConstStr("."), GetToken(WORD, -1))')
for value in ("ada king lovelace", "alan mathison turing"):
    print(f"{value!r:<24} -> {program(value)!r}")
print("\nits parts, as a model writes them:")
for part in program.parts:
    print("  ", *part)

# %% [markdown]
# Each part is written in *prefix form*: the operation, then its arguments. `Compose` applies a modification to the result of
# another operation.
#
# ## A small dialect
#
# The full language needs a GPU and a million steps. `robustfill-mini` has the same tasks on a part of it: six operations and
# constants, two types (`NUMBER` and `LOWER`, a word in lower case), inputs of a number and a word.
#
# | part | what it gives for `:12.ab` |
# | --- | --- |
# | `GetToken(NUMBER, 1)` | `12`, the first number |
# | `GetUpto(".")` | `:12.`, up to the first full stop |
# | `GetFrom(".")` | `ab`, what follows it |
# | `GetAll(LOWER)` | `ab`, all words joined |
# | `RemoveAll(NUMBER)` | `:.ab`, without numbers |
# | `ToCase(ALL_CAPS)` | `:12.AB`, the whole input in capitals |
# | `ConstStr("!")` | `!` |
#
# `Compose` applies `GetAll`, `RemoveAll` or `ToCase` to the result of another operation. Here is a task as a model sees it:
# four inputs with their outputs.

# %%
bench = cg.benchmarks.load("robustfill-mini/compose_different_concepts")
example = next(bench.examples("train", seed=5))
for given, wanted in example.spec:
    print(f"{given!r:<12} -> {wanted!r}")

# %% [markdown]
# **Before you run the next cell**, find a program yourself, from the operations of the table.

# %%
print(program_from_tokens(example.program))

# %% [markdown]
# Perhaps you found another one. That is fine: **a program is right when it gives the right output for every input**. Grading
# runs the program. On these inputs, `GetToken(NUMBER, 1)` and `GetAll(NUMBER)` do the same:

# %%
spec = ((":12.ab", "12"), (".cd:345", "345"), (":67.ef", "67"), (".ghi:89", "89"))
asked = cg.benchmarks.Example(spec, (("GetToken", "NUMBER", "1"),))
for tokens in (("GetToken", "NUMBER", "1"), ("GetAll", "NUMBER"), ("GetToken", "LOWER", "1"), ("GetToken", "NUMBER")):
    print(f"{' '.join(tokens):<24} right: {bench.is_correct(asked, tokens)}")

# %% [markdown]
# (The last is no program at all: an argument is missing. It counts as wrong, like a program that never ends.)
#
# ## What shifts
#
# The task is Compose-Different-Concepts, as in lesson 6. The two concepts are *taking a piece* of the input (substring
# operations) and *changing* it (modifications, or a constant). In training all parts of a program are of one concept.

# %%
PIECES = ("GetToken", "GetUpto", "GetFrom")


def concepts(example):
    return " and ".join(sorted({"taking" if part[0] in PIECES else "changing" for part in example.parts}))


counts = {split: Counter(concepts(e) for e in itertools.islice(bench.examples(split), 1_000)) for split in ("train", "test")}
counts_table(
    "concepts in a program",
    {c: (counts["train"][c], counts["test"][c]) for c in ("taking", "changing", "changing and taking")},
    ("train", "test"),
)

# %% [markdown]
# ## The model
#
# Only the encoder differs from SCAN's. It reads each pair on its own: first the input, then the output with **double
# attention**, to the output itself and to the encoded input. The four pairs share all weights and do not see each other; the
# decoder attends to the outputs of all of them.
#
# ## Predict first
#
# **Write down**: will this shift be harder or easier for a network than SCAN's left and right? What speaks for easier: when a
# program is executed, each part leaves its own piece in the output.

# %%
models = {"relative_attention": lesson.train("relative_attention", bench, steps=4_500)}

# %%
results = lesson.compare(models, bench)

# %% [markdown]
# ## Many programs, one answer
#
# How often does the model write another program than the one that made the outputs, and is right all the same?

# %%
zero_shot = results["relative_attention", "test"]
kinds = Counter()
for example, tokens, right in zip(zero_shot.examples, zero_shot.predictions, zero_shot.correct, strict=True):
    kinds["the same program" if tuple(tokens) == example.program else "another right program" if right else "wrong"] += 1
counts_table("zero-shot", {kind: (kinds[kind],) for kind in ("the same program", "another right program", "wrong")}, ("tasks",))
wrong = next((i for i, right in enumerate(zero_shot.correct) if not right), None)
if wrong is not None:
    print("\na wrong one:\n" + cg.evaluation.aligned(zero_shot.examples[wrong], zero_shot.predictions[wrong], bench=bench))

# %% [markdown]
# ## Search
#
# Greedy decoding takes the likeliest token at each place. **Beam search** keeps the ten likeliest partial programs. For
# RobustFill this is more than a better guess: whoever asks has given examples, so that each of the ten programs can be *run*,
# and one that gives the right outputs is an answer. No label is needed to choose it.

# %%
n = lesson.choose(200, 2)
sampler = keras_hub.samplers.BeamSampler(num_beams=lesson.choose(10, 2), return_all_beams=True)
searched = cg.evaluation.evaluate(models["relative_attention"], bench, split="test", n=n, seed=STREAM, sampler=sampler)
rows = {f"any of {k}": (f"{100 * searched.solved_within(k) / n:.1f}",) for k in lesson.choose((1, 2, 5, 10), (1, 2))}
counts_table("beams", rows, ("solved, %",))

# %% [markdown]
# ## Exercises
#
# 1. Write a specification by hand and let the model solve it: `models["relative_attention"].generate([spec])`. Which does it
#    solve that its training distribution would never draw?
# 2. A specification has four pairs. Take one pair away, two, three: how many of the programs found still fit the pair that
#    was taken away?
# 3. Train `sep_to_last` and compare. The paper finds the masks much less useful here than on SCAN: 62.0 percent against 56.1
#    zero-shot. What is different about this domain?

# %%
lesson.end()
