//! The solver against its twin: the same strategies as far as rounding does not decide, and always the same value and
//! exploitability of the strategies that the solver has.

use crate::learner::Learner;
use crate::spots;
use crate::twin::{Infoset, Profile, Twin};
use noregret_cfr::{Dcfr, Player};
use noregret_holdem::cards::Street;
use noregret_holdem::{GameLayout, Solver, Spot};

/// How far apart values may be, in percent of the pot: 32-bit floats have seven digits.
const VALUE_PCT: f64 = 1e-4;
/// Iterations in which rounding has not grown yet, and how far apart frequencies may be then.
const EARLY: (u32, f64) = (5, 2e-4);
/// The same for later iterations, each of which enlarges what the one before has rounded.
const LATE: (u32, f64) = (20, 5e-3);
/// The share of early strategies that may differ after a close call, where rounding decides what is played.
const DECIDED_BY_ROUNDING: f64 = 0.015;

/// How many strategies were compared early on, and how many of them differed.
#[derive(Default)]
pub struct Tally {
    compared: usize,
    different: usize,
}

impl Tally {
    /// Not more differs than rounding may decide.
    pub fn check(&self) {
        let Self { compared, different } = self;
        println!("{different} of {compared} strategies differ early on");
        assert!(
            *different as f64 <= DECIDED_BY_ROUNDING * *compared as f64,
            "{different} of {compared} differ"
        );
    }
}

pub fn compare(spot: &Spot, iterations: &[u32], tally: &mut Tally) {
    let twin = Twin::new(spot);
    let game = GameLayout::new(spot).unwrap().build();
    let mut solution = Solver::new(game.clone());
    let mut learner = Learner::new(&twin, Dcfr::default());
    for &iteration in iterations {
        while solution.iteration() < iteration {
            solution.iterate();
            learner.iterate();
        }
        let profile = twin.profile_of(&solution);
        compare_values(&twin, &solution, &profile);
        let limit = if iteration <= EARLY.0 { EARLY.1 } else { LATE.1 };
        let learned = learner.profile();
        let different = different(&profile, &learned, limit);
        if iteration <= EARLY.0 {
            tally.compared += learned.len();
            tally.different += different.len();
        }
        if iteration <= LATE.0 && !learner.close_call {
            let show = |infoset| format!("{infoset:?}: {:?}, not {:?}", profile[infoset], learned[infoset]);
            assert!(different.is_empty(), "after {iteration} iterations, {}", show(different[0]));
        }
    }
}

fn compare_values(twin: &Twin, solution: &Solver, profile: &Profile) {
    let percent = 100.0 / twin.pot();
    for player in Player::BOTH {
        let (engine, plain) = (solution.ev(player), twin.expected_value(profile, player));
        assert!((engine - plain).abs() * percent < VALUE_PCT, "EV of {player:?}: {engine}, not {plain}");
    }
    let (engine, plain) = (solution.exploitability_pct(), twin.exploitability_pct(profile));
    assert!((engine - plain).abs() < VALUE_PCT, "exploitability: {engine}, not {plain}");
}

/// Where two profiles are further apart than `limit`. The solver knows every infoset that the twin does.
fn different<'p>(engine: &Profile, plain: &'p Profile, limit: f64) -> Vec<&'p Infoset> {
    let far = |(infoset, plain): &(&Infoset, &Vec<f64>)| {
        let engine = engine.get(*infoset).unwrap_or_else(|| panic!("{infoset:?} is not in the solution"));
        assert_eq!(engine.len(), plain.len(), "{infoset:?}");
        engine.iter().zip(*plain).any(|(engine, plain)| (engine - plain).abs() > limit)
    };
    plain.iter().filter(far).map(|(infoset, _)| infoset).collect()
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
        let spot = spots::random(seed, street, hands, nodes);
        println!("seed {seed}: {spot:?}");
        compare(&spot, iterations, &mut tally);
    }
    tally.check();
}

#[test]
fn random_rivers_are_learned_like_the_twin_learns_them() {
    compare_random(Street::River, 0..60, 8, 100, &[1, 2, 3, 5, 20, 100]);
}

#[test]
fn random_turns_are_learned_like_the_twin_learns_them() {
    compare_random(Street::Turn, 100..112, 5, 120, &[1, 2, 3, 8]);
}

#[test]
fn random_flops_are_learned_like_the_twin_learns_them() {
    compare_random(Street::Flop, 200..203, 3, 60, &[2, 4]);
}

#[test]
fn alike_suits_are_learned_like_the_twin_learns_them() {
    let mut tally = Tally::default();
    for (board, ranges) in [
        ("8s7s6s8h", ["99:0.5,65s", "TT,87s"]),
        ("AsAhAdKc", ["QQ:0.5,JTs", "KK,JJ:0.75"]),
        ("9h9d2c", ["AA", "T9s"]),
    ] {
        let iterations: &[u32] = if board.len() == 8 { &[2, 4] } else { &[3] };
        let spot = spots::spot(board, ranges, spots::options(100, 100, "a", ""));
        compare(&spot, iterations, &mut tally);
    }
    assert!(tally.different * 100 <= tally.compared, "{} of {} differ", tally.different, tally.compared);
}
