//! What a run tells while it goes: a line per table, a bar, or JSON.

use super::workers::{Done, Run};
use crate::digits::grouped;
use crate::failure::Failure;
use crate::output;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use noregret_dominoes::{Format, Summary};
use noregret_store::Bytes;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

/// The most that one table at work can take: its reach, its values and two levels in full.
const BYTES_PER_TABLE: u64 = 45_000_000;

pub struct Reporter {
    json: bool,
    bar: ProgressBar,
    directory: PathBuf,
    format: Format,
    started: Instant,
    made: u64,
    skipped: u64,
    bytes: u64,
}

impl Reporter {
    pub fn new(json: bool, run: &Run<'_>) -> Self {
        let bar = ProgressBar::with_draw_target(Some(run.plan.count()), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template(
            "{bar:30} {human_pos}/{human_len} tables  {msg}  {eta_precise} left",
        );
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self {
            json,
            bar,
            directory: run.directory.to_owned(),
            format: run.format,
            started: Instant::now(),
            made: 0,
            skipped: 0,
            bytes: 0,
        }
    }

    pub fn start(&self, run: &Run<'_>) {
        let tables = grouped(run.plan.count());
        let at_once = run.threads as u64 + 4;
        self.log(&format!(
            "{tables} tables on {} threads, up to {} of memory",
            run.threads,
            Bytes(BYTES_PER_TABLE * at_once)
        ));
    }

    /// A line on standard error, above the bar if there is one.
    pub fn log(&self, message: &str) {
        let line = format!("{} | {message}", time_of_day());
        if self.bar.is_hidden() {
            anstream::eprintln!("{line}");
        } else {
            self.bar.println(line);
        }
    }

    pub fn done(&mut self, done: &Done) -> Result<(), Failure> {
        let Summary { positions, .. } = done.made.summary;
        let root = done.made.summary.root_value();
        let (seed, decl) = (done.job.seed, done.job.declaration.number());
        if done.skipped {
            self.skipped += 1;
        } else {
            self.made += 1;
            self.bytes += done.made.bytes;
            let (solve, write) = (seconds(done.solve), seconds(done.write));
            self.log(&format!(
                "seed={seed} decl={decl} | positions={} | root={root:+} | solve {solve:.3}s | write {write:.3}s | {}",
                grouped(u64::from(positions)),
                Bytes(done.made.bytes)
            ));
        }
        let hours = seconds(self.started.elapsed()) / 3600.0;
        self.bar.set_message(format!("{} tables/hour", grouped((self.made as f64 / hours) as u64)));
        self.bar.inc(1);
        if self.json { output::print(self.line(done)) } else { Ok(()) }
    }

    fn line(&self, done: &Done) -> Value {
        let summary = done.made.summary;
        json!({
            "seed": done.job.seed, "decl": done.job.declaration.number(),
            "root_value": summary.root_value(), "root_moves": summary.root_moves,
            "positions": summary.positions,
            "seconds": {"solve": seconds(done.solve), "write": seconds(done.write)},
            "bytes": done.made.bytes,
            "path": self.directory.join(done.job.file_name(self.format).to_string()),
            "skipped": done.skipped,
        })
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
        let (made, skipped) = (grouped(self.made), grouped(self.skipped));
        let took = seconds(self.started.elapsed());
        self.log(&format!("{made} made, {skipped} skipped in {took:.1} s, {} written", Bytes(self.bytes)));
    }
}

fn seconds(duration: Duration) -> f64 {
    duration.as_secs_f64()
}

/// Hours, minutes and seconds in UTC.
fn time_of_day() -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
    format!("{:02}:{:02}:{:02}", now / 3600 % 24, now / 60 % 60, now % 60)
}
