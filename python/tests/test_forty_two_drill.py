"""Drills of Texas 42: what the server asks, and scores that are those of tables and expectations."""

from __future__ import annotations

import pathlib
from collections.abc import Callable

import pytest

import noregret as nr
from conftest import in_background
from noregret import forty_two
from test_study import Server

SETTINGS = "seed=7&seat=1&worlds=20"


def number(domino: str) -> int:
    high, low = map(int, domino.split("-"))
    return high * (high + 1) // 2 + low


def test_a_drill_asks_and_scores_as_the_server_does(tmp_path: pathlib.Path) -> None:
    server = Server(tmp_path)
    drill = forty_two.DominoDrill(SETTINGS)
    try:
        session = server.post("/api/forty-two/drills", {"settings": SETTINGS})["session"]["id"]
        while drill.question.hand == 0:
            ours, theirs = drill.question, server.get(f"/api/forty-two/drills/{session}")["question"]
            assert (ours.decision, ours.hand, ours.seat) == (theirs["decision"], theirs["hand"], theirs["seat"])
            assert forty_two.DECLARATIONS.index(ours.decl) == theirs["declaration"]
            for key in ["dealt", "held", "legal"]:
                assert [number(domino) for domino in getattr(ours, key)] == theirs[key]
            plays = [play for trick in theirs["tricks"] for play in trick["plays"]] + theirs["trick"]
            assert [(seat, number(domino)) for seat, domino in ours.plays] == [(p["seat"], p["domino"]) for p in plays]
            assert list(ours.score) == theirs["score"]
            reply = {"decision": ours.decision, "domino": number(ours.legal[-1])}
            verdict = server.post(f"/api/forty-two/drills/{session}/answers", reply)
            grade = drill.play(ours.legal[-1])
            chosen = verdict["moves"][verdict["chosen"]]
            assert (grade.regret, grade.known_regret) == (chosen["regret"], chosen["known_regret"])
            assert (grade.verdict, grade.worlds, grade.possible) == (verdict["verdict"], verdict["worlds"], verdict["possible"])
            assert [(m.value, m.mean) for m in grade.moves] == [(m["value"], m["mean"]) for m in verdict["moves"]]
        assert grade.over and (grade.points, grade.par) == (verdict["end"]["points"], verdict["end"]["par"])
        results = server.get(f"/api/forty-two/drills/{session}/answers")
        assert (drill.answers, drill.totals) == (results["answers"], results["session"]["totals"])
    finally:
        server.stop()
    assert drill.link == f"#/forty-two/train?{SETTINGS}"


def test_scores_are_those_of_the_table_and_of_expect() -> None:
    drill = forty_two.DominoDrill(seed=3, seat=0, decl="fives", worlds=30)
    table = forty_two.solve(seed=3, decl="fives")
    while (question := drill.question).hand == 0:
        plays = " ".join(domino for _, domino in question.plays)
        expected = forty_two.expect(
            hand=" ".join(question.dealt), decl="fives", plays=plays, worlds=30, seed=3
        )
        regrets = table.position(plays=plays).regrets
        grade = drill.play(question.legal[0])
        assert expected.best is not None
        means = {move.domino: move.mean for move in expected.moves}
        for move in grade.moves:
            assert (move.regret, move.mean) == (regrets[move.domino], means[move.domino])
            assert move.known_regret == expected.best.mean - move.mean
    assert grade.hands == forty_two.Deal(3).hands


@pytest.mark.parametrize(
    ("message", "field", "call"),
    [
        ("`player` is no setting of a drill: there is seed, seat, decl, worlds", None, lambda: forty_two.DominoDrill("player=ip")),
        ("seat: `4` must be 0, 1, 2 or 3", "seat", lambda: forty_two.DominoDrill(seat=4)),
        ("decl: `clubs` must be a declaration", "decl", lambda: forty_two.DominoDrill(decl="clubs")),
        ("worlds: `0` must be a whole number from 1 to 1000", "worlds", lambda: forty_two.DominoDrill(worlds=0)),
        ("domino: `7-7`", "domino", lambda: forty_two.DominoDrill(seed=3).play("7-7")),
        ("domino: seat 0 does not hold", "domino", lambda: forty_two.DominoDrill(seed=3, seat=0).play(forty_two.Deal(3).hands[1][0])),
    ],
)
def test_mistakes_are_named(message: str, field: str | None, call: Callable[[], object]) -> None:
    with pytest.raises(nr.SpecError) as told:
        call()
    assert str(told.value).startswith(message) and told.value.field == field


def test_threads_share_a_drill() -> None:
    drill = forty_two.DominoDrill(seed=3, worlds=2)

    def play() -> None:
        played = 0
        while played < 6:
            try:
                drill.play(drill.question.legal[0])
                played += 1
            except nr.SpecError:
                pass  # Another thread has played it.

    threads = [in_background(play) for _ in range(3)]
    for thread, result in threads:
        thread.join()
        assert result == [None]
    assert drill.totals["plays"] == len(drill.answers) == 18
