"""Many machines: batches, Texas 42 data and single large spots on a Ray cluster, into object storage.

`batch` and `forty_two` make the files of the command line on as many workers as there are; `solve` divides one spot among workers by
its turn cards; `status` says how far a run is, and `plan` what one will take. From a
shell: `python -m noregret.cluster --help`. Ray comes with `pip install noregret[cluster]`, on every node.
"""

from __future__ import annotations

from ._batch import batch
from ._driver import SolveOutcome
from ._engine import ClusterError, Outcome, WrongRequest
from ._forty_two import forty_two
from ._plan import Estimate, UnitCost, plan, unit_costs
from ._solve import solve
from ._status import Status, status

__all__ = [
    "ClusterError",
    "Estimate",
    "Outcome",
    "SolveOutcome",
    "Status",
    "UnitCost",
    "WrongRequest",
    "batch",
    "forty_two",
    "plan",
    "solve",
    "status",
    "unit_costs",
]
