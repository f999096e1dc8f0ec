//! The hands of a player at a point.

use crate::arrow;
use crate::node_data::NodeData;
use crate::player::PyPlayer;
use arrow_array::RecordBatch;
use noregret_holdem::Player;
use noregret_holdem::cards::{HandClass, Hole};
use noregret_report::HandLine;
use pyo3::exceptions::{PyIndexError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};
use std::ops::Range;
use std::sync::Arc;

/// One hand at a point: what it does there, and what it expects.
///
/// >>> import noregret as nr
/// >>> spot = nr.Spot("AA,KK,QJs", "TT+,KQs", "QsJh2h8c3d", pot=100, stack=300)
/// >>> hand = nr.solve(spot, target=0.5, progress=False).root.hand("QdJd")
/// >>> hand.class_, hand.made, hand.reach, sorted(hand.strategy)
/// ('QJs', 'two pair', 1.0, ['bet 50', 'check'])
#[pyclass(name = "Hand", module = "noregret", frozen)]
pub struct PyHand {
    node: Arc<NodeData>,
    player: Player,
    line: HandLine,
}

#[pymethods]
impl PyHand {
    /// The cards: `"AhKh"`.
    #[getter]
    fn cards(&self) -> String {
        self.line.hole.to_string()
    }

    /// Its cell of the matrix: `"AKs"`.
    #[getter]
    fn class_(&self) -> String {
        HandClass::of(self.line.hole).to_string()
    }

    /// Whose hand it is.
    #[getter]
    fn player(&self) -> PyPlayer {
        self.player.into()
    }

    /// What it makes of the board: `"top pair"`.
    #[getter]
    fn made(&self) -> &'static str {
        self.line.made.name()
    }

    /// What it may still become.
    #[getter]
    fn draws(&self) -> Vec<String> {
        self.line.draw_names()
    }

    /// Its reach probability: its weight in the range times the frequencies of its player's actions that lead here.
    #[getter]
    fn reach(&self) -> f64 {
        self.line.reach
    }

    /// Its reach after card removal, up to a constant.
    #[getter]
    fn share(&self) -> f64 {
        self.line.share
    }

    /// What it expects from here on, in chips: the pot counts, what was put in before does not. None if no hand of the opponent is
    /// here with it.
    #[getter]
    fn ev(&self) -> Option<f64> {
        self.line.ev
    }

    /// Which share of the pot it wins if both check to the end; None as for `ev`.
    #[getter]
    fn equity(&self) -> Option<f64> {
        self.line.equity
    }

    /// How often it takes each action; None if another is to act, or if it does not reach this point.
    #[getter]
    fn strategy<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.by_action(py, self.line.strategy.as_deref())
    }

    /// What it expects after each action, from here on; None as for `strategy` and `ev`.
    #[getter]
    fn action_evs<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.by_action(py, self.line.action_evs.as_deref())
    }

    fn __repr__(&self) -> String {
        let ev = self.line.ev.map_or_else(|| "no EV".to_owned(), |ev| format!("EV {ev:.2}"));
        format!("<Hand {}: {ev}>", self.line.hole)
    }
}

impl PyHand {
    /// The hand of a row of a node's table.
    pub fn new(py: Python<'_>, node: Arc<NodeData>, row: usize) -> PyResult<Self> {
        let [oop, ip] = &node.values(py)?.hands;
        let (player, line) = match row.checked_sub(oop.len()) {
            None => (Player::BOTH[0], oop[row].clone()),
            Some(row) => (Player::BOTH[1], ip[row].clone()),
        };
        Ok(Self { node, player, line })
    }

    fn by_action<'py>(
        &self,
        py: Python<'py>,
        numbers: Option<&[f64]>,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(numbers) = numbers else { return Ok(None) };
        let entries = PyDict::new(py);
        for (action, number) in self.node.reach.actions.iter().zip(numbers) {
            entries.set_item(action.to_string(), number)?;
        }
        Ok(Some(entries))
    }
}

/// Hands at a point, in the order of `Range.hands()`: a sequence of `Hand`, a mapping by their cards, and an Arrow table.
///
/// >>> import noregret as nr
/// >>> spot = nr.Spot("AA,KK,QJs", "TT+,KQs", "QsJh2h8c3d", pot=100, stack=300)
/// >>> hands = nr.solve(spot, target=0.5, progress=False).root.hands()
/// >>> len(hands), hands[0].cards, hands["AhAd"].made
/// (14, 'QcJc', 'overpair')
#[pyclass(name = "Hands", module = "noregret", frozen)]
pub struct PyHands {
    node: Arc<NodeData>,
    rows: Range<usize>,
    table: RecordBatch,
}

impl PyHands {
    /// The hands of some rows of a node's table.
    pub fn new(py: Python<'_>, node: Arc<NodeData>, rows: Range<usize>) -> PyResult<Self> {
        let table = node.table(py)?.slice(rows.start, rows.len());
        Ok(Self { node, rows, table })
    }

    /// The row of a hand, by its cards.
    fn row_of(&self, hole: Hole) -> Option<usize> {
        let hands = self.node.reach.hands.iter().flatten();
        let mut rows = hands.enumerate().skip(self.rows.start).take(self.rows.len());
        rows.find(|(_, hand)| hand.hole == hole).map(|(row, _)| row)
    }
}

#[pymethods]
impl PyHands {
    fn __len__(&self) -> usize {
        self.rows.len()
    }

    fn __getitem__(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<PyHand> {
        if let Ok(cards) = key.extract::<String>() {
            let row = cards.parse().ok().and_then(|hole| self.row_of(hole));
            return PyHand::new(py, self.node.clone(), row.ok_or_else(|| PyKeyError::new_err(cards))?);
        }
        let (index, count) = (key.extract::<isize>()?, self.rows.len() as isize);
        let place = if index < 0 { index + count } else { index };
        if (0..count).contains(&place) {
            PyHand::new(py, self.node.clone(), self.rows.start + place as usize)
        } else {
            Err(PyIndexError::new_err(index))
        }
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let hands = self.rows.clone().map(|row| Py::new(py, PyHand::new(py, self.node.clone(), row)?));
        let hands = hands.collect::<PyResult<Vec<_>>>()?;
        Ok(PyList::new(py, hands)?.into_any().try_iter()?.into_any())
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::stream(py, &self.table, requested_schema)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::schema(py, &self.table)
    }

    fn __repr__(&self) -> String {
        format!("<{} hands>", self.rows.len())
    }
}
