"""A grid's accuracies as a bar chart, in the manner of Figures 4 to 7 of Shi et al."""

from compgen_keras.experiments.bar_chart import STYLES

PAPER_FIGURES = {
    ("scan", "zero_shot"): "Figure 4",
    ("scan", "few_shot"): "Figure 5",
    ("robustfill", "zero_shot"): "Figure 6",
    ("robustfill", "few_shot"): "Figure 7",
}


def grid_figure(summary: dict, setting: str):
    """Draws a group of bars for each benchmark, a bar for each model: the mean over seeds with its standard deviation.

    For a single seed the whisker is the 95% interval over the examples. The paper's mean and standard deviation stand beside it as a
    diamond. A cell that was not run leaves a gap, marked with a cross.

    Args:
        summary: of `compgen_keras.grid.summary.summarise`.
        setting: which evaluations to draw.

    Returns:
        A matplotlib figure.
    """
    from matplotlib.figure import Figure

    benchmarks, models = summary["grid"]["benchmarks"], summary["grid"]["models"]
    figure = Figure(figsize=(12, 3.2 * -(-len(benchmarks) // 2)) if len(benchmarks) > 1 else (7, 4), layout="constrained")
    panels = figure.subplots(-(-len(benchmarks) // 2), min(2, len(benchmarks)), squeeze=False).ravel()
    for panel, benchmark in zip(panels, benchmarks, strict=False):
        _draw(panel, summary["accuracy"].get(setting, {}).get(benchmark, {}), models)
        panel.set_title(benchmark, fontsize=10)
    for panel in panels[len(benchmarks) :]:
        panel.set_axis_off()
    named = {}
    for panel in panels:
        for handle, label in zip(*panel.get_legend_handles_labels(), strict=True):
            named.setdefault(label, handle)
    # Models in their order; what is beside the bars comes last.
    labels = sorted(named, key=lambda label: label not in models)
    figure.legend([named[label] for label in labels], labels, loc="outside lower center", ncols=4, fontsize=8, frameon=False)
    domains = {benchmark.split("/")[0] for benchmark in benchmarks}
    beside = PAPER_FIGURES.get((*domains, setting)) if len(domains) == 1 else None
    title = f"{summary['grid']['name']}: {setting.replace('_', ' ')}"
    figure.suptitle(title + (f" (beside {beside} of Shi et al.)" if beside else ""), fontsize=11)
    return figure


def _draw(panel, found, models):
    for place, model in enumerate(models):
        numbers, style = found.get(model), STYLES[place % len(STYLES)]
        panel.bar(place, numbers["mean"] if numbers else 0, 0.6, edgecolor="black", label=model, **style)
        if numbers is None:
            panel.annotate("×", (place, 0), xytext=(0, 2), textcoords="offset points", ha="center")
            continue
        panel.annotate(f"{numbers['mean']:.1f}", (place, 103), ha="center", fontsize=7)
        if numbers["std"] is not None:
            panel.errorbar(place, numbers["mean"], numbers["std"], color="black", capsize=3, linewidth=1)
        else:
            low, high = numbers["interval_95"]
            reach = [[max(numbers["mean"] - low, 0)], [max(high - numbers["mean"], 0)]]
            panel.errorbar(place, numbers["mean"], reach, color="black", capsize=3, linewidth=1)
        if numbers["paper"]:
            published = numbers["paper"]
            label = "paper, mean ± standard deviation"
            panel.errorbar(
                place + 0.38, published["mean"], published["std"], fmt="D", color="black", mfc="white", ms=4, capsize=2, label=label
            )
    panel.set_xticks([])
    panel.set_ylim(0, 112)
    panel.set_yticks(range(0, 101, 20))
    panel.set_ylabel("solved, %")
    panel.spines[["top", "right"]].set_visible(False)
