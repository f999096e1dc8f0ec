//! Two spots whose answers are known from other solvers, solved to the end. They take minutes without optimisation, so
//! they are there in release builds only: `cargo test --release --test known_spots`.

#![cfg(not(debug_assertions))]

use noregret_holdem::{
    Algorithm, GameLayout, IP, Measurement, OOP, Outcome, Rake, Solver, SolverOptions, Spec, Spot,
    StopCondition, StopReason, precisions_by_street, run,
};
use std::ops::ControlFlow;

/// What another solver found.
struct Known {
    equity_pct: f64,
    ev: [f64; 2],
}

fn spot(name: &str) -> Spot {
    let path = format!("{}/../../examples/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap().parse::<Spec>().unwrap().spot
}

/// Solves to 0.1% and compares.
fn check(spot: &Spot, known: &Known) {
    let game = GameLayout::new(spot).unwrap().build();
    let mut solution = Solver::new(game.clone());
    let goal = StopCondition { target_pct: 0.1, max_iterations: 400 };
    let outcome = run(&mut solution, &goal, |_, _| ControlFlow::Continue(()));
    assert_eq!(outcome.reason, StopReason::Target, "{:?}", outcome.last());
    falls_steadily(&outcome);
    let equity = 100.0 * solution.equity(OOP);
    assert!((equity - known.equity_pct).abs() < 0.001, "equity {equity}");
    let pot = spot.options().starting_pot.as_f64();
    for (player, known) in [(OOP, known.ev[0]), (IP, known.ev[1])] {
        let ev = solution.ev(player);
        assert!((ev - known).abs() < 0.002 * pot, "EV {ev}, known {known}");
    }
}

/// After the first 20 iterations no value is more than 1.5 times an earlier one.
fn falls_steadily(outcome: &Outcome) {
    let mut lowest = f64::INFINITY;
    for Measurement { iteration, exploitability_pct, .. } in &outcome.history {
        if *iteration > 20 {
            assert!(
                *exploitability_pct <= 1.5 * lowest,
                "{exploitability_pct} at {iteration} after {lowest}"
            );
        }
        if *iteration >= 20 {
            lowest = lowest.min(*exploitability_pct);
        }
    }
}

#[test]
fn the_turn_spot_has_its_known_value() {
    check(&spot("turn"), &Known { equity_pct: 53.060, ev: [91.94, 108.06] });
}

/// The iterations in which each algorithm has to get the turn spot to 0.5%: a quarter more than were measured.
const ITERATIONS_TO_HALF_A_PERCENT: [(Algorithm, u32); 9] = [
    (Algorithm::Dcfr, 100),
    (Algorithm::DcfrPlus, 150),
    (Algorithm::Lcfr, 175),
    (Algorithm::SapcfrPlus, 175),
    (Algorithm::CfrPlus, 190),
    (Algorithm::HsDcfr, 190),
    (Algorithm::PdcfrPlus, 225),
    (Algorithm::PcfrPlus, 250),
    (Algorithm::LcfrPlus, 620),
];

#[test]
fn every_algorithm_gets_the_turn_spot_to_half_a_percent_in_time() {
    let game = GameLayout::new(&spot("turn")).unwrap().build();
    for algorithm in Algorithm::all() {
        let limit = ITERATIONS_TO_HALF_A_PERCENT.iter().find(|(bounded, _)| *bounded == algorithm);
        let &(_, max_iterations) = limit.unwrap_or_else(|| panic!("{algorithm} has no bound"));
        let options = SolverOptions { algorithm, ..SolverOptions::default() };
        let mut solution = Solver::with_options(game.clone(), &options);
        let goal = StopCondition { target_pct: 0.5, max_iterations };
        let outcome = run(&mut solution, &goal, |_, _| ControlFlow::Continue(()));
        assert_eq!(outcome.reason, StopReason::Target, "{algorithm}: {:?}", outcome.last());
    }
}

#[test]
fn the_three_bet_pot_has_its_known_value() {
    let known = Known { equity_pct: 55.347, ev: [105.11, 74.89] };
    let spot = spot("three-bet-pot");
    check(&spot, &known);
}

/// 8 bits on the river, where nearly all numbers are, and 16 before it.
fn small_options() -> SolverOptions {
    SolverOptions::default().stored_by_street(precisions_by_street("16:16:8/16:16:8").unwrap())
}

#[test]
fn the_three_bet_pot_takes_little_memory_with_8_bits_on_the_river() {
    let bytes = GameLayout::new(&spot("three-bet-pot")).unwrap().size(&small_options()).memory.total();
    assert!(bytes < 350_000_000, "{bytes} bytes");
}

#[test]
fn the_three_bet_pot_is_solved_in_time_with_8_bits_on_the_river() {
    let game = GameLayout::new(&spot("three-bet-pot")).unwrap().build();
    let mut solution = Solver::with_options(game.clone(), &small_options());
    // A quarter more than were measured, as many as with floats.
    let goal = StopCondition { target_pct: 0.3, max_iterations: 105 };
    let outcome = run(&mut solution, &goal, |_, _| ControlFlow::Continue(()));
    assert_eq!(outcome.reason, StopReason::Target, "{:?}", outcome.last());
    falls_steadily(&outcome);
}

#[test]
fn the_three_bet_pot_with_rake_has_its_known_value() {
    let spot = spot("three-bet-pot");
    let mut options = spot.options().clone();
    options.rake = Rake { rate: 0.05, cap: Some(30.0) };
    let ranges = [OOP, IP].map(|player| spot.range(player).clone());
    let raked = Spot::new(ranges, *spot.board(), options).unwrap();
    check(&raked, &Known { equity_pct: 55.347, ev: [95.57, 66.98] });
}
