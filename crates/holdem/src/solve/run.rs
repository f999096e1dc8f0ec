//! Iterating until a target is reached, with measurements of the exploitability on the way.

use super::solver::Solver;
use crate::SolverOptions;
use std::convert::Infallible;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// The first measurement of the exploitability, and the least number of iterations to the next regular one.
const FIRST_CHECK: u32 = 10;

/// When to stop.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StopCondition {
    /// The exploitability that is good enough, in percent of the starting pot; 0 is never reached.
    pub target_pct: f64,
    /// The iteration after which to stop in any case.
    pub max_iterations: u32,
}

impl StopCondition {
    /// What solver options ask for.
    pub fn of(options: &SolverOptions) -> Self {
        Self { target_pct: options.target_exploitability_pct, max_iterations: options.max_iterations }
    }

    /// Solver options that ask for this, and are otherwise as they were.
    #[must_use]
    pub fn applied_to(self, options: SolverOptions) -> SolverOptions {
        SolverOptions {
            target_exploitability_pct: self.target_pct,
            max_iterations: self.max_iterations,
            ..options
        }
    }
}

/// One measurement of the exploitability.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measurement {
    /// After how many iterations.
    pub iteration: u32,
    /// After how long.
    pub elapsed: Duration,
    /// The exploitability, in percent of the starting pot.
    pub exploitability_pct: f64,
}

/// Why a run has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// The target is reached.
    Target,
    /// The last iteration that was asked for is done.
    Iterations,
    /// The observer wanted it.
    Stopped,
}

/// How a run has ended.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// The regular measurements and the last one; there is at least one.
    pub history: Vec<Measurement>,
    /// Why it ended.
    pub reason: StopReason,
}

impl Outcome {
    /// The last measurement, of the strategies as they are now.
    pub fn last(&self) -> Measurement {
        self.history[self.history.len() - 1]
    }
}

/// What came before a run that continues from a file.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PriorRun {
    /// The measurements so far.
    pub history: Vec<Measurement>,
    /// How long it took so far.
    pub elapsed: Duration,
}

/// The progress of a run, between two iterations.
pub struct Progress<'a> {
    /// What is being solved.
    pub solver: &'a Solver,
    /// The regular measurements so far.
    pub history: &'a [Measurement],
    /// How long it took so far.
    pub elapsed: Duration,
}

/// Iterates until the stop condition holds or `observe` breaks, which is called after every iteration with its number and the last
/// regular measurement so far. The exploitability of the final strategies is measured before this returns.
pub fn run(
    solver: &mut Solver,
    condition: &StopCondition,
    mut observe: impl FnMut(u32, Option<&Measurement>) -> ControlFlow<()>,
) -> Outcome {
    let observe = |progress: &Progress<'_>| observe(progress.solver.iteration(), progress.history.last());
    resume(solver, condition, PriorRun::default(), observe)
}

/// As [`run`], continuing from where a solver is. The time that `observe` takes is not counted.
pub fn resume(
    solver: &mut Solver,
    condition: &StopCondition,
    prior: PriorRun,
    mut observe: impl FnMut(&Progress<'_>) -> ControlFlow<()>,
) -> Outcome {
    let start = Instant::now();
    let mut paused = Duration::ZERO;
    let PriorRun { history, elapsed: before } = prior;
    let mut checks = ExploitabilityChecks { condition: *condition, history };
    loop {
        let iteration = solver.iteration();
        let asked = Instant::now();
        let elapsed = before + start.elapsed() - paused;
        let stopped = observe(&Progress { solver, history: &checks.history, elapsed }).is_break();
        paused += asked.elapsed();
        let measured = checks.after(iteration, solver.has_average(), stopped, || {
            let exploitability_pct = solver.exploitability_pct();
            let elapsed = before + start.elapsed() - paused;
            Ok::<_, Infallible>(Measurement { iteration, elapsed, exploitability_pct })
        });
        let Ok(reason) = measured;
        if let Some(reason) = reason {
            return Outcome { history: checks.history, reason };
        }
        solver.iterate();
    }
}

/// The measurements of a run: when they are due, and when they end it.
pub(crate) struct ExploitabilityChecks {
    /// When to stop.
    pub condition: StopCondition,
    /// The regular measurements so far.
    pub history: Vec<Measurement>,
}

impl ExploitabilityChecks {
    /// Measures after an iteration, if that is due or if the run is to stop, and says why the run is over if it is.
    pub fn after<E>(
        &mut self,
        iteration: u32,
        has_average: bool,
        stopped: bool,
        measure: impl FnOnce() -> Result<Measurement, E>,
    ) -> Result<Option<StopReason>, E> {
        let Self { condition, history } = self;
        let finished = iteration >= condition.max_iterations;
        let known = history.pop_if(|check| check.iteration == iteration);
        let regular = is_regular(iteration, history) && has_average;
        let is_due = regular || known.is_some() || predicts_target(iteration, history, condition);
        if !(stopped || finished || (has_average && is_due)) {
            return Ok(None);
        }
        let check = match known {
            Some(known) => known,
            None => measure()?,
        };
        let reached = condition.target_pct > 0.0 && check.exploitability_pct <= condition.target_pct;
        let reasons = [
            (reached, StopReason::Target),
            (finished, StopReason::Iterations),
            (stopped, StopReason::Stopped),
        ];
        let reason = reasons.iter().find(|(holds, _)| *holds).map(|&(_, reason)| reason);
        // The history of a run that continues has regular measurements only: the same with or without an interruption.
        if regular || reason.is_some() {
            history.push(check);
        }
        Ok(reason)
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
fn is_regular(iteration: u32, history: &[Measurement]) -> bool {
    if history.len() < CLOSE_CHECKS {
        return iteration > 0 && iteration.is_multiple_of(FIRST_CHECK);
    }
    let mut regular = FIRST_CHECK;
    while regular < iteration {
        regular = regular.saturating_add(gap(regular));
    }
    regular == iteration
}

/// Whether the target should be reached with this iteration, if the exploitability continues to fall as a power of the iterations,
/// as it did between the last two measurements. If it is not reached, this predicts again a little later.
fn predicts_target(iteration: u32, history: &[Measurement], condition: &StopCondition) -> bool {
    let [.., before, last] = history else { return false };
    let fell = (before.exploitability_pct / last.exploitability_pct).ln();
    let power = fell / (f64::from(last.iteration) / f64::from(before.iteration)).ln();
    let times = (last.exploitability_pct / condition.target_pct).powf(1.0 / power);
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
/// sooner. None before there are three measurements, and while they do not fall: the last iteration alone says little, and is
/// often a hundred times as far.
pub fn time_left(
    history: &[Measurement],
    condition: &StopCondition,
    iteration: u32,
    elapsed: Duration,
) -> Option<Duration> {
    let seconds = elapsed.as_secs_f64();
    let to_end =
        f64::from(condition.max_iterations.saturating_sub(iteration)) * seconds / f64::from(iteration.max(1));
    let point = |check: &Measurement| (check.elapsed.as_secs_f64(), check.exploitability_pct);
    let to_target = match &history[history.len() / 2..] {
        _ if condition.target_pct <= 0.0 => f64::INFINITY,
        [first, .., last] => {
            let ((t0, e0), (t1, e1)) = (point(first), point(last));
            let power = (e0 / e1).ln() / (t1 / t0).ln();
            if !(e1 < e0 && t1 > t0) {
                return None;
            }
            t1 * (e1 / condition.target_pct).powf(1.0 / power) - seconds
        }
        _ => return None,
    };
    let left = to_end.min(to_target).max(0.0);
    (history.len() >= 2).then(|| Duration::try_from_secs_f64(left).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_follows_the_curve() {
        let condition = StopCondition { target_pct: 0.1, max_iterations: 1_000_000 };
        let check = |(seconds, exploitability_pct)| Measurement {
            iteration: 10,
            elapsed: Duration::from_secs_f64(seconds),
            exploitability_pct,
        };
        // Halves with every doubling of time: 0.4% after 10 s is 0.1% after 40 s.
        let history = [(2.5, 1.6), (5.0, 0.8), (10.0, 0.4)].map(check);
        let now = Duration::from_secs(10);
        let left = time_left(&history, &condition, 100, now).unwrap();
        assert!((left.as_secs_f64() - 30.0).abs() < 1e-6, "{left:?}");
        let condition = StopCondition { max_iterations: 150, ..condition };
        assert_eq!(time_left(&history, &condition, 100, now), Some(Duration::from_secs(5)));
        // Two measurements are no curve yet, and one that does not fall leads nowhere.
        assert_eq!(time_left(&history[..1], &condition, 100, now), None);
        assert_eq!(time_left(&history[..2], &condition, 100, now), None);
        let rising = [(2.5, 0.4), (5.0, 0.8), (10.0, 1.6)].map(check);
        assert_eq!(time_left(&rising, &condition, 100, now), None);
        let endless = StopCondition { target_pct: 0.0, max_iterations: 200 };
        assert_eq!(time_left(&history, &endless, 100, now), Some(Duration::from_secs(10)));
    }

    /// When a run is measured whose exploitability falls as a power of its iterations, from 10% after the first ten.
    fn measured(condition: &StopCondition, power: impl Fn(u32) -> f64) -> Vec<u32> {
        let mut history: Vec<Measurement> = Vec::new();
        let mut measured = Vec::new();
        for iteration in 1..=1000 {
            if !is_regular(iteration, &history) && !predicts_target(iteration, &history, condition) {
                continue;
            }
            measured.push(iteration);
            let exploitability_pct = 10.0 * (f64::from(iteration) / 10.0).powf(-power(iteration));
            if exploitability_pct <= condition.target_pct {
                break;
            }
            if is_regular(iteration, &history) {
                history.push(Measurement { iteration, elapsed: Duration::ZERO, exploitability_pct });
            }
        }
        measured
    }

    #[test]
    fn measurements_become_rare_until_the_target_is_near() {
        let condition = |target_pct| StopCondition { target_pct, max_iterations: 1000 };
        assert_eq!(measured(&condition(0.09), |_| 2.0), [10, 20, 30, 40, 60, 80, 106]);
        assert_eq!(measured(&condition(0.07), |_| 2.0), [10, 20, 30, 40, 60, 80, 110, 120]);
        assert_eq!(
            measured(&condition(0.0), |_| 2.0)[6..],
            [110, 140, 180, 230, 290, 370, 470, 590, 740, 930]
        );
        // Slower towards the end than it looked.
        let slows = |iteration| if iteration <= 80 { 2.0 } else { 1.96 };
        assert_eq!(measured(&condition(0.09), slows), [10, 20, 30, 40, 60, 80, 106, 110, 112]);
    }

    #[test]
    fn a_run_that_begins_late_is_measured_soon() {
        let check = |iteration| Measurement { iteration, elapsed: Duration::ZERO, exploitability_pct: 1.0 };
        assert!(is_regular(610, &[]) && !is_regular(605, &[]) && !is_regular(0, &[]));
        assert!(is_regular(640, &[610, 620, 630].map(check)));
        assert!(!is_regular(650, &[610, 620, 630, 640].map(check)));
        assert!(is_regular(740, &[610, 620, 630, 640].map(check)));
    }

    #[test]
    fn what_does_not_fall_is_measured_regularly() {
        let condition = StopCondition { target_pct: 0.1, max_iterations: 1000 };
        let check = |(iteration, exploitability_pct)| Measurement {
            iteration,
            elapsed: Duration::ZERO,
            exploitability_pct,
        };
        let is_there = |history: [(u32, f64); 2]| {
            (21..30).any(|iteration| predicts_target(iteration, &history.map(check), &condition))
        };
        assert!(!is_there([(10, 1.0), (20, 2.0)]));
        assert!(!is_there([(10, 1.0), (20, 1.0)]));
        assert!(!is_there([(10, 0.0), (20, 0.0)]));
        assert!(is_there([(10, 0.2), (20, 0.100_001)]));
    }
}
