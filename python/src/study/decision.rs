//! Decisions of hands that were played, and what they cost.

use super::grade::PyGradedAction;
use super::place_of;
use crate::arrow;
use arrow_array::RecordBatch;
use noregret_hands::{DecisionRow, HandsSession, RowAction};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyList};
use std::collections::HashMap;
use std::sync::Arc;

/// The rows of a session.
pub struct DecisionTable {
    pub rows: Vec<DecisionRow>,
    table: RecordBatch,
}

impl DecisionTable {
    pub fn of(session: &HandsSession) -> PyResult<Self> {
        let rows = DecisionRow::of_session(session);
        let metadata = HashMap::from([
            ("noregret_version".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
            ("unit".to_owned(), "bb".to_owned()),
        ]);
        let cells: Vec<_> = rows.iter().map(DecisionRow::cells).collect();
        let table = arrow::of_table(&DecisionRow::columns(), &cells, metadata).map_err(arrow::failed)?;
        Ok(Self { rows, table })
    }
}

/// The decisions of a session after the flop, in order: a sequence, and a table for whoever reads Arrow,
/// `polars.DataFrame(session.decisions)`. Columns are those of `noregret hands --parquet`.
///
/// >>> from noregret import study
/// >>> decisions = study.read_text(study.EXAMPLE).decisions
/// >>> [(decision.street, decision.hole, decision.played) for decision in decisions]
/// [('flop', 'AdQd', 'call'), ('turn', 'AdQd', 'fold')]
#[pyclass(name = "Decisions", module = "noregret.study", frozen)]
pub struct PyDecisions(pub Arc<DecisionTable>);

#[pymethods]
impl PyDecisions {
    fn __len__(&self) -> usize {
        self.0.rows.len()
    }

    fn __getitem__(&self, index: isize) -> PyResult<PyDecision> {
        Ok(PyDecision(self.0.rows[place_of(index, self.0.rows.len())?].clone()))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let items = self
            .0
            .rows
            .iter()
            .map(|row| Py::new(py, PyDecision(row.clone())))
            .collect::<PyResult<Vec<_>>>()?;
        Ok(PyList::new(py, items)?.into_any().try_iter()?.into_any())
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::stream(py, &self.0.table, requested_schema)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::schema(py, &self.0.table)
    }

    fn __repr__(&self) -> String {
        format!("<{} decisions>", self.0.rows.len())
    }
}

/// A decision: what was played, what the solution does, what was lost. Amounts are in big blinds. What a solution says is None until
/// one has been read.
///
/// >>> from noregret import study
/// >>> decision = study.read_text(study.EXAMPLE).decisions[0]
/// >>> decision.position, decision.board, decision.line, decision.played, decision.pot_bb, decision.to_call_bb
/// ('BTN', 'Qc7d2h', 'bet 400', 'call', 16.5, 4.0)
/// >>> decision.ev_loss_bb is None
/// True
#[pyclass(name = "Decision", module = "noregret.study", frozen)]
pub struct PyDecision(pub DecisionRow);

#[pymethods]
impl PyDecision {
    /// The file of the hand.
    #[getter]
    fn file(&self) -> &str {
        &self.0.file
    }

    /// The number of the hand.
    #[getter]
    fn hand(&self) -> &str {
        &self.0.hand
    }

    /// Who decides.
    #[getter]
    fn player(&self) -> &str {
        &self.0.player
    }

    /// Where that is: `"BTN"`.
    #[getter]
    fn position(&self) -> &str {
        &self.0.position
    }

    /// Where the other player is.
    #[getter]
    fn opponent(&self) -> &str {
        &self.0.opponent
    }

    /// `"single-raised"`, `"3-bet"`, `"4-bet"` or `"limped"`.
    #[getter]
    fn pot_type(&self) -> &str {
        &self.0.pot_type
    }

    /// `"flop"`, `"turn"` or `"river"`.
    #[getter]
    fn street(&self) -> &str {
        &self.0.street
    }

    /// The public cards.
    #[getter]
    fn board(&self) -> &str {
        &self.0.board
    }

    /// The cards of whoever decides; None if they are not known.
    #[getter]
    fn hole(&self) -> Option<&str> {
        Some(self.0.hole.as_str()).filter(|hole| !hole.is_empty())
    }

    /// What leads there, in the words of the betting tree.
    #[getter]
    fn line(&self) -> &str {
        &self.0.line
    }

    /// What was done, in the same words.
    #[getter]
    fn played(&self) -> &str {
        &self.0.played
    }

    /// The pot before it.
    #[getter]
    fn pot_bb(&self) -> f64 {
        self.0.pot_bb
    }

    /// What there was to call.
    #[getter]
    fn to_call_bb(&self) -> f64 {
        self.0.to_call_bb
    }

    /// How many actions the tree has there. One is no choice, and counts in no total.
    #[getter]
    fn choices(&self) -> Option<usize> {
        self.0.choices
    }

    /// What is worth most.
    #[getter]
    fn best(&self) -> Option<&str> {
        self.0.best.as_deref()
    }

    /// How often the solution does with the hand what was played.
    #[getter]
    fn frequency(&self) -> Option<f64> {
        self.0.frequency
    }

    /// What the hand expects of what was played.
    #[getter]
    fn ev_played_bb(&self) -> Option<f64> {
        self.0.ev_played_bb
    }

    /// What it expects of the best action.
    #[getter]
    fn ev_best_bb(&self) -> Option<f64> {
        self.0.ev_best_bb
    }

    /// The difference.
    #[getter]
    fn ev_loss_bb(&self) -> Option<f64> {
        self.0.ev_loss_bb
    }

    /// The same in percent of the pot before the decision.
    #[getter]
    fn ev_loss_pct(&self) -> Option<f64> {
        self.0.ev_loss_pct
    }

    /// How exploitable the solution is, in percent of the pot on the flop; None until one has been read.
    #[getter]
    fn exploitability_pct(&self) -> Option<f64> {
        self.0.exploitability_pct
    }

    /// Every action there, with EVs in big blinds; none until a solution has been read.
    #[getter]
    fn actions(&self) -> Vec<PyGradedAction> {
        let action = |action: &RowAction| PyGradedAction {
            action: action.action.clone(),
            frequency: action.frequency,
            range_frequency: action.range_frequency,
            ev: action.ev_bb,
        };
        self.0.actions.iter().map(action).collect()
    }

    /// The name of the solution; None if it is not solved.
    #[getter]
    fn solution(&self) -> Option<&str> {
        Some(self.0.solution.as_str()).filter(|name| !name.is_empty())
    }

    /// The address of the point behind that of a server that has the solution in its library; None if it is not solved.
    #[getter]
    fn link(&self) -> Option<&str> {
        Some(self.0.link.as_str()).filter(|link| !link.is_empty())
    }

    fn __repr__(&self) -> String {
        let DecisionRow { hand, street, hole, played, ev_loss_bb, .. } = &self.0;
        let lost = ev_loss_bb.map_or_else(|| "not solved".to_owned(), |loss| format!("{loss:.2} bb lost"));
        format!("<Decision of hand {hand}, {street}: {hole} {played}, {lost}>")
    }
}
