"""What tests share: small spots, and the command line that came with the wheel."""

from __future__ import annotations

import importlib
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from faulty_store import Proxy

import noregret as nr

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts what is to run in the background so, and every process that is started here would ignore Ctrl-C, too: tests that
    # send it would wait forever.
    signal.signal(signal.SIGINT, signal.default_int_handler)

GB = 10**9

ROOT = pathlib.Path(__file__).resolve().parents[2]


def river() -> nr.Spot:
    """A river that is solved in milliseconds."""
    return nr.Spot("AA,KK,QJs,T9s", "TT+,KQs,87s", "QsJh2h8c3d", pot=100, stack=300, bet="50%", raise_="2.5x")


def turn() -> nr.Spot:
    """A turn that is solved in some tenths of a second."""
    return nr.Spot("AA,KK,QJs,T9s", "TT+,KQs,87s", "QsJh2h8c", pot=100, stack=300, bet="50%", raise_="2.5x")


@pytest.fixture(scope="session")
def solution() -> nr.Solution:
    return nr.solve(turn(), target=0.5, progress=False)


@pytest.fixture(scope="session")
def table() -> nr.forty_two.Table:
    return nr.forty_two.solve(seed=0, decl="blanks")


@pytest.fixture(scope="session")
def command() -> Callable[..., Any]:
    """Runs `noregret` as it was installed; returns what it prints as JSON if it can be read so."""
    program = pathlib.Path(sys.executable).with_name("noregret")

    def run(*arguments: str | pathlib.Path, code: int = 0, input: str | None = None) -> Any:
        ended = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, input=input)
        assert ended.returncode == code, ended.stderr
        if code:
            return ended.stderr
        try:
            return json.loads(ended.stdout)
        except json.JSONDecodeError:
            return ended.stdout

    return run


@pytest.fixture
def elsewhere(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts may be taken for paths, and files be written there."""
    monkeypatch.chdir(tmp_path)


class Moto:
    """moto's server, which speaks S3, with the bucket `spots`."""

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        python = ROOT / "target/places-venv/bin/python"
        self._server = subprocess.Popen(
            [python, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(self.port)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for _ in range(3000):
            try:
                self._ask("PUT", "/spots")
                break
            except OSError:
                time.sleep(0.1)
        self.proxy = Proxy(self.port)
        """What programs ask in its place."""

    def _ask(self, method: str, path: str) -> bytes:
        signed = "AWS4-HMAC-SHA256 Credential=test/20200101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0"
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", method=method, headers={"Authorization": signed}
        )
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request) as answer:
            content: bytes = answer.read()
        return content

    def object(self, name: str) -> bytes:
        """The content of an object."""
        return self._ask("GET", f"/spots/{name}")

    def names(self, prefix: str = "") -> list[str]:
        """The names of all objects that begin so, however many pages they take."""
        names: list[str] = []
        while True:
            after = f"&start-after={urllib.parse.quote(names[-1])}" if names else ""
            text = self._ask("GET", f"/spots?list-type=2&prefix={prefix}{after}").decode()
            names += re.findall("<Key>([^<]*)</Key>", text)
            if "<IsTruncated>true" not in text:
                return names

    def checkpoint(self, name: str) -> int:
        """The iteration of the last checkpoint of a solve into an object; 0 if there is none."""
        marks = self.names(f"{name}.checkpoint-")
        try:
            last = max(marks, key=lambda mark: int(mark.rpartition("-")[2].removesuffix(".json")))
            iteration: int = json.loads(self.object(last))["iteration"]
            return iteration
        except (ValueError, OSError):
            # None yet, or it was replaced meanwhile.
            return 0

    def environment(self) -> dict[str, str]:
        """What leads to it."""
        return {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{self.proxy.port}",
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_REGION": "us-east-1",
            "NO_PROXY": "127.0.0.1",
        }

    def stop(self) -> None:
        self.proxy.stop()
        self._server.kill()
        self._server.wait()


@pytest.fixture(scope="module")
def moto() -> Iterator[Moto]:
    """A bucket for the tests of a file."""
    server = Moto()
    before = dict(os.environ)
    os.environ.update(server.environment())
    yield server
    os.environ.clear()
    os.environ.update(before)
    server.stop()


@pytest.fixture
def store(moto: Moto) -> Iterator[Moto]:
    """A store whose requests may be harmed until the end of the test."""
    yield moto
    moto.proxy.set(None)


RAY_SETTINGS = {
    # Workers give way to all else unless told otherwise, and on a busy machine they would hardly run.
    "RAY_worker_niceness": "0",
    # Seconds that a node and a worker may take to start.
    "RAY_raylet_start_wait_time_s": "300",
    "RAY_worker_register_timeout_seconds": "300",
}

QUICK_HEALTH_CHECKS = {
    "health_check_initial_delay_ms": 500,
    "health_check_period_ms": 500,
    "health_check_failure_threshold": 5,
}
"""A node whose processes are gone is known to be lost after seconds. One that only answers late is not taken for lost."""


def started_cluster(count: int) -> Any:
    """A cluster of so many nodes on this machine, which this process is connected to."""
    ray = importlib.import_module("ray")
    os.environ.update(RAY_SETTINGS)
    node = {"num_cpus": 1, "memory": 2 * GB}
    head = {**node, "include_dashboard": False, "_system_config": QUICK_HEALTH_CHECKS}
    cluster = importlib.import_module("ray.cluster_utils").Cluster(initialize_head=True, head_node_args=head)
    for _ in range(count - 1):
        cluster.add_node(**node)
    ray.init(address=cluster.address, log_to_driver=False)
    return cluster


@pytest.fixture(scope="module")
def nodes(moto: Moto) -> Iterator[Any]:
    """A cluster of three nodes on this machine."""
    ray = pytest.importorskip("ray")
    cluster = started_cluster(3)
    yield cluster
    ray.shutdown()
    cluster.shutdown()


def lose_a_node(nodes: Any) -> None:
    """Removes a node without grace: not the one that this process is connected to."""
    nodes.remove_node(next(iter(nodes.worker_nodes)), allow_graceful=False)


SPREAD_SPEC = """[ranges]
oop = "AA,KTs,98s:0.5"
ip = "QQ,T9s,KJs:0.25"
[cards]
flop = "QsJh2h"
[tree]
starting_pot = 60
effective_stack = 150
[solver]
max_iterations = {iterations}
target_exploitability_pct = 0
quantization = "16bit"
"""


def spread_spec(folder: pathlib.Path, iterations: int = 24, extra: str = "", turn: str = "") -> pathlib.Path:
    """A flop that is solved in a second, or one of its turns, with more of its `[solver]`."""
    path = folder / "spot.toml"
    text = SPREAD_SPEC.format(iterations=iterations) + extra
    path.write_text(text.replace('flop = "QsJh2h"', f'flop = "QsJh2h"\nturn = "{turn}"') if turn else text)
    return path


def processes(name: str) -> list[int]:
    """The processes of Ray that run a task or an actor of this name."""
    listed = subprocess.run(["ps", "-eo", "pid,args"], capture_output=True, text=True).stdout.splitlines()
    return [int(line.split()[0]) for line in listed if f"ray::{name}" in line]


def branch_workers() -> list[int]:
    """The processes that hold turns."""
    return processes("BranchWorker")


def checkpoint_of(out: pathlib.Path) -> int:
    """The iteration of the last checkpoint of a solve into a file; 0 if there is none."""
    marks = list(out.parent.glob(f"{out.name}.checkpoint-*.json"))
    try:
        last = max(marks, key=lambda mark: int(mark.stem.rpartition("-")[2]))
        iteration: int = json.loads(last.read_text())["iteration"]
        return iteration
    except (ValueError, OSError):
        # None yet, or it was replaced meanwhile.
        return 0


class Watch(nr.Progress):
    """Calls functions with each iteration, and with each text that is shown."""

    is_shown = True

    def __init__(
        self, iterated: Callable[[int], object] = lambda _: None, said: Callable[[str], object] = lambda _: None
    ) -> None:
        self._iterated, self._said = iterated, said

    def update(self, iteration: int, *_: Any) -> None:
        self._iterated(iteration)

    def show(self, share: float, text: str) -> None:
        self._said(text)


def in_background(work: Callable[[], Any]) -> tuple[threading.Thread, list[Any]]:
    """Does something in another thread; the list gets what it returns or raises."""
    result: list[Any] = []

    def run() -> None:
        try:
            result.append(work())
        except BaseException as error:
            result.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    return thread, result


def wait_for(condition: Callable[[], bool], seconds: float = 600) -> None:
    """Waits for something that comes soon, unless the machine is very busy."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "nothing happens"
        time.sleep(0.05)
