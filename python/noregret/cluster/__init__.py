"""Many machines: batches and Texas 42 data on a Ray cluster, into object storage.

`batch` and `forty_two` make the files of the command line on as many workers as there are; `status` says how far a run is. From a
shell: `python -m noregret.cluster --help`. Ray comes with `pip install noregret[cluster]`, on every node.
"""

from __future__ import annotations

from ._batch import batch
from ._engine import ClusterError, Outcome, WrongRequest
from ._forty_two import forty_two
from ._status import Status, status

__all__ = ["ClusterError", "Outcome", "Status", "WrongRequest", "batch", "forty_two", "status"]
