# %% [markdown]
# # 12. Seven variants on one page: TensorBoard
#
# *Time: about 8 minutes on two cores. You need: lesson 3.*
#
# The paper compares seven models. When you compare many runs, tables come at the end; while they train you want curves.
# TensorBoard shows them in a browser. This lesson trains all seven for a short while, with callbacks that write what
# TensorBoard shows, and tells you how to read the pages.

# %%
from lesson import SETTINGS, Lesson, counts_table

lesson = Lesson("12_tensorboard")

import shutil

import keras
from matplotlib.figure import Figure

import compgen_keras as cg

bench = cg.benchmarks.load("scan/length_generalization")
log_dir = lesson.folder / "tensorboard"
shutil.rmtree(log_dir, ignore_errors=True)

# %% [markdown]
# ## Callbacks
#
# `fit` calls its callbacks at the end of each epoch. Three of these are the package's, the fourth is Keras's own:
#
# - `Generalization` has the model write programs for a small sample of both distributions and writes accuracy, accuracy by
#   number of parts, and some programs as text;
# - `AttentionPictures` draws the decoder's attention on one example;
# - `TokenRate` counts target tokens per second;
# - `keras.callbacks.TensorBoard` writes loss, token accuracy and learning rate.
#
# The sample is small, 64 examples of each distribution, so that watching costs little. It is also **not** the sample that
# results are reported on. Whoever chooses a model by looking at test results has trained on the test set, with a very slow
# optimizer: the person choosing.

# %%
models, watchers = {}, {}
for variant in lesson.choose(cg.models.names(), ("transformer", "sep_to_last")):
    folder = log_dir / variant
    row = cg.models.VARIANTS[variant]
    settings = {"variant": variant, "relative_attention": row.relative_attention, "separators": row.separators, "mask": row.mask}
    cg.training.callbacks.log_hyperparameters(folder, settings)
    watchers[variant] = cg.training.callbacks.Generalization(bench, folder, examples=lesson.choose(64, 2), every=2)
    callbacks = [
        cg.training.callbacks.TokenRate(),
        watchers[variant],
        cg.training.callbacks.AttentionPictures(bench, folder, every=10),
        keras.callbacks.TensorBoard(folder, write_graph=False),
    ]
    models[variant] = lesson.train(variant, bench, steps=1_000, callbacks=callbacks)

# %% [markdown]
# ## What the curves say
#
# The same numbers that TensorBoard shows, as one figure:

# %%
figure = Figure(figsize=(9, 3.4), layout="constrained")
panels = figure.subplots(1, 2, sharey=True)
styles = ("o-", "s--", "^:", "d-.", "v-", "x--", "*:")
for (variant, watcher), style in zip(watchers.items(), styles, strict=False):
    for panel, column in zip(panels, (1, 2), strict=True):
        epochs = [look[0] for look in watcher.history]
        panel.plot(
            epochs, [100 * look[column].accuracy for look in watcher.history], style, color="black", mfc="white", ms=5, label=variant
        )
for panel, title in zip(panels, SETTINGS.values(), strict=True):
    panel.set_title(title, fontsize=10)
    panel.set_xlabel("epochs of 250 steps")
panels[0].set_ylabel("right, %")
panels[1].legend(fontsize=7, frameon=False)
lesson.show(figure, "curves")

# %%
rows = {}
for variant, watcher in watchers.items():
    _, known, new = watcher.history[-1]
    rows[variant] = (f"{100 * known.accuracy:.1f}", f"{100 * new.accuracy:.1f}")
    cg.training.callbacks.log_results(log_dir / variant, {"in_distribution": known.accuracy, "zero_shot": new.accuracy})
counts_table("after 1,000 steps", rows, ("in dist.", "zero-shot"))

# %% [markdown]
# All are at zero on 7 to 10 parts. In distribution, separators help at once, with relative positions and without; a mask on
# top of them does not, this early.
#
# A thousand steps are an eighth of the classroom recipe, and 64 examples leave an interval of some ten percentage points on
# either side. So these numbers tell you which models learn *fast*; they do not tell which ends up best, and small differences
# mean nothing. That, too, is a way to read curves.
#
# ## The pages
#
# Start TensorBoard and open the address that it prints:
#
# ```
# tensorboard --logdir runs/lessons/12_tensorboard/tensorboard
# ```
#
# - **Time series** and **Scalars**: `accuracy` has two curves for each model, `…/in_distribution` and `…/generalization`.
#   Type a part of a name into the filter for runs to see fewer. `epoch_loss`, `epoch_tokens_per_second` and
#   `epoch_learning_rate` come from the training itself. In the first epoch few tokens are counted per second, since
#   compilation is in it.
# - **Images**: `self_attention` shows the mask and what each head looks at. Compare `transformer` with `sep_to_last`: outside
#   the triangles only separators' rows are dark.
# - **Text**: `programs` has what the model wrote for a few examples beside the truth. An `x` marks a wrong part.
# - **HParams**: one line for each run. Tick the columns `relative_attention`, `separators`, `mask`, and sort by
#   `in_distribution` (zero-shot is still 0 everywhere). The *parallel coordinates view* draws each run as a line through its
#   settings and results.
#
# ## Exercises
#
# 1. Which of the three changes — relative positions, separators, masks — makes training faster? Use the HParams page. For
#    what is reached in the end, train longer.
# 2. Find a head in the images of `relative_attention` that always looks one token back. In which block is it?
# 3. Add a callback of your own: how long are the programs that the model writes, compared with the true ones? (Derive it from
#    `keras.callbacks.Callback`, and use `watchers[variant].history`.)

# %%
lesson.end()
