"""How fast the package is: nodes, look-ups, training batches, and a solve against the command line.

Install a release build (`maturin build --release`, or a wheel of the release) and run it from the root of the repository:

    python python/benches/speeds.py [nodes] [q] [batches] [solve]

CPU seconds count all threads, and say more than wall time on a machine that has other things to do.
"""

from __future__ import annotations

import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

import numpy as np

import noregret as nr
from noregret import forty_two

ROOT = pathlib.Path(__file__).resolve().parents[2]
THREE_BET_POT = ROOT / "examples/three-bet-pot.toml"


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Wall and CPU seconds."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - cpu


def nodes() -> None:
    """Opens nodes of a solution in memory, on boards that were not read before, and asks for their EVs."""
    solution = nr.solve(nr.Spot.from_toml(THREE_BET_POT), target=0, max_iterations=40, precision="32bit")
    asks: dict[str, Callable[[nr.Node], object]] = {
        "open": lambda node: None,
        "strategy": lambda node: node.strategy() if node.player else None,
        "EVs": lambda node: node.ev(nr.OOP),
        "matrix": lambda node: node._repr_html_(),
    }
    bet = str(solution.root.actions[-1])
    kinds = {
        "flop": ["", "check", f"{bet}", f"{bet}, call"],
        "turn": [f"check, check, {card}" for card in ["2c", "5d", "9s", "Kc"]],
        "turn, deep": [f"check, check, {card}, check" for card in ["2d", "5c", "9h", "Kd"]],
        "river": [f"check, check, {turn}, check, check, {river}" for turn in ["3c", "6s"] for river in ["4d", "Ts", "As"]],
        "river, same board": ["check, check, 3c, check, check, 4d, check"],
    }
    print(f"{'node':20}" + "".join(f"{name + ' ms (CPU)':>22}" for name in asks))
    for kind, lines in kinds.items():
        times: dict[str, list[tuple[float, float]]] = {name: [] for name in asks}
        for line in lines:
            node: list[nr.Node] = []
            times["open"].append(timed(lambda: node.append(solution[line])))
            for name, ask in list(asks.items())[1:]:
                times[name].append(timed(lambda: ask(node[0])))
        means = [tuple(1000 * statistics.mean(part) for part in zip(*times[name])) for name in asks]
        print(f"{kind:20}" + "".join(f"{wall:12.2f} ({cpu:6.2f})" + " " for wall, cpu in means))


def q() -> None:
    """Looks up ten million states in random order on one core, into an array that is there."""
    table = forty_two.solve(seed=0, decl="blanks")
    states = np.ascontiguousarray(table.sample(10_000_000, seed=1).states)
    out = np.empty((len(states), 7), np.int8)
    table.q(states[:100_000])
    for name, order in [("random", states), ("ascending", np.sort(states))]:
        for _ in range(3):
            wall, cpu = timed(lambda: table.q(order, out=out))
            print(f"q, {name}: {len(states) / wall / 1e6:.2f} M a second, {len(states) / cpu / 1e6:.2f} M a CPU second")


def batches() -> None:
    """Feeds batches of 4,096 positions of local tables on two threads."""
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(16):
            forty_two.solve(seed=seed, decl=seed % 10).save(pathlib.Path(folder) / f"seed_{seed:08}_decl_{seed % 10}.n42")
        tables = forty_two.Tables(folder)
        for per_table in [65_536, 131_072, 262_144]:
            positions = 0

            def read() -> None:
                nonlocal positions
                positions = sum(len(batch) for batch in tables.batches(4096, seed=1, per_table=per_table, epochs=2, threads=2))

            wall, cpu = timed(read)
            print(
                f"batches, {per_table} of each table: {positions / wall / 1e6:.2f} M positions a second, "
                f"{positions / cpu / 1e6:.2f} M a CPU second"
            )


# With what the command line prints at the end.
SOLVE = """
import noregret as nr, sys
solution = nr.solve(nr.Spot.from_toml(sys.argv[1]), target=0, max_iterations=60, threads=2, progress=True)
print(solution.digest, [solution.ev(player) + solution.equity(player) for player in (nr.OOP, nr.IP)])
"""


def solve() -> None:
    """Solves the three-bet pot by the package, with progress on, and by the command line, in turn."""
    program = pathlib.Path(sys.executable).with_name("noregret")
    options = ["--target", "0", "--max-iterations", "60", "--threads", "2"]
    commands = {
        "nr.solve": [sys.executable, "-c", SOLVE, str(THREE_BET_POT)],
        "command line": [str(program), "solve", str(THREE_BET_POT), "--json", *options],
    }
    seen: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
    for _ in range(5):
        for name, command in commands.items():
            before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
            subprocess.run(command, check=True, capture_output=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            seen[name].append((time.perf_counter() - started, cpu))
    for name, runs in seen.items():
        walls, cpus = zip(*runs)
        print(f"{name}: wall {sorted(round(wall, 2) for wall in walls)}, CPU {sorted(round(cpu, 2) for cpu in cpus)}")


BENCHES = {"nodes": nodes, "q": q, "batches": batches, "solve": solve}

if __name__ == "__main__":
    for name in sys.argv[1:] or BENCHES:
        BENCHES[name]()
