"""Decoding: cached against re-running the decoder for every token, time a token as programs grow, and beam search."""

import itertools
import time
from functools import partial

import keras
import keras_hub
import numpy as np
from keras import ops

import compgen_keras as cg
from compgen_keras.data import EOS_ID, PAD_ID, SEP_ID, XLA_LENGTHS, padded_length
from compgen_keras.models.compiled import compiled
from tests.benchmarks.measure import operation_seconds

TASK = "scan/length_generalization"
PARTS = (2, 5, 10, 20, 40)
ROWS = 128
PHRASES = ("jump around left thrice", "run right thrice", "look around left twice", "walk twice", "turn around right thrice")
"""Parts of 24, 6, 16, 2 and 12 tokens: 12 on average, about as many as the benchmark's."""


def load_or_build(model_path, bench):
    """A trained model, or one with fresh weights, whose programs run to the limit."""
    return cg.models.load(model_path) if model_path else cg.models.build("sep_to_last", bench)


def timed(work):
    started = time.perf_counter()
    result = work()
    return time.perf_counter() - started, result


def uncached(model, specs, batch_size=ROWS):
    """Programs written by running the whole decoder again for every token, on programs padded to the longest possible."""
    limit = model.codec.max_program_length

    def write(spec):
        encoded, spec_mask = model.encode(spec, training=False)

        def is_open(index, tokens):
            return (index < limit) & ~ops.all(ops.any(tokens == EOS_ID, axis=1))

        def step(index, tokens):
            logits = ops.take(model.decode(tokens, encoded, spec_mask, training=False), ops.reshape(index, (1,)), axis=1)[:, 0]
            logits = logits - 1e9 * ops.one_hot(PAD_ID, logits.shape[1])
            ended = ops.any(tokens == EOS_ID, axis=1)
            token = ops.where(ended, PAD_ID, ops.cast(ops.argmax(logits, axis=-1), "int32"))
            return index + 1, ops.slice_update(tokens, (0, index + 1), token[:, None])

        batch = ops.shape(spec)[0]
        start = ops.concatenate([ops.full((batch, 1), SEP_ID, dtype="int32"), ops.zeros((batch, limit), dtype="int32")], axis=1)
        return ops.while_loop(is_open, step, (ops.zeros((), "int32"), start))[1]

    function = compiled(model, "uncached", lambda: write)
    encoded = model.codec.encode_specs(specs)
    programs = []
    for first in range(0, len(specs), batch_size):
        batch = encoded.select(np.arange(first, min(first + batch_size, len(specs))))
        ids = batch.padded(padded_length(model.codec.max_spec_length, XLA_LENGTHS))
        programs += [model.codec.decode_program(row[1:]) for row in ops.convert_to_numpy(function(ids))]
    return programs


class Dictation:
    """Makes a model write a given program whatever it reads, so that all variants are timed on the same tokens."""

    def __init__(self, model):
        self.model = model
        self.words = len(model.codec.program_vocabulary)
        self.table = keras.Variable(np.zeros((model.codec.max_program_length + 1, self.words), dtype="float32"))
        self.step = model.decode_step
        model.decode_step = self.dictated_step

    def dictated_step(self, tokens, index, caches, key_values, spec_mask, memory=None):
        logits, caches = self.step(tokens, index, caches, key_values, spec_mask, memory)
        place = index if memory is None else memory.first_position + index
        return logits + ops.take(self.table.value, ops.reshape(place, (1,)), axis=0), caches

    def dictate(self, program):
        rows = 1e6 * keras.utils.to_categorical(program, self.words)
        self.table.assign(np.pad(rows, ((0, self.table.shape[0] - len(program)), (0, 0))))
        if keras.config.backend() != "tensorflow":
            # Elsewhere a compiled function holds the table as it was.
            self.model.__dict__.pop("_compiled_functions", None)


def growth(variant):
    """For each number of parts, seconds a token for a batch, and those of them that are spent in self-attention."""
    figures = {}
    model = cg.models.build(variant, cg.benchmarks.load("scan/iid", parts=(1, max(PARTS))))
    dictation = Dictation(model)
    closing = ["SEP"] if model.codec.separators else []
    for parts in PARTS:
        command = " and ".join(itertools.islice(itertools.cycle(PHRASES), parts))
        actions = cg.benchmarks.scan.translate(command)
        program = [i for part in actions for i in model.codec.program_vocabulary.ids([*part, *closing])] + [EOS_ID]
        dictation.dictate(program)
        write = partial(model.generate, [command] * ROWS)
        assert len(write()[0]) == len(program) - 1
        seconds = min(timed(write)[0] for _ in range(2)) / len(program)
        share = None
        # A profile takes far longer than what it shows.
        if keras.config.backend() == "tensorflow" and parts in (PARTS[0], PARTS[-1]):
            operations = operation_seconds(write)
            share = sum(value for name, value in operations.items() if "/self_attention" in name and "while" in name) / len(program)
        figures[parts] = (seconds, share)
    return figures


def measure(show, model_path, commands):
    bench = cg.benchmarks.load(TASK)
    model = load_or_build(model_path, bench)
    specs = [example.spec for example in itertools.islice(bench.examples("test"), commands)]
    first, programs = timed(lambda: model.generate(specs))
    again, _ = timed(lambda: model.generate(specs))
    few = specs[:ROWS]
    uncached(model, few)
    slow, slow_programs = timed(lambda: uncached(model, few))
    fast, fast_programs = timed(lambda: model.generate(few))
    show(f"decoding {commands} commands of 7-10 parts", first, "s, compilation included")
    show("decoding the same again", again, "s")
    show("decoding: tokens", sum(map(len, programs)) / again, "tokens/s")
    show("decoding: against re-running the decoder", slow / fast, "times")
    show(
        "decoding: programs that differ from that", sum(a != b for a, b in zip(slow_programs, fast_programs, strict=True)), f"of {len(few)}"
    )
    beam = keras_hub.samplers.BeamSampler(num_beams=10)
    model.generate(few, sampler=beam)
    show("decoding: beam 10 against greedy", timed(lambda: model.generate(few, sampler=beam))[0] / fast, "times")
    show("decoding: compiled functions", len(model.__dict__["_compiled_functions"]), "")
    ten = [example.spec for example in itertools.islice(cg.benchmarks.load("scan/iid", parts=(10, 10)).examples("test"), commands)]
    fresh = load_or_build(model_path, cg.benchmarks.load("scan/iid", parts=(10, 10)))
    show(f"decoding {commands} commands of 10 parts", timed(lambda: fresh.generate(ten))[0], "s, compilation included")
    for variant in cg.models.names():
        for parts, (seconds, share) in growth(variant).items():
            show(f"decoding, {variant}, {parts} parts", seconds * 1e6 / ROWS, "us a token")
            if share is not None:
                show(f"decoding, {variant}, {parts} parts: self-attention", share * 1e6 / ROWS, "us a token")
