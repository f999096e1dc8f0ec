"""noregret: heads-up postflop hold'em to a Nash equilibrium, and Texas 42 exactly.

>>> import noregret as nr
>>> spot = nr.Spot(oop="AA,KK,QJs", ip="TT+,KQs", board="QsJh2h8c3d", pot=100, stack=300, bet="50%")
>>> solution = nr.solve(spot, target=0.5, progress=False)
>>> node = solution["check"]
>>> node.strategy(nr.IP).shape[1] == len(node.actions)
True

`Spot` is the question, `solve` and `Solver` answer it, `Solution` and `Node` are the answer. `noregret.study` reads
hand histories and asks questions, `noregret.forty_two` is Texas 42. The command line comes with the package: `noregret --help`.
"""

from __future__ import annotations

from collections.abc import Mapping

from . import forty_two, study
from ._errors import (
    ContentError,
    DoesNotFit,
    FileError,
    HandError,
    LineError,
    MissingFile,
    NoregretError,
    SpecError,
    StateError,
)
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
from ._progress import Progress
from ._solve import batch, solve

Mapping.register(Children)

OOP = Player.OOP
"""The player who acts first on every street."""

IP = Player.IP
"""The player who acts last on every street."""


__all__ = [
    "IP",
    "OOP",
    "Action",
    "Board",
    "Children",
    "ComparedRun",
    "Comparison",
    "ContentError",
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
    "study",
]
