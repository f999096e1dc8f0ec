"""Texas 42: tables, look-ups, samples, expectations and training batches."""

from __future__ import annotations

import os
import pathlib
import random
import sys
import time
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noregret import forty_two


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=50, deadline=None)
def test_seeds_deal_as_python_does(seed: int) -> None:
    pack = list(range(28))
    random.Random(seed).shuffle(pack)
    assert forty_two.Deal(seed).numbers == [sorted(pack[7 * seat : 7 * seat + 7]) for seat in range(4)]


def test_samples_have_the_values_of_look_ups(table: forty_two.Table) -> None:
    for layout in ["to-go", "scored"]:
        samples = table.sample(5000, seed=2, layout=layout)  # type: ignore[arg-type]
        states, q = samples
        np.testing.assert_array_equal(table.q(states, layout=layout), q)  # type: ignore[arg-type]
        np.testing.assert_array_equal(table.values(states, layout=layout), samples.values)  # type: ignore[arg-type]
        legal = q != forty_two.NOT_LEGAL
        assert legal.any(axis=1).all()
        best = np.where(legal, q, -127).max(axis=1)
        worst = np.where(legal, q, 127).min(axis=1)
        assert ((samples.values == best) | (samples.values == worst)).all()
    np.testing.assert_array_equal(table.sample(100, seed=5).states, table.sample(100, seed=5).states)
    assert (table.sample(100, seed=5).states != table.sample(100, seed=6).states).any()


def test_levels_are_kept_and_balanced(table: forty_two.Table) -> None:
    states = table.sample(700, seed=1, levels="2..=4", balance=True).states
    leader_shift, held = 28, np.zeros(len(states), np.int64)
    plays = states >> (leader_shift + 2) & 3
    for seat in range(4):
        held = held + np.array([bin(int(mask)).count("1") for mask in states >> 7 * seat & 127])
    tricks = (held + plays) // 4
    counts = {int(level): int((tricks == level).sum()) for level in np.unique(tricks)}
    assert set(counts) == {2, 3, 4} and max(counts.values()) - min(counts.values()) <= 1


def test_an_expectation_counts_all_deals_where_there_are_few() -> None:
    plays = "6-6 6-3 6-2 6-1  6-5 6-0 1-1 2-1  6-4 3-0 4-2 5-0  5-5 5-4 5-3 5-2  4-4 4-3 4-1 4-0"
    found = forty_two.expect(hand="6-6 6-5 6-4 5-5 4-4 1-0 2-0", decl="sixes", plays=plays, worlds=100_000)
    assert found.exact and found.worlds == found.possible and len(found.moves) == 2
    for move in found.moves:
        assert move.standard_error == 0 and int(move.deals.sum()) == found.worlds
        assert move.mean == pytest.approx(2 * (move.deals * np.arange(43)).sum() / found.worlds - 42)
        seen, low, high = move.chance(42)
        assert seen == low == high


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    folder = tmp_path_factory.mktemp("tables")
    for seed in range(6):
        decl = seed % 10
        forty_two.solve(seed=seed, decl=decl).save(folder / f"seed_{seed:08}_decl_{decl}.n42")
    return folder


def rows(batches: forty_two.Batches) -> np.ndarray:
    parts = [(batch.states, batch.dominoes[:, 0].astype(np.int64), batch.decls.astype(np.int64)) for batch in batches]
    return np.concatenate([np.stack(part, axis=1) for part in parts])


def test_batches_have_the_values_of_their_tables(folder: pathlib.Path) -> None:
    tables = {path.name: forty_two.open(path) for path in folder.iterdir()}
    by_decl = {table.decl_id: table for table in tables.values()}
    seen = 0
    for batch in forty_two.Tables(folder).batches(500, seed=3, per_table=1000, mix=3):
        for decl in np.unique(batch.decls):
            mine, table = batch.decls == decl, by_decl[int(decl)]
            np.testing.assert_array_equal(table.q(batch.states[mine]), batch.q[mine])
            np.testing.assert_array_equal(table.values(batch.states[mine]), batch.values[mine])
            assert (batch.dominoes[mine] == np.concatenate(table.deal.numbers)).all()
        seen += len(batch)
    assert seen == 6000


def test_the_order_depends_on_the_seed_alone(folder: pathlib.Path) -> None:
    tables = forty_two.Tables(folder)
    first = rows(tables.batches(300, seed=1, per_table=400, mix=2, threads=1))
    np.testing.assert_array_equal(first, rows(tables.batches(300, seed=1, per_table=400, mix=2, threads=3)))
    np.testing.assert_array_equal(first, rows(tables.batches(77, seed=1, per_table=400, mix=2)))
    assert (first != rows(tables.batches(300, seed=2, per_table=400, mix=2))).any()
    plain = rows(tables.batches(300, shuffle=False, seed=1, per_table=400))
    assert (np.diff(plain[:, 2]) >= 0).all(), "tables in order"


@pytest.mark.parametrize("start", [0, 1, 3, 7, 8])
def test_an_order_is_taken_up_at_a_step(folder: pathlib.Path, start: int) -> None:
    tables = forty_two.Tables(folder)
    whole = list(tables.batches(300, seed=1, per_table=400, mix=2))
    batches = tables.batches(300, seed=1, per_table=400, mix=2, start=start)
    assert len(batches) == len(whole) - start and batches.step == start
    rest = list(batches)
    assert [batch.step for batch in rest] == list(range(start, len(whole)))
    for one, other in zip(rest, whole[start:]):
        np.testing.assert_array_equal(one.states, other.states)


def test_workers_have_tables_of_their_own(folder: pathlib.Path) -> None:
    tables = forty_two.Tables(folder)
    parts = [rows(tables.batches(100, seed=1, per_table=200, rank=rank, world_size=3)) for rank in range(3)]
    decls = [set(part[:, 2].tolist()) for part in parts]
    assert all(len(own) == 2 for own in decls) and set.union(*decls) == set(range(6))
    assert sum(len(part) for part in parts) == 1200


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_a_source_that_is_left_ends_its_threads(folder: pathlib.Path) -> None:
    before = len(os.listdir("/proc/self/task"))
    for _ in range(5):
        next(iter(forty_two.Tables(folder).batches(64, seed=1, per_table=100, mix=1)))
    for _ in range(600):
        if len(os.listdir("/proc/self/task")) <= before:
            return
        time.sleep(0.1)
    raise AssertionError("threads are left")


def test_rows_are_those_of_the_command_line(tmp_path: pathlib.Path, command, table: forty_two.Table) -> None:  # type: ignore[no-untyped-def]
    import polars as pl

    command("forty-two", "sample", "--seeds", "0..1", "--decls", "blanks", "--per-table", "200", "--out", tmp_path, "--layout", "to-go", "--seed", "7")
    frame = pl.read_parquet(tmp_path / "*.parquet")
    samples = table.sample(200, seed=7)
    np.testing.assert_array_equal(frame["state"].to_numpy(), samples.states)
    np.testing.assert_array_equal(frame.select([f"q{i}" for i in range(7)]).to_numpy(), samples.q)


def test_declarations_are_those_of_the_program() -> None:
    names = [forty_two.solve(seed=0, decl=number).decl for number in range(len(forty_two.DECLARATIONS))]
    assert tuple(names) == forty_two.DECLARATIONS
    with pytest.raises(ValueError):
        forty_two.solve(seed=0, decl=len(names))


def test_values_are_not_put_where_rows_are_not_one_after_the_other(table: forty_two.Table) -> None:
    states, q = table.sample(100, seed=4)
    wrong = [np.zeros((100, 7), np.int8, order="F"), np.zeros((100, 8), np.int8)[:, :7], np.zeros((200, 7), np.int8)[::2], np.empty_like(q)]
    for out in wrong:
        with pytest.raises(TypeError, match=r"shape \(100, 7\) and its rows one after the other \(C order\)"):
            table.q(states, out=out)
        assert not np.array_equal(out, q)
    out = np.zeros((100, 7), np.int8)
    np.testing.assert_array_equal(table.q(states, out=out), q)
    assert q.flags.f_contiguous and np.ascontiguousarray(q).flags.c_contiguous


def test_an_array_that_is_being_written_to_is_refused(table: forty_two.Table) -> None:
    import threading

    import noregret as nr

    count = 2_000_000
    memory = np.zeros(7 * count, np.int8)
    states = np.tile(table.sample(100_000, seed=1).states, count // 100_000)
    thread = threading.Thread(target=lambda: table.q(states, out=memory.reshape(count, 7)))
    thread.start()
    refused = set()
    while thread.is_alive():
        for place in ["states", "range"]:
            try:
                table.q(memory[:80].view(np.int64)) if place == "states" else nr.Range(memory[: 8 * 1326].view(np.float64))
            except ValueError as error:
                refused.add(str(error).split(":")[1] if "another call writes" in str(error) else "")
    thread.join()
    assert " another call writes to this array" in refused


def test_no_sample_is_an_array_without_rows(table: forty_two.Table) -> None:
    samples = table.sample(0)
    assert samples.q.shape == (0, 7) and samples.states.shape == (0,) and len(samples) == 0


def test_numbers_below_their_least_are_named(folder: pathlib.Path, table: forty_two.Table) -> None:
    from noregret import SpecError

    tables = forty_two.Tables(folder)
    asks: dict[str, list[Callable[[], object]]] = {
        "seed": [lambda: forty_two.solve(seed=-1, decl="blanks"), lambda: table.sample(1, seed=-1), lambda: tables.batches(8, seed=2**64)],
        "count": [lambda: table.sample(-1)],
        "size": [lambda: tables.batches(-1), lambda: tables.batches(0)],
        "opponents": [lambda: forty_two.Deal(0, opponents=-1), lambda: forty_two.solve(seed=0, decl=0, opponents=-1)],
        "worlds": [lambda: forty_two.expect(hand="6-6 6-5 6-4 5-5 4-4 1-0 2-0", decl="sixes", worlds=-1)],
        "world_size": [lambda: tables.batches(8, world_size=0)],
    }
    for field, wrong in asks.items():
        for ask in wrong:
            with pytest.raises(SpecError, match=f"^{field}: must be a whole number from [01] to 18446744073709551615$") as caught:
                ask()
            assert caught.value.field == field


def test_workers_have_equal_shares_only_of_tables_that_divide(folder: pathlib.Path) -> None:
    tables = forty_two.Tables(sorted(folder.iterdir())[:5])
    lengths = [len(tables.batches(100, per_table=200, rank=rank, world_size=2)) for rank in range(2)]
    assert lengths == [6, 4], "as the guide says"
    even = [len(tables.batches(100, per_table=200, epochs=2, rank=rank, world_size=2)) for rank in range(2)]
    assert even == [10, 10]
