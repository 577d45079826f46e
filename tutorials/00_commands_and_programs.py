# %% [markdown]
# # 0. A command becomes a program
#
# *Time: a few seconds. Nothing is trained. You need: Python, and the package installed (`make install`). Run a lesson as
# `.venv/bin/python tutorials/00_commands_and_programs.py`, or as a notebook (`make notebooks`).*
#
# This course asks one question: can a neural network that has learned the **parts** of a task put them together in ways that it
# has never seen? People do this all the time. Who knows what `jump` means, and what `walk twice` means, knows what `jump twice`
# means. That is **compositional generalization**, and the paper that this package follows — Shi et al., *Compositional
# Generalization and Decomposition in Neural Program Synthesis* — measures it on programs.
#
# In this lesson you meet the data: commands, programs, their parts, and the separators between the parts.

# %%
from lesson import Lesson, counts_table

lesson = Lesson("00_commands_and_programs")

import itertools
from collections import Counter

import compgen_keras as cg

# %% [markdown]
# ## From a command to actions
#
# SCAN (Lake and Baroni, 2018) is a tiny language of commands. A *program* is here a sequence of actions that a robot could
# carry out. `LTURN` and `RTURN` turn it left and right.

# %%
for command in ("walk", "jump left", "jump left twice", "turn opposite right", "run around left", "look and run", "look after run"):
    parts = cg.benchmarks.scan.translate(command)
    print(f"{command:<22}{'   '.join(' '.join(part) for part in parts)}")

# %% [markdown]
# Read the rules off these lines before you go on:
#
# - a direction puts a turn before the action; `opposite` turns twice; `around` turns and acts four times;
# - `twice` and `thrice` repeat what stands before them;
# - `turn` adds no action of its own: only the turns remain;
# - `and` joins two commands in order, and `after` swaps them: `look after run` runs first.
#
# What `and` and `after` join are the **parts** of a command. Each part of the command gives one part of the program. The
# original data has at most one conjunction; Shi et al. allow any number, with `and` binding tighter than `after`.

# %%
command = "jump left twice and run right after walk thrice"
for number, part in enumerate(cg.benchmarks.scan.translate(command), start=1):
    print(f"part {number}: {' '.join(part)}")

# %% [markdown]
# The command's last part comes first, since it stands behind `after`. **Before you run the next cell**, write down the parts of
# `walk after run and look after jump`. Two rules are at work: `and` binds tighter than `after`, and the groups between the
# `after`s are carried out in reverse order.

# %%
print(cg.benchmarks.scan.translate("walk after run and look after jump"))

# %% [markdown]
# ## Parts, and a token between them
#
# A model writes a program token by token. Five of the seven models of this course also write a separator, `SEP`, after each
# part:
#
# ```
# WALK WALK WALK SEP LTURN JUMP LTURN JUMP SEP RTURN RUN SEP
# ```
#
# The separators say where a part ends. They cost a few tokens; what they buy is the subject of lesson 2, where they decide
# which tokens may look at which.

# %%
bench = cg.benchmarks.load("scan/length_generalization")
example = next(bench.examples("train", seed=0))
print("spec     ", example.spec)
print("parts    ", example.parts)
print("program  ", example.program)
with_separators = [token for part in example.parts for token in (*part, "SEP")]
print("is it right with separators?   ", bench.is_correct(example, with_separators))
print("is it right without?           ", bench.is_correct(example, list(example.program)))
print("and with the last token lost?  ", bench.is_correct(example, list(example.program[:-1])))

# %% [markdown]
# (`spec` is the *specification*: what the model reads, here a command.) A prediction is right when its actions, separators
# taken out, are exactly the true ones. There is no partial credit: a program of a hundred tokens with one wrong token does
# something else.
#
# ## Training distribution and test distribution
#
# A machine-learning course usually splits one pile of data at random. Then training and test examples come from the same
# distribution, and a model that does well on the test has learned that distribution. It says little about composition. So here
# each task has **two distributions**, and what the test distribution asks for is never seen in training, though all the parts
# of it are. In `length_generalization`, for instance, training programs have 1 to 6 parts and test programs 7 to 10:

# %%
number_of_parts = {
    split: Counter(len(example.parts) for example in itertools.islice(bench.examples(split), 2_000)) for split in ("train", "test")
}
counts_table("number of parts", {n: (number_of_parts["train"][n], number_of_parts["test"][n]) for n in range(1, 11)}, ("train", "test"))

# %% [markdown]
# Each task has four *splits*. `train` is endless: examples are drawn afresh, so that a long command hardly ever comes twice.
# (Short ones do, and one task, of lesson 5, has only 102 training commands.) `valid` is drawn from the training distribution,
# too, but it is another stream of it: it tells whether the model has learned what it was shown (accuracy **in
# distribution**). `test` is drawn from the test distribution: accuracy there, without any training on it, is **zero-shot**
# generalization. `few_shot` holds 20 examples of each distribution, for lesson 10.
#
# If composition is what is tested, a model must have seen every *word* in training. Let us check that, rather than believe it:

# %%
tasks = [name.split("/")[1] for name in cg.benchmarks.names() if name.startswith("scan/")]


def words_of(task, split):
    examples = itertools.islice(cg.benchmarks.load(f"scan/{task}").examples(split), 2_000)
    return {word for example in examples for word in example.spec.split()}


for task in tasks:
    never_seen = words_of(task, "test") - words_of(task, "train")
    print(
        f"{task:<34}{'test words that training lacks: ' + ', '.join(sorted(never_seen)) if never_seen else 'every word occurs in training'}"
    )

# %% [markdown]
# (`iid` is a control: its two distributions are the same.) One of the seven tasks stands out: `length_generalization_hardest`
# trains on single parts, so that `and` and `after` never occur in training. No model can know what they mean. We come back to
# this in lesson 5.
#
# ## Exercises
#
# 1. How many different *parts* are there? (Hint: four templates `V`, `P D`, `P opposite D`, `P around D`, each once, `twice`
#    or `thrice`; V is walk, look, run or jump, P one of those or turn, D left or right.) Check your count against the 102
#    different training commands of `length_generalization_hardest`.
# 2. What is the longest program that a command of ten parts can have, separators and an end token included?
# 3. Which of the seven tasks would you expect to be the hardest for a network, and why? Keep your answer for lesson 9.

# %%
lesson.end()
