"""What a whole process takes: time to start, and peak resident memory."""

import subprocess
import sys
import time

_PEAK = "import resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20)"

_TRAIN = """
import compgen_keras as cg
bench = cg.benchmarks.load("scan/length_generalization_hard")
model = cg.models.build("sep_to_last", bench)
model.compile(**cg.training.recipe("classroom"))
model.fit(cg.data.TrainingBatches(bench, model.codec, batch_size=32), steps_per_epoch=500, verbose=0, shuffle=False)
"""

_DECODE = """
import itertools
import compgen_keras as cg
bench = cg.benchmarks.load("scan/length_generalization")
model = cg.models.build("sep_to_last", bench)
# The worst case, and the same however many commands there are: every program runs to the limit in one part.
model.logits.bias.assign([1e4 if token == "JUMP" else 0 for token in ("PAD", "SEP", "EOS", *model.codec.program_vocabulary.tokens)])
programs = model.generate([example.spec for example in itertools.islice(bench.examples("test"), {commands})])
import sys
print(sum(sys.getsizeof(program) for program in programs) / 2**30)
"""


def run(code):
    """Seconds that a fresh Python process takes for this code, and what it prints, as numbers."""
    started = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return time.perf_counter() - started, [float(line) for line in done.stdout.split()]


def measure(show, commands):
    def command_line(*arguments):
        started = time.perf_counter()
        subprocess.run([sys.executable, "-m", "compgen_keras", *arguments], capture_output=True, check=True)
        return time.perf_counter() - started

    show("start: compgen-keras --help", min(command_line("--help") for _ in range(3)), "s")
    seconds, (modules,) = run(
        "import sys, compgen_keras; print(sum(m.split('.')[0] in ('tensorflow', 'keras', 'jax') for m in sys.modules))"
    )
    show("start: import compgen_keras", seconds, "s")
    show("start: modules of TensorFlow, Keras or JAX in that", modules, "")
    quiet = "from compgen_keras.startup import start_quietly; start_quietly()\n"
    show("memory: a training run of 500 steps", run(quiet + _TRAIN + _PEAK)[1][0], "GiB at most")
    for count in (commands, 10 * commands):
        predictions, peak = run(quiet + _DECODE.format(commands=count) + _PEAK)[1]
        show(f"memory: decoding {count} commands", peak, "GiB at most")
        show(f"memory: the predictions of {count} commands", predictions, "GiB")
