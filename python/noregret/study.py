"""Study: hands that were played and what their decisions cost; drills on solutions.

>>> from noregret import study
>>> session = study.read_text(study.EXAMPLE)
>>> session.hands[0].spot.notes[0]
'AQs is not in the range `BTN calls the 3-bet of BB, 6-max, 20 bb`: added with weight 0.05'
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from os import PathLike, fspath
from typing import Literal

from ._noregret import (
    Answer,
    Answers,
    Decision,
    Decisions,
    Drill,
    Grade,
    GradedAction,
    HandSpot,
    PlayedAction,
    PlayedHand,
    Post,
    Problem,
    Question,
    Review,
    ReviewItem,
    Seat,
    Session,
    Step,
)
from ._noregret import read_hands as read
from ._noregret import read_hands_text as read_text
from ._noregret import session_jobs as _session_jobs
from ._progress import Progress
from ._solve import SolveJobs as _SolveJobs

Sequence.register(Decisions)
Sequence.register(Answers)

EXAMPLE = """\
PokerStars Hand #300000001: Hold'em No Limit ($0.50/$1 USD) - 2026/03/14 20:15:00 ET
Table 'Vega IV' 6-max Seat #4 is the button
Seat 1: Villain1 ($20 in chips)
Seat 2: Villain2 ($20 in chips)
Seat 3: Villain3 ($20 in chips)
Seat 4: Hero ($20 in chips)
Seat 5: Villain5 ($20 in chips)
Seat 6: Villain6 ($20 in chips)
Villain5: posts small blind $0.50
Villain6: posts big blind $1
*** HOLE CARDS ***
Dealt to Hero [Ad Qd]
Villain1: folds
Villain2: folds
Villain3: folds
Hero: raises $1 to $2
Villain5: folds
Villain6: raises $4 to $6
Hero: calls $4
*** FLOP *** [Qc 7d 2h]
Villain6: bets $4
Hero: calls $4
*** TURN *** [Qc 7d 2h] [5s]
Villain6: bets $10 and is all-in
Hero: folds
Uncalled bet ($10) returned to Villain6
Villain6 collected $19.50 from pot
Villain6: doesn't show hand
*** SUMMARY ***
Total pot $20.50 | Rake $1
Board [Qc 7d 2h 5s]
"""
"""A hand to try things with."""


def solve(
    session: Session,
    out: str | PathLike[str],
    *,
    streets: Literal["flop", "turn", "full"] = "full",
    threads: int | None = None,
    memory: int | str | None = None,
    checkpoint_every: float = 300.0,
    progress: bool | Progress | None = None,
    callback: Callable[[Step], object] | None = None,
) -> Session:
    """Solves what the hands of a session need, and says what their decisions cost.

    One solve serves all decisions of a hand, and equal spots are solved once. Solutions go to the folder `out` (a URL like
    `s3://bucket/solved` is one); what is there already is not solved again, and a solve that was cut short goes on from its checkpoint.
    They are solved to the `target` that the hands were read with. The other arguments are those of `noregret.solve`; a `callback` that
    stops a solve ends the work, and the session has what was solved before.

    >>> from noregret import study
    >>> import tempfile
    >>> session = study.read_text(study.EXAMPLE, target=30)
    >>> solved = study.solve(session, tempfile.mkdtemp(), progress=False)
    >>> solved
    <Session of 1 hand: 1 solved, 0 to solve, 0 left out>
    >>> all(decision.ev_loss_bb >= 0 for decision in solved.decisions)
    True
    """
    folder = fspath(out)
    jobs = _session_jobs(session, folder, streets)
    solutions = _SolveJobs(jobs, folder, streets, threads, memory, checkpoint_every, progress, callback)
    deque(solutions, maxlen=0)
    return session.with_solutions(folder)


__all__ = [
    "EXAMPLE",
    "Answer",
    "Answers",
    "Decision",
    "Decisions",
    "Drill",
    "Grade",
    "GradedAction",
    "HandSpot",
    "PlayedAction",
    "PlayedHand",
    "Post",
    "Problem",
    "Question",
    "Review",
    "ReviewItem",
    "Seat",
    "Session",
    "read",
    "read_text",
    "solve",
]
