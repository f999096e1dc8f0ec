//! Full saves.

use crate::common::{Home, lines, options, solved, tiny};
use crate::spots;
use noregret_holdem::cards::Street;
use noregret_holdem::{
    Algorithm, FileProgress, IP, OOP, Precision, SaveOptions, SavedStreets, Solution, SolutionFile,
    SolverOptions, Spot, save,
};

/// Saves a solution, opens it, and compares what both say at many lines.
fn check(spot: Spot, solver: SolverOptions, step: usize) {
    let home = Home::new();
    solved(spot, solver, |spec, solution, history| {
        save(&home.path(), spec, solution, history, SaveOptions::default()).unwrap();
        let saved = SolutionFile::open(&home.path()).unwrap();
        assert_eq!(saved.spec(), spec);
        assert_eq!(saved.progress().history, history);
        assert_eq!(saved.progress().iterations, solution.iteration());
        assert_eq!(saved.summary().digest, solution.digest());
        assert_eq!(saved.summary().ev, [OOP, IP].map(|player| solution.ev(player)));
        assert_eq!(saved.summary().equity, [OOP, IP].map(|player| solution.equity(player)));
        for line in lines(solution.game(), step) {
            assert_eq!(saved.at(&line).unwrap(), solution.at(&line).unwrap(), "`{line}`");
            assert_eq!(saved.frequencies(&line).unwrap(), solution.frequencies(&line).unwrap(), "`{line}`");
        }
    });
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
fn a_solution_without_its_solver_writes_the_same_file() {
    for (street, keep) in [(Street::River, SavedStreets::Full), (Street::Turn, SavedStreets::Turn)] {
        let home = Home::new();
        solved(tiny(street), options(Precision::Bits16, 20), |spec, solver, history| {
            let (whole, alone) = (home.path(), home.other("alone.nrs"));
            save(&whole, spec, solver, history, SaveOptions { keep, regrets: false }).unwrap();
            let solution = Solution::from(solver);
            solution.save(&alone, spec, &FileProgress::of(solver, history), keep).unwrap();
            assert_eq!(std::fs::read(&whole).unwrap(), std::fs::read(&alone).unwrap());
            assert_eq!((solution.digest(), solution.file().is_none()), (solver.digest(), true));
            let opened = Solution::open(&whole).unwrap();
            assert!(opened.file().is_some());
            let error = opened.save(&alone, spec, &FileProgress::of(solver, history), keep).unwrap_err();
            assert_eq!(error.to_string(), "the solution is in a file already: copy that");
        });
    }
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
    let home = Home::new();
    solved(tiny(Street::Turn), options(Precision::Bits16, 20), |spec, solution, history| {
        save(&home.path(), spec, solution, history, SaveOptions::default()).unwrap();
        let saved = SolutionFile::open(&home.path()).unwrap();
        for start in ["", "check, check, 2c", "bet 36, call, Th"] {
            let start = start.parse().unwrap();
            let nodes = saved.street(&start).unwrap();
            assert!(nodes.len() > 3);
            assert_eq!(nodes[0], saved.at(&start).unwrap());
            for node in &nodes {
                let line = saved.game().betting().line_to(node.node, &node.board.cards()[4..]).unwrap();
                assert_eq!(*node, saved.at(&line).unwrap(), "`{line}`");
            }
        }
    });
}

#[test]
fn a_line_that_does_not_exist_is_refused_as_in_memory() {
    let home = Home::new();
    solved(tiny(Street::Turn), options(Precision::Bits32, 5), |spec, solution, history| {
        save(&home.path(), spec, solution, history, SaveOptions::default()).unwrap();
        let saved = SolutionFile::open(&home.path()).unwrap();
        let line = "check, bet 17".parse().unwrap();
        assert_eq!(saved.at(&line).unwrap_err().to_string(), solution.at(&line).unwrap_err().to_string());
    });
}

#[test]
fn the_level_of_compression_is_honoured() {
    let home = Home::new();
    let sizes = [0, 1, 19].map(|level| {
        solved(tiny(Street::Turn), options(Precision::Bits32, 30), |spec, solution, history| {
            let mut spec = spec.clone();
            spec.output.zstd_compression_level = level;
            save(&home.path(), &spec, solution, history, SaveOptions::default()).unwrap();
            assert_eq!(SolutionFile::open(&home.path()).unwrap().summary().digest, solution.digest());
        });
        std::fs::metadata(home.path()).unwrap().len()
    });
    assert!(sizes[0] > sizes[1] && sizes[1] > sizes[2], "{sizes:?}");
}
