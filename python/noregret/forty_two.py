"""Texas 42: deals solved exactly, look-ups by the million, samples to train on.

>>> from noregret import forty_two
>>> table = forty_two.solve(seed=0, decl="blanks")
>>> states, q = table.sample(5, seed=1)
>>> q.shape
(5, 7)
"""

from __future__ import annotations

from ._noregret import (
    Batch,
    Batches,
    Deal,
    DominoDrill,
    DominoGrade,
    DominoMove,
    DominoQuestion,
    Expectation,
    MoveExpectation,
    Position,
    Samples,
    Table,
    Tables,
    expect,
)
from ._noregret import open_table as open
from ._noregret import solve

NOT_LEGAL = -128
"""The value of a move that is not legal."""

DECLARATIONS = (
    "blanks",
    "ones",
    "twos",
    "threes",
    "fours",
    "fives",
    "sixes",
    "doubles-trump",
    "doubles-suit",
    "no-trump",
)
"""The declarations, by number."""

__all__ = [
    "DECLARATIONS",
    "NOT_LEGAL",
    "Batch",
    "Batches",
    "Deal",
    "DominoDrill",
    "DominoGrade",
    "DominoMove",
    "DominoQuestion",
    "Expectation",
    "MoveExpectation",
    "Position",
    "Samples",
    "Table",
    "Tables",
    "expect",
    "open",
    "solve",
]
