//! Full saves.

use crate::common::{game, lines, solve, spec, tiny};
use crate::spots;
use noregret_holdem::cards::Street;
use noregret_holdem::{Algorithm, Precision, SaveOptions, Saved, SolverOptions, Spot, save};
use tempfile::TempDir;

fn options(bits: Precision, iterations: u32) -> SolverOptions {
    SolverOptions {
        max_iterations: iterations,
        strategy_precision: [bits; 3],
        regret_precision: [bits; 3],
        ..Default::default()
    }
}

/// Saves a solution, opens it, and compares what both say at many lines.
fn check(spot: Spot, solver: SolverOptions, step: usize) {
    let spec = spec(spot, solver);
    let game = game(&spec);
    let (solution, history) = solve(&game, &spec);
    let home = TempDir::new().unwrap();
    let path = home.path().join("spot.nrs");
    save(&path, &spec, &solution, &history, SaveOptions::default()).unwrap();
    let saved = Saved::open(&path).unwrap();
    assert_eq!(saved.spec(), &spec);
    assert_eq!((&saved.progress().history, saved.progress().iterations), (&history, solution.iteration()));
    let lines = lines(&game, step);
    assert!(!lines.is_empty());
    for line in lines {
        assert_eq!(saved.at(&line).unwrap(), solution.at(&line).unwrap(), "`{line}`");
        assert_eq!(saved.frequencies(&line).unwrap(), solution.frequencies(&line).unwrap(), "`{line}`");
    }
}

#[test]
fn every_line_of_a_file_reads_as_in_memory() {
    for bits in Precision::ALL {
        check(tiny(Street::River), options(bits, 60), 1);
        check(tiny(Street::Turn), options(bits, 30), 5);
    }
    check(tiny(Street::Flop), options(Precision::Bits32, 10), 101);
    check(tiny(Street::Flop), options(Precision::Bits8, 10), 101);
}

#[test]
fn random_spots_read_as_in_memory() {
    for seed in 900..920 {
        check(spots::random(seed, Street::River, 8, 100), options(Precision::Bits32, 20), 1);
    }
    for seed in 920..926 {
        check(spots::random(seed, Street::Turn, 5, 120), options(Precision::Bits16, 10), 11);
    }
}

#[test]
fn every_algorithm_reads_as_in_memory() {
    for algorithm in Algorithm::all() {
        check(tiny(Street::Turn), SolverOptions { algorithm, ..options(Precision::Bits16, 20) }, 37);
    }
}

#[test]
fn a_street_reads_as_its_lines_do() {
    let spec = spec(tiny(Street::Turn), options(Precision::Bits16, 20));
    let game = game(&spec);
    let (solution, history) = solve(&game, &spec);
    let home = TempDir::new().unwrap();
    let path = home.path().join("spot.nrs");
    save(&path, &spec, &solution, &history, SaveOptions::default()).unwrap();
    let saved = Saved::open(&path).unwrap();
    for start in ["", "check, check, 2c", "bet 36, call, Th"] {
        let start = start.parse().unwrap();
        let nodes = saved.street(&start).unwrap();
        assert!(nodes.len() > 3);
        assert_eq!(nodes[0], saved.at(&start).unwrap());
        for node in &nodes {
            let line = game.betting().line_to(node.node, &node.board.cards()[4..]).unwrap();
            assert_eq!(*node, saved.at(&line).unwrap(), "`{line}`");
        }
    }
}
