//! Checkpoints and full saves with regrets: what goes on from them ends as if nothing had happened.

use crate::common::{Home, game, goal, options, solved, spec, tiny};
use noregret_holdem::cards::Street;
use noregret_holdem::{
    Algorithm, Continuation, Line, Lock, Measurement, OOP, Precision, PriorRun, Progress, ResumeFile,
    SaveOptions, SavedStreets, Solver, SolverOptions, Spec, resume, run, save, save_checkpoint,
};
use std::ops::ControlFlow;

/// The measurements without the clock.
fn measured(history: &[Measurement]) -> Vec<(u32, f64)> {
    history.iter().map(|check| (check.iteration, check.exploitability_pct)).collect()
}

/// Stops a solve at an iteration, goes on from its checkpoint, and compares the end with that of one that went through.
fn check(street: Street, solver: SolverOptions, stop: u32) {
    let home = Home::new();
    let path = home.other("spot.nrc");
    let spec = spec(tiny(street), solver);
    let game = game(&spec);
    let mut through = Solver::with_options(game.clone(), &spec.solver);
    let whole = run(&mut through, &goal(&spec), |_, _| ControlFlow::Continue(()));

    let mut stopped = Solver::with_options(game.clone(), &spec.solver);
    resume(&mut stopped, &goal(&spec), PriorRun::default(), |progress: &Progress<'_>| {
        if progress.solver.iteration() < stop {
            return ControlFlow::Continue(());
        }
        save_checkpoint(&path, &spec, progress.solver, progress.history, progress.elapsed).unwrap();
        ControlFlow::Break(())
    });
    let file = ResumeFile::open(&path).unwrap();
    assert_eq!((file.spec(), file.progress().iterations, file.has_state()), (&spec, stop, true));
    let mut again = Solver::with_options(game.clone(), &spec.solver);
    file.restore(&mut again).unwrap();
    assert_eq!(again.digest(), stopped.digest());
    let earlier = PriorRun { history: file.progress().history.clone(), elapsed: file.progress().elapsed };
    let outcome = resume(&mut again, &goal(&spec), earlier, |_| ControlFlow::Continue(()));
    assert_eq!(again.digest(), through.digest(), "{:?} stopped at {stop}", spec.solver);
    assert_eq!(measured(&outcome.history), measured(&whole.history));
    assert!(outcome.history.is_sorted_by_key(|check| check.elapsed));
}

#[test]
fn every_algorithm_and_precision_goes_on_as_if_nothing_had_happened() {
    for algorithm in Algorithm::all() {
        for bits in Precision::ALL {
            check(Street::River, SolverOptions { algorithm, ..options(bits, 40) }, 23);
        }
        check(Street::Turn, SolverOptions { algorithm, warm_up: 5, ..options(Precision::Bits8, 24) }, 10);
    }
    for bits in Precision::ALL {
        check(Street::Flop, options(bits, 12), 7);
    }
}

#[test]
fn any_moment_will_do() {
    for stop in 1..25 {
        check(Street::River, options(Precision::Bits16, 25), stop);
    }
}

/// A solution of a spec that is where a file left off.
fn loaded(game: &std::sync::Arc<noregret_holdem::Postflop>, spec: &Spec, file: &ResumeFile) -> Solver {
    let mut solution = Solver::with_options(game.clone(), &spec.solver);
    file.restore(&mut solution).unwrap();
    solution
}

#[test]
fn saving_loading_and_saving_again_gives_the_same_bytes() {
    for street in [Street::River, Street::Turn, Street::Flop] {
        for bits in Precision::ALL {
            let home = Home::new();
            let (first, second) = (home.path(), home.other("again.nrs"));
            let options_all = SaveOptions { regrets: true, ..Default::default() };
            let solver = SolverOptions { algorithm: Algorithm::PdcfrPlus, ..options(bits, 15) };
            solved(tiny(street), solver, |spec, solution, history| {
                save(&first, spec, solution, history, options_all).unwrap();
                let file = ResumeFile::open(&first).unwrap();
                let solution = loaded(solution.game(), spec, &file);
                save(&second, file.spec(), &solution, &file.progress().history, options_all).unwrap();
            });
            assert!(std::fs::read(&first).unwrap() == std::fs::read(&second).unwrap(), "{street} {bits:?}");
        }
    }
}

#[test]
fn a_solution_without_regrets_says_that_it_cannot_go_on_at_once() {
    let home = Home::new();
    solved(tiny(Street::River), options(Precision::Bits32, 10), |spec, solution, history| {
        save(&home.path(), spec, solution, history, SaveOptions::default()).unwrap();
        let file = ResumeFile::open(&home.path()).unwrap();
        assert!(!file.has_state());
        assert_eq!(file.digest(), Some(solution.digest().as_str()));
    });
}

/// Somebody who always checks at the root, with some hands or all.
fn checking(spot: noregret_holdem::Spot, hands: Option<&str>) -> noregret_holdem::Spot {
    let lock = Lock {
        line: Line::default(),
        hands: hands.map(|hands| hands.parse().unwrap()),
        strategy: vec![("check".parse().unwrap(), 1.0)],
        ..Lock::default()
    };
    spot.with_locks(vec![lock]).unwrap()
}

#[test]
fn a_solve_goes_on_with_other_locks() {
    let solver = options(Precision::Bits16, 60);
    let home = Home::new();
    let (whole, small) = (home.path(), home.other("small.nrs"));
    solved(tiny(Street::Turn), solver.clone(), |spec, solution, history| {
        let regrets = SaveOptions { regrets: true, ..Default::default() };
        save(&whole, spec, solution, history, regrets).unwrap();
        save(&small, spec, solution, history, SaveOptions { keep: SavedStreets::Turn, ..Default::default() })
            .unwrap();
    });
    let (whole, small) = (ResumeFile::open(&whole).unwrap(), ResumeFile::open(&small).unwrap());
    let spec = spec(checking(tiny(Street::Turn), None), SolverOptions { max_iterations: 300, ..solver });
    assert_eq!((whole.difference(&spec), small.difference(&spec)), (None, None));
    assert_eq!(
        (whole.continuation_for(&spec.spot), small.continuation_for(&spec.spot)),
        (Continuation::FromRegrets, Continuation::StartOver)
    );
    let game = game(&spec);
    let mut fresh = Solver::with_options(game.clone(), &spec.solver);
    run(&mut fresh, &goal(&spec), |_, _| ControlFlow::Continue(()));
    for file in [&whole, &small] {
        let mut again = Solver::with_options(game.clone(), &spec.solver);
        let earlier = file.resume_in(&mut again, |_| true).unwrap().unwrap();
        assert_eq!(again.iteration(), if file.has_state() { 60 } else { 0 });
        resume(&mut again, &goal(&spec), earlier, |_| ControlFlow::Continue(()));
        assert_eq!(again.frequencies(&Line::default()).unwrap()[0].1, 1.0);
        let apart = again.exploitability_pct() + fresh.exploitability_pct();
        assert!((again.ev(OOP) - fresh.ev(OOP)).abs() < apart / 100.0 * 60.0 + 0.01);
        assert_eq!(again.digest() == fresh.digest(), !file.has_state());
    }
}

#[test]
fn locks_that_tell_suits_apart_leave_nothing_to_go_on_from() {
    let home = Home::new();
    let flop = || tiny(Street::Flop);
    solved(flop(), options(Precision::Bits32, 3), |spec, solution, history| {
        let regrets = SaveOptions { regrets: true, ..Default::default() };
        save(&home.path(), spec, solution, history, regrets).unwrap();
    });
    let file = ResumeFile::open(&home.path()).unwrap();
    assert_eq!(file.continuation_for(&checking(flop(), Some("AA"))), Continuation::FromRegrets);
    assert_eq!(file.continuation_for(&checking(flop(), Some("AcAd"))), Continuation::StartOver);
}
