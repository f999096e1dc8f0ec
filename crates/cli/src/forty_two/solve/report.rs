//! What a run tells while it goes: a line per table, a bar, or JSON.

use super::workers::{Done, TableRun};
use crate::digits::grouped;
use crate::failure::Failure;
use crate::output::WorkLines;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use noregret_dominoes::{Format, SolveTimes, TableJob};
use noregret_store::Bytes;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// The most that one table at work can take: its reach, its values and two levels in full.
const BYTES_PER_TABLE: u64 = 45_000_000;
/// What making rows of a table takes beside it.
const BYTES_PER_ROW_FILE: u64 = 75_000_000;
/// Steps of the progress bar for each table.
const STEPS: u64 = 1000;

pub struct RunReporter {
    json: bool,
    lines: WorkLines,
    bar: ProgressBar,
    out: PathBuf,
    is_split: bool,
    format: Format,
    count: u64,
    started: Instant,
    made: u64,
    skipped: u64,
    /// Seeds whose tables were there, not yet told of.
    skipped_seeds: BTreeSet<u64>,
    bytes: u64,
    /// How far the row files are that are being written.
    under_way: BTreeMap<TableJob, f64>,
}

impl RunReporter {
    pub fn new(json: bool, run: &TableRun<'_>, out: &Path, is_split: bool) -> Self {
        let count = run.plan.count();
        let length = count.saturating_mul(STEPS);
        let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{bar:30} {msg}  {eta_precise} left");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self {
            json,
            lines: WorkLines::default(),
            bar,
            out: out.to_owned(),
            is_split,
            format: run.format,
            count,
            started: Instant::now(),
            made: 0,
            skipped: 0,
            skipped_seeds: BTreeSet::new(),
            bytes: 0,
            under_way: BTreeMap::new(),
        }
    }

    pub fn start(&self, run: &TableRun<'_>) {
        let (tables, memory) = (grouped(run.plan.count()), memory(run));
        self.log(&format!("{tables} tables on {} threads, up to {} of memory", run.threads, Bytes(memory)));
    }

    /// How far the rows of a table are.
    pub fn rows(&mut self, job: &TableJob, share: f64) {
        self.under_way.insert(*job, share);
        self.show();
    }

    /// Moves the bar to what is done, row files under way included.
    fn show(&self) {
        let whole = self.made + self.skipped;
        let parts: f64 = self.under_way.values().sum();
        self.bar.set_position(whole * STEPS + (parts * STEPS as f64) as u64);
        let hours = seconds(self.started.elapsed()) / 3600.0;
        let rate = grouped((self.made as f64 / hours) as u64);
        let mut message = format!("{}/{} tables  {rate} tables/hour", grouped(whole), grouped(self.count));
        for (job, share) in &self.under_way {
            message.push_str(&format!("  seed={} {:.0}%", job.seed, 100.0 * share));
        }
        self.bar.set_message(message);
    }

    /// Says which seeds were there already, once before the first table that is made and once at the end.
    fn tell_skipped(&mut self) {
        for (first, last) in ranges(std::mem::take(&mut self.skipped_seeds)) {
            let seeds = if first == last { first.to_string() } else { format!("{first}..{last}") };
            self.log(&format!("Skipping seed={seeds} (already exist)"));
        }
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

    pub fn done(&mut self, done: &Done) {
        self.under_way.remove(&done.job);
        if done.skipped {
            self.skipped += 1;
            self.skipped_seeds.insert(done.job.seed);
        } else {
            self.tell_skipped();
            self.made += 1;
            self.bytes += done.made.bytes;
            self.log_phases(done);
        }
        self.show();
        if self.json {
            self.lines.print(self.line(done));
        }
    }

    /// A line for each phase of a table, as people who follow a long run read them.
    fn log_phases(&self, done: &Done) {
        let TableJob { seed, opponents, declaration } = done.job;
        let opponents = opponents.map_or(String::new(), |number| format!(" opp={number}"));
        let name = format!("seed={seed}{opponents} decl={}", declaration.number());
        let summary = done.made.summary;
        let SolveTimes { setup, enumerate, solve } = done.times;
        let phase = |phase: &str, time: Duration, more: String| {
            self.log(&format!("{name} | {phase} | {:.3}s{more}", seconds(time)));
        };
        let states = done.states.map_or(String::new(), |states| format!(" | states={}", grouped(states)));
        let root = format!(" | root={:+}", summary.root_value());
        if enumerate > Duration::ZERO {
            phase("setup", setup, String::new());
            phase("enumerate", enumerate, states);
            phase("solve", solve, root);
        } else {
            // A device does all three at once.
            phase("solve", solve, states + &root);
        }
        let rows = done.made.rows.map_or(String::new(), |rows| format!(" | rows={}", grouped(rows)));
        phase("write", done.write, format!("{rows} | {}", Bytes(done.made.bytes)));
        phase("DONE", setup + enumerate + solve + done.write, String::new());
    }

    fn line(&self, done: &Done) -> Value {
        let summary = done.made.summary;
        json!({
            "seed": done.job.seed, "decl": done.job.declaration.number(),
            "root_value": summary.root_value(), "root_moves": summary.root_moves,
            "positions": summary.positions,
            "seconds": {"solve": seconds(done.times.total()), "write": seconds(done.write)},
            "bytes": done.made.bytes, "digest": done.made.digest.to_string(),
            "path": self.folder(&done.job).join(done.job.file_name(self.format).to_string()),
            "rows": done.made.rows, "opponents": done.job.opponents,
            "skipped": done.skipped,
        })
    }

    fn folder(&self, job: &TableJob) -> PathBuf {
        if self.is_split { self.out.join(job.split().name()) } else { self.out.clone() }
    }

    /// Says what the run made; an error if standard output could not take its lines.
    pub fn finish(mut self) -> Result<(), Failure> {
        self.bar.finish_and_clear();
        self.tell_skipped();
        let (made, skipped) = (grouped(self.made), grouped(self.skipped));
        let took = seconds(self.started.elapsed());
        self.log(&format!("{made} made, {skipped} skipped in {took:.1} s, {} written", Bytes(self.bytes)));
        self.lines.finish()
    }
}

/// What a run takes at most, in bytes.
pub fn memory(run: &TableRun<'_>) -> u64 {
    match run.format {
        Format::Table => BYTES_PER_TABLE * (run.threads as u64 + 4),
        Format::Rows(_) => 2 * (BYTES_PER_TABLE + BYTES_PER_ROW_FILE),
    }
}

/// Numbers as ranges of neighbours.
fn ranges(numbers: BTreeSet<u64>) -> Vec<(u64, u64)> {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    ranges
}

fn seconds(duration: Duration) -> f64 {
    duration.as_secs_f64()
}

/// Hours, minutes and seconds in UTC.
fn time_of_day() -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
    format!("{:02}:{:02}:{:02}", now / 3600 % 24, now / 60 % 60, now % 60)
}
