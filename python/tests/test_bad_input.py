"""Whatever Python gives: an exception with a text, never an abort."""

from __future__ import annotations

import pathlib
import pickle
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import noregret as nr
from conftest import river, turn

SPOT: dict[str, Any] = dict(oop="AA,KK", ip="QQ,JTs", board="QsJh2h", pot=100, stack=300)


@pytest.mark.parametrize(
    ("change", "field", "text"),
    [
        ({"pot": 0}, "tree.starting_pot", "must be an amount above 0 and up to 1000000000, with at most two decimals"),
        ({"pot": 99.125}, "tree.starting_pot", "with at most two decimals, as in `starting_pot = 5.5`"),
        ({"stack": float("nan")}, "tree.effective_stack", "must be an amount above 0 and up to 1000000000"),
        ({"stack": 10**30}, "tree.effective_stack", "must be an amount above 0 and up to 1000000000"),
        ({"unit": "euro"}, "tree.unit", '`euro` is not a unit of amounts: write `unit = "chips"` or `unit = "bb"`'),
        ({"big_blind": -2}, "tree.big_blind", "must be a number of chips above 0, as in `big_blind = 2`"),
        ({"pot": 5.5, "big_blind": 2}, "tree.starting_pot", "`5.5` can be read as chips or as big blinds"),
        ({"oop": "AKx"}, "ranges.oop", "`AKx` is not a group of hands"),
        ({"oop": "QhQd", "ip": "QhQd"}, None, "the ranges cannot be dealt together"),
        ({"oop": np.full(1326, np.nan)}, "ranges.oop", "is not a weight: it must be a number from 0 to 1"),
        ({"oop": np.full(1326, -1.0)}, "ranges.oop", "2d2c: -1 is not a weight: it must be a number from 0 to 1"),
        ({"oop": np.zeros(1325)}, "ranges.oop", "a range has 1326 weights, not 1325"),
        ({"board": "QsJh"}, "board", "a board has 3 to 5 cards, not 2"),
        ({"board": "QsJhQs"}, "board", "the card Qs comes twice"),
        ({"bet": "5o"}, "bet_sizes.flop.oop_bet", "`5o`"),
        ({"rake_rate": 2.0}, "tree.rake_rate", "the rake is a share from 0 to 1"),
        ({"add": ["bet 50"]}, "tree.add[0].line", "`bet 50` is there already"),
        ({"remove": ["bet 7"]}, "tree.remove[0].line", "there is no `bet 7` at the root"),
        ({"locks": [{"line": "bet 50", "strategy": "jump"}]}, "locks[0].strategy", "`jump` is not an action"),
        ({"locks": [{"line": "bet 50", "strategy": {"fold": 0.5}}]}, "locks[0].strategy", "the frequencies add up to 0.5"),
        ({"locks": [{"line": "bet 50"}]}, "locks[0].strategy", "is missing"),
        ({"locks": [{"line": "bet 50", "strategy": "fold", "hands": "QQ:0.5"}]}, "locks[0].hands", "leave the weights out"),
        ({"locks": [{"line": "bet 50", "strategy": "fold", "change": {"fold": 0.1}}]}, "locks[0].change", "give `strategy` or `change`, not both"),
        ({"locks": [{"line": "bet 50", "change": {"fold": 0.1}, "by": "luck"}]}, None, "luck"),
    ],
)
def test_a_wrong_spot_names_the_field(change: dict[str, Any], field: str | None, text: str) -> None:
    with pytest.raises(nr.SpecError) as caught:
        nr.Spot(**(SPOT | change))
    assert text in str(caught.value) and caught.value.line is None
    if field is not None:
        assert caught.value.field == field


@pytest.mark.parametrize("change", [{"pot": "100"}, {"pot": None}, {"pot": True}, {"oop": 5}, {"board": 7}, {"bet": 5},
                                    {"bet": {"flop": 5}}, {"locks": 5}, {"locks": [5]}, {"add": 5}, {"oop": object()}])  # fmt: skip
def test_wrong_types_are_type_errors(change: dict[str, Any]) -> None:
    with pytest.raises((TypeError, nr.SpecError)):
        nr.Spot(**(SPOT | change))


def test_a_wrong_file_has_its_line(tmp_path: pathlib.Path, command: Callable[..., Any]) -> None:
    path = tmp_path / "spot.toml"
    path.write_text(river().to_toml().replace("starting_pot = 100", "starting_pot = 0"))
    with pytest.raises(nr.SpecError) as caught:
        nr.Spot.from_toml(path)
    assert caught.value.field == "tree.starting_pot" and caught.value.line == path.read_text().split("\n").index("starting_pot = 0") + 1
    assert str(caught.value) in command("solve", path, code=2)
    assert f"{path}:{caught.value.line}:" in str(caught.value), "the text has the line, too"
    none = tmp_path / "none.toml"
    with pytest.raises(nr.FileError) as missing:
        nr.Spot.from_toml(none)
    assert str(missing.value) in command("solve", none, code=2) and "cannot read the spec" in str(missing.value)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(nr.SpecError, match="this is not a text file"):
        nr.Spot.from_toml(path)


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"target": -1}, "target"),
        ({"target": float("nan")}, "target"),
        ({"max_iterations": 0}, "max_iterations"),
        ({"max_iterations": 2**40}, "max_iterations"),
        ({"threads": 0}, "threads"),
        ({"threads": 100_000}, "threads"),
        ({"algorithm": "magic"}, "algorithm"),
        ({"precision": "12/12"}, "precision"),
        ({"precision": "7bit"}, "precision"),
        ({"memory": "much"}, "memory"),
        ({"algorithm": "cfr+", "pruning": True}, "pruning"),
        ({"checkpoint_every": -1.0}, "checkpoint_every"),
    ],
)
def test_a_wrong_argument_of_a_solve_is_named(arguments: dict[str, Any], field: str) -> None:
    with pytest.raises(nr.SpecError) as caught:
        nr.solve(river(), progress=False, **arguments)
    assert caught.value.field == field


def test_what_does_not_fit_says_what_would(tmp_path: pathlib.Path, command: Callable[..., Any]) -> None:
    spot = nr.Spot("22+,A2+,K2s+", "22+,A2+,K2s+", "QsJh2h", pot=100, stack=900)
    with pytest.raises(nr.DoesNotFit, match="this spot needs .* of memory, and `memory` allows 1.0 MB") as caught:
        nr.solve(spot, memory="1MB", precision="32bit")
    assert isinstance(caught.value, MemoryError)
    spec = tmp_path / "spot.toml"
    spot.to_toml(spec)
    theirs = command("solve", spec, "--memory", "1MB", "--precision", "32", code=2)
    assert str(caught.value).replace("`memory` allows", "--memory allows") in theirs
    with pytest.raises(nr.DoesNotFit, match="no precision fits"):
        nr.solve(spot, memory="1MB", precision="auto")
    with pytest.raises(nr.DoesNotFit, match="the betting tree alone needs more memory than there is, as `memory` allows 1.0 kB"):
        nr.solve(spot, memory=1000)
    assert not spot.plan(memory="1MB", precision="32bit").fits


def test_lines_that_are_none_say_so(solution: nr.Solution) -> None:
    for line, text in [
        ("jump", "`jump` is not a step"),
        ("bet 7", "there is no `bet 7` at the root: there is `check`, `bet 50`"),
        ("check, check, 8c", "8c"),
    ]:
        with pytest.raises(nr.LineError) as caught:
            solution[line]
        assert text in str(caught.value) and isinstance(caught.value, LookupError)
    node = solution["check"]
    asks: list[Callable[[], object]] = [
        lambda: node.strategy("oop"),
        lambda: node.ev("button"),  # type: ignore[arg-type]
        lambda: node.hand("AhAh"),
    ]
    for ask in asks:
        with pytest.raises(ValueError):
            ask()
    with pytest.raises(KeyError, match="not in the range, or a card of the board blocks it"):
        node.hand("7c2d")
    with pytest.raises(KeyError):
        node.children["bet 7"]
    with pytest.raises(ValueError, match="nobody acts here"):
        solution["check, check"].strategy()


def test_damaged_files_are_refused(tmp_path: pathlib.Path, solution: nr.Solution) -> None:
    path = tmp_path / "spot.nrs"
    with pytest.raises(nr.FileError, match="there is no solution file"):
        nr.open(path)
    with pytest.raises(nr.FileError, match="`http://` is not read or written: give a path, or a URL with `s3://`"):
        nr.open("http://spots/spot.nrs")
    with pytest.raises(nr.FileError, match="the bucket is missing: write `s3://BUCKET/NAME`"):
        solution.save("s3://")
    # What a killed program left of this file is removed.
    part = tmp_path / ".spot.nrs.AbCd12.part"
    part.write_bytes(b"half")
    solution.save(path)
    assert not part.exists()
    whole = path.read_bytes()
    for bytes_ in [b"", whole[:100], whole[: len(whole) // 2], b"x" * 1000, whole[:20] + b"?" + whole[21:]]:
        path.write_bytes(bytes_)
        with pytest.raises(nr.FileError):
            nr.open(path)["check"].ev("ip")
    with pytest.raises(nr.FileError, match="cannot write"):
        solution.save(tmp_path / "no" / "such" / "folder.nrs")
    with pytest.raises((ValueError, nr.SpecError)):
        solution.save(path, streets="flop")
    with pytest.raises(nr.FileError):
        nr.solve(river(), resume=tmp_path / "none.nrc", progress=False)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.floats(0, 1), byte=st.integers(0, 255))
def test_no_changed_byte_of_a_file_aborts(tmp_path: pathlib.Path, place: float, byte: int) -> None:
    path = tmp_path / "spot.nrs"
    if not path.exists():
        nr.solve(river(), target=5, progress=False).save(path)
    whole = bytearray(path.read_bytes())
    whole[min(int(place * len(whole)), len(whole) - 1)] = byte
    changed = tmp_path / "changed.nrs"
    changed.write_bytes(whole)
    try:
        nr.open(changed)["check"].ev("ip")
    except nr.NoregretError:
        pass


def test_states_that_are_none_are_refused(table: nr.forty_two.Table) -> None:
    start = table.state()
    for states, text in [([-1], "state number 0 of the list: state -1 has bits outside"), ([start, 3], "state number 1 of the list")]:
        with pytest.raises(nr.StateError) as caught:
            table.q(states)
        assert text in str(caught.value)
    for wrong in [np.zeros(3), np.zeros((2, 2), np.int64), ["x"], [1.5], pa.array([1, None]), pa.array([1.5]), object(), 5]:
        with pytest.raises((TypeError, ValueError)):
            table.q(wrong)
    some = np.array([start])
    locked = np.zeros((1, 7), np.int8)
    locked.flags.writeable = False
    for out in [np.zeros((1, 6), np.int8), np.zeros((2, 7), np.int8), np.zeros((1, 7)), np.zeros(7, np.int8), locked, "x"]:
        with pytest.raises(TypeError, match="out: must be a writable array of int8"):
            table.q(some, out=out)  # type: ignore[arg-type]
    with pytest.raises(nr.SpecError, match="unknown layout `x`: use scored or to-go"):
        table.q(some, layout="x")  # type: ignore[arg-type]


def test_wrong_requests_about_dominoes_say_so(tmp_path: pathlib.Path, table: nr.forty_two.Table) -> None:
    ft = nr.forty_two
    hand = "6-6 6-5 6-4 5-5 4-4 1-0 2-0"
    wrong: list[tuple[Callable[[], object], str]] = [
        (lambda: ft.solve(seed=0, decl="hearts"), "hearts"),
        (lambda: ft.solve(seed=0, decl=10), "10"),
        (lambda: ft.Deal("1-0 | 2-0"), "a deal is four hands"),
        (lambda: ft.expect(hand="6-6", decl="sixes"), "the hand has 1 dominoes"),
        (lambda: ft.expect(hand=hand, decl="sixes", plays="7-7"), "`7-7` is not a domino"),
        (lambda: ft.expect(hand=hand, decl="sixes", plays="6-6 6-5"), "play 1: seat 0 cannot play 6-6"),
        (lambda: ft.expect(hand=hand, decl="sixes", worlds=0), "worlds: must be a whole number from 1"),
        (lambda: ft.expect(hand=hand, decl="sixes", error=-1.0), "must be a number above 0"),
        (lambda: table.sample(5, levels="9"), "level 9 is out of range"),
        (lambda: table.state("6-6 6-6"), "was played before"),
        (lambda: ft.open(tmp_path / "none.n42"), "cannot read"),
        (lambda: ft.open(b"nonsense"), ""),
        (lambda: ft.Tables(tmp_path), "there is no .n42 file"),
        (lambda: ft.Tables("ftp://tables/train"), "`ftp://` is not read or written"),
    ]
    for ask, text in wrong:
        with pytest.raises(nr.NoregretError) as caught:
            ask()
        assert text in str(caught.value)
    with pytest.raises(TypeError):
        ft.solve(decl="blanks")
    with pytest.raises(nr.SpecError, match="seed: must be a whole number from 0 to 18446744073709551615"):
        ft.solve(seed=-1, decl="blanks")


texts = st.text(max_size=20) | st.sampled_from(["AA", "QsJh2h", "50%", "check", "bet 50", "blanks"])
arrays = st.sampled_from([
    np.zeros(3), np.zeros((2, 7), np.int8), np.zeros(1326), np.zeros((2, 2), np.int64), np.array(["AA"]), np.array([None]), np.int64(5), np.float32(0.5),
    np.bool_(True), np.empty(0), np.array(5),
])  # fmt: skip
anything = (
    arrays | st.none() | st.booleans() | st.integers() | st.floats() | texts | st.binary(max_size=8)
    | st.lists(st.integers() | st.floats() | texts, max_size=4) | st.dictionaries(texts, st.floats() | texts, max_size=3)
)  # fmt: skip

# After four tricks few deals are left: at the opening, a small error takes all the deals that may be drawn for it.
PLAYED = "6-6 6-3 6-2 6-1  6-5 6-0 1-1 2-1  6-4 3-0 4-2 5-0  5-5 5-4 5-3 5-2"

CALLS: dict[str, Callable[..., object]] = {
    "Spot": lambda a, b, c: nr.Spot(a, "KK", "QsJh2h", pot=b, stack=c),
    "Spot.board": lambda a, b, c: nr.Spot("AA", "KK", a, pot=100, stack=100, bet=b, raise_=c),
    "Spot.rest": lambda a, b, c: nr.Spot("AA", "KK", "QsJh2h", pot=100, stack=100, rake_rate=a, donk=b, merging_threshold=c),
    "Spot.edits": lambda a, b, c: nr.Spot("AA", "KK", "QsJh2h", pot=100, stack=100, add=a, remove=b, locks=c),
    "Spot.from_text": lambda a, b, c: nr.Spot.from_text(a),
    "Spot.lock": lambda a, b, c: river().lock(a, b, c),
    "Spot.plan": lambda a, b, c: river().plan(precision=a, threads=b, memory=c),
    "Spot.more": lambda a, b, c: [river().add_line(a), river().remove_line(b), river().on(c)],
    "Spot.with_locks": lambda a, b, c: river().with_locks(a).actions(b),
    "Spot.from_toml": lambda a, b, c: nr.Spot.from_toml(a),
    "Range": lambda a, b, c: nr.Range(a),
    "Range[]": lambda a, b, c: nr.Range("AA")[a],
    "Board": lambda a, b, c: nr.Board(a),
    "Solver": lambda a, b, c: nr.Solver(river(), target=a, max_iterations=b, algorithm=c),
    "Solver.more": lambda a, b, c: nr.Solver(river(), precision=a, memory=b, resume=c),
    "Solver.run": lambda a, b, c: next(nr.Solver(river(), threads=1).run(a, b)),
    "solve": lambda a, b, c: nr.solve(river(), target=a, threads=b, warm_start=c, progress=False, callback=lambda step: False),
    "solve.more": lambda a, b, c: nr.solve(river(), pruning=a, checkpoint_every=b, progress=c, callback=lambda step: False),
    "flops": lambda a, b, c: nr.flops(a, b),
    "flops of a spot": lambda a, b, c: nr.flops(river().on("QsJh2h"), a if not isinstance(a, int) or a < 2 else 2),
    "batch": lambda a, b, c: next(nr.batch(a, b, c)),
    "open": lambda a, b, c: nr.open(a),
    "report": lambda a, b, c: nr.report(a, b),
    "equity": lambda a, b, c: nr.equity(a, b, c),
    "compare": lambda a, b, c: nr.compare(river(), algorithms=a, precisions=b, target=c),
    "Deal": lambda a, b, c: nr.forty_two.Deal(a),
    "solve 42": lambda a, b, c: nr.forty_two.solve(deal=a, decl=b),
    "expect": lambda a, b, c: nr.forty_two.expect(hand=a, decl=b, plays=c),
    "expect.more": lambda a, b, c: nr.forty_two.expect(
        hand="6-6 6-5 6-4 5-5 4-4 1-0 2-0", decl="sixes", plays=PLAYED, error=a, seed=b, threads=c, worlds=2
    ),
    "Tables": lambda a, b, c: nr.forty_two.Tables(a),
}


@pytest.mark.parametrize("name", CALLS)
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(a=anything, b=anything, c=anything)
def test_nothing_that_python_gives_aborts(elsewhere: None, name: str, a: object, b: object, c: object) -> None:
    try:
        CALLS[name](a, b, c)
    except (nr.NoregretError, TypeError, ValueError, OverflowError, KeyError):
        pass


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(a=anything, b=anything, c=anything)
def test_nothing_asked_of_a_solution_or_a_table_aborts(
    solution: nr.Solution, table: nr.forty_two.Table, elsewhere: None, a: Any, b: Any, c: Any
) -> None:
    node = solution["check"]
    asks: list[Callable[[], object]] = [
        lambda: solution[a], lambda: solution.ev(a), lambda: node[a], lambda: node.hand(a, b), lambda: node.strategy(a),
        lambda: node.children[a], lambda: node.hands(a)[b], lambda: solution.root.hands()[a], lambda: table.q(a, layout=b, out=c),
        lambda: table.values(a), lambda: table.state(a, layout=b), lambda: table.position(a, plays=b, layout=c),
        lambda: table.sample(3, levels=a, layout=b, balance=c), lambda: nr.forty_two.open(a), lambda: table.sample(3, seed=a),
        lambda: node.stack(a), lambda: node.mean_ev(a), lambda: node.equity(a), lambda: node.reach(a), lambda: node.action_evs(a),
        lambda: a in node.children, lambda: solution.equity(a), lambda: solution.save(a, streets=b), lambda: table.save(a),
        lambda: solution.export(a, line=b, street=c), lambda: table.save_rows(a, layout=b), lambda: nr.report(solution, a).save(b),
    ]  # fmt: skip
    for ask in asks:
        try:
            ask()
        except (nr.NoregretError, TypeError, ValueError, OverflowError, KeyError, IndexError):
            pass


def test_a_solver_that_is_not_ready_says_so() -> None:
    solver = nr.Solver(turn())
    with pytest.raises(RuntimeError, match=r"nothing is solved yet: call run\(\)"):
        solver.solution
    run = solver.run(target=0)
    with pytest.raises(RuntimeError, match="the solve is running"):
        solver.run()
    next(run)
    run.close()
    assert solver.solution.iterations > 0 and list(run) == []


@settings(max_examples=60, deadline=None)
@given(name=st.sampled_from(["size", "shuffle", "seed", "per_table", "mix", "epochs", "start", "rank", "world_size", "threads", "levels",
                             "balance", "layout"]), value=anything)  # fmt: skip
def test_nothing_asked_of_a_training_source_aborts(tables: nr.forty_two.Tables, name: str, value: Any) -> None:
    try:
        batches = tables.batches(**({"size": 8, "per_table": 16, "threads": 1} | {name: value}))
        assert len(next(batches).states) > 0
    except (nr.NoregretError, TypeError, ValueError, OverflowError, StopIteration):
        pass


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> nr.forty_two.Tables:
    folder = tmp_path_factory.mktemp("tables")
    nr.forty_two.solve(seed=511, decl="sixes").save(folder / "511.n42")
    return nr.forty_two.Tables(folder)


def test_what_does_not_fit_into_memory_is_refused_before_it_is_tried(table: nr.forty_two.Table, tables: nr.forty_two.Tables) -> None:
    asks: list[tuple[str, Callable[[], object]]] = [
        ("count", lambda: table.sample(10**15)),
        ("per_table", lambda: tables.batches(64, per_table=10**15)),
        ("per_table", lambda: tables.batches(64, mix=2**62)),
        ("size", lambda: tables.batches(2**62)),
    ]
    for field, ask in asks:
        with pytest.raises(nr.DoesNotFit, match=f"{field}: [0-9]+ positions need .* of memory, and .* is free"):
            ask()


def test_a_damaged_table_ends_a_training_source(tmp_path: pathlib.Path, table: nr.forty_two.Table) -> None:
    table.save(tmp_path / "0.n42")
    (tmp_path / "1.n42").write_bytes(table.to_bytes()[:-1])
    batches = nr.forty_two.Tables(tmp_path).batches(64, per_table=64, shuffle=False)
    assert len(next(batches)) == 64
    for _ in range(2):
        with pytest.raises(nr.FileError, match="1.n42"):
            next(batches)


def test_files_that_are_closed_gone_or_no_paths_are_refused(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "spot.nrs"
    nr.solve(turn(), target=5, progress=False).save(path)
    with path.open("rb") as file:
        pass
    for thing in [file, 5, None, b"spot.nrs\0", object()]:
        with pytest.raises((TypeError, nr.FileError)):
            nr.open(thing)  # type: ignore[arg-type]
    gone = nr.open(path)
    path.write_bytes(b"")
    with pytest.raises(nr.FileError):
        gone["check, check, Th"].ev("ip")
    with pytest.raises(nr.FileError):
        pickle.dumps(nr.open(tmp_path / "none.nrs"))


def test_nothing_is_written_over_that_is_something_else(tmp_path: pathlib.Path) -> None:
    solution = nr.solve(river(), target=5, progress=False)
    table = nr.forty_two.solve(seed=511, decl="sixes")
    report = nr.report([solution])
    ways: list[tuple[str, str, Callable[..., object]]] = [
        ("spot.nrs", "a solution", solution.save),
        ("rows.parquet", "a Parquet file", solution.export),
        ("rows.csv", "a CSV file of noregret", solution.export),
        ("rows.json", "a JSON file of noregret", solution.export),
        ("page.html", "an HTML report of noregret", report.save),
        ("report.csv", "a CSV file of noregret", report.save),
        ("511.n42", "a Texas 42 table", table.save),
        ("511.parquet", "a Parquet file", table.save_rows),
        ("spot.toml", "a spec", river().to_toml),
    ]
    for name, kind, write in ways:
        path = tmp_path / name
        path.write_text("what a person wrote\n")
        message = f"{path}: there is a file that is not {kind}, and it would be lost: choose another name, or force=True"
        with pytest.raises(nr.FileError, match=f"^{re.escape(message)}$"):
            write(path)
        assert path.read_text() == "what a person wrote\n"
        write(path, force=True)
        # One of its own kind may be replaced.
        write(path)
    others: list[tuple[str, str, Callable[..., object]]] = [
        ("spot.txt", "a solution ends in `.nrs`", solution.save),
        ("511.parquet.bak", "a Texas 42 table ends in `.n42`", table.save),
        ("rows.n42", "a Parquet file ends in `.parquet`", table.save_rows),
        ("spot", "a spec ends in `.toml`", river().to_toml),
    ]
    for name, ending, write in others:
        with pytest.raises(nr.FileError, match=re.escape(f"{ending}: give it that ending, or force=True")):
            write(tmp_path / name)
        assert not (tmp_path / name).exists()
    notes = tmp_path / "notes.nrc"
    notes.write_text("what a person wrote\n")
    with pytest.raises(nr.FileError, match="there is a file that is not a checkpoint, and it would be lost: choose another name$"):
        nr.Solver(river(), checkpoint=notes)
    folder = tmp_path / "solved"
    folder.mkdir()
    (folder / "batch.tsv").write_text("what a person wrote\n")
    flop = nr.Spot("AA,KK", "QQ,JJ", "Ts7h2c", pot=100, stack=100, bet="a", raise_="")
    with pytest.raises(nr.FileError, match="is not a list of a batch: move it away"):
        next(nr.batch(flop, ["Ts7h2c"], folder, progress=False))


def test_what_is_being_read_is_not_written_over(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "spot.nrs"
    nr.solve(river(), target=5, progress=False).save(path)
    before = path.read_bytes()
    link = tmp_path / "rows.csv"
    link.symlink_to(path)
    with pytest.raises(nr.FileError, match="that is being read, and it would be lost: choose another name, or force=True"):
        nr.open(path).export(link)
    assert path.read_bytes() == before
    # The same bytes again lose nothing.
    nr.open(path).save(path)
    assert path.read_bytes() == before


def test_a_wrong_spec_says_what_to_do(tmp_path: pathlib.Path, command: Callable[..., Any]) -> None:
    path = tmp_path / "spot.toml"
    path.write_text(river().to_toml().replace("starting_pot = 100", "starting_pots = 100"))
    with pytest.raises(nr.SpecError) as caught:
        nr.Spot.from_toml(path)
    assert caught.value.help and caught.value.help in str(caught.value) and str(caught.value) in command("solve", path, code=2)
    with pytest.raises(nr.SpecError) as caught:
        nr.Spot.from_text(path.read_text())
    assert caught.value.help and caught.value.help in str(caught.value) and "the text:" in str(caught.value)


def test_texts_about_files_are_those_of_the_command_line(tmp_path: pathlib.Path, command: Callable[..., Any], solution: nr.Solution) -> None:
    path, none = tmp_path / "spot.nrs", tmp_path / "none.nrs"
    with pytest.raises(FileNotFoundError) as missing:
        nr.open(none)
    assert isinstance(missing.value, nr.FileError) and missing.value.errno == 2 and missing.value.filename == str(none)
    assert str(missing.value) in command("inspect", none, code=2)
    solution.save(path)
    opened = nr.open(path)
    for line in ["bet 7", "jump", "check, check, 8c"]:
        with pytest.raises(nr.LineError) as caught:
            opened[line]
        assert str(caught.value) in command("inspect", path, "--line", line, code=2)
        assert str(caught.value).startswith(f"{path}: ") == (line != "jump"), "a text that is no line is none of the file's"
    spec = tmp_path / "spot.toml"
    turn().to_toml(spec)
    whole = path.read_bytes()
    for damaged in [b"", whole[:100], whole[: len(whole) // 2], b"x" * 1000, whole[:20] + b"?" + whole[21:]]:
        path.write_bytes(damaged)
        with pytest.raises(nr.FileError) as refused:
            nr.open(path)
        assert str(refused.value) in command("inspect", path, code=1) and refused.value.filename == str(path)
        with pytest.raises(nr.FileError) as refused:
            nr.solve(turn(), resume=path, progress=False)
        assert str(refused.value) in command("solve", spec, "--resume", path, code=1)
    with pytest.raises(nr.SpecError) as wrong:
        nr.solve(river(), checkpoint_every=-1.0)
    text = command("solve", spec, "--checkpoint", tmp_path / "spot.nrc", "--checkpoint-every", "-1", code=2)
    assert str(wrong.value).removeprefix("checkpoint_every: ") in text
    with pytest.raises(nr.FileError) as refused:
        solution.save(tmp_path / "no" / "such" / "folder.nrs")
    assert isinstance(refused.value, FileNotFoundError) and refused.value.errno == 2


def test_a_hand_that_is_not_there_is_named_without_quotes(solution: nr.Solution) -> None:
    with pytest.raises(nr.HandError) as caught:
        solution["check"].hand("7c2d")
    assert isinstance(caught.value, KeyError) and str(caught.value).startswith("7c2d is not in the range")
