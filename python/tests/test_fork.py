"""A forked child has none of its parent's threads: work is done on its own, and never waits for those."""

from __future__ import annotations

import multiprocessing
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

import noregret as nr
from conftest import turn

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")


def in_a_fork(work: Callable[[], object]) -> bool:
    """Whether a child comes to its end with what it is to do."""
    child = os.fork()
    if child == 0:
        try:
            work()
            os._exit(0)
        except BaseException:  # noqa: BLE001
            os._exit(1)
    for _ in range(600):
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status) == 0
        time.sleep(0.1)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    raise AssertionError("the child hangs")


def raises(text: str, work: Callable[[], object]) -> Callable[[], None]:
    def check() -> None:
        with pytest.raises(RuntimeError, match=text):
            work()

    return check


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_fork_works_on_threads_of_its_own(tmp_path: pathlib.Path) -> None:
    # Each uses a pool in the parent first.
    table = nr.forty_two.solve(seed=0, decl="blanks")
    solution = nr.solve(turn(), target=5, progress=False)
    path = tmp_path / "spot.nrs"
    solution.save(path, streets="turn")
    opened = nr.open(path)
    opened["check, check, Th"].ev("oop")
    nr.report(solution, "check, check, *")
    works: list[Callable[[], object]] = [
        lambda: nr.forty_two.solve(seed=1, decl="blanks").root_value,
        lambda: nr.forty_two.open(table.to_bytes()),
        lambda: table.save_rows(tmp_path / "rows.parquet"),
        lambda: nr.solve(turn(), target=5, threads=2, progress=False)["check"].ev(),
        lambda: (solution["check"].ev(), solution.digest, pickle.dumps(solution)),
        lambda: opened["check, check, 2c"].ev("ip"),
        lambda: nr.report(solution, "check, check, *"),
        lambda: nr.flops(turn().on("QsJh2h"), 3),
        lambda: nr.equity("AA", "KK", "QsJh2h"),
    ]
    for work in works:
        assert in_a_fork(work)


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_what_runs_in_the_parent_is_refused_in_a_fork(tmp_path: pathlib.Path) -> None:
    nr.forty_two.solve(seed=0, decl="blanks").save(tmp_path / "0.n42")
    solver = nr.Solver(turn(), threads=1)
    run = solver.run(target=0, max_iterations=50)
    next(run)
    tables = nr.forty_two.Tables(tmp_path)
    batches = tables.batches(64, per_table=128)
    assert in_a_fork(raises("this is a fork of it", lambda: next(run)))
    assert in_a_fork(raises("this is a fork of it", lambda: solver.solution))
    assert in_a_fork(raises("this is a fork of it", lambda: next(batches)))
    assert in_a_fork(lambda: list(tables.batches(64, per_table=128)))
    assert len(list(run)) == 4 and len(list(batches)) == 2, "the parent goes on"


def mean_ev(solution: nr.Solution) -> float | None:
    return solution["check"].mean_ev()


def test_solutions_and_spots_cross_to_processes_that_are_spawned(solution: nr.Solution) -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(mean_ev, (solution,)) == mean_ev(solution)


@pytest.mark.parametrize("work", [
    "nr.flops(spot, 300)",
    "nr.equity('22+,A2+,K2+,Q2+,J2+', '22+,A2+,K2+,Q2+,J2+', 'QsJh2h')",
    "[nr.forty_two.solve(seed=seed, decl='no-trump') for seed in range(1000)]",
    "nr.compare(spot, algorithms=['dcfr'], target=0, max_iterations=1000)",
])  # fmt: skip
def test_ctrl_c_ends_other_work_too(work: str) -> None:
    code = f"""
import noregret as nr, time
spot = nr.Spot("22+,A2s+,KTs+,QTs+,AJo+,KQo", "JJ-22,AQs-A2s,K9s+,Q9s+,J9s+,AQo-ATo", "QsJh2h", pot=100, stack=300)
print("ready", flush=True)
try:
    while True:
        {work}
except KeyboardInterrupt:
    print(time.time(), flush=True)
    import os
    os._exit(0)
"""
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None and child.stdout.readline() == "ready\n"
    time.sleep(0.5)
    sent = time.time()
    child.send_signal(signal.SIGINT)
    raised = float(child.stdout.read())
    child.wait(60)
    assert raised - sent < 5
