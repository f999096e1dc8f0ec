"""One spot on a cluster, and what can go wrong there: two drivers, no room, folders that are not shared, stores in trouble."""

from __future__ import annotations

import json
import os
import pathlib
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from conftest import GB, Moto, checkpoint_of, in_background, processes, spread_spec, wait_for
from faulty_store import PASSED, Decide, Fate

import noregret as nr
from noregret import cluster
from noregret._noregret import write_place
from noregret.cluster import _checkpoint, _workers
from noregret.cluster._checkpoint import Checkpoint, TakenOver

ray = pytest.importorskip("ray")


@pytest.fixture
def store(moto: Moto) -> Iterator[Moto]:
    """A store whose requests may be harmed until the end of the test."""
    yield moto
    moto.proxy.set(None)


def driver(nodes: Any, spec: pathlib.Path, out: str | pathlib.Path, *more: str) -> subprocess.Popen[str]:
    """Starts a driver as people do."""
    start = [sys.executable, "-m", "noregret.cluster", "solve", str(spec), "--out", str(out), "--address", nodes.address, "--json"]
    return subprocess.Popen([*start, *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, error = process.communicate(timeout=300)
    return process.returncode, out, error


def names(folder: pathlib.Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("kind", ["folder", "bucket"])
def test_of_two_drivers_one_has_the_run(
    kind: str, moto: Moto, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_checkpoint, "HEARTBEAT", 0.2)
    out = f"s3://spots/claims-{kind}.nrs" if kind == "bucket" else str(tmp_path / "claims.nrs")

    def left() -> list[str]:
        found = moto.names("claims-bucket") if kind == "bucket" else names(tmp_path)
        return [name for name in found if not name.endswith("-driver.txt")]

    def write(parts: list[str]) -> None:
        for part in parts:
            write_place(part, b"a part")

    first = Checkpoint(out)
    assert (first.iteration, first.parts) == (0, [])
    with first.beats():
        with pytest.raises(cluster.ClusterError, match=r"another driver solves into .*, process \d+ on .*: wait for its end"):
            Checkpoint(out)
    # Silent from now on, as if its machine were gone: it is taken over with its checkpoint.
    write(parts := first.part_paths(5, 2))
    first.finish(5, parts)
    waited: list[str] = []
    second = Checkpoint(out, waited.append)
    assert (second.iteration, second.parts) == (5, parts)
    assert "waiting to see whether process" in waited[0]
    # It is back, and finds that the run is another driver's; nothing of that is touched.
    write(late := first.part_paths(9, 2))
    with pytest.raises(TakenOver, match="another driver has taken over what solves into"):
        first.finish(9, late)
    first.forget(late)
    with pytest.raises(TakenOver):
        first.check_owned()
    first.remove()
    first.release()
    assert left() == [*(part.rpartition("/")[2] for part in parts), second.mark.rpartition("/")[2]]
    write(more := second.part_paths(7, 2))
    second.finish(7, more)
    assert [part.rpartition("/")[2] for part in more] == [name for name in left() if name.endswith(".nrp")]
    # A mark below another one, which was removed, is not valid when it is created again.
    with pytest.raises(TakenOver):
        first.finish(9, late)
    assert len([name for name in left() if ".checkpoint-" in name]) == 1
    second.remove()
    second.release()
    assert left() == []


def test_a_second_driver_says_so_and_the_first_one_is_not_disturbed(
    moto: Moto, nodes: Any, command: Callable[..., Any], tmp_path: pathlib.Path
) -> None:
    spec = spread_spec(tmp_path, 150)
    alone = command("solve", spec, "--json")
    more = ["--workers", "1", "--checkpoint-every", "0.2"]
    drivers = [driver(nodes, spec, "s3://spots/two.nrs", *more) for _ in range(2)]
    results = [ended(process) for process in drivers]
    codes = sorted(code for code, _, _ in results)
    # The second may have begun when the first had ended: then it has solved the spot again.
    assert codes in ([0, 0], [0, 1]), results
    for code, out, said in results:
        if code:
            assert "error: another driver solves into s3://spots/two.nrs, process" in said, said
        else:
            assert json.loads(out)["digest"] == alone["strategy_digest"]
    assert moto.names("two.nrs") == ["two.nrs"]
    assert nr.open("s3://spots/two.nrs").digest == alone["strategy_digest"]


def test_a_driver_that_is_frozen_loses_the_run_and_nothing_else(
    nodes: Any, command: Callable[..., Any], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = spread_spec(tmp_path, 150)
    alone = command("solve", spec, "--json")
    home = tmp_path / "out"
    home.mkdir()
    out = home / "frozen.nrs"
    first = driver(nodes, spec, out, "--workers", "1", "--checkpoint-every", "0.2")
    wait_for(lambda: checkpoint_of(out) > 0)
    first.send_signal(signal.SIGSTOP)
    monkeypatch.setattr(_checkpoint, "HEARTBEAT", 0.5)
    second = cluster.solve(spec, out, workers=1, checkpoint_every=0.2)
    first.send_signal(signal.SIGCONT)
    code, _, said = ended(first)
    assert second.digest == alone["strategy_digest"] and second.run_iterations < 150
    # Its next checkpoint tells it that the run is over, or it solves to the end.
    assert code == 0 or "has taken over" in said, said
    assert names(home) == ["frozen.nrs"] and nr.open(out).digest == alone["strategy_digest"]


class Holder:
    """Something else that runs on the cluster."""

    def ping(self) -> None:
        return


def test_workers_without_room_are_not_waited_for_forever(
    nodes: Any, command: Callable[..., Any], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = spread_spec(tmp_path)
    holder = ray.remote(Holder).options(num_cpus=1).remote()
    ray.get(holder.ping.remote())
    monkeypatch.setattr(_workers, "ROOM_PATIENCE", 3.0)
    with pytest.raises(
        cluster.ClusterError,
        match=r"there is no room for 3 of 3 workers, each with 1 processors and up to 0\.3 GB of memory; the cluster has .* to spare "
        r"for 3 s: add nodes, end other jobs, or ask for fewer workers",
    ):
        cluster.solve(spec, tmp_path / "full.nrs", workers=3)
    assert names(tmp_path) == ["spot.toml"]
    # Ctrl-C ends the wait.
    waiting = driver(nodes, spec, tmp_path / "full.nrs", "--workers", "3")
    wait_for(lambda: any("checkpoint-" in name for name in names(tmp_path)))
    waiting.send_signal(signal.SIGINT)
    code, _, said = ended(waiting)
    assert code == 130 and "stopped" in said
    assert names(tmp_path) == ["spot.toml"]
    # The room is given back.
    assert cluster.solve(spec, tmp_path / "two.nrs", workers=2).workers == 2
    ray.kill(holder)
    wait_for(lambda: ray.available_resources().get("CPU", 0) >= 3)
    outcome = cluster.solve(spec, tmp_path / "full.nrs", workers=3)
    assert outcome.digest == command("solve", spec, "--json")["strategy_digest"]


def test_a_node_that_is_lost_takes_its_worker_along_and_another_node_takes_its_place(
    nodes: Any, command: Callable[..., Any], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = spread_spec(tmp_path, 200)
    alone = command("solve", spec, "--json")
    extra = nodes.add_node(num_cpus=1, memory=2 * GB)
    wait_for(lambda: ray.cluster_resources().get("CPU", 0) >= 4)
    out = tmp_path / "node.nrs"
    thread, result = in_background(lambda: cluster.solve(spec, out, workers=4, checkpoint_every=0.2))
    wait_for(lambda: checkpoint_of(out) > 0 or not thread.is_alive())
    nodes.remove_node(extra, allow_graceful=False)
    again = nodes.add_node(num_cpus=1, memory=2 * GB)
    thread.join(300)
    outcome = result[0]
    assert isinstance(outcome, cluster.SolveOutcome), result
    assert (outcome.digest, outcome.iterations) == (alone["strategy_digest"], 200)
    # Without another node the solve ends with a message, and keeps its checkpoint.
    wait_for(lambda: ray.cluster_resources().get("CPU", 0) >= 4)
    thread, result = in_background(lambda: cluster.solve(spread_spec(tmp_path, 4000), out, workers=4, checkpoint_every=0.2))
    wait_for(lambda: checkpoint_of(out) > 0 or not thread.is_alive())
    monkeypatch.setattr(_workers, "ROOM_PATIENCE", 3.0)
    nodes.remove_node(again, allow_graceful=False)
    thread.join(300)
    assert "there is no room for 1 of 4 workers" in str(result[0]) and "the same line goes on from there" in str(result[0])
    assert checkpoint_of(out) > 0


def test_a_folder_that_workers_do_not_see_is_refused_at_once(nodes: Any, tmp_path: pathlib.Path) -> None:
    # A path that means something else in every process.
    folder = os.open(tmp_path, os.O_RDONLY)
    os.dup2(folder, 900)
    own = pathlib.Path("/proc/self/fd/900")
    try:
        advice = "which the driver has written: write to a folder that all nodes share, or to a URL like s3://bucket"
        with pytest.raises(cluster.ClusterError, match=rf"a worker on node .* does not see {own}/own.nrs.checkpoint-1.json, {advice}"):
            cluster.solve(spread_spec(tmp_path), own / "own.nrs", workers=2)
        with pytest.raises(cluster.ClusterError, match=rf"node .* does not see {own}/.noregret-.*.probe, {advice}"):
            cluster.solve(spread_spec(tmp_path, turn="8c"), own / "own.nrs", workers=2)
        with pytest.raises(cluster.ClusterError, match=rf"node .* does not see {own}/.noregret-.*.probe, {advice}"):
            cluster.forty_two("484", "6", own)
    finally:
        os.close(900)
        os.close(folder)
    assert [name for name in names(tmp_path) if not name.startswith("manifest")] == ["spot.toml"]


def interrupted(nodes: Any, spec: pathlib.Path, out: str, reached: Callable[[], int]) -> None:
    """Solves until there is a checkpoint, and stops."""
    begun = driver(nodes, spec, out, "--workers", "2", "--checkpoint-every", "0.2")
    wait_for(lambda: reached() > 0 or begun.poll() is not None)
    begun.send_signal(signal.SIGINT)
    code, _, said = ended(begun)
    assert code == 130, said


def harm(count: int, fate: Fate, method: str, *words: str) -> Decide:
    """Harms so many requests of a method whose paths have these words in them."""
    left = [count]

    def decide(_: int, asked: str, path: str) -> Fate:
        if asked != method or left[0] == 0 or not all(word in path for word in words):
            return PASSED
        left[0] -= 1
        return fate

    return decide


def test_a_checkpoint_that_cannot_be_read_is_tried_again_and_kept(
    store: Moto, nodes: Any, command: Callable[..., Any], tmp_path: pathlib.Path
) -> None:
    spec = spread_spec(tmp_path, 150)
    alone = command("solve", spec, "--json")
    interrupted(nodes, spec, "s3://spots/read.nrs", lambda: store.checkpoint("read.nrs"))
    kept = store.names("read.nrs")
    # A store that says no for good: no advice to remove anything.
    store.proxy.set(harm(1000, Fate(status=400), "GET", ".nrp"))
    with pytest.raises(cluster.ClusterError, match="the store answers 400.*The checkpoint stays as it is: start the same line again"):
        cluster.solve(spec, "s3://spots/read.nrs", workers=2)
    store.proxy.set(None)
    assert [name for name in store.names("read.nrs") if name.endswith(".nrp")] == [name for name in kept if name.endswith(".nrp")]
    # One that is in the way for a while, of the driver and of workers.
    store.proxy.set(harm(3, Fate(status=400), "GET", ".nrp"))
    outcome = cluster.solve(spec, "s3://spots/read.nrs", workers=2)
    assert store.proxy.harmed == 3 and outcome.digest == alone["strategy_digest"] and outcome.run_iterations < 150
    assert store.names("read.nrs") == ["read.nrs"]


def test_only_a_damaged_checkpoint_is_advised_to_be_removed(nodes: Any, tmp_path: pathlib.Path) -> None:
    spec, out = spread_spec(tmp_path, 150), tmp_path / "out" / "damaged.nrs"
    out.parent.mkdir()
    interrupted(nodes, spec, str(out), lambda: checkpoint_of(out))
    part = next(path for path in out.parent.iterdir() if path.name.endswith("-1of3.nrp"))
    content = part.read_bytes()
    part.write_bytes(content[:-1])
    for _ in range(2):
        with pytest.raises(cluster.ClusterError, match=r"cannot read .*Remove .*damaged.nrs.checkpoint-\d+.json to begin anew"):
            cluster.solve(spec, out, workers=1)
    part.unlink()
    with pytest.raises(cluster.ClusterError, match=r"Remove .*damaged.nrs.checkpoint-\d+.json to begin anew"):
        cluster.solve(spec, out, workers=1)
    part.write_bytes(content)
    assert cluster.solve(spec, out, workers=1).iterations == 150
    assert names(out.parent) == ["damaged.nrs"]


def test_a_solution_that_cannot_be_written_leaves_a_checkpoint(
    store: Moto, nodes: Any, command: Callable[..., Any], tmp_path: pathlib.Path
) -> None:
    spec = spread_spec(tmp_path, 24)
    alone = command("solve", spec, "--json")
    store.proxy.set(harm(1000, Fate(status=400), "PUT", "/write.nrs", "-solution-"))
    with pytest.raises(cluster.ClusterError, match="the store answers 400.*The solve is not lost: the same line goes on from there"):
        cluster.solve(spec, "s3://spots/write.nrs", workers=2)
    store.proxy.set(None)
    assert store.checkpoint("write.nrs") == 24 and "write.nrs" not in store.names("write.nrs")
    outcome = cluster.solve(spec, "s3://spots/write.nrs", workers=2)
    assert (outcome.digest, outcome.iterations, outcome.run_iterations) == (alone["strategy_digest"], 24, 0)
    assert store.names("write.nrs") == ["write.nrs"]


FATES = {
    "500": Fate(status=500),
    "503": Fate(status=503),
    "slow": Fate(delay=0.4),
    "closed": Fate(is_cut=True),
    "lost": Fate(is_answer_lost=True),
}


@pytest.mark.parametrize("fate", FATES)
def test_a_store_in_trouble_changes_no_bit(
    fate: str, store: Moto, nodes: Any, command: Callable[..., Any], tmp_path: pathlib.Path
) -> None:
    spec = spread_spec(tmp_path, 24)
    alone = command("solve", spec, "--json")
    store.proxy.set(lambda number, _, __: FATES[fate] if number % 4 == 1 else PASSED)
    name = f"{fate}.nrs"
    outcome = cluster.solve(spec, f"s3://spots/{name}", workers=2, checkpoint_every=0.1)
    assert store.proxy.harmed > 3
    store.proxy.set(None)
    assert (outcome.digest, outcome.iterations) == (alone["strategy_digest"], 24)
    assert store.names(name) == [name] and nr.open(f"s3://spots/{name}").digest == outcome.digest
    command("verify", f"s3://spots/{name}")


def test_a_turn_goes_on_from_its_checkpoint_with_the_precision_that_was_planned(
    store: Moto, nodes: Any, command: Callable[..., Any], tmp_path: pathlib.Path
) -> None:
    spec = spread_spec(tmp_path, 3000, turn="8c")
    spec.write_text(spec.read_text().replace('quantization = "16bit"\n', ""))
    alone = command("solve", spec, "--json")
    out, more = "s3://spots/turn.nrs", ["--workers", "1", "--checkpoint-every", "0.1"]
    begun = driver(nodes, spec, out, *more)
    wait_for(lambda: "turn.nrs.nrc" in store.names("turn.nrs") or begun.poll() is not None)
    begun.kill()
    begun.communicate()
    wait_for(lambda: not processes("run_task"))
    assert store.names("turn.nrs") == ["turn.nrs.nrc"]
    read: list[str] = []

    def watch(_: int, method: str, path: str) -> Fate:
        read.extend([path] if method == "GET" and path.endswith("turn.nrs.nrc") else [])
        return PASSED

    store.proxy.set(watch)
    outcome = cluster.solve(spec, out, workers=1, checkpoint_every=0.1)
    assert read, "the checkpoint is gone on from"
    assert (outcome.digest, outcome.iterations) == (alone["strategy_digest"], 3000)
    assert store.names("turn.nrs") == ["turn.nrs"]
    # With less memory other precisions are picked, on any node those that the command line picks.
    limit = nr.Spot.from_toml(spec).plan(threads=1).memory_bytes - 1
    small = cluster.solve(spec, "s3://spots/small.nrs", workers=1, memory=limit, max_iterations=10)
    alone = command("solve", spec, "--json", "--memory", str(limit), "--max-iterations", "10", "--threads", "1")
    assert small.digest == alone["strategy_digest"]


def test_turns_are_not_dealt_out_anew_by_times_of_several_threads(nodes: Any, tmp_path: pathlib.Path) -> None:
    extra = nodes.add_node(num_cpus=2, memory=2 * GB)
    try:
        wait_for(lambda: ray.cluster_resources().get("CPU", 0) >= 5)
        out = tmp_path / "threads.nrs"
        thread, result = in_background(lambda: cluster.solve(spread_spec(tmp_path, 200), out, workers=1, cpus=2, checkpoint_every=0.2))
        seen: list[object] = []

        def look() -> bool:
            for mark in tmp_path.glob("*.checkpoint-*.json"):
                try:
                    seen.append(json.loads(mark.read_text())["costs"])
                except OSError:
                    continue
            return not thread.is_alive()

        wait_for(look)
        assert isinstance(result[0], cluster.SolveOutcome), result
        assert set(seen) == {None}
    finally:
        nodes.remove_node(extra)
