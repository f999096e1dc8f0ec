//! What has been solved.

use crate::amount::shown_unit;
use crate::interrupt::interruptible;
use crate::node::PyNode;
use crate::options::{precision_text, saved_streets};
use crate::place::{self, table_format};
use crate::player::player;
use crate::pool::on_pool;
use crate::run::PyStep;
use crate::solution_data::SolutionData;
use crate::spot::PySpot;
use crate::{error, html};
use noregret_holdem::cards::Street;
use noregret_holdem::{Line, Measurement, Player, ReadError, SOLUTION_OUTPUT};
use noregret_report::{ExportError, Extent, export};
use noregret_store::{ArchiveError, Place, WholeFile};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::io::BufWriter;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

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
        let line: Line = line.parse().map_err(|error| error::read(&ReadError::Text(error), self.0.path()))?;
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

    /// What a player expects at the root, in the unit of the spot; the starting pot is counted.
    fn ev(&self, py: Python<'_>, of: &Bound<'_, PyAny>) -> PyResult<f64> {
        let player: Player = player(of)?;
        on_pool(py, || self.0.solution.ev(player))
    }

    /// Which share of the pot a player wins if both check to the end.
    fn equity(&self, py: Python<'_>, of: &Bound<'_, PyAny>) -> PyResult<f64> {
        let player: Player = player(of)?;
        on_pool(py, || self.0.solution.equity(player))
    }

    /// A hash of the average strategies: equal digests mean equal solutions, and the command line prints the same.
    #[getter]
    fn digest(&self, py: Python<'_>) -> PyResult<String> {
        on_pool(py, || self.0.digest().to_owned())
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

    /// The file that it was opened from; a URL is a text.
    #[getter]
    fn path<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(path) = self.0.path() else { return Ok(None) };
        // A path would lose one of the slashes of a URL.
        Ok(Some(match Place::is_remote(path) {
            true => path.display().to_string().into_pyobject(py)?.into_any(),
            false => path.into_pyobject(py)?.into_any(),
        }))
    }

    /// Writes a solution file, whole or not at all. `streets` leaves the last ones out: `"flop"`, `"turn"` or `"full"`; what is left
    /// out is solved again when it is read. What is there and not a solution is not written over, nor a name taken that does not end
    /// in `.nrs`, unless `force` says so.
    #[pyo3(signature = (path, *, streets="full", force=false))]
    fn save(&self, py: Python<'_>, path: PathBuf, streets: &str, force: bool) -> PyResult<()> {
        let keep = saved_streets(streets, &self.0.spec)?;
        place::check(py, &path, SOLUTION_OUTPUT, &[], force)?;
        let data = &self.0;
        if let Some(file) = data.solution.file() {
            if file.summary().keep != keep {
                let message = format!(
                    "streets: the file has `{}`, and can be copied as it is only",
                    file.summary().keep
                );
                return Err(PyValueError::new_err(message));
            }
            let bytes = on_pool(py, || data.file_bytes())??;
            return py
                .detach(|| noregret_store::write_whole(&path, &bytes))
                .map_err(|error| error::cannot_write(&path, error));
        }
        let written = on_pool(py, || data.solution.save(&path, &data.spec, &data.progress, keep))?;
        written.map_err(|error| error::cannot_write(&path, error))
    }

    /// Writes rows to a file, whole or not at all: one for each line, board, hand and action. `line` keeps to the end of one line,
    /// `street` to one street. The ending of the path says what is written: `.parquet`, `.csv` or `.json`. Returns the number of rows.
    /// Amounts and EVs are in the unit of the spot, or in `unit`: `"chips"`, `"bb"` or `"pot"` (percent of the pot). A file of another
    /// kind is not written over unless `force` says so.
    ///
    /// >>> import noregret as nr, tempfile, pathlib
    /// >>> spot = nr.Spot("AA,KK", "QQ,JJ", "QsJh2h8c3d", pot=100, stack=100)
    /// >>> path = pathlib.Path(tempfile.mkdtemp()) / "rows.parquet"
    /// >>> nr.solve(spot, target=5, progress=False).export(path, line="check")
    /// 18
    #[pyo3(signature = (path, *, line=None, street=None, unit=None, force=false))]
    fn export(
        &self,
        py: Python<'_>,
        path: PathBuf,
        line: Option<&str>,
        street: Option<&str>,
        unit: Option<&str>,
        force: bool,
    ) -> PyResult<u64> {
        let amounts = self.0.amount_format_in(shown_unit(unit)?)?;
        let extent = match (line, street) {
            (Some(_), Some(_)) => return Err(PyValueError::new_err("give a line or a street, not both")),
            (Some(line), None) => Extent::Line(
                line.parse().map_err(|error| error::read(&ReadError::Text(error), self.0.path()))?,
            ),
            (None, Some(name)) => {
                let street = Street::ALL.into_iter().find(|street| street.to_string() == name);
                let wrong = || {
                    error::field("street", format!("`{name}` is not known: accepted `flop`, `turn`, `river`"))
                };
                Extent::Street(street.ok_or_else(wrong)?)
            }
            (None, None) => Extent::Everything,
        };
        let format = table_format(&path).ok_or_else(|| {
            error::field("path", "the ending says what to write: accepted `.parquet`, `.csv`, `.json`")
        })?;
        let read: Vec<&Path> = self.0.path().into_iter().collect();
        place::check(py, &path, format.output_kind(), &read, force)?;
        let cannot = |error: std::io::Error| error::cannot_write(&path, error);
        interruptible(py, |stops| {
            let copy = if self.0.solution.file().is_some() { None } else { Some(self.0.saved_copy()?) };
            let Some(file) = self.0.solution.file().or_else(|| copy.as_ref().map(|copy| &copy.file)) else {
                return Ok(0);
            };
            let out = BufWriter::with_capacity(1 << 20, WholeFile::create(&path).map_err(cannot)?);
            let watch = |_| {
                if stops.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let (out, rows) =
                export(file, &extent, amounts, format, out, watch).map_err(|error| match error {
                    ExportError::Read(error) => error::read(&error, self.0.path()),
                    ExportError::Io(error) => cannot(error),
                    ExportError::NoDecision(line) => error::LineError::new_err(format!(
                        "nobody decides after `{line}`, so there are no rows"
                    )),
                    ExportError::NoStreet(street) => {
                        error::field("street", format!("the spot starts after the {street}"))
                    }
                    // Whoever pressed Ctrl-C gets that instead.
                    ExportError::Stopped => error::request("stopped"),
                })?;
            let part = out.into_inner().map_err(|error| cannot(error.into_error()))?;
            part.finish().map_err(cannot)?;
            Ok(rows)
        })?
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
        Ok(html::solution(&self.0, &root.page(py)?))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let bytes = on_pool(py, || self.0.file_bytes())??;
        Ok((py.import("noregret._noregret")?.getattr("from_file_bytes")?, (PyBytes::new(py, &bytes),)))
    }
}

/// Opens a solution file (`.nrs`), or one in object storage (`s3://bucket/spot.nrs`). It takes milliseconds: what is looked at is read then.
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
    place::place(&path)?;
    let data = on_pool(py, || SolutionData::of_file(&path))?.map_err(|error| match &error {
        ArchiveError::Io(missing) if missing.kind() == std::io::ErrorKind::NotFound => {
            let message = format!(
                "there is no solution file {}: `noregret solve SPEC --out FILE.nrs` makes one",
                path.display()
            );
            error::missing(message, &path)
        }
        _ => error::file(&path, &error),
    })?;
    Ok(PySolution(Arc::new(data)))
}

/// The solution of a file's bytes: what unpickling calls.
#[pyfunction]
pub fn from_file_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<PySolution> {
    let cannot = error::cannot_write_temporary;
    let path = tempfile::Builder::new().suffix(".nrs").tempfile().map_err(cannot)?.into_temp_path();
    py.detach(|| std::fs::write(&path, bytes)).map_err(cannot)?;
    let data = on_pool(py, || SolutionData::of_temporary(path))?;
    let data = data.map_err(|error| error::FileError::new_err(error.to_string()))?;
    Ok(PySolution(Arc::new(data)))
}
