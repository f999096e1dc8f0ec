//! Leaving out what cannot matter changes nothing; leaving out what nobody wants changes nothing that counts.

use crate::locks::lock;
use crate::spots::{options, spot};
use noregret_cfr::{ArrayKind, Deal, Game, Player, Precision, Trainer};
use noregret_holdem::{Algorithm, GameLayout, IP, OOP, Postflop, Solver, SolverOptions, Spot};
use std::sync::Arc;

/// A turn with many sizes, so that lines die and come back, and rivers fall into several tiles.
fn many_sizes() -> Spot {
    spot(
        "Td9d6hQc",
        ["AA,KQs,JTs,87s:0.5", "QTs,J8s,99,A5s:0.75"],
        options(100, 900, "33%, 75%, 150%", "60%"),
    )
}

/// The iteration in which each root tree of the last round was last updated, of both players.
fn last_updates(trainer: &Trainer<Postflop>) -> Vec<u32> {
    let game = trainer.game();
    let round = game.tree().round_count() - 1;
    let mut last_updates = Vec::new();
    for index in 0..game.deal_count(round) {
        for root in game.tree().roots(round) {
            for player in Player::BOTH {
                let array = trainer.encode(Deal { round, index }, root, player, ArrayKind::Regrets);
                // Where nobody decides, as after an all-in, nothing is updated.
                last_updates.extend(array.last_update.filter(|_| !array.numbers.is_empty()));
            }
        }
    }
    last_updates
}

/// Solves with and without skipping, checks that every number is the same, and says how many root trees were skipped and
/// updated again later.
fn compare(game: &Arc<Postflop>, solver: &SolverOptions, iterations: u32) -> (usize, usize) {
    let storage = solver.storage(game.spot().board().street());
    let start = || Trainer::with_storage(game.clone(), solver.schedule(), &storage).pruning(solver.prunes);
    let (mut skipping, mut visiting) = (start(), start().without_skipping());
    let (mut slept, mut woke) = (0, 0);
    let mut before = last_updates(&skipping);
    for iteration in 1..=iterations {
        skipping.iterate();
        visiting.iterate();
        let now = last_updates(&skipping);
        slept += now.iter().filter(|&&last| last < iteration).count();
        let wakes = |(&last, &now): (&u32, &u32)| last + 1 < iteration && now == iteration;
        woke += before.iter().zip(&now).filter(|&pair| wakes(pair)).count();
        before = now;
    }
    assert_eq!(skipping.average().digest(), visiting.average().digest());
    for round in 0..game.tree().round_count() {
        for index in 0..game.deal_count(round) {
            for root in game.tree().roots(round) {
                for player in Player::BOTH {
                    let all = |trainer: &Trainer<Postflop>, kind| {
                        trainer.encode(Deal { round, index }, root, player, kind)
                    };
                    for kind in [ArrayKind::Regrets, ArrayKind::Predictions, ArrayKind::Strategy] {
                        assert_eq!(all(&skipping, kind), all(&visiting, kind), "{kind:?} of deal {index}");
                    }
                }
            }
        }
    }
    (slept, woke)
}

#[test]
fn skipping_where_nobody_comes_gives_the_same_bits() {
    let game = GameLayout::new(&many_sizes()).unwrap().build();
    let (mut slept, mut woke) = (0, 0);
    for algorithm in [Algorithm::Dcfr, Algorithm::CfrPlus, Algorithm::PdcfrPlus, Algorithm::HsDcfr] {
        for precision in Precision::ALL {
            let options =
                SolverOptions { algorithm, ..SolverOptions::default() }.stored_in(precision, precision);
            let (more_slept, more_woke) = compare(&game, &options, 12);
            println!("{algorithm} {precision:?}: {more_slept} slept, {more_woke} woke");
            slept += more_slept;
            woke += more_woke;
        }
    }
    assert!(slept > 0 && woke > 0, "{slept} slept, {woke} woke");
}

#[test]
fn what_a_lock_makes_unreachable_sleeps() {
    let spot = many_sizes().with_locks(vec![lock("", None, &[("check", 1.0)])]).unwrap();
    let game = GameLayout::new(&spot).unwrap().build();
    let (slept, _) = compare(&game, &SolverOptions::default(), 6);
    assert!(slept > 0);
}

#[test]
fn pruning_ends_at_the_same_values() {
    let game = GameLayout::new(&many_sizes()).unwrap().build();
    let solve = |prunes| {
        let mut solution =
            Solver::with_options(game.clone(), &SolverOptions { prunes, ..SolverOptions::default() });
        while solution.exploitability_pct() > 0.1 {
            (0..10).for_each(|_| solution.iterate());
            assert!(solution.iteration() < 600, "{}%", solution.exploitability_pct());
        }
        (solution.ev(OOP), solution.ev(IP), solution.iteration())
    };
    let (plain, pruned) = (solve(false), solve(true));
    println!("{plain:?} without, {pruned:?} with pruning");
    // Each is at most 0.1% of the pot of 100, for both players together twice that, away from the value of the game.
    assert!((plain.0 - pruned.0).abs() < 0.4 && (plain.1 - pruned.1).abs() < 0.4);
    assert_ne!(plain, pruned, "nothing was ever pruned");
}

#[test]
fn pruning_gives_the_same_bits_on_any_number_of_threads_and_with_or_without_skipping() {
    let game = GameLayout::new(&many_sizes()).unwrap().build();
    for precision in Precision::ALL {
        let options =
            SolverOptions { prunes: true, ..SolverOptions::default() }.stored_in(precision, precision);
        compare(&game, &options, 20);
        let digest = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut solution = Solver::with_options(game.clone(), &options);
                (0..20).for_each(|_| solution.iterate());
                solution.digest()
            })
        };
        let one = digest(1);
        assert_eq!([digest(2), digest(3)], [one.clone(), one], "{precision:?}");
    }
}
