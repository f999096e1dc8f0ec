"""Hands and drills, whatever Python gives: an exception with a text or a value that makes sense, never an abort."""

from __future__ import annotations

import contextlib
import json
import pathlib
import re
import shutil
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import noregret as nr
from conftest import ROOT, river, turn
from noregret import forty_two, study
from test_bad_input import anything

CORPUS = ROOT / "crates/hands/corpus"
# One hand each, as many examples of several would take minutes.
HISTORIES = [study.EXAMPLE] + [
    hand
    for path in sorted(CORPUS.iterdir())
    if path.suffix in {".txt", ".phh"}
    for hand in (re.split(r"\n\s*\n", path.read_text()) if path.suffix == ".txt" else [path.read_text()])
]

many = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


@contextlib.contextmanager
def told() -> Iterator[None]:
    """Takes every exception that is documented, if it has a text."""
    try:
        yield
    except (nr.NoregretError, TypeError, ValueError, OverflowError, IndexError) as error:
        assert str(error)


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A library with one solution."""
    folder = tmp_path_factory.mktemp("saved")
    nr.solve(river(), target=1, progress=False).save(folder / "river.nrs")
    return folder


@pytest.fixture(scope="module")
def opened(saved: pathlib.Path) -> nr.Solution:
    return nr.open(saved / "river.nrs")


# Texts that are nearly right: pieces of one, with others between them.
odd_words = st.sampled_from([
    "", "\0", "nan", "inf", "-0", "1e308", "99999999999999999999999", "-1", "½", "٣", "\ufeff", "\r\n", "\n\n", "%", "%zz", "%ff", "&", "=", "?", "\u202e",
    "🂡", "x" * 5000,
]) | st.text(max_size=12)  # fmt: skip


@st.composite
def damaged(draw: st.DrawFn, texts: list[str]) -> str:
    """One of some texts, with pieces left out, doubled, moved or replaced."""
    text = draw(st.sampled_from(texts))
    for _ in range(draw(st.integers(1, 3))):
        start, end = sorted(draw(st.integers(0, len(text))) for _ in range(2))
        piece = text[start : min(end, start + draw(st.sampled_from([0, 1, 3, 20, 300])))]
        after = text[start + len(piece) :]
        match draw(st.sampled_from(["leave out", "double", "replace", "cut", "number"])):
            case "leave out":
                text = text[:start] + after
            case "double":
                text = text[:start] + piece + piece + after
            case "replace":
                text = text[:start] + draw(odd_words) + after
            case "cut":
                text = text[:start]
            case _:
                text = text[:start] + str(draw(st.integers(-5, 10**20) | st.floats())) + after
    return text


# Arguments.

CALLS: dict[str, Callable[[nr.Solution, Any, Any, Any], object]] = {
    "read": lambda s, a, b, c: study.read(a, player=b, rake=c),
    "read_text": lambda s, a, b, c: study.read_text(a, name=b, player=c),
    "read_text.more": lambda s, a, b, c: study.read_text(study.EXAMPLE, rake=a, target=b, ranges=c),
    "read_text.ranges": lambda s, a, b, c: study.read_text(study.EXAMPLE, ranges={"BTN opens, 6-max, 20 bb": a}),
    "solve": lambda s, a, b, c: study.solve(a, b, streets=c),
    "solve.more": lambda s, a, b, c: study.solve(
        study.read_text(study.EXAMPLE, target=50), "solved", threads=a, memory=b, checkpoint_every=c, progress=False, callback=lambda _: False
    ),
    "with_solutions": lambda s, a, b, c: study.read_text(study.EXAMPLE).with_solutions(a),
    "with_solution": lambda s, a, b, c: study.read_text(study.EXAMPLE).hands[0].with_solution(a, name=b),
    "save": lambda s, a, b, c: study.read_text(study.EXAMPLE).save(a, title=b, force=c),
    "html": lambda s, a, b, c: study.read_text(study.EXAMPLE).html(a),
    "decisions[]": lambda s, a, b, c: study.read_text(study.EXAMPLE).decisions[a],
    "Drill": lambda s, a, b, c: study.Drill(a, b, review=c),
    "Drill.settings": lambda s, a, b, c: study.Drill(s, a),
    "Drill.seed": lambda s, a, b, c: study.Drill(s, seed=a, play=b, street=c),
    "Drill.player": lambda s, a, b, c: study.Drill(s, player=a, hands=b, line=c),
    "Drill.again": lambda s, a, b, c: study.Drill.again(s, a, now=b),
    "Drill.again.now": lambda s, a, b, c: study.Drill.again(s, study.Review(), now=a).question,
    "Drill.answer": lambda s, a, b, c: study.Drill(s).answer(a, now=b),
    "Drill.answer.now": lambda s, a, b, c: study.Drill(s, player="ip", line="bet 50").answer("fold", now=a),
    "answers[]": lambda s, a, b, c: study.Drill(s).answers[a],
    "Review": lambda s, a, b, c: study.Review(a),
    "Review.due": lambda s, a, b, c: [study.Review().due(a), study.Review() == b],
    "DominoDrill": lambda s, a, b, c: forty_two.DominoDrill(a),
    "DominoDrill.more": lambda s, a, b, c: forty_two.DominoDrill(seed=a, seat=b, decl=c),
    "DominoDrill.worlds": lambda s, a, b, c: forty_two.DominoDrill(worlds=a),
}


@pytest.mark.parametrize("name", CALLS)
@settings(parent=many, max_examples=60)
@given(a=anything, b=anything, c=anything)
def test_nothing_that_python_gives_aborts(elsewhere: None, opened: nr.Solution, name: str, a: object, b: object, c: object) -> None:
    with told():
        CALLS[name](opened, a, b, c)


# Hands.


def check_session(session: study.Session, is_added_to: bool = False) -> None:
    """Whatever is accepted makes sense, and can be shown. Only if somebody else has added to a pot, more is in it than players put there."""
    documents = session.documents()
    assert len(documents) == len(session.hands) + len(session.problems) + 1
    for hand in session.hands:
        put_in = [seat.stack + seat.collected - seat.final_stack for seat in hand.seats]
        added = hand.pot - sum(put_in)
        # Chips add up, but for what a sum of floats loses.
        assert min(put_in) > -0.001 and hand.rake > -0.001 and added > -0.001, hand.document()
        assert abs(sum(seat.collected for seat in hand.seats) + hand.rake - hand.pot) < 0.001, hand.document()
        assert added < 0.001 or is_added_to, hand.document()
        assert 2 <= len(hand.seats) <= 10 and (hand.spot is None) != (hand.left_out is None)
        if hand.spot is not None:
            assert nr.Spot.from_text(hand.spot.toml) == hand.spot.spot
    for problem in session.problems:
        assert problem.line >= 1 and problem.message and str(problem)
    assert pa.table(session.decisions).num_rows == len(session.decisions)
    assert "<html" in session.html()


@settings(parent=many, max_examples=100)
@given(text=damaged(HISTORIES) | st.text(max_size=200))
def test_hands_that_are_damaged_are_refused_or_add_up(text: str) -> None:
    check_session(study.read_text(text), "Cash Drop" in text)


@many
@given(content=st.binary(max_size=300) | damaged(HISTORIES).map(lambda text: text.encode("utf-16")), ending=st.sampled_from([".txt", ".phh", ".phhs", ""]))
def test_files_of_others_are_refused_or_add_up(tmp_path: pathlib.Path, content: bytes, ending: str) -> None:
    path = tmp_path / f"session{ending}"
    path.write_bytes(content)
    with told():
        check_session(study.read(path), b"C\0a\0s\0h" in content)


@many
@given(ranges=damaged(['[ranges]\n"BTN opens, 6-max, 20 bb" = "99-66, AQs-ATs:0.5, KQs"\n']))
def test_own_ranges_that_are_damaged_are_refused_or_taken(tmp_path: pathlib.Path, ranges: str) -> None:
    path = tmp_path / "own.toml"
    path.write_text(ranges, encoding="utf-8", errors="surrogatepass")
    with told():
        check_session(study.read_text(study.EXAMPLE, ranges=path))


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A folder with the solution of the hand of the example."""
    folder = tmp_path_factory.mktemp("solved")
    study.solve(study.read_text(study.EXAMPLE, target=60), folder, progress=False)
    return folder


@settings(parent=many, max_examples=40)
@given(
    place=st.floats(0, 1),
    piece=st.binary(min_size=1, max_size=4),
    kind=st.sampled_from(["changed", "cut", "another spot", "another kind", "folder"]),
)
def test_solutions_that_are_damaged_or_of_others_are_skipped_with_a_warning(
    solved: pathlib.Path, saved: pathlib.Path, tmp_path: pathlib.Path, place: float, piece: bytes, kind: str
) -> None:
    [whole] = solved.glob("*.nrs")
    shutil.rmtree(tmp_path / "there", ignore_errors=True)
    there = tmp_path / "there" / whole.name
    there.parent.mkdir()
    content = whole.read_bytes()
    at = min(int(place * len(content)), len(content) - 1)
    match kind:
        case "changed":
            there.write_bytes(content[:at] + piece + content[at + len(piece) :])
        case "cut":
            there.write_bytes(content[:at])
        case "another spot":
            shutil.copy(saved / "river.nrs", there)
        case "another kind":
            there.write_bytes(piece * 100)
        case _:
            there.mkdir()
    session = study.read_text(study.EXAMPLE, target=60)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        with told():
            session = session.with_solutions(there.parent)
    check_session(session)
    is_solved = [decision.ev_loss_bb is not None for decision in session.decisions]
    assert all(is_solved) or not any(is_solved)
    if kind in ("another kind", "cut"):
        assert not any(is_solved) and whole.name in str(said[0].message)
    if kind == "another spot":
        assert not any(is_solved)


# Drills.

LINKS = ["seed=7&play=decisions&street=river&player=ip&hands=pair&line=bet+50", "?seed=18446744073709551615&hands=top+pair%7CAA", "player=oop&line=check%2C+bet+50"]


@settings(parent=many, max_examples=200)
@given(link=damaged(LINKS))
def test_links_that_are_damaged_are_refused_or_are_the_same_again(opened: nr.Solution, link: str) -> None:
    with told():
        drill = study.Drill(opened, link)
        again = study.Drill(opened, drill.settings)
        assert again.settings == drill.settings and again.link == drill.link == f"#/train/river?{drill.settings}"
        first, second = drill.question, again.question
        assert first is not None and second is not None
        assert (first.hole, first.line, first.board) == (second.hole, second.line, second.board)
        assert "<" in first._repr_html_()


@settings(parent=many, max_examples=60)
@given(place=st.floats(0, 1), byte=st.integers(0, 255))
def test_no_changed_byte_of_a_solution_aborts_a_drill(saved: pathlib.Path, tmp_path: pathlib.Path, place: float, byte: int) -> None:
    content = bytearray((saved / "river.nrs").read_bytes())
    content[min(int(place * len(content)), len(content) - 1)] = byte
    changed = tmp_path / "changed.nrs"
    changed.write_bytes(content)
    try:
        drill = study.Drill(changed, play="decisions")
        for _ in range(4):
            question = drill.question
            assert question is not None
            drill.answer(question.actions[-1])
    except nr.FileError as error:
        assert str(changed) in str(error)


@st.composite
def boxes(draw: st.DrawFn) -> str:
    """What `Review.to_json` writes, with values that are odd."""
    words = st.sampled_from(["river", "", "oop", "ip", "bet 50", "check, check", "QsQd", "AhAh", "jump", "Kc"]) | st.text(max_size=8)
    mistakes = st.sampled_from(["folded-too-much", "missed-bet", "called-too-wide", "luck"])
    numbers = st.integers(-1, 300) | st.sampled_from([2**64 - 1, 2**64, 10**12, 1.5])
    item = st.fixed_dictionaries(
        {"solution": words, "line": words, "player": words, "hole": words, "mistake": mistakes, "box": numbers, "due": numbers}
    )
    return json.dumps({"items": draw(st.lists(item, max_size=4))})


@settings(parent=many, max_examples=200)
@given(text=boxes() | damaged(['{"items":[{"solution":"river","line":"bet 50","player":"ip","hole":"QcQd","mistake":"folded-too-much","box":1,"due":0}]}']))
def test_boxes_that_are_damaged_are_refused_or_asked(opened: nr.Solution, text: str) -> None:
    with told():
        review = study.Review(text)
        assert study.Review(review.to_json()) == review and len(review) == len(review.items) == sum(review.boxes)
        assert all(1 <= item.box <= 5 for item in review.items)
        assert len(review.due(1e12)) <= len(review)
        drill = study.Drill.again(opened, review, now=1e12)
        while (question := drill.question) is not None:
            drill.answer(question.actions[0], now=1e12)


@settings(parent=many, max_examples=30)
@given(seed=st.integers(0, 1000), choices=st.lists(st.integers(0, 10) | anything, max_size=6))
def test_a_drill_goes_on_after_whatever_was_answered(opened: nr.Solution, seed: int, choices: list[Any]) -> None:
    drill = study.Drill(opened, seed=seed)
    answered = 0
    for choice in choices:
        question = drill.question
        assert question is not None and question.decision == answered
        with told():
            drill.answer(question.actions[choice % len(question.actions)] if isinstance(choice, int) else choice)
            answered += 1
    assert len(drill.answers) == drill.totals["decisions"] == answered


# Texas 42.


@settings(parent=many, max_examples=150)
@given(link=damaged(["seed=7&seat=1&decl=fives&worlds=20", "?seed=18446744073709551615&seat=3", "worlds=1000&decl=no-trump"]))
def test_links_of_domino_drills_are_refused_or_are_the_same_again(link: str) -> None:
    with told():
        drill = forty_two.DominoDrill(link)
        assert forty_two.DominoDrill(drill.settings).settings == drill.settings
        assert drill.link == f"#/forty-two/train?{drill.settings}" and repr(drill) == f"<DominoDrill {drill.settings}>"


@pytest.fixture(scope="module")
def dominoes() -> forty_two.DominoDrill:
    """A drill whose deal is solved, and that nobody answers."""
    return forty_two.DominoDrill(seed=3, seat=0, worlds=2)


@many
@given(domino=anything | damaged(["6-4", "7-7", "0-0"]))
def test_a_domino_drill_goes_on_after_whatever_was_played(dominoes: forty_two.DominoDrill, domino: Any) -> None:
    before = dominoes.question
    assume(domino not in before.legal if isinstance(domino, str) else True)
    with pytest.raises((nr.NoregretError, TypeError, ValueError)) as refused:
        dominoes.play(domino)
    assert str(refused.value)
    after = dominoes.question
    assert (after.decision, after.held, after.plays) == (before.decision, before.held, before.plays)


def test_a_drill_on_the_last_seeds_ends_with_them() -> None:
    last = 2**64 - 1
    drill = forty_two.DominoDrill(seed=last, worlds=2)
    while (question := drill.question).hand == 0:
        grade = drill.play(question.legal[0])
    # The hand after the last seed is that of the first.
    assert grade.over and question.hand == 1 and len(question.dealt) == 7
    asked = study.Drill(nr.solve(turn(), target=5, progress=False), seed=last, play="decisions")
    for _ in range(3):
        question_of_two = asked.question
        assert question_of_two is not None
        asked.answer(question_of_two.actions[0])
