"""One spot over many workers: the digest and the file of the command line, whatever happens to workers and drivers."""

from __future__ import annotations

import json
import os
import pathlib
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from conftest import GB, Moto, Watch, branch_workers, in_background, spread_spec, wait_for

import noregret as nr
from noregret import cluster
from noregret._noregret import BranchSolver, TrunkSolver, spread_plan
from noregret.cluster import __main__ as command_line
from noregret.cluster import _driver
from noregret.cluster._engine import Engine, Needs

pytest.importorskip("ray")


def nodes_of(path: str | pathlib.Path) -> list[str]:
    """What a reader sees of a solution at some lines: EVs are from the values in the file, and not from its strategies alone."""
    solution = nr.open(path)
    lines = ["", "check, check, 7d", "check, check, 7d, check, check, 8h"]
    return [repr([solution[line].ev(nr.OOP).tolist(), solution[line].strategy(nr.OOP).tolist()]) for line in lines]


def test_a_spot_has_the_digest_and_the_nodes_of_the_command_line(
    moto: Moto, nodes: Any, command: Callable[..., Any], tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = spread_spec(tmp_path)
    alone = command("solve", spec, "--out", tmp_path / "one.nrs", "--json")
    spread = cluster.solve(spec, "s3://spots/many.nrs", workers=3)
    assert (spread.digest, spread.iterations, spread.workers, spread.lost) == (alone["strategy_digest"], 24, 3, 0)
    assert spread.exploitability == alone["exploitability_pct"]
    assert spread.ev == (alone["ev"]["oop"], alone["ev"]["ip"])
    assert nr.open("s3://spots/many.nrs").digest == spread.digest
    assert nodes_of("s3://spots/many.nrs") == nodes_of(tmp_path / "one.nrs")
    assert moto.names("many.nrs") == ["many.nrs"], "nothing is left of checkpoints and parts"
    assert spread.run_iterations == 24 and len(spread.turn_seconds) == 36 and spread.bytes_sent > 0 and spread.bytes_received > 0
    command("verify", "s3://spots/many.nrs")
    # By the command, into a folder that all nodes share.
    out = tmp_path / "shared.nrs"
    assert command_line.main(["solve", str(spec), "--workers", "2", "--out", str(out), "--json"]) == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out)["digest"] == spread.digest and "MB sent and received per iteration" in shown.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.nrs", "shared.nrs", "spot.toml"]


def test_a_worker_that_is_killed_before_the_first_checkpoint_begins_anew(
    nodes: Any, command: Callable[..., Any], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_driver, "_PROGRESS_INTERVAL", 0.0)
    spec = spread_spec(tmp_path)
    killed: list[int] = []

    def kill(iteration: int) -> None:
        if iteration == 10 and not killed:
            killed.append(branch_workers()[0])
            os.kill(killed[0], signal.SIGKILL)

    outcome = cluster.solve(spec, tmp_path / "anew.nrs", workers=2, progress=Watch(kill))
    assert (outcome.digest, outcome.lost) == (command("solve", spec, "--json")["strategy_digest"], 1)
    assert outcome.made_again >= 10 and outcome.run_iterations == 24 + outcome.made_again
    assert outcome.turn_seconds == {}, "they are not those of all iterations"


def test_a_driver_that_is_killed_and_started_again_goes_on(
    moto: Moto, nodes: Any, command: Callable[..., Any], tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = spread_spec(tmp_path, 100)
    line = ["solve", str(spec), "--out", "s3://spots/driver.nrs", "--address", nodes.address, "--checkpoint-every", "0"]
    program = [sys.executable, "-m", "noregret.cluster"]
    driver = subprocess.Popen([*program, *line, "--workers", "2"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for(lambda: moto.checkpoint("driver.nrs") > 0 or driver.poll() is not None)
    driver.kill()
    driver.wait()
    begun = moto.checkpoint("driver.nrs")
    assert begun > 0
    wait_for(lambda: not branch_workers())

    # Interrupted, it keeps what was reached; and another number of workers goes on from there.
    def interrupt() -> None:
        wait_for(lambda: moto.checkpoint("driver.nrs") > begun)
        os.kill(os.getpid(), signal.SIGINT)

    watching, _ = in_background(interrupt)
    assert command_line.main([*line, "--workers", "3"]) == 130
    watching.join()
    assert capsys.readouterr().err == "stopped; the next run goes on with what is missing\n"
    kept = moto.checkpoint("driver.nrs")
    outcome = cluster.solve(spec, "s3://spots/driver.nrs", workers=1)
    assert (outcome.digest, outcome.iterations) == (command("solve", spec, "--json")["strategy_digest"], 100)
    assert (outcome.run_iterations, outcome.turn_seconds) == (100 - kept, {})
    assert moto.names("driver") == ["driver.nrs"]


def test_a_spot_that_is_too_large_for_one_worker_is_solved_by_three(
    nodes: Any, command: Callable[..., Any], tmp_path: pathlib.Path
) -> None:
    spot = nr.Spot.from_toml(spread_spec(tmp_path))
    plans = [spread_plan(spot, workers) for workers in (1, 3)]
    one, three = (max(plan.memory(1)) for plan in plans if plan is not None)
    limit = (one + three) // 2
    with pytest.raises(nr.DoesNotFit, match="one of 1 workers needs .* of memory, and `memory` allows .*: [23] workers would fit"):
        cluster.solve(spot, tmp_path / "one.nrs", workers=1, memory=limit)
    outcome = cluster.solve(spot, tmp_path / "three.nrs", workers=3, memory=limit)
    assert outcome.digest == command("solve", tmp_path / "spot.toml", "--json")["strategy_digest"]


def test_a_turn_is_solved_by_one_task_which_says_so(
    moto: Moto, nodes: Any, command: Callable[..., Any], tmp_path: pathlib.Path
) -> None:
    spec = spread_spec(tmp_path, turn="8c")
    outcome = cluster.solve(spec, "s3://spots/turn.nrs", workers=3, max_iterations=12)
    assert (outcome.workers, outcome.iterations) == (1, 12)
    assert outcome.note == "there is no turn card to divide the spot by: one task has solved it"
    assert outcome.digest == command("solve", spec, "--max-iterations", "12", "--json")["strategy_digest"]


def test_wrong_requests_are_refused_and_nothing_is_written(
    moto: Moto, nodes: Any, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = spread_spec(tmp_path)

    def refused(out: str, *more: str, workers: str = "2") -> str:
        code = command_line.main(["solve", str(spec), "--workers", workers, "--out", out, *more])
        assert code in (1, 2)
        return f"{code}: {capsys.readouterr().err}"

    assert refused("s3://spots/x.nrs", workers="0") == "2: error: workers: must be a whole number from 1 to 10000\n"
    assert "2: error: precision" in refused("s3://spots/x.nrs", "--precision", "7bit")
    assert "there is no bucket `none`" in refused("s3://none/x.nrs")
    assert "no node of the cluster has 5 processors" in refused("s3://spots/x.nrs", "--cpus", "5")
    assert "the cluster has room for 3 of 5 workers, each with 1 processors" in refused("s3://spots/x.nrs", workers="5")
    other = tmp_path / "notes.nrs"
    other.write_text("mine")
    for wrong in ["-1", "nan", "inf"]:
        assert "2: error: checkpoint_every: must be a number of seconds" in refused("s3://spots/x.nrs", "--checkpoint-every", wrong)
    assert "force" in refused(str(other)) and other.read_text() == "mine"
    mark = {"version": 2, "run": "0a1b2c3d", "process": {"host": "x", "pid": 1, "machine": ""}, "iteration": 1, "parts": [], "costs": None}
    wrong_marks: list[Any] = [[], {**mark, "costs": ["x"]}, {**mark, "version": 3}, {**mark, "process": {"pid": 1}}, {**mark, "parts": [1]}]
    for content in wrong_marks:
        (tmp_path / "z.nrs.checkpoint-7.json").write_text(json.dumps(content))
        assert "is not the mark of a checkpoint: remove it" in refused(str(tmp_path / "z.nrs"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notes.nrs", "spot.toml", "z.nrs.checkpoint-7.json"]
    # A checkpoint of another spot is not gone on from, nor written over.
    plan = spread_plan(nr.Spot.from_toml(spec), 1)
    assert plan is not None
    trunk, worker = TrunkSolver(plan.spec), BranchSolver(plan.spec, plan.deals[0], 1)
    trunk.advance(lambda request: [worker.answer(request)])
    trunk.save_checkpoint(tmp_path / "y.nrs.0a1b2c3d-1-0of2.nrp")
    worker.save_checkpoint(tmp_path / "y.nrs.0a1b2c3d-1-1of2.nrp")
    names = ["y.nrs.0a1b2c3d-1-0of2.nrp", "y.nrs.0a1b2c3d-1-1of2.nrp"]
    (tmp_path / "y.nrs.checkpoint-3.json").write_text(json.dumps({**mark, "parts": names}))
    spec.write_text(spec.read_text().replace("KTs", "KTs,A5s"))
    said = refused(str(tmp_path / "y.nrs"))
    assert "it is a part of another solve: ranges.oop is" in said and "to begin anew" in said
    assert (tmp_path / "y.nrs.0a1b2c3d-1-0of2.nrp").exists() and moto.names("x.nrs") == []
    for broken in [b"", b"\x02", b"\x01" * 40]:
        with pytest.raises(RuntimeError, match="a message"):
            worker.answer(broken)
    with pytest.raises(ValueError, match="deal 0 is in none of the answers"):
        trunk.advance(lambda _: [])
    with pytest.raises(ZeroDivisionError):
        trunk.advance(lambda _: [bytes(1 // 0)])


def test_what_needs_one_machine_is_refused_in_words(
    nodes: Any, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lock = "[[locks]]\nline = 'check, bet 36'\nby = 'merit'\nstrategy = { fold = 0.5, call = 0.5 }\n"
    sizes = "[bet_sizes.flop]\noop_bet = '60%'\nip_bet = '60%'\n"
    for extra, words in [
        ("[solver.warm_start]\n", "warm_start is for one machine: leave it out, or solve on one"),
        ("precision = 'profile'\n", "precision `profile` times candidates on one machine: say `auto`, or which"),
        (f"{sizes}{lock}", "a lock by merit needs the solution without it: solve that first, on one machine"),
        ("dry_run = true\n", "solver.dry_run: a cluster has no dry run: `noregret solve SPEC --dry-run` says the sizes"),
    ]:
        spec = spread_spec(tmp_path, extra=extra)
        if "profile" in extra:
            spec.write_text(spec.read_text().replace('quantization = "16bit"\n', ""))
        assert command_line.main(["solve", str(spec), "--workers", "2", "--out", str(tmp_path / "x.nrs")]) == 2, extra
        said = capsys.readouterr().err
        assert said.startswith("error: ") and words in said and said.count("\n") == 1, said
    # A solution file over many workers has all streets: the command has no other choice.
    with pytest.raises(SystemExit):
        command_line.main(["solve", str(spec), "--workers", "2", "--out", str(tmp_path / "x.nrs"), "--save", "flop"])
    assert "unrecognized arguments: --save flop" in capsys.readouterr().err
    turn = spread_spec(tmp_path, extra="dry_run = true\n", turn="8c")
    assert command_line.main(["solve", str(turn), "--workers", "2", "--out", str(tmp_path / "x.nrs")]) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["spot.toml"]


def test_room_is_counted_by_nodes(nodes: Any) -> None:
    with Engine(None) as engine:
        engine.check_room([Needs(1, 2 * GB)] * 3)
        with pytest.raises(cluster.ClusterError, match="room for 3 of 4 workers"):
            engine.check_room([Needs(1, GB)] * 4)
        with pytest.raises(cluster.ClusterError, match="room for 0 of 1 workers, each with 1 processors and up to 3.0 GB"):
            engine.check_room([Needs(1, 3 * GB)])
