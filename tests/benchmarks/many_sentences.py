"""`python -m tests.benchmarks.many_sentences --sentences 100000`: generates COGS sentences and reads each of them back.

The parser must find the logical form that a sentence was generated with, and the form's parts must spell it. Three quarters of the
sentences are of the training distribution, the others of the 21 generalization cases.
"""

import argparse
import itertools
import time

from compgen_keras.benchmarks.cogs import CASES, logical_form, sentences
from compgen_keras.benchmarks.cogs.meaning import parts_of_form


def check(said):
    form = str(said.meaning)
    assert logical_form(said.sentence) == form, said.sentence
    assert " ".join(token for part in parts_of_form(form) for token in part) == form, said.sentence


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sentences", type=int, default=10_000, help="how many in all (default 10000)")
    options = parser.parse_args()
    of_cases = max(1, options.sentences // (4 * len(CASES)))
    streams = [(case.task.identifier, case.statements(seed=0), of_cases) for case in CASES]
    streams.append(("training distribution", sentences(), max(1, options.sentences - of_cases * len(CASES))))
    started, checked = time.perf_counter(), 0
    for name, stream, count in streams:
        for said in itertools.islice(stream, count):
            check(said)
        checked += count
        print(f"{name:<56}{count:>8,} sentences read back {time.perf_counter() - started:>6.0f} s", flush=True)
    print(f"{checked:,} sentences read back to the logical forms they were generated with")


if __name__ == "__main__":
    main()
