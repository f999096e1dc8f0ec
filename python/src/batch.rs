//! One spot on many flops.

use crate::board::{PyBoard, board};
use crate::error;
use crate::interrupt::abandonable;
use crate::options::{SolveArguments, saved_streets, whole_from};
use crate::place::place;
use crate::pool::on_pool;
use crate::solution::PySolution;
use crate::solution_data::SolutionData;
use crate::spot::PySpot;
use noregret_holdem::cards::distinct_flops;
use noregret_holdem::{BatchJob, BatchPlan, Flops, flop_subset};
use noregret_report::{BATCH_LIST, LIST_HEADING, Listed, list_text};
use noregret_store::ArchiveError;
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Flops that stand for all 22,100 under the ranges of a spot, most important first, each with the number of flops that it stands for.
/// Without `count` they are all 1,755 that are strategically distinct.
///
/// >>> import noregret as nr
/// >>> spot = nr.Spot("88+,ATs+", "JJ-55,KQs", "QsJh2h", pot=100, stack=300)
/// >>> flops = nr.flops(spot, 10)
/// >>> len(flops), sum(weight for _, weight in flops)
/// (10, 22100)
#[pyfunction]
#[pyo3(signature = (spot=None, count=None))]
pub fn flops(
    py: Python<'_>,
    spot: Option<&Bound<'_, PySpot>>,
    count: Option<i128>,
) -> PyResult<Vec<(PyBoard, u32)>> {
    let found = match (spot, count) {
        (Some(spot), Some(count)) => {
            let count = whole_from("count", count, 1)? as usize;
            let spot = spot.get().0.spot.clone();
            abandonable(py, move || flop_subset(&spot, count))?
        }
        (None, Some(_)) => {
            return Err(error::field("count", "which flops stand for all depends on ranges: give a spot"));
        }
        (_, None) => py.detach(distinct_flops),
    };
    Ok(found.into_iter().map(|flop| (PyBoard(flop.board), flop.weight)).collect())
}

/// A flop of a batch: the name of its files, its spot, and why there is none.
type BatchFlop = (String, Option<PySpot>, Option<String>);

/// What a batch is to solve, by flop. The list of flops is written to `directory` for reports.
#[pyfunction]
#[pyo3(signature = (spot, flops, directory, streets, target, max_iterations, algorithm, precision, warm_start, pruning))]
#[expect(clippy::too_many_arguments)]
pub fn batch_jobs(
    py: Python<'_>,
    spot: &Bound<'_, PySpot>,
    flops: &Bound<'_, PyAny>,
    directory: PathBuf,
    streets: &str,
    target: Option<f64>,
    max_iterations: Option<i64>,
    algorithm: Option<String>,
    precision: Option<String>,
    warm_start: Option<bool>,
    pruning: Option<bool>,
) -> PyResult<Vec<BatchFlop>> {
    let mut base = spot.get().0.clone();
    SolveArguments { target, max_iterations, algorithm, precision, warm_start, pruning }.apply(&mut base)?;
    let flops = if let Ok(text) = flops.extract::<String>() {
        match text.as_str() {
            "all" => Flops::All,
            _ => {
                return Err(error::field("flops", "accepted \"all\", a number of flops, or a list of flops"));
            }
        }
    } else if let Ok(count) = flops.extract::<usize>() {
        if !(1..=1755).contains(&count) {
            return Err(error::field("flops", "must be a whole number of flops from 1 to 1755"));
        }
        Flops::Subset(count)
    } else {
        let mut list = Vec::new();
        for item in flops.try_iter()? {
            let item = item?;
            let (flop, weight) = match item.extract::<(Bound<'_, PyAny>, u32)>() {
                Ok((flop, weight)) => (flop, Some(weight)),
                Err(_) => (item, None),
            };
            list.push((board(&flop)?, weight));
        }
        Flops::List(list)
    };
    let plan = BatchPlan {
        spec: String::new(),
        directory: directory.display().to_string(),
        flops,
        stacks: Vec::new(),
        ranges: Vec::new(),
        keep: saved_streets(streets, &base)?,
        checkpoint_every: None,
    };
    let jobs = abandonable(py, move || plan.jobs(&base))?.map_err(|error| error::request(&error))?;
    place(&directory)?;
    py.detach(|| write_list(&jobs, &directory))?;
    let job = |job: BatchJob| match job.spec {
        Ok(spec) => (job.name, Some(PySpot(spec)), None),
        Err(error) => (job.name, None, Some(error.to_string())),
    };
    Ok(jobs.into_iter().map(job).collect())
}

/// Writes the list of the solutions of some jobs for reports, in a folder that is made if it is not there.
pub fn write_list(jobs: &[BatchJob], directory: &Path) -> PyResult<()> {
    noregret_store::make_directories(directory).map_err(|error| error::cannot_write(directory, error))?;
    let listed = |job: &BatchJob| Listed {
        file: format!("{}.nrs", job.name),
        weight: job.weight,
        variant: job.variant.clone(),
    };
    let list = directory.join(BATCH_LIST);
    let text = list_text(&jobs.iter().map(listed).collect::<Vec<_>>());
    if !noregret_store::is_replaceable(&list, &[LIST_HEADING.as_bytes()])
        .map_err(|error| error::cannot_read("", &list, &error))?
    {
        return Err(error::FileError::new_err(format!(
            "{} is not a list of a batch: move it away, or write to another directory",
            list.display()
        )));
    }
    noregret_store::write_whole(&list, text.as_bytes()).map_err(|error| error::cannot_write(&list, error))
}

/// Whether there is a file or an object.
#[pyfunction]
pub fn place_exists(py: Python<'_>, path: PathBuf) -> PyResult<bool> {
    place(&path)?;
    Ok(py.detach(|| noregret_store::exists(&path)))
}

/// Takes a file or an object away, if it is there.
#[pyfunction]
pub fn remove_place(py: Python<'_>, path: PathBuf) -> PyResult<()> {
    place(&path)?;
    match py.detach(|| noregret_store::remove(&path)) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error::cannot_write(&path, error)),
        _ => Ok(()),
    }
}

/// The solution of a flop of a batch that is there already; none if there is no whole file. One of another spec, whatever precisions
/// were picked, or with other streets is an error, as it would be written over.
#[pyfunction]
pub fn batch_solution(
    py: Python<'_>,
    spot: &Bound<'_, PySpot>,
    path: PathBuf,
    streets: &str,
) -> PyResult<Option<PySolution>> {
    let found = match on_pool(py, || SolutionData::of_file(&path))? {
        Ok(found) => found,
        Err(error) if error.is_damage() => return Ok(None),
        Err(ArchiveError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error::file(&path, &error)),
    };
    let asked = &spot.get().0;
    let is_of = asked.clone().continuing(&found.spec) == found.spec;
    let keep = saved_streets(streets, asked)?;
    if !is_of || found.solution.file().is_none_or(|file| file.summary().keep != keep) {
        return Err(error::FileError::new_err(format!(
            "{} holds the solution of another spec: move it away, or write to another directory",
            path.display()
        )));
    }
    Ok(Some(PySolution(Arc::new(found))))
}
