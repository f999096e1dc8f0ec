//! Times saving, opening and re-solving of the three-bet pot: `cargo bench -p noregret-holdem --bench saves`.

use noregret_holdem::{
    GameLayout, Line, SaveOptions, SavedStreets, SolutionFile, Solver, Spec, StopCondition, run, save,
    save_checkpoint,
};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

/// One line into each of the streets, with the river and the turn that are looked at first.
const LINES: [(&str, &str); 4] = [
    ("flop", "check"),
    ("turn", "check, bet 94, call, Th"),
    ("river", "check, bet 94, call, Th, check, check, 5c"),
    ("another river of the same line", "check, bet 94, call, Th, check, check, Ad, check"),
];

fn timed<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    println!("{what}: {:.1} ms", 1000.0 * start.elapsed().as_secs_f64());
    result
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/three-bet-pot.toml");
    let spec: Spec = std::fs::read_to_string(path)?.parse()?;
    let game = GameLayout::new(&spec.spot)?.build();
    let mut solution = Solver::with_options(game.clone(), &spec.solver);
    let goal = StopCondition { target_pct: spec.solver.target_exploitability_pct, max_iterations: 1000 };
    let outcome = timed("solve", || run(&mut solution, &goal, |_, _| ControlFlow::Continue(())));
    let home = tempfile::tempdir()?;
    for (keep, regrets) in [
        (SavedStreets::Full, true),
        (SavedStreets::Full, false),
        (SavedStreets::Turn, false),
        (SavedStreets::Flop, false),
    ] {
        let path = home.path().join("spot.nrs");
        println!("\n--save {keep}{}", if regrets { " --save-regrets" } else { "" });
        timed("save", || save(&path, &spec, &solution, &outcome.history, SaveOptions { keep, regrets }))?;
        println!("size: {:.2} MB", std::fs::metadata(&path)?.len() as f64 / 1e6);
        let saved = timed("open", || SolutionFile::open(&path))?;
        for (street, line) in LINES {
            let line: Line = line.parse()?;
            timed(&format!("first look at a {street}, `{line}`"), || saved.frequencies(&line))?;
            timed("  everything there", || saved.at(&line))?;
        }
    }
    let path = home.path().join("spot.nrc");
    println!("\ncheckpoint");
    timed("save", || save_checkpoint(&path, &spec, &solution, &outcome.history, Duration::ZERO))?;
    println!("size: {:.2} MB", std::fs::metadata(&path)?.len() as f64 / 1e6);
    Ok(())
}
