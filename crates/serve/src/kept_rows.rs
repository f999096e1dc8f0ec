//! Reports that were made, kept beside their batch: a line that was looked at once is there at once.

use crate::api::reports::{LineReport, RowsProgress};
use crate::examples;
use crate::failure::ApiFailure;
use crate::library::Library;
use crate::overview::BatchLine;
use serde_json::Value;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// A folder of a batch for reports that were made. What begins with a dot is no solution.
const FOLDER: &str = ".rows";
/// How many are kept at most for a batch; then all of them are made anew.
const MOST: usize = 2000;

/// A line over all flops of a batch, from those that are kept if it is there and the solutions are the same.
pub fn report(
    library: &Library,
    batch: &str,
    line: &str,
    watch: &(dyn Fn(usize, usize) + Sync),
) -> Result<Value, ApiFailure> {
    if examples::is_example(batch) {
        return examples::report(batch, line).cloned();
    }
    let wanted = BatchLine::new(library, batch, line)?;
    let folder = library.own_of_batch(batch, FOLDER);
    let path = folder.join(format!("{}.json", wanted.digest()));
    let kept = std::fs::read(&path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    if let Some(report) = kept {
        return Ok(report);
    }
    let report: LineReport = wanted.report(watch)?;
    let value = serde_json::to_value(&report).map_err(ApiFailure::job)?;
    // One that cannot be kept is made again when it is asked for.
    let _ = keep(&folder, &path, &value);
    Ok(value)
}

fn keep(folder: &Path, path: &Path, report: &Value) -> std::io::Result<()> {
    noregret_store::make_directories(folder)?;
    let entries: Vec<_> = std::fs::read_dir(folder)?.flatten().collect();
    if entries.len() >= MOST {
        entries.iter().try_for_each(|entry| noregret_store::remove(&entry.path()))?;
    }
    noregret_store::write_whole(path, &serde_json::to_vec(report)?)
}

/// The same, telling how far it is: by whichever thread has read a flop, one at a time.
pub fn stream(
    library: &Library,
    batch: &str,
    line: &str,
    tell: &mut (dyn FnMut(&RowsProgress) -> bool + Send),
) {
    let progress = |done, total| RowsProgress { done, total, report: None, error: None };
    let telling = Mutex::new(tell);
    let watch = |done, total| {
        let mut tell = telling.lock().unwrap_or_else(PoisonError::into_inner);
        // Nobody may listen any more; the report is kept for the next who asks.
        tell(&progress(done, total));
    };
    let made = report(library, batch, line, &watch);
    let last = match made {
        Ok(report) => RowsProgress { report: Some(report), ..progress(1, 1) },
        Err(failure) => RowsProgress { error: Some(failure.into_problem()), ..progress(0, 0) },
    };
    telling.into_inner().unwrap_or_else(PoisonError::into_inner)(&last);
}
