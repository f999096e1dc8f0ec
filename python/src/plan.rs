//! How large a spot is.

use noregret_holdem::Size;
use noregret_store::Bytes;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// How large a spot is, and what solving it takes.
///
/// >>> import noregret as nr
/// >>> spot = nr.Spot("AA,KK,QJs", "TT+,KQs", "QsJh2h8c3d", pot=100, stack=300)
/// >>> plan = spot.plan(precision="16bit")
/// >>> plan.infosets, plan.fits
/// (205, True)
#[pyclass(name = "Plan", module = "noregret", frozen)]
pub struct PyPlan {
    pub size: Size,
    /// Decisions and terminal nodes of the betting tree.
    pub decisions: [usize; 2],
    pub threads: usize,
    pub precision: String,
    pub fits: bool,
}

#[pymethods]
impl PyPlan {
    /// Decisions of the betting tree, which is the same for all runouts.
    #[getter]
    fn betting_decisions(&self) -> usize {
        self.decisions[0]
    }

    /// Terminal nodes of the betting tree.
    #[getter]
    fn betting_terminals(&self) -> usize {
        self.decisions[1]
    }

    /// Boards that are solved, per street from the first one on; isomorphic ones count once.
    #[getter]
    fn boards(&self) -> (usize, usize, usize) {
        self.size.boards.into()
    }

    /// Decision nodes, on all boards.
    #[getter]
    fn decision_points(&self) -> u64 {
        self.size.decision_points
    }

    /// Terminal nodes, on all boards.
    #[getter]
    fn terminals(&self) -> u64 {
        self.size.terminals
    }

    /// Information sets: decision nodes with each hand of the player who decides, on all boards.
    #[getter]
    fn infosets(&self) -> u64 {
        self.size.infosets
    }

    /// What the solver state and tables allocate, in bytes.
    #[getter]
    fn memory_bytes(&self) -> usize {
        self.size.memory.total()
    }

    /// The same with the buffers of all threads.
    #[getter]
    fn peak_bytes(&self) -> usize {
        self.size.memory.on_threads(self.threads)
    }

    /// What the parts take, in bytes.
    #[getter]
    fn memory<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let memory = &self.size.memory;
        let parts = PyDict::new(py);
        parts.set_item("tree", memory.tree)?;
        parts.set_item("tables", memory.tables)?;
        parts.set_item("regrets", memory.regrets)?;
        parts.set_item("strategy", memory.strategy)?;
        parts.set_item("warm_start", memory.warm_start)?;
        parts.set_item("working_per_thread", memory.working)?;
        Ok(parts)
    }

    /// Bits of the strategy and of the regrets: `"32/32"`, or `"16:16:8/8"` by street.
    #[getter]
    fn precision(&self) -> &str {
        &self.precision
    }

    /// Whether it fits into the memory that is allowed.
    #[getter]
    fn fits(&self) -> bool {
        self.fits
    }

    fn __repr__(&self) -> String {
        format!(
            "<Plan: {} information sets, {} in {} bits>",
            self.size.infosets,
            Bytes(self.size.memory.total() as u64),
            self.precision
        )
    }
}
