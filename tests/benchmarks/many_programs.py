"""`python -m tests.benchmarks.many_programs --programs 1000000`: samples RobustFill programs of all tasks and checks each of them.

Every program runs without an exception and gives its outputs, no part is empty on any input, and both written forms read back as the
program.
"""

import argparse
import itertools
import time

import compgen_keras as cg
from compgen_keras.benchmarks import TASKS
from compgen_keras.benchmarks.robustfill import parse, program_from_tokens


def check(example):
    program = program_from_tokens(example.program)
    assert program.tokens == example.program, example
    assert program.parts == example.parts, example
    assert parse(str(program)) == program, example
    for given, wanted in example.spec:
        results = [expression.run(given) for expression in program.expressions]
        assert all(results), example
        assert "".join(results) == wanted == program(given), example


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=16_000, help="how many in all (default 16000)")
    options = parser.parse_args()
    streams = [("robustfill", task.identifier, split) for task in TASKS for split in ("train", "test")]
    count = -(-options.programs // len(streams))
    started = time.perf_counter()
    for domain, task, split in streams:
        for example in itertools.islice(cg.benchmarks.load(f"{domain}/{task}").examples(split, endless=True), count):
            check(example)
        print(f"{domain}/{task:<32}{split:<8}{count:>10,} programs checked {time.perf_counter() - started:>8.0f} s", flush=True)


if __name__ == "__main__":
    main()
