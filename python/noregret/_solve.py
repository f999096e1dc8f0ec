"""Solving: one spot, and many with their files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from os import PathLike, fspath
from os.path import join
from typing import Literal

from ._errors import FileError, SpecError
from ._noregret import (
    Board,
    Solution,
    Solver,
    Spot,
    Step,
    batch_jobs,
    batch_solution,
    open,
    place_exists,
    remove_place,
)
from ._progress import Progress, progress_of


def solve(
    spot: Spot,
    *,
    target: float | None = None,
    max_iterations: int | None = None,
    algorithm: str | None = None,
    precision: str | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    warm_start: bool | None = None,
    pruning: bool | None = None,
    checkpoint: str | PathLike[str] | None = None,
    checkpoint_every: float = 300.0,
    resume: str | PathLike[str] | None = None,
    progress: bool | Progress | None = None,
    callback: Callable[[Step], object] | None = None,
) -> Solution:
    """Solves a spot until the exploitability is at most `target` percent of the pot.

    Arguments are those of `Solver`. `progress` shows a bar in terminals and notebooks: None where there is somebody to see it.
    `callback` gets each measurement, and stops the solve by returning False; what returns nothing lets it go on.

    Ctrl-C raises `KeyboardInterrupt`, whose attribute `solution` is what was reached. So does the `FileError` of a solve that was
    stopped and whose checkpoint could not be written.

    >>> import noregret as nr
    >>> spot = nr.Spot("AA,KK,QJs", "TT+,KQs", "QsJh2h8c3d", pot=100, stack=300)
    >>> nr.solve(spot, target=1, progress=False).target_reached
    True
    >>> nr.solve(spot, target=0, progress=False, callback=lambda step: step.iteration < 20).iterations <= 21
    True
    """
    solver = Solver(
        spot,
        target=target,
        max_iterations=max_iterations,
        algorithm=algorithm,
        precision=precision,
        threads=threads,
        memory=memory,
        warm_start=warm_start,
        pruning=pruning,
        checkpoint=checkpoint,
        checkpoint_every=checkpoint_every,
        resume=resume,
    )
    with progress_of(progress, solver.spot) as bar:
        try:
            solver._drive(update=bar.update if bar.is_shown else None, callback=callback)
        except (KeyboardInterrupt, FileError) as error:
            try:
                error.solution = solver._finish()  # type: ignore[union-attr]
            except RuntimeError:
                pass
            raise
    return solver._finish()


def batch(
    spot: Spot,
    flops: int | str | Sequence[Board | str | tuple[Board | str, int]],
    out: str | PathLike[str],
    *,
    streets: Literal["flop", "turn", "full"] = "full",
    target: float | None = None,
    max_iterations: int | None = None,
    algorithm: str | None = None,
    precision: str | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    warm_start: bool | None = None,
    pruning: bool | None = None,
    checkpoint_every: float = 300.0,
    progress: bool | Progress | None = None,
    callback: Callable[[Step], object] | None = None,
) -> Iterator[Solution]:
    """Solves a spot on many flops, one after the other, and yields each solution as it is saved.

    `flops` is a number of flops that stand for all, `"all"`, or a list of flops, perhaps with weights. Solutions go to the folder
    `out` (a URL like `s3://bucket/solved` is one), which `report` reads; what is there already is not solved again, and a solve that was cut short goes on from its checkpoint
    in the folder. The other arguments are those of `solve`; a `callback` that stops a solve ends the batch.

    Arguments are checked at once. A flop that the ranges cannot be dealt on is passed over, and named by a `SpecError` after all
    others are solved.

    >>> import noregret as nr, tempfile
    >>> spot = nr.Spot("AA,KK", "QQ,JJ", "Ts7h2c", pot=100, stack=100, bet="a", raise_="")
    >>> folder = tempfile.mkdtemp()
    >>> [str(solution.spot.board) for solution in nr.batch(spot, ["Ts7h2c", "AsKd5c"], folder, target=5, progress=False)]
    ['Ts7h2c', 'AsKd5c']
    >>> len(nr.report(folder))
    2
    """
    folder = fspath(out)
    jobs = batch_jobs(
        spot, flops, folder, streets, target, max_iterations, algorithm, precision, warm_start, pruning
    )
    solutions = SolveJobs(jobs, folder, streets, threads, memory, checkpoint_every, progress, callback)

    def all_solutions() -> Iterator[Solution]:
        yield from solutions
        impossible = [f"{name}: {why}" for name, _, why in jobs if why is not None]
        if impossible and not solutions.is_stopped:
            raise SpecError(f"{len(impossible)} of {len(jobs)} flops cannot be solved: " + "; ".join(impossible))

    return all_solutions()


class SolveJobs(Iterator[Solution]):
    """Solves jobs one after the other, each with its name, and yields each solution as it is saved to `folder`. What is there is not
    solved again, and a solve that was cut short goes on from its checkpoint there. Jobs without a spot are passed over."""

    is_stopped = False
    """Whether the callback wanted to stop."""

    def __init__(
        self,
        jobs: Sequence[tuple[str, Spot | None, str | None]],
        folder: str,
        streets: Literal["flop", "turn", "full"],
        threads: int | None,
        memory: int | str | None,
        checkpoint_every: float,
        progress: bool | Progress | None,
        callback: Callable[[Step], object] | None,
    ) -> None:
        first = next((job for _, job, _ in jobs if job is not None), None)
        if first is not None:
            # What it complains about is so for every job.
            Solver(first, threads=threads, memory=memory, checkpoint_every=checkpoint_every)
        self._jobs = iter(jobs)
        self._folder, self._streets = folder, streets
        self._threads, self._memory, self._checkpoint_every = threads, memory, checkpoint_every
        self._progress, self._callback = progress, callback

    def _watch(self, step: Step) -> object:
        wanted = None if self._callback is None else self._callback(step)
        self.is_stopped = wanted is not None and not wanted
        return not self.is_stopped

    def __next__(self) -> Solution:
        for name, job, _ in self._jobs:
            if job is None:
                continue
            path, checkpoint = join(self._folder, f"{name}.nrs"), join(self._folder, f"{name}.nrc")
            found = batch_solution(job, path, self._streets)
            if found is None:
                solution = solve(
                    job,
                    threads=self._threads,
                    memory=self._memory,
                    checkpoint=checkpoint,
                    checkpoint_every=self._checkpoint_every,
                    resume=checkpoint if place_exists(checkpoint) else None,
                    progress=self._progress,
                    callback=None if self._callback is None else self._watch,
                )
                if self.is_stopped:
                    break
                solution.save(path, streets=self._streets)
                remove_place(checkpoint)
                found = open(path)
            return found
        raise StopIteration
