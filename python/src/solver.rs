//! Solving a spot from Python.

use crate::error;
use crate::options::{
    SolveArguments, checkpoint_interval, max_iterations, memory_limit, precision_text, saved_streets,
    target_pct,
};
use crate::place::{self, check_writable};
use crate::pool::{on_pool, pool};
use crate::run::{NextEvent, PickedOptions, PyStep, SolveThread, SolveThreadFiles};
use crate::solution::PySolution;
use crate::solution_data::SolutionData;
use crate::solver_state::{SolverCell, SolverState};
use crate::spot::PySpot;
use crate::steps::PyRun;
use noregret_holdem::{
    CHECKPOINT_OUTPUT, Checkpoint, FileProgress, ResumeFile, SOLUTION_OUTPUT, SaveOptions, Solution,
    SolvePlan, SolverOptions, Spec, StartFrom, StopCondition,
};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Solves a spot step by step.
///
/// Arguments that are left out are as the spot's spec file says, or else its defaults: a target of 0.1% of the pot, 1,000 iterations,
/// the algorithm `dcfr`. `precision` is `"auto"`, the default (the quickest that fits), `"profile"` (timed here), `"32bit"`, `"16bit"`,
/// bits of strategy and regrets like `"8/16"`, or by street like `"16:16:8"`. `memory` limits what may be allocated: bytes, or a text like `"4GiB"`. With
/// `checkpoint` a file is written every `checkpoint_every` seconds and at the end, which `resume` goes on from; one that cannot be
/// written on the way is a warning, and one that is lost when the solve is stopped a `FileError`.
///
/// Several threads may use a solver: a call waits for the one before it.
///
/// >>> import noregret as nr
/// >>> spot = nr.Spot("AA,KK,QJs", "TT+,KQs", "QsJh2h8c3d", pot=100, stack=300)
/// >>> solver = nr.Solver(spot, threads=1)
/// >>> for step in solver.run(target=1):
/// ...     assert step.seconds >= 0
/// >>> step.exploitability <= 1
/// True
/// >>> solver.solution.root.actions
/// [Action("check"), Action("bet 50")]
#[pyclass(name = "Solver", module = "noregret", frozen)]
pub struct PySolver {
    /// What is solved, as it was planned.
    spec: Spec,
    picked: Arc<Mutex<PickedOptions>>,
    threads: usize,
    files: SolveThreadFiles,
    checkpoint_every: Duration,
    cell: Arc<SolverCell>,
}

#[pymethods]
impl PySolver {
    #[new]
    #[pyo3(signature = (spot, *, target=None, max_iterations=None, algorithm=None, precision=None, threads=None, memory=None,
                        warm_start=None, pruning=None, checkpoint=None, checkpoint_every=300.0, resume=None))]
    #[expect(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        spot: &Bound<'_, PySpot>,
        target: Option<f64>,
        max_iterations: Option<i64>,
        algorithm: Option<String>,
        precision: Option<String>,
        threads: Option<i64>,
        memory: Option<&Bound<'_, PyAny>>,
        warm_start: Option<bool>,
        pruning: Option<bool>,
        checkpoint: Option<PathBuf>,
        checkpoint_every: f64,
        resume: Option<PathBuf>,
    ) -> PyResult<Self> {
        let mut spec = spot.get().0.clone();
        SolveArguments { target, max_iterations, algorithm, precision, warm_start, pruning }
            .apply(&mut spec)?;
        let checkpoint_every = checkpoint_interval(checkpoint_every)?;
        let start = match &resume {
            None => StartFrom::Nothing,
            Some(path) => on_pool(py, || {
                let file =
                    ResumeFile::open(path).map_err(|error| error::cannot_read_archive(path, &error))?;
                spec = spec.clone().continuing(file.spec());
                if let Some(difference) = file.difference(&spec) {
                    let path = path.display();
                    return Err(error::field("resume", format!("{path} is not of this spot: {difference}")));
                }
                Ok(StartFrom::File(Box::new(file)))
            })??,
        };
        let (limit, threads) = (memory_limit(memory)?, crate::options::threads(threads)?);
        if let Some(path) = &checkpoint {
            py.detach(|| CHECKPOINT_OUTPUT.check_content(path))
                .map_err(|error| error::kept(path, format!("{error}: {}", error.advice())))?;
            place::clear_parts(py, path);
        }
        let plan = on_pool(py, || {
            let plan = SolvePlan::new(spec, &limit, threads)?;
            plan.check_memory(&limit, threads)?;
            Ok(plan)
        })?;
        let plan = plan.map_err(|error| error::job(&error, resume.as_deref()))?;
        // Before hours are spent on what would go there.
        checkpoint.as_deref().map_or(Ok(()), |path| check_writable(py, path))?;
        let picked =
            PickedOptions { options: plan.spec.solver.clone(), memory_bytes: plan.size().memory.total() };
        Ok(Self {
            spec: plan.spec.clone(),
            picked: Arc::new(Mutex::new(picked)),
            threads,
            files: SolveThreadFiles { checkpoint, resume },
            checkpoint_every,
            cell: Arc::new(SolverCell::new(SolverState::Planned(Box::new((plan, start))))),
        })
    }

    /// Iterates until the exploitability is at most `target` percent of the pot, or to the last iteration. Each step of the iterator
    /// is a measurement; between two the solve waits. Called again, it goes on from where it was.
    #[pyo3(signature = (target=None, max_iterations=None))]
    fn run(&self, py: Python<'_>, target: Option<f64>, max_iterations: Option<i64>) -> PyResult<PyRun> {
        let number = self.start(py, target, max_iterations, true)?;
        Ok(PyRun::new(self.cell.clone(), number))
    }

    /// Runs to the end. `update` is called now and then with how far it is; `callback` gets each measurement and stops the solve by
    /// returning something false that is not None.
    #[pyo3(signature = (target=None, max_iterations=None, update=None, callback=None))]
    fn _drive(
        &self,
        py: Python<'_>,
        target: Option<f64>,
        max_iterations: Option<i64>,
        update: Option<&Bound<'_, PyAny>>,
        callback: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let number = self.start(py, target, max_iterations, callback.is_some())?;
        let Some(mut solver) = self.cell.take_run(py, number)? else { return Ok(()) };
        let SolverState::Running(running) = &mut solver.state else { return Ok(()) };
        let show = |solve: &SolveThread| {
            let Some(update) = update else { return Ok(()) };
            let now = solve.latest();
            update
                .call1((now.iteration, now.seconds, now.coarse, now.exploitability, now.seconds_left))
                .map(drop)
        };
        let ended = loop {
            let check = match running.next(py, show) {
                Ok(NextEvent::Measured(check)) => check,
                Ok(NextEvent::Ended(ending, error)) => break Ok((ending, error)),
                Err(error) => break Err(error),
            };
            let wants_more = show(running).and_then(|()| match callback {
                Some(callback) => goes_on(&callback.call1((PyStep::from(&check),))?),
                None => Ok(true),
            });
            match wants_more {
                Ok(true) => {}
                Ok(false) => break running.finish(py),
                Err(error) => break running.finish(py).map(|(ending, _)| (ending, Some(error))),
            }
        };
        match ended {
            Ok((ending, error)) => {
                solver.state = SolverState::of(ending);
                error.map_or(Ok(()), Err)
            }
            Err(error) => {
                solver.state = SolverState::Failed(error.to_string());
                Err(error)
            }
        }
    }

    /// The solution, without a copy: what further iterations need is dropped.
    fn _finish(&self, py: Python<'_>) -> PyResult<PySolution> {
        let mut solver = self.cell.take(py)?;
        match std::mem::replace(&mut solver.state, SolverState::Taken) {
            SolverState::Reached(solved, _) => {
                let data = py.detach(|| Arc::new(SolutionData::of_solved(*solved)));
                solver.state = SolverState::Done(data.clone());
                Ok(PySolution(data))
            }
            SolverState::Done(data) => {
                solver.state = SolverState::Done(data.clone());
                Ok(PySolution(data))
            }
            other => {
                let error = other.not_ready();
                solver.state = other;
                Err(error)
            }
        }
    }

    /// What is reached: a copy of the average strategies as they are now. Within a loop over `run` the solve waits, so that it may be
    /// read there, too; another thread gets it after the next step.
    #[getter]
    fn solution(&self, py: Python<'_>) -> PyResult<PySolution> {
        let mut solver = self.cell.take(py)?;
        match &mut solver.state {
            SolverState::Reached(solved, copy) => {
                let data = on_pool(py, || {
                    let of_solver = || {
                        let progress = FileProgress::of(&solved.solver, &solved.outcome.history);
                        let solution = Solution::from(&solved.solver);
                        Arc::new(SolutionData::in_memory(solution, solved.spec.clone(), progress))
                    };
                    copy.get_or_insert_with(of_solver).clone()
                })?;
                Ok(PySolution(data))
            }
            SolverState::Running(running) => match running.copy(py)? {
                Some((solution, progress, options)) => {
                    let spec = self.spec_with(options);
                    Ok(PySolution(Arc::new(SolutionData::in_memory(solution, spec, progress))))
                }
                None => Err(PyRuntimeError::new_err("the solve is running: wait for a step")),
            },
            SolverState::Done(data) => Ok(PySolution(data.clone())),
            other => Err(other.not_ready()),
        }
    }

    /// Writes what is reached to a solution file. With `regrets` solving can go on from it at once. What is there and not a solution
    /// is not written over, nor a name taken that does not end in `.nrs`, unless `force` says so.
    #[pyo3(signature = (path, *, streets="full", regrets=false, force=false))]
    fn save(&self, py: Python<'_>, path: PathBuf, streets: &str, regrets: bool, force: bool) -> PyResult<()> {
        let keep = saved_streets(streets, &self.spec)?;
        place::check(py, &path, SOLUTION_OUTPUT, &[], force)?;
        let solver = self.cell.take(py)?;
        match &solver.state {
            SolverState::Reached(solved, _) => {
                let written = on_pool(py, || solved.save(&path, SaveOptions { keep, regrets }))?;
                written.map_err(|error| error::cannot_write(&path, error))
            }
            other => Err(other.not_ready()),
        }
    }

    /// The spot, with the precisions that were picked; those that are timed (`precision="profile"`) are after the first step.
    #[getter]
    fn spot(&self) -> PySpot {
        PySpot(self.spec_with(self.picked().options.clone()))
    }

    /// Threads that it solves on.
    #[getter]
    fn threads(&self) -> usize {
        self.threads
    }

    /// What the solver state and tables allocate, in bytes.
    #[getter]
    fn memory_bytes(&self) -> usize {
        self.picked().memory_bytes
    }

    /// Bits of the strategy and of the regrets: `"32/32"`, or `"16:16:8/8"` by street.
    #[getter]
    fn precision(&self) -> String {
        precision_text(&self.picked().options)
    }

    fn __repr__(&self) -> String {
        let now = self.cell.peek(|state| match state {
            SolverState::Planned(_) => "not started".to_owned(),
            SolverState::Running(_) | SolverState::Taken => "running".to_owned(),
            SolverState::Reached(solved, _) => {
                let last = solved.last();
                format!("{} iterations, exploitability {:.4}%", last.iteration, last.exploitability_pct)
            }
            SolverState::Done(_) => "done".to_owned(),
            SolverState::Failed(why) => format!("failed: {why}"),
        });
        format!("<Solver {}: {now}>", self.spec.spot.board())
    }
}

impl PySolver {
    fn picked(&self) -> std::sync::MutexGuard<'_, PickedOptions> {
        self.picked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn spec_with(&self, solver: SolverOptions) -> Spec {
        Spec { solver, ..self.spec.clone() }
    }

    /// Starts or goes on, in a thread of its own, and returns the number of the run.
    fn start(
        &self,
        py: Python<'_>,
        target: Option<f64>,
        iterations: Option<i64>,
        in_steps: bool,
    ) -> PyResult<u64> {
        let mut goal = StopCondition::of(&self.spec.solver);
        goal.target_pct = target.map_or(Ok(goal.target_pct), target_pct)?;
        goal.max_iterations = iterations.map_or(Ok(goal.max_iterations), max_iterations)?;
        let pool = pool(self.threads)?;
        let path = self.files.checkpoint.clone();
        let checkpoint = path.map(|path| Checkpoint::new(path, self.checkpoint_every).at_end());
        let (picked, files) = (self.picked.clone(), self.files.clone());
        let mut solver = self.cell.take(py)?;
        let started = match std::mem::replace(&mut solver.state, SolverState::Taken) {
            SolverState::Planned(planned) => {
                let (mut plan, start) = *planned;
                plan.spec.solver = goal.applied_to(plan.spec.solver);
                SolveThread::start(goal, picked, files, in_steps, move |observer| {
                    let job = plan.into_job().starting_from(start).with_checkpoint(checkpoint);
                    pool.install(move || job.run(observer))
                })
            }
            SolverState::Reached(solved, _) => {
                SolveThread::start(goal, picked, files, in_steps, move |observer| {
                    Ok(Some(pool.install(move || solved.go_on(goal, checkpoint, observer))))
                })
            }
            other => {
                let error = other.not_ready();
                solver.state = other;
                return Err(error);
            }
        };
        match started {
            Ok(running) => Ok(solver.begin(running)),
            Err(error) => {
                solver.state = SolverState::Failed(error.to_string());
                Err(error)
            }
        }
    }
}

/// Whether the answer of a callback lets the solve go on: nothing at all, or anything that is true.
fn goes_on(answer: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(answer.is_none() || answer.is_truthy()?)
}
