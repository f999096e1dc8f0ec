//! Where a solver is, between the calls of Python.

use crate::interrupt::SIGNAL_CHECK;
use crate::run::{SolveEnding, SolveSignals, SolveThread};
use crate::solution_data::SolutionData;
use noregret_holdem::{SolvePlan, Solved, StartFrom};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::ThreadId;

/// Where a solver is.
pub enum SolverState {
    /// Nothing is iterated yet.
    Planned(Box<(SolvePlan, StartFrom)>),
    /// Under way, in its own thread.
    Running(Box<SolveThread>),
    /// It has ended, and can go on.
    Reached(Box<Solved>, Option<Arc<SolutionData>>),
    /// It has ended for good: what further iterations need is gone.
    Done(Arc<SolutionData>),
    /// A call has taken it.
    Taken,
    /// It cannot be used any more.
    Failed(String),
}

impl SolverState {
    /// What became of a solve.
    pub fn of(ending: SolveEnding) -> Self {
        match ending {
            SolveEnding::Solved(solved) => Self::Reached(solved, None),
            SolveEnding::Nothing => Self::Failed(
                "it was stopped before its first iteration, or before it was where the file left off"
                    .to_owned(),
            ),
        }
    }

    /// Why there is nothing to read or to go on from.
    pub fn not_ready(&self) -> PyErr {
        let message = match self {
            Self::Planned(_) => "nothing is solved yet: call run()".to_owned(),
            Self::Running(_) | Self::Taken => "the solve is running".to_owned(),
            Self::Done(_) => "the solve is done, and what further iterations need is gone".to_owned(),
            Self::Failed(why) => format!("the solve has failed: {why}"),
            Self::Reached(..) => "the solve has ended".to_owned(),
        };
        PyRuntimeError::new_err(message)
    }
}

/// The state of a solver, for one call at a time: others wait for it, in the order in which they came and without the interpreter's
/// lock.
pub struct SolverCell {
    slot: Mutex<Slot>,
    changed: Condvar,
}

struct Slot {
    state: SolverState,
    /// The thread whose call has taken the state.
    holder: Option<ThreadId>,
    /// The tickets of the calls that wait, first come first.
    waiting: VecDeque<u64>,
    tickets: u64,
    /// The number of the last run that was started, and how to stop it.
    run: u64,
    signals: Option<Arc<SolveSignals>>,
}

impl SolverCell {
    /// A solver in a state.
    pub fn new(state: SolverState) -> Self {
        let (holder, waiting, signals) = Default::default();
        let slot = Slot { state, holder, waiting, tickets: 0, run: 0, signals };
        Self { slot: Mutex::new(slot), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Slot> {
        self.slot.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What `read` makes of the state, without waiting for whoever has it.
    pub fn peek<T>(&self, read: impl FnOnce(&SolverState) -> T) -> T {
        read(&self.lock().state)
    }

    /// Takes the state as soon as no other call has it. An error if this thread has it already, or on Ctrl-C.
    pub fn take(&self, py: Python<'_>) -> PyResult<TakenState<'_>> {
        let this = std::thread::current().id();
        let ticket = {
            let mut slot = self.lock();
            if slot.holder == Some(this) {
                return Err(SolverState::Taken.not_ready());
            }
            slot.tickets += 1;
            let ticket = slot.tickets;
            slot.waiting.push_back(ticket);
            ticket
        };
        let is_next = |slot: &Slot| slot.holder.is_none() && slot.waiting.front() == Some(&ticket);
        loop {
            let taken = py.detach(|| {
                let waited =
                    self.changed.wait_timeout_while(self.lock(), SIGNAL_CHECK, |slot| !is_next(slot));
                let (mut slot, _) = waited.unwrap_or_else(PoisonError::into_inner);
                is_next(&slot).then(|| {
                    slot.waiting.pop_front();
                    slot.holder = Some(this);
                    std::mem::replace(&mut slot.state, SolverState::Taken)
                })
            });
            if let Some(state) = taken {
                return Ok(TakenState { cell: self, state });
            }
            if let Err(error) = py.check_signals() {
                self.lock().waiting.retain(|&other| other != ticket);
                self.changed.notify_all();
                return Err(error);
            }
        }
    }

    /// Takes the state if it is that of a run under way with this number.
    pub fn take_run(&self, py: Python<'_>, run: u64) -> PyResult<Option<TakenState<'_>>> {
        let taken = self.take(py)?;
        let is_under_way = matches!(taken.state, SolverState::Running(_)) && self.lock().run == run;
        Ok(is_under_way.then_some(taken))
    }

    /// Lets a run stop after the iteration under way, whoever has the state; another run than the last one has ended before.
    pub fn stop(&self, run: u64) {
        let slot = self.lock();
        if let Some(signals) = slot.signals.as_ref().filter(|_| slot.run == run) {
            signals.stop();
        }
    }
}

/// The state of a solver in the hands of one call; it is put back when this is dropped.
pub struct TakenState<'a> {
    cell: &'a SolverCell,
    pub state: SolverState,
}

impl TakenState<'_> {
    /// Begins a run, and returns its number.
    pub fn begin(&mut self, running: SolveThread) -> u64 {
        let mut slot = self.cell.lock();
        slot.run += 1;
        slot.signals = Some(running.signals());
        self.state = SolverState::Running(Box::new(running));
        slot.run
    }
}

impl Drop for TakenState<'_> {
    fn drop(&mut self) {
        let state = match std::mem::replace(&mut self.state, SolverState::Taken) {
            SolverState::Taken => SolverState::Failed("a call was cut short".to_owned()),
            state => state,
        };
        let mut slot = self.cell.lock();
        (slot.state, slot.holder) = (state, None);
        drop(slot);
        self.cell.changed.notify_all();
    }
}
