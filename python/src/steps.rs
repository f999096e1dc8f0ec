//! A loop over the measurements of a solve.

use crate::run::{NextEvent, PyStep};
use crate::solver_state::SolverState;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::{Arc, Mutex};

/// The measurements of a solve under way: `for step in solver.run(target=0.1)`.
///
/// The solve waits between two steps. Leaving the loop stops it; what was reached is in `solver.solution`.
///
/// >>> import noregret as nr
/// >>> spot = nr.Spot("AA,KK,QJs", "TT+,KQs", "QsJh2h8c3d", pot=100, stack=300)
/// >>> solver = nr.Solver(spot)
/// >>> with solver.run(target=0) as run:
/// ...     print(next(run).iteration)
/// 10
/// >>> solver.solution.iterations >= 10
/// True
#[pyclass(name = "Run", module = "noregret", frozen)]
pub struct PyRun {
    state: Arc<Mutex<SolverState>>,
}

impl PyRun {
    /// The steps of a solver that is under way.
    pub fn new(state: Arc<Mutex<SolverState>>) -> Self {
        Self { state }
    }
}

#[pymethods]
impl PyRun {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyStep>> {
        let mut running = match SolverState::take_running(&self.state) {
            Some(running) => running,
            None => return Ok(None),
        };
        match running.next(py, |_| Ok(())) {
            Ok((NextEvent::Measured(check), _)) => {
                SolverState::put(&self.state, SolverState::Running(running));
                Ok(Some(PyStep::from(&check)))
            }
            Ok((NextEvent::Ended(ending), complaint)) => {
                SolverState::put(&self.state, SolverState::of(ending));
                complaint.map_or(Ok(None), Err)
            }
            Err(error) => {
                SolverState::put(&self.state, SolverState::Failed(error.to_string()));
                Err(error)
            }
        }
    }

    /// Stops the solve after the iteration under way. What was reached is in `solver.solution`.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        if let Some(running) = SolverState::take_running(&self.state) {
            let ended = running.finish(py);
            let (state, answer) = match ended {
                Ok(ending) => (SolverState::of(ending), Ok(())),
                Err(error) => (SolverState::Failed(error.to_string()), Err(error)),
            };
            SolverState::put(&self.state, state);
            return answer;
        }
        Ok(())
    }

    fn __enter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    #[pyo3(signature = (*_error))]
    fn __exit__(&self, py: Python<'_>, _error: &Bound<'_, PyTuple>) -> PyResult<()> {
        self.close(py)
    }
}

impl Drop for PyRun {
    fn drop(&mut self) {
        // Whoever leaves the loop has no use for an error any more: the state of the solver keeps it.
        Python::attach(|py| drop(self.close(py)));
    }
}
