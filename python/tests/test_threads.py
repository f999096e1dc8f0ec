"""The interpreter's lock is free while Rust works; objects outlive each other; memory stays flat; Ctrl-C works."""

from __future__ import annotations

import _thread
import gc
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import noregret as nr
from conftest import river, turn

SLOW = nr.Spot("22+,A2s+,KTs+,QTs+,AJo+,KQo", "JJ-22,AQs-A2s,K9s+,Q9s+,J9s+,AQo-ATo", "QsJh2h", pot=100, stack=300)


def test_another_thread_goes_on_while_a_solve_runs() -> None:
    steps = 0

    def counter() -> None:
        nonlocal steps
        # Each step needs the interpreter's lock, and nobody but the solve could give it away.
        while steps < 200:
            time.sleep(0.001)
            steps += 1
        _thread.interrupt_main()

    thread = threading.Thread(target=counter)
    with pytest.raises(KeyboardInterrupt) as caught:
        thread.start()
        nr.solve(SLOW, target=0, max_iterations=2_000, threads=1, progress=False)
    thread.join()
    assert steps == 200 and caught.value.solution.iterations < 2_000  # type: ignore[attr-defined]


@pytest.mark.parametrize("work", ["ev", "table", "q", "rows", "expect"])
def test_another_thread_goes_on_while_rust_works(tmp_path: pathlib.Path, table: nr.forty_two.Table, work: str) -> None:
    root = nr.solve(SLOW, target=0, max_iterations=1, progress=False).root
    states = np.tile(table.sample(100_000, seed=1).states, 20)
    works: dict[str, Callable[[], object]] = {
        "ev": lambda: root.ev(),
        "table": lambda: nr.forty_two.solve(seed=12, decl="no-trump"),
        "q": lambda: table.q(states),
        "rows": lambda: table.save_rows(tmp_path / "rows.parquet"),
        "expect": lambda: nr.forty_two.expect(hand="6-6 6-5 6-4 5-5 4-4 1-0 2-0", decl="sixes", worlds=60),
    }
    steps, done, ready = 0, threading.Event(), threading.Event()

    def counter() -> None:
        nonlocal steps
        ready.set()
        while not done.is_set():
            time.sleep(0)
            steps += 1

    thread = threading.Thread(target=counter)
    # No thread has to give the lock away by itself: only what releases it lets others go on.
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        thread.start()
        ready.wait()
        before = steps
        works[work]()
        after = steps
    finally:
        sys.setswitchinterval(interval)
        done.set()
        thread.join()
    assert after > before


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


def test_everything_is_used_by_several_threads_at_once(tmp_path: pathlib.Path, solution: nr.Solution, table: nr.forty_two.Table) -> None:
    table.save(tmp_path / "0.n42")
    states, q = table.sample(20_000, seed=1)
    node, hands = solution["check"], solution["check"].hands("ip")
    batches = nr.forty_two.Tables(tmp_path).batches(500, per_table=20_000, threads=2)
    reads: list[Callable[[], object]] = [
        lambda: (table.q(states) == q).all(),
        lambda: table.census(),
        lambda: (node.mean_ev(), hands[0].ev, hands["KhQh"].action_evs),
        lambda: nr.report(solution, "check, check, *").frequencies(),
        lambda: nr.Range("22+,A2s+").combos,
        lambda: nr.equity("AA", "KK", "QsJh2h8c").oop,
        lambda: solution.digest,
    ]
    expected = [repr(read()) for read in reads]
    with ThreadPoolExecutor(6) as pool:
        taken = [pool.submit(lambda: [batch.step for batch in batches]) for _ in range(3)]
        for answers in pool.map(lambda _: [repr(read()) for read in reads], range(12)):
            assert answers == expected
        assert sorted(step for part in taken for step in part.result()) == list(range(40)), "each batch once"


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
class Ready(nr.Progress):
    is_shown, has_said_so = True, False
    def show(self, share, text):
        if not self.has_said_so and not text.startswith("iteration 0"):
            self.has_said_so = True
            print("ready", flush=True)
{work}
"""


def interrupted(work: str) -> str:
    """What a program prints after Ctrl-C, which comes while an iteration is under way."""
    child = subprocess.Popen([sys.executable, "-c", CTRL_C.format(work=work)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None and child.stdout.readline() == "ready\n"
    sent = time.monotonic()
    child.send_signal(signal.SIGINT)
    rest = child.stdout.read()
    child.wait(60)
    # An iteration takes some tenths of a second; the machine may be busy with others.
    assert time.monotonic() - sent < 15
    return rest


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_ctrl_c_ends_a_solve_within_an_iteration_and_loses_nothing() -> None:
    work = """
try:
    nr.solve(spot, target=0, threads=2, progress=Ready())
except KeyboardInterrupt as interrupt:
    print(interrupt.solution.iterations, interrupt.solution["check"].player)
"""
    rest = interrupted(work)
    iterations, player = rest.split()
    assert player == "ip" and 0 < int(iterations) < 1000


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_ctrl_c_in_a_loop_leaves_the_solver_readable() -> None:
    work = """
solver = nr.Solver(spot, threads=2)
try:
    for step in solver.run(target=0):
        print("ready", flush=True) if step.iteration == 10 else None
except KeyboardInterrupt:
    print(solver.solution.iterations)
"""
    rest = interrupted(work)
    assert 10 <= int(rest) < 1000


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


def test_the_command_line_comes_with_the_package(tmp_path: pathlib.Path) -> None:
    program = pathlib.Path(sys.executable).with_name("noregret")
    for command in [[str(program)], [sys.executable, "-m", "noregret"]]:
        shown = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True)
        assert shown.stdout.startswith(f"noregret {nr.__version__}\n") and "features: cloud, forty-two, gpu, hands, parquet, serve, shell, upi\n" in shown.stdout
        wrong = subprocess.run([*command, "solve", str(tmp_path / "none.toml")], capture_output=True, text=True)
        assert wrong.returncode != 0 and "none.toml" in wrong.stderr
        assert subprocess.run([*command, "jump"], capture_output=True).returncode == 2
    page = subprocess.run([program, "serve", "--print-openapi"], capture_output=True, text=True, check=True)
    assert '"openapi"' in page.stdout
