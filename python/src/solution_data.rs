//! What classes of a solution share.

use crate::error;
use noregret_holdem::{
    AmountFormat, FileProgress, MemoryLimit, ReadError, SavedStreets, ShownUnit, Solution, SolutionFile,
    Solved, Spec,
};
use noregret_store::ArchiveError;
use pyo3::prelude::*;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use tempfile::TempPath;

/// A solution with what it is the solution of.
pub struct SolutionData {
    pub solution: Solution,
    pub spec: Spec,
    pub progress: FileProgress,
    /// Where it was opened.
    path: Option<PathBuf>,
    /// The file that holds it as long as it is there.
    temporary: Option<TempPath>,
    /// The same in a file, once somebody needs that.
    saved: Mutex<Option<Arc<SavedCopy>>>,
    digest: OnceLock<String>,
}

/// A solution in a file that is gone when nobody reads it.
pub struct SavedCopy {
    pub file: SolutionFile,
    path: TempPath,
}

impl SolutionData {
    /// A solution in memory.
    pub fn in_memory(solution: Solution, spec: Spec, progress: FileProgress) -> Self {
        Self {
            solution,
            spec,
            progress,
            path: None,
            temporary: None,
            saved: Mutex::new(None),
            digest: OnceLock::new(),
        }
    }

    /// What a job has reached, without what further iterations need.
    pub fn of_solved(solved: Solved) -> Self {
        let progress = FileProgress::of(&solved.solver, &solved.outcome.history);
        Self::in_memory(Solution::from(solved.solver), solved.spec, progress)
    }

    /// A solution in a file.
    pub fn of_file(path: &Path) -> Result<Self, ArchiveError> {
        let file = SolutionFile::open_within(path, MemoryLimit::of_machine())?;
        let (spec, progress) = (file.spec().clone(), file.progress().clone());
        Ok(Self { path: Some(path.to_owned()), ..Self::in_memory(file.into(), spec, progress) })
    }

    /// A solution in a file that is to be gone with it.
    pub fn of_temporary(path: TempPath) -> Result<Self, ArchiveError> {
        let data = Self::of_file(&path)?;
        Ok(Self { temporary: Some(path), ..data })
    }

    /// Where it was opened, if that is a place that users know.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref().filter(|_| self.temporary.is_none())
    }

    /// What happens at the end of a line.
    pub fn read<T>(&self, read: impl FnOnce(&Solution) -> Result<T, ReadError>) -> PyResult<T> {
        read(&self.solution).map_err(|error| error::read(&error, self.path.as_deref()))
    }

    /// The exploitability in percent of the pot, as last measured.
    pub fn exploitability(&self) -> Option<f64> {
        self.progress.history.last().map(|check| check.exploitability_pct)
    }

    /// How amounts are shown: in the unit of the spec.
    pub fn amount_format(&self) -> AmountFormat {
        self.spec.spot.options().amount_format(None).unwrap_or_default()
    }

    /// How amounts are shown in the unit that is asked for, or in that of the spec.
    pub fn amount_format_in(&self, unit: Option<ShownUnit>) -> PyResult<AmountFormat> {
        self.spec.spot.options().amount_format(unit).map_err(|error| error::field("unit", error))
    }

    /// Which program made it, of what spec, and how good it is: what tables carry along.
    pub fn metadata(&self) -> HashMap<String, String> {
        let mut metadata = Self::metadata_of(&self.spec);
        if let Some(exploitability) = self.exploitability() {
            metadata.insert("exploitability_pct".to_owned(), exploitability.to_string());
        }
        metadata
    }

    /// Which program worked on what spec.
    pub fn metadata_of(spec: &Spec) -> HashMap<String, String> {
        HashMap::from([
            ("noregret_version".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
            ("spec".to_owned(), spec.to_string()),
            ("spec_digest".to_owned(), spec.digest().to_string()),
            ("unit".to_owned(), spec.spot.options().unit.to_string()),
        ])
    }

    /// A hash of the average strategies.
    pub fn digest(&self) -> &str {
        if let Some(digest) = self.digest.get() {
            return digest;
        }
        // Before the cell is locked: a thread of the pool that waits for parts of a digest may begin another reader's work meanwhile, which
        // would wait for the cell that this thread holds.
        let digest = self.solution.digest();
        self.digest.get_or_init(|| digest)
    }

    /// The bytes of its file.
    pub fn file_bytes(&self) -> PyResult<Vec<u8>> {
        match self.solution.file() {
            Some(file) => file.bytes().map_err(|error| match &self.path {
                Some(path) => error::file(path, &error),
                None => error::FileError::new_err(error.to_string()),
            }),
            None => {
                let saved = self.saved_copy()?;
                saved.file.bytes().map_err(|error| error::file(&saved.path, &error))
            }
        }
    }

    /// The same in a file of its own, for what is read from files alone.
    pub fn saved_copy(&self) -> PyResult<Arc<SavedCopy>> {
        let saved = || self.saved.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(saved) = &*saved() {
            return Ok(saved.clone());
        }
        // Before the lock is taken, as in `digest`.
        let cannot = error::cannot_write_temporary;
        let path = tempfile::Builder::new().suffix(".nrs").tempfile().map_err(cannot)?.into_temp_path();
        let keep = SavedStreets::Full;
        self.solution.save(&path, &self.spec, &self.progress, keep).map_err(cannot)?;
        let file = SolutionFile::open(&path).map_err(|error| error::file(&path, &error))?;
        Ok(saved().get_or_insert(Arc::new(SavedCopy { file, path })).clone())
    }
}

/// A solution, for what is read from files alone: its own file, or a copy of what is in memory.
pub struct FileOf {
    pub data: Arc<SolutionData>,
    copy: Option<Arc<SavedCopy>>,
}

impl FileOf {
    /// Saves what is in memory.
    pub fn new(data: Arc<SolutionData>) -> PyResult<Self> {
        let copy = if data.solution.file().is_some() { None } else { Some(data.saved_copy()?) };
        Ok(Self { data, copy })
    }

    /// The file.
    pub fn file(&self) -> PyResult<&SolutionFile> {
        let file = self.data.solution.file().or_else(|| self.copy.as_ref().map(|copy| &copy.file));
        file.ok_or_else(|| error::FileError::new_err("the solution is in no file"))
    }
}
