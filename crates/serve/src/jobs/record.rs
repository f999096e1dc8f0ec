//! A solve as it is kept on disk: a folder with the spec, the state and the checkpoint.

use crate::api::solves::{HistoryPoint, JobState, KeptStreets, SolveStatus};
use crate::forgotten::remove_item;
use crate::library::SOLVE_STATE;
use noregret_holdem::{Measurement, SavedStreets};
use noregret_store::{make_directories, write_whole};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What is known of a solve.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    pub id: u32,
    pub name: String,
    pub state: JobState,
    pub error: Option<String>,
    pub iteration: u32,
    pub max_iterations: u32,
    pub target_pct: f64,
    pub seconds: f64,
    pub memory_bytes: u64,
    pub threads: usize,
    pub save: KeptStreets,
    pub continue_from: Option<String>,
    pub solution: Option<String>,
    /// Absent in what older servers wrote.
    #[serde(default)]
    pub solution_iteration: Option<u32>,
    pub created: String,
    pub history: Vec<HistoryPoint>,
}

impl Record {
    /// The record as the API tells it, with the measurements after an iteration.
    pub fn job(&self, after: Option<u32>) -> SolveStatus {
        SolveStatus {
            id: self.id.to_string(),
            name: self.name.clone(),
            state: self.state,
            error: self.error.clone(),
            iteration: self.iteration,
            max_iterations: self.max_iterations,
            exploitability_pct: self.history.last().map(|point| point.exploitability_pct),
            target_pct: self.target_pct,
            seconds: self.seconds,
            iterations_per_second: None,
            seconds_left: None,
            memory_bytes: self.memory_bytes,
            threads: self.threads,
            queue_position: None,
            solution: self.solution.clone(),
            solution_iteration: self.solution_iteration,
            created: self.created.clone(),
            history: self.history.iter().filter(|point| after < Some(point.iteration)).cloned().collect(),
        }
    }
}

/// A measurement as the API tells it.
pub fn point(check: &Measurement) -> HistoryPoint {
    HistoryPoint {
        iteration: check.iteration,
        seconds: check.elapsed.as_secs_f64(),
        exploitability_pct: check.exploitability_pct,
    }
}

/// The streets to keep, as the solver names them.
pub fn keep(streets: KeptStreets) -> SavedStreets {
    match streets {
        KeptStreets::Flop => SavedStreets::Flop,
        KeptStreets::Turn => SavedStreets::Turn,
        KeptStreets::Full => SavedStreets::Full,
    }
}

/// What is in the folder of a solve.
const SPEC: &str = "spec.toml";
const CHECKPOINT: &str = "checkpoint.nrc";

/// The folder of a solve.
#[derive(Clone, Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// The folder of a solve among all of them.
    pub fn of(jobs: &Path, id: u32) -> Self {
        Self(jobs.join(id.to_string()))
    }

    /// Makes the folder, which must not be there yet, with the spec in it.
    pub fn create(&self, spec: &str) -> io::Result<()> {
        if self.0.exists() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        make_directories(&self.0)?;
        self.write_spec(spec)
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Where the checkpoint is.
    pub fn checkpoint(&self) -> PathBuf {
        self.0.join(CHECKPOINT)
    }

    /// Writes the spec.
    pub fn write_spec(&self, spec: &str) -> io::Result<()> {
        write_whole(&self.0.join(SPEC), spec.as_bytes())
    }

    /// Reads the spec.
    pub fn spec(&self) -> io::Result<Vec<u8>> {
        std::fs::read(self.0.join(SPEC))
    }

    /// Writes the state.
    pub fn write(&self, record: &Record) -> io::Result<()> {
        let text = serde_json::to_vec(record).map_err(io::Error::other)?;
        write_whole(&self.0.join(SOLVE_STATE), &text)
    }

    /// Reads the state; none if there is nothing that makes sense.
    pub fn read(&self) -> Option<Record> {
        serde_json::from_slice(&std::fs::read(self.0.join(SOLVE_STATE)).ok()?).ok()
    }

    /// Removes the state, without which there is no solve.
    pub fn forget(&self) -> io::Result<()> {
        match noregret_store::remove(&self.0.join(SOLVE_STATE)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }

    /// Removes all of it, the state first. What else cannot be removed is by the next server.
    pub fn remove(&self) -> io::Result<()> {
        remove_item(&self.0)
    }

    /// Whether a solve was begun here and never kept, or is being forgotten: there is no state, and nothing but what a solve has.
    pub fn is_left_over(&self) -> bool {
        let Ok(entries) = std::fs::read_dir(&self.0) else { return false };
        let names = entries.map(|entry| entry.map(|entry| entry.file_name()));
        names.into_iter().all(|name| name.is_ok_and(|name| name == SPEC || name == CHECKPOINT))
    }
}

/// A measurement as the solver has it.
pub fn check(point: &HistoryPoint) -> Measurement {
    Measurement {
        iteration: point.iteration,
        elapsed: Duration::try_from_secs_f64(point.seconds).unwrap_or_default(),
        exploitability_pct: point.exploitability_pct,
    }
}
