//! A solve under way: a thread that iterates, and what it sends to Python.

use crate::error;
use crate::interrupt::{SIGNAL_CHECK, panicked};
use noregret_holdem::{
    Control, FileProgress, Measurement, PrecisionProfile, Progress, ResumeError, Solution, SolveObserver,
    Solved, SolverOptions, StopCondition, time_left,
};
use pyo3::exceptions::{PyRuntimeError, PyRuntimeWarning};
use pyo3::prelude::*;
use std::ffi::CString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

/// A measurement of the exploitability.
///
/// >>> import noregret as nr
/// >>> spot = nr.Spot("AA,KK,QJs", "TT+,KQs", "QsJh2h8c3d", pot=100, stack=300)
/// >>> step = nr.solve(spot, target=1, progress=False).history[0]
/// >>> step.iteration, step.exploitability > 0
/// (10, True)
#[pyclass(name = "Step", module = "noregret", frozen, get_all, eq, skip_from_py_object)]
#[derive(Clone, Copy, PartialEq)]
pub struct PyStep {
    /// After how many iterations.
    pub iteration: u32,
    /// The exploitability, in percent of the starting pot.
    pub exploitability: f64,
    /// After how many seconds of solving.
    pub seconds: f64,
}

#[pymethods]
impl PyStep {
    fn __repr__(&self) -> String {
        let Self { iteration, exploitability, seconds } = self;
        format!("Step(iteration={iteration}, exploitability={exploitability:.4}, seconds={seconds:.2})")
    }
}

impl From<&Measurement> for PyStep {
    fn from(check: &Measurement) -> Self {
        Self {
            iteration: check.iteration,
            exploitability: check.exploitability_pct,
            seconds: check.elapsed.as_secs_f64(),
        }
    }
}

/// How far a solve is, for a progress bar.
#[derive(Clone, Copy, Default)]
pub struct Latest {
    pub iteration: u32,
    pub seconds: f64,
    pub coarse: Option<(u32, u32)>,
    pub exploitability: Option<f64>,
    pub seconds_left: Option<f64>,
}

/// How a spot is solved, with the precisions that were picked, and what that allocates. A solve that times precisions changes it.
pub struct PickedOptions {
    pub options: SolverOptions,
    pub memory_bytes: usize,
}

/// What the solving thread sends.
enum Event {
    Measured(Measurement),
    /// A checkpoint could not be written.
    CheckpointFailed(io::Error),
    Ended(Result<Option<Box<Solved>>, ResumeError>),
}

/// A copy of what is reached, with how it was solved.
pub type ReachedCopy = (Solution, FileProgress, SolverOptions);

/// What is sent to the solving thread while it waits.
enum Instruction {
    GoOn,
    /// Hand over the strategies as they are, and wait again.
    Copy(SyncSender<ReachedCopy>),
}

/// What both threads see.
#[derive(Default)]
pub struct SolveSignals {
    stops: AtomicBool,
    latest: Mutex<Latest>,
}

impl SolveSignals {
    /// Lets the solve stop after the iteration under way.
    pub fn stop(&self) {
        self.stops.store(true, Ordering::Relaxed);
    }
}

/// Follows a job from its own thread.
struct Follower {
    signals: Arc<SolveSignals>,
    goal: StopCondition,
    picked: Arc<Mutex<PickedOptions>>,
    events: Sender<Event>,
    /// Whether to wait for an answer after each measurement.
    answers: Option<Receiver<Instruction>>,
    /// The iteration of the last measurement that was sent; none before the first call.
    sent: Option<u32>,
    /// Whether the last checkpoint could not be written, which was sent.
    is_checkpoint_late: bool,
}

impl Follower {
    /// Sends a measurement, and waits for an answer if it is to.
    fn send(&self, check: Measurement, progress: &Progress<'_>) -> Control {
        let Some(answers) = &self.answers else { return Control::Continue };
        if self.events.send(Event::Measured(check)).is_err() {
            return Control::Stop;
        }
        loop {
            match answers.recv() {
                Ok(Instruction::GoOn) => return Control::Continue,
                Ok(Instruction::Copy(reply)) => {
                    let reached = FileProgress::of(progress.solver, progress.history);
                    let _ = reply.send((Solution::from(progress.solver), reached, self.options()));
                }
                Err(_) => return Control::Stop,
            }
        }
    }

    /// How this run solves: to its own target, in the precisions that were picked.
    fn options(&self) -> SolverOptions {
        let picked = self.picked.lock().unwrap_or_else(PoisonError::into_inner);
        self.goal.applied_to(picked.options.clone())
    }

    fn control(&self) -> Control {
        if self.signals.stops.load(Ordering::Relaxed) { Control::Stop } else { Control::Continue }
    }
}

impl SolveObserver for Follower {
    fn progress(&mut self, progress: &Progress<'_>) -> Control {
        let (iteration, last) = (progress.solver.iteration(), progress.history.last());
        let left = time_left(progress.history, &self.goal, iteration, progress.elapsed);
        *self.signals.latest.lock().unwrap_or_else(PoisonError::into_inner) = Latest {
            iteration,
            seconds: progress.elapsed.as_secs_f64(),
            coarse: progress.solver.coarse_iteration(),
            exploitability: last.map(|check| check.exploitability_pct),
            seconds_left: left.map(|left| left.as_secs_f64()),
        };
        let newest = last.map_or(0, |check| check.iteration);
        let sent = *self.sent.get_or_insert(newest);
        if let Some(check) = last.filter(|_| newest > sent) {
            self.sent = Some(newest);
            if self.send(*check, progress) == Control::Stop {
                return Control::Stop;
            }
        }
        self.control()
    }

    fn replaying(&mut self, _iteration: u32) -> Control {
        self.control()
    }

    fn profiling(&mut self, _done: usize, _of: usize) -> Control {
        self.control()
    }

    fn profiled(&mut self, profile: &PrecisionProfile) {
        let mut picked = self.picked.lock().unwrap_or_else(PoisonError::into_inner);
        picked.options = StopCondition::of(&picked.options).applied_to(profile.options().clone());
        picked.memory_bytes = profile.timings[profile.picked].memory.total();
    }

    fn checkpoint_written(&mut self) {
        self.is_checkpoint_late = false;
    }

    fn checkpoint_failed(&mut self, error: &io::Error) {
        // Once, until one is written again.
        if !std::mem::replace(&mut self.is_checkpoint_late, true) {
            let _ = self.events.send(Event::CheckpointFailed(copied(error)));
        }
    }
}

/// The same error once more.
fn copied(error: &io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => io::Error::new(error.kind(), error.to_string()),
    }
}

/// How a solve has ended.
pub enum SolveEnding {
    /// It ran; perhaps it was stopped.
    Solved(Box<Solved>),
    /// It was stopped while precisions were timed, or while the iterations of a file were made again.
    Nothing,
}

/// A solve in its own thread.
pub struct SolveThread {
    signals: Arc<SolveSignals>,
    events: Receiver<Event>,
    answers: Option<Sender<Instruction>>,
    thread: Option<JoinHandle<()>>,
    /// Whether the thread waits for an answer.
    waits: bool,
    /// The process that the thread is of: a forked child does not have it.
    process: u32,
    files: SolveThreadFiles,
}

/// The files of a solve, to name them in messages.
#[derive(Clone, Default)]
pub struct SolveThreadFiles {
    pub checkpoint: Option<PathBuf>,
    pub resume: Option<PathBuf>,
}

/// What a running solve comes to next.
pub enum NextEvent {
    Measured(Measurement),
    /// How it has ended, and what went wrong on the way: what Python code has raised, or a checkpoint that is lost.
    Ended(SolveEnding, Option<PyErr>),
}

impl SolveThread {
    /// Starts `work` in its own thread. With `in_steps` it waits after each measurement until it is asked for the next.
    pub fn start(
        goal: StopCondition,
        picked: Arc<Mutex<PickedOptions>>,
        files: SolveThreadFiles,
        in_steps: bool,
        work: impl FnOnce(&mut (dyn SolveObserver + Send)) -> Result<Option<Solved>, ResumeError> + Send + 'static,
    ) -> PyResult<Self> {
        let signals = Arc::new(SolveSignals::default());
        let (events, received) = mpsc::channel();
        let (answers, asked) = mpsc::channel();
        let mut follower = Follower {
            signals: signals.clone(),
            goal,
            picked,
            events: events.clone(),
            answers: in_steps.then_some(asked),
            sent: None,
            is_checkpoint_late: false,
        };
        let body = move || {
            let ended = work(&mut follower).map(|solved| solved.map(Box::new));
            let _ = events.send(Event::Ended(ended));
        };
        let thread = std::thread::Builder::new().name("noregret solve".to_owned()).spawn(body);
        let thread =
            thread.map_err(|error| PyRuntimeError::new_err(format!("cannot start a thread: {error}")))?;
        Ok(Self {
            signals,
            events: received,
            answers: in_steps.then_some(answers),
            thread: Some(thread),
            waits: false,
            process: std::process::id(),
            files,
        })
    }

    /// How to stop it from elsewhere.
    pub fn signals(&self) -> Arc<SolveSignals> {
        self.signals.clone()
    }

    /// How far it is.
    pub fn latest(&self) -> Latest {
        *self.signals.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next measurement or the end. `watch` is called now and then with the interpreter attached; an error of it stops the solve,
    /// and is returned with its end.
    pub fn next(
        &mut self,
        py: Python<'_>,
        mut watch: impl FnMut(&Self) -> PyResult<()>,
    ) -> PyResult<NextEvent> {
        self.check_process()?;
        if std::mem::take(&mut self.waits)
            && let Some(answers) = &self.answers
        {
            let _ = answers.send(Instruction::GoOn);
        }
        let mut raised = None;
        loop {
            let events = Mutex::new(&mut self.events);
            let event = py
                .detach(|| events.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(SIGNAL_CHECK));
            let checked = match event {
                Ok(Event::Measured(check)) if raised.is_none() => {
                    self.waits = true;
                    return Ok(NextEvent::Measured(check));
                }
                Ok(Event::Measured(_)) => Ok(()),
                Ok(Event::CheckpointFailed(error)) => self.warn(py, &error),
                Ok(Event::Ended(ended)) => {
                    let (ending, lost) = self.ended(py, ended)?;
                    return Ok(NextEvent::Ended(ending, self.worse(py, raised, lost)));
                }
                Err(RecvTimeoutError::Timeout) if raised.is_none() => {
                    py.check_signals().and_then(|()| watch(self))
                }
                Err(RecvTimeoutError::Timeout) => Ok(()),
                Err(RecvTimeoutError::Disconnected) => return Err(self.broken(py)),
            };
            if let Err(error) = checked {
                self.stop();
                raised.get_or_insert(error);
            }
        }
    }

    /// Stops it, and returns what it has reached; an error beside that is a checkpoint that is lost.
    pub fn finish(&mut self, py: Python<'_>) -> PyResult<(SolveEnding, Option<PyErr>)> {
        self.check_process()?;
        self.stop();
        let mut raised = None;
        loop {
            let events = Mutex::new(&mut self.events);
            match py.detach(|| events.lock().unwrap_or_else(PoisonError::into_inner).recv()) {
                Ok(Event::Measured(_)) => {}
                Ok(Event::CheckpointFailed(error)) => raised = self.warn(py, &error).err().or(raised),
                Ok(Event::Ended(ended)) => {
                    let (ending, lost) = self.ended(py, ended)?;
                    return Ok((ending, self.worse(py, raised, lost)));
                }
                Err(_) => return Err(self.broken(py)),
            }
        }
    }

    /// How it has ended, and why its last checkpoint is lost if it is.
    fn ended(
        &mut self,
        py: Python<'_>,
        ended: Result<Option<Box<Solved>>, ResumeError>,
    ) -> PyResult<(SolveEnding, Option<io::Error>)> {
        self.join(py);
        match ended {
            Ok(Some(mut solved)) => {
                let lost = solved.lost_checkpoint.take();
                Ok((SolveEnding::Solved(solved), lost))
            }
            Ok(None) => Ok((SolveEnding::Nothing, None)),
            Err(error) => Err(error::resume(&error, self.files.resume.as_deref())),
        }
    }

    /// What is raised: what Python code has raised, with a warning about a lost checkpoint, or else that one.
    fn worse(&self, py: Python<'_>, raised: Option<PyErr>, lost: Option<io::Error>) -> Option<PyErr> {
        match (raised, lost) {
            (Some(raised), Some(lost)) => {
                // Whoever makes errors of warnings has one already.
                let _ = self.warn(py, &lost);
                Some(raised)
            }
            (None, Some(lost)) => Some(error::cannot_write(self.checkpoint(), lost)),
            (raised, None) => raised,
        }
    }

    /// Warns of a checkpoint that could not be written; an error where warnings are errors.
    fn warn(&self, py: Python<'_>, error: &io::Error) -> PyResult<()> {
        let text = format!("cannot write {}: {error}", self.checkpoint().display());
        let text = CString::new(text).unwrap_or_default();
        PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &text, 1)
    }

    fn checkpoint(&self) -> &Path {
        self.files.checkpoint.as_deref().unwrap_or(Path::new(""))
    }

    /// Lets it stop after the iteration under way.
    pub fn stop(&mut self) {
        self.signals.stop();
        // A thread that waits finds that nobody will answer.
        self.answers = None;
    }

    /// A copy of what is reached; none unless it waits between two measurements.
    pub fn copy(&self, py: Python<'_>) -> PyResult<Option<ReachedCopy>> {
        self.check_process()?;
        let (reply, answer) = mpsc::sync_channel(1);
        let Some(answers) = self.answers.as_ref().filter(|_| self.waits) else { return Ok(None) };
        if answers.send(Instruction::Copy(reply)).is_err() {
            return Ok(None);
        }
        let answer = Mutex::new(answer);
        Ok(py.detach(|| answer.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()))
    }

    /// Refuses to wait for a thread that a forked child does not have.
    fn check_process(&self) -> PyResult<()> {
        if self.process == std::process::id() {
            return Ok(());
        }
        Err(PyRuntimeError::new_err(
            "the solve runs in the process that started it, and this is a fork of it: start another one here",
        ))
    }

    fn join(&mut self, py: Python<'_>) {
        if let Some(thread) = self.thread.take() {
            let _ = py.detach(|| thread.join());
        }
    }

    fn broken(&mut self, py: Python<'_>) -> PyErr {
        let panic = self.thread.take().and_then(|thread| py.detach(|| thread.join()).err());
        panicked("the solve", panic.as_deref())
    }
}

impl Drop for SolveThread {
    fn drop(&mut self) {
        // The thread ends by itself after its iteration.
        self.stop();
    }
}
