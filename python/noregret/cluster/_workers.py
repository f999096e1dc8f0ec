"""Workers that hold the turns of one spot: actors of Ray, replaced when they are lost."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from .._noregret import BranchSolver, SpreadPlan, check_writable_place, read_place
from ._engine import ClusterError, Engine, Needs

ROOM_PATIENCE = 600.0
"""Seconds that workers wait for room: other jobs may end, and clusters that grow by themselves take some minutes to do so."""

_WARN_AFTER = 30.0
"""Seconds without room after which that is said even where no progress is shown."""


class LostWorker(Exception):
    """A worker is gone, and with it the state of all: they are no longer at the same point."""


class BranchWorker:
    """What an actor does: some turns with all their rivers."""

    def __init__(self, spec: str, deals: Sequence[int], threads: int) -> None:
        self._spec, self._deals, self._threads = spec, list(deals), threads
        self._made: BranchSolver | None = None

    @property
    def _solver(self) -> BranchSolver:
        if self._made is None:
            self._made = self._new_solver()
        return self._made

    def _new_solver(self) -> BranchSolver:
        return BranchSolver(self._spec, self._deals, self._threads)

    def ping(self) -> None:
        """Returns: whoever asks learns that it is neither lost nor waiting for room."""

    def probe(self, mark: str, content: bytes, part: str) -> str:
        """Looks for a file that the driver has written, and makes sure that a part could be written. Returns its node if the file is not
        there, or is another one."""
        try:
            is_same = read_place(mark) == content
        except FileNotFoundError:
            is_same = False
        if is_same:
            check_writable_place(part)
            return ""
        node: str = import_module("ray.util").get_node_ip_address()
        return node

    def begin(self, parts: Sequence[str]) -> None:
        """Goes back to where the parts of a checkpoint left off, or to the first iteration if there are none."""
        if parts:
            self._solver.restore(list(parts))
            return
        # The old state is freed first.
        self._made = None
        self._made = self._new_solver()

    def answer(self, request: bytes) -> bytes:
        """Answers what the driver asks."""
        return self._solver.answer(request)

    def save_checkpoint(self, path: str) -> None:
        """Writes its part of a checkpoint."""
        self._solver.save_checkpoint(path)

    def save_solution(self, path: str) -> None:
        """Writes its part of the solution."""
        self._solver.save_solution(path)

    def turn_seconds(self) -> list[tuple[str, float]]:
        """The board of each turn, with the seconds that its updates took so far."""
        return self._solver.turn_seconds


class Workers:
    """All workers of a solve."""

    def __init__(self, engine: Engine, cpus: int, waiting: Callable[[str], None]) -> None:
        """None yet. `waiting` is told now and then what is waited for, and may raise an error to end the wait."""
        self._engine, self._ray, self._cpus, self._waiting = engine, engine.ray, cpus, waiting
        self._actors: list[Any] = []
        self._room: Any = None
        self.lost = 0
        """How many were lost so far."""
        self.sent = self.received = 0
        """Bytes of requests to all workers, and of their answers."""

    def __len__(self) -> int:
        return len(self._actors)

    def check_room(self, plan: SpreadPlan) -> None:
        """Refuses a plan that the cluster has no room for, even if nothing else runs there."""
        self._engine.check_room(self._needs_of(plan))

    def _needs_of(self, plan: SpreadPlan) -> list[Needs]:
        return [self._engine.needs(size, self._cpus, "ask for more workers") for size in plan.memory(self._cpus)]

    def start(self, plan: SpreadPlan) -> None:
        """Starts the workers of a plan in the place of those that are there, once there is room for all."""
        self.close()
        self._plan, self._needs = plan, self._needs_of(plan)
        groups: Any = import_module("ray.util.placement_group")
        bundles = [{"CPU": needs.cpus, "memory": needs.memory} for needs in self._needs]
        # All or none: two solves that each have half of their workers would wait for one another.
        self._room = groups.placement_group(bundles, strategy="PACK")
        self._wait_for_room(lambda: self._room.wait(timeout_seconds=1), len(bundles))
        self._actors = [self._started(index) for index in range(len(bundles))]
        self._wait_for_start(self._actors)

    def _started(self, index: int) -> Any:
        needs = self._needs[index]
        strategies: Any = import_module("ray.util.scheduling_strategies")
        reserved = strategies.PlacementGroupSchedulingStrategy(self._room, placement_group_bundle_index=index)
        remote = self._ray.remote(BranchWorker).options(
            num_cpus=needs.cpus, memory=needs.memory, max_restarts=0, scheduling_strategy=reserved
        )
        return remote.remote(self._plan.spec, self._plan.deals[index], self._cpus)

    def _wait_for_start(self, actors: Sequence[Any]) -> None:
        """Waits until actors that were just created run; one that is lost meanwhile is found by whoever calls it."""
        pings = [actor.ping.remote() for actor in actors]
        while pings:
            # A node that was lost took room along, which Ray looks for elsewhere.
            self._wait_for_room(lambda: self._room.wait(timeout_seconds=1), len(actors))
            _, pings = self._ray.wait(pings, num_returns=len(pings), timeout=1.0)
            self._waiting(f"waiting for {len(self._needs)} workers to start")

    def _wait_for_room(self, has_room: Callable[[], bool], missing: int) -> None:
        """Waits until so many workers have room, as `has_room` says after a second at most."""
        started = time.monotonic()
        is_warned = False
        while not has_room():
            waited = time.monotonic() - started
            if waited > ROOM_PATIENCE:
                raise ClusterError(
                    f"{self._lack(missing)} for {ROOM_PATIENCE:.0f} s: add nodes, end other jobs, or ask for fewer workers. "
                    "What was reached is kept: the same line goes on from there"
                )
            if waited > _WARN_AFTER and not is_warned:
                is_warned = True
                warnings.warn(f"{self._lack(missing)}: the solve waits for nodes, or for other jobs to end", stacklevel=2)
            self._waiting(f"waiting for room for {missing} of {len(self._needs)} workers")

    def _lack(self, missing: int) -> str:
        largest = max(self._needs, key=lambda needs: needs.memory)
        free = self._ray.available_resources()
        return (
            f"there is no room for {missing} of {len(self._needs)} workers, each with {largest.cpus} processors and up to "
            f"{largest.memory / 1e9:.1f} GB of memory; the cluster has {free.get('CPU', 0):g} processors and "
            f"{free.get('memory', 0) / 1e9:.1f} GB to spare"
        )

    def probe(self, mark: str, content: bytes, part: str) -> None:
        """Refuses a place that workers do not see as the driver does."""
        for node in self.each("probe", [(mark, content, f"{part}-{index}.nrp") for index in range(len(self))]):
            if node:
                raise ClusterError(
                    f"a worker on node {node} does not see {mark}, which the driver has written: write to a folder that all nodes share, "
                    "or to a URL like s3://bucket/spot.nrs"
                )

    def exchange(self, request: bytes) -> list[bytes]:
        """Hands a request to all, and returns the answer of each."""
        shared = self._ray.put(request)
        answers: list[bytes] = self.each("answer", [(shared,)] * len(self))
        self.sent += len(request) * len(self)
        self.received += sum(map(len, answers))
        return answers

    def each(self, method: str, arguments: Sequence[tuple[Any, ...]], waiting: str = "") -> list[Any]:
        """Calls a method of every worker, each with its arguments. `waiting` says what is waited for, if that can be stopped. What a
        worker cannot read or write is an `OSError` here as there."""
        references = [
            getattr(actor, method).remote(*given) for actor, given in zip(self._actors, arguments, strict=True)
        ]
        try:
            while True:
                _, pending = self._ray.wait(references, num_returns=len(references), timeout=1.0)
                if not pending:
                    return list(self._ray.get(references))
                # Whoever is lost is known at once, and not when the slowest is done.
                self._ray.get([reference for reference in references if reference not in pending])
                if waiting:
                    self._waiting(waiting)
        except self._ray.exceptions.RayTaskError as error:
            if isinstance(error.cause, OSError):
                raise error.cause from None
            raise ClusterError(f"a worker has failed: {error.cause or error}") from None
        except self._ray.exceptions.RayError as error:
            raise LostWorker(str(error).strip().splitlines()[0]) from None

    def turn_seconds(self) -> list[float]:
        """How long the updates of each turn took so far, in the order of their numbers."""
        found = self.each("turn_seconds", [()] * len(self))
        by_deal = {
            deal: seconds
            for deals, turns in zip(self._plan.deals, found, strict=True)
            for deal, (_, seconds) in zip(deals, turns, strict=True)
        }
        return [by_deal[deal] for deal in sorted(by_deal)]

    def replace_lost(self) -> None:
        """Starts a worker in the place of each that is gone, and waits until it runs."""
        asked = [actor.ping.remote() for actor in self._actors]
        # Those that are busy are not lost; a process that has ended is known to be within seconds.
        answered, _ = self._ray.wait(asked, num_returns=len(asked), timeout=10.0)
        replaced = []
        for index, actor in enumerate(self._actors):
            try:
                if asked[index] in answered:
                    self._ray.get(asked[index])
            except self._ray.exceptions.RayError:
                self._ray.kill(actor)
                self._actors[index] = self._started(index)
                self.lost += 1
                replaced.append(self._actors[index])
        self._wait_for_start(replaced)

    def close(self) -> None:
        """Ends them, and gives their room back."""
        for actor in self._actors:
            self._ray.kill(actor)
        self._actors = []
        if self._room is not None:
            import_module("ray.util.placement_group").remove_placement_group(self._room)
            self._room = None
