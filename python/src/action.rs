//! What can be done at a point.

use crate::amount::AmountNumber;
use crate::node_data::NodeData;
use noregret_holdem::{Action, Chips};
use noregret_report::ActionSummary;
use pyo3::prelude::*;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// What can be done at a point, how often it is done and what it is worth.
///
/// >>> import noregret as nr
/// >>> spot = nr.Spot("AA,KK,QJs", "TT+,KQs", "QsJh2h8c3d", pot=100, stack=300)
/// >>> check, bet = nr.solve(spot, target=0.5, progress=False).root.actions
/// >>> bet.name, bet.amount, str(bet)
/// ('bet', 50, 'bet 50')
/// >>> 0 <= bet.frequency <= 1 and round(check.frequency + bet.frequency, 6)
/// 1.0
#[pyclass(name = "Action", module = "noregret", frozen)]
pub struct PyAction {
    node: Arc<NodeData>,
    index: usize,
}

impl PyAction {
    /// An action of a node.
    pub fn new(node: Arc<NodeData>, index: usize) -> Self {
        Self { node, index }
    }

    fn action(&self) -> Action {
        self.node.reach.actions[self.index]
    }

    fn summary(&self, py: Python<'_>) -> PyResult<&ActionSummary> {
        Ok(&self.node.values(py)?.summary.actions[self.index])
    }
}

#[pymethods]
impl PyAction {
    /// `"fold"`, `"check"`, `"call"`, `"bet"`, `"raise"` or `"all-in"`.
    #[getter]
    fn name(&self) -> &'static str {
        self.action().name()
    }

    /// What the player has put in on this street in all; 0 where there is no amount.
    #[getter]
    fn amount(&self) -> AmountNumber {
        self.action().amount().unwrap_or(Chips::ZERO).into()
    }

    /// How often it is taken, over all hands after card removal; None if no hands of both players are here together.
    #[getter]
    fn frequency(&self) -> Option<f64> {
        let is_reached = self.node.reach.hands[0].iter().any(|hand| hand.share > 0.0);
        is_reached.then(|| self.node.reach.frequencies[self.index])
    }

    /// What the hands that take it expect of it, from here on; None as for `frequency`.
    #[getter]
    fn ev(&self, py: Python<'_>) -> PyResult<Option<f64>> {
        Ok(self.summary(py)?.outlook.ev)
    }

    /// The equity of the hands that take it; None as for `frequency`.
    #[getter]
    fn equity(&self, py: Python<'_>) -> PyResult<Option<f64>> {
        Ok(self.summary(py)?.outlook.equity)
    }

    /// How many combinations take it.
    #[getter]
    fn combos(&self, py: Python<'_>) -> PyResult<f64> {
        Ok(self.summary(py)?.outlook.combos)
    }

    fn __str__(&self) -> String {
        self.action().to_string()
    }

    fn __repr__(&self) -> String {
        format!("Action(\"{}\")", self.action())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().action() == self.action())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.action().hash(&mut hasher);
        hasher.finish()
    }
}
