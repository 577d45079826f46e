"""Kills a worker again and again, at random moments, and compares what comes out with an undisturbed run.

`python -m tests.grid.kills --kills 20 --folder runs/kills` does it twenty times; the tests do it twice.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from compgen_keras.grid import GridFolder
from compgen_keras.grid.report import write_report

GRID = """
name = "kills"
description = "Small cells with dropout, to be killed"
benchmarks = ["scan/compose_different_concepts"]
models = ["sep_to_last", "transformer"]
seeds = [0]
steps = 2100
batch_size = 4
examples = 20
architecture = { num_layers = 1, num_heads = 2, embedding_dim = 16, feed_forward_dim = 16, dropout = 0.2 }
"""


def start_worker(path, log):
    """Starts `grid run` on a grid's folder; its process group can be killed with all that it started."""
    command = [sys.executable, "-m", "compgen_keras", "grid", "run", str(path)]
    return subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, start_new_session=True)


def kill(worker, everything=False):
    """Ends a worker at once; everything: the process of its cell too, at the same moment."""
    if everything:
        os.killpg(worker.pid, signal.SIGKILL)
    else:
        worker.kill()
    worker.wait()


def run_with_kills(path, grid, kills, seed, longest):
    """Runs a grid and kills its worker so many times.

    Args:
        path: the grid's folder.
        grid: the grid, TOML.
        kills: how many times; fewer if the grid is done before.
        seed: of the moments.
        longest: seconds that a worker lives at most before it is killed.

    Returns:
        How many times it was killed, and the status of the last one.
    """
    GridFolder.create(path, grid)
    moments, killed = random.Random(seed), 0
    with (path / "workers.log").open("ab") as log:
        while killed < kills:
            worker = start_worker(path, log)
            try:
                # The shortest moments would all fall before the first step.
                worker.wait(moments.uniform(1, longest))
            except subprocess.TimeoutExpired:
                kill(worker, everything=moments.random() < 0.5)
                killed += 1
                print(f"killed {killed}: {', '.join(f'{s.cell.variant} {s.state}' for s in GridFolder.open(path).states())}", flush=True)
            else:
                break
        return killed, start_worker(path, log).wait()


def outcome(path):
    """A grid's report and the histories of its trainings, timings aside."""
    folder = GridFolder.open(path)
    summary = write_report(folder)
    del summary["timing"]
    results = [json.loads(folder.result_path(cell).read_text()) for cell in folder.grid.cells]
    for result in results:
        del result["timing"]
    return json.loads(json.dumps({"summary": summary, "results": results}))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", default="runs/kills")
    parser.add_argument("--longest", type=float, default=25.0, help="seconds that a worker lives at most")
    options = parser.parse_args()
    root = Path(options.folder)
    started = time.perf_counter()
    print("undisturbed", flush=True)
    run_with_kills(root / "undisturbed", GRID, 0, 0, 0)
    killed, status = run_with_kills(root / "killed", GRID, options.kills, options.seed, options.longest)
    same = outcome(root / "undisturbed") == outcome(root / "killed")
    print(f"killed {killed} times, last status {status}, {time.perf_counter() - started:.0f} s: {'the same' if same else 'DIFFERENT'}")
    print(f"reports  {root}/undisturbed/report/report.md, {root}/killed/report/report.md")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
