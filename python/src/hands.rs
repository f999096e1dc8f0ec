//! The hands of a player at a point.

use crate::arrow;
use crate::node_data::NodeData;
use crate::player::PyPlayer;
use arrow_array::RecordBatch;
use noregret_holdem::cards::{Draws, HandClass, Hole, MadeHand};
use noregret_holdem::{HandReach, Player};
use noregret_report::{HandLine, NEGLIGIBLE, draw_names};
use pyo3::exceptions::{PyIndexError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PySlice, PySliceIndices, PySliceMethods};
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
    /// Its place among the hands of the player.
    place: usize,
}

impl PyHand {
    fn reached(&self) -> &HandReach {
        &self.node.reach.hands[self.player.index()][self.place]
    }

    fn hole(&self) -> Hole {
        self.reached().hole
    }

    /// The hand with its EV: worked out for all hands when one is first asked for.
    fn valued(&self, py: Python<'_>) -> PyResult<&HandLine> {
        Ok(&self.node.values(py)?.hands[self.player.index()][self.place])
    }
}

#[pymethods]
impl PyHand {
    /// The cards: `"AhKh"`.
    #[getter]
    fn cards(&self) -> String {
        self.hole().to_string()
    }

    /// Its cell of the matrix: `"AKs"`.
    #[getter]
    fn class_(&self) -> String {
        HandClass::of(self.hole()).to_string()
    }

    /// Whose hand it is.
    #[getter]
    fn player(&self) -> PyPlayer {
        self.player.into()
    }

    /// What it makes of the board: `"top pair"`.
    #[getter]
    fn made(&self) -> &'static str {
        MadeHand::of(self.hole(), &self.node.reach.board).unwrap_or(MadeHand::Nothing).name()
    }

    /// What it may still become.
    #[getter]
    fn draws(&self) -> Vec<String> {
        draw_names(&Draws::of(self.hole(), &self.node.reach.board))
    }

    /// Its reach probability: its weight in the range times the frequencies of its player's actions that lead here.
    #[getter]
    fn reach(&self) -> f64 {
        self.reached().reach
    }

    /// Its reach after card removal, up to a constant.
    #[getter]
    fn share(&self) -> f64 {
        self.reached().share
    }

    /// What it expects from here on, in chips: the pot counts, what was put in before does not. None if no hand of the opponent is
    /// here with it.
    #[getter]
    fn ev(&self, py: Python<'_>) -> PyResult<Option<f64>> {
        Ok(self.valued(py)?.ev)
    }

    /// Which share of the pot it wins if both check to the end; None as for `ev`.
    #[getter]
    fn equity(&self, py: Python<'_>) -> PyResult<Option<f64>> {
        Ok(self.valued(py)?.equity)
    }

    /// How often it takes each action; None if another is to act, or if it does not reach this point.
    #[getter]
    fn strategy<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let hand = self.reached();
        self.by_action(py, hand.strategy.as_deref().filter(|_| hand.reach > NEGLIGIBLE))
    }

    /// What it expects after each action, from here on; None as for `strategy` and `ev`.
    #[getter]
    fn action_evs<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.by_action(py, self.valued(py)?.action_evs.as_deref())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let ev = self.valued(py)?.ev.map_or_else(|| "no EV".to_owned(), |ev| format!("EV {ev:.2}"));
        Ok(format!("<Hand {}: {ev}>", self.hole()))
    }
}

impl PyHand {
    /// The hand of a row of a node's table.
    pub fn new(node: Arc<NodeData>, row: usize) -> Self {
        match row.checked_sub(node.reach.hands[0].len()) {
            None => Self { node, player: Player::BOTH[0], place: row },
            Some(place) => Self { node, player: Player::BOTH[1], place },
        }
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
}

impl PyHands {
    /// The hands of some rows of a node's table.
    pub fn new(node: Arc<NodeData>, rows: Range<usize>) -> Self {
        Self { node, rows }
    }

    /// A row for each hand.
    fn table(&self, py: Python<'_>) -> PyResult<RecordBatch> {
        Ok(self.node.table(py)?.slice(self.rows.start, self.rows.len()))
    }

    fn hand(&self, place: usize) -> PyHand {
        PyHand::new(self.node.clone(), self.rows.start + place)
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

    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(cards) = key.extract::<String>() {
            let row = cards.parse().ok().and_then(|hole| self.row_of(hole));
            let row = row.ok_or_else(|| PyKeyError::new_err(cards))?;
            return Ok(Bound::new(py, PyHand::new(self.node.clone(), row))?.into_any());
        }
        if let Ok(slice) = key.cast::<PySlice>() {
            let PySliceIndices { start, step, slicelength, .. } = slice.indices(self.rows.len() as isize)?;
            let hands = (0..slicelength as isize).map(|i| self.hand((start + i * step) as usize));
            let hands = hands.map(|hand| Py::new(py, hand)).collect::<PyResult<Vec<_>>>()?;
            return Ok(PyList::new(py, hands)?.into_any());
        }
        let (index, count) = (key.extract::<isize>()?, self.rows.len() as isize);
        let place = if index < 0 { index + count } else { index };
        if (0..count).contains(&place) {
            Ok(Bound::new(py, self.hand(place as usize))?.into_any())
        } else {
            Err(PyIndexError::new_err(index))
        }
    }

    /// Whether there is a hand with these cards.
    fn __contains__(&self, cards: &Bound<'_, PyAny>) -> bool {
        let hole = cards.extract::<String>().ok().and_then(|cards| cards.parse().ok());
        hole.is_some_and(|hole| self.row_of(hole).is_some())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let hands = self.rows.clone().map(|row| Py::new(py, PyHand::new(self.node.clone(), row)));
        let hands = hands.collect::<PyResult<Vec<_>>>()?;
        Ok(PyList::new(py, hands)?.into_any().try_iter()?.into_any())
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::stream(py, &self.table(py)?, requested_schema)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::schema(py, &self.table(py)?)
    }

    fn __repr__(&self) -> String {
        format!("<{} hands>", self.rows.len())
    }
}
