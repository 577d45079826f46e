"""A swap test in words and tables, as Markdown."""

from compgen_keras.diagnostics.share import Share
from compgen_keras.diagnostics.text import percent, percent_with_interval, table
from compgen_keras.swap_test.draw import DISCARDS
from compgen_keras.swap_test.factor_result import KINDS
from compgen_keras.swap_test.repeated import Difference, Repeated
from compgen_keras.swap_test.swap_test import SwapTest

KIND_NAMES = {"all": "all", "in_training": "training has it", "held_out": "held out"}


def swap_test_text(found: SwapTest) -> str:
    """A report: the main numbers in one table, then a table for each section.

    Args:
        found: the swap test.
    """
    sections = (
        f"# {found.variant} on {found.benchmark}: swap test",
        _what_was_done(found),
        *_shortages(found),
        table(
            ("factor", "swaps", "right", "mean ± deviation", "right, training has it", "right, held out", "control", "swaps less control"),
            _summary_rows(found),
        ),
        "## What changes",
        "The parts that must change, by themselves; all other parts, which must stay as they were; and both, the whole program.",
        table(("factor", "result", "swaps", "changed parts right", "other parts unchanged", "all right"), _part_rows(found)),
        "## Two directions",
        "Pairs by which of the two directions is right, and McNemar's exact test of both being equally hard. First the pairs in which"
        " training has the result of one direction and lacks that of the other:",
        table(
            ("factor", "pairs", "both", "only training has it", "only held out", "neither", "p"),
            [_pairs_row(factor, result.by_training) for factor, result in found.factors.items()],
        ),
        "Then all pairs, by which of the two values is rarer in training:",
        table(
            ("factor", "pairs", "both", "only into the rarer", "only into the more frequent", "neither", "p"),
            [_pairs_row(factor, result.by_frequency) for factor, result in found.factors.items()],
        ),
        "## Values",
        "By the value that an element gets, whatever it had before.",
        table(("factor", "new value", "swaps", "right"), _value_rows(found)),
        "## Matched control",
        "Swaps that have a control, and these controls: as many parts, a program nearly as long, drawn from the training distribution,"
        " and training has the combinations that they lead to. The interval takes both sides as independent; mean and deviation are those"
        " of the repeats' differences.",
        table(
            ("factor", "result", "swaps with control", "right", "control right", "difference", "mean ± deviation", "tokens apart"),
            _control_rows(found),
        ),
        "## Drawing",
        "Pairs that were used, and why others were not: " + "; ".join(f"*{name}*: {meaning}" for name, meaning in DISCARDS.items()) + ".",
        table(("factor", "repeat", "drawn for", "used", "wanted", *DISCARDS, "examples", "solved"), _draw_rows(found)),
    )
    return "\n\n".join(sections) + "\n"


def _what_was_done(found):
    repeats = f"{found.repeats} repeats, each" if found.repeats > 1 else "1 repeat,"
    return (
        f"{repeats} with up to {found.pairs:,} pairs of examples of the split {found.split!r}, seed {found.seed}. The examples of a pair"
        " are solved, and their chosen elements share no factor's value. Each gets the other's value of one factor; the new program is"
        " right or not. *Training has it*: all combinations of two values in the changed element occur in"
        f" {found.training_examples:,} training examples; *held out*: one of them does not. Intervals are of 95%, as if swaps were"
        " independent; one trained model, one seed of its weights."
    )


def _shortages(found):
    lines = []
    for factor, result in found.factors.items():
        draws = [repeat.draw for repeat in result.repeats]
        used, wanted = sum(len(draw.pairs) for draw in draws), sum(draw.wanted for draw in draws)
        if used < wanted:
            examples, solved = sum(draw.examples for draw in draws), sum(draw.solved for draw in draws)
            how_many = f"only {used:,} of {wanted:,} pairs" if used else f"no pair, of {wanted:,}"
            lines.append(
                f"- **{factor}**: {how_many} could be had. The model solves {solved:,} of the {examples:,} examples that were looked at;"
                " what else stood in the way is said under *Drawing*."
            )
    return ["\n".join(lines)] if lines else []


def _summary_rows(found):
    return [
        (
            factor,
            f"{result.right().total.of:,}",
            percent_with_interval(result.right().total),
            _mean_and_deviation(result.right()),
            percent_with_interval(result.right("in_training").total),
            percent_with_interval(result.right("held_out").total),
            percent_with_interval(result.difference().control.total),
            _difference_with_interval(result.difference()),
        )
        for factor, result in found.factors.items()
    ]


def _part_rows(found):
    return [
        (
            factor,
            KIND_NAMES[kind],
            f"{result.right(kind).total.of:,}",
            *(percent(measure(kind).total) for measure in (result.changed_right, result.others_right, result.right)),
        )
        for factor, result in found.factors.items()
        for kind in KINDS
    ]


def _pairs_row(factor, pairs):
    counts = (pairs.pairs, pairs.both, pairs.only_first, pairs.only_second, pairs.neither)
    return factor, *(f"{count:,}" for count in counts), f"{pairs.p_value:.2g}" if pairs.pairs else "–"


def _value_rows(found):
    return [
        (factor, value, f"{share.of:,}", percent_with_interval(share))
        for factor, result in found.factors.items()
        for value, share in result.into.items()
    ]


def _control_rows(found):
    rows = []
    for factor, result in found.factors.items():
        apart = result.difference_in_length()
        for kind in KINDS:
            difference = result.difference(kind)
            matched, every = difference.treatment.total, result.right(kind).total
            rows.append(
                (
                    factor,
                    KIND_NAMES[kind],
                    f"{matched.of:,} of {every.of:,}",
                    percent(matched),
                    percent(difference.control.total),
                    _difference_with_interval(difference),
                    _mean_and_deviation(difference, sign="+"),
                    "–" if apart is None or kind != "all" else f"{apart:.1f}",
                )
            )
    return rows


def _draw_rows(found):
    rows = []
    for factor, result in found.factors.items():
        for number, repeat in enumerate(result.repeats, start=1):
            for name, draw in (("swaps", repeat.draw), ("control", repeat.control_draw)):
                if draw is not None:
                    counts = (len(draw.pairs), draw.wanted, *draw.discarded.values(), draw.examples)
                    solved = percent(Share(draw.solved, draw.examples))
                    rows.append((factor, str(number), name, *(f"{count:,}" for count in counts), solved))
    return rows


def _mean_and_deviation(found: Repeated | Difference, sign=""):
    if found.mean is None:
        return "–"
    deviation = "" if found.deviation is None else f" ± {100 * found.deviation:.1f}"
    return f"{100 * found.mean:{sign}.1f}{deviation}"


def _difference_with_interval(difference):
    if difference.value is None:
        return "–"
    low, high = difference.interval
    return f"{100 * difference.value:+.1f} [{100 * low:+.1f}, {100 * high:+.1f}]"
