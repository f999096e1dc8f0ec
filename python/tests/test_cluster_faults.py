"""One spot on a cluster, and what can go wrong there: two drivers, no room, folders that are not shared, stores in trouble.

Faults strike at an iteration, in a request or with a text that is shown, and not after some time: so they do on a busy machine, too.
"""

from __future__ import annotations

import collections
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from conftest import GB, ROOT, Moto, Watch, branch_workers, checkpoint_of, lose_a_node, processes, spread_spec, wait_for
from faulty_store import PASSED, Decide, Fate

import noregret as nr
from noregret import cluster
from noregret._noregret import read_place, remove_place, write_place
from noregret.cluster import _checkpoint, _driver, _workers
from noregret.cluster._checkpoint import Checkpoint, TakenOver

ray = pytest.importorskip("ray")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every iteration is told about, waits are short, and turns stay where they are."""
    monkeypatch.setattr(_driver, "_PROGRESS_INTERVAL", 0.0)
    monkeypatch.setattr(_driver, "_PAUSE", 0.1)
    monkeypatch.setattr(_driver, "_REDEAL_SHARE", 0.0)


def driver(nodes: Any, spec: pathlib.Path, out: str | pathlib.Path) -> subprocess.Popen[str]:
    """Starts a driver as people do, which writes a checkpoint after every iteration."""
    start = [sys.executable, "-m", "noregret.cluster", "solve", str(spec), "--out", str(out), "--address", nodes.address]
    return subprocess.Popen(
        [*start, "--workers", "1", "--checkpoint-every", "0"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )


def names(folder: pathlib.Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def press_ctrl_c() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def interrupted(spec: pathlib.Path, out: str) -> None:
    """Solves some iterations, and stops with a checkpoint."""
    watch = Watch(lambda iteration: press_ctrl_c() if iteration == 4 else None)
    with pytest.raises(KeyboardInterrupt):
        cluster.solve(spec, out, workers=1, progress=watch)


def never_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drivers show many signs of life, and nobody takes one for gone who waits for some."""
    monkeypatch.setattr(_checkpoint, "HEARTBEAT", 0.1)
    monkeypatch.setattr(_checkpoint, "_SILENCE", 600.0)


def soon_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drivers that are silent for half a second are gone."""
    monkeypatch.setattr(_checkpoint, "HEARTBEAT", 0.1)
    monkeypatch.setattr(_checkpoint, "_SILENCE", 5.0)


@pytest.mark.parametrize("kind", ["folder", "bucket"])
def test_of_two_drivers_one_has_the_run(
    kind: str, moto: Moto, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = f"s3://spots/claims-{kind}.nrs" if kind == "bucket" else str(tmp_path / "claims.nrs")

    def left() -> list[str]:
        found = moto.names("claims-bucket") if kind == "bucket" else names(tmp_path)
        return [name for name in found if not name.endswith("-driver.txt")]

    def write(parts: list[str]) -> None:
        for part in parts:
            write_place(part, b"a part")

    never_gone(monkeypatch)
    first = Checkpoint(out)
    assert (first.iteration, first.parts) == (0, [])
    with first.beats():
        with pytest.raises(cluster.ClusterError, match=r"another driver solves into .*, process \d+ on .*: wait for its end"):
            Checkpoint(out)
    # Silent from now on, as if its machine were gone: it is taken over with its checkpoint.
    write(parts := first.part_paths(5, 2))
    first.finish(5, parts)
    waited: list[str] = []
    soon_gone(monkeypatch)
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
    # Sorted, as the names of parts begin with a number that is drawn by chance.
    assert sorted(left()) == sorted(each.rpartition("/")[2] for each in [*parts, second.mark])
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


def test_the_checkpoint_of_an_older_release_is_taken_over(tmp_path: pathlib.Path) -> None:
    old = ROOT / "crates/cli/tests/old_files/spread"
    shutil.copy(old / "spot.nrs.checkpoint-2.json", tmp_path)
    checkpoint = Checkpoint(str(tmp_path / "spot.nrs"))
    assert (checkpoint.iteration, len(checkpoint.parts)) == (4, 13)
    assert checkpoint.parts[1] == str(tmp_path / "spot.nrs.0a1b2c3d-4-1of13.nrp")
    assert checkpoint.mark == str(tmp_path / "spot.nrs.checkpoint-3.json")
    checkpoint.release()


def test_a_mark_that_the_store_has_and_denies_is_no_other_driver(tmp_path: pathlib.Path) -> None:
    out = str(tmp_path / "denied.nrs")
    checkpoint = Checkpoint(out)
    parts = checkpoint.part_paths(3, 2)
    for part in parts:
        write_place(part, b"a part")
    denied = json.loads(read_place(checkpoint.mark)) | {"iteration": 2}
    write_place(f"{out}.checkpoint-2.json", json.dumps(denied).encode())
    checkpoint.check_owned()
    checkpoint.finish(3, parts)
    assert checkpoint.mark == f"{out}.checkpoint-3.json"
    assert [name for name in names(tmp_path) if ".checkpoint-" in name] == ["denied.nrs.checkpoint-3.json"]
    checkpoint.remove()
    checkpoint.release()
    assert names(tmp_path) == []


def test_a_second_driver_says_so_and_the_first_one_is_not_disturbed(
    moto: Moto, nodes: Any, command: Callable[..., Any], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec, out = spread_spec(tmp_path), "s3://spots/two.nrs"
    never_gone(monkeypatch)
    before: list[list[str]] = []

    def second(iteration: int) -> None:
        if iteration in (1, 5):
            before.append(moto.names("two.nrs"))
            with pytest.raises(cluster.ClusterError, match=rf"another driver solves into {out}, process {os.getpid()} on "):
                cluster.solve(spec, out, workers=1, progress=False)
            assert moto.names("two.nrs") == before[-1]

    outcome = cluster.solve(spec, out, workers=1, checkpoint_every=0, progress=Watch(second))
    assert len(before) == 2 and any(name.endswith(".nrp") for name in before[1])
    assert outcome.digest == command("solve", spec, "--json")["strategy_digest"]
    assert moto.names("two.nrs") == ["two.nrs"]


def test_a_driver_that_is_frozen_loses_the_run_and_nothing_else(
    nodes: Any, command: Callable[..., Any], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = spread_spec(tmp_path, 200)
    home = tmp_path / "out"
    home.mkdir()
    out = home / "frozen.nrs"
    first = driver(nodes, spec, out)
    wait_for(lambda: checkpoint_of(out) > 0 or first.poll() is not None)
    first.send_signal(signal.SIGSTOP)
    begun = checkpoint_of(out)
    said: list[str] = []

    def awake(_: int) -> None:
        if not said:
            first.send_signal(signal.SIGCONT)
            said.append(first.communicate(timeout=300)[1])

    soon_gone(monkeypatch)
    second = cluster.solve(spec, out, workers=1, progress=Watch(awake))
    # Its next checkpoint tells it that the run is another driver's.
    assert first.returncode == 1 and "error: another driver has taken over what solves into" in said[0], said
    assert second.digest == command("solve", spec, "--json")["strategy_digest"]
    assert 0 < begun and second.run_iterations <= 200 - begun
    assert names(home) == ["frozen.nrs"]


def test_workers_without_room_are_not_waited_for_forever(
    nodes: Any, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec, out = spread_spec(tmp_path), tmp_path / "full.nrs"
    groups: Any = pytest.importorskip("ray.util.placement_group")
    # Something else that runs on the cluster.
    other = groups.placement_group([{"CPU": 1}])
    assert other.wait(60)
    monkeypatch.setattr(_workers, "ROOM_PATIENCE", 1.0)
    with pytest.raises(
        cluster.ClusterError,
        match=r"there is no room for 3 of 3 workers, each with 1 processors and up to 0\.3 GB of memory; the cluster has .* to spare "
        r"for 1 s: add nodes, end other jobs, or ask for fewer workers",
    ):
        cluster.solve(spec, out, workers=3)
    monkeypatch.setattr(_workers, "ROOM_PATIENCE", 600.0)
    monkeypatch.setattr(_workers, "_WARN_AFTER", 0.0)
    # Ctrl-C ends the wait.
    texts: list[str] = []

    def stop(text: str) -> None:
        texts.append(text)
        if len(texts) == 2:
            press_ctrl_c()

    with pytest.raises(KeyboardInterrupt), pytest.warns(UserWarning, match="the solve waits for nodes, or for other jobs to end"):
        cluster.solve(spec, out, workers=3, progress=Watch(said=stop))
    assert set(texts) == {"waiting for room for 3 of 3 workers"} and names(tmp_path) == ["spot.toml"]

    # When the other one ends, it goes on.
    def make_room(text: str) -> None:
        if text.startswith("waiting for room"):
            groups.remove_placement_group(other)

    with pytest.warns(UserWarning, match="there is no room for 3 of 3 workers"):
        outcome = cluster.solve(spec, out, workers=3, max_iterations=1, progress=Watch(said=make_room))
    assert (outcome.workers, outcome.iterations) == (3, 1)
    # The room is given back.
    wait_for(lambda: ray.available_resources().get("CPU", 0) == 3)


def test_a_node_that_is_lost_takes_its_worker_along_and_another_node_takes_its_place(
    nodes: Any, command: Callable[..., Any], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec, out = spread_spec(tmp_path), tmp_path / "node.nrs"
    lost: list[int] = []

    def lose(iteration: int) -> None:
        if iteration == 5 and not lost:
            lost.append(iteration)
            lose_a_node(nodes)
            nodes.add_node(num_cpus=1, memory=2 * GB)
        if iteration == 10 and len(lost) == 1:
            lost.append(iteration)
            lose_a_node(nodes)
            monkeypatch.setattr(_workers, "ROOM_PATIENCE", 1.0)

    # Without another node the solve ends with a message, and keeps its checkpoint.
    with pytest.raises(cluster.ClusterError, match="there is no room for 1 of 3 workers.*the same line goes on from there"):
        cluster.solve(spec, out, workers=3, checkpoint_every=0, progress=Watch(lose))
    assert lost == [5, 10] and checkpoint_of(out) >= 9
    nodes.add_node(num_cpus=1, memory=2 * GB)
    monkeypatch.setattr(_workers, "ROOM_PATIENCE", 600.0)
    outcome = cluster.solve(spec, out, workers=3)
    assert outcome.run_iterations <= 15 and outcome.iterations == 24
    assert outcome.digest == command("solve", spec, "--json")["strategy_digest"]


def test_workers_that_are_killed_at_any_moment_are_replaced(
    store: Moto, nodes: Any, command: Callable[..., Any], tmp_path: pathlib.Path
) -> None:
    spec = spread_spec(tmp_path)
    killed: set[str] = set()

    def kill(moment: str) -> None:
        workers = branch_workers()
        if moment not in killed and workers:
            killed.add(moment)
            os.kill(workers[0], signal.SIGKILL)

    def request(_: int, method: str, path: str) -> Fate:
        is_write = method in ("PUT", "POST") and "of" in path
        if is_write and "-12-" in path and "-0of" not in path:
            kill("a checkpoint")
        if is_write and "-solution-" in path:
            kill("a write")
        return PASSED

    store.proxy.set(request)
    watch = Watch(lambda iteration: kill("an iteration") if iteration == 5 else None)
    outcome = cluster.solve(spec, "s3://spots/killed.nrs", workers=2, checkpoint_every=0, progress=watch)
    assert killed == {"an iteration", "a checkpoint", "a write"} and outcome.lost == 3
    assert (outcome.digest, outcome.iterations) == (command("solve", spec, "--json")["strategy_digest"], 24)
    assert store.names("killed.nrs") == ["killed.nrs"]


def test_a_folder_that_workers_do_not_see_is_refused_at_once(nodes: Any, tmp_path: pathlib.Path) -> None:
    # A path that means something else in every process.
    folder = os.open(tmp_path, os.O_RDONLY)
    os.dup2(folder, 900)
    own = pathlib.Path("/proc/self/fd/900")
    try:
        advice = "which the driver has written: write to a folder that all nodes share, or to a URL like s3://bucket"
        with pytest.raises(cluster.ClusterError, match=rf"a worker on node .* does not see {own}/own.nrs.checkpoint-1.json, {advice}"):
            cluster.solve(spread_spec(tmp_path), own / "own.nrs", workers=1)
        with pytest.raises(cluster.ClusterError, match=rf"node .* does not see {own}/.noregret-.*.probe, {advice}"):
            cluster.solve(spread_spec(tmp_path, turn="8c"), own / "own.nrs", workers=2)
        with pytest.raises(cluster.ClusterError, match=rf"node .* does not see {own}/.noregret-.*.probe, {advice}"):
            cluster.forty_two("484", "6", own)
    finally:
        os.close(900)
        os.close(folder)
    assert [name for name in names(tmp_path) if not name.startswith("manifest")] == ["spot.toml"]


def harm(count: int, fate: Fate, method: str, *words: str) -> Decide:
    """Harms so many requests of a method whose paths have these words in them."""
    left = [count]

    def decide(_: int, asked: str, path: str) -> Fate:
        if asked != method or left[0] == 0 or not all(word in path for word in words):
            return PASSED
        left[0] -= 1
        return fate

    return decide


def test_a_checkpoint_that_cannot_be_read_is_kept_and_only_a_damaged_one_is_advised_to_be_removed(
    store: Moto, nodes: Any, command: Callable[..., Any], tmp_path: pathlib.Path
) -> None:
    spec, out = spread_spec(tmp_path), "s3://spots/read.nrs"
    interrupted(spec, out)

    def parts() -> list[str]:
        return [name for name in store.names("read.nrs") if name.endswith(".nrp")]

    kept = parts()
    # A store that says no for good: no advice to remove anything.
    store.proxy.set(harm(1000, Fate(status=400), "GET", ".nrp"))
    with pytest.raises(cluster.ClusterError, match="the store answers 400.*The checkpoint stays as it is: start the same line again"):
        cluster.solve(spec, out, workers=1)
    store.proxy.set(None)
    assert parts() == kept
    # A part that is damaged, or missing.
    path = f"s3://spots/{kept[1]}"
    content = read_place(path)
    advice = r"Remove s3://spots/read.nrs.checkpoint-\d+.json to begin anew, or choose another place"
    write_place(path, content[:-1])
    for _ in range(2):
        with pytest.raises(cluster.ClusterError, match=rf"cannot read .*{advice}"):
            cluster.solve(spec, out, workers=1)
    remove_place(path)
    with pytest.raises(cluster.ClusterError, match=advice):
        cluster.solve(spec, out, workers=1)
    write_place(path, content)
    assert parts() == kept
    # A store that is in the way for a while: of the driver, and of the worker after it was asked to look at the place.
    of_driver, of_worker = (harm(1, Fate(status=400), "GET", ".nrp") for _ in range(2))
    probed: list[str] = []

    def decide(number: int, method: str, path: str) -> Fate:
        probed.extend([path] if ".probe" in path else [])
        return (of_worker if probed else of_driver)(number, method, path)

    store.proxy.set(decide)
    outcome = cluster.solve(spec, out, workers=1)
    assert store.proxy.harmed == 2 and (outcome.iterations, outcome.run_iterations) == (24, 20)
    assert outcome.digest == command("solve", spec, "--json")["strategy_digest"]
    assert store.names("read.nrs") == ["read.nrs"]


def test_a_solution_that_cannot_be_written_leaves_a_checkpoint(
    store: Moto, nodes: Any, command: Callable[..., Any], tmp_path: pathlib.Path
) -> None:
    spec, out = spread_spec(tmp_path), "s3://spots/write.nrs"
    store.proxy.set(harm(1000, Fate(status=400), "PUT", "/write.nrs", "-solution-"))
    with pytest.raises(cluster.ClusterError, match="the store answers 400.*The solve is not lost: the same line goes on from there"):
        cluster.solve(spec, out, workers=1)
    store.proxy.set(None)
    assert store.checkpoint("write.nrs") == 24 and "write.nrs" not in store.names("write.nrs")
    outcome = cluster.solve(spec, out, workers=1)
    assert (outcome.iterations, outcome.run_iterations) == (24, 0)
    assert outcome.digest == command("solve", spec, "--json")["strategy_digest"]
    assert store.names("write.nrs") == ["write.nrs"]


FATES = {
    "500": Fate(status=500),
    "503": Fate(status=503),
    "slow": Fate(delay=0.3),
    "closed": Fate(is_cut=True),
    "lost": Fate(is_answer_lost=True),
}


def test_a_store_in_trouble_changes_no_bit(
    store: Moto, nodes: Any, command: Callable[..., Any], tmp_path: pathlib.Path
) -> None:
    spec = spread_spec(tmp_path, 8)
    fates, met = list(FATES), collections.Counter[str]()

    def decide(_: int, method: str, __: str) -> Fate:
        met[method] += 1
        # Every fourth request of each method.
        return FATES[fates[met[method] // 4 % len(fates)]] if met[method] % 4 == 1 else PASSED

    store.proxy.set(decide)
    outcome = cluster.solve(spec, "s3://spots/trouble.nrs", workers=2, checkpoint_every=0)
    store.proxy.set(None)
    assert met["PUT"] > 4 * len(fates), "each has struck"
    assert (outcome.digest, outcome.iterations) == (command("solve", spec, "--json")["strategy_digest"], 8)
    assert store.names("trouble.nrs") == ["trouble.nrs"] and nr.open("s3://spots/trouble.nrs").digest == outcome.digest
    command("verify", "s3://spots/trouble.nrs")


def test_a_turn_goes_on_from_its_checkpoint_with_the_precision_that_was_planned(
    store: Moto, nodes: Any, command: Callable[..., Any], tmp_path: pathlib.Path
) -> None:
    spec = spread_spec(tmp_path, 3000, turn="8c")
    spec.write_text(spec.read_text().replace('quantization = "16bit"\n', ""))
    out = "s3://spots/turn.nrs"
    met: list[str] = []

    def decide(_: int, method: str, path: str) -> Fate:
        if path.endswith("turn.nrs.nrc"):
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
    outcome = cluster.solve(spec, out, workers=1, checkpoint_every=0)
    store.proxy.set(None)
    assert "killed" in met and "read" in met, "the checkpoint is gone on from"
    assert (outcome.digest, outcome.iterations) == (command("solve", spec, "--json")["strategy_digest"], 3000)
    assert store.names("turn.nrs") == ["turn.nrs"]
    # With less memory other precisions are picked, on any node those that the command line picks.
    limit = nr.Spot.from_toml(spec).plan(threads=1).memory_bytes - 1
    small = cluster.solve(spec, "s3://spots/small.nrs", workers=1, memory=limit, max_iterations=10)
    alone = command("solve", spec, "--json", "--memory", str(limit), "--max-iterations", "10", "--threads", "1")
    assert small.digest == alone["strategy_digest"]


def test_turns_are_dealt_out_anew_by_times_of_one_thread_only(
    nodes: Any, command: Callable[..., Any], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Whatever it gains.
    monkeypatch.setattr(_driver, "_REDEAL_SHARE", 100.0)
    spec, out = spread_spec(tmp_path), tmp_path / "again.nrs"
    alone = command("solve", spec, "--json")
    seen: list[object] = []

    def look(_: int) -> None:
        for mark in tmp_path.glob("*.checkpoint-*.json"):
            seen.append(json.loads(mark.read_text())["costs"])

    outcome = cluster.solve(spec, out, workers=2, checkpoint_every=0, progress=Watch(look))
    costs = seen[-1]
    assert isinstance(costs, list) and len(costs) == 36 and outcome.lost == 0
    assert (outcome.digest, outcome.turn_seconds) == (alone["strategy_digest"], {})
    extra = nodes.add_node(num_cpus=2, memory=2 * GB)
    try:
        seen.clear()
        outcome = cluster.solve(spec, out, workers=1, cpus=2, checkpoint_every=0, max_iterations=3, progress=Watch(look))
        assert seen and not any(seen)
    finally:
        nodes.remove_node(extra)
