//! Small saves.

use crate::common::{game, solve, spec, tiny};
use noregret_holdem::cards::Street;
use noregret_holdem::{Keep, SaveOptions, Saved, Solution, SolverOptions, Spot, save};
use tempfile::TempDir;

fn experiment(spot: Spot, keep: Keep, target: f64) {
    let solver =
        SolverOptions { target_exploitability_pct: target, max_iterations: 5000, ..Default::default() };
    let spec = spec(spot, solver);
    let game = game(&spec);
    let (solution, history) = solve(&game, &spec);
    let home = TempDir::new().unwrap();
    let path = home.path().join("spot.nrs");
    save(&path, &spec, &solution, &history, SaveOptions { keep, regrets: false }).unwrap();
    let saved = Saved::open(&path).unwrap();
    let mut stitched = Solution::new(&game);
    let t = std::time::Instant::now();
    saved.fill(&mut stitched).unwrap();
    println!(
        "{keep}: {} its, saved {:.5} stitched {:.5}  ev {:?} {:?} in {:?} {} bytes",
        solution.iteration(),
        solution.exploitability_pct(),
        stitched.exploitability_pct(),
        saved.summary().ev,
        stitched.ev(noregret_holdem::OOP),
        t.elapsed(),
        std::fs::metadata(&path).unwrap().len()
    );
}

#[test]
fn experiments() {
    for target in [0.3, 0.1] {
        let options = crate::spots::options(60, 300, "60%", "2.5x,a");
        experiment(
            crate::spots::spot(
                "QsJh2h8c",
                ["TT+,AJs+,KQs,T9s,98s,A5s-A2s", "JJ-66,AQs-A8s,KTs+,QTs+,98s,76s"],
                options,
            ),
            Keep::Turn,
            target,
        );
    }
}
