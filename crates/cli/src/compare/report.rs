//! What the runs have come to, as a table and as JSON.

use crate::precision::PrecisionBits;
use crate::solve::MeasurementJson;
use anstyle::{AnsiColor, Style};
use noregret_holdem::{Algorithm, Averaging, Outcome, Spec, StopReason};
use noregret_store::Bytes;
use serde::Serialize;
use std::fmt;

const BOLD: Style = Style::new().bold();
const GOOD: Style = AnsiColor::Green.on_default();
const WARN: Style = AnsiColor::Yellow.on_default();

/// One algorithm in one precision.
#[derive(Serialize)]
pub struct ComparedRun {
    pub algorithm: String,
    averaging: String,
    pub precision: PrecisionBits,
    iterations: u32,
    seconds: f64,
    memory_bytes: usize,
    lowest_exploitability_pct: f64,
    target_reached: bool,
    interrupted: bool,
    pub history: Vec<MeasurementJson>,
    /// The algorithm with its average, for people.
    #[serde(skip)]
    pub name: String,
}

/// An algorithm by name, with its average where that is not as given.
pub fn algorithm_name(algorithm: Algorithm, averaging: Averaging) -> String {
    match averaging {
        Averaging::AsGiven => algorithm.to_string(),
        other => format!("{algorithm} {other}"),
    }
}

impl ComparedRun {
    pub fn new(
        (algorithm, averaging): (Algorithm, Averaging),
        precision: PrecisionBits,
        memory_bytes: usize,
        outcome: &Outcome,
        interrupted: bool,
    ) -> Self {
        let last = outcome.last();
        let lowest =
            outcome.history.iter().map(|check| check.exploitability_pct).fold(f64::INFINITY, f64::min);
        Self {
            algorithm: algorithm.to_string(),
            averaging: averaging.to_string(),
            name: algorithm_name(algorithm, averaging),
            precision,
            iterations: last.iteration,
            seconds: last.elapsed.as_secs_f64(),
            memory_bytes,
            lowest_exploitability_pct: lowest,
            target_reached: outcome.reason == StopReason::Target,
            interrupted,
            history: outcome.history.iter().map(MeasurementJson::new).collect(),
        }
    }

    /// The name of its curve.
    pub fn name(&self) -> String {
        format!("{} {}", self.name, self.precision)
    }

    fn ending(&self) -> (&'static str, Style) {
        match self {
            Self { target_reached: true, .. } => ("reached", GOOD),
            Self { interrupted: true, .. } => ("interrupted", WARN),
            _ => ("not reached", WARN),
        }
    }
}

/// All runs, and what they have in common.
#[derive(Serialize)]
pub struct Comparison {
    pub board: String,
    pub target_pct: f64,
    max_iterations: u32,
    threads: usize,
    pub runs: Vec<ComparedRun>,
}

impl Comparison {
    pub fn new(spec: &Spec, threads: usize) -> Self {
        Self {
            board: spec.spot.board().to_string(),
            target_pct: spec.solver.target_exploitability_pct,
            max_iterations: spec.solver.max_iterations,
            threads,
            runs: Vec::new(),
        }
    }
}

/// What is about to be compared.
pub struct Heading<'a> {
    pub comparison: &'a Comparison,
    pub count: usize,
}

impl fmt::Display for Heading<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Comparison { board, target_pct, max_iterations, threads, .. } = self.comparison;
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        write!(
            f,
            "{BOLD}{} run{}{BOLD:#} of {board} to {target_pct}% or {max_iterations} iterations, on {threads} thread{}",
            self.count,
            plural(self.count),
            plural(*threads)
        )
    }
}

/// A line for each run.
pub struct ComparisonTable<'a>(pub &'a Comparison);

impl fmt::Display for ComparisonTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let headings =
            ["algorithm", "bits", "iterations", "seconds", "memory", "exploitability"].map(str::to_owned);
        let rows: Vec<[String; 6]> = self.0.runs.iter().map(cells).collect();
        let all = || std::iter::once(&headings).chain(&rows);
        let widths: [usize; 6] = std::array::from_fn(|i| all().map(|row| row[i].len()).max().unwrap_or(0));
        let line = |row: &[String; 6]| {
            let cells = row.iter().zip(widths).enumerate().map(|(i, (cell, width))| match i {
                0 | 1 => format!("{cell:<width$}"),
                _ => format!("{cell:>width$}"),
            });
            cells.collect::<Vec<_>>().join("  ")
        };
        write!(f, "{BOLD}{}  target{BOLD:#}", line(&headings))?;
        for (run, row) in self.0.runs.iter().zip(&rows) {
            let (ending, style) = run.ending();
            write!(f, "\n{}  {style}{ending}{style:#}", line(row))?;
        }
        Ok(())
    }
}

fn cells(run: &ComparedRun) -> [String; 6] {
    [
        run.name.clone(),
        run.precision.to_string(),
        run.iterations.to_string(),
        format!("{:.2}", run.seconds),
        Bytes(run.memory_bytes as u64).to_string(),
        format!("{:.4}%", run.lowest_exploitability_pct),
    ]
}
