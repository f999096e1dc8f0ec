//! A solve under way: a thread that iterates, and what Python hears of it.

use crate::error;
use crate::interrupt::{LOOK, failed};
use noregret_holdem::{
    Control, FileProgress, Measurement, Progress, ResumeError, Solution, SolveObserver, Solved,
    StopCondition, time_left,
};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
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

/// What the solving thread tells.
enum Event {
    Measured(Measurement),
    Ended(Result<Option<Box<Solved>>, ResumeError>),
}

/// What the solving thread is told while it waits.
enum Instruction {
    GoOn,
    /// Hand over the strategies as they are, and wait again.
    Copy(SyncSender<(Solution, FileProgress)>),
}

/// What both threads see.
#[derive(Default)]
struct SolveSignals {
    stops: AtomicBool,
    latest: Mutex<Latest>,
}

/// Follows a job from its own thread.
struct Follower {
    shared: Arc<SolveSignals>,
    goal: StopCondition,
    events: Sender<Event>,
    /// Whether to wait for an answer after each measurement.
    answers: Option<Receiver<Instruction>>,
    /// The iteration of the last measurement that was told; none before the first call.
    told: Option<u32>,
}

impl Follower {
    /// Tells of a measurement, and waits for an answer if it is to.
    fn tell(&self, check: Measurement, progress: &Progress<'_>) -> Control {
        let Some(answers) = &self.answers else { return Control::Continue };
        if self.events.send(Event::Measured(check)).is_err() {
            return Control::Stop;
        }
        loop {
            match answers.recv() {
                Ok(Instruction::GoOn) => return Control::Continue,
                Ok(Instruction::Copy(reply)) => {
                    let reached = FileProgress::of(progress.solver, progress.history);
                    let _ = reply.send((Solution::from(progress.solver), reached));
                }
                Err(_) => return Control::Stop,
            }
        }
    }

    fn control(&self) -> Control {
        if self.shared.stops.load(Ordering::Relaxed) { Control::Stop } else { Control::Continue }
    }
}

impl SolveObserver for Follower {
    fn progress(&mut self, progress: &Progress<'_>) -> Control {
        let (iteration, last) = (progress.solver.iteration(), progress.history.last());
        let left = time_left(progress.history, &self.goal, iteration, progress.elapsed);
        *self.shared.latest.lock().unwrap_or_else(PoisonError::into_inner) = Latest {
            iteration,
            seconds: progress.elapsed.as_secs_f64(),
            coarse: progress.solver.coarse_iteration(),
            exploitability: last.map(|check| check.exploitability_pct),
            seconds_left: left.map(|left| left.as_secs_f64()),
        };
        let newest = last.map_or(0, |check| check.iteration);
        let told = *self.told.get_or_insert(newest);
        if let Some(check) = last.filter(|_| newest > told) {
            self.told = Some(newest);
            if self.tell(*check, progress) == Control::Stop {
                return Control::Stop;
            }
        }
        self.control()
    }

    fn replaying(&mut self, _iteration: u32) -> Control {
        self.control()
    }
}

/// How a solve has ended.
pub enum SolveEnding {
    /// It ran; perhaps it was stopped.
    Solved(Box<Solved>),
    /// It was stopped while the iterations of a file were made again.
    Nothing,
}

/// A solve in its own thread.
pub struct SolveThread {
    shared: Arc<SolveSignals>,
    events: Receiver<Event>,
    answers: Option<Sender<Instruction>>,
    thread: Option<JoinHandle<()>>,
    /// Whether the thread waits for an answer.
    waits: bool,
}

/// What a running solve comes to next.
pub enum NextEvent {
    Measured(Measurement),
    Ended(SolveEnding),
}

impl SolveThread {
    /// Starts `work` in its own thread. With `in_steps` it waits after each measurement until it is asked for the next.
    pub fn start(
        goal: StopCondition,
        in_steps: bool,
        work: impl FnOnce(&mut (dyn SolveObserver + Send)) -> Result<Option<Solved>, ResumeError> + Send + 'static,
    ) -> PyResult<Self> {
        let shared = Arc::new(SolveSignals::default());
        let (events, heard) = mpsc::channel();
        let (answers, asked) = mpsc::channel();
        let mut follower = Follower {
            shared: shared.clone(),
            goal,
            events: events.clone(),
            answers: in_steps.then_some(asked),
            told: None,
        };
        let body = move || {
            let ended = work(&mut follower).map(|solved| solved.map(Box::new));
            let _ = events.send(Event::Ended(ended));
        };
        let thread = std::thread::Builder::new().name("noregret solve".to_owned()).spawn(body);
        let thread =
            thread.map_err(|error| PyRuntimeError::new_err(format!("cannot start a thread: {error}")))?;
        Ok(Self {
            shared,
            events: heard,
            answers: in_steps.then_some(answers),
            thread: Some(thread),
            waits: false,
        })
    }

    /// How far it is.
    pub fn latest(&self) -> Latest {
        *self.shared.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next measurement or the end. `look` is called now and then with the interpreter attached; what it complains about stops
    /// the solve, after which its end comes together with the complaint.
    pub fn next(
        &mut self,
        py: Python<'_>,
        mut look: impl FnMut(&Self) -> PyResult<()>,
    ) -> PyResult<(NextEvent, Option<PyErr>)> {
        if std::mem::take(&mut self.waits)
            && let Some(answers) = &self.answers
        {
            let _ = answers.send(Instruction::GoOn);
        }
        let mut complaint = None;
        loop {
            let events = Mutex::new(&mut self.events);
            let event =
                py.detach(|| events.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(LOOK));
            match event {
                Ok(Event::Measured(_)) if complaint.is_some() => {}
                Ok(Event::Measured(check)) => {
                    self.waits = true;
                    return Ok((NextEvent::Measured(check), None));
                }
                Ok(Event::Ended(ended)) => return Ok((NextEvent::Ended(self.ended(py, ended)?), complaint)),
                Err(RecvTimeoutError::Timeout) if complaint.is_none() => {
                    if let Err(error) = py.check_signals().and_then(|()| look(self)) {
                        self.stop();
                        complaint = Some(error);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(self.broken(py)),
            }
        }
    }

    fn ended(
        &mut self,
        py: Python<'_>,
        ended: Result<Option<Box<Solved>>, ResumeError>,
    ) -> PyResult<SolveEnding> {
        self.join(py);
        match ended {
            Ok(Some(solved)) => Ok(SolveEnding::Solved(solved)),
            Ok(None) => Ok(SolveEnding::Nothing),
            Err(error) => Err(error::resume(&error)),
        }
    }

    /// Lets it stop after the iteration under way.
    pub fn stop(&mut self) {
        self.shared.stops.store(true, Ordering::Relaxed);
        // A thread that waits hears that nobody will answer.
        self.answers = None;
    }

    /// Stops it, and returns what it has reached.
    pub fn finish(mut self, py: Python<'_>) -> PyResult<SolveEnding> {
        self.stop();
        loop {
            let events = Mutex::new(&mut self.events);
            match py.detach(|| events.lock().unwrap_or_else(PoisonError::into_inner).recv()) {
                Ok(Event::Measured(_)) => {}
                Ok(Event::Ended(ended)) => return self.ended(py, ended),
                Err(_) => return Err(self.broken(py)),
            }
        }
    }

    /// A copy of the strategies as they are; none unless it waits between two measurements.
    pub fn copy(&self, py: Python<'_>) -> Option<(Solution, FileProgress)> {
        let (reply, answer) = mpsc::sync_channel(1);
        let answers = self.answers.as_ref().filter(|_| self.waits)?;
        answers.send(Instruction::Copy(reply)).ok()?;
        let answer = Mutex::new(answer);
        py.detach(|| answer.lock().unwrap_or_else(PoisonError::into_inner).recv().ok())
    }

    fn join(&mut self, py: Python<'_>) {
        if let Some(thread) = self.thread.take() {
            let _ = py.detach(|| thread.join());
        }
    }

    fn broken(&mut self, py: Python<'_>) -> PyErr {
        let panic = self.thread.take().and_then(|thread| py.detach(|| thread.join()).err());
        failed("the solve", panic.as_deref())
    }
}

impl Drop for SolveThread {
    fn drop(&mut self) {
        // The thread ends by itself after its iteration.
        self.stop();
    }
}
