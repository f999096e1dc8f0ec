"""The driver of one spot over many workers: it owns the flop, and decides what its workers do next."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from .._errors import ContentError, DoesNotFit, MissingFile
from .._noregret import SpreadPlan, SpreadSolution, TrunkSolver
from .._progress import Progress, plain_progress
from ._checkpoint import Checkpoint, TakenOver
from ._engine import ClusterError, Engine
from ._interrupts import Interrupts
from ._workers import LostWorker, Workers

_TRIES = 3
"""How often workers may be lost before the solve gets any further, and how often a file is read or written again that a store does not
give or take."""

_REDEAL_SHARE = 0.95
"""Turns are dealt out anew where the slowest worker then has at most this share of what it had."""

_PAUSE = 2.0
"""Seconds until a file is read or written again; each time twice as many."""

_PROGRESS_INTERVAL = 0.2
"""Seconds from one message about the progress to the next."""


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
    run_iterations: int = 0
    """How many iterations this run has made: those since its checkpoint, if it went on from one, and those made again. The bytes and the
    time that follow are of these; 0 if the spot could not be divided."""
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


def _slowest(plan: SpreadPlan, costs: Sequence[float]) -> float:
    """What the worker that has most to do has to do."""
    return max(sum(costs[deal] for deal in deals) for deals in plan.deals)


class Driver:
    """Solves one spot with workers."""

    def __init__(
        self,
        engine: Engine,
        plan: SpreadPlan,
        planned: Callable[[Sequence[float]], SpreadPlan],
        out: str,
        cpus: int,
        checkpoint_every: float,
    ) -> None:
        """`planned` deals the turns out by what each was measured to cost, if that is better known than in `plan`."""
        self._engine, self._plan, self._planned = engine, plan, planned
        self._out, self._cpus, self._every = out, cpus, checkpoint_every
        self._interrupts = Interrupts()
        self._made_again = self._furthest = self._losses = self._run_iterations = 0
        self._iteration_seconds = 0.0
        # The iterations from which workers began or went on.
        self._begun: list[int] = []
        self._saved_at = self._shown_at = 0.0

    def run(self, progress: bool | Progress | None) -> SolveOutcome:
        """Solves to the target or the last iteration, and writes the solution."""
        with plain_progress(progress) as self._bar, self._interrupts:
            self._workers = Workers(self._engine, self._cpus, self._wait)
            # What there is no room for is refused before anything is written.
            self._workers.check_room(self._plan)
            self._checkpoint = Checkpoint(self._out, self._wait)
            try:
                with self._checkpoint.beats():
                    return self._solve()
            finally:
                self._workers.close()
                self._checkpoint.release()

    def _wait(self, text: str) -> None:
        """Says what is waited for; Ctrl-C ends the wait, as nothing is lost by that."""
        self._interrupts.check()
        self._bar.show(0.0, text)

    def _solve(self) -> SolveOutcome:
        if self._checkpoint.costs is not None:
            self._plan = self._planned(self._checkpoint.costs)
        # Times of several threads are no costs: a turn waits for the others.
        self._may_redeal = self._checkpoint.costs is None and self._cpus == 1
        self._bar.begin(*self._plan.goal)
        # A checkpoint of another solve is refused before anything is started.
        self._restore_trunk()
        self._workers.start(self._plan)
        needs_state = True
        while True:
            try:
                if needs_state:
                    self._begin()
                    needs_state = False
                if self._interrupts.is_requested:
                    self._save_checkpoint()
                    raise KeyboardInterrupt
                if self._advance():
                    return self._save_solution()
                self._show_progress()
                if time.monotonic() - self._saved_at >= self._every:
                    self._save_checkpoint()
                    needs_state = self._redeal()
            except LostWorker as error:
                self._count_loss(str(error))
                self._workers.replace_lost()
                needs_state = True

    def _begin(self) -> None:
        """Puts all to the last checkpoint, or to the first iteration."""
        checkpoint, count = self._checkpoint, len(self._workers)
        if self._begun:
            self._made_again += self._trunk.iteration - checkpoint.iteration
            self._restore_trunk()
        mark = (checkpoint.mark, checkpoint.mark_content)
        self._with_retries(lambda: self._workers.probe(*mark, f"{self._out}.probe"))
        arguments = [(checkpoint.parts,)] * count
        self._restored(lambda: self._workers.each("begin", arguments, f"waiting for {count} workers to begin"))
        self._furthest = max(self._furthest, checkpoint.iteration)
        self._begun.append(checkpoint.iteration)
        self._saved_at = time.monotonic()

    def _restore_trunk(self) -> None:
        self._trunk = TrunkSolver(self._plan.spec)
        if self._checkpoint.parts:
            self._restored(lambda: self._trunk.restore(self._checkpoint.parts))

    def _restored(self, restore: Callable[[], object]) -> None:
        """Reads a checkpoint, again and again if the store is in the way."""
        try:
            self._with_retries(restore)
        except OSError as error:
            self._checkpoint.check_owned()
            if isinstance(error, ContentError | MissingFile):
                advice = f"Remove {self._checkpoint.mark} to begin anew, or choose another place"
            else:
                advice = "The checkpoint stays as it is: start the same line again once it can be read"
            raise ClusterError(f"{error}. {advice}") from None

    def _with_retries(self, work: Callable[[], object]) -> None:
        """Does what reads or writes files. What the system or a store refuses is tried again after some seconds, as it may be over by
        then; what is damaged or missing is not."""
        for attempt in range(1, _TRIES + 1):
            try:
                work()
                return
            except (ContentError, MissingFile):
                raise
            except OSError as error:
                if attempt == _TRIES:
                    raise
                end = time.monotonic() + _PAUSE * 2.0 ** (attempt - 1)
                while time.monotonic() < end:
                    self._wait(f"trying again after {error}")
                    time.sleep(0.1)

    def _advance(self) -> bool:
        """Measures if that is due, and returns whether the target or the last iteration is reached; otherwise iterates once."""
        trunk = self._trunk
        iteration, seconds = trunk.iteration, trunk.iteration_seconds
        reason = trunk.advance(self._workers.exchange)
        self._run_iterations += trunk.iteration - iteration
        self._iteration_seconds += trunk.iteration_seconds - seconds
        return reason is not None

    def _show_progress(self) -> None:
        trunk = self._trunk
        if trunk.iteration > self._furthest:
            self._furthest, self._losses = trunk.iteration, 0
        if not self._bar.is_shown or time.monotonic() - self._shown_at < _PROGRESS_INTERVAL:
            return
        self._shown_at = time.monotonic()
        measured = trunk.history[-1][2] if trunk.history else None
        self._bar.update(trunk.iteration, trunk.seconds, None, measured, trunk.seconds_left)

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
        if iteration > self._checkpoint.iteration:
            parts = self._checkpoint.part_paths(iteration, len(self._workers) + 1)
            try:
                self._workers.each("save_checkpoint", [(part,) for part in parts[1:]])
                self._trunk.save_checkpoint(parts[0])
                self._checkpoint.finish(iteration, parts)
            except TakenOver:
                self._checkpoint.forget(parts)
                raise
            except OSError as error:
                warnings.warn(f"the checkpoint of iteration {iteration} is not written: {error}", stacklevel=2)
        self._saved_at = time.monotonic()

    def _redeal(self) -> bool:
        """Deals the turns out by what they cost so far, once and if that is worth it. Returns whether workers were started anew, which then
        have to go on from the checkpoint."""
        if not self._may_redeal or self._checkpoint.iteration != self._trunk.iteration:
            return False
        self._may_redeal = False
        costs = self._workers.turn_seconds()
        try:
            plan = self._planned(costs)
            if _slowest(plan, costs) > _REDEAL_SHARE * _slowest(self._plan, costs):
                return False
            self._workers.check_room(plan)
        except (DoesNotFit, ClusterError):
            # The workers stay as they are.
            return False
        self._plan, self._checkpoint.costs = plan, costs
        self._workers.start(plan)
        return True

    def _save_solution(self) -> SolveOutcome:
        trunk, workers = self._trunk, self._workers
        solution = trunk.solution(workers.exchange)
        seconds = dict(pair for turns in workers.each("turn_seconds", [()] * len(workers)) for pair in turns)
        try:
            self._with_retries(lambda: self._write(solution))
        except KeyboardInterrupt:
            self._save_checkpoint()
            raise
        except OSError as error:
            self._save_checkpoint()
            kept = self._checkpoint.iteration
            what = "The solve is not lost" if kept == trunk.iteration else f"The last checkpoint is of iteration {kept}"
            raise ClusterError(f"{error}. {what}: the same line goes on from there once the solution can be written") from None
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
            run_iterations=self._run_iterations,
            bytes_sent=workers.sent,
            bytes_received=workers.received,
            iteration_seconds=self._iteration_seconds,
            turn_seconds=seconds if self._begun == [0] else {},
        )

    def _write(self, solution: SpreadSolution) -> None:
        parts = self._checkpoint.part_paths("solution", len(self._workers))
        self._workers.each("save_solution", [(part,) for part in parts])
        self._trunk.save(self._out, solution, parts)
