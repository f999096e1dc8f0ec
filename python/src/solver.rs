//! Solving a spot from Python.

use crate::error;
use crate::options::{
    SolveArguments, max_iterations, memory_limit, pool, precision_text, saved_streets, target_pct,
};
use crate::place;
use crate::run::{NextEvent, PyStep, SolveThread};
use crate::solution::PySolution;
use crate::solution_data::SolutionData;
use crate::solver_state::SolverState;
use crate::spot::PySpot;
use crate::steps::PyRun;
use noregret_holdem::{
    CHECKPOINT_OUTPUT, Checkpoint, FileProgress, ResumeFile, SOLUTION_OUTPUT, SaveOptions, Solution,
    SolvePlan, Spec, StartFrom, StopCondition,
};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyBool;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Solves a spot step by step.
///
/// Arguments that are left out are as the spot's spec file says, or else its defaults: a target of 0.1% of the pot, 1,000 iterations,
/// the algorithm `dcfr`. `precision` is `"auto"`, the default (the quickest that fits), `"profile"` (timed here), `"32bit"`, `"16bit"`,
/// bits of strategy and regrets like `"8/16"`, or by street like `"16:16:8"`. `memory` limits what may be allocated: bytes, or a text like `"4GiB"`. With
/// `checkpoint` a file is written every `checkpoint_every` seconds and at the end, which `resume` goes on from.
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
    spec: Spec,
    threads: usize,
    memory_bytes: usize,
    checkpoint: Option<(PathBuf, Duration)>,
    state: Arc<Mutex<SolverState>>,
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
        let start = match resume {
            None => StartFrom::Nothing,
            Some(path) => {
                let file = ResumeFile::open(&path).map_err(|error| {
                    error::FileError::new_err(format!("cannot read {}: {error}", path.display()))
                })?;
                spec.solver = spec.solver.picked_as(&file.spec().solver);
                if let Some(difference) = file.difference(&spec) {
                    let path = path.display();
                    return Err(error::field("resume", format!("{path} is not of this spot: {difference}")));
                }
                StartFrom::File(Box::new(file))
            }
        };
        let (limit, threads) = (memory_limit(memory)?, crate::options::threads(threads)?);
        if let Some(path) = &checkpoint {
            CHECKPOINT_OUTPUT
                .check_content(path)
                .map_err(|error| error::file(path, format!("{error}: {}", error.advice())))?;
        }
        let every = Duration::try_from_secs_f64(checkpoint_every)
            .map_err(|_| error::field("checkpoint_every", "must be a number of seconds"))?;
        let plan = py.detach(|| {
            let plan = SolvePlan::new(spec, &limit, threads)?;
            plan.check_memory(&limit, threads)?;
            Ok(plan)
        });
        let plan = plan.map_err(|error| error::job(&error))?;
        Ok(Self {
            spec: plan.spec.clone(),
            threads,
            memory_bytes: plan.size().memory.total(),
            checkpoint: checkpoint.map(|path| (path, every)),
            state: Arc::new(Mutex::new(SolverState::Planned(Box::new((plan, start))))),
        })
    }

    /// Iterates until the exploitability is at most `target` percent of the pot, or to the last iteration. Each step of the iterator
    /// is a measurement; between two the solve waits. Called again, it goes on from where it was.
    #[pyo3(signature = (target=None, max_iterations=None))]
    fn run(&self, target: Option<f64>, max_iterations: Option<i64>) -> PyResult<PyRun> {
        self.start(target, max_iterations, true)?;
        Ok(PyRun::new(self.state.clone()))
    }

    /// Runs to the end. `update` hears now and then how far it is; `callback` gets each measurement and may stop the solve by
    /// returning False.
    #[pyo3(signature = (target=None, max_iterations=None, update=None, callback=None))]
    fn _drive(
        &self,
        py: Python<'_>,
        target: Option<f64>,
        max_iterations: Option<i64>,
        update: Option<&Bound<'_, PyAny>>,
        callback: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        self.start(target, max_iterations, callback.is_some())?;
        let Some(mut running) = SolverState::take_running(&self.state) else { return Ok(()) };
        let look = |solve: &SolveThread| {
            let Some(update) = update else { return Ok(()) };
            let now = solve.latest();
            update
                .call1((now.iteration, now.seconds, now.coarse, now.exploitability, now.seconds_left))
                .map(drop)
        };
        loop {
            match running.next(py, look) {
                Ok((NextEvent::Measured(check), _)) => {
                    let wants_more = look(&running).and_then(|()| match callback {
                        Some(callback) => Ok(!is_false(&callback.call1((PyStep::from(&check),))?)),
                        None => Ok(true),
                    });
                    match wants_more {
                        Ok(true) => {}
                        stopped => {
                            let ended = running.finish(py);
                            let state = ended
                                .map_or_else(|error| SolverState::Failed(error.to_string()), SolverState::of);
                            SolverState::put(&self.state, state);
                            return stopped.map(drop);
                        }
                    }
                }
                Ok((NextEvent::Ended(ending), complaint)) => {
                    SolverState::put(&self.state, SolverState::of(ending));
                    return complaint.map_or(Ok(()), Err);
                }
                Err(error) => {
                    SolverState::put(&self.state, SolverState::Failed(error.to_string()));
                    return Err(error);
                }
            }
        }
    }

    /// The solution, without a copy: what further iterations need is dropped.
    fn _finish(&self) -> PyResult<PySolution> {
        match SolverState::take(&self.state)? {
            SolverState::Reached(solved, _) => {
                let data = Arc::new(SolutionData::of_solved(*solved));
                SolverState::put(&self.state, SolverState::Done(data.clone()));
                Ok(PySolution(data))
            }
            other => {
                let answer = match &other {
                    SolverState::Done(data) => Ok(PySolution(data.clone())),
                    other => Err(other.not_ready()),
                };
                SolverState::put(&self.state, other);
                answer
            }
        }
    }

    /// What is reached: a copy of the average strategies as they are now. Within a loop over `run` the solve waits, so that it may be
    /// read there, too.
    #[getter]
    fn solution(&self, py: Python<'_>) -> PyResult<PySolution> {
        let mut state = SolverState::take(&self.state)?;
        let answer = match &mut state {
            SolverState::Reached(solved, copy) => {
                let data = py.detach(|| {
                    let of_solver = || {
                        let progress = FileProgress::of(&solved.solver, &solved.outcome.history);
                        let solution = Solution::from(&solved.solver);
                        Arc::new(SolutionData::in_memory(solution, solved.spec.clone(), progress))
                    };
                    copy.get_or_insert_with(of_solver).clone()
                });
                Ok(PySolution(data))
            }
            SolverState::Running(running) => match running.copy(py) {
                Some((solution, progress)) => {
                    Ok(PySolution(Arc::new(SolutionData::in_memory(solution, self.spec.clone(), progress))))
                }
                None => Err(PyRuntimeError::new_err("the solve is running: wait for a step")),
            },
            SolverState::Done(data) => Ok(PySolution(data.clone())),
            other => Err(other.not_ready()),
        };
        SolverState::put(&self.state, state);
        answer
    }

    /// Writes what is reached to a solution file. With `regrets` solving can go on from it at once. What is there and not a solution
    /// is not written over, nor a name taken that does not end in `.nrs`, unless `force` says so.
    #[pyo3(signature = (path, *, streets="full", regrets=false, force=false))]
    fn save(&self, py: Python<'_>, path: PathBuf, streets: &str, regrets: bool, force: bool) -> PyResult<()> {
        let keep = saved_streets(streets, &self.spec)?;
        place::check(&path, SOLUTION_OUTPUT, &[], force)?;
        let state = SolverState::take(&self.state)?;
        let answer = match &state {
            SolverState::Reached(solved, _) => {
                let written = py.detach(|| solved.save(&path, SaveOptions { keep, regrets }));
                written.map_err(|error| error::cannot_write(&path, error))
            }
            other => Err(other.not_ready()),
        };
        SolverState::put(&self.state, state);
        answer
    }

    /// The spot, with the precisions that were picked.
    #[getter]
    fn spot(&self) -> PySpot {
        PySpot(self.spec.clone())
    }

    /// Threads that it solves on.
    #[getter]
    fn threads(&self) -> usize {
        self.threads
    }

    /// What the solver state and tables allocate, in bytes.
    #[getter]
    fn memory_bytes(&self) -> usize {
        self.memory_bytes
    }

    /// Bits of the strategy and of the regrets: `"32/32"`, or `"16:16:8/8"` by street.
    #[getter]
    fn precision(&self) -> String {
        precision_text(&self.spec.solver)
    }

    fn __repr__(&self) -> String {
        let now = match &*self.state.lock().unwrap_or_else(PoisonError::into_inner) {
            SolverState::Planned(_) => "not started".to_owned(),
            SolverState::Running(_) | SolverState::Busy => "running".to_owned(),
            SolverState::Reached(solved, _) => {
                let last = solved.last();
                format!("{} iterations, exploitability {:.4}%", last.iteration, last.exploitability_pct)
            }
            SolverState::Done(_) => "done".to_owned(),
            SolverState::Failed(why) => format!("failed: {why}"),
        };
        format!("<Solver {}: {now}>", self.spec.spot.board())
    }
}

impl PySolver {
    /// Starts or goes on, in a thread of its own.
    fn start(&self, target: Option<f64>, iterations: Option<i64>, in_steps: bool) -> PyResult<()> {
        let mut goal = StopCondition::of(&self.spec.solver);
        goal.target_pct = target.map_or(Ok(goal.target_pct), target_pct)?;
        goal.max_iterations = iterations.map_or(Ok(goal.max_iterations), max_iterations)?;
        let pool = pool(self.threads)?;
        let checkpoint = self.checkpoint.clone().map(|(path, every)| Checkpoint::new(path, every).at_end());
        let state = SolverState::take(&self.state)?;
        let started = match state {
            SolverState::Planned(planned) => {
                let (mut plan, start) = *planned;
                plan.spec.solver.target_exploitability_pct = goal.target_pct;
                plan.spec.solver.max_iterations = goal.max_iterations;
                SolveThread::start(goal, in_steps, move |observer| {
                    let job = plan.into_job().starting_from(start).with_checkpoint(checkpoint);
                    pool.install(move || job.run(observer))
                })
            }
            SolverState::Reached(solved, _) => SolveThread::start(goal, in_steps, move |observer| {
                Ok(Some(pool.install(move || solved.go_on(goal, checkpoint, observer))))
            }),
            other => {
                let error = other.not_ready();
                SolverState::put(&self.state, other);
                return Err(error);
            }
        };
        let (state, answer) = match started {
            Ok(running) => (SolverState::Running(Box::new(running)), Ok(())),
            Err(error) => (SolverState::Failed(error.to_string()), Err(error)),
        };
        SolverState::put(&self.state, state);
        answer
    }
}

/// Whether a callback has returned False, and not merely nothing.
fn is_false(answer: &Bound<'_, PyAny>) -> bool {
    answer.cast::<PyBool>().is_ok_and(|answer| !answer.is_true())
}
