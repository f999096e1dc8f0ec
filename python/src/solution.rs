//! What has been solved.

use crate::node::PyNode;
use crate::options::{precision_text, saved_streets};
use crate::player::player;
use crate::run::PyStep;
use crate::spot::PySpot;
use crate::{error, html};
use noregret_holdem::{
    FileProgress, Line, MachineMemory, Measurement, Player, ReadError, Solution, SolutionFile, Solved, Spec,
};
use noregret_store::ArchiveError;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
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
    _temporary: Option<TempPath>,
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
            _temporary: None,
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
    fn of_file(path: &Path) -> Result<Self, ArchiveError> {
        let file = SolutionFile::open_within(path, MachineMemory::now().available)?;
        let (spec, progress) = (file.spec().clone(), file.progress().clone());
        Ok(Self { path: Some(path.to_owned()), ..Self::in_memory(file.into(), spec, progress) })
    }

    /// Where it was opened.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// What happens at the end of a line.
    pub fn read<T>(&self, read: impl FnOnce(&Solution) -> Result<T, ReadError>) -> PyResult<T> {
        read(&self.solution).map_err(|error| error::read(&error, self.path.as_deref()))
    }

    /// The exploitability in percent of the pot, as last measured.
    pub fn exploitability(&self) -> Option<f64> {
        self.progress.history.last().map(|check| check.exploitability_pct)
    }

    /// Which program made it, of what spec, and how good it is: what tables carry along.
    pub fn metadata(&self) -> HashMap<String, String> {
        let mut metadata = HashMap::from([
            ("noregret_version".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
            ("spec".to_owned(), self.spec.to_string()),
            ("spec_digest".to_owned(), self.spec.digest().to_string()),
        ]);
        if let Some(exploitability) = self.exploitability() {
            metadata.insert("exploitability_pct".to_owned(), exploitability.to_string());
        }
        metadata
    }

    fn digest(&self) -> &str {
        self.digest.get_or_init(|| self.solution.digest())
    }

    /// The bytes of its file.
    fn file_bytes(&self) -> PyResult<Vec<u8>> {
        let read = |path: &Path| std::fs::read(path).map_err(|error| error::file(path, error));
        match &self.path {
            Some(path) => read(path),
            None => read(&self.saved_copy()?.path),
        }
    }

    /// The same in a file of its own, for what is read from files alone.
    pub fn saved_copy(&self) -> PyResult<Arc<SavedCopy>> {
        let mut saved = self.saved.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(saved) = &*saved {
            return Ok(saved.clone());
        }
        let cannot = |error: std::io::Error| {
            error::FileError::new_err(format!("cannot write a temporary file: {error}"))
        };
        let path = tempfile::Builder::new().suffix(".nrs").tempfile().map_err(cannot)?.into_temp_path();
        let keep = noregret_holdem::SavedStreets::Full;
        self.solution.save(&path, &self.spec, &self.progress, keep).map_err(cannot)?;
        let file = SolutionFile::open(&path).map_err(|error| error::file(&path, error))?;
        Ok(saved.insert(Arc::new(SavedCopy { file, path })).clone())
    }
}

/// The strategies of both players at every point of a spot: from `solve`, from a `Solver`, or from a file.
///
/// >>> import noregret as nr
/// >>> spot = nr.Spot("AA,KK,QJs", "TT+,KQs", "QsJh2h8c3d", pot=100, stack=300)
/// >>> solution = nr.solve(spot, target=1, progress=False)
/// >>> round(solution.ev(nr.OOP) + solution.ev(nr.IP), 2)
/// 100.0
/// >>> solution["check"].player
/// Player.IP
#[pyclass(name = "Solution", module = "noregret", frozen)]
pub struct PySolution(pub Arc<SolutionData>);

#[pymethods]
impl PySolution {
    /// What happens at the end of a line of actions and cards, like `"check, bet 94, call, Th"`; amounts are what the player has put
    /// in on the street in all. `""` is the root.
    fn at(&self, py: Python<'_>, line: &str) -> PyResult<PyNode> {
        let line: Line = line.parse().map_err(|error| error::read(&ReadError::Text(error), None))?;
        PyNode::new(py, self.0.clone(), &line)
    }

    fn __getitem__(&self, py: Python<'_>, line: &str) -> PyResult<PyNode> {
        self.at(py, line)
    }

    /// The first decision.
    #[getter]
    fn root(&self, py: Python<'_>) -> PyResult<PyNode> {
        self.at(py, "")
    }

    /// What a player expects at the root, in chips; the starting pot is counted.
    fn ev(&self, py: Python<'_>, of: &Bound<'_, PyAny>) -> PyResult<f64> {
        let player: Player = player(of)?;
        Ok(py.detach(|| self.0.solution.ev(player)))
    }

    /// Which share of the pot a player wins if both check to the end.
    fn equity(&self, py: Python<'_>, of: &Bound<'_, PyAny>) -> PyResult<f64> {
        let player: Player = player(of)?;
        Ok(py.detach(|| self.0.solution.equity(player)))
    }

    /// A hash of the average strategies: equal digests mean equal solutions, and the command line prints the same.
    #[getter]
    fn digest(&self, py: Python<'_>) -> String {
        py.detach(|| self.0.digest().to_owned())
    }

    /// The exploitability in percent of the starting pot, as last measured: half of what two best responders would gain.
    #[getter]
    fn exploitability(&self) -> Option<f64> {
        self.0.exploitability()
    }

    /// Whether the exploitability is at most the target.
    #[getter]
    fn target_reached(&self) -> bool {
        let target = self.0.spec.solver.target_exploitability_pct;
        target > 0.0 && self.0.exploitability().is_some_and(|reached| reached <= target)
    }

    /// How many iterations were made.
    #[getter]
    fn iterations(&self) -> u32 {
        self.0.progress.iterations
    }

    /// How long solving took, measurements included.
    #[getter]
    fn seconds(&self) -> f64 {
        self.0.progress.elapsed.as_secs_f64()
    }

    /// The measurements on the way.
    #[getter]
    fn history(&self) -> Vec<PyStep> {
        self.0.progress.history.iter().map(|check: &Measurement| PyStep::from(check)).collect()
    }

    /// The spot, with how it was solved and the precisions that were picked.
    #[getter]
    fn spot(&self) -> PySpot {
        PySpot(self.0.spec.clone())
    }

    /// The regret minimiser.
    #[getter]
    fn algorithm(&self) -> String {
        self.0.spec.solver.algorithm.to_string()
    }

    /// Bits of the strategy and of the regrets: `"32/32"`, or `"16:16:8/8"` by street.
    #[getter]
    fn precision(&self) -> String {
        precision_text(&self.0.spec.solver)
    }

    /// The file that it was opened from.
    #[getter]
    fn path(&self) -> Option<PathBuf> {
        self.0.path.clone()
    }

    /// Writes a solution file, whole or not at all. `streets` leaves the last ones out: `"flop"`, `"turn"` or `"full"`; what is left
    /// out is solved again when it is read.
    #[pyo3(signature = (path, *, streets="full"))]
    fn save(&self, py: Python<'_>, path: PathBuf, streets: &str) -> PyResult<()> {
        let keep = saved_streets(streets, &self.0.spec)?;
        let data = &self.0;
        if let Some(file) = data.solution.file() {
            if file.summary().keep != keep {
                let message = format!(
                    "streets: the file has `{}`, and can be copied as it is only",
                    file.summary().keep
                );
                return Err(PyValueError::new_err(message));
            }
            let bytes = py.detach(|| data.file_bytes())?;
            return py
                .detach(|| noregret_store::write_whole(&path, &bytes))
                .map_err(|error| error::cannot_write(&path, error));
        }
        let written = py.detach(|| data.solution.save(&path, &data.spec, &data.progress, keep));
        written.map_err(|error| error::cannot_write(&path, error))
    }

    fn __repr__(&self) -> String {
        let reached = self
            .0
            .exploitability()
            .map_or_else(String::new, |reached| format!(", exploitability {reached:.4}%"));
        format!("<Solution {}: {} iterations{reached}>", self.0.spec.spot.board(), self.0.progress.iterations)
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let root = self.root(py)?;
        Ok(html::solution(&self.0, &root))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let bytes = py.detach(|| self.0.file_bytes())?;
        Ok((py.import("noregret._noregret")?.getattr("from_file_bytes")?, (PyBytes::new(py, &bytes),)))
    }
}

/// Opens a solution file (`.nrs`). It takes milliseconds: what is looked at is read then.
///
/// >>> import noregret as nr, tempfile, pathlib
/// >>> spot = nr.Spot("AA,KK,QJs", "TT+,KQs", "QsJh2h8c3d", pot=100, stack=300)
/// >>> path = pathlib.Path(tempfile.mkdtemp()) / "spot.nrs"
/// >>> solution = nr.solve(spot, target=1, progress=False)
/// >>> solution.save(path)
/// >>> nr.open(path).digest == solution.digest
/// True
#[pyfunction]
pub fn open(py: Python<'_>, path: PathBuf) -> PyResult<PySolution> {
    local(&path)?;
    if !path.exists() {
        return Err(error::FileError::new_err(format!("there is no solution file {}", path.display())));
    }
    let data = py.detach(|| SolutionData::of_file(&path)).map_err(|error| error::file(&path, error))?;
    Ok(PySolution(Arc::new(data)))
}

/// Refuses a place on another machine: this version reads and writes files alone.
pub fn local(path: &Path) -> PyResult<()> {
    let text = path.to_string_lossy();
    match text.split_once("://").or_else(|| text.split_once(":/")) {
        Some((scheme, _))
            if scheme.len() > 1 && scheme.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()) =>
        {
            Err(error::FileError::new_err(format!(
                "{text}: object storage is not supported by this version: give a file"
            )))
        }
        _ => Ok(()),
    }
}

/// The solution of a file's bytes: what unpickling calls.
#[pyfunction]
pub fn from_file_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<PySolution> {
    let cannot =
        |error: std::io::Error| error::FileError::new_err(format!("cannot write a temporary file: {error}"));
    let path = tempfile::Builder::new().suffix(".nrs").tempfile().map_err(cannot)?.into_temp_path();
    std::fs::write(&path, bytes).map_err(cannot)?;
    let data = py.detach(|| SolutionData::of_file(&path)).map_err(|error| error::file(&path, error))?;
    Ok(PySolution(Arc::new(SolutionData { _temporary: Some(path), ..data })))
}
