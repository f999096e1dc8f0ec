//! How a spot is to be solved, from the arguments of Python.

use crate::error;
use noregret_holdem::{
    Algorithm, MachineMemory, MemoryLimit, PrecisionChoice, PrecisionSetting, SavedStreets, SolverOptions,
    Spec,
};
use noregret_store::Bytes;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::time::Duration;

/// What `[solver]` of a spec says, said otherwise.
#[derive(Default)]
pub struct SolveArguments {
    pub target: Option<f64>,
    pub max_iterations: Option<i64>,
    pub algorithm: Option<String>,
    pub precision: Option<String>,
    pub warm_start: Option<bool>,
    pub pruning: Option<bool>,
}

impl SolveArguments {
    /// Puts them in the place of what the spec says.
    pub fn apply(&self, spec: &mut Spec) -> PyResult<()> {
        let solver = &mut spec.solver;
        if let Some(target) = self.target {
            solver.target_exploitability_pct = target_pct(target)?;
        }
        if let Some(iterations) = self.max_iterations {
            solver.max_iterations = max_iterations(iterations)?;
        }
        if let Some(name) = &self.algorithm {
            solver.algorithm = name.parse::<Algorithm>().map_err(|error| error::field("algorithm", error))?;
        }
        if let Some(text) = &self.precision {
            *solver = with_precision(solver, text)?;
        }
        if let Some(enabled) = self.warm_start {
            solver.warm_start.enabled = enabled;
        }
        if let Some(prunes) = self.pruning {
            solver.prunes = prunes;
        }
        // A solver solves.
        solver.dry_run = false;
        solver.check_pruning().map_err(|error| error::field("pruning", format!("cannot prune: {error}")))
    }
}

/// An exploitability in percent of the pot.
pub fn target_pct(target: f64) -> PyResult<f64> {
    if (0.0..=100.0).contains(&target) {
        Ok(target)
    } else {
        Err(error::field("target", "must be a number from 0 to 100"))
    }
}

/// A number of iterations.
pub fn max_iterations(iterations: i64) -> PyResult<u32> {
    let most = SolverOptions::MAX_ITERATIONS;
    let wrong = || error::field("max_iterations", format!("must be a whole number from 1 to {most}"));
    u32::try_from(iterations).ok().filter(|count| (1..=most).contains(count)).ok_or_else(wrong)
}

/// `auto`, `profile`, `32bit`, `16bit`, `16:16:8` or `8/16`.
fn with_precision(options: &SolverOptions, text: &str) -> PyResult<SolverOptions> {
    let setting: PrecisionSetting = text.parse().map_err(|error| error::field("precision", error))?;
    Ok(options.clone().with_precision(setting))
}

/// How numbers are stored: `8/16`, or `16:16:8/8` where streets differ.
pub fn precision_text(options: &SolverOptions) -> String {
    match options.precision_choice {
        PrecisionChoice::Auto => "auto".to_owned(),
        PrecisionChoice::Profile => "profile".to_owned(),
        PrecisionChoice::Given => {
            noregret_holdem::precision_text(&options.strategy_precision, &options.regret_precision)
        }
    }
}

/// How many threads to use: one for each core if none.
pub fn threads(count: Option<i64>) -> PyResult<usize> {
    let Some(count) = count else { return Ok(std::thread::available_parallelism().map_or(1, usize::from)) };
    let wrong = || error::field("threads", "must be a whole number from 1 to 1024");
    usize::try_from(count).ok().filter(|count| (1..=1024).contains(count)).ok_or_else(wrong)
}

/// The time between two checkpoints, from a number of seconds.
pub fn checkpoint_interval(seconds: f64) -> PyResult<Duration> {
    let interval = Some(seconds).filter(|seconds| (0.0..=1e9).contains(seconds));
    let interval = interval.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let wrong = "must be a number of seconds from 0 to 1000000000, like 300 or 0.5";
    interval.ok_or_else(|| error::field("checkpoint_every", wrong))
}

/// A whole number of 0 or more.
pub fn whole(name: &str, number: i128) -> PyResult<u64> {
    whole_from(name, number, 0)
}

/// A whole number of at least `least`.
pub fn whole_from(name: &str, number: i128, least: u64) -> PyResult<u64> {
    let wrong = || error::field(name, format!("must be a whole number from {least} to {}", u64::MAX));
    u64::try_from(number).ok().filter(|number| *number >= least).ok_or_else(wrong)
}

/// How much memory may be used: bytes, a text like `4GiB`, or what the machine has.
pub fn memory_limit(value: Option<&Bound<'_, PyAny>>) -> PyResult<MemoryLimit> {
    let Some(value) = value else { return Ok(MemoryLimit::of_machine()) };
    let bytes = if let Ok(text) = value.extract::<String>() {
        text.parse::<Bytes>().map_err(|error| error::field("memory", error))?
    } else {
        let number = value.extract::<u64>();
        Bytes(number.map_err(|_| {
            PyTypeError::new_err("memory: must be a number of bytes, or a text like \"4GiB\"")
        })?)
    };
    Ok(MemoryLimit::new(bytes, "`memory` allows"))
}

/// Which streets a file keeps.
pub fn saved_streets(text: &str, spec: &Spec) -> PyResult<SavedStreets> {
    let streets: SavedStreets = text.parse().map_err(|error| error::field("streets", error))?;
    let first = spec.spot.board().street();
    if streets.last() < first {
        return Err(PyValueError::new_err(format!(
            "streets: the spot begins on the {first}, and `{text}` ends before"
        )));
    }
    Ok(streets)
}

/// Refuses what would not fit into memory: so many of something, of so many bytes each.
pub fn check_fits(name: &str, count: u64, bytes_each: u64) -> PyResult<()> {
    let (needed, available) = (count.saturating_mul(bytes_each), MachineMemory::now().available);
    if needed <= available {
        return Ok(());
    }
    let (needed, available) = (Bytes(needed), Bytes(available));
    Err(error::DoesNotFit::new_err(format!(
        "{name}: {count} positions need {needed} of memory, and {available} is free"
    )))
}
