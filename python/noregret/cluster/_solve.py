"""One spot over many workers."""

from __future__ import annotations

import contextlib
import json
import re
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import Any

from .._errors import DoesNotFit
from .._noregret import (
    Spot,
    SpreadPlan,
    SpreadSolution,
    TrunkSolver,
    check_solution_place,
    list_place,
    place_exists,
    read_place,
    remove_place,
    spread_plan,
    write_place,
)
from .._progress import Progress, plain_progress
from ._command import Receipt
from ._engine import ClusterError, Engine, Unit
from ._place import is_url, joined, place
from ._workers import LostWorker, Workers

_TRIES = 3
"""How often workers may be lost before the solve gets any further, and how often a file is written that a store does not take."""

_WORTH_IT = 0.95
"""Turns are dealt out anew where the slowest worker then has at most this share of what it had."""

_TELL_EVERY = 0.2
"""Seconds from one word about the progress to the next."""


@dataclass
class SolveOutcome:
    """What a solve has reached."""

    out: str
    """Where the solution is."""
    iterations: int
    """How many iterations were made."""
    seconds: float
    """How long solving and measuring took, what was made again not counted."""
    exploitability: float
    """Half of what two best responders would gain, in percent of the pot."""
    digest: str
    """The hash of the average strategies: that of the command line."""
    ev: tuple[float, float]
    """What each player expects, in chips."""
    workers: int
    """How many workers there were; 1 if the spot could not be divided."""
    lost: int = 0
    """How many workers were lost and replaced."""
    made_again: int = 0
    """How many iterations were made again."""
    bytes_sent: int = 0
    """Bytes of requests to all workers."""
    bytes_received: int = 0
    """Bytes of their answers."""
    iteration_seconds: float = 0.0
    """How long the iterations of this run took, measurements not counted."""
    turn_seconds: dict[str, float] = field(default_factory=dict)
    """For each board of the turn, the seconds of its updates, if all workers were there from the first iteration to the last: with one
    processor each, what the turn costs."""
    note: str = ""
    """What was done otherwise than asked for."""


def solve(
    spec: str | PathLike[str] | Spot,
    out: str | PathLike[str],
    *,
    workers: int,
    address: str | None = None,
    cpus: int = 1,
    target: float | None = None,
    max_iterations: int | None = None,
    precision: str | None = None,
    memory: int | str | None = None,
    checkpoint_every: float = 300.0,
    force: bool = False,
    progress: bool | Progress | None = None,
) -> SolveOutcome:
    """Solves one spot on many workers of a Ray cluster, to the digest of `noregret solve`.

    The tree is cut after the flop. This process owns the flop; each of `workers` workers owns some turn cards with all their rivers, has
    `cpus` processors, and takes the memory of its turns, which `memory` limits. `out` is the solution file: a URL like
    `s3://bucket/spot.nrs`, or a path that all nodes share.

    Every `checkpoint_every` seconds all workers write checkpoints beside `out`. A worker that is lost is replaced; all go back to the last
    checkpoint and make the iterations since again, to the same bits. The same call goes on from that checkpoint after a stop or a kill.
    Ctrl-C finishes the iteration under way and writes a checkpoint.

    A spot that begins on the turn or the river has no turn card to be divided by: one task solves it.
    """
    spot = spec if isinstance(spec, Spot) else _read(spec)
    at = place(out)

    def planned(costs: Sequence[float] | None) -> SpreadPlan | None:
        return spread_plan(
            spot,
            workers,
            threads=cpus,
            target=target,
            max_iterations=max_iterations,
            precision=precision,
            memory=memory,
            costs=costs,
        )

    is_divided = planned(None) is not None
    check_solution_place(at, force)
    with Engine(address) as engine:
        if not is_divided:
            limits = {"--target": target, "--max-iterations": max_iterations, "--precision": precision, "--memory": memory}
            return _solve_in_one_task(engine, spot, at, cpus, limits, force, progress)
        return _Driver(engine, planned, at, cpus, checkpoint_every).run(progress)


def _read(path: str | PathLike[str]) -> Spot:
    text = place(path)
    return Spot.from_text(read_place(text).decode()) if is_url(text) else Spot.from_toml(path)


def _solve_in_one_task(
    engine: Engine,
    spot: Spot,
    out: str,
    cpus: int,
    limits: dict[str, Any],
    force: bool,
    progress: bool | Progress | None,
) -> SolveOutcome:
    planned = spot.plan(precision=limits["--precision"], threads=cpus, memory=limits["--memory"])
    needs = engine.needs(planned.memory_bytes, cpus)
    given = [word for name, value in limits.items() if value is not None for word in (name, str(value))]
    arguments = ["solve", "spec.toml", "--out", out, "--threads", str(cpus), "--json", *given, *(["--force"] if force else [])]
    answers: list[dict[str, Any]] = []

    def receive(_: Unit, receipt: Receipt) -> int:
        if receipt.code != 0 or not receipt.lines:
            raise ClusterError(receipt.error or f"a task has ended with exit code {receipt.code}")
        answers.extend(receipt.lines)
        return 1

    def units(_: int) -> Iterator[Unit]:
        yield Unit(tuple(arguments), 1, {"spec.toml": spot.to_toml()})

    engine.run(units, needs, receive, 1, "solves", progress)
    answer = answers[0]
    return SolveOutcome(
        out=out,
        iterations=answer["iterations"],
        seconds=answer["seconds"],
        exploitability=answer["exploitability_pct"],
        digest=answer["strategy_digest"],
        ev=(answer["ev"]["oop"], answer["ev"]["ip"]),
        workers=1,
        note="there is no turn card to divide the spot by: one task has solved it",
    )


class _Checkpoint:
    """The checkpoint of all beside a solution: a part of each, and a mark that names them, written last."""

    def __init__(self, out: str) -> None:
        self._out = out
        self.mark = f"{out}.checkpoint.json"
        """What names the parts of the last one."""
        self._parts: list[str] = []
        self.iteration = 0
        self.costs: list[float] | None = None
        """What each turn was measured to cost, once turns are dealt out by that."""
        if place_exists(self.mark):
            self._load()

    def _load(self) -> None:
        folder = self._out.rpartition("/")[0]
        try:
            mark = json.loads(read_place(self.mark))
            iteration, names, costs = mark["iteration"], mark["parts"], mark["costs"]
            if mark["version"] != 1 or not isinstance(iteration, int) or not all(isinstance(name, str) for name in names):
                raise ValueError
            self.costs = None if costs is None else [float(cost) for cost in costs]
        except (ValueError, KeyError, TypeError):
            raise ClusterError(f"{self.mark} is not the mark of a checkpoint: remove it, or choose another place") from None
        self.iteration, self._parts = iteration, [joined(folder, name) for name in names]

    @property
    def parts(self) -> list[str]:
        """The files of the last checkpoint; none if there is none yet."""
        return self._parts

    def names(self, iteration: int, count: int) -> list[str]:
        """The files of a checkpoint that is to be written."""
        return [f"{self._out}.{iteration}-{index}of{count}.nrp" for index in range(count)]

    def finish(self, iteration: int, parts: list[str]) -> None:
        """The parts are written: they are the last checkpoint from now on, and others are removed."""
        names = [part.rpartition("/")[2] for part in parts]
        mark = {"version": 1, "iteration": iteration, "parts": names, "costs": self.costs}
        write_place(self.mark, json.dumps(mark).encode())
        self.iteration, self._parts = iteration, parts
        with contextlib.suppress(OSError):
            # What cannot be removed now is removed after the next checkpoint.
            self._remove_parts(set(names))

    def remove(self) -> None:
        """The solve is done."""
        try:
            remove_place(self.mark)
            self._remove_parts(set())
        except OSError as error:
            warnings.warn(f"the solution is written, and its checkpoint is not removed: {error}", stacklevel=2)

    def _remove_parts(self, kept: set[str]) -> None:
        folder, _, name = self._out.rpartition("/")
        is_ours = re.compile(re.escape(name) + r"\.(\d+|solution)-\d+of\d+\.nrp").fullmatch
        for found, is_folder, _ in list_place(folder):
            if not is_folder and is_ours(found) and found not in kept:
                remove_place(joined(folder, found))


def _slowest(plan: SpreadPlan, costs: Sequence[float]) -> float:
    """What the worker that has most to do has to do."""
    return max(sum(costs[deal] for deal in deals) for deals in plan.deals)


class _Interrupts:
    """Notes the first Ctrl-C, so that the iteration under way is finished; the second one ends the program as ever."""

    have_come = False
    _before: Any = None

    def __enter__(self) -> _Interrupts:
        # Other threads get none.
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def _note(self, *_: object) -> None:
        self.have_come = True
        signal.signal(signal.SIGINT, self._before)

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)


class _Driver:
    """Owns the flop, and what its workers do next."""

    def __init__(
        self,
        engine: Engine,
        planned: Callable[[Sequence[float] | None], SpreadPlan | None],
        out: str,
        cpus: int,
        checkpoint_every: float,
    ) -> None:
        self._planned, self._out, self._every = planned, out, checkpoint_every
        self._checkpoint = _Checkpoint(out)
        plan = planned(self._checkpoint.costs)
        assert plan is not None, "whether a spot is divided does not depend on costs"
        self._plan = plan
        self._trunk = TrunkSolver(plan.spec)
        # A checkpoint of another solve is refused before anything is started.
        self._restore_trunk()
        self._workers = Workers(engine, plan, cpus)
        self._made_again = self._furthest = self._losses = 0
        # The iterations from which workers began or went on.
        self._begun: list[int] = []
        self._saved_at = time.monotonic()
        self._told_at = 0.0
        self._is_dealt_by_cost = self._checkpoint.costs is not None

    def run(self, progress: bool | Progress | None) -> SolveOutcome:
        """Solves to the target or the last iteration, and writes the solution."""
        with plain_progress(progress) as bar:
            bar.begin(*self._plan.goal)
            try:
                with _Interrupts() as interrupts:
                    return self._run(bar, interrupts)
            finally:
                self._workers.close()

    def _run(self, bar: Progress, interrupts: _Interrupts) -> SolveOutcome:
        needs_state = True
        while True:
            try:
                if needs_state:
                    self._begin(bar)
                    needs_state = False
                if interrupts.have_come:
                    self._save_checkpoint()
                    raise KeyboardInterrupt
                if self._trunk.advance(self._workers.exchange) is not None:
                    return self._save_solution()
                self._tell(bar)
                if time.monotonic() - self._saved_at >= self._every:
                    self._save_checkpoint()
                    needs_state = self._is_dealt_anew()
            except LostWorker as error:
                self._count_loss(str(error))
                self._workers.replace_lost()
                needs_state = True

    def _begin(self, bar: Progress) -> None:
        """Puts all to the last checkpoint, or to the first iteration."""
        if self._begun:
            self._made_again += self._trunk.iteration - self._checkpoint.iteration
            self._restore_trunk()
        count = len(self._workers)
        parts = self._checkpoint.parts
        self._workers.each("begin", [(parts,)] * count, lambda: bar.show(0.0, f"waiting for {count} workers to begin"))
        self._furthest = max(self._furthest, self._checkpoint.iteration)
        self._begun.append(self._checkpoint.iteration)

    def _restore_trunk(self) -> None:
        parts = self._checkpoint.parts
        if not parts:
            self._trunk = TrunkSolver(self._plan.spec)
            return
        try:
            self._trunk.restore(parts)
        except OSError as error:
            raise ClusterError(f"{error}. Remove {self._checkpoint.mark} to begin anew, or choose another place") from None

    def _tell(self, bar: Progress) -> None:
        trunk = self._trunk
        if trunk.iteration > self._furthest:
            self._furthest, self._losses = trunk.iteration, 0
        if not bar.is_shown or time.monotonic() - self._told_at < _TELL_EVERY:
            return
        self._told_at = time.monotonic()
        measured = trunk.history[-1][2] if trunk.history else None
        bar.update(trunk.iteration, trunk.seconds, None, measured, trunk.seconds_left)

    def _count_loss(self, reason: str) -> None:
        self._losses += 1
        if self._losses > _TRIES:
            raise ClusterError(
                f"workers are lost again and again after iteration {self._furthest}: {reason}. Look into the logs of Ray; "
                "a node without memory ends what takes most"
            )

    def _save_checkpoint(self) -> None:
        """Writes the checkpoint of all. One that cannot be written is no reason to stop."""
        iteration = self._trunk.iteration
        parts = self._checkpoint.names(iteration, len(self._workers) + 1)
        try:
            if iteration > self._checkpoint.iteration:
                self._workers.each("save_checkpoint", [(part,) for part in parts[1:]])
                self._trunk.save_checkpoint(parts[0])
                self._checkpoint.finish(iteration, parts)
        except (OSError, ClusterError) as error:
            warnings.warn(f"the checkpoint of iteration {iteration} is not written: {error}", stacklevel=2)
        self._saved_at = time.monotonic()

    def _is_dealt_anew(self) -> bool:
        """Deals the turns out by what they cost so far, once and if that is worth it: workers are started anew, and go on from the
        checkpoint."""
        if self._is_dealt_by_cost or self._checkpoint.iteration != self._trunk.iteration:
            return False
        self._is_dealt_by_cost = True
        costs = self._workers.turn_seconds()
        try:
            plan = self._planned(costs)
            if plan is None or _slowest(plan, costs) > _WORTH_IT * _slowest(self._plan, costs):
                return False
            self._workers.start(plan)
        except (DoesNotFit, ClusterError):
            # There is no room for it: the workers stay as they are.
            return False
        self._plan, self._checkpoint.costs = plan, costs
        return True

    def _save_solution(self) -> SolveOutcome:
        trunk, workers = self._trunk, self._workers
        solution = trunk.solution(workers.exchange)
        seconds = dict(pair for turns in workers.each("turn_seconds", [()] * len(workers)) for pair in turns)
        for attempt in range(1, _TRIES + 1):
            try:
                self._write(solution)
                break
            except (OSError, ClusterError):
                if attempt == _TRIES:
                    raise
        self._checkpoint.remove()
        return SolveOutcome(
            out=self._out,
            iterations=trunk.iteration,
            seconds=trunk.history[-1][1],
            exploitability=trunk.history[-1][2],
            digest=solution.digest,
            ev=solution.ev,
            workers=len(workers),
            lost=workers.lost,
            made_again=self._made_again,
            bytes_sent=workers.sent,
            bytes_received=workers.received,
            iteration_seconds=trunk.iteration_seconds,
            turn_seconds=seconds if self._begun == [0] else {},
        )

    def _write(self, solution: SpreadSolution) -> None:
        count = len(self._workers)
        parts = [f"{self._out}.solution-{index}of{count}.nrp" for index in range(count)]
        self._workers.each("save_solution", [(part,) for part in parts])
        self._trunk.save(self._out, solution, parts)
