"""noregret: heads-up postflop hold'em to a Nash equilibrium, and Texas 42 exactly.

>>> import noregret as nr
>>> spot = nr.Spot(oop="AA,KK,QJs", ip="TT+,KQs", board="QsJh2h8c3d", pot=100, stack=300, bet="50%")
>>> solution = nr.solve(spot, target=0.5, progress=False)
>>> node = solution["check"]
>>> node.strategy(nr.IP).shape[1] == len(node.actions)
True

`Spot` is the question, `solve` and `Solver` answer it, `Solution` and `Node` are the answer. `noregret.forty_two` is Texas 42. The
command line comes with the package: `noregret --help`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from os import PathLike, fspath
from os.path import join
from typing import Literal

from . import forty_two
from ._errors import DoesNotFit, FileError, HandError, LineError, MissingFile, NoregretError, SpecError, StateError
from ._noregret import (
    Action,
    Board,
    Children,
    ComparedRun,
    Comparison,
    Equity,
    Hand,
    Hands,
    Node,
    Plan,
    Player,
    Range,
    Report,
    Run,
    Solution,
    Solver,
    Spot,
    Step,
    __version__,
    compare,
    equity,
    flops,
    open,
    report,
)
from ._noregret import batch_jobs as _batch_jobs
from ._noregret import batch_solution as _batch_solution
from ._noregret import place_exists as _place_exists
from ._noregret import remove_place as _remove_place
from ._progress import Progress
from ._progress import progress_of as _progress_of

Mapping.register(Children)

OOP = Player.OOP
"""The player who acts first on every street."""

IP = Player.IP
"""The player who acts last on every street."""


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
    with _progress_of(progress, solver.spot) as bar:
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
    jobs = _batch_jobs(
        spot, flops, folder, streets, target, max_iterations, algorithm, precision, warm_start, pruning
    )
    first = next((job for _, job, _ in jobs if job is not None), None)
    if first is not None:
        # What it complains about is so for every flop.
        Solver(first, threads=threads, memory=memory, checkpoint_every=checkpoint_every)
    is_stopped = False

    def watched(step: Step) -> object:
        nonlocal is_stopped
        wanted = None if callback is None else callback(step)
        is_stopped = wanted is not None and not wanted
        return not is_stopped

    def solutions() -> Iterator[Solution]:
        for name, job, _ in jobs:
            path, checkpoint = join(folder, f"{name}.nrs"), join(folder, f"{name}.nrc")
            if job is None:
                continue
            found = _batch_solution(job, path, streets)
            if found is None:
                solution = solve(
                    job,
                    threads=threads,
                    memory=memory,
                    checkpoint=checkpoint,
                    checkpoint_every=checkpoint_every,
                    resume=checkpoint if _place_exists(checkpoint) else None,
                    progress=progress,
                    callback=None if callback is None else watched,
                )
                if is_stopped:
                    return
                solution.save(path, streets=streets)
                _remove_place(checkpoint)
                found = open(path)
            yield found
        impossible = [f"{name}: {why}" for name, _, why in jobs if why is not None]
        if impossible:
            raise SpecError(f"{len(impossible)} of {len(jobs)} flops cannot be solved: " + "; ".join(impossible))

    return solutions()


__all__ = [
    "IP",
    "OOP",
    "Action",
    "Board",
    "Children",
    "ComparedRun",
    "Comparison",
    "DoesNotFit",
    "Equity",
    "FileError",
    "Hand",
    "HandError",
    "Hands",
    "LineError",
    "MissingFile",
    "Node",
    "NoregretError",
    "Plan",
    "Player",
    "Progress",
    "Range",
    "Report",
    "Run",
    "Solution",
    "Solver",
    "SpecError",
    "Spot",
    "StateError",
    "Step",
    "__version__",
    "batch",
    "compare",
    "equity",
    "flops",
    "forty_two",
    "open",
    "report",
    "solve",
]
