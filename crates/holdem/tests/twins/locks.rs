//! Locked hands: the solver against its twin, and answers that are known on paper.

use crate::learning::{Tally, compare};
use crate::spots::{self, Random, options, spot};
use crate::twin::{Point, Twin};
use noregret_cfr::Player;
use noregret_holdem::cards::{Range, Street};
use noregret_holdem::{
    Algorithm, BettingNodeKind, GameLayout, IP, Isomorphism, Lock, OOP, Precision, Solver, SolverOptions,
    Spot, Step,
};

pub fn lock(line: &str, hands: Option<&str>, strategy: &[(&str, f64)]) -> Lock {
    Lock {
        line: line.parse().unwrap(),
        hands: hands.map(|hands| hands.parse().unwrap()),
        strategy: strategy.iter().map(|&(step, share)| (step.parse().unwrap(), share)).collect(),
        ..Lock::default()
    }
}

/// A spot with random locks: at any decision, of some hands or all, with frequencies of which some are zero.
pub fn with_random_locks(spot: Spot, random: &mut Random, count: usize) -> Spot {
    let twin = Twin::new(&spot);
    let points = twin.points();
    let mut locks = Vec::new();
    while locks.len() < count {
        let Point { line, node, board } = random.pick(&points);
        let BettingNodeKind::Decision(player) = twin.tree[node].kind else { continue };
        let possible = spot.holes(player).filter(|(hole, _)| !hole.set().intersects(board.set()));
        let mut hands = Range::default();
        for (hole, _) in possible.filter(|_| random.below(2) == 0) {
            hands.set(hole, 1.0).unwrap();
        }
        let hands = Some(hands).filter(|hands| !hands.is_empty());
        let steps: Vec<Step> = twin.tree.actions(node).map(Step::Action).collect();
        let shares: Vec<f64> = steps.iter().map(|_| random.below(3) as f64).collect();
        let sum: f64 = shares.iter().sum();
        let strategy = steps.into_iter().zip(shares.into_iter().map(|share| share / sum)).collect();
        let mut more = locks.clone();
        more.push(Lock { line, hands, strategy, ..Lock::default() });
        // Some have no frequency above zero, or hands that are locked already.
        if spot.clone().with_locks(more.clone()).is_ok() {
            locks = more;
        }
    }
    spot.with_locks(locks).unwrap()
}

fn compare_random(
    street: Street,
    seeds: std::ops::Range<u64>,
    hands: usize,
    nodes: usize,
    iterations: &[u32],
) {
    let mut tally = Tally::default();
    for seed in seeds {
        let mut random = Random(seed);
        let spot = with_random_locks(spots::random(seed, street, hands, nodes), &mut random, 4);
        println!("seed {seed}: {spot:?}");
        compare(&spot, iterations, &mut tally);
    }
    tally.check();
}

#[test]
fn locked_rivers_are_learned_and_answered_like_the_twin_does() {
    compare_random(Street::River, 700..740, 8, 100, &[1, 2, 3, 5, 20, 60]);
}

#[test]
fn locked_turns_are_learned_and_answered_like_the_twin_does() {
    compare_random(Street::Turn, 800..808, 5, 120, &[1, 2, 3, 8]);
}

#[test]
fn locked_flops_are_learned_and_answered_like_the_twin_does() {
    compare_random(Street::Flop, 900..902, 3, 60, &[2, 4]);
}

#[test]
fn locks_on_alike_suits_are_learned_and_answered_like_the_twin_does() {
    let mut tally = Tally::default();
    let base = || spot("8s7s6s8h", ["99:0.5,65s", "TT,87s"], options(100, 100, "a", ""));
    for locks in [
        // The same for all suits, one suit told apart by the hands, by the card, and by neither.
        vec![lock("", Some("99"), &[("check", 0.5), ("all-in", 0.5)])],
        vec![lock("", Some("9c9d"), &[("all-in", 1.0)])],
        vec![lock("check, check, 2c", None, &[("check", 0.25), ("all-in", 0.75)])],
        vec![
            lock("check, check, 2c", None, &[("check", 0.25), ("all-in", 0.75)]),
            lock("check, check, 2d", None, &[("check", 0.25), ("all-in", 0.75)]),
        ],
    ] {
        compare(&base().with_locks(locks).unwrap(), &[2, 4], &mut tally);
    }
    tally.check();
}

/// How many boards are solved with some locks.
fn boards(locks: Vec<Lock>) -> usize {
    let spot = spot("QsJh2h", ["QQ,AKs,99:0.5", "KTs,J9s"], options(100, 150, "60%", ""));
    let spot = spot.with_locks(locks).unwrap();
    GameLayout::new(&spot).unwrap().build().boards()[1]
}

#[test]
fn suits_stay_merged_as_far_as_locks_do_not_tell_them_apart() {
    let bet = [("bet 60", 1.0)];
    // Clubs and diamonds are alike on this flop.
    assert_eq!(boards(vec![]), 36);
    assert_eq!(boards(vec![lock("", None, &bet)]), 36);
    assert_eq!(boards(vec![lock("", Some("99,AhKh"), &bet)]), 36);
    assert_eq!(boards(vec![lock("", Some("AcKc"), &bet)]), 49);
    assert_eq!(boards(vec![lock("", Some("AcKc"), &bet), lock("", Some("AdKd"), &bet)]), 36);
    assert_eq!(boards(vec![lock("", Some("AcKc"), &bet), lock("", Some("AdKd"), &[("check", 1.0)])]), 49);
    assert_eq!(boards(vec![lock("check, check, 8c", None, &bet)]), 49);
    assert_eq!(boards(vec![lock("check, check, 8h", None, &bet)]), 36);
    let both = ["8c", "8d"].map(|card| lock(&format!("check, check, {card}"), None, &bet));
    assert_eq!(boards(both.to_vec()), 36);
}

#[test]
fn a_locked_node_plays_exactly_its_lock_in_every_precision() {
    let base = spot("9s8s3dKd", ["A9s,KQo,76s:0.5,TT", "JTs,K8s,A3o:0.75,QQ"], options(100, 200, "60%", "a"));
    let locks = vec![
        lock("", Some("TT,76s"), &[("check", 0.3), ("bet 60", 0.7)]),
        lock("", Some("KQo"), &[("check", 1.0)]),
        lock("check, bet 60, call, 2c, check", None, &[("check", 0.1), ("all-in", 0.9)]),
    ];
    let spot = base.with_locks(locks).unwrap();
    let game = GameLayout::new(&spot).unwrap().build();
    for precision in Precision::ALL {
        let (strategy_precision, regret_precision) = ([precision; 3], [precision; 3]);
        let options = SolverOptions { strategy_precision, regret_precision, ..SolverOptions::default() };
        let mut solution = Solver::with_options(game.clone(), &options);
        (0..30).for_each(|_| solution.iterate());
        let strategy = |line: &str, player: Player, hand: &str| -> Option<Vec<f64>> {
            let view = solution.at(&line.parse().unwrap()).unwrap();
            let hands = &view.hands[player.index()];
            hands.iter().find(|view| view.hole.to_string() == hand).unwrap().strategy.clone()
        };
        let exactly = |shares: [f64; 2]| Some(shares.map(|share| f64::from(share as f32)).to_vec());
        for hand in ["TsTc", "7h6h"] {
            assert_eq!(strategy("", OOP, hand), exactly([0.3, 0.7]), "{precision:?}");
        }
        assert_eq!(strategy("", OOP, "KhQs"), exactly([1.0, 0.0]));
        assert_eq!(strategy("check, bet 60, call, 2c, check", IP, "QhQd"), exactly([0.1, 0.9]));
        assert_ne!(strategy("check, bet 60, call, 2d, check", IP, "QhQc"), exactly([0.1, 0.9]));
    }
}

#[test]
fn against_always_fold_every_hand_bluffs() {
    let base =
        spot("9s8s3dKd2c", ["A9s,KQo,76s,TT,55", "JTs,K8s,A3o:0.75,QQ,99"], options(100, 200, "50%", ""));
    let spot = base.with_locks(vec![lock("bet 50", None, &[("fold", 1.0)])]).unwrap();
    let game = GameLayout::new(&spot).unwrap().build();
    for algorithm in Algorithm::all() {
        let mut solution =
            Solver::with_options(game.clone(), &SolverOptions { algorithm, ..SolverOptions::default() });
        (0..2000).for_each(|_| solution.iterate());
        assert!(solution.exploitability_pct() < 0.1, "{algorithm}: {}", solution.exploitability_pct());
        // A bet wins the pot with every hand; what always wins a showdown does no worse with a check.
        assert!(solution.ev(OOP) > 99.9, "{algorithm}: {}", solution.ev(OOP));
        let root = solution.root();
        for hand in root.hands[OOP.index()].iter().filter(|hand| hand.equity.unwrap() < 0.99) {
            let bets = hand.strategy.as_ref().unwrap()[1];
            assert!(bets > 0.99, "{algorithm}: {} bets {bets}", hand.hole);
        }
    }
}

#[test]
fn a_spot_that_is_locked_to_its_equilibrium_stays_where_it_was() {
    let base =
        spot("9s8s3dKd2c", ["A9s,KQo,76s:0.5,TT", "JTs,K8s,A3o:0.75,QQ"], options(100, 200, "60%", "a"));
    let game = GameLayout::new(&base).unwrap().build();
    let mut solution = Solver::new(game.clone());
    (0..2000).for_each(|_| solution.iterate());
    let (ev, exploitability) = (solution.ev(OOP), solution.exploitability_pct());
    assert!(exploitability < 0.02, "{exploitability}");

    // Everything that one player does, hand by hand.
    let twin = Twin::new(&base);
    let locks_of = |player: Player| -> Vec<Lock> {
        let mut locks = Vec::new();
        for point in
            twin.points().iter().filter(|p| twin.tree[p.node].kind == BettingNodeKind::Decision(player))
        {
            let view = solution.at(&point.line).unwrap();
            for hand in view.hands[player.index()].iter() {
                let Some(strategy) = &hand.strategy else { continue };
                let sum: f64 = strategy.iter().sum();
                let steps = view.actions.iter().map(|&action| Step::Action(action));
                let strategy = steps.zip(strategy.iter().map(|share| share / sum)).collect();
                let mut hands = Range::default();
                hands.set(hand.hole, 1.0).unwrap();
                locks.push(Lock {
                    line: point.line.clone(),
                    hands: Some(hands),
                    strategy,
                    ..Lock::default()
                });
            }
        }
        locks
    };
    for players in [vec![OOP], vec![IP], vec![OOP, IP]] {
        let locks = players.iter().flat_map(|&player| locks_of(player)).collect();
        let spot = base.clone().with_locks(locks).unwrap();
        let game = GameLayout::new(&spot).unwrap().build();
        let mut again = Solver::new(game.clone());
        (0..1000).for_each(|_| again.iterate());
        // Whoever is free gains no more than what the other was exploitable by, two players' worth of it in all.
        let change = (again.ev(OOP) - ev).abs();
        assert!(change < 2.0 * exploitability + 0.02, "{players:?}: {change}");
        assert!(again.exploitability_pct() < 0.02, "{players:?}: {}", again.exploitability_pct());
    }
}

#[test]
fn merged_suits_do_not_change_a_locked_spot() {
    let base = spot("QsJh2h8c", ["QTs,99:0.5,AKo", "KTs,J9s,66:0.75"], options(100, 150, "60%", ""));
    let spot = base.with_locks(vec![
        lock("", Some("99"), &[("check", 0.25), ("bet 60", 0.75)]),
        lock("check, check, 4s", None, &[("check", 0.5), ("bet 60", 0.5)]),
    ]);
    let spot = spot.unwrap();
    let values = [Isomorphism::Keep, Isomorphism::Merge].map(|isomorphism| {
        let game = GameLayout::with_isomorphism(&spot, isomorphism).unwrap().build();
        let mut solution = Solver::new(game.clone());
        (0..5).for_each(|_| solution.iterate());
        (solution.ev(OOP), solution.exploitability_pct())
    });
    assert!((values[0].0 - values[1].0).abs() < 1e-2, "{values:?}");
    assert!((values[0].1 - values[1].1).abs() < 1e-2, "{values:?}");
}

#[test]
fn locks_give_the_same_bits_on_any_number_of_threads() {
    let base = spot("QsJh2h8c", ["QTs,99:0.5,AKo", "KTs,J9s,66:0.75"], options(100, 150, "60%", ""));
    let spot = base
        .with_locks(vec![
            lock("", Some("99"), &[("check", 0.25), ("bet 60", 0.75)]),
            lock("check, check, 4s, bet 60", None, &[("fold", 0.5), ("call", 0.5)]),
        ])
        .unwrap();
    for precision in Precision::ALL {
        let (strategy_precision, regret_precision) = ([precision; 3], [precision; 3]);
        let options = SolverOptions { strategy_precision, regret_precision, ..SolverOptions::default() };
        let digest = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let game = GameLayout::new(&spot).unwrap().build();
                let mut solution = Solver::with_options(game.clone(), &options);
                (0..15).for_each(|_| solution.iterate());
                solution.digest()
            })
        };
        let one = digest(1);
        assert_eq!([digest(2), digest(3)], [one.clone(), one], "{precision:?}");
    }
}
