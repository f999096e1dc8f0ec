//! The bar that moves while a spot is being solved.

use crate::failure::Failure;
use indicatif::{ProgressBar, ProgressStyle};
use noregret_holdem::{Checked, Goal, Moment};
use std::time::Duration;

/// A bar on standard error, if that is a terminal. It fills as the exploitability falls towards the target.
pub struct Progress {
    bar: ProgressBar,
    goal: Goal,
    /// The iteration and the second at which it was first seen.
    first: Option<(u32, f64)>,
    checks: Vec<(f64, f64)>,
    label: String,
}

const STEPS: u64 = 1000;

impl Progress {
    pub fn new(goal: &Goal) -> Self {
        Self::labelled(goal, String::new())
    }

    /// A bar that says which run of several it is for.
    pub fn labelled(goal: &Goal, label: String) -> Self {
        let bar = ProgressBar::new(STEPS);
        let style = ProgressStyle::with_template("{wide_bar:.cyan/blue} {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("━━─"));
        Self { bar, goal: *goal, first: None, checks: Vec::new(), label }
    }

    /// Shows how far a solve is, on whichever tree.
    pub fn show(&mut self, moment: &Moment<'_, '_>) {
        match moment.solution.coarse_iteration() {
            Some((now, of)) => {
                self.first = None;
                self.bar.set_message(format!("{}coarse tree: iteration {now} of {of}", self.label()));
            }
            None => self.update(moment.solution.iteration(), moment.elapsed, moment.history.last()),
        }
    }

    fn label(&self) -> String {
        if self.label.is_empty() { String::new() } else { format!("{} · ", self.label) }
    }

    pub fn update(&mut self, iteration: u32, elapsed: Duration, checked: Option<&Checked>) {
        if let Some(checked) = checked
            .filter(|checked| self.checks.last().is_none_or(|last| checked.elapsed.as_secs_f64() > last.0))
        {
            self.checks.push((checked.elapsed.as_secs_f64(), checked.exploitability_pct));
        }
        if self.bar.is_hidden() {
            return;
        }
        let seconds = elapsed.as_secs_f64();
        let (from, since) = *self.first.get_or_insert((iteration, seconds));
        let rate = f64::from(iteration - from) / (seconds - since).max(1e-9);
        let by_count = f64::from(iteration) / f64::from(self.goal.max_iterations.max(1));
        let label = self.label();
        let mut message = format!("{label}iteration {iteration} · {rate:.*}/s", usize::from(rate < 10.0));
        let mut done = by_count;
        if let Some(&(_, now)) = self.checks.last() {
            message += &format!(" · exploitability {now:.3}% → {}%", self.goal.target_pct);
            done = done.max(share_of_the_way(self.checks[0].1, now, self.goal.target_pct));
            if let Some(left) = time_left(&self.checks, &self.goal, iteration, seconds) {
                message += &format!(" · {} left", short(left));
            }
        }
        self.bar.set_position((done.clamp(0.0, 1.0) * STEPS as f64) as u64);
        self.bar.set_message(message);
    }

    /// Counts time and iterations from the next update on.
    pub fn start_again(&mut self) {
        self.first = None;
    }

    /// Tells what went wrong without stopping.
    pub fn warn(&self, failure: &Failure) {
        self.bar.suspend(|| failure.warn());
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// How far the exploitability has fallen from where it was first seen to the target, on a logarithmic scale.
fn share_of_the_way(first: f64, now: f64, target: f64) -> f64 {
    let span = (first / target).ln();
    if target > 0.0 && span > 0.0 { (first / now).ln() / span } else { 0.0 }
}

/// The time to the target if the exploitability goes on falling as a power of time, or to the last iteration if that
/// comes sooner.
fn time_left(checks: &[(f64, f64)], goal: &Goal, iteration: u32, seconds: f64) -> Option<Duration> {
    let to_end =
        f64::from(goal.max_iterations.saturating_sub(iteration)) * seconds / f64::from(iteration.max(1));
    let recent = &checks[checks.len() / 2..];
    let to_target = match (recent, goal.target_pct > 0.0) {
        ([(t0, e0), .., (t1, e1)], true) if e1 < e0 && t1 > t0 => {
            let power = (e0 / e1).ln() / (t1 / t0).ln();
            t1 * (e1 / goal.target_pct).powf(1.0 / power) - seconds
        }
        _ => f64::INFINITY,
    };
    let left = to_end.min(to_target).max(0.0);
    (checks.len() >= 2).then(|| Duration::try_from_secs_f64(left).ok()).flatten()
}

/// A time as people say it, rounded up: `under 1 s`, `15 s`, `1 min 15 s`, `2 h 01 min`.
fn short(time: Duration) -> String {
    match time.as_secs_f64().ceil() as u64 {
        0 | 1 => "under 1 s".to_owned(),
        seconds @ 2..60 => format!("{seconds} s"),
        seconds @ 60..3600 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        seconds => format!("{} h {:02} min", seconds / 3600, seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_follows_the_curve() {
        let goal = Goal { target_pct: 0.1, max_iterations: 1_000_000 };
        // Halves with every doubling of time: 0.4% after 10 s is 0.1% after 40 s.
        let checks = [(2.5, 1.6), (5.0, 0.8), (10.0, 0.4)];
        let left = time_left(&checks, &goal, 100, 10.0).unwrap();
        assert!((left.as_secs_f64() - 30.0).abs() < 1e-6, "{left:?}");
        let goal = Goal { max_iterations: 150, ..goal };
        assert_eq!(time_left(&checks, &goal, 100, 10.0), Some(Duration::from_secs(5)));
        assert_eq!(time_left(&checks[..1], &goal, 100, 10.0), None);
    }

    #[test]
    fn times_are_short() {
        let text = |seconds| short(Duration::from_secs_f64(seconds));
        assert_eq!([text(0.0), text(0.9), text(8.1)], ["under 1 s", "under 1 s", "9 s"]);
        assert_eq!([text(75.0), text(7300.0)], ["1 min 15 s", "2 h 01 min"]);
    }
}
