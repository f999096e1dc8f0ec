//! Solves that start on a coarser tree.

#[path = "twins/spots.rs"]
#[allow(dead_code)]
mod spots;

use noregret_holdem::{
    Algorithm, GameLayout, Lock, OOP, Outcome, Postflop, Precision, PriorRun, Progress, ResumeFile,
    SaveOptions, Solver, SolverOptions, Spec, Spot, StopCondition, StopReason, WarmStart, resume, run, save,
    save_checkpoint,
};
use std::ops::ControlFlow;
use std::sync::Arc;

fn river() -> Spot {
    spots::spot(
        "QsJh2h8c3d",
        ["TT+,AJs+,KQs,T9s,98s,A5s-A2s", "JJ-66,AQs-A8s,KTs+,QTs+,98s,76s"],
        spots::options(60, 300, "33%, 75%, 150%", "2.5x, 4x, a"),
    )
}

fn turn() -> Spot {
    spots::spot(
        "QsJh2h8c",
        ["AA,KQs:0.5,T9s", "QQ,AJs,98s:0.25,5h4h"],
        spots::options(60, 300, "33%, 75%", "a"),
    )
}

const WARM: WarmStart = WarmStart { enabled: true, iterations: 12, weight: Some(6), sizes: 1 };

fn options(bits: Precision, max_iterations: u32) -> SolverOptions {
    let options = SolverOptions {
        max_iterations,
        target_exploitability_pct: 0.0,
        warm_start: WARM,
        ..SolverOptions::default()
    };
    options.stored_in(bits, bits)
}

fn game(spot: &Spot, options: &SolverOptions) -> Arc<Postflop> {
    GameLayout::new(spot).unwrap().with_warm_start(options).unwrap().build()
}

fn solve(solution: &mut Solver, target_pct: f64, max_iterations: u32) -> Outcome {
    run(solution, &StopCondition { target_pct, max_iterations }, |_, _| ControlFlow::Continue(()))
}

#[test]
fn the_digest_is_the_same_on_any_number_of_threads() {
    for bits in [Precision::Bits32, Precision::Bits16, Precision::Bits8] {
        let options = options(bits, 20);
        let digests: Vec<String> = [1, 2, 4]
            .iter()
            .map(|&threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| {
                    let game = game(&turn(), &options);
                    let mut solution = Solver::with_options(game.clone(), &options);
                    solve(&mut solution, 0.0, 20);
                    solution.digest()
                })
            })
            .collect();
        assert!(digests.iter().all(|digest| *digest == digests[0]), "{bits:?}: {digests:?}");
    }
}

#[test]
fn the_answer_is_worth_what_it_is_without() {
    for algorithm in Algorithm::all() {
        let warm = SolverOptions { algorithm, ..options(Precision::Bits32, 1000) };
        let game = game(&river(), &warm);
        let cold = SolverOptions { warm_start: WarmStart::default(), ..warm.clone() };
        let [(warm, e), (cold, f)] = [warm, cold].map(|options| {
            let mut solution = Solver::with_options(game.clone(), &options);
            let outcome = solve(&mut solution, 0.3, 1000);
            assert_eq!(outcome.reason, StopReason::Target, "{options:?}: {:?}", outcome.last());
            (solution.ev(OOP), outcome.last().exploitability_pct)
        });
        // What a player expects is within twice the exploitability of the value of the game; the pot is 60.
        assert!((warm - cold).abs() <= 2.0 * (e + f) / 100.0 * 60.0, "{algorithm}: {warm} and {cold}");
    }
}

#[test]
fn iterations_count_from_the_weight_on_and_the_average_begins_there() {
    let options = options(Precision::Bits32, 40);
    let game = game(&river(), &options);
    let mut solution = Solver::with_options(game.clone(), &options);
    for coarse in 0..WARM.iterations {
        assert_eq!((solution.coarse_iteration(), solution.iteration()), (Some((coarse, 12)), 0));
        solution.iterate();
    }
    assert_eq!((solution.coarse_iteration(), solution.iteration()), (None, 6));
    let outcome = solve(&mut solution, 0.0, 40);
    let measured: Vec<u32> = outcome.history.iter().map(|check| check.iteration).collect();
    assert_eq!(measured, [10, 20, 30, 40]);

    // At a weight that is a multiple of ten, nothing has been played yet that could be measured.
    let options = SolverOptions { warm_start: WarmStart { weight: Some(20), ..WARM }, ..options };
    let mut solution = Solver::with_options(game.clone(), &options);
    let outcome = solve(&mut solution, 0.0, 21);
    let measured: Vec<u32> = outcome.history.iter().map(|check| check.iteration).collect();
    assert_eq!(measured, [21]);
    // One iteration of the full tree, after regrets of the coarse one that `dcfr` still forgets fast.
    let cold = SolverOptions { warm_start: WarmStart::default(), ..options };
    let cold = solve(&mut Solver::with_options(game.clone(), &cold), 0.0, 1).last().exploitability_pct;
    let warm = outcome.last().exploitability_pct;
    assert!(warm < cold / 2.0, "{warm}% after one iteration, {cold}% without");
}

#[test]
fn locked_hands_play_their_lock_on_both_trees() {
    let locks = || {
        let lock = |line: &str, hands: Option<&str>, strategy: &[(&str, f64)]| Lock {
            line: line.parse().unwrap(),
            hands: hands.map(|hands| hands.parse().unwrap()),
            strategy: strategy.iter().map(|&(step, share)| (step.parse().unwrap(), share)).collect(),
            ..Lock::default()
        };
        // One of a size that the coarser tree would not have, and one at a decision after it.
        vec![
            lock("", Some("AA"), &[("check", 0.25), ("bet 90", 0.75)]),
            lock("bet 90", None, &[("fold", 1.0)]),
        ]
    };
    let options = options(Precision::Bits16, 60);
    let game = game(&river().with_locks(locks()).unwrap(), &options);
    let mut solution = Solver::with_options(game.clone(), &options);
    solve(&mut solution, 0.0, 60);
    let folds = solution.at(&"bet 90".parse().unwrap()).unwrap().frequencies;
    assert!((folds[0] - 1.0).abs() < 1e-6, "{folds:?}");
    let root = solution.root();
    let aces = root.hands[OOP.index()].iter().find(|hand| hand.hole.to_string() == "AsAh").unwrap();
    let strategy = aces.strategy.as_ref().unwrap();
    assert!((strategy[0] - 0.25).abs() < 1e-6 && (strategy[3] - 0.75).abs() < 1e-6, "{strategy:?}");
}

/// Stops a solve when `stop` says so, goes on from its checkpoint, and compares with one that went through.
fn goes_on(solver: SolverOptions, stop: impl Fn(&Solver) -> bool) -> u32 {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("spot.nrc");
    let spec = Spec { spot: turn(), solver, output: Default::default() };
    let goal = StopCondition { target_pct: 0.0, max_iterations: spec.solver.max_iterations };
    let game = game(&spec.spot, &spec.solver);
    let mut through = Solver::with_options(game.clone(), &spec.solver);
    run(&mut through, &goal, |_, _| ControlFlow::Continue(()));

    let mut stopped = Solver::with_options(game.clone(), &spec.solver);
    resume(&mut stopped, &goal, PriorRun::default(), |progress: &Progress<'_>| {
        if !stop(progress.solver) {
            return ControlFlow::Continue(());
        }
        save_checkpoint(&path, &spec, progress.solver, progress.history, progress.elapsed).unwrap();
        ControlFlow::Break(())
    });
    let file = ResumeFile::open(&path).unwrap();
    assert_eq!(file.spec(), &spec);
    let mut again = Solver::with_options(game.clone(), &spec.solver);
    file.restore(&mut again).unwrap();
    assert_eq!(again.coarse_iteration().is_some(), file.progress().iterations == 0);
    run(&mut again, &goal, |_, _| ControlFlow::Continue(()));
    assert_eq!(again.digest(), through.digest(), "{:?}", spec.solver);
    file.progress().iterations
}

#[test]
fn a_solve_that_was_stopped_ends_as_if_nothing_had_happened() {
    for bits in Precision::ALL {
        // On the coarser tree it starts over; when that was just taken over, and later, it goes on.
        let coarse = |solution: &Solver| solution.coarse_iteration() == Some((7, 12));
        assert_eq!(goes_on(options(bits, 20), coarse), 0);
        assert_eq!(goes_on(options(bits, 20), |solution| solution.iteration() == 6), 6);
        assert_eq!(goes_on(options(bits, 20), |solution| solution.iteration() == 13), 13);
    }
}

#[test]
fn a_solution_without_regrets_is_made_again_from_the_coarser_tree_on() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("spot.nrs");
    let spec = Spec { spot: turn(), solver: options(Precision::Bits8, 15), output: Default::default() };
    let game = game(&spec.spot, &spec.solver);
    let mut solution = Solver::with_options(game.clone(), &spec.solver);
    let outcome = solve(&mut solution, 0.0, 15);
    save(&path, &spec, &solution, &outcome.history, SaveOptions::default()).unwrap();
    let file = ResumeFile::open(&path).unwrap();
    assert!(!file.has_state());
    let mut again = Solver::with_options(game.clone(), &spec.solver);
    while again.iteration() < file.progress().iterations {
        again.iterate();
    }
    assert_eq!(file.digest(), Some(again.digest().as_str()));
}

#[test]
fn what_cannot_start_on_a_coarser_tree_says_why() {
    let refused = |spot: &Spot, warm_start: WarmStart, max_iterations: u32| {
        let options = SolverOptions { warm_start, max_iterations, ..SolverOptions::default() };
        GameLayout::new(spot).unwrap().with_warm_start(&options).err().unwrap().to_string()
    };
    let single =
        spots::spot("QsJh2h8c3d", ["AA,QJs", "KK,JTs"], spots::options(60, 300, "75%, a", "2.5x, a"));
    assert_eq!(
        refused(&single, WARM, 100),
        "solver.warm_start: no decision has more than 1 size besides all-in, so a coarser tree would be the same: give more \
         bet sizes, or turn the warm start off (`enabled = false`)"
    );
    assert_eq!(
        refused(&river(), WarmStart { sizes: 3, ..WARM }, 100),
        "solver.warm_start: no decision has more than 3 sizes besides all-in, so a coarser tree would be the same: give more \
         bet sizes or lower `sizes`, or turn the warm start off (`enabled = false`)"
    );
    assert_eq!(
        refused(&river(), WARM, 6),
        "solver.warm_start.weight: the solve goes on from iteration 6 and would be over at once, as max_iterations is 6: raise \
         max_iterations or lower `weight`"
    );
    let off = SolverOptions { warm_start: WarmStart { enabled: false, ..WARM }, ..SolverOptions::default() };
    assert!(GameLayout::new(&single).unwrap().with_warm_start(&off).is_ok());
}
