# %% [markdown]
# # 16. Factorial worlds: a model of a world that nobody has been in
#
# *Time: half a minute on two fast cores, a minute on slow ones. You need: lesson 3.*
#
# So far the parts were parts of a program. Here they are parts of a *world*. A puck slides on a table, and you push it. What
# happens depends on two mechanisms: the **actuator**, which turns a push into an acceleration, and the **field**, which
# accelerates the puck of its own. A world is a pair of them, and its acceleration is their sum. Five actuators and five fields
# make 25 worlds. Can a model that has been in 20 of them predict the other five, well enough to act in them?

# %%
from lesson import Lesson, counts_table

lesson = Lesson("16_factorial_worlds")

import numpy as np
from matplotlib.figure import Figure

from compgen_keras import worlds
from compgen_keras.worlds.figures import planning_figure, rollout_figure, swap_figure
from compgen_keras.worlds.measurement import measure_bounds
from compgen_keras.worlds.models import TITLES
from compgen_keras.worlds.summary import summarise

for kind, mechanisms in (("actuator", worlds.ACTUATORS), ("field", worlds.FIELDS)):
    for mechanism in mechanisms:
        print(f"{kind:<10}{mechanism.name:<12}{mechanism.meaning}")

# %% [markdown]
# The same start and the same pushes, for two seconds, in the five worlds of the actuator `direct`:

# %%
cells = [(0, field) for field in range(5)]
pushes = np.tile(worlds.draw_trajectories("lesson", [(0, 0)], count=1).actions, (5, 1, 1))
paths = worlds.rollout(worlds.TRUE_DYNAMICS, np.tile([0.5, 0.5, 0.5, 0.0], (5, 1)), pushes, np.array(cells))
figure = Figure(figsize=(5, 4), layout="constrained")
panel = figure.subplots()
for cell, path, style in zip(cells, paths, ("o-", "s--", "^:", "d-.", "x-"), strict=True):
    panel.plot(path[:, 0], path[:, 1], style, color="black", mfc="white", markevery=4, label=worlds.world_name(cell))
panel.set_aspect("equal", adjustable="datalim")
panel.set_xlabel("x, m")
panel.set_ylabel("y, m")
panel.legend(fontsize=8, frameon=False)
lesson.show(figure, "paths")

# %% [markdown]
# ## What is held out
#
# If we drew test *trajectories* at random, every world would be in training as well, and memorising 25 worlds would do. So we hold out
# worlds: an anti-diagonal of the grid. Each row and each column loses one world and keeps four.

# %%
budget = lesson.choose(worlds.Budget(), worlds.TINY)
split = worlds.HoldOut.anti_diagonal(1)
data = worlds.SplitData.draw(split, budget)
header = tuple(mechanism.name for mechanism in worlds.FIELDS)
grid = {a.name: tuple("held out" if (i, j) in split.held_out else "·" for j in range(5)) for i, a in enumerate(worlds.ACTUATORS)}
counts_table("", grid, header)
print(f"\n{len(data.training)} training trajectories of 20 random pushes each")

# %% [markdown]
# That each mechanism *appears* in training is not enough: it must have been seen where the held-out world needs it. For each
# held-out world, the share of its states that fall in bins (one standard deviation wide, in all four coordinates) that hold
# training states of its row, the same actuator, and of its column, the same field. The excitation says that pushes vary in both
# directions; for uniform ones it is 1/3.

# %%
rows = {}
for world in worlds.support(split, data.training, data.test, data.scaling):
    row, column = world["row"], world["column"]
    rows[world["world"]] = (f"{100 * row['in_bins']:.0f}%", f"{100 * column['in_bins']:.0f}%", f"{row['excitation']:.2f}")
counts_table("held-out world", rows, ("row", "column", "excitation"))

# %% [markdown]
# ## Three models
#
# All three are trained with `fit` on single steps: state and push in, change of state out. They have the same data, the same number of
# steps and nearly the same number of parameters.
#
# - `factored`: a network for the actuator, told the actuator alone, and one for the field, told the field alone. Their outputs add up.
# - `joined_factors`: one network, told both.
# - `world_id`: one network, told the number of the world, from 0 to 24, by an embedding. This is the **categorical baseline**. The
#   embedding of a world that training never showed is what it was before training: random numbers.
#
# ## Predict first
#
# **Write down**: which models will be about equally good in the training worlds? In the held-out worlds, will `joined_factors` be nearer to
# `factored` or to `world_id`? And if a planner uses each model to reach a goal in a held-out world: how often will it get there, and how
# often will the model *believe* it gets there?

# %%
models = {name: worlds.train_model(name, data.training, steps=budget.training_steps) for name in worlds.MODELS}
found = {name: worlds.measure(model, data, budget) for name, model in models.items()}
print({TITLES[name]: numbers["parameters"] for name, numbers in found.items()})

# %% [markdown]
# ## One step, and twenty
#
# The *one-step error* starts from true states. The *rollout error* feeds predictions back while the same pushes are replayed, and is the
# mean of steps 1 to 20. Both are root mean squares in standard deviations of the training states. The exponent b says how the rollout
# error grows, as step^b.

# %%
rows = {}
for name, numbers in found.items():
    known, new = (numbers["errors"][kind] for kind in ("training", "held_out"))
    errors = [f"{errors[what]:.3f}" for what in ("one_step", "rollout") for errors in (known, new)]
    rows[TITLES[name]] = (*errors, f"{new['growth']['by_step']:.2f}")
counts_table("", rows, ("1 step, known", "1 step, new", "20 steps, known", "20 steps, new", "growth b, new"))
pairs = [{"model": name, "diagonal": 1, "seed": 0, **numbers} for name, numbers in found.items()]
lesson.show(rollout_figure({"pairs": pairs}), "rollout")

# %% [markdown]
# In worlds they know, the three are within a factor of two of each other. In new worlds only the factored model is as good as before: the
# baseline's rollouts are off by about twenty times as much as in worlds it knows. Telling one network both factors helps a lot, and still
# leaves it several times worse than the factored model: knowing *which* parts there are is not knowing *how they go together*.
#
# No curve shoots up, as that of an unstable model would: errors grow a little more slowly than the number of steps (b is below 1). So the
# baseline is not unstable but wrong, from the first step on.
#
# ## Good enough to act on?
#
# A puck at rest is to be at a goal 1.25 m away two seconds later. The **cross-entropy method** draws plans, keeps those that
# the model likes best, draws new ones near them, and so on. The best plan is then carried out in the true world, without
# looking. Within 0.2 m is a success. Two bounds: a planner that knows the true dynamics, and random pushes.

# %%
bounds = measure_bounds(data, budget)
planners = {"true dynamics": bounds["true_dynamics"], **{TITLES[name]: numbers["planning"] for name, numbers in found.items()}}
planners["random pushes"] = bounds["random_pushes"]
rows = {}
for name, planning in planners.items():
    new = planning["held_out"]
    predicted = "–" if new["predicted"] is None else f"{-new['predicted']:.2f} m"
    reached = [f"{100 * planning[kind]['success']:.0f}%" for kind in ("training", "held_out")]
    rows[name] = (*reached, predicted, f"{-new['realised']:.2f} m")
counts_table("planner believes", rows, ("goals, known", "goals, new", "distance, predicted", "distance, realised"))
lesson.show(planning_figure({"summary": summarise(pairs, {"1": bounds})}), "planning")

# %% [markdown]
# The baseline is no better than random pushes in new worlds, and does not know it: it promises to end within a hand's breadth of the goal.
# Look at `joined factors` too. Its rollouts were five times better than the baseline's, and yet most of its plans fail, and end twice
# as far from the goal as predicted. A planner that looks for the best plan also finds the errors that flatter it, so the error on random
# pushes does not tell how good plans are. That is why planning is measured.
#
# ## The swap test
#
# Start in a training world and exchange one mechanism. Does the prediction change as the true world does? A swap *passes* when
# the error of the predicted change is below a quarter of the true change. Each swap into a held-out world has three matched
# *controls*: the same exchange between two training worlds.

# %%
rows = {}
for name, numbers in found.items():
    for factor in ("actuator", "field"):
        cells = [numbers["swap"][factor][kind] for kind in ("held_out", "control")]
        rows[f"{TITLES[name]}, {factor}"] = tuple(f"{100 * cell['passed']:.0f}% ({cell['median']:.2f})" for cell in cells)
counts_table("passed (median error)", rows, ("into held-out", "control"))
lesson.show(swap_figure({"pairs": pairs}), "swap")

# %% [markdown]
# Nearly all controls pass, whatever the model. Into new worlds the baseline passes none: nothing ties the number of one world
# to that of another. For the factored model the two columns are the same, and that is no finding: its predicted change cannot
# depend on the other factor, because the contributions add up. What the test finds out about it is whether each part was
# learned.
#
# ## A few trajectories of the new world
#
# Now each model may see n trajectories of one held-out world and is fine-tuned for a fixed number of steps. The control gets as many
# trajectories of training worlds.

# %%
print(f"the new world: {found['factored']['adaptation']['world']}, rollout error in it")
results = {name: numbers["adaptation"]["results"] for name, numbers in found.items()}
places = range(len(results["factored"]))
rows = {}
for place in places:
    first = results["factored"][place]
    title = f"{first['trajectories']} of {'training worlds' if first['source'] == 'control' else 'the new world'}"
    rows[title] = tuple(f"{results[name][place]['new_world']:.3f}" for name in models)
counts_table("trajectories", rows, tuple(TITLES[name] for name in models))

# %% [markdown]
# The baseline learns much about the new world from ten trajectories, and nothing from the control: it was the world that it
# lacked, not more training. The factored model has nothing to gain: a single trajectory makes it worse, and with ten it is back
# where it was. Do not read "the baseline adapts best" out of this. The models start from different places, with an optimizer
# that was chosen for none of them, and the baseline forgets: `results["world_id"][4]["training_worlds"]` is its error in the
# training worlds after the ten trajectories.
#
# ## What this does and does not show
#
# The worlds add up, and the factored model was *told* that they do, and told which factors there are. It shows that such a
# model learns parts that fit together in new pairs, and that a number for each world does not. It does not show that a network
# would find the factors by itself, nor what happens where mechanisms interact. `compgen-keras worlds` repeats all of this for
# three diagonals and three seeds.
#
# ## Exercises
#
# 1. Hold out another diagonal. Which of this lesson's numbers change, and which conclusions?
# 2. Hold out two diagonals at once: `worlds.HoldOut(training, held_out)` takes any cells. How few training worlds does the factored model
#    need? With which cells can the sum be learned at all? (Think of the actuators and fields as the two sides of a graph, and of training
#    worlds as its edges.)
# 3. Give the baseline the mean of the trained embeddings for worlds it does not know: `found["world_id"]["mean_embedding"]` has its errors.
#    How much of its error was due to random numbers?
# 4. Make the worlds *interact*: in a copy of `TrueDynamics`, multiply the actuator's acceleration by a number that depends on the field.
#    Which model suffers, and what would a factored model for such worlds look like?
# 5. `planning_success` makes a plan once. Write a planner that plans again after every step, from the true state. Which models does it
#    help, and why does it help even the wrong ones?

# %%
lesson.end()
