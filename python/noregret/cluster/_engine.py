"""Units of work on Ray: so many at once, made again where a worker is lost, told about as they end."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from .._errors import NoregretError
from .._progress import Progress, plain_progress
from ._command import Receipt, run_task
from ._probe import probe_in

_TRIES = 3
"""How often a unit is tried whose store fails for minutes."""

_CONNECT_SECONDS = 10.0
"""How long a cluster may take to accept a connection."""

_OVERHEAD = 300 << 20
"""Memory of a worker and a command beside what is announced."""


class ClusterError(NoregretError, RuntimeError):
    """A run that cannot be done, or not to its end."""

    __module__ = "noregret.cluster"


class WrongRequest(ClusterError, ValueError):
    """A run that makes no sense: the text is that of the command line."""

    __module__ = "noregret.cluster"


@dataclass(frozen=True)
class Unit:
    """What one task does."""

    arguments: tuple[str, ...]
    count: int
    """How many things it makes."""
    files: Mapping[str, str] = field(default_factory=dict)
    folder: str = ""
    resume: str | None = None
    """A checkpoint to go on from, if it is there when the task begins."""


@dataclass(frozen=True)
class Needs:
    """What a task takes."""

    cpus: int
    memory: int


@dataclass
class Outcome:
    """What a run has done."""

    made: int = 0
    """How many were made now."""
    skipped: int = 0
    """How many were there."""
    failed: dict[str, str] = field(default_factory=dict)
    """What could not be made, and why."""
    bytes: int = 0
    """How long the files are that were made."""
    seconds: float = 0.0
    """How long the run took."""
    tasks: int = 0
    """How many tasks there were."""


class Sizer:
    """How many small jobs make a task of some seconds, by how long they took so far."""

    def __init__(self, seconds: float = 10.0) -> None:
        self._wanted, self._count, self._seconds = seconds, 0, 0.0

    def add(self, count: int, seconds: float) -> None:
        """Tells how long so many took."""
        self._count += count
        self._seconds += seconds

    def size(self, left: int, slots: int) -> int:
        """How many the next task is to do; fewer towards the end, so that no worker is left with much alone."""
        if self._count == 0:
            return 1
        per_job = max(self._seconds / self._count, 1e-4)
        fair = -(-left // max(2 * slots, 1))
        return max(min(int(self._wanted / per_job), fair, left), 1)


class Engine:
    """A cluster: one that is there, or one on this machine."""

    def __init__(self, address: str | None) -> None:
        try:
            self._ray: Any = import_module("ray")
        except ImportError:
            raise ClusterError("Ray is missing: `pip install noregret[cluster]` installs it") from None
        self._is_ours = not self._ray.is_initialized()
        if not self._is_ours:
            return
        here = {"include_dashboard": False} if address is None else {}
        try:
            _check_listens(address or "")
            self._ray.init(address=address, log_to_driver=False, logging_level="error", **here)
        except (OSError, ValueError, RuntimeError, self._ray.exceptions.RayError) as error:
            reason = " ".join(str(error).split())[:200]
            raise ClusterError(
                f"there is no cluster at {address}: {reason}. `ray start --head` starts one, and no address one here"
            ) from None

    def close(self) -> None:
        """Leaves the cluster; one that was started here ends."""
        if self._is_ours:
            self._ray.shutdown()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        self.close()
        if isinstance(error, self._ray.exceptions.RayError):
            raise ClusterError(f"Ray has failed: {_first_line(error)}. Look into its logs") from None

    def nodes(self) -> list[tuple[int, int]]:
        """The processors and the memory of each node."""
        alive = [node["Resources"] for node in self._ray.nodes() if node["Alive"]]
        return [(int(node.get("CPU", 0)), int(node.get("memory", 0))) for node in alive]

    def needs(self, bytes: int, cpus: int | None, advice: str = "save memory by `precision`") -> Needs:
        """What a task is to ask for that allocates so many bytes: without a number of processors, as many as belong to its share of the
        memory."""
        memory = bytes + _OVERHEAD
        nodes = [node for node in self.nodes() if node[0] > 0]
        largest = max((node[1] for node in nodes), default=0)
        if memory > largest:
            raise ClusterError(
                f"a job takes {memory / 1e9:.1f} GB of memory, and the largest node of the cluster has "
                f"{largest / 1e9:.1f} GB: add a larger node, or {advice}"
            )
        if cpus is None:
            shares = [-(-memory * node[0] // node[1]) for node in nodes if node[1] >= memory]
            cpus = max(1, min(shares))
        if all(node[0] < cpus for node in nodes):
            raise ClusterError(f"no node of the cluster has {cpus} processors: ask for fewer with --cpus")
        return Needs(cpus, memory)

    @property
    def ray(self) -> Any:
        """Ray, connected to the cluster."""
        return self._ray

    def check_room(self, workers: Sequence[Needs]) -> None:
        """Refuses workers for which the nodes have no room all at once."""
        free = self.nodes()
        placed = 0
        for needs in sorted(workers, key=lambda needs: -needs.memory):
            fitting = [index for index, (cpus, memory) in enumerate(free) if cpus >= needs.cpus and memory >= needs.memory]
            if fitting:
                # The fullest node that still takes it.
                index = min(fitting, key=lambda index: free[index][1])
                free[index] = (free[index][0] - needs.cpus, free[index][1] - needs.memory)
                placed += 1
        if placed < len(workers):
            largest = max(workers, key=lambda needs: needs.memory)
            raise ClusterError(
                f"the cluster has room for {placed} of {len(workers)} workers, each with {largest.cpus} processors and up to "
                f"{largest.memory / 1e9:.1f} GB of memory: add nodes, or ask for fewer workers"
            )

    def slots(self, needs: Needs) -> int:
        """How many tasks run at once."""
        fit = [min(node[0] // needs.cpus, node[1] // max(needs.memory, 1)) for node in self.nodes()]
        return max(sum(fit), 1)

    def run(
        self,
        units: Callable[[int], Iterator[Unit]],
        needs: Needs,
        receive: Callable[[Unit, Receipt], int],
        total: int,
        noun: str,
        progress: bool | Progress | None = None,
        *,
        out: str,
    ) -> int:
        """Runs units until there are none, and returns how many tasks there were. `units` is told how many run at once. `receive` gets each
        receipt, and says how many things are done with it. `out` is the folder that they write to, which is to be the same on all
        nodes."""
        with probe_in(out) as probe:
            return self._run(units, needs, receive, total, noun, progress, probe)

    def _run(
        self,
        units: Callable[[int], Iterator[Unit]],
        needs: Needs,
        receive: Callable[[Unit, Receipt], int],
        total: int,
        noun: str,
        progress: bool | Progress | None,
        probe: str | None,
    ) -> int:
        slots = self.slots(needs)
        waiting = units(slots)
        remote = self._ray.remote(run_task).options(
            num_cpus=needs.cpus, memory=needs.memory, max_retries=-1, retry_exceptions=False
        )
        pending: dict[Any, tuple[Unit, int]] = {}
        tasks = done = 0
        started = time.monotonic()

        def submit(unit: Unit, attempt: int) -> None:
            nonlocal tasks
            tasks += 1
            task = remote.remote(unit.arguments, dict(unit.files), unit.folder, unit.resume, probe)
            pending[task] = (unit, attempt)

        with plain_progress(progress) as bar:
            try:
                while True:
                    while len(pending) < 2 * slots and (unit := next(waiting, None)) is not None:
                        submit(unit, 1)
                    if not pending:
                        return tasks
                    ended, _ = self._ray.wait(list(pending), num_returns=1, timeout=0.5)
                    for reference in ended:
                        unit, attempt = pending.pop(reference)
                        receipt = self._receipt(reference)
                        if receipt.is_store_trouble and attempt < _TRIES:
                            submit(unit, attempt + 1)
                            continue
                        if receipt.code == 2:
                            raise WrongRequest(receipt.error)
                        done += receive(unit, receipt)
                    bar.show(done / max(total, 1), _progress_text(done, total, noun, time.monotonic() - started))
            except BaseException:
                self._cancel(list(pending))
                raise

    def _receipt(self, reference: Any) -> Receipt:
        try:
            receipt = self._ray.get(reference)
        except self._ray.exceptions.RayError as error:
            raise ClusterError(f"a task has failed: {_first_line(error)}") from None
        assert isinstance(receipt, Receipt)
        return receipt

    def _cancel(self, references: list[Any]) -> None:
        """Stops what runs, cleanly: solves keep their checkpoints."""
        for reference in references:
            self._ray.cancel(reference, force=False)
        if references:
            self._ray.wait(references, num_returns=len(references), timeout=90)


def _check_listens(address: str) -> None:
    """Raises an `OSError` if nothing listens at an address of a host and a port: Ray would try for ten minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), timeout=_CONNECT_SECONDS).close()


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


def _progress_text(done: int, total: int, noun: str, seconds: float) -> str:
    text = f"{done:,} of {total:,} {noun}"
    if done == 0 or seconds <= 0:
        return text
    rate = done / seconds
    per = (rate, "s") if rate >= 1 else (60 * rate, "min") if rate >= 1 / 60 else (3600 * rate, "h")
    left = (total - done) / rate
    clock = f"{left:.0f} s" if left < 90 else f"{left / 60:.0f} min" if left < 5400 else f"{left / 3600:.1f} h"
    return f"{text} · {per[0]:.1f} {noun}/{per[1]} · {clock} left"
