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

from collections.abc import Callable, Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from . import forty_two
from ._errors import DoesNotFit, FileError, LineError, NoregretError, SpecError, StateError
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
    batch_jobs,
    compare,
    equity,
    flops,
    is_of,
    open,
    report,
)
from ._progress import Progress, progress_of

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
    `callback` gets each measurement, and stops the solve by returning False.

    Ctrl-C raises `KeyboardInterrupt`, whose attribute `solution` is what was reached.

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
        except KeyboardInterrupt as interrupt:
            try:
                interrupt.solution = solver._finish()  # type: ignore[attr-defined]
            except RuntimeError:
                pass
            raise
    return solver._finish()


def batch(
    spot: Spot,
    flops: int | str | Sequence[Board | str | tuple[Board | str, int]],
    out: str | PathLike[str],
    *,
    streets: str = "full",
    **options: Any,
) -> Iterator[Solution]:
    """Solves a spot on many flops, one after the other, and yields each solution as it is saved.

    `flops` is a number of flops that stand for all, `"all"`, or a list of flops, perhaps with weights. Solutions go to the folder
    `out`, which `report` reads; what is there already is not solved again, and a solve that was cut short goes on from its checkpoint.
    The other arguments are those of `solve`.

    >>> import noregret as nr, tempfile
    >>> spot = nr.Spot("AA,KK", "QQ,JJ", "Ts7h2c", pot=100, stack=100, bet="a", raise_="")
    >>> folder = tempfile.mkdtemp()
    >>> [str(solution.spot.board) for solution in nr.batch(spot, ["Ts7h2c", "AsKd5c"], folder, target=5, progress=False)]
    ['Ts7h2c', 'AsKd5c']
    >>> len(nr.report(folder))
    2
    """
    folder = Path(out)
    for name, _, _, job in batch_jobs(spot, flops, folder, streets):
        path, checkpoint = folder / f"{name}.nrs", folder / f"{name}.nrc"
        asked = Solver(job, **{key: value for key, value in options.items() if key not in ("progress", "callback")}).spot
        if path.exists():
            found = open(path)
            if not is_of(asked, found.spot):
                raise FileError(
                    f"{path} holds the solution of another spec: move it away, or write to another directory"
                )
            yield found
            continue
        resume = checkpoint if checkpoint.exists() else None
        solution = solve(job, checkpoint=checkpoint, resume=resume, **options)
        solution.save(path, streets=streets)
        checkpoint.unlink(missing_ok=True)
        yield open(path)


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
    "Hands",
    "LineError",
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
