//! One spot, several algorithms and precisions.

use crate::arrow::NamedColumn;
use crate::interrupt::abandonable;
use crate::options::{SolveArguments, memory_limit, precision_text};
use crate::pool::{on_pool, pool};
use crate::run::{NextEvent, PickedOptions, PyStep, SolveEnding, SolveThread, SolveThreadFiles};
use crate::solution_data::SolutionData;
use crate::spot::PySpot;
use crate::{arrow, error};
use arrow_array::{ArrayRef, Int64Array, RecordBatch};
use noregret_holdem::{Exponents, PrecisionChoice, SolveJob, SolverOptions, Spec, StopCondition, StopReason};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyList};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// One way to solve the spot, and how it went.
///
/// >>> import noregret as nr
/// >>> spot = nr.Spot("AA,KK,QJs", "TT+,KQs", "QsJh2h8c3d", pot=100, stack=300)
/// >>> run = nr.compare(spot, algorithms=["dcfr"], target=1)[0]
/// >>> run.algorithm, run.precision, run.target_reached, run.history[-1].exploitability == run.exploitability
/// ('dcfr', '32/32', True, True)
#[pyclass(name = "ComparedRun", module = "noregret", frozen, get_all)]
pub struct PyComparedRun {
    /// The regret minimiser.
    algorithm: String,
    /// Bits of the strategy and of the regrets.
    precision: String,
    /// Iterations that were made.
    iterations: u32,
    /// How long it took.
    seconds: f64,
    /// The exploitability in percent of the pot.
    exploitability: f64,
    /// Whether that is the target or less.
    target_reached: bool,
    /// What the solver state and tables allocate, in bytes.
    memory_bytes: usize,
    /// The measurements on the way.
    history: Vec<PyStep>,
}

#[pymethods]
impl PyComparedRun {
    fn __repr__(&self) -> String {
        let Self { algorithm, precision, iterations, seconds, exploitability, .. } = self;
        format!(
            "<{algorithm} {precision}: {exploitability:.4}% after {iterations} iterations, {seconds:.2} s>"
        )
    }
}

/// Solves a spot in several ways, one after the other on the same threads, to compare how fast each reaches the target.
///
/// >>> import noregret as nr
/// >>> spot = nr.Spot("AA,KK,QJs", "TT+,KQs", "QsJh2h8c3d", pot=100, stack=300)
/// >>> runs = nr.compare(spot, algorithms=["dcfr", "cfr+"], precisions=["32/32", "8/16"], target=1)
/// >>> [(run.algorithm, run.precision) for run in runs]
/// [('dcfr', '32/32'), ('dcfr', '8/16'), ('cfr+', '32/32'), ('cfr+', '8/16')]
#[pyfunction]
#[pyo3(signature = (spot, *, algorithms=None, precisions=None, target=None, max_iterations=None, threads=None, memory=None))]
#[expect(clippy::too_many_arguments)]
pub fn compare(
    py: Python<'_>,
    spot: &Bound<'_, PySpot>,
    algorithms: Option<Vec<String>>,
    precisions: Option<Vec<String>>,
    target: Option<f64>,
    max_iterations: Option<i64>,
    threads: Option<i64>,
    memory: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyComparison> {
    let base = &spot.get().0;
    let (limit, threads) = (memory_limit(memory)?, crate::options::threads(threads)?);
    let mut specs = Vec::new();
    for algorithm in algorithms.map_or(vec![None], |names| names.into_iter().map(Some).collect()) {
        for precision in precisions.clone().map_or(vec![None], |texts| texts.into_iter().map(Some).collect())
        {
            let mut spec = base.clone();
            let arguments = SolveArguments {
                target,
                max_iterations,
                algorithm: algorithm.clone(),
                precision,
                ..Default::default()
            };
            arguments.apply(&mut spec)?;
            if arguments.precision.is_some() && spec.solver.precision_choice == PrecisionChoice::Profile {
                let message =
                    "`profile` times precisions to pick one, and a comparison solves in each: name them";
                return Err(error::field("precisions", message));
            }
            if spec.solver.algorithm != base.solver.algorithm {
                // What the spec tunes is for its own algorithm.
                spec.solver =
                    SolverOptions { exponents: Exponents::default(), restarts: false, ..spec.solver };
            }
            specs.push(spec);
        }
    }
    let mut question = base.clone();
    SolveArguments { target, max_iterations, ..Default::default() }.apply(&mut question)?;
    let metadata = SolutionData::metadata_of(&question);
    let (layout, plans) = on_pool(py, || {
        let layout = limit.lay_out(base).map_err(|error| error::lay_out(&error))?;
        let mut plans = Vec::new();
        for spec in specs {
            let solver = limit.fit(&layout, &spec.solver, threads).map_err(|error| error::memory(&error))?;
            limit.check(&layout, &solver, threads).map_err(|error| error::memory(&error))?;
            let memory_bytes = layout.size(&solver).memory.total();
            plans.push((Spec { solver, ..spec }, memory_bytes));
        }
        PyResult::Ok((layout, plans))
    })??;
    let pool = Arc::new(pool(threads)?);
    let builders = pool.clone();
    let game = abandonable(py, move || builders.install(|| layout.build()))?;
    let mut runs = Vec::new();
    for (spec, memory_bytes) in plans {
        let (game, pool, solver) = (game.clone(), pool.clone(), spec.solver.clone());
        let picked = Arc::new(Mutex::new(PickedOptions { options: solver.clone(), memory_bytes }));
        let (goal, files) = (StopCondition::of(&solver), SolveThreadFiles::default());
        let mut running = SolveThread::start(goal, picked, files, false, move |observer| {
            pool.install(move || SolveJob::on_game(game, spec).run(observer))
        })?;
        let solved = loop {
            match running.next(py, |_| Ok(()))? {
                NextEvent::Ended(_, Some(error)) => return Err(error),
                NextEvent::Ended(SolveEnding::Solved(solved), None) => break solved,
                NextEvent::Measured(_) | NextEvent::Ended(SolveEnding::Nothing, None) => {}
            }
        };
        let last = solved.last();
        runs.push(Py::new(
            py,
            PyComparedRun {
                algorithm: solver.algorithm.to_string(),
                precision: precision_text(&solver),
                iterations: last.iteration,
                seconds: last.elapsed.as_secs_f64(),
                exploitability: last.exploitability_pct,
                target_reached: solved.outcome.reason == StopReason::Target,
                memory_bytes,
                history: solved.outcome.history.iter().map(PyStep::from).collect(),
            },
        )?);
    }
    Ok(PyComparison { runs, metadata })
}

/// Runs of a comparison: a sequence of `ComparedRun`, and an Arrow table with a row for each measurement.
///
/// >>> import noregret as nr
/// >>> spot = nr.Spot("AA,KK,QJs", "TT+,KQs", "QsJh2h8c3d", pot=100, stack=300)
/// >>> [run.precision for run in nr.compare(spot, precisions=["32/32", "8/16"], target=1)]
/// ['32/32', '8/16']
#[pyclass(name = "Comparison", module = "noregret", frozen, sequence)]
pub struct PyComparison {
    runs: Vec<Py<PyComparedRun>>,
    /// Of what spec it is.
    metadata: HashMap<String, String>,
}

impl PyComparison {
    fn table(&self) -> PyResult<RecordBatch> {
        let steps =
            || self.runs.iter().flat_map(|run| run.get().history.iter().map(move |step| (run.get(), step)));
        let whole = |number: fn(&PyComparedRun, &PyStep) -> i64| -> ArrayRef {
            Arc::new(steps().map(|(run, step)| number(run, step)).collect::<Int64Array>())
        };
        let columns = vec![
            NamedColumn::full("algorithm", arrow::texts(steps().map(|(run, _)| &run.algorithm))),
            NamedColumn::full("precision", arrow::texts(steps().map(|(run, _)| &run.precision))),
            NamedColumn::full("iteration", whole(|_, step| step.iteration.into())),
            NamedColumn::full("seconds", arrow::numbers(steps().map(|(_, step)| step.seconds))),
            NamedColumn::full("exploitability", arrow::numbers(steps().map(|(_, step)| step.exploitability))),
            NamedColumn::full("memory_bytes", whole(|run, _| run.memory_bytes as i64)),
        ];
        arrow::record_batch(columns, self.metadata.clone()).map_err(arrow::failed)
    }
}

#[pymethods]
impl PyComparison {
    fn __len__(&self) -> usize {
        self.runs.len()
    }

    fn __getitem__(&self, py: Python<'_>, index: isize) -> PyResult<Py<PyComparedRun>> {
        let place = if index < 0 { index + self.runs.len() as isize } else { index };
        let run = usize::try_from(place).ok().and_then(|place| self.runs.get(place));
        run.map(|run| run.clone_ref(py)).ok_or_else(|| pyo3::exceptions::PyIndexError::new_err(index))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let runs: Vec<Py<PyComparedRun>> = self.runs.iter().map(|run| run.clone_ref(py)).collect();
        Ok(PyList::new(py, runs)?.into_any().try_iter()?.into_any())
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::stream(py, &self.table()?, requested_schema)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::schema(py, &self.table()?)
    }

    fn __repr__(&self) -> String {
        let runs: Vec<String> = self.runs.iter().map(|run| run.get().__repr__()).collect();
        format!("[{}]", runs.join(", "))
    }
}
