//! The bar that moves while a spot is being solved.

use crate::failure::Failure;
use indicatif::{ProgressBar, ProgressStyle};
use noregret_holdem::{Measurement, Progress, StopCondition, time_left};
use std::time::Duration;

/// A bar on standard error, if that is a terminal. It fills as the exploitability falls towards the target.
pub struct SolveProgress {
    bar: ProgressBar,
    goal: StopCondition,
    /// The iteration and the second at which it was first seen.
    first: Option<(u32, f64)>,
    checks: Vec<Measurement>,
    label: String,
}

const STEPS: u64 = 1000;

impl SolveProgress {
    pub fn new(goal: &StopCondition) -> Self {
        Self::labelled(goal, String::new())
    }

    /// A bar that says which run of several it is for.
    pub fn labelled(goal: &StopCondition, label: String) -> Self {
        let bar = ProgressBar::new(STEPS);
        let style = ProgressStyle::with_template("{wide_bar:.cyan/blue} {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("━━─"));
        Self { bar, goal: *goal, first: None, checks: Vec::new(), label }
    }

    /// Shows how far a solve is, on whichever tree.
    pub fn show(&mut self, progress: &Progress<'_>) {
        match progress.solver.coarse_iteration() {
            Some((now, of)) => {
                self.first = None;
                self.bar.set_message(format!("{}coarse tree: iteration {now} of {of}", self.label()));
            }
            None => self.update(progress.solver.iteration(), progress.elapsed, progress.history.last()),
        }
    }

    fn label(&self) -> String {
        if self.label.is_empty() { String::new() } else { format!("{} · ", self.label) }
    }

    pub fn update(&mut self, iteration: u32, elapsed: Duration, checked: Option<&Measurement>) {
        let newest = self.checks.last();
        if let Some(checked) =
            checked.filter(|checked| newest.is_none_or(|newest| checked.elapsed > newest.elapsed))
        {
            self.checks.push(*checked);
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
        if let Some(now) = self.checks.last().map(|check| check.exploitability_pct) {
            message += &format!(" · exploitability {now:.3}% → {}%", self.goal.target_pct);
            done = done.max(share_of_the_way(self.checks[0].exploitability_pct, now, self.goal.target_pct));
            if let Some(left) = time_left(&self.checks, &self.goal, iteration, elapsed) {
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

    /// The iterations are counted anew, of what the label says.
    pub fn begin_anew(&mut self, label: &str) {
        self.start_again();
        self.checks.clear();
        label.clone_into(&mut self.label);
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
    fn times_are_short() {
        let text = |seconds| short(Duration::from_secs_f64(seconds));
        assert_eq!([text(0.0), text(0.9), text(8.1)], ["under 1 s", "under 1 s", "9 s"]);
        assert_eq!([text(75.0), text(7300.0)], ["1 min 15 s", "2 h 01 min"]);
    }
}
