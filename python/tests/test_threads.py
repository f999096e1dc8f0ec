"""The interpreter's lock is free while Rust works; objects outlive each other; memory stays flat; Ctrl-C works."""

from __future__ import annotations

import gc
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import noregret as nr
from conftest import river, turn

SLOW = nr.Spot("22+,A2s+,KTs+,QTs+,AJo+,KQo", "JJ-22,AQs-A2s,K9s+,Q9s+,J9s+,AQo-ATo", "QsJh2h", pot=100, stack=300)


def test_another_thread_goes_on_while_a_solve_runs() -> None:
    count, done = 0, threading.Event()

    def counter() -> None:
        nonlocal count
        while not done.is_set():
            count += 1
            time.sleep(0.001)

    thread = threading.Thread(target=counter)
    thread.start()
    started = time.perf_counter()
    nr.solve(SLOW, target=0, max_iterations=3, threads=1, progress=False)
    elapsed = time.perf_counter() - started
    done.set()
    thread.join()
    assert elapsed > 0.1, "too quick to tell"
    assert count > 100 * elapsed, f"{count} steps in {elapsed:.2f} s"


def test_several_solves_run_at_once_to_the_same_digest() -> None:
    with ThreadPoolExecutor(4) as pool:
        digests = set(pool.map(lambda _: nr.solve(turn(), target=1, threads=1, progress=False).digest, range(8)))
    assert len(digests) == 1


def test_a_solution_is_read_by_several_threads_at_once(solution: nr.Solution) -> None:
    lines = ["", "check", "check, bet 50", "check, check, Th", "bet 50, call, 2c"]
    expected = [solution[line].ev("oop") for line in lines]
    with ThreadPoolExecutor(4) as pool:
        for read in pool.map(lambda _: [solution[line].ev("oop") for line in lines], range(40)):
            for one, other in zip(read, expected):
                np.testing.assert_array_equal(one, other)


def test_nodes_outlive_what_they_came_from() -> None:
    solver = nr.Solver(river())
    list(solver.run(target=1))
    node = solver.solution["check"]
    hand, children = node.hand("KhKd", nr.OOP), node.children
    del solver, node
    gc.collect()
    assert hand.ev is not None and children["check"].pot == 100


def resident() -> int:
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_a_thousand_solves_and_ten_thousand_nodes_leave_memory_flat() -> None:
    small = nr.Spot("AA,KK", "QQ,JTs", "QsJh2h8c3d", pot=100, stack=100, bet="a", raise_="")

    def solve(count: int) -> nr.Solution:
        for _ in range(count):
            solution = nr.solve(small, target=0, max_iterations=2, threads=1, progress=False)
        return solution

    solution = solve(100)
    before = resident()
    solve(1000)
    after_solves = resident()
    for _ in range(2_000):
        solution["check"].strategy()
    before_nodes = resident()
    for _ in range(10_000):
        node = solution["check"]
        node.strategy()
        node.hands()
    after_nodes = resident()
    assert after_solves - before < 16 << 20, (before, after_solves)
    assert after_nodes - before_nodes < 8 << 20, (before_nodes, after_nodes)


CTRL_C = """
import noregret as nr, sys
spot = nr.Spot("22+,A2s+,KTs+,QTs+,AJo+,KQo", "JJ-22,AQs-A2s,K9s+,Q9s+,J9s+,AQo-ATo", "QsJh2h", pot=100, stack=300)
print("ready", flush=True)
{work}
"""


def interrupted(work: str, after: float = 1.5) -> tuple[str, float]:
    child = subprocess.Popen([sys.executable, "-c", CTRL_C.format(work=work)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None and child.stdout.readline() == "ready\n"
    time.sleep(after)
    sent = time.perf_counter()
    child.send_signal(signal.SIGINT)
    rest = child.stdout.read()
    child.wait(60)
    return rest, time.perf_counter() - sent


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_ctrl_c_ends_a_solve_within_an_iteration_and_loses_nothing() -> None:
    work = """
try:
    nr.solve(spot, target=0, threads=2, progress=False)
except KeyboardInterrupt as interrupt:
    print(interrupt.solution.iterations, interrupt.solution["check"].player)
"""
    rest, seconds = interrupted(work)
    iterations, player = rest.split()
    assert player == "ip" and int(iterations) >= 0 and seconds < 20


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_ctrl_c_in_a_loop_leaves_the_solver_readable() -> None:
    work = """
solver = nr.Solver(spot, threads=2)
try:
    for step in solver.run(target=0):
        pass
except KeyboardInterrupt:
    print(solver.solution.iterations)
"""
    rest, _ = interrupted(work)
    assert int(rest) >= 0


def test_progress_is_shown_to_whoever_wants_it(capsys: pytest.CaptureFixture[str]) -> None:
    class Shown(nr.Progress):
        is_shown = True

        def __init__(self) -> None:
            self.seen: list[tuple[float, str]] = []

        def show(self, share: float, text: str) -> None:
            self.seen.append((share, text))

    bar = Shown()
    nr.solve(SLOW, target=0, max_iterations=4, threads=1, progress=bar)
    assert bar.seen and all(0 <= share <= 1 and text.startswith("iteration") for share, text in bar.seen)
    nr.solve(SLOW, target=0, max_iterations=2, threads=1, progress=True)
    shown = capsys.readouterr()
    assert "iteration" in shown.err and shown.out == "" and shown.err.endswith("\r")


def test_opening_a_node_takes_little_time(solution: nr.Solution) -> None:
    times = []
    for _ in range(50):
        started = time.perf_counter()
        solution["check, check, Th"]
        times.append(time.perf_counter() - started)
    # In a release build on a quiet machine it is well below 2 ms.
    assert sorted(times)[len(times) // 2] < 0.05


def test_the_command_line_comes_with_the_package(tmp_path: pathlib.Path) -> None:
    program = pathlib.Path(sys.executable).with_name("noregret")
    for command in [[str(program)], [sys.executable, "-m", "noregret"]]:
        shown = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True)
        assert shown.stdout == f"noregret {nr.__version__}\n"
        wrong = subprocess.run([*command, "solve", str(tmp_path / "none.toml")], capture_output=True, text=True)
        assert wrong.returncode != 0 and "none.toml" in wrong.stderr
        assert subprocess.run([*command, "jump"], capture_output=True).returncode == 2
    page = subprocess.run([program, "serve", "--print-openapi"], capture_output=True, text=True, check=True)
    assert '"openapi"' in page.stdout
