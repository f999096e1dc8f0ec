//! Where a solver is, between the calls of Python.

use crate::run::{SolveEnding, SolveThread};
use crate::solution_data::SolutionData;
use noregret_holdem::{SolvePlan, Solved, StartFrom};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

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
    /// Another thread waits for it.
    Busy,
    /// It cannot be used any more.
    Failed(String),
}

impl SolverState {
    /// What became of a solve.
    pub fn of(ending: SolveEnding) -> Self {
        match ending {
            SolveEnding::Solved(solved) => Self::Reached(solved, None),
            SolveEnding::Nothing => {
                Self::Failed("it was stopped before it was where the file left off".to_owned())
            }
        }
    }

    /// Takes the solve that is under way, if one is; until it is put back, others find the solver busy.
    pub fn take_running(state: &Mutex<Self>) -> Option<Box<SolveThread>> {
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        match std::mem::replace(&mut *state, Self::Busy) {
            Self::Running(running) => Some(running),
            other => {
                *state = other;
                None
            }
        }
    }

    /// Puts a state in the place of another.
    pub fn put(state: &Mutex<Self>, new: Self) {
        *state.lock().unwrap_or_else(PoisonError::into_inner) = new;
    }

    /// Takes the state; until one is put back, others find the solver busy. An error if another has taken it.
    pub fn take(state: &Mutex<Self>) -> PyResult<Self> {
        match std::mem::replace(&mut *state.lock().unwrap_or_else(PoisonError::into_inner), Self::Busy) {
            Self::Busy => Err(Self::Busy.not_ready()),
            taken => Ok(taken),
        }
    }

    /// Why there is nothing to read or to go on from.
    pub fn not_ready(&self) -> PyErr {
        let message = match self {
            Self::Planned(_) => "nothing is solved yet: call run()".to_owned(),
            Self::Running(_) | Self::Busy => "the solve is running".to_owned(),
            Self::Done(_) => "the solve is done, and what further iterations need is gone".to_owned(),
            Self::Failed(why) => format!("the solve has failed: {why}"),
            Self::Reached(..) => "the solve has ended".to_owned(),
        };
        PyRuntimeError::new_err(message)
    }
}
