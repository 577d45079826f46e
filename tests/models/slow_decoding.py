"""Decoding as its definition says: the whole model is run anew for every token."""

import numpy as np

from compgen_keras.data import EOS_ID, PAD_ID, SEP_ID


def log_probabilities(model, specs, programs):
    """Of the next token after each program, by running the whole model on it, padded to the longest possible."""
    length = model.codec.max_program_length + 1
    padded = np.zeros((len(programs), length), dtype="int32")
    for row, program in zip(padded, programs, strict=True):
        row[: len(program)] = program
    logits = np.array(model.predict_on_batch({"spec": model.codec.encode_specs(specs).padded(12), "program": padded}), dtype="float64")
    logits = logits[np.arange(len(programs)), [len(program) - 1 for program in programs]]
    logits[:, PAD_ID] = -1e9
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def greedy_without_cache(model, specs):
    programs = [[SEP_ID] for _ in specs]
    for _ in range(model.codec.max_program_length):
        tokens = log_probabilities(model, specs, programs).argmax(axis=-1)
        for program, token in zip(programs, tokens, strict=True):
            if program[-1] != EOS_ID:
                program.append(int(token))
    return [model.codec.decode_program(program[1:]) for program in programs]


def beams_without_cache(model, specs, count):
    """Beam search as its definition says, finished programs kept as they are."""
    beams = [[((SEP_ID,), 0.0)] for _ in specs]
    for _ in range(model.codec.max_program_length):
        open_beams = [(i, *beam) for i, of_spec in enumerate(beams) for beam in of_spec if beam[0][-1] != EOS_ID]
        candidates = [[beam for beam in of_spec if beam[0][-1] == EOS_ID] for of_spec in beams]
        rows = [*open_beams, *[open_beams[0]] * (count * len(specs) - len(open_beams))] if open_beams else []
        if not rows:
            break
        following = log_probabilities(model, [specs[i] for i, _, _ in rows], [program for _, program, _ in rows])
        for (i, program, score), scores in zip(open_beams, following, strict=False):
            candidates[i] += [((*program, token), score + scores[token]) for token in range(1, len(scores))]
        beams = [sorted(of_spec, key=lambda beam: -beam[1])[:count] for of_spec in candidates]
    return [[model.codec.decode_program(program[1:]) for program, _ in of_spec] for of_spec in beams]
