//! A loop over the measurements of a solve.

use crate::run::{NextEvent, PyStep};
use crate::solver_state::{SolverCell, SolverState};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::Arc;

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
    solver: Arc<SolverCell>,
    /// Which run of the solver it is.
    number: u64,
}

impl PyRun {
    /// The steps of a run under way.
    pub fn new(solver: Arc<SolverCell>, number: u64) -> Self {
        Self { solver, number }
    }
}

#[pymethods]
impl PyRun {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyStep>> {
        let Some(mut solver) = self.solver.take_run(py, self.number)? else { return Ok(None) };
        let SolverState::Running(running) = &mut solver.state else { return Ok(None) };
        match running.next(py, |_| Ok(())) {
            Ok(NextEvent::Measured(check)) => Ok(Some(PyStep::from(&check))),
            Ok(NextEvent::Ended(ending, error)) => {
                solver.state = SolverState::of(ending);
                error.map_or(Ok(None), Err)
            }
            Err(error) => {
                solver.state = SolverState::Failed(error.to_string());
                Err(error)
            }
        }
    }

    /// Stops the solve after the iteration under way, also while another thread waits for a step. What was reached is in
    /// `solver.solution`.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.solver.stop(self.number);
        let Some(mut solver) = self.solver.take_run(py, self.number)? else { return Ok(()) };
        let SolverState::Running(running) = &mut solver.state else { return Ok(()) };
        match running.finish(py) {
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
