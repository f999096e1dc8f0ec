"""Runs of a solver: in steps, from several threads, with callbacks, checkpoints and precisions that are timed."""

from __future__ import annotations

import _thread
import pathlib
import pickle
import threading
import time
import warnings
from collections.abc import Callable

import numpy as np
import pytest

import noregret as nr
from conftest import river, turn

SLOW = nr.Spot("22+,A2s+,KTs+,QTs+,AJo+,KQo", "JJ-22,AQs-A2s,K9s+,Q9s+,J9s+,AQo-ATo", "QsJh2h", pot=100, stack=300)


def test_a_run_that_is_over_does_not_end_the_next_one() -> None:
    solver = nr.Solver(turn(), threads=1)
    run = solver.run(target=0, max_iterations=20)
    assert [step.iteration for step in run] == [10, 20]
    # The first run is dropped as the name gets the second.
    run = solver.run(target=0, max_iterations=60)
    assert [step.iteration for step in run] == [30, 40, 60]
    first = nr.Solver(turn(), threads=1).run(target=0, max_iterations=20)
    list(first)
    first.close()
    assert list(first) == []


def test_an_old_run_neither_steps_nor_stops_a_new_one() -> None:
    solver = nr.Solver(turn(), threads=1)
    old = solver.run(target=0, max_iterations=20)
    list(old)
    new = solver.run(target=0, max_iterations=40)
    assert list(old) == []
    old.close()
    assert [step.iteration for step in new] == [30, 40]


def test_whoever_reads_a_solver_from_another_thread_waits_and_ends_nothing() -> None:
    solver = nr.Solver(turn(), threads=1)
    run = solver.run(target=0, max_iterations=300)
    first = next(run).iteration
    done, read, errors = threading.Event(), 0, []

    def watch() -> None:
        nonlocal read
        while not done.is_set():
            try:
                read += solver.solution.iterations > 0
            except BaseException as error:  # noqa: BLE001
                errors.append(repr(error))
                return

    thread = threading.Thread(target=watch)
    thread.start()
    steps = [first] + [step.iteration for step in run]
    done.set()
    thread.join()
    alone = nr.solve(turn(), target=0, max_iterations=300, progress=False).history
    assert steps == [step.iteration for step in alone] and steps[-1] == 300 and read > 0 and errors == []


def test_a_solver_that_is_done_is_read_by_several_threads() -> None:
    solver = nr.Solver(SLOW, threads=2)
    list(solver.run(target=0, max_iterations=1))
    digests: list[str] = []
    threads = [threading.Thread(target=lambda: digests.append(solver.solution.digest)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(digests) == 4 and len(set(digests)) == 1


def test_a_run_is_closed_from_another_thread() -> None:
    solver = nr.Solver(SLOW, threads=1)
    run = solver.run(target=0, max_iterations=1000)
    closed = threading.Event()

    def close() -> None:
        time.sleep(0.5)
        run.close()
        closed.set()

    thread = threading.Thread(target=close)
    thread.start()
    steps = list(run)
    thread.join(60)
    assert closed.is_set() and solver.solution.iterations < 1000
    assert len(steps) < 100


@pytest.mark.parametrize("answer", [False, np.False_, 0, 0.0, ""])
def test_a_callback_stops_by_returning_something_false(answer: object) -> None:
    assert nr.solve(turn(), target=0, max_iterations=200, progress=False, callback=lambda step: answer).iterations < 20


@pytest.mark.parametrize("answer", [None, True, np.True_, 1])
def test_a_callback_goes_on_by_returning_nothing_or_something_true(answer: object) -> None:
    assert nr.solve(turn(), target=0, max_iterations=40, progress=False, callback=lambda step: answer).iterations == 40


def test_a_callback_whose_answer_has_no_truth_raises() -> None:
    with pytest.raises(ValueError, match="ambiguous"):
        nr.solve(turn(), target=0, max_iterations=40, progress=False, callback=lambda step: np.zeros(2))


def test_a_checkpoint_that_cannot_be_written_is_refused_before_the_solve(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "no" / "such" / "folder.nrc"
    with pytest.raises(nr.FileError, match="cannot write .*folder.nrc: No such file or directory") as caught:
        nr.Solver(turn(), checkpoint=path)
    assert caught.value.filename == str(path) and caught.value.errno == 2


def gone(tmp_path: pathlib.Path) -> pathlib.Path:
    """A place for a checkpoint that is there when the solver is made, and not any more when it writes."""
    folder = tmp_path / "gone"
    folder.mkdir()
    return folder / "spot.nrc"


def test_a_checkpoint_that_fails_on_the_way_is_a_warning(tmp_path: pathlib.Path) -> None:
    path = gone(tmp_path)
    solver = nr.Solver(turn(), threads=1, checkpoint=path, checkpoint_every=0)
    path.parent.rmdir()
    with pytest.warns(RuntimeWarning, match="cannot write .*spot.nrc") as caught:
        list(solver.run(target=0, max_iterations=30))
    assert len(caught) == 1, "once, and not after every iteration"
    assert solver.solution.iterations == 30


def test_where_warnings_are_errors_a_checkpoint_that_fails_ends_the_solve(tmp_path: pathlib.Path) -> None:
    path = gone(tmp_path)
    solver = nr.Solver(turn(), threads=1, checkpoint=path, checkpoint_every=0)
    path.parent.rmdir()
    with warnings.catch_warnings(), pytest.raises(RuntimeWarning, match="spot.nrc"):
        warnings.simplefilter("error")
        list(solver.run(target=0, max_iterations=1000))
    assert solver.solution.iterations < 1000


def test_the_lost_checkpoint_of_a_solve_that_is_stopped_is_a_file_error(tmp_path: pathlib.Path) -> None:
    path = gone(tmp_path)
    solver = nr.Solver(turn(), threads=1, checkpoint=path)
    path.parent.rmdir()
    run = solver.run(target=0)
    next(run)
    with pytest.raises(nr.FileError, match="cannot write .*spot.nrc"):
        run.close()
    assert solver.solution.iterations >= 10
    path.parent.mkdir()

    def remove(step: nr.Step) -> bool:
        if path.parent.exists():
            path.parent.rmdir()
        return False

    with pytest.raises(nr.FileError, match="cannot write .*spot.nrc") as caught:
        nr.solve(turn(), target=0, progress=False, checkpoint=path, callback=remove)
    assert caught.value.solution.iterations >= 10  # type: ignore[attr-defined]


def test_a_solution_within_the_loop_has_the_target_of_the_run() -> None:
    solver = nr.Solver(turn(), threads=1)
    within = [(step, solver.solution) for step in solver.run(target=5)]
    after = solver.solution
    for step, solution in within:
        assert solution.spot.digest == after.spot.digest
        assert solution.target_reached == (step.exploitability <= 5)
    assert after.target_reached


def test_precisions_that_are_timed_are_those_of_the_solver_and_of_every_solution(tmp_path: pathlib.Path) -> None:
    solver = nr.Solver(turn(), precision="profile", threads=1)
    within = None
    for _ in solver.run(target=2):
        within = solver.solution
    after = solver.solution
    assert within is not None and after.target_reached and after.iterations < 1000
    assert within.precision == after.precision == solver.precision
    assert within.spot == after.spot and solver.spot.digest != after.spot.digest, "the solver keeps its own target"
    plan = turn().plan(precision=solver.precision, threads=1)
    assert solver.memory_bytes == plan.memory_bytes
    within.save(tmp_path / "within.nrs")
    read = nr.open(tmp_path / "within.nrs")
    assert read.digest == within.digest and read["check"].mean_ev() == within["check"].mean_ev()


def test_the_target_of_a_run_holds_when_precisions_are_timed() -> None:
    solver = nr.Solver(turn(), precision="profile", threads=1, target=0, max_iterations=300)
    list(solver.run(max_iterations=10))
    assert solver.solution.iterations == 10


def test_ctrl_c_ends_the_timing_of_precisions() -> None:
    solver = nr.Solver(SLOW, precision="profile", threads=1)
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        list(solver.run(target=0, max_iterations=2))
    timer.join()
    with pytest.raises(RuntimeError, match="it was stopped before its first iteration"):
        solver.solution


def test_a_comparison_names_its_precisions() -> None:
    with pytest.raises(nr.SpecError, match="precisions: `profile` times precisions to pick one") as caught:
        nr.compare(river(), precisions=["32/32", "profile"])
    assert caught.value.field == "precisions"


def test_a_comparison_that_does_not_fit_is_refused_as_a_solve_is() -> None:
    spot = nr.Spot("22+,A2+,K2s+", "22+,A2+,K2s+", "QsJh2h", pot=100, stack=900)
    asks: list[Callable[[int | str], object]] = [
        lambda memory: nr.compare(spot, memory=memory),
        lambda memory: nr.solve(spot, memory=memory, progress=False),
    ]
    memories: list[int | str] = [1000, "1MB"]
    for memory in memories:
        texts = set()
        for ask in asks:
            with pytest.raises(nr.DoesNotFit) as caught:
                ask(memory)
            texts.add(str(caught.value))
        assert len(texts) == 1


def test_errors_cross_processes() -> None:
    asks: list[Callable[[], object]] = [
        lambda: nr.open("none.nrs"),
        lambda: nr.Spot.from_text("[tree]\nstarting_pots = 5\n"),
    ]
    for ask in asks:
        with pytest.raises(nr.NoregretError) as caught:
            ask()
        again = pickle.loads(pickle.dumps(caught.value))
        assert type(again) is type(caught.value) and str(again) == str(caught.value)
        for name in ["errno", "filename", "line", "field", "help"]:
            assert getattr(again, name, None) == getattr(caught.value, name, None)
