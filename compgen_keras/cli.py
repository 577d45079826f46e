"""The command line: `compgen-keras`, or `python -m compgen_keras`."""

import argparse
import ast
import os
import sys
from pathlib import Path

from compgen_keras.cli_grid import add_grid
from compgen_keras.errors import InputError

_DESCRIPTION = "Compositional generalization in neural program synthesis: benchmarks, models and measurements."


def main(arguments=None) -> int:
    """Runs a command.

    Args:
        arguments: list of strings; None: those of the process.

    Returns:
        The exit status: 0, 1 if cells of a grid failed, or 2 after a line that says what was wrong with the input.
    """
    if hasattr(sys.stdout, "reconfigure"):
        # A character that the terminal's encoding lacks is then written as an escape.
        sys.stdout.reconfigure(errors="backslashreplace")
    options = _parser().parse_args(arguments)
    try:
        status = options.run(options)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except InputError as error:
        return _complain(options.command, str(error))
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _complain(options.command, f"{where}{error.strerror or error}.")
    except KeyboardInterrupt:
        print(f"\ncompgen-keras {options.command}: stopped.", file=sys.stderr)
        return 130
    return status or 0


def _complain(command, message):
    print(f"compgen-keras {command}: {' '.join(message.split())}", file=sys.stderr)
    return 2


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message):
        self.exit(2, f"{self.prog}: {' '.join(message.split())} (see {self.prog} --help)\n")


def _parser():
    parser = _Parser(prog="compgen-keras", description=_DESCRIPTION)
    commands = parser.add_subparsers(dest="command", required=True, metavar="command", parser_class=_Parser)
    for add in (
        _add_quickstart,
        _add_train,
        _add_evaluate,
        _add_fine_tune,
        _add_generate,
        _add_report,
        _add_translate,
        _add_show_mask,
        _add_run_program,
        _add_diagnose,
        _add_swap_test,
        _add_split_report,
        _add_worlds,
    ):
        add(commands)
    add_grid(commands, _command, _integer_from)
    return parser


def _command(commands, name, run, help_text, example):
    command = commands.add_parser(
        name,
        help=help_text,
        description=help_text[0].upper() + help_text[1:] + ".",
        epilog=f"example: {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.set_defaults(run=run)
    return command


def _integer_from(least):
    def parse(text):
        try:
            value = int(text)
        except ValueError:
            value = None
        if value is None or value < least:
            raise argparse.ArgumentTypeError(f"{text!r} is no integer from {least}")
        return value

    return parse


def _examples(text):
    if text == "all":
        return None
    try:
        return _integer_from(1)(text)
    except argparse.ArgumentTypeError as error:
        raise argparse.ArgumentTypeError(f"{error}, nor 'all'") from None


def _add_examples(command):
    help_text = "examples of each setting, or 'all' of its split (default 1000)"
    command.add_argument("--examples", type=_examples, default=1000, help=help_text)


def _add_beams(command):
    help_text = "width of a beam search that is graded beside greedy decoding, any beam right counting (default 1: none)"
    command.add_argument("--beams", type=_integer_from(1), default=1, help=help_text)


def _add_training_options(command):
    command.add_argument("--size", default="classroom", help="classroom, paper or cogs (default classroom)")
    command.add_argument("--seed", type=_integer_from(0), default=0, help="of weights and training stream (default 0)")
    command.add_argument("--steps", type=_integer_from(1), help="optimizer steps (default: the size's recipe)")
    command.add_argument("--batch-size", type=_integer_from(1), help="examples a batch (default: the size's recipe)")
    command.add_argument("--precision", default="float32", help="float32, mixed_bfloat16 or mixed_float16")
    command.add_argument("--processes", type=_integer_from(0), default=0, help="worker processes that draw examples (default 0: none)")
    help_text = "every how many epochs (250 steps; size cogs: 500) TensorBoard is shown accuracies and pictures (default 10; 0: never)"
    command.add_argument("--watch", type=_integer_from(0), default=10, help=help_text)
    _add_option(command)
    command.add_argument("--deterministic", action="store_true", help="same seed, same weights, at some cost in time")


def _add_option(command):
    help_text = "an option of the benchmark, such as exposures=100 or folder=path of COGS's own files; may be given several times"
    command.add_argument("--option", type=_option, action="append", default=[], metavar="NAME=VALUE", help=help_text)


def _training_options(options):
    """What `_add_training_options` added, as arguments of `train_run`."""
    names = ("size", "seed", "steps", "batch_size", "precision", "deterministic", "processes", "watch")
    return {**{name: getattr(options, name) for name in names}, "options": dict(options.option)}


def _option(text):
    """A pair of a name and a number, a tuple of numbers, or a string."""
    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier():
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    if name == "folder" and "://" not in value:
        # A run is evaluated from other places too.
        return name, str(Path(value).resolve())
    try:
        return name, ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return name, value


def _start_backend(size="classroom"):
    from compgen_keras.startup import start_quietly

    start_quietly(size)


def _add_quickstart(commands):
    command = _command(
        commands,
        "quickstart",
        _quickstart,
        "train relative_attention and sep_to_last on one task, evaluate and fine-tune both, and show a table beside the paper's",
        "compgen-keras quickstart --run-dir runs/quickstart",
    )
    command.add_argument("--task", default="scan/compose_different_concepts", help="a benchmark's name")
    command.add_argument("--run-dir", default="runs/quickstart", help="the folder to make (default runs/quickstart)")
    _add_examples(command)
    _add_beams(command)
    _add_training_options(command)


def _quickstart(options):
    _start_backend(options.size)
    from compgen_keras.experiments.quickstart import quickstart

    quickstart(options.task, options.run_dir, examples=options.examples, beams=options.beams, **_training_options(options))


def _add_train(commands):
    command = _command(
        commands,
        "train",
        _train,
        "train a model and keep it in a run folder",
        "compgen-keras train scan/length_generalization --model sep_full_attention --run-dir runs/length",
    )
    command.add_argument("task", help='a benchmark\'s name, "<domain>/<task>"')
    command.add_argument("--model", required=True, help="one of the seven variants, lstm or bidirectional_lstm")
    command.add_argument("--run-dir", required=True, help="the folder to make")
    command.add_argument("--resume", action="store_true", help="go on with an interrupted training, from its last checkpoint")
    help_text = "a number of the model that replaces the size's own, such as dropout=0.1; may be given several times"
    command.add_argument("--architecture", type=_option, action="append", default=[], metavar="NAME=VALUE", help=help_text)
    help_text = "devices of this machine that share each batch (default 1)"
    command.add_argument("--devices", type=_integer_from(1), default=1, help=help_text)
    _add_training_options(command)


def _train(options):
    _start_backend(options.size)
    from compgen_keras.experiments.run import train_run

    own = {"resume": options.resume, "devices": options.devices, "architecture": dict(options.architecture)}
    folder = train_run(options.task, options.model, options.run_dir, **own, **_training_options(options))
    print(f"\nmodel        {folder.model_path}  ({folder.training['steps']} steps, {folder.training['seconds']:.0f} s)")
    print(f"TensorBoard  tensorboard --logdir {folder.tensorboard_path}")
    print(f"next         compgen-keras evaluate {folder.path}")


def _add_evaluate(commands):
    command = _command(
        commands,
        "evaluate",
        _evaluate,
        "evaluate a trained model in distribution and on the test split, and again after fine-tuning if it was fine-tuned",
        "compgen-keras evaluate runs/length --examples 1000",
    )
    command.add_argument("run_dir", help="a run folder")
    _add_examples(command)
    _add_beams(command)


def _evaluate(options):
    _start_backend()
    from compgen_keras.experiments.run import evaluate_run
    from compgen_keras.experiments.run_folder import RunFolder

    folder = RunFolder.open(options.run_dir)
    settings = ["in_distribution", "zero_shot"]
    if folder.few_shot_model_path.exists():
        settings += ["few_shot", "few_shot_in_distribution"]
    evaluate_run(folder, settings, examples=options.examples, beams=options.beams)
    _show_results(folder)


def _show_results(folder, *lines):
    from compgen_keras.experiments.report import read_rows, table

    print(table(read_rows([folder.path])) + "\n")
    for line in lines:
        print(line)
    print(f"results      {folder.path / 'evaluations'}, every prediction in {folder.path / 'predictions'}")
    print(f"next         compgen-keras report {folder.path}")


def _add_fine_tune(commands):
    command = _command(
        commands,
        "fine-tune",
        _fine_tune,
        "fine-tune a trained model on 20 + 20 examples for 30 steps, and evaluate it again",
        "compgen-keras fine-tune runs/length",
    )
    command.add_argument("run_dir", help="a run folder")
    _add_examples(command)
    _add_beams(command)


def _fine_tune(options):
    _start_backend()
    from compgen_keras.experiments.run import evaluate_run, fine_tune_run
    from compgen_keras.experiments.run_folder import RunFolder

    folder = RunFolder.open(options.run_dir)
    fine_tune_run(folder)
    evaluate_run(folder, ["few_shot", "few_shot_in_distribution"], examples=options.examples, beams=options.beams)
    _show_results(folder, f"model        {folder.few_shot_model_path}")


def _add_generate(commands):
    command = _command(
        commands,
        "generate",
        _generate,
        "have a trained model write programs",
        'compgen-keras generate runs/length "jump left twice and walk" "run"',
    )
    command.add_argument("model", help="a run folder or a .keras file")
    help_text = "a specification: a SCAN command or a COGS sentence in quotes, or (input, output) pairs as JSON"
    command.add_argument("specs", nargs="+", metavar="spec", help=help_text)
    command.add_argument("--beams", type=_integer_from(1), default=1, help="width of the beam search (default 1: greedy decoding)")


def _generate(options):
    _start_backend()
    from pathlib import Path

    import keras_hub

    from compgen_keras import benchmarks, models

    path = Path(options.model)
    model = models.load(path / "model.keras" if path.is_dir() else path)
    sampler = keras_hub.samplers.BeamSampler(num_beams=options.beams) if options.beams > 1 else "greedy"
    bench = benchmarks.load(model.codec.benchmark)
    for tokens in model.generate([bench.read_spec(text) for text in options.specs], sampler=sampler):
        print(bench.program_text(tokens))


def _add_report(commands):
    command = _command(
        commands,
        "report",
        _report,
        "show runs in one table beside the paper's figures, with a bar chart and some mistakes",
        "compgen-keras report runs/quickstart --output runs/quickstart/report",
    )
    command.add_argument("run_dirs", nargs="+", metavar="run-dir", help="run folders, or folders of them")
    command.add_argument("--output", help="where to write report.txt, report.json and report.png (default: the first run-dir)")
    command.add_argument("--mistakes", type=_integer_from(0), default=3, help="wrong predictions to show for each run (default 3)")


def _report(options):
    _start_backend()
    from compgen_keras.experiments.written_report import write_report

    write_report(options.run_dirs, options.output or options.run_dirs[0], mistakes=options.mistakes)


def _add_translate(commands):
    command = _command(
        commands,
        "translate",
        _translate,
        "translate a SCAN command into its actions",
        'compgen-keras translate "jump left twice and run right after walk thrice" --parts',
    )
    command.add_argument("text", metavar="command", help="a SCAN command, in quotes")
    command.add_argument("--parts", action="store_true", help="a line for each part")


def _translate(options):
    from compgen_keras.benchmarks import scan

    parts = scan.translate(options.text)
    print(("\n" if options.parts else " ").join(" ".join(part) for part in parts))


def _add_show_mask(commands):
    command = _command(
        commands,
        "show-mask",
        _show_mask,
        "show the decompositional mask of a SCAN command's program, as text and as a picture",
        'compgen-keras show-mask "jump left twice and run right after walk thrice" --strategy sep_to_last --output mask.png',
    )
    command.add_argument("text", metavar="command", help="a SCAN command, in quotes")
    command.add_argument("--strategy", default="sep_to_last", help="a mask strategy (default sep_to_last)")
    command.add_argument("--output", default="mask.png", help="the PNG file to write (default mask.png)")


def _show_mask(options):
    _start_backend()
    from compgen_keras.experiments.mask_picture import show_mask

    show_mask(options.text, options.strategy, options.output)


def _add_run_program(commands):
    command = _command(
        commands,
        "run-program",
        _run_program,
        "run a RobustFill program on strings and print its outputs, one a line",
        "compgen-keras run-program 'Concat(ToCase(PROPER)(GetToken(WORD, 1)))' 'ada lovelace' 'alan turing'",
    )
    command.add_argument("program", help="the program's text")
    command.add_argument("inputs", nargs="+", metavar="input", help="a string to run it on")


def _run_program(options):
    from compgen_keras.benchmarks.robustfill import parse

    program = parse(options.program)
    for number, value in enumerate(options.inputs, start=1):
        if any("\ud800" <= character <= "\udfff" for character in value):
            raise InputError(f"input {number} is {value!r}, which is not text in the encoding of your terminal.")
    for output in [program(value) for value in options.inputs]:
        print(output)


def _add_diagnose(commands):
    command = _command(
        commands,
        "diagnose",
        _diagnose,
        "look at where a trained model goes wrong, what it recovers from, how fast it adapts and what a search finds",
        "compgen-keras diagnose runs/length --examples 1000",
    )
    command.add_argument("run_dir", help="a run folder")
    command.add_argument("--examples", type=_integer_from(1), default=1000, help="examples of the test split (default 1000)")
    command.add_argument("--beams", type=_integer_from(1), default=32, help="width of the beam search (default 32)")
    help_text = "numbers of examples of each distribution to fine-tune on (default 0,1,2,5,10,20,50)"
    command.add_argument("--adaptation", type=_integers, default=(0, 1, 2, 5, 10, 20, 50), help=help_text)
    command.add_argument("--output", help="the folder to write to (default: diagnosis in the run folder)")


def _diagnose(options):
    _start_backend()
    from compgen_keras.experiments.diagnosis_files import write_diagnosis

    names = ("run_dir", "examples", "beams", "adaptation", "output")
    write_diagnosis(**{name: getattr(options, name) for name in names})


def _add_swap_test(commands):
    command = _command(
        commands,
        "swap-test",
        _swap_test,
        "exchange one factor between examples that a trained model solves, and see whether its programs change exactly as they must",
        "compgen-keras swap-test runs/factorial --factors verb,repeat",
    )
    command.add_argument("run_dir", help="a run folder")
    command.add_argument("--factors", type=_names, help="the factors to exchange, such as verb,repeat (default: the benchmark's)")
    command.add_argument("--pairs", type=_integer_from(1), default=200, help="pairs for each factor and repeat (default 200)")
    command.add_argument("--repeats", type=_integer_from(1), default=3, help="how often it is repeated (default 3)")
    command.add_argument("--output", help="the folder to write to (default: swap_test in the run folder)")


def _swap_test(options):
    _start_backend()
    from compgen_keras.experiments.swap_test_files import write_swap_test

    write_swap_test(**{name: getattr(options, name) for name in ("run_dir", "factors", "pairs", "repeats", "output")})


def _add_split_report(commands):
    command = _command(
        commands,
        "split-report",
        _split_report,
        "look at what the training and test examples of tasks are made of, and whether the split is fair",
        "compgen-keras split-report scan/iid scan/compose_new_operation --output runs/splits",
    )
    command.add_argument("tasks", nargs="+", metavar="task", help='benchmarks\' names, "<domain>/<task>"')
    command.add_argument("--examples", type=_integer_from(1), default=100_000, help="examples of each side (default 100000)")
    command.add_argument("--seed", type=_integer_from(0), default=0, help="which of the streams (default 0)")
    command.add_argument("--factors", type=_names, help="two factors for the grid, such as verb,repeat (default: the task's own)")
    help_text = "a cell that is meant to be held out, a value of each factor; may be given several times (default: the task's own)"
    command.add_argument("--held-out", type=_names, action="append", metavar="VALUE,VALUE", help=help_text)
    _add_option(command)
    command.add_argument("--output", default="runs/splits", help="where the folders go (default runs/splits)")


def _split_report(options):
    _start_backend()
    from compgen_keras import benchmarks
    from compgen_keras.experiments.split_report_files import write_split_reports

    benches = [benchmarks.load(task, **dict(options.option)) for task in options.tasks]
    names = ("examples", "seed", "factors", "held_out")
    write_split_reports(benches, options.output, **{name: getattr(options, name) for name in names})


def _names(text):
    return tuple(name.strip() for name in text.split(","))


def _add_worlds(commands):
    command = _command(
        commands,
        "worlds",
        _worlds,
        "train models of factorial worlds and measure them in worlds that training never saw (about four minutes)",
        "compgen-keras worlds --run-dir runs/worlds",
    )
    command.add_argument("--run-dir", default="runs/worlds", help="the folder to make (default runs/worlds)")
    command.add_argument("--diagonals", type=_integers, default=(0, 1, 2), help="anti-diagonals to hold out (default 0,1,2)")
    command.add_argument("--seeds", type=_integers, default=(0, 1, 2), help="of weights and batches (default 0,1,2)")
    command.add_argument("--fast", action="store_true", help="a tiny study, which shows that everything works but means nothing")


def _worlds(options):
    _start_backend()
    from compgen_keras import worlds

    worlds.study(options.run_dir, options.diagonals, options.seeds, budget=worlds.TINY if options.fast else None)


def _integers(text):
    return tuple(_integer_from(0)(number) for number in text.split(","))
