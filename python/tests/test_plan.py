"""What runs take: estimates from unit costs, and the simulation of one spot over many workers."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
import xml.etree.ElementTree
from typing import Any

import pytest
from conftest import ROOT

from noregret import cluster
from noregret.cluster import __main__ as command_line


@pytest.fixture
def costs(tmp_path: pathlib.Path) -> pathlib.Path:
    """Costs that nobody has measured."""
    path = tmp_path / "costs.json"
    spot = {"name": "spot", "unit": "a flop", "core_seconds": 36.0, "bytes": 5_000_000, "memory_bytes": 260_000_000}
    table = {"name": "tables", "unit": "a table", "core_seconds": 0.09, "bytes": 17_000, "memory_bytes": 71_000_000}
    path.write_text(json.dumps({"measured": {}, "costs": [spot, table]}))
    return path


def test_estimates_multiply(costs: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    estimate = cluster.plan("spot", 1755, price=0.04, cores=64, costs=costs)
    assert estimate.core_hours == pytest.approx(17.55) and estimate.bytes == 8_775_000_000
    assert estimate.money == pytest.approx(0.702) and estimate.hours == pytest.approx(17.55 / 64)
    # No more cores work than there are jobs.
    assert cluster.plan("spot", 2, cores=64, costs=costs).hours == pytest.approx(0.01)
    assert cluster.plan("tables", 10**6, costs=costs).money is None
    assert command_line.main(["plan", "tables", "1000000", "--price", "0.04", "--cores", "100", "--costs", str(costs)]) == 0
    assert capsys.readouterr().out == (
        "1,000,000 of tables: 25.00 core-hours, 17.00 GB written, 0.07 GB of memory a process, 0.25 hours on 100 cores, "
        "1.00 at 0.04 a core-hour\n"
    )
    assert command_line.main(["plan", "spot", "--json", "--costs", str(costs)]) == 0
    assert json.loads(capsys.readouterr().out)["count"] == 1
    assert command_line.main(["plan", "--costs", str(costs)]) == 0
    assert "tables: a table: 0.09 core-seconds, 17,000 bytes" in capsys.readouterr().out


def test_what_cannot_be_estimated_says_so(costs: pathlib.Path, tmp_path: pathlib.Path) -> None:
    with pytest.raises(cluster.WrongRequest, match="there is no unit cost of `x`: there is `spot`, `tables`"):
        cluster.plan("x", 1, costs=costs)
    for wrong in [{"count": 0}, {"count": 1, "cores": 0}, {"count": 1, "price": -1.0}, {"count": 1, "price": float("nan")}]:
        numbers: Any = wrong
        with pytest.raises(cluster.WrongRequest, match="whole numbers from 1 on"):
            cluster.plan("spot", costs=costs, **numbers)
    with pytest.raises(cluster.WrongRequest, match="cannot read .*none.json"):
        cluster.plan("spot", 1, costs=tmp_path / "none.json")
    costs.write_text('{"costs": [{"name": "x"}]}')
    with pytest.raises(cluster.WrongRequest, match="is not a table of unit costs: `scripts/unit-costs` writes them"):
        cluster.unit_costs(costs)
    whole = {"name": "x", "unit": "a flop", "core_seconds": 1.0, "bytes": 5, "memory_bytes": 6}
    costs.write_text(json.dumps({"costs": [whole]}))
    assert list(cluster.unit_costs(costs)) == ["x"]
    wrong_types: list[dict[str, Any]] = [{"core_seconds": "1"}, {"bytes": 1.5}, {"bytes": True}, {"memory_bytes": -1}, {"name": 3}, {"core_seconds": float("inf")}]
    for one in wrong_types:
        costs.write_text(json.dumps({"costs": [{**whole, **one}]}))
        with pytest.raises(cluster.WrongRequest, match="is not a table of unit costs"):
            cluster.unit_costs(costs)
    # What came with the package can be read.
    assert all(cost.core_seconds > 0 and cost.bytes > 0 for cost in cluster.unit_costs().values())


def outcome(workers: int, iteration_seconds: float) -> dict[str, Any]:
    turns = {f"turn {index}": 100.0 + index for index in range(4)}
    return {
        "workers": workers,
        "iterations": 100,
        "iteration_seconds": iteration_seconds,
        "run_iterations": 100,
        "made_again": 0,
        "lost": 0,
        "bytes_sent": 200_000 * workers,
        "bytes_received": 8_000_000,
        "turn_seconds": turns,
    }


def test_the_simulation_is_that_of_its_formula_and_says_what_it_is(tmp_path: pathlib.Path) -> None:
    for workers, seconds in [(1, 420.0), (2, 220.0)]:
        (tmp_path / f"{workers}.json").write_text(json.dumps(outcome(workers, seconds)))
    script = [sys.executable, str(ROOT / "scripts/simulate-spread")]
    one, two, chart_path = (str(tmp_path / name) for name in ("1.json", "2.json", "chart.svg"))
    network = ["--latency-ms", "10", "--gigabits", "0.08", "--out", chart_path]
    ended = subprocess.run([*script, one, two, *network], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in ended.stdout.splitlines()[2:]]
    # An iteration is 4.06 s of turns and 0.14 s of the rest. Two workers have 2.03 s each, and wait for
    # 2 × (0.02 s + (2 × 1 kB + 40 kB) / 10 MB/s) for the network.
    assert rows == [
        ["1", "4.2", "1.00", "measured"],
        ["2", "2.2", "1.91", "measured"],
        ["2", "2.218", "1.89", "simulated, 10 ms and 0.08 Gbit/s"],
        ["4", "1.219", "3.45", "simulated, 10 ms and 0.08 Gbit/s"],
    ]
    chart = xml.etree.ElementTree.parse(chart_path).getroot()
    words = " ".join(text.text or "" for text in chart.iter("{http://www.w3.org/2000/svg}text"))
    assert "simulated, 10 ms and 0.08 Gbit/s" in words and "dots: measured" in words
    refused = subprocess.run([*script, two, *network], capture_output=True, text=True)
    assert refused.returncode == 1 and "must be a run with one worker" in refused.stderr
    for change in [{"run_iterations": 40}, {"made_again": 3}, {"lost": 1}]:
        (tmp_path / "2.json").write_text(json.dumps({**outcome(2, 220.0), **change}))
        refused = subprocess.run([*script, one, two, *network], capture_output=True, text=True)
        assert refused.returncode == 1 and "went on from a checkpoint or lost a worker" in refused.stderr


def test_unit_costs_are_measured_by_the_script(tmp_path: pathlib.Path) -> None:
    program = str(pathlib.Path(sys.executable).with_name("noregret"))
    out = tmp_path / "costs.json"
    script = [sys.executable, str(ROOT / "scripts/unit-costs"), "--program", program, "--spots", "river", "--seeds", "1"]
    script += ["--decls", "6", "--out", str(out)]
    subprocess.run(script, check=True, capture_output=True)
    measured = cluster.unit_costs(out)
    assert list(measured) == ["river", "tables", "rows", "samples"]
    assert all(cost.core_seconds > 0 and cost.bytes > 1000 and cost.memory_bytes > 1_000_000 for cost in measured.values())
