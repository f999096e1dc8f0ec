"""The package and the command line give the same answers."""

from __future__ import annotations

import pathlib
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import noregret as nr
from conftest import ROOT, river, spread_spec, turn

Command = Callable[..., Any]


@pytest.mark.parametrize("precision", ["32bit", "16bit", "8/16", "8/8", "4/4", "16:16:8/16:8:8"])
@pytest.mark.parametrize("threads", [1, 2])
def test_digest_evs_and_iterations_are_those_of_solve(
    tmp_path: pathlib.Path, command: Command, precision: str, threads: int
) -> None:
    solution = nr.solve(turn(), target=1, precision=precision, threads=threads, progress=False)
    spec = tmp_path / "spot.toml"
    solution.spot.to_toml(spec)
    theirs = tmp_path / "theirs.nrs"
    answer = command("solve", spec, "--json", "--threads", "1", "--out", theirs)
    assert answer["strategy_digest"] == solution.digest
    assert answer["ev"] == {"oop": solution.ev(nr.OOP), "ip": solution.ev(nr.IP)}
    assert answer["equity"] == {"oop": solution.equity("oop"), "ip": solution.equity("ip")}
    assert answer["iterations"] == solution.iterations
    assert answer["exploitability_pct"] == solution.exploitability
    measured = [(step.iteration, step.exploitability) for step in solution.history]
    assert measured == [(check["iteration"], check["exploitability_pct"]) for check in answer["history"]]
    frequencies = {str(action): action.frequency for action in solution.root.actions}
    assert list(frequencies.values()) == [action["frequency"] for action in answer["root"]["actions"]]
    for line in ["check", "bet 50, call, 2c, check"]:
        check_node(solution[line], command, theirs, line)


def check_node(node: nr.Node, command: Command, path: pathlib.Path, line: str) -> None:
    """Compares a node with what `inspect` says of a file."""
    for player in [nr.OOP, nr.IP]:
        shown = command("inspect", path, "--line", line, "--player", player, "--hands", "--json")
        assert node.pot == shown["pot"]
        assert str(node.board) == shown["board"]
        by_hand = {hand["hand"]: hand for hand in shown["hands"]}
        hands = node.hands(player)
        assert sorted(hand.cards for hand in hands if hand.reach > 1e-4) == sorted(
            name for name, hand in by_hand.items() if hand["gets_here"]
        )
        for name, expected in by_hand.items():
            hand = hands[name]
            assert (hand.reach, hand.ev, hand.equity) == (expected["reach"], expected["ev"], expected["equity"])
            assert hand.made == expected["made"] and hand.draws == expected["draws"]
            strategy = hand.strategy and list(hand.strategy.values())
            assert strategy == expected["strategy"]
            evs = hand.action_evs and list(hand.action_evs.values())
            assert evs == expected["action_evs"]


def test_a_plan_is_a_dry_run(tmp_path: pathlib.Path, command: Command) -> None:
    spec = tmp_path / "spot.toml"
    turn().to_toml(spec)
    answer, plan = command("solve", spec, "--dry-run", "--json"), turn().plan()
    for name in ["betting_decisions", "betting_terminals", "decision_points", "terminals", "infosets", "memory_bytes"]:
        assert answer[name] == getattr(plan, name), name
    assert tuple(answer["boards"]) == plan.boards
    assert {key: plan.memory[key] for key in answer["memory"]} == answer["memory"]


@pytest.mark.parametrize("line", ["", "check", "check, bet 50", "check, check, Th", "bet 50, call, 2c, check"])
def test_nodes_are_those_of_inspect(
    tmp_path: pathlib.Path, command: Command, solution: nr.Solution, line: str
) -> None:
    path = tmp_path / "spot.nrs"
    solution.save(path)
    for source in [solution, nr.open(path), pickle.loads(pickle.dumps(solution))]:
        check_node(source[line], command, path, line)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_flop_is_that_of_the_command_line(tmp_path: pathlib.Path, command: Command, threads: int) -> None:
    path = tmp_path / "flop.nrs"
    spec = spread_spec(tmp_path)
    solution = nr.solve(nr.Spot.from_toml(spec), threads=threads, progress=False)
    assert len(solution.root.board) == 3
    answer = command("solve", spec, "--json", "--threads", "2", "--out", path)
    assert answer["strategy_digest"] == solution.digest
    assert answer["ev"] == {"oop": solution.ev(nr.OOP), "ip": solution.ev(nr.IP)}
    assert answer["iterations"] == solution.iterations == 24
    assert answer["exploitability_pct"] == solution.exploitability
    # A node of each street.
    lines = ["", "check", "check, check, 7d", "check, check, 7d, check, check, 8h"]
    for line, cards in zip(lines, [3, 3, 4, 5], strict=True):
        assert len(solution[line].board) == cards
        check_node(solution[line], command, path, line)


def test_a_file_of_the_package_is_that_of_the_command_line(tmp_path: pathlib.Path, command: Command) -> None:
    solution = nr.solve(river(), target=1, progress=False)
    ours, theirs, spec = tmp_path / "ours.nrs", tmp_path / "theirs.nrs", tmp_path / "spot.toml"
    solution.save(ours)
    solution.spot.to_toml(spec)
    command("solve", spec, "--json", "--out", theirs)
    read = [nr.open(path) for path in (ours, theirs)]
    assert read[0].digest == read[1].digest == solution.digest
    assert read[0].spot == read[1].spot == solution.spot
    np.testing.assert_array_equal(read[0]["check"].ev(nr.IP), read[1]["check"].ev(nr.IP))


def test_a_checkpoint_of_either_is_resumed_by_the_other(tmp_path: pathlib.Path, command: Command) -> None:
    spec, checkpoint = tmp_path / "spot.toml", tmp_path / "spot.nrc"
    nr.solve(turn(), target=0, max_iterations=30, progress=False, checkpoint=checkpoint)
    turn().to_toml(spec)
    answer = command("solve", spec, "--json", "--resume", checkpoint, "--target", "0", "--max-iterations", "60")
    whole = nr.solve(turn(), target=0, max_iterations=60, progress=False)
    resumed = nr.solve(turn(), target=0, max_iterations=60, progress=False, resume=checkpoint)
    assert answer["strategy_digest"] == whole.digest == resumed.digest


def test_texas_42_has_the_same_bytes(tmp_path: pathlib.Path, command: Command) -> None:
    command("forty-two", "solve", "--seeds", "0..2", "--decls", "blanks,no-trump", "--out", tmp_path, "--json")
    for seed in range(2):
        for decl in ["blanks", "no-trump"]:
            table = nr.forty_two.solve(seed=seed, decl=decl)
            path = tmp_path / f"seed_{seed:08}_decl_{table.decl_id}.n42"
            assert bytes(table.to_bytes()) == path.read_bytes()
            assert nr.forty_two.open(path) == table


def test_rows_of_a_solution_and_of_a_table_have_the_same_bytes(
    tmp_path: pathlib.Path, command: Command, solution: nr.Solution
) -> None:
    saved = tmp_path / "spot.nrs"
    solution.save(saved)
    for ending in ["csv", "parquet"]:
        ours, theirs = tmp_path / f"ours.{ending}", tmp_path / f"theirs.{ending}"
        rows = solution.export(ours, line="check")
        assert rows == len(solution["check"].hands()) * len(solution["check"].actions)
        command("export", saved, "--format", ending, "--line", "check", "--out", theirs)
        assert ours.read_bytes() == theirs.read_bytes()
    table = nr.forty_two.solve(seed=484, decl="blanks")
    rows = table.save_rows(tmp_path / "rows.parquet")
    assert rows == table.census()["to_go"] == 2_035_278
    command("forty-two", "solve", "--seeds", "484..485", "--decls", "blanks", "--format", "rows", "--layout", "to-go", "--out", tmp_path, "--json")
    assert (tmp_path / "rows.parquet").read_bytes() == (tmp_path / "seed_00000484_decl_0.parquet").read_bytes()


def test_a_position_is_that_of_value(command: Command, table: nr.forty_two.Table) -> None:
    arguments = ["forty-two", "value", "--seed", "0", "--decl", "blanks", "--json"]
    for plays in ["", "0-0", "5-2 5-3"]:
        expected = command(*arguments, "--layout", "to-go", "--plays", plays)
        position = table.position(plays=plays)
        assert (position.state, position.turn, position.value) == (
            expected["state"],
            expected["turn"],
            expected["value"],
        )
        assert position.moves == {move["domino"]: move["value"] for move in expected["moves"]}
        assert position.regrets == {move["domino"]: move["regret"] for move in expected["moves"]}
        assert position.line == [(step["seat"], step["domino"]) for step in expected["line"]]


def test_every_example_is_read_as_the_command_line_reads_it(command: Command) -> None:
    for path in sorted((ROOT / "examples").glob("*.toml")):
        if path.name == "batch.toml":
            continue
        spot = nr.Spot.from_toml(path)
        assert nr.Spot.from_text(spot.to_toml()) == spot
        assert spot.plan().infosets == command("solve", path, "--dry-run", "--json")["infosets"]


def test_a_comparison_is_that_of_the_command_line(tmp_path: pathlib.Path, command: Command) -> None:
    spec = tmp_path / "spot.toml"
    turn().to_toml(spec)
    theirs = command("compare", spec, "--algorithms", "dcfr,cfr+", "--precisions", "32/32,8/16", "--target", "1", "--json")["runs"]
    ours = nr.compare(turn(), algorithms=["dcfr", "cfr+"], precisions=["32/32", "8/16"], target=1)
    assert len(ours) == len(theirs) == 4
    for run, expected in zip(ours, theirs):
        assert (run.algorithm, run.iterations, run.memory_bytes, run.target_reached) == (
            expected["algorithm"], expected["iterations"], expected["memory_bytes"], expected["target_reached"],
        )  # fmt: skip
        assert [step.exploitability for step in run.history] == [check["exploitability_pct"] for check in expected["history"]]


def test_a_report_is_that_of_the_command_line(tmp_path: pathlib.Path, command: Command, solution: nr.Solution) -> None:
    saved = tmp_path / "spot.nrs"
    solution.save(saved)
    opened = nr.open(saved)
    for ending in ["csv", "json", "parquet"]:
        ours, theirs = tmp_path / f"ours.{ending}", tmp_path / f"theirs.{ending}"
        nr.report(opened, "check, check, *").save(ours)
        command("report", saved, "--line", "check, check, *", "--out", theirs)
        assert ours.read_bytes() == theirs.read_bytes()


def test_an_expectation_is_that_of_the_command_line(command: Command) -> None:
    hand, plays = "6-6 6-5 6-4 5-5 4-4 1-0 2-0", "6-6 6-3 6-2 6-1  6-5 6-0 1-1 2-1  6-4 3-0 4-2 5-0"
    expected = command("forty-two", "expect", "--hand", hand, "--decl", "sixes", "--plays", plays, "--worlds", "50", "--seed", "3", "--json")
    found = nr.forty_two.expect(hand=hand, decl="sixes", plays=plays, worlds=50, seed=3)
    assert (found.seat, found.possible, found.worlds, found.exact, found.too_close) == tuple(
        expected[key] for key in ["seat", "possible", "worlds", "exact", "too_close"]
    )
    assert found.best is not None and found.best.domino == expected["best"]
    for move, other in zip(found.moves, expected["moves"]):
        assert (move.domino, move.mean, move.spread, move.standard_error) == (
            other["domino"], other["mean"], other["spread"], other["standard_error"],
        )  # fmt: skip
        assert move.deals.tolist() == other["points"]
