"""Runs on a cluster: the files of the command line, whatever happens to nodes, workers and drivers."""

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
from conftest import GB, Moto, in_background, processes, wait_for

import noregret as nr
from noregret import cluster
from noregret.cluster import __main__ as command_line
from noregret.cluster._engine import Engine, Sizer
from noregret.cluster._seeds import Seeds, declarations

pytest.importorskip("ray")


def spec_of(folder: pathlib.Path, extra: str = "") -> pathlib.Path:
    """A plan of four small flops."""
    spec = """[ranges]
oop = "99-77,AJs,KQs,JTs"
ip = "TT-88,AQs-AJs,KQs"
[cards]
flop = "QsJh2h"
[tree]
starting_pot = 60
effective_stack = 60
[solver]
target_exploitability_pct = 5
"""
    (folder / "pot.toml").write_text(spec)
    plan = folder / "plan.toml"
    plan.write_text(f'[batch]\nspec = "pot.toml"\nout = "solved"\nflops = ["QsJh2h", "AsKd2c", "7h7d2s", "Ts9s8s"]\nsave = "flop"\n{extra}')
    return plan


def digests(folder: str, names: list[str]) -> dict[str, str]:
    return {name: nr.open(f"{folder}/{name}.nrs").digest for name in names}


def test_seeds_and_declarations_are_those_of_the_command_line() -> None:
    seeds = Seeds.parse("5..7,0..3,7,100..=101")
    assert (str(seeds), len(seeds)) == ("0..=2,5..=7,100..=101", 8)
    some, rest = seeds.take(4)
    assert (str(some), str(rest)) == ("0..=2,5..=5", "6..=7,100..=101")
    assert Seeds.parse("899..=951").thousands() == 1 and list(Seeds.parse("899..=951").splits()) == ["train", "val", "test"]
    assert list(Seeds.parse("940..1960").splits()) == ["train", "val", "test"] and list(Seeds.parse("990").splits()) == ["test"]
    assert declarations("sixes,0,all")[:2] == (6, 0) and len(declarations("all")) == 10
    for wrong in ["", "x", "3..1", "-1"]:
        with pytest.raises(cluster.WrongRequest):
            Seeds.parse(wrong)
    with pytest.raises(cluster.WrongRequest, match="`spades` is not a declaration"):
        declarations("spades")


def test_tables_rows_and_samples_have_the_bytes_of_the_command_line(
    moto: Moto, nodes: Any, command: Callable[..., Any], tmp_path: pathlib.Path
) -> None:
    seeds = ["--seeds", "484,511", "--decls", "0,6"]
    command("forty-two", "solve", *seeds, "--out", tmp_path / "tables")
    command("forty-two", "solve", *seeds, "--out", tmp_path / "rows", "--format", "rows", "--layout", "to-go", "--split")
    command("forty-two", "sample", *seeds, "--out", tmp_path / "samples", "--per-table", "50")
    made = cluster.forty_two("484,511", "0,6", "s3://spots/tables")
    assert (made.made, made.skipped, made.failed) == (4, 0, {})
    cluster.forty_two("484,511", "0,6", "s3://spots/rows", format="rows", layout="to-go", split=True)
    cluster.forty_two("484,511", "0,6", "s3://spots/samples", format="samples", per_table=50)
    for folder in ["tables", "rows/train", "samples"]:
        here = {path.name: path.read_bytes() for path in (tmp_path / folder).iterdir()}
        there = {name.rpartition("/")[2]: moto.object(name) for name in moto.names(f"{folder}/")}
        assert there == here, folder
    again = cluster.forty_two("484,511", "0,6", "s3://spots/tables")
    assert (again.made, again.skipped) == (0, 4)
    status = cluster.status("s3://spots/tables")
    assert (status.kind, status.total, status.done) == ("tables", 4, 4)
    assert cluster.status("s3://spots/rows").done == 4
    command("forty-two", "verify", "s3://spots/tables")


def test_a_batch_has_the_digests_of_the_command_line(
    moto: Moto, nodes: Any, command: Callable[..., Any], tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = spec_of(tmp_path)
    command("batch", plan)
    made = cluster.batch(plan, "s3://spots/batch")
    assert (made.made, made.skipped, made.failed) == (4, 0, {})
    names = ["QsJh2h", "AsKd2c", "7h7d2s", "Ts9s8s"]
    assert digests("s3://spots/batch", names) == digests(str(tmp_path / "solved"), names)
    assert moto.object("batch/batch.tsv") == (tmp_path / "solved/batch.tsv").read_bytes()
    # What is there stays; a file that went missing is made again.
    assert cluster.batch(plan, "s3://spots/batch").skipped == 4
    assert command_line.main(["status", "s3://spots/batch", "--json"]) == 0
    status = json.loads(capsys.readouterr().out)
    assert (status["kind"], status["total"], status["done"]) == ("batch", 4, 4)
    # In a folder that all nodes share.
    shared = cluster.batch(plan, tmp_path / "shared")
    assert shared.made == 4 and digests(str(tmp_path / "shared"), names) == digests("s3://spots/batch", names)


def test_wrong_requests_are_refused_at_once_and_not_repeated(moto: Moto, nodes: Any, tmp_path: pathlib.Path) -> None:
    with pytest.raises(nr.FileError, match="there is no bucket `none`"):
        cluster.forty_two("0..2", "all", "s3://none/tables")
    plan = spec_of(tmp_path)
    (tmp_path / "pot.toml").write_text((tmp_path / "pot.toml").read_text().replace("99-77", "nonsense"))
    with pytest.raises(cluster.WrongRequest, match="nonsense"):
        cluster.batch(plan, "s3://spots/wrong")
    with pytest.raises(nr.FileError, match="cannot read"):
        cluster.batch(tmp_path / "none.toml", "s3://spots/wrong")
    with pytest.raises(cluster.WrongRequest, match="per_table is for samples"):
        cluster.forty_two("0", "0", "s3://spots/x", per_table=5)
    with pytest.raises(cluster.WrongRequest, match="neither the list of a batch nor a manifest"):
        cluster.status("s3://spots/nothing-here")
    # Another program's file under a name that is to be made.
    table = nr.forty_two.solve(seed=511, decl="sixes")
    table.save("s3://spots/other/seed_00000484_decl_0.n42", force=True)
    nr.solve(nr.Spot("AA", "KK", "QsJh2h8c3d", pot=10, stack=10), target=5, progress=False).save(
        "s3://spots/other/seed_00000511_decl_6.n42", force=True
    )
    before = moto.object("other/seed_00000511_decl_6.n42")
    with pytest.raises(cluster.ClusterError, match="not a Texas 42 table"):
        cluster.forty_two("511", "6", "s3://spots/other")
    assert moto.object("other/seed_00000511_decl_6.n42") == before
    assert moto.names("wrong") == []


def test_a_cluster_without_the_memory_or_the_processors_says_so(nodes: Any) -> None:
    with Engine(None) as engine:
        assert engine.needs(GB, None).cpus == 1 and engine.slots(engine.needs(GB, None)) == 3
        with pytest.raises(cluster.ClusterError, match="a job takes 5.3 GB of memory, and the largest node of the cluster has 2.0 GB"):
            engine.needs(5 * GB, None)
        with pytest.raises(cluster.ClusterError, match="no node of the cluster has 2 processors"):
            engine.needs(GB, 2)


def test_small_jobs_go_together_and_none_is_left_alone_at_the_end() -> None:
    sizer = Sizer(10.0)
    assert sizer.size(1000, 4) == 1
    sizer.add(10, 1.0)
    assert [sizer.size(left, 4) for left in (100_000, 80, 3)] == [100, 10, 1]
    sizer.add(10, 1000.0)
    assert sizer.size(1000, 4) == 1


def test_a_node_that_is_lost_and_a_worker_that_is_killed_lose_nothing(
    moto: Moto, nodes: Any, command: Callable[..., Any], tmp_path: pathlib.Path
) -> None:
    command("forty-two", "solve", "--seeds", "1000..1008", "--decls", "0,1,2,3", "--out", tmp_path)
    expected = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    extra = nodes.add_node(num_cpus=1, memory=2 * GB)
    thread, result = in_background(lambda: cluster.forty_two("1000..1008", "0,1,2,3", "s3://spots/faults"))
    wait_for(lambda: len(moto.names("faults/")) > 3)
    nodes.remove_node(extra, allow_graceful=False)
    wait_for(lambda: bool(processes("run_task")) or not thread.is_alive())
    for process in processes("run_task")[:1]:
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass
    thread.join(300)
    assert isinstance(result[0], cluster.Outcome), result
    assert {name.rpartition("/")[2]: moto.object(name) for name in moto.names("faults/")} == expected


def test_a_driver_that_is_killed_and_started_again_goes_on(
    moto: Moto, nodes: Any, command: Callable[..., Any], tmp_path: pathlib.Path
) -> None:
    arguments = ["forty-two", "--seeds", "2000..2006", "--decls", "0,1,2,3", "--out", "s3://spots/driver"]
    start = [sys.executable, "-m", "noregret.cluster", *arguments, "--address", nodes.address, "--json"]
    driver = subprocess.Popen(start, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for(lambda: len(moto.names("driver/")) > 3)
    driver.kill()
    driver.wait()
    ended = subprocess.run(start, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    outcome = json.loads(ended.stdout)
    assert outcome["made"] + outcome["skipped"] == 24 and outcome["skipped"] > 0
    command("forty-two", "solve", "--seeds", "2000..2006", "--decls", "0,1,2,3", "--out", tmp_path)
    expected = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert {name.rpartition("/")[2]: moto.object(name) for name in moto.names("driver/")} == expected
