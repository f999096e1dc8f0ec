//! What comes after a point.

use crate::node::PyNode;
use crate::node_data::NodeData;
use noregret_holdem::{Line, Step};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::sync::Arc;

/// What comes after a point, by action or card: a mapping that reads a node when it is asked for it.
///
/// >>> import noregret as nr
/// >>> spot = nr.Spot("AA,KK,QJs", "TT+,KQs", "QsJh2h8c", pot=100, stack=300)
/// >>> solution = nr.solve(spot, target=5, progress=False)
/// >>> list(solution.root.children), solution.root.children["check"].player
/// (['check', 'bet 50'], Player.IP)
/// >>> len(solution["check, check"].children)
/// 48
#[pyclass(name = "Children", module = "noregret", frozen, mapping)]
pub struct PyChildren {
    node: Arc<NodeData>,
    steps: Vec<Step>,
}

impl PyChildren {
    /// The steps that can be taken at a node.
    pub fn new(node: Arc<NodeData>, steps: Vec<Step>) -> Self {
        Self { node, steps }
    }

    fn child(&self, py: Python<'_>, step: Step) -> PyResult<PyNode> {
        self.node.after(py, &Line { steps: vec![step] }).map(PyNode::from)
    }
}

#[pymethods]
impl PyChildren {
    fn __len__(&self) -> usize {
        self.steps.len()
    }

    fn __contains__(&self, step: &str) -> bool {
        self.steps.iter().any(|known| known.to_string() == step)
    }

    fn __getitem__(&self, py: Python<'_>, step: &str) -> PyResult<PyNode> {
        let found = self.steps.iter().find(|known| known.to_string() == step);
        self.child(py, *found.ok_or_else(|| PyKeyError::new_err(step.to_owned()))?)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyList::new(py, self.keys())?.into_any().try_iter()?.into_any())
    }

    /// The names of the steps.
    fn keys(&self) -> Vec<String> {
        self.steps.iter().map(ToString::to_string).collect()
    }

    /// The nodes, all opened at once.
    fn values(&self, py: Python<'_>) -> PyResult<Vec<PyNode>> {
        self.steps.iter().map(|step| self.child(py, *step)).collect()
    }

    /// The names with their nodes, all opened at once.
    fn items(&self, py: Python<'_>) -> PyResult<Vec<(String, PyNode)>> {
        Ok(self.keys().into_iter().zip(self.values(py)?).collect())
    }

    fn __repr__(&self) -> String {
        format!("<Children: {}>", self.keys().join(", "))
    }
}
