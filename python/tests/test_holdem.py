"""Spots, solvers, solutions and nodes."""

from __future__ import annotations

import itertools
import math
import pathlib
import pickle
from collections.abc import Mapping

import numpy as np
import pytest

import noregret as nr
from conftest import river, turn


def test_a_spot_has_what_it_was_made_of() -> None:
    spot = river()
    assert str(spot.oop) == "KK+,QJs,T9s" and spot.range("ip") == spot.ip
    assert (spot.pot, spot.stack, str(spot.board)) == (100, 300, "QsJh2h8c3d")
    assert spot == nr.Spot.from_text(spot.to_toml()) and hash(spot) == hash(nr.Spot.from_text(spot.to_toml()))
    assert spot != turn() and len(spot.digest) == 32


def test_sizes_are_given_for_all_or_by_street_and_player() -> None:
    def made(**sizes: object) -> str:
        return nr.Spot("AA", "KK", "QsJh2h", pot=100, stack=900, **sizes).to_toml()  # type: ignore[arg-type]

    assert made(bet="52%").count('bet = "52%"') == 6
    by_street = made(bet={"flop": "33%", "river": {"oop": "75%", "ip": "a"}}, raise_={"oop": "3x", "ip": "2x"})
    assert by_street.count('oop_bet = "33%"') == by_street.count('oop_bet = "75%"') == 1
    assert by_street.count('ip_bet = "a"') == 1 and by_street.count('oop_raise = "3x"') == 3
    assert made(donk={"turn": "20%"}).count('oop_donk = "20%"') == 1


def test_ranges_come_from_text_numbers_and_mappings() -> None:
    text = nr.Range("88+,A5s-A2s:0.5")
    assert nr.Range(text.weights) == nr.Range(list(text.weights)) == nr.Range(text) == text
    assert text.weights.shape == (1326,) and text.weights.dtype == np.float32
    assert nr.Range({"AA": 1, "A5s": 0.5}) == nr.Range("AA,A5s:0.5")
    assert [name for name, weight in zip(nr.Range.hands(), nr.Range("AhKh").weights) if weight] == ["AhKh"]
    weights = text.weights
    weights[:] = 0
    assert text["AA"] == 1, "the array is the caller's own"


def test_locks_and_edits_make_new_spots() -> None:
    spot = river()
    locked = spot.lock("bet 50", {"fold": 0.25, "call": 0.75}, hands="KQs")
    assert spot.locks == [] and locked.locks == [
        {"line": "bet 50", "strategy": {"fold": 0.25, "call": 0.75}, "hands": "KQs"}
    ]
    assert locked.with_locks([]) == spot and spot.with_locks(locked.locks) == locked
    node = nr.solve(locked, target=1, progress=False)["bet 50"]
    for hand in ["KhQh", "KdQd"]:
        assert node.hand(hand).strategy == pytest.approx({"fold": 0.25, "call": 0.75, **{str(a): 0.0 for a in node.actions[2:]}})
    assert "bet 20" in spot.add_line("bet 20").actions("")
    assert spot.remove_line("bet 50").actions("") == ["check"]
    assert str(spot.on("AhKd2c").board) == "AhKd2c"


def test_a_node_has_numbers_for_every_hand(solution: nr.Solution) -> None:
    node = solution["check"]
    assert node.player == nr.IP and node.kind == "decision" and node.parent is not None
    for player in [nr.OOP, nr.IP]:
        count = len(node.hands(player))
        for numbers in [node.ev(player), node.equity(player), node.reach(player), node.share(player)]:
            assert numbers.shape == (count,) and numbers.dtype == np.float64
    strategy = node.strategy(nr.IP)
    assert strategy.shape == (len(node.hands(nr.IP)), len(node.actions)) and strategy.dtype == np.float32
    np.testing.assert_allclose(strategy.sum(axis=1), 1, atol=1e-5)
    share = node.share(nr.IP)
    frequencies = (strategy * share[:, None]).sum(axis=0) / share.sum()
    np.testing.assert_allclose(frequencies, [action.frequency or 0.0 for action in node.actions], atol=1e-5)
    mean = (node.ev(nr.IP) * share).sum() / share.sum()
    assert node.mean_ev() == pytest.approx(mean)
    assert node.mean_ev("oop") + node.mean_ev("ip") == pytest.approx(node.pot, abs=0.01)  # type: ignore[operator]


def test_children_are_the_points_that_follow(solution: nr.Solution) -> None:
    root = solution.root
    assert list(root.children) == [str(action) for action in root.actions] and len(root.children) == len(root.actions)
    assert root.children["check"].line == root["check"].line == "check"
    chance = solution["check, check"]
    assert chance.kind == "chance" and len(chance.children) == 48 and "8c" not in chance.children
    assert chance.children["Th"].board.cards[-1] == "Th"
    assert len(solution["bet 50, fold"].children) == 0 and solution["bet 50, fold"].kind == "terminal"
    assert root.parent is None and chance.parent is not None and chance.parent.line == "check"


def test_a_solver_goes_on_from_where_it_was() -> None:
    solver = nr.Solver(turn(), threads=1)
    steps = list(solver.run(target=0, max_iterations=20))
    assert [step.iteration for step in steps] == [10, 20]
    more = list(solver.run(target=0, max_iterations=40))
    assert [step.iteration for step in more] == [30, 40]
    whole = nr.solve(turn(), target=0, max_iterations=40, progress=False)
    assert solver.solution.digest == whole.digest and solver.solution.iterations == 40


def test_a_loop_may_be_left_and_read_within() -> None:
    solver = nr.Solver(turn())
    for step in solver.run(target=0):
        reached = solver.solution
        assert reached.exploitability == step.exploitability
        if step.iteration >= 20:
            break
    del step
    assert 20 <= solver.solution.iterations <= 22
    assert list(solver.run(max_iterations=30, target=0))[-1].iteration == 30


def test_a_callback_hears_every_measurement_and_stops() -> None:
    heard: list[nr.Step] = []
    solution = nr.solve(turn(), target=0, max_iterations=40, progress=False, callback=heard.append)
    assert heard == solution.history
    stopped = nr.solve(turn(), target=0, progress=False, callback=lambda step: step.iteration < 30)
    assert 30 <= stopped.iterations <= 32 and not stopped.target_reached


def test_small_files_are_solved_again_when_read(tmp_path: pathlib.Path, solution: nr.Solution) -> None:
    path = tmp_path / "small.nrs"
    solution.save(path, streets="turn")
    small = nr.open(path)
    assert small.digest == solution.digest
    assert small["check, check, Th"].pot == solution["check, check, Th"].pot
    np.testing.assert_array_equal(small["check"].ev("ip"), solution["check"].ev("ip"))


def strength(cards: list[int]) -> tuple[int, ...]:
    """The best five of seven cards, written down from the rules: a second opinion."""
    best: tuple[int, ...] = ()
    for five in itertools.combinations(cards, 5):
        ranks = sorted((card // 4 for card in five), reverse=True)
        counts = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
        shape = tuple(count for count, _ in counts)
        order = tuple(rank for _, rank in counts)
        flush = len({card % 4 for card in five}) == 1
        wheel = ranks == [12, 3, 2, 1, 0]
        straight = wheel or (len(set(ranks)) == 5 and ranks[0] - ranks[4] == 4)
        kind = {(1, 1, 1, 1, 1): 0, (2, 1, 1, 1): 1, (2, 2, 1): 2, (3, 1, 1): 3, (3, 2): 6, (4, 1): 7}[shape]
        if straight:
            kind, order = (8 if flush else 4), ((3,) if wheel else (ranks[0],))
        elif flush:
            kind = 5
        best = max(best, (kind, *order))
    return best


def test_equities_are_those_of_a_plain_count() -> None:
    number = {rank + suit: 4 * place + "cdhs".index(suit) for place, rank in enumerate("23456789TJQKA") for suit in "cdhs"}

    def cards(text: str) -> list[int]:
        return [number[text[i : i + 2]] for i in range(0, len(text), 2)]

    for oop, ip, board in [("AhKh", "QdQc", "QsJh2h8c"), ("7s6s", "AdAc", "5s4s2d"), ("AhAd", "KsKc", "QsJh2h")]:
        known = cards(oop) + cards(ip) + cards(board)
        deck = [card for card in range(52) if card not in known]
        won = 0.0
        runouts = list(itertools.combinations(deck, 5 - len(cards(board))))
        # Every seventh runout of a flop is enough to tell a mistake, and takes a seventh of the time.
        step = 7 if len(runouts) > 100 else 1
        for runout in runouts[::step]:
            all_five = cards(board) + list(runout)
            mine, other = strength(cards(oop) + all_five), strength(cards(ip) + all_five)
            won += (mine > other) + (mine == other) / 2
        expected = won / len(runouts[::step])
        found = nr.equity(oop, ip, board)
        assert found.oop == pytest.approx(expected, abs=1e-6 if step == 1 else 0.06)
        assert found.hands("oop")[oop] == pytest.approx(found.oop)
        assert found.array("ip")[nr.Range.hands().index(ip)] == pytest.approx(found.ip)


def test_things_travel_to_other_processes(solution: nr.Solution) -> None:
    for thing in [river(), nr.Range("22+,A2s+:0.3"), nr.Board("QsJh2h"), nr.OOP, nr.forty_two.Deal(7)]:
        assert pickle.loads(pickle.dumps(thing)) == thing
    assert pickle.loads(pickle.dumps(nr.OOP)) == nr.OOP
    copy = pickle.loads(pickle.dumps(solution))
    assert copy.digest == solution.digest and copy.spot == solution.spot
    np.testing.assert_array_equal(copy["check, check, Th"].ev("oop"), solution["check, check, Th"].ev("oop"))
    again = pickle.loads(pickle.dumps(copy))
    assert again.digest == solution.digest
    table = nr.forty_two.solve(seed=5, decl="fives")
    assert pickle.loads(pickle.dumps(table)) == table
    error = pickle.loads(pickle.dumps(nr.SpecError("x", 3, "tree.pot", "help")))
    assert (str(error), error.line, error.field, error.help) == ("x", 3, "tree.pot", "help")


def test_hands_are_read_by_place_and_by_cards(solution: nr.Solution) -> None:
    hands = solution.root.hands()
    assert hands[0].cards == hands[hands[0].cards].cards and hands[-1].cards == list(hands)[-1].cards
    assert all(hand.player == nr.OOP for hand in hands)
    with pytest.raises(IndexError):
        hands[len(hands)]
    with pytest.raises(KeyError):
        hands["7c2d"]
    aces = solution.root.hand("AsAh")
    assert aces.class_ == "AA" and aces.ev is not None and math.isfinite(aces.ev)


def test_amounts_in_big_blinds_are_answered_in_big_blinds() -> None:
    def spot(pot: float, stack: float, **more: object) -> nr.Spot:
        return nr.Spot("AA,QQ,T9s", "KK,JJ,AQs", "QsJh2h8c3d", pot=pot, stack=stack, bet="33%", **more)  # type: ignore[arg-type]

    blinds = spot(5.5, 97.5, unit="bb", big_blind=2)
    assert (blinds.pot, blinds.stack, blinds.unit, blinds.big_blind) == (5.5, 97.5, "bb", 2.0)
    assert blinds.actions("") == ["check", "bet 1.8"] and "pot 5.5 bb, stack 97.5 bb" in repr(blinds)
    assert nr.Spot.from_text(blinds.to_toml()) == blinds and pickle.loads(pickle.dumps(blinds)) == blinds
    chips = spot(55, 975)
    assert (chips.pot, chips.unit, chips.big_blind) == (55, "chips", None) and type(chips.pot) is int
    solved, same = (nr.solve(each, target=0.5, progress=False) for each in (blinds, chips))
    assert solved.digest == same.digest
    assert solved.ev(nr.OOP) * 10 == pytest.approx(same.ev(nr.OOP))
    node = solved["bet 1.8"]
    assert node.pot == 7.3 and node.stack(nr.OOP) == pytest.approx(95.7)
    assert [action.amount for action in node.actions] == [0, 0, 4.5]
    ev = node.hand("KhKd").ev
    assert ev is not None and ev * 10 == pytest.approx(same["bet 18"].hand("KhKd").ev, rel=1e-6)
    assert solved["bet 33%"].line == "bet 1.8"


def test_hands_ranges_boards_and_children_are_collections(solution: nr.Solution) -> None:
    hands = solution.root.hands()
    assert "AhAd" in hands and "AdAh" in hands and "7c2d" not in hands and "x" not in hands and 5 not in hands
    assert [hand.cards for hand in hands[1:3]] == [hand.cards for hand in list(hands)[1:3]]
    assert [hand.cards for hand in hands[::-1]] == [hand.cards for hand in list(hands)[::-1]] and hands[5:2] == []
    pairs = nr.Range("AA,KK:0.5,QhQd")
    assert "AA" in pairs and "KsKh" in pairs and "QhQd" in pairs
    assert "QQ" not in pairs and "72o" not in pairs and "x" not in pairs and 5 not in pairs
    board = nr.Board("QsJh2h")
    assert list(board) == ["Qs", "Jh", "2h"] and len(board) == 3 and nr.Board(list(board)) == board
    children = solution.root.children
    assert isinstance(children, Mapping) and 5 not in children and "check" in children
    check = children.get("check")
    assert check is not None and check.line == "check"
    assert children.get("jump") is None and children.get("jump", 7) == 7 and children.get(5) is None


def test_a_hand_has_its_strategy_and_its_ev() -> None:
    root = nr.solve(river(), target=5, progress=False).root
    hands, hand = root.hands(), root.hand("AhAd")
    assert hand.cards in hands and hand.class_ == "AA" and hand.reach == 1 and hands[0].strategy
    assert root.actions[0].frequency is not None and hand.draws is not None and hand.ev is not None


def test_an_open_solution_is_that_of_the_file_that_was_opened(tmp_path: pathlib.Path, solution: nr.Solution, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    solution.save("spot.nrs")
    opened = nr.open("spot.nrs")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    opened.save("copy.nrs")
    assert nr.open("copy.nrs").digest == pickle.loads(pickle.dumps(opened)).digest == solution.digest
    # Another solution in its place, whole or not at all: the one that is open stays what it was.
    nr.solve(river(), target=5, progress=False).save(tmp_path / "spot.nrs")
    copy = pickle.loads(pickle.dumps(opened))
    assert copy.digest == solution.digest and copy.spot == solution.spot
    opened.save("again.nrs")
    assert nr.open("again.nrs").digest == solution.digest


def test_a_report_knows_its_variants(solution: nr.Solution) -> None:
    report = nr.report(solution, "check, check, *")
    with pytest.raises(nr.SpecError, match="variant: there is no `wide`: accepted ``"):
        report.frequencies("wide")


def test_a_solve_needs_no_standard_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", None)
    for progress in [None, True]:
        assert nr.solve(river(), target=5, progress=progress).target_reached
