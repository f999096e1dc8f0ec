//! Solving until it is good enough.

use crate::Solution;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// The first measurement of the exploitability, and the least number of iterations to the next regular one.
const FIRST_CHECK: u32 = 10;

/// When to stop.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Goal {
    /// The exploitability that is good enough, in percent of the starting pot; 0 is never reached.
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
    /// The regular measurements and the last one; there is at least one.
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

/// What came before a run that goes on from a file.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Earlier {
    /// The measurements so far.
    pub history: Vec<Checked>,
    /// How long it took so far.
    pub elapsed: Duration,
}

/// A run between two iterations.
pub struct Moment<'a, 'g> {
    /// What is being solved.
    pub solution: &'a Solution<'g>,
    /// The regular measurements so far.
    pub history: &'a [Checked],
    /// How long it took so far.
    pub elapsed: Duration,
}

/// Iterates until the goal is reached or `observe`, which is called after every iteration with its number and the last
/// regular measurement so far, breaks. The exploitability of what has been reached is measured before this returns.
pub fn run(
    solution: &mut Solution<'_>,
    goal: &Goal,
    mut observe: impl FnMut(u32, Option<&Checked>) -> ControlFlow<()>,
) -> Outcome {
    let observe = |moment: &Moment<'_, '_>| observe(moment.solution.iteration(), moment.history.last());
    resume(solution, goal, Earlier::default(), observe)
}

/// As [`run`], going on from where a solution is. What `observe` takes is not counted as time.
pub fn resume(
    solution: &mut Solution<'_>,
    goal: &Goal,
    earlier: Earlier,
    mut observe: impl FnMut(&Moment<'_, '_>) -> ControlFlow<()>,
) -> Outcome {
    let start = Instant::now();
    let mut paused = Duration::ZERO;
    let Earlier { mut history, elapsed: before } = earlier;
    loop {
        let iteration = solution.iteration();
        let asked = Instant::now();
        let elapsed = before + start.elapsed() - paused;
        let stopped = observe(&Moment { solution, history: &history, elapsed }).is_break();
        paused += asked.elapsed();
        let finished = iteration >= goal.max_iterations;
        let known = history.pop_if(|check| check.iteration == iteration);
        let regular = is_regular(iteration, &history) && solution.has_average();
        let is_due = regular || known.is_some() || should_be_there(iteration, &history, goal);
        if stopped || finished || (solution.has_average() && is_due) {
            let check = known.unwrap_or_else(|| {
                let exploitability_pct = solution.exploitability_pct();
                Checked { iteration, elapsed: before + start.elapsed() - paused, exploitability_pct }
            });
            let reached = goal.target_pct > 0.0 && check.exploitability_pct <= goal.target_pct;
            let ending =
                [(reached, Ending::Target), (finished, Ending::Iterations), (stopped, Ending::Stopped)];
            let ending = ending.iter().find(|(holds, _)| *holds);
            // What goes on is told as if nobody had looked: the same with or without a break.
            if regular || ending.is_some() {
                history.push(check);
            }
            if let Some(&(_, ending)) = ending {
                return Outcome { history, ending };
            }
        }
        solution.iterate();
    }
}

/// Iterations from a regular measurement to the next. One takes more than half as long as an iteration, so that they become
/// rarer: after 10, 20, 30, 40, 60, 80, 110 iterations and so on.
fn gap(iteration: u32) -> u32 {
    FIRST_CHECK.saturating_mul(1 + iteration / (4 * FIRST_CHECK))
}

/// How many measurements come at the least distance, wherever a run begins.
const CLOSE_CHECKS: usize = 4;

/// Whether the exploitability is measured after this iteration in any case, where `history` came before.
fn is_regular(iteration: u32, history: &[Checked]) -> bool {
    if history.len() < CLOSE_CHECKS {
        return iteration > 0 && iteration.is_multiple_of(FIRST_CHECK);
    }
    let mut regular = FIRST_CHECK;
    while regular < iteration {
        regular = regular.saturating_add(gap(regular));
    }
    regular == iteration
}

/// Whether the target should be reached with this iteration, if the exploitability goes on falling as a power of the iterations
/// as it did between the last two measurements. If it is not, this says so again a little later.
fn should_be_there(iteration: u32, history: &[Checked], goal: &Goal) -> bool {
    let [.., before, last] = history else { return false };
    let fell = (before.exploitability_pct / last.exploitability_pct).ln();
    let power = fell / (f64::from(last.iteration) / f64::from(before.iteration)).ln();
    let times = (last.exploitability_pct / goal.target_pct).powf(1.0 / power);
    let reached = (f64::from(last.iteration) * times).ceil();
    if !(power > 0.0 && reached < f64::from(last.iteration.saturating_add(gap(last.iteration)))) {
        return false;
    }
    // Not every iteration counts in the average, and a few more do not cost much.
    let first = (reached as u32).next_multiple_of(2).max(last.iteration + 2);
    let step = 2 * (1 + last.iteration / 50);
    iteration >= first && (iteration - first).is_multiple_of(step)
}

/// The time to the target if the exploitability goes on falling as a power of time, or to the last iteration if that comes
/// sooner; none before there are two measurements.
pub fn time_left(history: &[Checked], goal: &Goal, iteration: u32, elapsed: Duration) -> Option<Duration> {
    let seconds = elapsed.as_secs_f64();
    let to_end =
        f64::from(goal.max_iterations.saturating_sub(iteration)) * seconds / f64::from(iteration.max(1));
    let point = |check: &Checked| (check.elapsed.as_secs_f64(), check.exploitability_pct);
    let to_target = match (&history[history.len() / 2..], goal.target_pct > 0.0) {
        ([first, .., last], true) => {
            let ((t0, e0), (t1, e1)) = (point(first), point(last));
            let power = (e0 / e1).ln() / (t1 / t0).ln();
            if e1 < e0 && t1 > t0 {
                t1 * (e1 / goal.target_pct).powf(1.0 / power) - seconds
            } else {
                f64::INFINITY
            }
        }
        _ => f64::INFINITY,
    };
    let left = to_end.min(to_target).max(0.0);
    (history.len() >= 2).then(|| Duration::try_from_secs_f64(left).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_follows_the_curve() {
        let goal = Goal { target_pct: 0.1, max_iterations: 1_000_000 };
        let check = |(seconds, exploitability_pct)| Checked {
            iteration: 10,
            elapsed: Duration::from_secs_f64(seconds),
            exploitability_pct,
        };
        // Halves with every doubling of time: 0.4% after 10 s is 0.1% after 40 s.
        let history = [(2.5, 1.6), (5.0, 0.8), (10.0, 0.4)].map(check);
        let now = Duration::from_secs(10);
        let left = time_left(&history, &goal, 100, now).unwrap();
        assert!((left.as_secs_f64() - 30.0).abs() < 1e-6, "{left:?}");
        let goal = Goal { max_iterations: 150, ..goal };
        assert_eq!(time_left(&history, &goal, 100, now), Some(Duration::from_secs(5)));
        assert_eq!(time_left(&history[..1], &goal, 100, now), None);
    }

    /// When a run is measured whose exploitability falls as a power of its iterations, from 10% after the first ten.
    fn measured(goal: &Goal, power: impl Fn(u32) -> f64) -> Vec<u32> {
        let mut history: Vec<Checked> = Vec::new();
        let mut measured = Vec::new();
        for iteration in 1..=1000 {
            if !is_regular(iteration, &history) && !should_be_there(iteration, &history, goal) {
                continue;
            }
            measured.push(iteration);
            let exploitability_pct = 10.0 * (f64::from(iteration) / 10.0).powf(-power(iteration));
            if exploitability_pct <= goal.target_pct {
                break;
            }
            if is_regular(iteration, &history) {
                history.push(Checked { iteration, elapsed: Duration::ZERO, exploitability_pct });
            }
        }
        measured
    }

    #[test]
    fn measurements_become_rare_until_the_target_is_near() {
        let goal = |target_pct| Goal { target_pct, max_iterations: 1000 };
        assert_eq!(measured(&goal(0.09), |_| 2.0), [10, 20, 30, 40, 60, 80, 106]);
        assert_eq!(measured(&goal(0.07), |_| 2.0), [10, 20, 30, 40, 60, 80, 110, 120]);
        assert_eq!(measured(&goal(0.0), |_| 2.0)[6..], [110, 140, 180, 230, 290, 370, 470, 590, 740, 930]);
        // Slower towards the end than it looked.
        let slows = |iteration| if iteration <= 80 { 2.0 } else { 1.96 };
        assert_eq!(measured(&goal(0.09), slows), [10, 20, 30, 40, 60, 80, 106, 110, 112]);
    }

    #[test]
    fn a_run_that_begins_late_is_looked_at_soon() {
        let check = |iteration| Checked { iteration, elapsed: Duration::ZERO, exploitability_pct: 1.0 };
        assert!(is_regular(610, &[]) && !is_regular(605, &[]) && !is_regular(0, &[]));
        assert!(is_regular(640, &[610, 620, 630].map(check)));
        assert!(!is_regular(650, &[610, 620, 630, 640].map(check)));
        assert!(is_regular(740, &[610, 620, 630, 640].map(check)));
    }

    #[test]
    fn what_does_not_fall_is_measured_regularly() {
        let goal = Goal { target_pct: 0.1, max_iterations: 1000 };
        let check = |(iteration, exploitability_pct)| Checked {
            iteration,
            elapsed: Duration::ZERO,
            exploitability_pct,
        };
        let is_there = |history: [(u32, f64); 2]| {
            (21..30).any(|iteration| should_be_there(iteration, &history.map(check), &goal))
        };
        assert!(!is_there([(10, 1.0), (20, 2.0)]));
        assert!(!is_there([(10, 1.0), (20, 1.0)]));
        assert!(!is_there([(10, 0.0), (20, 0.0)]));
        assert!(is_there([(10, 0.2), (20, 0.100_001)]));
    }
}
