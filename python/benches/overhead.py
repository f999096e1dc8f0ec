"""What a cluster costs over the command line on the same two cores: a batch of 60 small spots, 2,000 Texas 42 tables, and the
three-bet pot over two workers of one core each against two threads.

Install a release build with `[cluster]` and run it from the root of the repository, on a machine that has nothing else to do:

    python python/benches/overhead.py [--runs N] [batch] [tables] [solve]

Both sides run in turn. Ray is started before, as on a cluster; the command line is the program of the package.
"""

from __future__ import annotations

import argparse
import importlib
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

from noregret import cluster

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(sys.executable).with_name("noregret")
FLOPS = ["Ks9h4c", "Ah7d5s", "Td8d3h", "Jc6c2d", "9h7s4d", "Ac8h4s", "QsJh2h", "7c7d2s", "KdKh5c", "6s5h4d", "AsTs3s", "Jh8c8d"]
SPEC = """[ranges]
oop = "99-77,AJs,KQs,JTs"
ip = "TT-88,AQs-AJs,KQs"
[cards]
flop = "QsJh2h"
[tree]
starting_pot = 60
effective_stack = 60
[solver]
target_exploitability_pct = 0.3
"""


def command_line(*arguments: str) -> None:
    """Runs the program on both cores."""
    subprocess.run([PROGRAM, *arguments], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def batch(folder: pathlib.Path) -> tuple[Callable[[], object], Callable[[], object]]:
    """60 small spots, of about as much work as a turn: twelve flops with five stacks."""
    plan, out = folder / "plan.toml", folder / "out"
    (folder / "spec.toml").write_text(SPEC)
    plan.write_text(f'[batch]\nspec = "spec.toml"\nout = "out"\nflops = {json.dumps(FLOPS)}\nstacks = [40, 50, 60, 70, 80]\n')

    def there() -> None:
        outcome = cluster.batch(plan, out, cpus=1, progress=False)
        assert outcome.made == 60, outcome

    return lambda: command_line("batch", str(plan), "--threads", "2", "--out", str(out)), there


def tables(folder: pathlib.Path) -> tuple[Callable[[], object], Callable[[], object]]:
    """2,000 tables."""
    seeds, decls, out = "0..1000", "sixes,no-trump", folder / "out"
    return (
        lambda: command_line("forty-two", "solve", "--seeds", seeds, "--decls", decls, "--threads", "2", "--out", str(out)),
        lambda: cluster.forty_two(seeds, decls, out, progress=False),
    )


def solve(folder: pathlib.Path) -> tuple[Callable[[], object], Callable[[], object]]:
    """The three-bet pot to the target of its file."""
    spec, out = ROOT / "examples/three-bet-pot.toml", folder / "out/spot.nrs"

    def there() -> None:
        outcome = cluster.solve(spec, out, workers=2, cpus=1, progress=False)
        sent, received = (each / outcome.iterations / 1e6 for each in (outcome.bytes_sent, outcome.bytes_received))
        print(f"  {outcome.iterations} iterations of {outcome.iteration_seconds / outcome.iterations:.3f} s in {outcome.seconds:.2f} s, ", end="")
        print(f"{sent:.2f} MB to both workers and {received:.2f} MB from them in each")

    return lambda: command_line("solve", str(spec), "--threads", "2", "--out", str(out)), there


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("jobs", nargs="*", default=["batch", "tables", "solve"])
    args = parser.parse_args()
    ray = importlib.import_module("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="error")
    for name in args.jobs:
        seconds: tuple[list[float], list[float]] = ([], [])
        for _ in range(args.runs):
            for side in (0, 1):
                with tempfile.TemporaryDirectory() as home:
                    folder = pathlib.Path(home)
                    (folder / "out").mkdir()
                    work = {"batch": batch, "tables": tables, "solve": solve}[name](folder)[side]
                    started = time.perf_counter()
                    work()
                    seconds[side].append(time.perf_counter() - started)
                    shutil.rmtree(folder / "out")
        here, there = map(min, seconds)
        for words, times in zip(("command line", "cluster"), seconds, strict=True):
            print(f"{name:7} {words:13} " + " ".join(f"{each:.2f}" for each in times) + " s")
        print(f"{name:7} {100 * (there / here - 1):+.1f}% of the quickest")


if __name__ == "__main__":
    main()
