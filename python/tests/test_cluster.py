"""Runs on a cluster: the files of the command line, whatever happens to nodes, workers and drivers."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import pathlib
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any, Literal

import pytest
from conftest import GB, Moto, Watch, in_background, processes, spread_spec, wait_for
from faulty_store import PASSED, Fate

import noregret as nr
from noregret import cluster
from noregret.cluster import __main__ as command_line
from noregret.cluster._command import Receipt, _complaint
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


def test_a_store_that_cannot_be_reached_or_written_to_is_told_before_anything_is_made(
    store: Moto, nodes: Any, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, spot = spec_of(tmp_path), spread_spec(tmp_path)

    def refused(words: str) -> None:
        with pytest.raises(nr.FileError, match=words):
            cluster.forty_two("484", "6", "s3://spots/refused")
        with pytest.raises((nr.FileError, cluster.ClusterError), match=words):
            cluster.batch(plan, "s3://spots/refused")
        with pytest.raises(nr.FileError, match=words):
            cluster.solve(spot, "s3://spots/refused/spot.nrs", workers=1)

    store.proxy.set(lambda _, method, __: Fate(status=403) if method in ("PUT", "POST") else PASSED)
    refused("no permission: ask for the right to list, read and write there")
    store.proxy.set(None)
    with monkeypatch.context() as wrong:
        wrong.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
        refused("cannot reach the store .*: mend AWS_ENDPOINT_URL and AWS_REGION, or the network")
    assert store.names("refused") == []


def test_what_a_command_complains_of_is_told_whole() -> None:
    reason = "cannot write s3://spots/x.n42: Generic S3 error: response body error: Connection reset by peer"
    assert _complaint(f"Tables  4\nerror: {reason}\n") == reason
    assert _complaint("error: one\nerror: two\nmore of it\n") == "two\nmore of it"
    assert _complaint("killed") == "killed" and _complaint("") == ""
    broken = Receipt(1, "cannot write s3://spots/x.n42: the store broke the connection off (reset): try again later", 0.0)
    assert broken.is_store_trouble and not Receipt(1, reason, 0.0).is_store_trouble


def test_a_wrong_address_of_a_cluster_is_told(tmp_path: pathlib.Path) -> None:
    line = ["forty-two", "--seeds", "484", "--decls", "6", "--out", str(tmp_path / "out"), "--address", "127.0.0.1:1"]
    ended = subprocess.run([sys.executable, "-m", "noregret.cluster", *line], capture_output=True, text=True)
    assert ended.returncode == 1 and "error: there is no cluster at 127.0.0.1:1" in ended.stderr
    assert "`ray start --head` starts one, and no address one here" in ended.stderr and list(tmp_path.iterdir()) == []


def test_lost_nodes_killed_workers_two_drivers_and_a_store_in_trouble_change_no_file(
    store: Moto, nodes: Any, command: Callable[..., Any], tmp_path: pathlib.Path
) -> None:
    command("forty-two", "solve", "--seeds", "1000..1004", "--decls", "0,1", "--out", tmp_path / "tables")
    expected = {path.name: path.read_bytes() for path in (tmp_path / "tables").iterdir()}
    plan = spec_of(tmp_path)
    command("batch", plan)
    fates = [Fate(status=500), Fate(status=503), Fate(is_cut=True), Fate(is_answer_lost=True)]

    def decide(number: int, method: str, path: str) -> Fate:
        if number % 5 == 4:
            return fates[number // 5 % len(fates)]
        # Files take a while, so that all are under way when the node is lost.
        return Fate(delay=1.0) if method == "PUT" and path.endswith((".n42", ".nrs")) else PASSED

    store.proxy.set(decide)
    extra = nodes.add_node(num_cpus=1, memory=2 * GB)
    tables = [in_background(lambda: cluster.forty_two("1000..1004", "0,1", "s3://spots/faults")) for _ in range(2)]
    batch = in_background(lambda: cluster.batch(plan, "s3://spots/faults-batch"))
    jobs = [*tables, batch]

    def is_over() -> bool:
        return not any(thread.is_alive() for thread, _ in jobs)

    wait_for(lambda: store.names("faults/seed") != [] and ".nrs" in "".join(store.names("faults-batch/")) or is_over())
    nodes.remove_node(extra, allow_graceful=False)
    wait_for(lambda: processes("run_task") != [] or is_over())
    for process in processes("run_task")[:1]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    for thread, _ in jobs:
        thread.join(600)
    outcomes = [result[0] for _, result in jobs]
    assert all(isinstance(outcome, cluster.Outcome) and not outcome.failed for outcome in outcomes), outcomes
    store.proxy.set(None)
    assert {name.rpartition("/")[2]: store.object(name) for name in store.names("faults/")} == expected
    names = ["QsJh2h", "AsKd2c", "7h7d2s", "Ts9s8s"]
    assert digests("s3://spots/faults-batch", names) == digests(str(tmp_path / "solved"), names)
    assert [name for name in store.names("faults-batch/") if name.endswith((".nrc", ".part"))] == []


def test_a_driver_that_is_killed_and_started_again_goes_on(
    store: Moto, nodes: Any, command: Callable[..., Any], tmp_path: pathlib.Path
) -> None:
    seeds, decls, out = "2000..2006", "0,1", "s3://spots/driver"
    line = ["forty-two", "--seeds", seeds, "--decls", decls, "--out", out, "--address", nodes.address]
    store.proxy.set(lambda _, method, path: Fate(delay=0.5) if method == "PUT" and path.endswith(".n42") else PASSED)
    driver = subprocess.Popen([sys.executable, "-m", "noregret.cluster", *line], stderr=subprocess.DEVNULL)
    wait_for(lambda: len(store.names("driver/seed")) > 1 or driver.poll() is not None)
    driver.kill()
    driver.wait()
    store.proxy.set(None)
    outcome = cluster.forty_two(seeds, decls, out)
    assert outcome.made + outcome.skipped == 12 and outcome.made > 0 and outcome.skipped > 0
    command("forty-two", "solve", "--seeds", seeds, "--decls", decls, "--out", tmp_path)
    expected = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert {name.rpartition("/")[2]: store.object(name) for name in store.names("driver/")} == expected


@pytest.mark.parametrize("format", ["rows", "samples"])
def test_a_node_that_is_lost_during_rows_and_samples_changes_no_byte(
    format: Literal["rows", "samples"], store: Moto, nodes: Any, command: Callable[..., Any], tmp_path: pathlib.Path
) -> None:
    # A task for each of four seeds, and a node for each task.
    seeds, out = "10,1010,2010,3010", f"s3://spots/lost-{format}"
    line = ["--seeds", seeds, "--decls", "0", "--layout", "to-go", "--out", tmp_path]
    if format == "rows":
        command("forty-two", "solve", *line, "--format", "rows")
    else:
        command("forty-two", "sample", *line, "--per-table", "50")
    extra, lost = nodes.add_node(num_cpus=1, memory=2 * GB), [False]

    def decide(_: int, method: str, path: str) -> Fate:
        # Until then no file is written: all tasks are under way.
        return Fate(status=503) if not lost[0] and method in ("PUT", "POST") and ".parquet" in path else PASSED

    store.proxy.set(decide)
    per_table = 50 if format == "samples" else None
    thread, result = in_background(lambda: cluster.forty_two(seeds, "0", out, format=format, layout="to-go", per_table=per_table))
    wait_for(lambda: len(processes("run_task")) == 4 or not thread.is_alive())
    assert thread.is_alive(), result
    nodes.remove_node(extra, allow_graceful=False)
    lost[0] = True
    thread.join(600)
    assert isinstance(result[0], cluster.Outcome) and not result[0].failed, result
    expected = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert sum(name.endswith(".parquet") for name in expected) == 4
    assert {name.rpartition("/")[2]: store.object(name) for name in store.names(f"lost-{format}/")} == expected


def long_plan(folder: pathlib.Path) -> pathlib.Path:
    """A plan of one flop that writes many checkpoints."""
    spread_spec(folder, 30)
    plan = folder / "plan.toml"
    plan.write_text('[batch]\nspec = "spot.toml"\nout = "solved"\nflops = ["QsJh2h"]\nsave = "flop"\ncheckpoint_every = 0.01\n')
    return plan


def test_a_batch_goes_on_from_its_checkpoint_elsewhere_when_its_worker_dies(
    store: Moto, nodes: Any, command: Callable[..., Any], tmp_path: pathlib.Path
) -> None:
    plan = long_plan(tmp_path)
    command("batch", plan)
    met: list[str] = []
    workers: set[int] = set()

    def decide(_: int, method: str, path: str) -> Fate:
        if path.endswith("QsJh2h.nrc"):
            workers.update(processes("run_task"))
            if method == "PUT" and "killed" not in met:
                # The next checkpoint; one is there by now.
                if "written" in met:
                    met.append("killed")
                    os.kill(processes("run_task")[0], signal.SIGKILL)
                met.append("written")
            if method == "GET" and "killed" in met:
                met.append("read")
        return PASSED

    store.proxy.set(decide)
    outcome = cluster.batch(plan, "s3://spots/resumed")
    store.proxy.set(None)
    assert (outcome.made, outcome.failed) == (1, {})
    assert "killed" in met and "read" in met and len(workers) > 1, "another worker goes on from the checkpoint"
    assert digests("s3://spots/resumed", ["QsJh2h"]) == digests(str(tmp_path / "solved"), ["QsJh2h"])
    assert [name for name in store.names("resumed/") if name.endswith((".nrc", ".part"))] == []


def check_batch(store: Moto, out: str, solved: pathlib.Path) -> None:
    """A batch in the bucket has the digests and the list of one in a folder, and nothing is left of checkpoints."""
    names = ["QsJh2h", "AsKd2c", "7h7d2s", "Ts9s8s"]
    assert digests(f"s3://spots/{out}", names) == digests(str(solved), names)
    assert store.object(f"{out}/batch.tsv") == (solved / "batch.tsv").read_bytes()
    assert [name for name in store.names(f"{out}/") if name.endswith((".nrc", ".part"))] == []


def test_a_driver_of_a_batch_that_is_killed_and_started_again_goes_on(
    store: Moto, nodes: Any, command: Callable[..., Any], tmp_path: pathlib.Path
) -> None:
    plan, out = spec_of(tmp_path), "batch-driver"
    command("batch", plan)
    written: set[str] = set()

    def decide(_: int, method: str, path: str) -> Fate:
        if method == "PUT" and path.endswith(".nrs"):
            # One of them is written; the others only when the driver is dead.
            if written and path not in written:
                return Fate(status=503)
            written.add(path)
        return PASSED

    store.proxy.set(decide)
    line = ["batch", str(plan), "--out", f"s3://spots/{out}", "--address", nodes.address]
    driver = subprocess.Popen([sys.executable, "-m", "noregret.cluster", *line], stderr=subprocess.DEVNULL)
    wait_for(lambda: any(name.endswith(".nrs") for name in store.names(f"{out}/")) or driver.poll() is not None)
    driver.kill()
    driver.wait()
    # Its tasks end with it.
    wait_for(lambda: not processes("run_task"))
    store.proxy.set(None)
    assert len(written) == 1
    outcome = cluster.batch(plan, f"s3://spots/{out}")
    assert (outcome.made, outcome.skipped, outcome.failed) == (3, 1, {})
    check_batch(store, out, tmp_path / "solved")


def test_two_drivers_of_a_batch_make_it_together(
    store: Moto, nodes: Any, command: Callable[..., Any], tmp_path: pathlib.Path
) -> None:
    plan, out = spec_of(tmp_path), "batch-two"
    command("batch", plan)
    at_work: set[str] = set()

    def decide(_: int, method: str, path: str) -> Fate:
        # Nothing is written before both are at work.
        return Fate(status=503) if len(at_work) < 2 and method == "PUT" and path.endswith(".nrs") else PASSED

    store.proxy.set(decide)

    def drive(name: str) -> cluster.Outcome:
        return cluster.batch(plan, f"s3://spots/{out}", progress=Watch(said=lambda _: at_work.add(name)))

    drivers = [in_background(functools.partial(drive, name)) for name in ["first", "second"]]
    for thread, _ in drivers:
        thread.join(600)
    outcomes = [result[0] for _, result in drivers]
    assert all(isinstance(outcome, cluster.Outcome) and not outcome.failed for outcome in outcomes), outcomes
    assert all(outcome.made + outcome.skipped == 4 for outcome in outcomes) and len(at_work) == 2
    check_batch(store, out, tmp_path / "solved")
