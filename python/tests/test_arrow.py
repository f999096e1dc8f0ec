"""Arrow out, without pyarrow in between and without copies of the numbers; Arrow in."""

from __future__ import annotations

import gc
import pathlib
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import noregret as nr
from conftest import river, turn


@pytest.fixture(scope="module")
def sources(solution: nr.Solution, table: nr.forty_two.Table) -> dict[str, Any]:
    return {
        "node": solution["check"],
        "hands": solution["check"].hands(nr.IP),
        "report": nr.report(solution, "check, check, *"),
        "comparison": nr.compare(river(), precisions=["32/32", "8/16"], target=1),
        "samples": table.sample(100, seed=1),
    }


@pytest.mark.parametrize("name", ["node", "hands", "report", "comparison", "samples"])
def test_each_library_takes_each_table_in_one_call(sources: dict[str, Any], name: str) -> None:
    source = sources[name]
    arrow = pa.table(source)
    frame = pl.DataFrame(source)
    assert arrow.num_rows == frame.height > 0 and arrow.column_names == frame.columns
    assert duckdb.sql("select count(*) from source").fetchall() == [(arrow.num_rows,)]
    pandas = pd.DataFrame.from_arrow(source)
    assert list(pandas.columns) == arrow.column_names and len(pandas) == arrow.num_rows


def test_a_node_has_a_row_for_each_hand_of_both_players(solution: nr.Solution) -> None:
    node = solution["check"]
    frame = pl.DataFrame(node)
    assert frame.height == len(node.hands("oop")) + len(node.hands("ip"))
    mine = frame.filter(pl.col("player") == "ip")
    np.testing.assert_array_equal(mine["ev"].to_numpy(), node.ev("ip"))
    assert mine["bet 50"].dtype == pl.Float32
    np.testing.assert_array_equal(mine["bet 50"].to_numpy(), node.strategy("ip")[:, 1])
    assert frame.filter(pl.col("player") == "oop")["bet 50"].is_null().all()
    assert mine["hand"].to_list() == [hand.cards for hand in node.hands("ip")]


def address(table: pa.Table, column: str) -> int:
    """Where the numbers of a column are in memory."""
    array = table[column].chunk(0)
    return int(array.buffers()[1].address + array.offset * array.type.bit_width // 8)


def pointer(array: np.ndarray) -> int:
    return int(array.__array_interface__["data"][0])


def test_arrow_shares_the_numbers_of_a_node(solution: nr.Solution) -> None:
    node = solution["check"]
    first, second = pa.table(node), pa.table(node)
    hands, both = pa.table(node.hands(nr.IP)), len(node.hands(nr.OOP))
    for name in ["reach", "share", "ev", "equity", "check", "bet 50", "bet 50: ev"]:
        assert address(first, name) == address(second, name) == address(pl.DataFrame(node).to_arrow(), name)
        size = first[name].type.bit_width // 8
        assert address(hands, name) == address(first, name) + size * both, "hands are a part of the same table"
    values = first["ev"].chunk(0).to_numpy(zero_copy_only=False)
    expected = values.copy()
    del node, first, second, hands
    gc.collect()
    np.testing.assert_array_equal(values, expected, "the buffers outlive the node")


def test_numpy_shares_them_with_arrow(solution: nr.Solution) -> None:
    node = solution["check"]
    table = pa.table(node)
    before = {nr.OOP: 0, nr.IP: len(node.hands(nr.OOP))}
    for player, start in before.items():
        for name, array in [
            ("reach", node.reach(player)), ("share", node.share(player)), ("ev", node.ev(player)), ("equity", node.equity(player)),
        ]:  # fmt: skip
            assert pointer(array) == address(table, name) + 8 * start
    strategy, evs, start = node.strategy(), node.action_evs(), before[nr.IP]
    assert strategy.dtype == np.float32 and evs.dtype == np.float64
    for number, action in enumerate(node.actions):
        assert pointer(strategy[:, number]) == address(table, str(action)) + 4 * start
        assert pointer(evs[:, number]) == address(table, f"{action}: ev") + 8 * start
    assert pointer(node.strategy()) == pointer(strategy) and pointer(node.ev(nr.IP)) == pointer(node.ev())


def test_arrays_of_a_node_cannot_be_written_to_and_outlive_it() -> None:
    node = nr.solve(river(), target=1, progress=False)["check"]
    arrays: list[np.ndarray[Any, Any]] = [node.strategy(), node.action_evs(), node.ev("oop"), node.equity("ip"), node.reach(), node.share()]
    for array in arrays:
        assert not array.flags.writeable and not array.flags.owndata
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    expected = [array.copy() for array in arrays]
    del node
    gc.collect()
    for array, before in zip(arrays, expected):
        np.testing.assert_array_equal(array, before)


def test_samples_are_views_too(table: nr.forty_two.Table) -> None:
    samples = table.sample(1000, seed=1)
    rows = pa.table(samples)
    assert pointer(samples.states) == address(rows, "state") and pointer(samples.values) == address(rows, "V")
    states, q = samples
    assert pointer(states) == pointer(samples.states) and pointer(q) == pointer(samples.q)
    for move in range(7):
        assert pointer(q[:, move]) == address(rows, f"q{move}")
    expected = q.copy()
    del samples, rows
    gc.collect()
    np.testing.assert_array_equal(q, expected)
    assert not q.flags.writeable and states.dtype == np.int64 and q.dtype == np.int8


def test_batches_are_the_callers_own(tmp_path: pathlib.Path, table: nr.forty_two.Table) -> None:
    table.save(tmp_path / "0.n42")
    batch = next(nr.forty_two.Tables(tmp_path).batches(64, per_table=64))
    arrays: list[np.ndarray[Any, Any]] = [batch.states, batch.q, batch.values, batch.decls, batch.dominoes]
    for array in arrays:
        array[0] = 1
        assert array.flags.c_contiguous


def test_tables_carry_the_version_the_spec_and_its_digest(solution: nr.Solution) -> None:
    metadata = pa.table(solution.root).schema.metadata
    assert metadata[b"noregret_version"].decode() == nr.__version__
    assert nr.Spot.from_text(metadata[b"spec"].decode()) == solution.spot
    assert metadata[b"spec_digest"].decode() == solution.spot.digest
    assert float(metadata[b"exploitability_pct"]) == solution.exploitability


def test_states_come_in_as_numpy_arrow_polars_and_lists(table: nr.forty_two.Table) -> None:
    states, q = table.sample(50, seed=3)
    sources = [states, pa.array(states), pl.Series(states), pd.Series(states), states.tolist(), states[::1]]
    for source in sources:
        np.testing.assert_array_equal(table.q(source), q)
    np.testing.assert_array_equal(table.q(states[::2]), q[::2])
    np.testing.assert_array_equal(nr.Range(pa.array(nr.Range("AA").weights)).weights, nr.Range("AA").weights)
    assert table.q([]).shape == (0, 7)


def test_values_are_put_where_they_are_wanted(table: nr.forty_two.Table) -> None:
    states, q = table.sample(20_000, seed=4)
    out = np.zeros((len(states), 7), dtype=np.int8)
    assert table.q(states, out=out) is out
    np.testing.assert_array_equal(out, q)
    assert turn().plan().fits


def test_every_table_says_what_it_is_of(sources: dict[str, Any], solution: nr.Solution) -> None:
    texts = {name: {key.decode(): value.decode() for key, value in pa.table(source).schema.metadata.items()} for name, source in sources.items()}
    assert all(found["noregret_version"] == nr.__version__ for found in texts.values())
    compared = texts["comparison"]
    assert compared["spec_digest"] == nr.Spot.from_text(compared["spec"]).digest
    assert nr.Spot.from_text(compared["spec"]).board == river().board
    assert {key: texts["samples"][key] for key in ["seed", "decl_id", "layout"]} == {"seed": "0", "decl_id": "0", "layout": "to-go"}
    several = pa.table(nr.report([solution, nr.solve(turn(), target=2, progress=False)], "check")).schema.metadata
    assert len(several[b"spec_digests"].split(b",")) == 2 and float(several[b"exploitability_pct"]) >= solution.exploitability  # type: ignore[operator]


@pytest.mark.parametrize("name", ["node", "hands", "report", "comparison", "samples"])
def test_a_schema_is_had_without_the_rows(sources: dict[str, Any], name: str) -> None:
    assert pa.schema(sources[name]) == pa.table(sources[name]).schema


def test_columns_without_gaps_say_so(sources: dict[str, Any]) -> None:
    node = pa.table(sources["node"]).schema
    gaps = {field.name for field in node if field.nullable}
    assert gaps == {"ev", "equity", "check", "bet 50", "check: ev", "bet 50: ev"}
    for name in ["comparison", "samples"]:
        assert not any(field.nullable for field in pa.table(sources[name]).schema)


def test_reports_and_rows_are_in_the_unit_that_is_asked_for(tmp_path: pathlib.Path) -> None:
    spot = nr.Spot("AA,QQ,T9s", "KK,JJ,AQs", "QsJh2h8c3d", pot=50, stack=500, bet="50%", big_blind=10)
    solved = nr.solve(spot, target=1, progress=False)
    own, blinds, percent = (pl.DataFrame(nr.report(solved, unit=unit)) for unit in (None, "bb", "pot"))
    assert own["pot"][0] == 50 and blinds["pot"][0] == 5
    assert np.allclose(own["oop_ev"] / 10, blinds["oop_ev"]) and np.allclose(2 * own["oop_ev"], percent["oop_ev"])
    rows = []
    for unit in (None, "bb"):
        solved.export(tmp_path / "rows.parquet", line="check", unit=unit)
        rows.append(pl.read_parquet(tmp_path / "rows.parquet"))
    evs = [each["ev"].fill_null(0).to_numpy() for each in rows]
    assert np.allclose(evs[0] / 10, evs[1]) and evs[0].any()
    for wrong in (lambda: nr.report(solved, unit="euro"), lambda: solved.export(tmp_path / "x.csv", unit="euro")):  # type: ignore[arg-type]
        with pytest.raises(nr.SpecError, match="^unit: `euro` is not a unit to show amounts in: accepted `chips`, `bb`, `pot`$"):
            wrong()
    chips = nr.solve(nr.Spot("AA,QQ", "KK,JJ", "QsJh2h8c3d", pot=50, stack=500), target=5, progress=False)
    with pytest.raises(nr.SpecError, match="^unit: amounts are in chips and nothing says how many chips a big blind is"):
        nr.report(chips, unit="bb")
