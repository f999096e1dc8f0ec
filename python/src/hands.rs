//! The hands of a player at a point.

use crate::arrow;
use crate::player::PyPlayer;
use arrow_array::RecordBatch;
use noregret_holdem::cards::HandClass;
use noregret_holdem::{Action, Player};
use noregret_report::HandLine;
use pyo3::exceptions::{PyIndexError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};
use std::collections::HashMap;
use std::sync::Arc;

/// Hands of one or both players at a point, with what they are about.
pub struct HandsAtNode {
    pub lines: Vec<(Player, HandLine)>,
    pub actions: Vec<Action>,
    pub metadata: HashMap<String, String>,
}

impl HandsAtNode {
    /// The table: a row for each hand.
    pub fn table(&self) -> PyResult<RecordBatch> {
        let lines = || self.lines.iter().map(|(_, line)| line);
        let text = |texts: Vec<String>| arrow::words(texts.iter().map(|text| Some(text.as_str())));
        let number = |number: fn(&HandLine) -> Option<f64>| arrow::numbers(lines().map(number));
        let mut columns = vec![
            (
                "player".to_owned(),
                arrow::words(
                    self.lines.iter().map(|(player, _)| Some(noregret_report::player_name(*player))),
                ),
            ),
            ("hand".to_owned(), text(lines().map(|line| line.hole.to_string()).collect())),
            ("class".to_owned(), text(lines().map(|line| HandClass::of(line.hole).to_string()).collect())),
            ("made".to_owned(), text(lines().map(|line| line.made.name().to_owned()).collect())),
            ("draws".to_owned(), text(lines().map(|line| line.draws.to_string()).collect())),
            ("reach".to_owned(), number(|line| Some(line.reach))),
            ("share".to_owned(), number(|line| Some(line.share))),
            ("ev".to_owned(), number(|line| line.ev)),
            ("equity".to_owned(), number(|line| line.equity)),
        ];
        for (a, action) in self.actions.iter().enumerate() {
            let of = |numbers: &Option<Vec<f64>>| numbers.as_ref().map(|numbers| numbers[a]);
            columns.push((action.to_string(), arrow::numbers(lines().map(|line| of(&line.strategy)))));
        }
        for (a, action) in self.actions.iter().enumerate() {
            let of = |numbers: &Option<Vec<f64>>| numbers.as_ref().map(|numbers| numbers[a]);
            columns.push((format!("{action}: ev"), arrow::numbers(lines().map(|line| of(&line.action_evs)))));
        }
        arrow::record_batch(columns, self.metadata.clone()).map_err(arrow::failed)
    }
}

/// One hand at a point: what it does there, and what it expects.
#[pyclass(name = "Hand", module = "noregret", frozen)]
pub struct PyHand {
    player: Player,
    line: HandLine,
    actions: Vec<Action>,
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
    pub fn new(player: Player, line: HandLine, actions: &[Action]) -> Self {
        Self { player, line, actions: actions.to_vec() }
    }

    fn by_action<'py>(
        &self,
        py: Python<'py>,
        numbers: Option<&[f64]>,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(numbers) = numbers else { return Ok(None) };
        let entries = PyDict::new(py);
        for (action, number) in self.actions.iter().zip(numbers) {
            entries.set_item(action.to_string(), number)?;
        }
        Ok(Some(entries))
    }
}

/// Hands at a point, in the order of `Range.hands()`: a sequence of `Hand`, a mapping by their cards, and an Arrow table.
#[pyclass(name = "Hands", module = "noregret", frozen)]
pub struct PyHands {
    list: Arc<HandsAtNode>,
    table: RecordBatch,
}

impl PyHands {
    pub fn new(list: HandsAtNode) -> PyResult<Self> {
        let table = list.table()?;
        Ok(Self { list: Arc::new(list), table })
    }

    fn hand(&self, index: usize) -> PyHand {
        let (player, line) = &self.list.lines[index];
        PyHand::new(*player, line.clone(), &self.list.actions)
    }
}

#[pymethods]
impl PyHands {
    fn __len__(&self) -> usize {
        self.list.lines.len()
    }

    fn __getitem__(&self, key: &Bound<'_, PyAny>) -> PyResult<PyHand> {
        if let Ok(cards) = key.extract::<String>() {
            let found = self.list.lines.iter().position(|(_, line)| line.hole.to_string() == cards);
            return found.map(|index| self.hand(index)).ok_or_else(|| PyKeyError::new_err(cards));
        }
        let (index, count) = (key.extract::<isize>()?, self.list.lines.len() as isize);
        let place = if index < 0 { index + count } else { index };
        if (0..count).contains(&place) {
            Ok(self.hand(place as usize))
        } else {
            Err(PyIndexError::new_err(index))
        }
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let hands = (0..self.list.lines.len()).map(|index| Py::new(py, self.hand(index)));
        let hands = hands.collect::<PyResult<Vec<_>>>()?;
        Ok(PyList::new(py, hands)?.into_any().try_iter()?.into_any())
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        arrow::stream(py, &self.table)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::schema(py, &self.table)
    }

    fn __repr__(&self) -> String {
        format!("<{} hands>", self.list.lines.len())
    }
}
