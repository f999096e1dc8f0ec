//! One spot on many flops.

use crate::board::{PyBoard, board};
use crate::error;
use crate::options::saved_streets;
use crate::spot::PySpot;
use noregret_holdem::cards::distinct_flops;
use noregret_holdem::{BatchPlan, Flops, Spec, flop_subset};
use noregret_report::{BATCH_LIST, LIST_HEADING, Listed, list_text};
use pyo3::prelude::*;
use std::path::PathBuf;

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
    count: Option<usize>,
) -> PyResult<Vec<(PyBoard, u32)>> {
    let found = match (spot, count) {
        (Some(spot), Some(count)) if count > 0 => {
            let spot = &spot.get().0.spot;
            py.detach(|| flop_subset(spot, count))
        }
        (None, Some(_)) => {
            return Err(error::field("count", "which flops stand for all depends on ranges: give a spot"));
        }
        (_, Some(_)) => return Err(error::field("count", "must be at least 1")),
        (_, None) => py.detach(distinct_flops),
    };
    Ok(found.into_iter().map(|flop| (PyBoard(flop.board), flop.weight)).collect())
}

/// What a batch is to solve: the name of each job, its flop, its weight and its spot; and the list of them for reports, which is
/// written to `directory`.
#[pyfunction]
#[pyo3(signature = (spot, flops, directory, streets))]
pub fn batch_jobs(
    py: Python<'_>,
    spot: &Bound<'_, PySpot>,
    flops: &Bound<'_, PyAny>,
    directory: PathBuf,
    streets: &str,
) -> PyResult<Vec<(String, PyBoard, u32, PySpot)>> {
    let base = &spot.get().0;
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
        keep: saved_streets(streets, base)?,
        checkpoint_every: None,
    };
    let jobs = py.detach(|| plan.jobs(base)).map_err(|error| error::request(&error))?;
    let cannot = |path: &std::path::Path, error| error::cannot_write(path, error);
    std::fs::create_dir_all(&directory).map_err(|error| cannot(&directory, error))?;
    let listed = |job: &noregret_holdem::BatchJob| Listed {
        file: format!("{}.nrs", job.name),
        weight: job.weight,
        variant: job.variant.clone(),
    };
    let list = directory.join(BATCH_LIST);
    let text = list_text(&jobs.iter().map(listed).collect::<Vec<_>>());
    if !noregret_store::is_replaceable(&list, &[LIST_HEADING.as_bytes()])
        .map_err(|error| error::file(&list, error))?
    {
        return Err(error::FileError::new_err(format!(
            "{} is not a list of a batch: move it away, or write to another directory",
            list.display()
        )));
    }
    noregret_store::write_whole(&list, text.as_bytes()).map_err(|error| cannot(&list, error))?;
    let job = |job: noregret_holdem::BatchJob| {
        let spec = job.spec.map_err(|error| error::request(format!("{}: {error}", job.name)))?;
        Ok((job.name, PyBoard(job.flop), job.weight, PySpot(spec)))
    };
    jobs.into_iter().map(job).collect()
}

/// Whether a solution is of a spot, whatever precisions were picked where it leaves them open.
#[pyfunction]
pub fn is_of(spot: &Bound<'_, PySpot>, solved: &Bound<'_, PySpot>) -> bool {
    let (asked, solved) = (&spot.get().0, &solved.get().0);
    Spec { solver: asked.solver.picked_as(&solved.solver), ..asked.clone() } == *solved
}
