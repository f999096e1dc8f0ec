"""Workers that hold the turns of one spot: actors of Ray, replaced when they are lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .._noregret import BranchSolver, SpreadPlan
from ._engine import ClusterError, Engine, Needs


class LostWorker(Exception):
    """A worker is gone, and with it the state of all: they are no longer at the same point."""


class BranchWorker:
    """What an actor does: some turns with all their rivers."""

    def __init__(self, spec: str, deals: Sequence[int], threads: int) -> None:
        self._spec, self._deals, self._threads = spec, list(deals), threads
        self._solver: BranchSolver | None = None

    def _there(self) -> BranchSolver:
        if self._solver is None:
            self._solver = BranchSolver(self._spec, self._deals, self._threads)
        return self._solver

    def is_there(self) -> bool:
        """Answers whoever asks whether it is lost."""
        return True

    def begin(self, parts: Sequence[str]) -> None:
        """Goes back to where the parts of a checkpoint left off, or to the first iteration if there are none."""
        if parts:
            self._there().restore(list(parts))
            return
        # The old state is freed first.
        self._solver = None
        self._there()

    def answer(self, request: bytes) -> bytes:
        """Answers what the driver asks."""
        return self._there().answer(request)

    def save_checkpoint(self, path: str) -> None:
        """Writes its part of a checkpoint."""
        self._there().save_checkpoint(path)

    def save_solution(self, path: str) -> None:
        """Writes its part of the solution."""
        self._there().save_solution(path)

    def turn_seconds(self) -> list[tuple[str, float]]:
        """The board of each turn, with the seconds that its updates took so far."""
        return self._there().turn_seconds


class Workers:
    """All workers of a solve."""

    def __init__(self, engine: Engine, plan: SpreadPlan, cpus: int) -> None:
        self._engine, self._ray, self._cpus = engine, engine.ray, cpus
        self._actors: list[Any] = []
        self.start(plan)
        self.lost = 0
        """How many were lost so far."""
        self.sent = self.received = 0
        """Bytes of requests to all workers, and of their answers."""

    def __len__(self) -> int:
        return len(self._actors)

    def start(self, plan: SpreadPlan) -> None:
        """Starts the workers of a plan in the place of those that are there, which stay if there is no room for the new ones."""
        needs = [self._engine.needs(size, self._cpus, "ask for more workers") for size in plan.memory(self._cpus)]
        self._engine.check_room(needs)
        self.close()
        self._plan, self._needs = plan, needs
        self._actors = [self._started(index) for index in range(len(self._needs))]

    def _started(self, index: int) -> Any:
        needs: Needs = self._needs[index]
        remote = self._ray.remote(BranchWorker).options(num_cpus=needs.cpus, memory=needs.memory, max_restarts=0)
        return remote.remote(self._plan.spec, self._plan.deals[index], self._cpus)

    def exchange(self, request: bytes) -> list[bytes]:
        """Hands a request to all, and returns the answer of each."""
        shared = self._ray.put(request)
        answers: list[bytes] = self.each("answer", [(shared,)] * len(self))
        self.sent += len(request) * len(self)
        self.received += sum(map(len, answers))
        return answers

    def each(self, method: str, arguments: Sequence[tuple[Any, ...]], waiting: Callable[[], None] | None = None) -> list[Any]:
        """Calls a method of every worker, each with its arguments; `waiting` is called now and then while they are at it."""
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
                if waiting is not None:
                    waiting()
        except self._ray.exceptions.RayTaskError as error:
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
        """Starts a worker in the place of each that is gone."""
        asked = [actor.is_there.remote() for actor in self._actors]
        # Those that are busy or wait for room are not lost; a process that has ended is known to be within seconds.
        answered, _ = self._ray.wait(asked, num_returns=len(asked), timeout=10.0)
        for index, actor in enumerate(self._actors):
            try:
                if asked[index] in answered:
                    self._ray.get(asked[index])
            except self._ray.exceptions.RayError:
                self._ray.kill(actor)
                self._actors[index] = self._started(index)
                self.lost += 1

    def close(self) -> None:
        """Ends them."""
        for actor in self._actors:
            self._ray.kill(actor)
