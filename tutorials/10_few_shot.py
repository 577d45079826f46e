# %% [markdown]
# # 10. Few-shot: twenty examples, thirty steps
#
# *Time: about 3 minutes on two fast cores, 9 on slow ones. You need: lesson 9.*
#
# Zero-shot is a hard measure: the model gets no hint that the world has changed. In practice one often has a few examples of
# the new kind. So the paper asks a second question: **how fast does a model learn the new combination, once it has seen
# some?** The trained model is fine-tuned on a single batch of 40 examples, 20 of the training distribution and 20 of the test
# distribution, for 30 steps. Then it is measured again.

# %%
from lesson import STREAM, Lesson, counts_table, mistakes, papers_figures

lesson = Lesson("10_few_shot")

import keras
from matplotlib.figure import Figure

import compgen_keras as cg

bench = cg.benchmarks.load("scan/add_operation_functionality")

# %% [markdown]
# ## The batch
#
# Examples of the two distributions alternate. Those of the test distribution contain `around right`, the gap of lesson 9. All
# models get the same batch, and no example of it is among the test examples of the same stream. (Of the training
# distribution, a short command can be in the batch and in the sample that we measure on; and the callback below looks at test
# examples of another stream, a few of which are in the batch.)

# %%
few_shot = list(bench.examples("few_shot", seed=STREAM))
for example in few_shot[:4]:
    print(example.spec)
print(len(few_shot), "examples,", sum("around right" in example.spec for example in few_shot), "of them with `around right`")

# %% [markdown]
# Why the 20 examples of the *training* distribution? Because a network that is trained on new examples only soon forgets the
# old ones. This is called **catastrophic forgetting**. The 20 old examples work against it; how well, we shall measure.
#
# ## Train, and measure zero-shot

# %%
names = ("relative_attention", "sep_to_last")
models = {name: lesson.train(name, bench, steps=4_000) for name in names}
results = lesson.compare(models, bench)

# %% [markdown]
# ## Predict first
#
# Thirty steps are little: training took 4,000. The learning rate is small, too (1e-4, constant). **Write down**: by how much
# will each model get better on the test distribution? And how much worse in distribution?
#
# ## Fine-tune
#
# `cg.training.fine_tune` is a call of `fit` on that one batch, an epoch a step. A `Generalization` callback looks every ten
# steps. (It looks at 200 examples of each distribution, of a stream of its own, so that its first numbers differ a little
# from those above.)

# %%
starts = {name: models[name].get_weights() for name in names}
curves = {}
for name in names:
    watch = cg.training.callbacks.Generalization(bench, examples=lesson.choose(200, 2), every=lesson.choose(10, 1))
    watch.set_model(models[name])
    watch.look(0)
    cg.training.fine_tune(models[name], bench, seed=STREAM, steps=lesson.choose(30, 1), callbacks=[watch], run_eagerly=lesson.fast)
    curves[name] = [(steps, known.accuracy, new.accuracy) for steps, known, new in watch.history]
rows = {f"{name}, {steps} steps": (f"{100 * known:.1f}", f"{100 * new:.1f}") for name in names for steps, known, new in curves[name]}
counts_table("after", rows, ("in dist.", "test dist."))

# %%
figure = Figure(figsize=(8, 3), layout="constrained")
panels = figure.subplots(1, 2, sharey=True)
for panel, column, title in zip(panels, (1, 2), ("in distribution", "test distribution"), strict=True):
    for name, style in zip(names, ("o-", "s--"), strict=True):
        panel.plot(
            [row[0] for row in curves[name]], [100 * row[column] for row in curves[name]], style, color="black", mfc="white", label=name
        )
    panel.set_title(title, fontsize=10)
    panel.set_xlabel("steps of fine-tuning")
    panel.set_ylim(-5, 105)
panels[0].set_ylabel("right, %")
panels[0].legend(fontsize=8, frameon=False)
lesson.show(figure, "fine_tuning")

# %% [markdown]
# What is still wrong after thirty steps?

# %%
tuned = {name: lesson.evaluate(models[name], bench, "test") for name in names}
for name in names:
    print(f"{name}: {100 * tuned[name].accuracy:.1f}% of the test examples that it was first measured on\n")
    mistakes(tuned[name], bench, count=2)

# %% [markdown]
# ## The control
#
# Did the model learn from the 20 *new* examples, or would any 30 steps have done? A careful experiment has a control: the
# same 30 steps on 40 examples of the training distribution alone.

# %%
model = models["sep_to_last"]
model.set_weights(starts["sep_to_last"])
batches = cg.data.TrainingBatches(bench, model.codec, batch_size=40, seed=STREAM, window=1)
inputs, targets = batches[0]
optimizer = keras.optimizers.AdamW(1e-4, beta_1=0.9, beta_2=0.98, epsilon=1e-9, weight_decay=0.1)
model.compile(**cg.training.compile_arguments(optimizer), run_eagerly=lesson.fast)
model.fit(inputs, targets, batch_size=40, epochs=lesson.choose(30, 1), shuffle=False, verbose=0)
rows = {
    "before": (f"{100 * results['sep_to_last', 'test'].accuracy:.1f}",),
    "20 + 20 examples": (f"{100 * tuned['sep_to_last'].accuracy:.1f}",),
    "40 training examples": (f"{100 * lesson.evaluate(model, bench, 'test').accuracy:.1f}",),
}
counts_table("sep_to_last, after 30 steps on", rows, ("test dist.",))

# %% [markdown]
# ## What the paper found

# %%
papers_figures("add_operation_functionality")

# %% [markdown]
# ## Exercises
#
# 1. How few new examples are enough? Make batches of 1 + 1, 2 + 2, 5 + 5 and 10 + 10: the first 2k rows of
#    `cg.training.few_shot_batch(bench, model.codec)` are k + k examples.
# 2. Fine-tune without the 20 training examples. How much is forgotten?
# 3. Repeat with `scan/length_generalization`. There the paper's models gain much less. Why might one missing cell of a table
#    be easier to mend than a length?

# %%
lesson.end()
