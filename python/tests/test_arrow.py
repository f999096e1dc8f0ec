"""Arrow out, without pyarrow in between and without copies of the numbers; Arrow in."""

from __future__ import annotations

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
    pandas = pd.DataFrame.from_arrow(source) if hasattr(pd.DataFrame, "from_arrow") else arrow.to_pandas()
    assert list(pandas.columns) == arrow.column_names and len(pandas) == arrow.num_rows


def test_a_node_has_a_row_for_each_hand_of_both_players(solution: nr.Solution) -> None:
    node = solution["check"]
    frame = pl.DataFrame(node)
    assert frame.height == len(node.hands("oop")) + len(node.hands("ip"))
    mine = frame.filter(pl.col("player") == "ip")
    np.testing.assert_array_equal(mine["ev"].to_numpy(), node.ev("ip"))
    np.testing.assert_array_equal(mine["bet 50"].to_numpy().astype(np.float32), node.strategy("ip")[:, 1])
    assert frame.filter(pl.col("player") == "oop")["bet 50"].is_null().all()
    assert mine["hand"].to_list() == [hand.cards for hand in node.hands("ip")]


def test_numbers_are_shared_and_not_copied(solution: nr.Solution) -> None:
    node = solution["check"]

    def address(table: pa.Table) -> int:
        return int(table["ev"].chunk(0).buffers()[1].address)

    first, second = pa.table(node), pa.table(node)
    assert address(first) == address(second)
    assert address(pl.DataFrame(node).to_arrow()) == address(first)
    values = first["ev"].chunk(0).to_numpy(zero_copy_only=False)
    del node, first, second
    assert np.isfinite(values[np.isfinite(values)]).all(), "the buffers outlive the node"


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
