"""Batches of flops: what is there is not solved again, and what cannot be solved stops nothing."""

from __future__ import annotations

import pathlib
from collections.abc import Callable
from typing import Any

import pytest

import noregret as nr

SPOT = nr.Spot("AA,KK", "QQ,JJ", "Ts7h2c", pot=100, stack=100, bet="a", raise_="")
FLOPS = ["Ts7h2c", "AsKd5c"]


def test_a_batch_has_the_solutions_of_the_command_line(tmp_path: pathlib.Path, command: Callable[..., Any]) -> None:
    solved = {str(solution.spot.board): solution.digest for solution in nr.batch(SPOT, FLOPS, tmp_path / "ours", target=1, progress=False)}
    spec, plan = tmp_path / "spot.toml", tmp_path / "plan.toml"
    SPOT.to_toml(spec)
    spec.write_text(spec.read_text().replace("target_exploitability_pct = 0.1", "target_exploitability_pct = 1"))
    plan.write_text(f'[batch]\nspec = "spot.toml"\nout = "theirs"\nflops = {FLOPS}\n')
    command("batch", plan)
    theirs = sorted((tmp_path / "theirs").glob("*.nrs"))
    assert {str(nr.open(path).spot.board): nr.open(path).digest for path in theirs} == solved
    ours = sorted((tmp_path / "ours").glob("*.nrs"))
    assert [path.name for path in ours] == [path.name for path in theirs]
    assert (tmp_path / "ours/batch.tsv").read_bytes() == (tmp_path / "theirs/batch.tsv").read_bytes()
    # And the reports of both.
    csv = tmp_path / "report.csv"
    nr.report(tmp_path / "ours").save(tmp_path / "ours.csv")
    command("report", tmp_path / "theirs", "--out", csv)
    assert (tmp_path / "ours.csv").read_text() == csv.read_text()


def test_an_impossible_flop_stops_no_other_and_is_named_at_the_end(tmp_path: pathlib.Path) -> None:
    spot = nr.Spot("AA", "QQ,JJ", "Ts7h2c", pot=100, stack=100, bet="a", raise_="")
    solutions = nr.batch(spot, ["AsAhAd", "Ts7h2c", "8s7h2c"], tmp_path, target=5, progress=False)
    assert [str(next(solutions).spot.board) for _ in range(2)] == ["Ts7h2c", "8s7h2c"]
    with pytest.raises(nr.SpecError, match="1 of 3 flops cannot be solved: AsAhAd: the oop range is empty: the board has a card of each of its hands"):
        next(solutions)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"flops": "nonsense"}, "flops: accepted"),
        ({"flops": 0}, "flops: must be a whole number of flops from 1 to 1755"),
        ({"target": -1}, "target: must be a number from 0 to 100"),
        ({"threads": 0}, "threads: must be a whole number"),
        ({"memory": "1kB"}, "memory"),
        ({"checkpoint_every": -1.0}, "checkpoint_every: must be a number of seconds from 0 to 1000000000"),
        ({"streets": "preflop"}, "streets"),
    ],
)
def test_arguments_are_checked_before_anything_is_solved(tmp_path: pathlib.Path, arguments: dict[str, Any], text: str) -> None:
    changed: dict[str, Any] = {"flops": FLOPS, "out": tmp_path} | arguments
    with pytest.raises(nr.NoregretError, match=text):
        nr.batch(SPOT, **changed)


def test_the_files_of_a_batch_are_its_own(tmp_path: pathlib.Path) -> None:
    for name in ["checkpoint", "resume", "targett"]:
        with pytest.raises(TypeError, match=f"unexpected keyword argument '{name}'"):
            nr.batch(SPOT, FLOPS, tmp_path, **{name: "x"})  # type: ignore[arg-type]


def test_what_is_there_is_not_solved_again(tmp_path: pathlib.Path) -> None:
    for _ in nr.batch(SPOT, FLOPS, tmp_path, target=5, progress=False):
        pass
    times = {path: path.stat().st_mtime_ns for path in tmp_path.glob("*.nrs")}
    calls: list[nr.Step] = []
    again = list(nr.batch(SPOT, FLOPS, tmp_path, target=5, progress=False, callback=calls.append))
    assert len(again) == 2 and calls == [] and times == {path: path.stat().st_mtime_ns for path in tmp_path.glob("*.nrs")}
    with pytest.raises(nr.FileError, match="Ts7h2c.nrs holds the solution of another spec: move it away"):
        list(nr.batch(SPOT, FLOPS, tmp_path, target=4, progress=False))
    with pytest.raises(nr.FileError, match="Ts7h2c.nrs holds the solution of another spec: move it away"):
        list(nr.batch(SPOT, FLOPS, tmp_path, target=5, streets="flop", progress=False))
    (tmp_path / "Ts7h2c.nrs").write_bytes((tmp_path / "Ts7h2c.nrs").read_bytes()[:-20])
    assert len(list(nr.batch(SPOT, FLOPS, tmp_path, target=5, progress=False))) == 2, "what is damaged is solved again"


def test_a_callback_that_stops_ends_the_batch_and_leaves_a_checkpoint(tmp_path: pathlib.Path) -> None:
    stopped = list(nr.batch(SPOT, FLOPS, tmp_path, target=0, max_iterations=50, progress=False, callback=lambda step: False))
    assert stopped == [] and list(tmp_path.glob("*.nrs")) == [] and [path.name for path in tmp_path.glob("*.nrc")] == ["Ts7h2c.nrc"]
    whole = list(nr.batch(SPOT, FLOPS, tmp_path, target=0, max_iterations=50, progress=False))
    assert [solution.iterations for solution in whole] == [50, 50] and list(tmp_path.glob("*.nrc")) == []
