//! Solving until it is good enough.

use crate::Solution;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// Iterations between two measurements of the exploitability.
const CHECK_EVERY: u32 = 10;

/// When to stop.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Goal {
    /// The exploitability that is good enough, in percent of the starting pot.
    pub target_pct: f64,
    /// The iteration after which to stop in any case.
    pub max_iterations: u32,
}

/// One measurement.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Checked {
    /// After how many iterations.
    pub iteration: u32,
    /// After how long.
    pub elapsed: Duration,
    /// The exploitability, in percent of the starting pot.
    pub exploitability_pct: f64,
}

/// Why a run has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The target is reached.
    Target,
    /// The last iteration that was asked for is done.
    Iterations,
    /// The observer wanted it.
    Stopped,
}

/// What a run has come to.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// All measurements; there is at least one.
    pub history: Vec<Checked>,
    /// Why it ended.
    pub ending: Ending,
}

impl Outcome {
    /// The last measurement, of the strategies as they are now.
    pub fn last(&self) -> Checked {
        self.history[self.history.len() - 1]
    }
}

/// Iterates until the goal is reached or `observe`, which is called after every iteration with its number and the last
/// measurement so far, breaks. The exploitability of what has been reached is measured before this returns.
pub fn run(
    solution: &mut Solution<'_>,
    goal: &Goal,
    mut observe: impl FnMut(u32, Option<&Checked>) -> ControlFlow<()>,
) -> Outcome {
    let start = Instant::now();
    let mut history: Vec<Checked> = Vec::new();
    loop {
        let iteration = solution.iteration();
        let stopped = observe(iteration, history.last()).is_break();
        let finished = iteration >= goal.max_iterations;
        if stopped || finished || (iteration > 0 && iteration.is_multiple_of(CHECK_EVERY)) {
            let exploitability_pct = solution.exploitability_pct();
            history.push(Checked { iteration, elapsed: start.elapsed(), exploitability_pct });
            let reached = exploitability_pct <= goal.target_pct;
            let ending =
                [(reached, Ending::Target), (finished, Ending::Iterations), (stopped, Ending::Stopped)];
            if let Some(&(_, ending)) = ending.iter().find(|(holds, _)| *holds) {
                return Outcome { history, ending };
            }
        }
        solution.iterate();
    }
}
