"""Hands that were played, and drills: the answers of the command line and of the server."""

from __future__ import annotations

import json
import pathlib
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import noregret as nr
from conftest import ROOT, in_background, river, turn
from noregret import study

Command = Callable[..., Any]
SESSION = ROOT / "examples/session.txt"
CORPUS = ROOT / "crates/hands/corpus"


def lines(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Where the session of the examples is solved."""
    return tmp_path_factory.mktemp("solved")


@pytest.fixture(scope="module")
def solved(folder: pathlib.Path) -> study.Session:
    return study.solve(study.read(SESSION, target=30), folder, progress=False)


def test_hands_and_spots_are_those_of_the_command_line(command: Command) -> None:
    session = study.read(SESSION)
    assert session.documents() == lines(command("hands", SESSION, "--json"))
    assert repr(session) == "<Session of 4 hands: 0 solved, 2 to solve, 2 left out>"
    for hand, document in zip(session.hands, session.documents()):
        assert hand.document() == document
        assert (hand.id, hand.source, hand.line) == (document["hand"], document["source"], document["line"])
        assert (hand.big_blind, hand.board, hand.pot) == (document["big_blind"], document["board"], document["pot"])
        assert [seat.position for seat in hand.seats] == [player["position"] for player in document["players"]]
        for action, shown in zip(hand.actions, document["actions"], strict=True):
            assert all(getattr(action, key) == value for key, value in shown.items())
        for post, shown in zip(hand.posts, document["posts"], strict=True):
            assert (post.position, post.kind, post.amount) == (shown["position"], shown["kind"], shown["amount"])
        if hand.spot is None:
            assert hand.left_out == document["left_out"]["message"]
        else:
            assert hand.left_out is None
            assert hand.spot.spot == nr.Spot.from_text(document["spot"]["spec"]) == session.spots[hand.spot.name]
            assert (hand.spot.notes, hand.spot.line) == (document["spot"]["notes"], document["spot"]["line"])


def test_every_format_is_read_from_paths_and_from_text() -> None:
    paths = sorted(path for path in CORPUS.iterdir() if path.suffix in {".txt", ".phh", ".phhs"})
    session = study.read(paths)
    assert {hand.source for hand in session.hands} == {"PokerStars", "GGPoker", "PHH"}
    assert session.problems == [] and len(session.hands) > 50
    assert len(study.read(paths + paths[:1]).hands) == len(session.hands)
    assert study.read([paths[0], paths[0]]).repeated > 0
    text = study.read_text(paths[0].read_text(), name=paths[0].name)
    assert text.documents() == study.read(str(paths[0])).documents()
    chips = [hand for hand in session.hands if hand.tournament is not None]
    assert chips and "chips" in {hand.currency for hand in chips}


def test_what_cannot_be_read_is_told_with_its_line(command: Command, tmp_path: pathlib.Path) -> None:
    text = study.EXAMPLE.replace("collected $19.50", "collected $18.50") + "\n" + SESSION.read_text()
    session = study.read_text(text)
    [problem] = session.problems
    assert problem.hand == "300000001" and len(session.hands) == 4
    assert str(problem).startswith(f"text: line {problem.line}: {problem.message}")
    path = tmp_path / "session.txt"
    path.write_text(text)
    assert str(study.read(path).problems[0]) in command("hands", path, code=1)


@pytest.mark.parametrize(
    ("error", "message", "call"),
    [
        (nr.SpecError, "player: nobody has the name Nobody", lambda: study.read(SESSION, player="Nobody")),
        (
            nr.SpecError,
            "rake: `much` is not known: it is as-played or one of none, online-small, online-middle, online-high, live",
            lambda: study.read(SESSION, rake="much"),
        ),
        (nr.SpecError, "target: must be a number from 0 to 100", lambda: study.read(SESSION, target=-1)),
        (
            nr.SpecError,
            "ranges: `BTN opns, 6-max, 20 bb` is no range of the charts; did you mean `BTN opens, 6-max, 20 bb`?",
            lambda: study.read(SESSION, ranges={"BTN opns, 6-max, 20 bb": "AA"}),
        ),
        (
            nr.SpecError,
            "ranges.BTN opens, 6-max, 20 bb: `Qx` is not a group of hands",
            lambda: study.read(SESSION, ranges={"BTN opens, 6-max, 20 bb": "AA,Qx"}),
        ),
        (nr.MissingFile, "cannot read the ranges none.toml: ", lambda: study.read(SESSION, ranges="none.toml")),
        (
            TypeError,
            "ranges: must be a mapping from names to ranges, or a TOML file",
            lambda: study.read(SESSION, ranges=3),  # type: ignore[arg-type]
        ),
        (nr.MissingFile, "cannot read none.txt: No such file or directory (os error 2)", lambda: study.read("none.txt")),
        (TypeError, "paths: must be a path or several", lambda: study.read(3)),  # type: ignore[arg-type]
        (
            nr.MissingFile,
            "cannot read no/folder: No such file or directory (os error 2)",
            lambda: study.read(SESSION).with_solutions("no/folder"),
        ),
        (
            ValueError,
            "s.docx: the ending says what to write: accepted `.html`, `.csv`, `.json`, `.parquet`",
            lambda: study.read(SESSION).save("s.docx"),
        ),
        (
            nr.SpecError,
            "streets: ",
            lambda: study.solve(study.read(SESSION), "solved", streets="preflop"),  # type: ignore[arg-type]
        ),
    ],
)
def test_mistakes_are_named(
    error: type[Exception], message: str, call: Callable[[], object], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error) as told:
        call()
    assert str(told.value).startswith(message)
    assert list(tmp_path.iterdir()) == []


def test_a_solved_session_is_that_of_the_command_line(
    solved: study.Session, folder: pathlib.Path, command: Command, tmp_path: pathlib.Path
) -> None:
    rows = tmp_path / "rows.parquet"
    shown = lines(command("hands", SESSION, "--target", "30", "--json", "--out", folder, "--parquet", rows))
    assert solved.documents() == shown
    assert solved.totals == shown[-1]["totals"] and solved.totals["all"]["decisions"] > 0
    table = pa.table(solved.decisions)
    assert table.equals(pq.read_table(rows).cast(table.schema)) and table.schema.metadata[b"unit"] == b"bb"
    ours = tmp_path / "ours.parquet"
    solved.save(ours)
    assert pq.read_table(ours).equals(pq.read_table(rows))
    # What Python has solved is there for the command line.
    answer = command("hands", SESSION, "--target", "30", "--json", "--out", folder, "--solve")
    assert lines(answer) == shown


def test_losses_are_those_of_the_nodes(solved: study.Session, folder: pathlib.Path) -> None:
    assert len(solved.decisions) == 3
    for decision in solved.decisions:
        assert decision.hole and decision.solution and decision.ev_loss_bb is not None
        solution = nr.open(folder / f"{decision.solution}.nrs")
        evs = solution[decision.line].hand(decision.hole).action_evs
        assert evs is not None
        loss = max(evs.values()) - evs[decision.played]
        assert decision.ev_loss_bb == loss / 100
        assert {action.action: action.ev for action in decision.actions} == {name: ev / 100 for name, ev in evs.items()}
        assert decision.link is not None and decision.link.startswith(f"#/browse/{decision.solution}")


def test_a_solution_that_cannot_be_read_is_skipped_with_a_warning(
    solved: study.Session, folder: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    damaged = tmp_path / f"{solved.decisions[0].solution}.nrs"
    damaged.write_bytes(damaged.read_bytes()[:-1])
    with pytest.warns(UserWarning, match=rf"^{damaged}: .*") as told:
        again = study.read(SESSION, target=30).with_solutions(tmp_path)
    assert len(told) == 1
    assert {decision.solution for decision in again.decisions} == {None, solved.decisions[2].solution}


def test_own_ranges_are_those_of_the_command_line(command: Command, tmp_path: pathlib.Path) -> None:
    name = "BTN calls the 3-bet of BB, 6-max, 20 bb"
    own = study.read(SESSION, ranges={name: nr.Range("99-66, AQs-ATs, KQs")})
    path = tmp_path / "own.toml"
    path.write_text(f'[ranges]\n"{name}" = "99-66, AQs-ATs, KQs"\n')
    assert own.documents() == study.read(SESSION, ranges=path).documents()
    assert own.documents() == lines(command("hands", SESSION, "--ranges", path, "--json"))
    assert own.documents()[-1]["own_ranges"] == [{"name": name, "hands": 1}]
    charts = study.read(SESSION)
    assert own.hands[0].spot is not None and charts.hands[0].spot is not None
    assert own.hands[0].spot.sources == charts.hands[0].spot.sources
    assert f"BTN: the range is yours, in the place of `{name}`" in own.hands[0].spot.notes
    changed = set(own.spots) ^ set(charts.spots)
    assert changed == {own.hands[0].spot.name, charts.hands[0].spot.name}
    path.write_text("[ranges]\n'BTN opens, 6-max' = 'AA'\n")
    with pytest.raises(nr.SpecError, match="is the beginning of 5 names") as told:
        study.read_text(study.EXAMPLE, ranges=path)
    assert told.value.line == 2


def test_a_hand_is_answered_by_a_solution_with_other_ranges(solved: study.Session) -> None:
    hand = solved.hands[0]
    assert hand.spot is not None
    text = hand.spot.toml.replace("effective_stack = 1400", "effective_stack = 1400\nadd_allin_threshold = 1.5")
    other = nr.solve(nr.Spot.from_text(text), target=60, progress=False)
    again = hand.with_solution(other, name="other")
    assert [decision.solution for decision in again.decisions] == ["other", "other"]
    assert [decision.played for decision in again.decisions] == [decision.played for decision in hand.decisions]
    with pytest.raises(ValueError, match=r"^solution: it is of .* with pot 100 and stack 300, and the spot of the hand is Qc7d2h with pot 1250"):
        hand.with_solution(nr.solve(river(), target=5, progress=False))


def test_pages_and_tables_are_written(solved: study.Session, tmp_path: pathlib.Path) -> None:
    page = tmp_path / "session.html"
    solved.save(page, title="My <session>")
    assert "My &lt;session&gt;" in page.read_text() and page.read_text() == solved.html("My <session>")
    assert "session.txt" in solved.html()
    with pytest.raises(nr.FileError, match="force=True"):
        page.write_text("a letter")
        solved.save(page)
    shown = solved._repr_html_()
    assert "2 solved, 0 to solve" in shown and "lost, bb" in shown and "AdQd" in shown


def test_a_callback_stops_and_what_is_solved_stays(tmp_path: pathlib.Path) -> None:
    session = study.read(SESSION, target=30)
    stopped = study.solve(session, tmp_path, progress=False, callback=lambda step: False)
    assert repr(stopped) == "<Session of 4 hands: 0 solved, 2 to solve, 2 left out>"
    resumed = study.solve(session, tmp_path, progress=False)
    assert repr(resumed) == "<Session of 4 hands: 2 solved, 0 to solve, 2 left out>"


# Drills.


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A library with a turn and a folder of two rivers."""
    home = tmp_path_factory.mktemp("library")
    nr.solve(turn(), target=0.5, progress=False).save(home / "turn.nrs")
    (home / "rivers").mkdir()
    for name, board in [("a", "QsJh2h8c3d"), ("a-b", "Ts9s2h8c3d")]:
        nr.solve(river().on(board), target=0.5, progress=False).save(home / "rivers" / f"{name}.nrs")
    return home


class Server:
    """`noregret serve` on a library."""

    def __init__(self, library: pathlib.Path) -> None:
        program = pathlib.Path(sys.executable).with_name("noregret")
        arguments = ["serve", "--library", str(library), "--no-open", "--port", "0"]
        self._process = subprocess.Popen([program, *arguments], stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        said = next(line for line in self._process.stdout if "http://" in line)
        self._address = said[said.index("http://") :].split()[0].rstrip("/")
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def post(self, path: str, content: object) -> Any:
        request = urllib.request.Request(
            f"{self._address}{path}", json.dumps(content).encode(), {"Content-Type": "application/json"}, method="POST"
        )
        with self._opener.open(request) as answer:
            return json.load(answer)

    def get(self, path: str) -> Any:
        with self._opener.open(f"{self._address}{path}") as answer:
            return json.load(answer)

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait()


@pytest.fixture(scope="module")
def server(library: pathlib.Path) -> Iterator[Server]:
    server = Server(library)
    yield server
    server.stop()


@pytest.mark.parametrize(
    ("solution", "settings"),
    [
        ("turn", "seed=7"),
        ("turn", "seed=3&play=decisions&street=river&player=ip&hands=pair"),
        ("rivers", "seed=11&line=check"),
    ],
)
def test_a_drill_asks_and_grades_as_the_server_does(
    server: Server, library: pathlib.Path, solution: str, settings: str
) -> None:
    path = library / solution
    drill = study.Drill(path if path.is_dir() else path.with_suffix(".nrs"), settings)
    state = server.post("/api/drills", {"solution": solution, "settings": settings})
    session = state["session"]["id"]
    assert state["session"]["settings"] == drill.settings
    seen = set()
    for number in range(12):
        theirs, ours = server.get(f"/api/drills/{session}")["question"], drill.question
        assert ours is not None
        seen.add(ours.solution)
        for key in ["decision", "hand", "solution", "line", "street", "hole", "pot", "to_call", "left"]:
            assert getattr(ours, key) == theirs[key], key
        assert (ours.board, str(ours.player)) == ("".join(theirs["board"]), theirs["player"])
        assert ours.stacks == (theirs["stacks"]["oop"], theirs["stacks"]["ip"])
        assert ours.actions == [action["label"] for action in theirs["actions"]]
        assert [step[0] for step in ours.steps] == [step["label"] for step in theirs["steps"]]
        action = ours.actions[number % len(ours.actions)]
        verdict = server.post(f"/api/drills/{session}/answers", {"decision": number, "action": action})
        grade = drill.answer(action)
        for key in ["ev_loss", "ev_loss_pct", "ev_loss_bb", "verdict", "mistake"]:
            assert getattr(grade, key) == verdict[key], key
        assert [each.ev for each in grade.actions] == [each["ev"] for each in verdict["actions"]]
        end = verdict["end"] or {"kind": None, "opponent_hole": None, "winner": None}
        winner = None if grade.winner is None else str(grade.winner)
        assert (grade.end, grade.opponent_hole, winner) == (end["kind"], end["opponent_hole"], end["winner"])
    results = server.get(f"/api/drills/{session}/answers")
    assert drill.totals == results["session"]["totals"]
    rows = pa.table(drill.answers).to_pylist()
    for row, answer in zip(rows, results["answers"], strict=True):
        assert {**answer, "hand": answer["number"]}.items() >= row.items()
    assert seen == ({"rivers/a", "rivers/a-b"} if solution == "rivers" else {"turn"})
    assert drill.link == f"#/train/{solution}?{drill.settings}"


def test_what_went_wrong_is_asked_again(library: pathlib.Path) -> None:
    review, now = study.Review(), 1_800_000_000.0
    solution = nr.open(library / "turn.nrs")
    drill = study.Drill(solution, seed=1, play="decisions", review=review)
    while len(review) < 3:
        assert drill.question is not None
        drill.answer(drill.question.actions[0], now=now)
    assert review.boxes == [3, 0, 0, 0, 0] and len(review.due(now)) == 3 and review.due(now - 1) == []
    again = study.Drill.again(solution, review, now=now)
    assert repr(again) == "<Drill of 3 decisions that went wrong>"
    asked = []
    while (question := again.question) is not None:
        asked.append((question.line, question.hole, question.left))
        best = study.Drill.again(solution, study.Review(review.to_json()), now=now).answer(question.actions[0]).best
        grade = again.answer(best, now=now)
        assert (grade.verdict, grade.end, grade.opponent_hole) == ("best", "answered", None)
    assert [left for _, _, left in asked] == [3, 2, 1]
    assert review.boxes == [0, 3, 0, 0, 0] and len(review.due(now + 86_400)) == 3
    with pytest.raises(nr.SpecError, match="nothing is left to be asked again"):
        again.answer("check")
    assert study.Drill.again(solution, review, now=now).question is None
    assert study.Review(review.to_json()) == review and study.Review() != review


@pytest.mark.parametrize(
    ("message", "field", "call"),
    [
        ("`speed` is no setting of a drill: there is seed, play", None, lambda s: study.Drill(s, "speed=3")),
        ("play: `all` must be hands or decisions", "play", lambda s: study.Drill(s, "play=all")),
        ("seed: `-1` must be a whole number from 0 to 18446744073709551615", "seed", lambda s: study.Drill(s, seed=-1)),
        ("hands: `flash` chooses no hands", "hands", lambda s: study.Drill(s, hands="flash")),
        ("line: `jump` is not a step", "line", lambda s: study.Drill(s, line="jump")),
        ("line: the hand is over there", None, lambda s: study.Drill(s, line="bet 50, fold")),
        ("no hand that the settings choose comes to the line", None, lambda s: study.Drill(s, hands="72o")),
        ("`bet 7` is no action there: there is check, bet 50", "action", lambda s: study.Drill(s, player="oop").answer("bet 7")),
        ("action: `jump` is no action", "action", lambda s: study.Drill(s).answer("jump")),
        ("now: must be a number of seconds since 1970", "now", lambda s: study.Drill(s).answer("check", now=-1)),
        ("text: these are no boxes: ", "text", lambda s: study.Review("half")),
    ],
)
def test_mistakes_of_a_drill_are_named(
    library: pathlib.Path, message: str, field: str | None, call: Callable[[nr.Solution], object]
) -> None:
    with pytest.raises(nr.SpecError) as told:
        call(nr.open(library / "rivers/a.nrs"))
    assert str(told.value).startswith(message) and told.value.field == field


def test_places_without_solutions_are_named(tmp_path: pathlib.Path) -> None:
    with pytest.raises(nr.FileError, match="there is no .nrs file in"):
        study.Drill(tmp_path)
    with pytest.raises(nr.MissingFile, match="none.nrs"):
        study.Drill(tmp_path / "none.nrs")
    with pytest.raises(TypeError, match="solutions: must be a Solution, a file, or a folder of files"):
        study.Drill(3)  # type: ignore[arg-type]
    (tmp_path / "half.nrs").write_bytes(b"half")
    with pytest.raises(nr.FileError, match="half.nrs"):
        study.Drill(tmp_path)


def test_threads_share_a_drill(library: pathlib.Path) -> None:
    drill = study.Drill(library / "rivers", seed=5, play="decisions")

    def play() -> None:
        answered = 0
        while answered < 20:
            question = drill.question
            assert question is not None
            try:
                drill.answer(question.actions[0])
                answered += 1
            except nr.SpecError:
                pass  # Another thread has answered it.

    threads = [in_background(play) for _ in range(3)]
    for thread, result in threads:
        thread.join()
        assert result == [None]
    assert len(drill.answers) == 60 and drill.answers[-1].hand == 59


def test_a_question_is_shown(library: pathlib.Path) -> None:
    question = study.Drill(library / "rivers/a.nrs", player="oop").question
    assert question is not None
    shown = question._repr_html_()
    assert question.hole in shown and "check · bet 50" in shown and "pot 100" in shown


def test_sessions_that_are_dealt_to_time_with_can_be_read() -> None:
    for seed in ("1", "2"):
        dealt = subprocess.run([sys.executable, ROOT / "scripts/deal-session", "50", "--seed", seed], capture_output=True, text=True)
        session = study.read_text(dealt.stdout)
        assert (len(session.hands), session.problems, session.repeated) == (50, [], 0)
        assert 5 <= len(session.spots) <= 15
