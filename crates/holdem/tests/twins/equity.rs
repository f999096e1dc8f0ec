//! Equities on known match-ups and against the twin.

use crate::spots::{self, Random, options, spot};
use crate::twin::Twin;
use noregret_cfr::{Deal, Game, Player};
use noregret_holdem::cards::Street;
use noregret_holdem::{GameLayout, Isomorphism, Solver, Spot};

const ROUNDING: f64 = 1e-6;

fn equities(spot: &Spot, isomorphism: Isomorphism) -> [f64; 2] {
    let game = GameLayout::with_isomorphism(spot, isomorphism).unwrap().build();
    let solution = Solver::new(game.clone());
    Player::BOTH.map(|player| solution.equity(player))
}

/// The equities of both ranges over all deals, by the twin.
fn plain_equities(twin: &Twin) -> [f64; 2] {
    let mut sums = [0.0; 2];
    let mut total = 0.0;
    for (holes, weights) in twin.deals() {
        let weight = weights[0] * weights[1];
        sums[0] += weight * twin.equity(twin.spot.board(), holes);
        sums[1] += weight * twin.equity(twin.spot.board(), [holes[1], holes[0]]);
        total += weight;
    }
    sums.map(|sum| sum / total)
}

fn check(spot: &Spot) -> [f64; 2] {
    let plain = plain_equities(&Twin::new(spot));
    for isomorphism in [Isomorphism::Merge, Isomorphism::Keep] {
        let found = equities(spot, isomorphism);
        for (found, plain) in found.iter().zip(plain) {
            assert!(
                (found - plain).abs() < ROUNDING,
                "{found}, not {plain}, with {isomorphism:?} in {spot:?}"
            );
        }
        assert!((found[0] + found[1] - 1.0).abs() < ROUNDING);
    }
    plain
}

#[test]
fn outs_count() {
    let equity = |board, ranges| check(&spot(board, ranges, options(100, 100, "a", "")))[0];
    // Two kings in 44 cards.
    let pairs = equity("7c5d2hTs", ["AsAh", "KsKh"]);
    assert!((pairs - 42.0 / 44.0).abs() < ROUNDING, "{pairs}");
    // Nine hearts make a flush, but two of them pair the board and fill up three kings.
    let flush = equity("9h8h2sKc", ["KdKs", "Ah5h"]);
    assert!((flush - 37.0 / 44.0).abs() < ROUNDING, "{flush}");
    // Dead on the flop.
    assert_eq!(equity("AcAdKs", ["AsAh", "KcKd"]), 1.0);
    // A board that plays.
    assert_eq!(equity("AsKsQsJsTs", ["2c2d", "9h9d,8h8d:0.5"]), 0.5);
}

#[test]
fn ranges_on_flops_add_up_as_the_twin_has_them() {
    for (board, ranges) in
        [("7c5d2h", ["AA", "KK"]), ("Kh5h2h", ["AsAh", "KsKd,QhJh:0.5"]), ("9s9d4s", ["AKs", "55:0.5"])]
    {
        check(&spot(board, ranges, options(100, 100, "a", "")));
    }
}

#[test]
fn random_turns_and_rivers_add_up_as_the_twin_has_them() {
    for seed in 600..630 {
        check(&spots::random(seed, Street::Turn, 6, 10_000));
        check(&spots::random(seed, Street::River, 20, 10_000));
    }
}

#[test]
fn equities_of_hands_follow_the_reach_of_the_others() {
    for seed in 700..720 {
        let mut random = Random(seed);
        let spot = spots::random(seed, Street::Turn, 8, 10_000);
        let twin = Twin::new(&spot);
        let game = GameLayout::new(&spot).unwrap().build();
        for player in Player::BOTH {
            // Any reaches will do: random hands leave no suits alike that reaches would have to respect.
            let others = game.hands(Deal::ROOT, player.opponent());
            let reach: Vec<f32> =
                others.iter().map(|_| if random.below(3) == 0 { 0.0 } else { random.share() }).collect();
            assert_eq!(game.hand_count(Deal::ROOT, player.opponent()), reach.len());
            let found = game.equities(Deal::ROOT, player, &reach);
            for (&hole, found) in game.hands(Deal::ROOT, player).iter().zip(found) {
                let mut won = 0.0;
                let mut met = 0.0;
                for (&other, &reach) in others.iter().zip(&reach) {
                    if !other.set().intersects(hole.set()) {
                        won += f64::from(reach) * twin.equity(spot.board(), [hole, other]);
                        met += f64::from(reach);
                    }
                }
                match found {
                    None => assert_eq!(met, 0.0),
                    Some(equity) => {
                        assert!((equity * met - won).abs() < 1e-5, "{equity} of {met}, not {won}")
                    }
                }
            }
        }
    }
}
