//! How long the two spots of the marks take: `cargo bench -p noregret-holdem --bench spots -- [NAME…]`.
//!
//! Prints iterations, seconds and memory at 1, 0.5, 0.3 and 0.1% exploitability. Names are those of `examples/`.

use noregret_holdem::{Checked, Goal, Outline, Solution, Spec, run};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

const MARKS: [f64; 4] = [1.0, 0.5, 0.3, 0.1];

fn main() {
    let names: Vec<String> = std::env::args().skip(1).filter(|name| !name.starts_with('-')).collect();
    let names = if names.is_empty() { vec!["turn".to_owned(), "three-bet-pot".to_owned()] } else { names };
    println!("{} threads", rayon::current_num_threads());
    for name in names {
        bench(&name);
    }
}

fn bench(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name).with_extension("toml");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let spec: Spec = text.parse().unwrap_or_else(|error| panic!("{name}: {error}"));
    let start = Instant::now();
    let outline = Outline::new(&spec.spot).unwrap_or_else(|error| panic!("{name}: {error}"));
    let memory = outline.size(&spec.solver).memory;
    let game = outline.build();
    let built = start.elapsed().as_secs_f64();
    let mut solution = Solution::with_options(&game, &spec.solver);
    let goal = Goal { target_pct: MARKS[MARKS.len() - 1], max_iterations: 1000 };
    let outcome = run(&mut solution, &goal, |_, _| ControlFlow::Continue(()));
    let memory = memory.total() as f64 / 1e6;
    println!("{name}: built in {built:.2} s, {memory:.1} MB");
    for mark in MARKS {
        match outcome.history.iter().find(|check| check.exploitability_pct <= mark) {
            Some(Checked { iteration, elapsed, .. }) => {
                println!("  {mark:>4}%  {iteration:>5} iterations  {:>8.2} s", elapsed.as_secs_f64());
            }
            None => println!("  {mark:>4}%  not reached"),
        }
    }
}
