//! One spot over many workers: what the driver and the workers of a cluster hold.

use crate::error;
use crate::options::{SolveArguments, memory_limit};
use crate::place::place;
use crate::pool::pool;
use crate::spot::PySpot;
use noregret_holdem::{
    BranchSolver, CutError, MemoryLimit, Spec, SpreadError, SpreadPlan, SpreadSolution, StopReason,
    TrunkSolver,
};
use noregret_store::ArchiveError;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use rayon::ThreadPool;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, mpsc};

/// The turns of each worker, and what memory it takes.
#[pyclass(name = "SpreadPlan", module = "noregret._noregret", frozen)]
pub struct PySpreadPlan(SpreadPlan);

/// Deals the turn cards of a spot out to workers; none if there is no turn card to divide it by. `memory` is what each worker may
/// take on so many threads, and `costs` what each turn was measured to cost.
#[pyfunction]
#[pyo3(signature = (spot, workers, *, threads=1, target=None, max_iterations=None, precision=None, memory=None, costs=None))]
#[expect(clippy::too_many_arguments)]
pub fn spread_plan(
    py: Python<'_>,
    spot: &Bound<'_, PySpot>,
    workers: i64,
    threads: i64,
    target: Option<f64>,
    max_iterations: Option<i64>,
    precision: Option<String>,
    memory: Option<&Bound<'_, PyAny>>,
    costs: Option<Vec<f64>>,
) -> PyResult<Option<PySpreadPlan>> {
    let mut spec = spot.get().0.clone();
    if spec.solver.dry_run {
        let message = "a cluster has no dry run: `noregret solve SPEC --dry-run` says the sizes; solve with `dry_run = false`";
        return Err(error::field("solver.dry_run", message));
    }
    SolveArguments { target, max_iterations, precision, algorithm: None, warm_start: None, pruning: None }
        .apply(&mut spec)?;
    let workers = usize::try_from(workers).ok().filter(|workers| (1..=10_000).contains(workers));
    let workers = workers.ok_or_else(|| error::field("workers", "must be a whole number from 1 to 10000"))?;
    let threads = crate::options::threads(Some(threads))?;
    let limit = if memory.is_some() { memory_limit(memory)? } else { MemoryLimit::ANY };
    let plan = py.detach(|| {
        let plan = match &costs {
            Some(costs) => SpreadPlan::by_costs(spec, workers, costs)?,
            None => SpreadPlan::new(spec, workers)?,
        };
        plan.check_memory(&limit, threads)?;
        plan.check_trunk_memory(&MemoryLimit::of_machine())?;
        Ok(plan)
    });
    match plan {
        Ok(plan) => Ok(Some(PySpreadPlan(plan))),
        Err(SpreadError::NoTurn) => Ok(None),
        Err(error) => Err(spread_error(&error)),
    }
}

fn spread_error(error: &SpreadError) -> PyErr {
    match error {
        SpreadError::LayOut(error) => error::lay_out(error),
        SpreadError::Memory(error) => error::memory(error),
        SpreadError::Worker { .. } | SpreadError::Driver { .. } => {
            error::DoesNotFit::new_err(error.to_string())
        }
        error => error::request(error),
    }
}

#[pymethods]
impl PySpreadPlan {
    /// The spec with the precisions that were picked, as text.
    #[getter]
    fn spec(&self) -> String {
        self.0.spec_text()
    }

    /// The exploitability to reach, in percent of the pot, and the last iteration.
    #[getter]
    fn goal(&self) -> (f64, u32) {
        (self.0.spec.solver.target_exploitability_pct, self.0.spec.solver.max_iterations)
    }

    /// The turns of each worker, by their numbers.
    #[getter]
    fn deals(&self) -> Vec<Vec<usize>> {
        self.0.parts.iter().map(|part| part.deals.clone()).collect()
    }

    /// The boards of each worker.
    #[getter]
    fn boards(&self) -> Vec<Vec<String>> {
        let boards =
            |part: &noregret_holdem::BranchPart| part.boards.iter().map(ToString::to_string).collect();
        self.0.parts.iter().map(boards).collect()
    }

    /// The share of the work that each worker has, by an estimate.
    #[getter]
    fn shares(&self) -> Vec<f64> {
        self.0.parts.iter().map(|part| part.share).collect()
    }

    /// What each worker allocates on so many threads.
    fn memory(&self, threads: usize) -> Vec<usize> {
        self.0.parts.iter().map(|part| part.memory.on_threads(threads)).collect()
    }

    /// What the driver allocates.
    #[getter]
    fn trunk_memory(&self) -> usize {
        self.0.trunk.on_threads(1)
    }
}

/// What a solve has found, before it is written.
#[pyclass(name = "SpreadSolution", module = "noregret._noregret", frozen)]
pub struct PySpreadSolution(SpreadSolution);

#[pymethods]
impl PySpreadSolution {
    /// The hash of the average strategies.
    #[getter]
    fn digest(&self) -> &str {
        &self.0.summary.digest
    }

    /// What each player expects at the root, in chips.
    #[getter]
    fn ev(&self) -> (f64, f64) {
        let [oop, ip] = self.0.summary.ev;
        (oop, ip)
    }

    /// Which share of the pot each player wins if both check to the end.
    #[getter]
    fn equity(&self) -> (f64, f64) {
        let [oop, ip] = self.0.summary.equity;
        (oop, ip)
    }
}

/// The flop, in the driver. `exchange` is a function that hands bytes to all workers, and returns a list of what each answers.
#[pyclass(name = "TrunkSolver", module = "noregret._noregret")]
pub struct PyTrunkSolver {
    solver: TrunkSolver,
    pool: ThreadPool,
}

#[pymethods]
impl PyTrunkSolver {
    /// Before the first iteration of the spec of a plan.
    #[new]
    fn new(py: Python<'_>, spec: &str) -> PyResult<Self> {
        let (spec, pool) = (parse(spec)?, pool(1)?);
        let solver = py.detach(|| pool.install(|| TrunkSolver::new(spec)));
        Ok(Self { solver: solver.map_err(|error| spread_error(&error))?, pool })
    }

    /// Measures if that is due, and returns why the solve is over if it is, `"target"` or `"iterations"`; otherwise iterates once.
    fn advance(&mut self, exchange: &Bound<'_, PyAny>) -> PyResult<Option<&'static str>> {
        let Self { solver, pool } = self;
        let reason =
            with_exchange(pool, exchange, |carry| solver.advance(&mut |request: &[u8]| carry(request)))?;
        Ok(reason.map(|reason| match reason {
            StopReason::Target => "target",
            StopReason::Iterations | StopReason::Stopped => "iterations",
        }))
    }

    /// What the strategies are worth as they are. Workers can write their parts of the solution then.
    fn solution(&self, exchange: &Bound<'_, PyAny>) -> PyResult<PySpreadSolution> {
        let Self { solver, pool } = self;
        with_exchange(pool, exchange, |carry| solver.solution(&mut |request: &[u8]| carry(request)))
            .map(PySpreadSolution)
    }

    /// Writes the solution file from the parts of all workers.
    fn save(
        &self,
        py: Python<'_>,
        path: PathBuf,
        solution: &PySpreadSolution,
        parts: Vec<PathBuf>,
    ) -> PyResult<()> {
        place(&path)?;
        let saved = py.detach(|| self.pool.install(|| self.solver.save(&path, &solution.0, &parts)));
        saved.map_err(|error| error::file(&path, &error))
    }

    /// Writes its part of a checkpoint.
    fn save_checkpoint(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        place(&path)?;
        let saved = py.detach(|| self.pool.install(|| self.solver.save_checkpoint(&path)));
        saved.map_err(|error| error::cannot_write(&path, error))
    }

    /// Goes back to where the parts of a checkpoint left off.
    fn restore(&mut self, py: Python<'_>, parts: Vec<PathBuf>) -> PyResult<()> {
        let Self { solver, pool } = self;
        let restored = py.detach(|| pool.install(|| solver.restore(&parts)));
        restored.map_err(|error| unrestored(&parts, &error))
    }

    /// How many iterations have been made.
    #[getter]
    fn iteration(&self) -> u32 {
        self.solver.iteration()
    }

    /// The measurements so far: iteration, seconds, exploitability in percent of the pot.
    #[getter]
    fn history(&self) -> Vec<(u32, f64, f64)> {
        let check = |at: &noregret_holdem::Measurement| {
            (at.iteration, at.elapsed.as_secs_f64(), at.exploitability_pct)
        };
        self.solver.history().iter().map(check).collect()
    }

    /// How long solving took so far.
    #[getter]
    fn seconds(&self) -> f64 {
        self.solver.elapsed().as_secs_f64()
    }

    /// How long the iterations took that were made here, measurements not counted.
    #[getter]
    fn iteration_seconds(&self) -> f64 {
        self.solver.iterating().as_secs_f64()
    }

    /// How long it will take to the target or the last iteration, once that can be said.
    #[getter]
    fn seconds_left(&self) -> Option<f64> {
        self.solver.time_left().map(|left| left.as_secs_f64())
    }
}

/// Some turns with all their rivers, in a worker.
#[pyclass(name = "BranchSolver", module = "noregret._noregret")]
pub struct PyBranchSolver {
    solver: BranchSolver,
    pool: ThreadPool,
}

#[pymethods]
impl PyBranchSolver {
    /// Before the first iteration of the spec of a plan, with the turns that it gives to one worker.
    #[new]
    fn new(py: Python<'_>, spec: &str, deals: Vec<usize>, threads: usize) -> PyResult<Self> {
        let (spec, pool) = (parse(spec)?, pool(threads)?);
        let solver = py.detach(|| pool.install(|| BranchSolver::new(spec, deals)));
        Ok(Self { solver: solver.map_err(|error| spread_error(&error))?, pool })
    }

    /// Answers what the driver asks.
    fn answer<'py>(&mut self, py: Python<'py>, request: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        let Self { solver, pool } = self;
        let answer = py.detach(|| pool.install(|| solver.answer(request)));
        let answer = answer.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        Ok(PyBytes::new(py, &answer))
    }

    /// Writes its part of a checkpoint.
    fn save_checkpoint(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        place(&path)?;
        let saved = py.detach(|| self.pool.install(|| self.solver.save_checkpoint(&path)));
        saved.map_err(|error| error::cannot_write(&path, error))
    }

    /// Goes back to where the parts of a checkpoint left off, whoever wrote them.
    fn restore(&mut self, py: Python<'_>, parts: Vec<PathBuf>) -> PyResult<()> {
        let Self { solver, pool } = self;
        let restored = py.detach(|| pool.install(|| solver.restore(&parts)));
        restored.map_err(|error| unrestored(&parts, &error))
    }

    /// Writes its part of the solution.
    fn save_solution(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        place(&path)?;
        let saved = py.detach(|| self.pool.install(|| self.solver.save_solution(&path)));
        saved.map_err(|error| error::cannot_write(&path, error))
    }

    /// The board of each of its turns, with the seconds that its updates took so far: on one thread, what the turn costs.
    #[getter]
    fn turn_seconds(&self) -> Vec<(String, f64)> {
        let turns = self.solver.elapsed().into_iter();
        turns.map(|(board, elapsed)| (board.to_string(), elapsed.as_secs_f64())).collect()
    }
}

fn parse(spec: &str) -> PyResult<Spec> {
    spec.parse().map_err(|error| error::spec_in_text(&error, "the spec", spec))
}

/// Parts that cannot be gone on from.
fn unrestored(parts: &[PathBuf], error: &ArchiveError) -> PyErr {
    error::cannot_read_archive(parts.first().map_or(Path::new("the checkpoint"), PathBuf::as_path), error)
}

/// No answer is coming: the function that was to get them has raised.
struct Unanswered;

/// Runs `work` on a pool without the interpreter's lock, and calls `exchange` on this thread, which is the one that an interrupt
/// reaches. What it raises ends the work.
fn with_exchange<T: Send>(
    pool: &ThreadPool,
    exchange: &Bound<'_, PyAny>,
    work: impl FnOnce(
        &mut dyn FnMut(&[u8]) -> Result<Vec<Vec<u8>>, Unanswered>,
    ) -> Result<T, CutError<Unanswered>>
    + Send,
) -> PyResult<T> {
    let py = exchange.py();
    let (ask, asked) = mpsc::channel::<Vec<u8>>();
    let (answer, answered) = mpsc::channel::<Vec<Vec<u8>>>();
    let asked = Mutex::new(asked);
    let mut raised = None;
    let worked = std::thread::scope(|scope| {
        let working = scope.spawn(move || {
            pool.install(move || {
                work(&mut |request: &[u8]| {
                    ask.send(request.to_vec()).map_err(|_| Unanswered)?;
                    answered.recv().map_err(|_| Unanswered)
                })
            })
        });
        let next = || py.detach(|| asked.lock().unwrap_or_else(PoisonError::into_inner).recv());
        while let Ok(request) = next() {
            match answers(exchange, &request) {
                // The work has ended by itself if nobody takes them.
                Ok(answers) => drop(answer.send(answers)),
                Err(error) => {
                    raised = Some(error);
                    break;
                }
            }
        }
        drop(answer);
        py.detach(|| working.join())
    });
    match (worked, raised) {
        (_, Some(error)) => Err(error),
        (Ok(Ok(value)), None) => Ok(value),
        (Ok(Err(CutError::Message(error))), None) => Err(PyValueError::new_err(error.to_string())),
        (Ok(Err(CutError::Transport(Unanswered))) | Err(_), None) => {
            Err(PyRuntimeError::new_err("the thread of the driver has ended"))
        }
    }
}

fn answers(exchange: &Bound<'_, PyAny>, request: &[u8]) -> PyResult<Vec<Vec<u8>>> {
    let answers = exchange.call1((PyBytes::new(exchange.py(), request),))?;
    let answers = answers.cast::<PyList>()?;
    answers.iter().map(|answer| Ok(answer.cast::<PyBytes>()?.as_bytes().to_vec())).collect()
}
