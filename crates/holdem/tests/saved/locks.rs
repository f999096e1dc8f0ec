//! Solutions with hands that are bound to a strategy.

use crate::common::{Home, lines, options, solved, tiny};
use noregret_holdem::cards::Street;
use noregret_holdem::{
    Continuation, IP, Lock, OOP, Precision, ResumeFile, SaveOptions, SavedStreets, SolutionFile, Solver,
    SolverOptions, Spot, save,
};

fn lock(line: &str, hands: Option<&str>, strategy: &[(&str, f64)]) -> Lock {
    Lock {
        line: line.parse().unwrap(),
        hands: hands.map(|hands| hands.parse().unwrap()),
        strategy: strategy.iter().map(|(step, share)| (step.parse().unwrap(), *share)).collect(),
        ..Lock::default()
    }
}

/// A turn on which aces never bet, and a river on which queens fold half of the time.
fn locked() -> Spot {
    let locks = vec![
        lock("", Some("AA"), &[("check", 1.0)]),
        lock("check, check, 3d, bet 36", Some("QQ"), &[("fold", 0.5), ("call", 0.5)]),
        lock("check, check, 4c, bet 36", None, &[("fold", 1.0)]),
    ];
    tiny(Street::Turn).with_locks(locks).unwrap()
}

#[test]
fn a_full_save_of_locked_hands_reads_as_in_memory() {
    let home = Home::new();
    solved(locked(), options(Precision::Bits8, 30), |spec, solution, history| {
        save(&home.path(), spec, solution, history, SaveOptions::default()).unwrap();
        let saved = SolutionFile::open(&home.path()).unwrap();
        assert_eq!(saved.spec(), spec);
        let lines = lines(solution.game(), 3);
        let more = ["check, check, 3d, bet 36", "check, check, 4c, bet 36, fold", "check, check, 4c, check"];
        for line in lines.into_iter().chain(more.map(|line| line.parse().unwrap())) {
            assert_eq!(saved.at(&line).unwrap(), solution.at(&line).unwrap(), "`{line}`");
        }
    });
}

#[test]
fn locks_hold_in_streets_that_are_solved_again_and_nothing_is_given_away() {
    let home = Home::new();
    let solver = SolverOptions { target_exploitability_pct: 0.3, max_iterations: 5000, ..Default::default() };
    let mut before = 0.0;
    solved(locked(), solver, |spec, solution, history| {
        let options = SaveOptions { keep: SavedStreets::Turn, regrets: false };
        save(&home.path(), spec, solution, history, options).unwrap();
        before = solution.exploitability_pct();
    });
    let saved = SolutionFile::open(&home.path()).unwrap();
    let river = saved.at(&"check, check, 3d, bet 36".parse().unwrap()).unwrap();
    for hand in &river.hands[IP.index()] {
        let queens = hand.hole.cards().iter().all(|card| card.to_string().starts_with('Q'));
        assert!(!queens || hand.strategy.as_deref() == Some(&[0.5, 0.5, 0.0]), "{hand:?}");
    }
    let folds = saved.at(&"check, check, 4c, bet 36".parse().unwrap()).unwrap();
    assert_eq!(folds.frequencies, [1.0, 0.0, 0.0]);
    let root = saved.at(&"".parse().unwrap()).unwrap();
    assert!(root.hands[OOP.index()].iter().any(|hand| hand.strategy.as_deref() == Some(&[1.0, 0.0])));
    let mut stitched = Solver::new(saved.game().clone());
    saved.fill(&mut stitched).unwrap();
    let after = stitched.exploitability_pct();
    println!("saved at {before:.4}%, stitched {after:.4}%");
    assert!(after <= before, "saved at {before}, stitched {after}");
}

#[test]
fn a_file_with_other_locks_is_told_apart() {
    let home = Home::new();
    solved(locked(), options(Precision::Bits32, 5), |spec, solution, history| {
        save(&home.path(), spec, solution, history, SaveOptions::default()).unwrap();
        let file = ResumeFile::open(&home.path()).unwrap();
        assert_eq!(file.difference(spec), None);
        let mut free = spec.clone();
        free.spot = tiny(Street::Turn);
        assert_eq!(
            (file.continuation_for(&spec.spot), file.continuation_for(&free.spot)),
            (Continuation::Resume, Continuation::StartOver)
        );
    });
}
