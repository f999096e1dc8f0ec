//! The checkpoint of a solve under way.

use super::save_checkpoint;
use crate::{Progress, Spec};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A file that is written again and again while a solve runs, and when it was last written.
pub struct Checkpoint {
    path: PathBuf,
    every: Duration,
    last: Instant,
    iteration: Option<u32>,
    at_end: bool,
}

impl Checkpoint {
    /// A checkpoint that is to be written this often.
    pub fn new(path: PathBuf, every: Duration) -> Self {
        Self { path, every, last: Instant::now(), iteration: None, at_end: false }
    }

    /// Writes it once more when the solve is done, so that it can continue to another target.
    #[must_use]
    pub fn at_end(self) -> Self {
        Self { at_end: true, ..self }
    }

    /// The iterations are counted anew: the last one that was written is not the same as the next one with its number.
    pub(crate) fn begin_anew(&mut self) {
        self.iteration = None;
    }

    pub(crate) fn writes_at_end(&self) -> bool {
        self.at_end
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The iteration that it is of; none before it was first written.
    pub fn iteration(&self) -> Option<u32> {
        self.iteration
    }

    /// Writes it if it is time, or in any case if the run is about to stop.
    pub fn keep(&mut self, spec: &Spec, progress: &Progress<'_>, stopping: bool) -> io::Result<()> {
        let iteration = progress.solver.iteration();
        let due = iteration > 0 && self.last.elapsed() >= self.every;
        if !(due || stopping) || self.iteration == Some(iteration) {
            return Ok(());
        }
        let written = save_checkpoint(&self.path, spec, progress.solver, progress.history, progress.elapsed);
        self.last = Instant::now();
        written?;
        self.iteration = Some(iteration);
        Ok(())
    }
}
