//! One line over many boards.

use crate::amount::shown_unit;
use crate::interrupt::abandonable;
use crate::place::{self, table_format};
use crate::pool::on_pool;
use crate::solution::{PySolution, open};
use crate::solution_data::{FileOf, SolutionData};
use crate::{arrow, error, html};
use arrow_array::RecordBatch;
use noregret_holdem::{AmountFormat, Line, LinePattern, ReadError, ShownUnit};
use noregret_report::{
    PAGE_OUTPUT, Report, ReportRow, Subject, TableFormat, flop_row, html as page, list_beside, runout_rows,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};
use rayon::prelude::*;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A solution of a report: with its name, its weight and its variant.
struct ReportEntry {
    source: FileOf,
    amounts: AmountFormat,
    name: String,
    weight: Option<u32>,
    variant: String,
}

impl ReportEntry {
    fn new(data: Arc<SolutionData>, unit: Option<ShownUnit>) -> PyResult<Self> {
        let amounts = data.amount_format_in(unit)?;
        let board = data.spec.spot.board().to_string();
        let path = data.path().map(Path::to_owned);
        let name = path
            .as_deref()
            .and_then(Path::file_name)
            .map_or(board, |name| name.to_string_lossy().into_owned());
        let (mut weight, mut variant) = (None, String::new());
        if let Some(path) = &path {
            let listed = list_beside(path).map_err(|error| error::FileError::new_err(error.to_string()))?;
            if let Some(listed) = listed.get(&name) {
                (weight, variant) = (Some(listed.weight), listed.variant.clone());
            }
        }
        Ok(Self { source: FileOf::new(data)?, amounts, name, weight, variant })
    }
}

/// Compares one line over many boards: the flops of several solutions, or every card that can come in one.
///
/// `solutions` are a `Solution`, a file, a folder of files, or several of those. `*` in the line is every card. Boards are averaged as
/// often as they happen. Amounts and EVs are in the unit of the spots, or in `unit`: `"chips"`, `"bb"` or `"pot"` (percent of the pot).
///
/// >>> import noregret as nr
/// >>> spot = nr.Spot("AA,KK,QJs", "TT+,KQs", "QsJh2h8c", pot=100, stack=300)
/// >>> solution = nr.solve(spot, target=5, progress=False)
/// >>> report = nr.report(solution, "check, check, *")
/// >>> len(report), report.player
/// (48, Player.OOP)
#[pyfunction]
#[pyo3(signature = (solutions, line="", *, unit=None))]
pub fn report(
    py: Python<'_>,
    solutions: &Bound<'_, PyAny>,
    line: &str,
    unit: Option<&str>,
) -> PyResult<PyReport> {
    let unit = shown_unit(unit)?;
    let pattern: LinePattern = line
        .parse()
        .map_err(|error: noregret_holdem::ParseLineError| error::read(&ReadError::Text(error), None))?;
    let mut all = Vec::new();
    collect(py, solutions, &mut all)?;
    // What is in memory is saved first.
    let sources = on_pool(py, || {
        all.into_iter().map(|data| ReportEntry::new(data, unit)).collect::<PyResult<Vec<ReportEntry>>>()
    })??;
    let (found, sources) = abandonable(py, move || {
        let found = match (pattern.line(), &sources[..]) {
            (Some(at), _) => over_flops(&sources, &at, pattern),
            (None, [source]) => over_runouts(source, pattern).map(|report| (report, Vec::new())),
            (None, _) => {
                let message = format!("runouts are those of one solution file, not of {}", sources.len());
                Err(error::request(message))
            }
        };
        (found, sources)
    })?;
    let (report, left_out) = found?;
    let mut metadata = HashMap::from([
        ("noregret_version".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
        ("line".to_owned(), report.line.to_string()),
        ("unit".to_owned(), report.unit().map_or("mixed", ShownUnit::name).to_owned()),
    ]);
    match &sources[..] {
        [entry] => metadata.extend(entry.source.data.metadata()),
        several => {
            let digests: Vec<String> =
                several.iter().map(|entry| entry.source.data.spec.digest().to_string()).collect();
            metadata.insert("spec_digests".to_owned(), digests.join(","));
            let reached = several.iter().filter_map(|entry| entry.source.data.exploitability());
            if let Some(worst) = reached.max_by(f64::total_cmp) {
                metadata.insert("exploitability_pct".to_owned(), worst.to_string());
            }
        }
    }
    let (columns, rows) = report.table();
    let table = arrow::of_table(&columns, &rows, metadata).map_err(arrow::failed)?;
    Ok(PyReport { report, table, left_out })
}

/// Gathers the solutions that an argument names.
fn collect(py: Python<'_>, value: &Bound<'_, PyAny>, all: &mut Vec<Arc<SolutionData>>) -> PyResult<()> {
    if let Ok(solution) = value.cast::<PySolution>() {
        all.push(solution.get().0.clone());
        return Ok(());
    }
    if let Ok(path) = value.extract::<PathBuf>() {
        for file in py.detach(|| files_of(&path))? {
            all.push(open(py, file)?.0);
        }
        return Ok(());
    }
    let items = value.try_iter().map_err(|_| {
        PyTypeError::new_err("solutions: must be a Solution, a file, a folder of files, or several of those")
    })?;
    for item in items {
        collect(py, &item?, all)?;
    }
    if all.is_empty() { Err(PyValueError::new_err("solutions: there are none")) } else { Ok(()) }
}

fn files_of(path: &Path) -> PyResult<Vec<PathBuf>> {
    let cannot = |error| error::cannot_read("", path, &error);
    if !noregret_store::is_directory(path).map_err(cannot)? {
        return Ok(vec![path.to_owned()]);
    }
    let entries = noregret_store::list(path).map_err(cannot)?;
    let mut files: Vec<PathBuf> = entries.iter().map(|entry| path.join(&entry.name)).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "nrs"));
    if files.is_empty() {
        return Err(error::FileError::new_err(format!("there is no .nrs file in {}", path.display())));
    }
    Ok(files)
}

fn over_flops(sources: &[ReportEntry], at: &Line, line: LinePattern) -> PyResult<(Report, Vec<String>)> {
    let rows: Vec<Result<ReportRow, ReadError>> = sources
        .par_iter()
        .filter_map(|source| {
            let file = source.source.file().ok()?;
            Some(flop_row(file, source.amounts, &source.name, &source.variant, source.weight, at))
        })
        .collect();
    let (mut read, mut left_out) = (Vec::new(), Vec::new());
    for (source, row) in sources.iter().zip(rows) {
        match row {
            Ok(row) => read.push(row),
            // The same line may not exist with another stack: the others are still worth a report.
            Err(error @ ReadError::Line(_)) if sources.len() > 1 => {
                left_out.push(format!("{}: {error}", source.name))
            }
            Err(error) => return Err(error::read(&error, source.source.data.path())),
        }
    }
    if read.is_empty() {
        return Err(error::LineError::new_err(format!("no solution has `{line}`")));
    }
    Ok((Report::of_flops(line, read), left_out))
}

fn over_runouts(source: &ReportEntry, line: LinePattern) -> PyResult<Report> {
    let file = source.source.file()?;
    let rows = runout_rows(file, source.amounts, &source.name, &line, |_, _| {})
        .map_err(|error| error::read(&error, source.source.data.path()))?;
    Ok(Report { subject: Subject::Runouts, line, rows })
}

/// A line over many boards: a table with a row for each, then one for all of them, whose board is `all`. Whoever reads Arrow reads it:
/// `polars.DataFrame(report)`.
///
/// >>> import noregret as nr
/// >>> spot = nr.Spot("AA,KK,QJs", "TT+,KQs", "QsJh2h8c", pot=100, stack=300)
/// >>> report = nr.report(nr.solve(spot, target=5, progress=False), "check, check, *")
/// >>> len(report), report.actions, round(sum(report.frequencies().values()), 6)
/// (48, ['check', 'bet 50'], 1.0)
#[pyclass(name = "Report", module = "noregret", frozen)]
pub struct PyReport {
    report: Report,
    table: RecordBatch,
    left_out: Vec<String>,
}

#[pymethods]
impl PyReport {
    /// The line.
    #[getter]
    fn line(&self) -> String {
        self.report.line.to_string()
    }

    /// Who acts at the end of the line; None if nobody does, or not on all boards the same player.
    #[getter]
    fn player(&self) -> Option<crate::player::PyPlayer> {
        self.report.player().map(Into::into)
    }

    /// The boards, in the order of the rows.
    #[getter]
    fn boards(&self) -> Vec<String> {
        self.report.rows.iter().map(|row| row.summary.board.to_string()).collect()
    }

    /// Every action that some board has.
    #[getter]
    fn actions(&self) -> Vec<String> {
        self.report.actions().iter().map(ToString::to_string).collect()
    }

    /// Solutions that do not have the line, and why.
    #[getter]
    fn left_out(&self) -> Vec<String> {
        self.left_out.clone()
    }

    /// How often each action is taken over all boards, each counted as often as it happens.
    #[pyo3(signature = (variant=""))]
    fn frequencies<'py>(&self, py: Python<'py>, variant: &str) -> PyResult<Bound<'py, PyDict>> {
        let known = self.report.variants();
        if !known.contains(&variant) {
            let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
            let message = format!("there is no `{variant}`: accepted {}", known.join(", "));
            return Err(error::field("variant", message));
        }
        let entries = PyDict::new(py);
        for action in &self.report.average(variant).actions {
            entries.set_item(action.action.to_string(), action.frequency)?;
        }
        Ok(entries)
    }

    /// The page of the report, which opens from disk.
    #[pyo3(signature = (title=None))]
    fn html(&self, title: Option<&str>) -> String {
        let boards = self.report.rows.len();
        let subject = if self.report.subject == Subject::Flops { "flops" } else { "runouts" };
        let own = format!("{boards} {subject}");
        page(&self.report, title.unwrap_or(&own))
    }

    /// Writes the report to a file, whole or not at all: its ending says what, `.html`, `.csv`, `.json` or `.parquet`. A file of
    /// another kind is not written over unless `force` says so.
    #[pyo3(signature = (path, *, title=None, force=false))]
    fn save(&self, py: Python<'_>, path: PathBuf, title: Option<&str>, force: bool) -> PyResult<()> {
        let is_page = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("html"));
        let format = table_format(&path);
        if format.is_none() && !is_page {
            let message = "the ending says what to write: accepted `.html`, `.csv`, `.json`, `.parquet`";
            return Err(PyValueError::new_err(format!("{}: {message}", path.display())));
        }
        place::check(py, &path, format.map_or(PAGE_OUTPUT, TableFormat::output_kind), &[], force)?;
        let written = on_pool(py, || {
            let bytes = match format {
                None => self.html(title).into_bytes(),
                Some(format) => self.report.write(format, Vec::new())?.0,
            };
            noregret_store::write_whole(&path, &bytes)
        })?;
        written.map_err(|error| error::cannot_write(&path, error))
    }

    fn __len__(&self) -> usize {
        self.report.rows.len()
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::stream(py, &self.table, requested_schema)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::schema(py, &self.table)
    }

    fn __repr__(&self) -> String {
        let line = self.report.line.to_string();
        format!("<Report of {} boards, line \"{line}\">", self.report.rows.len())
    }

    fn _repr_html_(&self) -> String {
        html::report(&self.report)
    }
}
