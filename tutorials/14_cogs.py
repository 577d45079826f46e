# %% [markdown]
# # 14. COGS: a known word in a new place, a known phrase deeper down
#
# *Time: about 5 minutes on two fast cores, 10 on slow ones. You need: lessons 2 and 3.*
#
# The programs of this lesson are **logical forms**: what an English sentence says, written so that a machine can use it. Turning
# sentences into them is called **semantic parsing**. COGS (Kim and Linzen 2020) asks of it what the other lessons ask of SCAN, with
# one set of training sentences and 21 ways of going beyond it.

# %%
from lesson import Lesson, counts_table

lesson = Lesson("14_cogs")

from collections import Counter

import compgen_keras as cg
from compgen_keras.benchmarks.cogs import logical_form

bench = cg.benchmarks.load("cogs/all")
sentence = "The girl said that a dog found the cake on a table ."
print(sentence)
for part in bench.parts_of(tuple(logical_form(sentence).split())):
    print("   ", " ".join(part))

# %% [markdown]
# `x _ 5` is "whatever word 5 stands for", counted from 0: the first word, `The`, is word 0. Definite nouns (`the`) come first, each
# with a star; then, joined by `AND`, who does what: the *agent* acts, the *theme* is acted upon, `ccomp` leads to the clause behind
# `that`, `nmod` from a noun to what modifies it. Each line is one **part**: a definite noun with its `;`, or one statement with the
# `AND` behind it. In models with separators, a SEP follows each.
#
# `logical_form` is no model: it is a parser with a rule for each construction, and never wrong on these sentences. What
# interests us is whether a network *learns* such rules.
#
# ## Two kinds of new
#
# **Lexical** cases put a known word into a place where training has not shown it. Training shows `hedgehog` once, as a subject:

# %%
train = bench.corpus.train
print([example.spec for example in train if "hedgehog" in example.spec.split()])
for example in [example for example in bench.examples("test", seed=9) if example.case == "subj_to_obj_common"][:3]:
    print("test: ", example.spec)

# %% [markdown]
# Every structure here is one that training shows thousands of times, with other words. **Structural** cases are the opposite: all
# words are well known, and the *tree* is new. Training has no more than two clauses behind `that` inside one another, and no more
# than two prepositional phrases (`on the mat`); and such phrases stand on objects, never on subjects:

# %%


def depth(example):
    return min(4, example.spec.split().count("that"))


deep = cg.benchmarks.load("cogs/cp_recursion")
counts = {"train": Counter(map(depth, train)), "cp_recursion": Counter(map(depth, deep.examples("test")))}
counts_table(
    "clauses behind `that`", {("4 or more" if n == 4 else n): tuple(counts[name][n] for name in counts) for n in range(5)}, tuple(counts)
)
for case in ("obj_pp_to_subj_pp", "pp_recursion"):
    print(f"{case}:  {next(cg.benchmarks.load(f'cogs/{case}').examples('test', seed=9)).spec}")

# %% [markdown]
# The 21 cases: 18 lexical, 3 structural.
#
# ## Predict first
#
# You will train `relative_attention`, the same with separators, and `sep_to_last`, whose decoder sees of earlier parts only what
# their separators say (lesson 2). **Write down**: which kind of case is harder for a Transformer? On which of them could the mask
# help, and could it do harm? Think of what a part must know of the other parts here: the `x _ 5` of one part is that of another.

# %%
names = ("relative_attention", "relative_attention_separators", "sep_to_last")
models = {name: lesson.train(name, bench, steps=2_500) for name in names}

# %%
SETTINGS = {"valid": ("in distribution", 500), "test": ("zero-shot", 1_050)}
results = {name: {split: lesson.evaluate(model, bench, split, n) for split, (_, n) in SETTINGS.items()} for name, model in models.items()}


def percent(right, total):
    return f"{100 * right / total:.1f}%" if total else "–"


GROUPS = ("lexical", "structural")
rows = {}
for name, of_model in results.items():
    known, by_group = of_model["valid"], of_model["test"].cases.by_group
    cells = [by_group.get(group, cg.evaluation.CaseResult()) for group in GROUPS]
    rows[name] = (percent(sum(known.correct), len(known.correct)), *(percent(cell.correct, cell.examples) for cell in cells))
counts_table("right", rows, ("in distribution", *(f"{group} cases" for group in GROUPS)))

# %% [markdown]
# ## Case by case
#
# Fifty sentences of each:

# %%
rows = {}
for case in bench.groups:
    cells = [results[name]["test"].cases.by_case.get(case, cg.evaluation.CaseResult()) for name in names]
    rows[case] = tuple(percent(cell.correct, cell.examples) for cell in cells)
counts_table("zero-shot", rows, names)

# %% [markdown]
# ## What is wrong?
#
# Each wrong form has a first fault, of five kinds. *Invalid form*: it spells no logical form. *Ends early*: too few parts. *Wrong
# structure*: other words or relations. *Wrong role*: the agent where the theme belongs, `on` for `in`. *Wrong index*: all there, but
# `x _ 5` where `x _ 7` belongs. *Same meaning* counts what is right up to the names of the variables and the order of the parts.

# %%
for group in GROUPS:
    rows = {}
    for name, of_model in results.items():
        cell = of_model["test"].cases.by_group.get(group, cg.evaluation.CaseResult())
        counted = (cell.correct, cell.same_meaning, *(cell.errors[kind] for kind in bench.error_kinds))
        rows[name] = tuple(percent(count, cell.examples) for count in counted)
    counts_table(f"{group} cases", rows, ("right", "same meaning", *bench.error_kinds))

# %% [markdown]
# ## A look at mistakes

# %%
shown = results["sep_to_last"]["test"]
for case in ("subj_to_obj_common", "obj_pp_to_subj_pp"):
    wrong = [i for i, example in enumerate(shown.examples) if example.case == case and not shown.correct[i]]
    for index in wrong[:1]:
        print(case)
        print(cg.evaluation.aligned(shown.examples[index], shown.predictions[index], bench=bench) + "\n")

# %% [markdown]
# ## What the paper found
#
# Kim and Linzen's Transformer reached 96% in distribution and 35% (± 6) over all cases, their LSTMs 99% and 32% (± 6), with two
# directions 99% and 16% (± 8); on the structural cases all were near zero (five seeds each). Their models are larger and saw each
# training sentence more often. The site's page on COGS has our results at classroom size for the whole test set.
#
# ## Exercises
#
# 1. `cg.benchmarks.load("cogs/all", exposures=100)` shows each word of the lexical cases in 100 sentences in place of one. Train on it.
#    Which cases does it help, and why not the structural ones?
# 2. A part here needs the index of a noun that another part has introduced. Design a mask strategy that lets a token see all separators
#    *and* the part before (lesson 2). What does it change?
# 3. Give a sentence two readings: find one in which `on the mat` could modify either noun. Which one does `logical_form` take? Could a
#    model trained on these sentences ever take the other?
# 4. Write ten sentences of your own with words of training only, predict for each whether a model gets it right, and test yourself with
#    `model.generate`.

# %%
lesson.end()
