//! Small saves: walking into a street that was left out solves it again, the same way each time, and safely.

use crate::common::{Home, lines, options, solved, studied, tiny};
use crate::spots;
use noregret_holdem::cards::Street;
use noregret_holdem::{
    BettingNodeKind, IP, OOP, Precision, SaveOptions, SavedStreets, SolutionFile, Solver, SolverOptions,
    Spot, save,
};

/// Saves a spot that was solved to a target, and opens it.
fn saved(home: &Home, spot: Spot, keep: SavedStreets, target: f64) -> (SolutionFile, f64) {
    let solver =
        SolverOptions { target_exploitability_pct: target, max_iterations: 5000, ..Default::default() };
    let mut exploitability = 0.0;
    solved(spot, solver, |spec, solution, history| {
        save(&home.path(), spec, solution, history, SaveOptions { keep, regrets: false }).unwrap();
        exploitability = solution.exploitability_pct();
    });
    (SolutionFile::open(&home.path()).unwrap(), exploitability)
}

/// A best response over the whole strategy, kept and re-solved, gains no more than over the saved one.
fn check_safe(spot: Spot, keep: SavedStreets, target: f64) {
    let home = Home::new();
    let (saved, before) = saved(&home, spot, keep, target);
    let mut stitched = Solver::new(saved.game().clone());
    saved.fill(&mut stitched).unwrap();
    let after = stitched.exploitability_pct();
    println!("--save {keep}: saved at {before:.4}%, stitched {after:.4}%, target {target}%");
    assert!(before <= target && after <= before, "saved at {before}, stitched {after}");
    // What the root expects stays what it was, up to what both strategies give away.
    let pot = saved.spec().spot.options().starting_pot.as_f64();
    for player in [OOP, IP] {
        let (ev, again) = (saved.summary().ev[player.index()], stitched.ev(player));
        assert!((ev - again).abs() <= 2.0 * (before + after) / 100.0 * pot, "{ev} {again}");
    }
}

#[test]
fn a_best_response_gains_no_more_from_a_turn_whose_rivers_were_left_out() {
    for target in [1.0, 0.3, 0.1] {
        check_safe(tiny(Street::Turn), SavedStreets::Turn, target);
    }
    for target in [0.5, 0.3, 0.1] {
        check_safe(studied(Street::Turn), SavedStreets::Turn, target);
    }
}

#[test]
fn a_best_response_gains_no_more_from_a_flop_whose_turns_were_left_out() {
    check_safe(tiny(Street::Flop), SavedStreets::Flop, 0.5);
}

#[test]
fn a_best_response_gains_no_more_from_a_flop_whose_rivers_were_left_out() {
    check_safe(tiny(Street::Flop), SavedStreets::Turn, 0.5);
}

#[test]
fn rake_does_not_matter_to_safety() {
    let mut spot = tiny(Street::Turn);
    let mut options = spot.options().clone();
    options.rake = noregret_holdem::Rake { rate: 0.05, cap: Some(3.0) };
    spot = Spot::new([OOP, IP].map(|player| spot.range(player).clone()), *spot.board(), options).unwrap();
    check_safe(spot, SavedStreets::Turn, 0.3);
}

#[test]
fn what_is_kept_reads_as_in_memory_and_the_rest_reads_the_same_each_time() {
    let cases = [
        (Street::Turn, SavedStreets::Turn, 13),
        (Street::Flop, SavedStreets::Flop, 41),
        (Street::Flop, SavedStreets::Turn, 41),
    ];
    for (street, keep, step) in cases {
        let home = Home::new();
        solved(tiny(street), options(Precision::Bits16, 20), |spec, solution, history| {
            save(&home.path(), spec, solution, history, SaveOptions { keep, regrets: false }).unwrap();
            let [first, second] = [1, 3].map(|threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| {
                    let saved = SolutionFile::open(&home.path()).unwrap();
                    let mut lines = lines(solution.game(), step);
                    // The order of looking does not matter either.
                    if threads == 3 {
                        lines.reverse();
                    }
                    let mut views: Vec<_> = lines.iter().map(|line| saved.at(line).unwrap()).collect();
                    if threads == 3 {
                        views.reverse();
                    }
                    views
                })
            });
            assert_eq!(first, second);
            let mut left_out = 0;
            for (line, view) in lines(solution.game(), step).iter().zip(first) {
                if view.board.street() <= keep.last() {
                    assert_eq!(view, solution.at(line).unwrap(), "`{line}`");
                    continue;
                }
                left_out += 1;
                let memory = solution.at(line).unwrap();
                assert_eq!(
                    (view.node, view.player, &view.actions),
                    (memory.node, memory.player, &memory.actions)
                );
                for player in [OOP, IP] {
                    let hands = view.hands[player.index()].iter().zip(&memory.hands[player.index()]);
                    assert!(hands.clone().all(|(view, memory)| view.hole == memory.hole), "`{line}`");
                    let decides =
                        solution.game().betting()[view.node].kind == BettingNodeKind::Decision(player);
                    assert!(hands.clone().all(|(view, _)| decides || view.strategy.is_none()));
                }
            }
            assert!(left_out > 2, "{left_out}");
        });
    }
}

#[test]
fn a_small_save_is_smaller() {
    let home = Home::new();
    let sizes = [SavedStreets::Flop, SavedStreets::Turn, SavedStreets::Full].map(|keep| {
        solved(tiny(Street::Flop), options(Precision::Bits32, 20), |spec, solution, history| {
            save(&home.path(), spec, solution, history, SaveOptions { keep, regrets: false }).unwrap();
        });
        std::fs::metadata(home.path()).unwrap().len()
    });
    assert!(sizes[0] < sizes[1] && sizes[1] < sizes[2], "{sizes:?}");
}

#[test]
fn many_may_read_one_file_at_once() {
    let home = Home::new();
    let (saved, _) = saved(&home, tiny(Street::Turn), SavedStreets::Turn, 1.0);
    let lines = lines(saved.game(), 17);
    let views: Vec<_> = std::thread::scope(|scope| {
        let read = || lines.iter().map(|line| saved.at(line).unwrap()).collect::<Vec<_>>();
        let readers: Vec<_> = (0..3).map(|_| scope.spawn(read)).collect();
        readers.into_iter().map(|reader| reader.join().unwrap()).collect()
    });
    assert!(views.iter().all(|view| *view == views[0]));
}

#[test]
fn a_turn_that_leaves_a_player_no_hand_is_saved_too() {
    for ranges in [["AsAh", "KK"], ["KK", "AsAh"]] {
        for keep in [SavedStreets::Flop, SavedStreets::Turn, SavedStreets::Full] {
            let home = Home::new();
            let spot = spots::spot("QsJh2c", ranges, spots::options(60, 150, "a", "a"));
            solved(spot, options(Precision::Bits32, 3), |spec, solution, history| {
                save(&home.path(), spec, solution, history, SaveOptions { keep, regrets: false }).unwrap();
                let saved = SolutionFile::open(&home.path()).unwrap();
                for line in ["check, check, 3d", "check, check, Ah"] {
                    let view = saved.at(&line.parse().unwrap()).unwrap();
                    let hands = view.hands.each_ref().map(Vec::len);
                    assert_eq!(hands.contains(&0), line.ends_with("Ah"), "{line}, {hands:?}");
                }
            });
        }
    }
}
