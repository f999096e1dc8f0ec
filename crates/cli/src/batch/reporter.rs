//! What a batch tells while it goes: a line per job, a bar, JSON.

use super::files::BatchFiles;
use super::journal::SolvedJob;
use super::solve_job::{JobEnd, Now};
use crate::failure::Failure;
use crate::output::WorkLines;
use crate::palette::{BAD, BOLD, DIM, GOOD};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use noregret_holdem::BatchJob;
use noregret_store::Bytes;
use serde_json::{Value, json};

pub struct BatchReporter {
    json: bool,
    bar: ProgressBar,
    counts: [u64; 3],
    lines: WorkLines,
}

impl BatchReporter {
    pub fn new(json: bool, jobs: u64) -> Self {
        let bar = ProgressBar::with_draw_target(Some(jobs), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{bar:24.cyan/blue} {pos}/{len} · {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("━━─"));
        Self { json, bar, counts: [0; 3], lines: WorkLines::default() }
    }

    /// How far the job at work is.
    pub fn progress(&self, job: &BatchJob, now: Now) {
        let exploitability = now.exploitability_pct.map_or(String::new(), |pct| format!(" · {pct:.3}%"));
        let iteration = match now.coarse_iteration {
            Some(coarse) => format!("coarse tree, iteration {coarse}"),
            None => format!("iteration {}", now.iteration),
        };
        self.bar.set_message(format!("{} · {iteration}{exploitability}", job.name));
    }

    fn log(&self, line: &str) {
        if self.bar.is_hidden() {
            anstream::eprintln!("{line}");
        } else {
            self.bar.println(line);
        }
    }

    pub fn ended(&mut self, job: &BatchJob, ended: &JobEnd, files: &BatchFiles) {
        let name = &job.name;
        match ended {
            JobEnd::Found(_) => self.counts[1] += 1,
            JobEnd::Done(solved) => {
                self.counts[0] += 1;
                let SolvedJob { iterations, exploitability_pct, seconds, bytes, target_reached, .. } = solved;
                let (style, word) = if *target_reached { (GOOD, "done") } else { (DIM, "out of iterations") };
                self.log(&format!(
                    "{BOLD}{name}{BOLD:#}  {style}{word}{style:#}  {exploitability_pct:.4}% in {iterations} iterations, {seconds:.1} s, {}",
                    Bytes(*bytes)
                ));
            }
            JobEnd::Failed(error) => {
                self.counts[2] += 1;
                self.log(&format!("{BOLD}{name}{BOLD:#}  {BAD}failed{BAD:#}  {error}"));
            }
            JobEnd::Stopped => self.log(&format!("{BOLD}{name}{BOLD:#}  {DIM}stopped{DIM:#}")),
        }
        self.bar.inc(1);
        if self.json {
            self.lines.print(line(job, ended, files));
        }
    }

    /// Says what the run did; an error if standard output could not take its lines.
    pub fn finish(self) -> Result<(), Failure> {
        self.bar.finish_and_clear();
        let [solved, found, failed] = self.counts;
        anstream::eprintln!("{solved} solved, {found} were there, {failed} failed");
        self.lines.finish()
    }
}

fn line(job: &BatchJob, ended: &JobEnd, files: &BatchFiles) -> Value {
    let mut value = json!({
        "job": job.name, "flop": job.flop.to_string(), "weight": job.weight, "variant": job.variant,
        "path": files.solution(job),
    });
    let (state, solved, error) = match ended {
        JobEnd::Found(solved) => ("done", Some((solved, true)), None),
        JobEnd::Done(solved) => ("done", Some((solved, false)), None),
        JobEnd::Failed(error) => ("failed", None, Some(error)),
        JobEnd::Stopped => ("stopped", None, None),
    };
    value["state"] = state.into();
    if let Some((solved, skipped)) = solved {
        value["skipped"] = skipped.into();
        add_solved(&mut value, solved);
    }
    if let Some(error) = error {
        value["error"] = error.as_str().into();
    }
    value
}

/// How a solve went, as fields of an object.
pub fn add_solved(value: &mut Value, solved: &SolvedJob) {
    value["iterations"] = solved.iterations.into();
    value["exploitability_pct"] = solved.exploitability_pct.into();
    value["target_reached"] = solved.target_reached.into();
    value["seconds"] = solved.seconds.into();
    value["bytes"] = solved.bytes.into();
    value["strategy_digest"] = solved.strategy_digest.as_str().into();
}
