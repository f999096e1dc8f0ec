//! Rivers whose equilibrium is known on paper.

use crate::spots::{options, spot};
use noregret_holdem::{GameLayout, IP, NodeView, OOP, Postflop, Rake, Solver, Spot, TreeOptions};
use std::sync::Arc;

fn game(spot: &Spot) -> Arc<Postflop> {
    GameLayout::new(spot).unwrap().build()
}

fn solved(game: &Arc<Postflop>, target_pct: f64) -> Solver {
    let mut solution = Solver::new(game.clone());
    while solution.exploitability_pct() > target_pct {
        assert!(solution.iteration() < 20_000, "stuck at {}%", solution.exploitability_pct());
        for _ in 0..10 {
            solution.iterate();
        }
    }
    solution
}

/// How often a hand takes each action.
fn plays(view: &NodeView, hole: &str) -> Vec<f64> {
    let player = view.player.unwrap();
    let hole = hole.parse().unwrap();
    let hand = view.hands[player.index()].iter().find(|hand| hand.hole == hole);
    hand.and_then(|hand| hand.strategy.clone()).unwrap()
}

/// The first player has the nuts or nothing and may bet `bet` with pot 100; the second has a bluff-catcher, which
/// shares no card with either, and may raise if `raise` says so.
fn nuts_or_air(bet: u16, raise: &str) {
    let mut options = options(100, if raise.is_empty() { bet } else { 4 * bet }, "", raise);
    options.force_allin_threshold = 0.0;
    options.sizes[2][0] = crate::spots::sizes(&format!("{bet}c"), raise);
    options.sizes[2][1] = crate::spots::sizes("", raise);
    let spot = spot("AsKsQs2d2c", ["JsTs,7h6h:0.8", "AhAd"], options);
    let game = game(&spot);
    let solution = solved(&game, 0.002);
    let b = f64::from(bet) / 100.0;
    let name = if raise.is_empty() { "all-in" } else { "bet" };
    let root = solution.root();
    assert_eq!(root.actions.len(), 2, "{:?}", root.actions);

    let value = plays(&root, "JsTs")[1];
    let bluffs = 0.8 * plays(&root, "7h6h")[1] / value;
    assert!(value > 0.99, "the nuts bet {value}");
    // The payoff is flat around the equilibrium: frequencies are known to about the root of the exploitability.
    assert!((bluffs - (b / (1.0 + b)).min(0.8)).abs() < 0.02, "{bluffs} bluffs per value bet of {b} pots");

    let answer = solution.at(&format!("{name} {bet}").parse().unwrap()).unwrap();
    assert_eq!(answer.actions.len(), if raise.is_empty() { 2 } else { 3 });
    let calls = plays(&answer, "AhAd");
    assert!((calls[1] - 1.0 / (1.0 + b)).abs() < 0.02, "calls {calls:?} of a bet of {b} pots");
    if !raise.is_empty() {
        assert!(calls[2] < 0.01, "a bluff-catcher has nothing to raise for: {calls:?}");
    }

    // Air gets nothing either way; the nuts get the pot and, when called, the bet.
    let nuts = root.hands[0].iter().find(|hand| hand.hole.to_string() == "JsTs").unwrap();
    let expected = 100.0 * (1.0 + b / (1.0 + b));
    assert!((nuts.root_ev.unwrap() - expected).abs() < 1.0, "{:?}, not {expected}", nuts.root_ev);
    assert!((solution.ev(OOP) - expected / 1.8).abs() < 0.1);
    assert!((solution.ev(OOP) + solution.ev(IP) - 100.0).abs() < 1e-3);
}

#[test]
fn bluffs_and_calls_follow_the_size_of_the_bet() {
    for bet in [25, 50, 75, 100, 200, 300] {
        nuts_or_air(bet, "");
    }
}

#[test]
fn a_raise_that_is_not_worth_making_changes_nothing() {
    for bet in [50, 100, 200] {
        nuts_or_air(bet, "2.5x");
    }
}

#[test]
fn air_folds_to_the_nuts() {
    let spot = spot("AsKsQs2d2c", ["JsTs", "7h6h,8h7d"], options(100, 100, "a", ""));
    let game = game(&spot);
    let solution = solved(&game, 0.001);
    assert!((solution.ev(OOP) - 100.0).abs() < 0.01 && solution.ev(IP).abs() < 0.01);
    let answer = solution.at(&"all-in".parse().unwrap()).unwrap();
    assert!(answer.frequencies[0] > 0.999, "{:?}", answer.frequencies);
    assert_eq!((solution.equity(OOP), solution.equity(IP)), (1.0, 0.0));
}

fn on_a_board_that_plays(options: TreeOptions) -> [f64; 2] {
    let range = "99,87s,AhKh:0.5";
    let spot = spot("AsKsQsJsTs", [range, range], options);
    let game = game(&spot);
    let solution = solved(&game, 0.001);
    assert_eq!(solution.equity(OOP), 0.5);
    [solution.ev(OOP), solution.ev(IP)]
}

#[test]
fn a_board_that_plays_is_half_the_pot_for_each() {
    let evs = on_a_board_that_plays(options(100, 200, "50%,a", "3x"));
    assert!(evs.iter().all(|ev| (ev - 50.0).abs() < 0.01), "{evs:?}");
}

#[test]
fn rake_on_a_board_that_plays_is_paid_by_both() {
    // The cap is reached by the pot as it is: a larger pot costs no more.
    let mut options = options(100, 200, "50%,a", "3x");
    options.rake = Rake { rate: 0.05, cap: Some(4.0) };
    let evs = on_a_board_that_plays(options.clone());
    assert!(evs.iter().all(|ev| (ev - 48.0).abs() < 0.01), "{evs:?}");
    // Without a cap a larger pot costs more, and who is not bluffed has no reason to build one.
    options.rake.cap = None;
    options.sizes[2] = [crate::spots::sizes("", ""), crate::spots::sizes("", "")];
    let evs = on_a_board_that_plays(options);
    assert!(evs.iter().all(|ev| (ev - 47.5).abs() < 0.01), "{evs:?}");
}
