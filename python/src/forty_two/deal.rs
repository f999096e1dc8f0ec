//! Who holds what.

use crate::error;
use crate::options::whole;
use noregret_dominoes::{Deal, Seat};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Seven dominoes to each of four seats: of a seed, as the datasets in use deal, or of a text with `|` between the hands.
///
/// >>> from noregret import forty_two
/// >>> deal = forty_two.Deal(0)
/// >>> deal.numbers[0]
/// [0, 3, 5, 7, 10, 14, 17]
/// >>> deal.hands[0]
/// ['0-0', '2-0', '2-2', '3-1', '4-0', '4-4', '5-2']
/// >>> forty_two.Deal(str(deal)) == deal
/// True
#[pyclass(name = "Deal", module = "noregret.forty_two", frozen, eq, skip_from_py_object)]
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PyDeal(pub Deal);

#[pymethods]
impl PyDeal {
    #[new]
    #[pyo3(signature = (seed_or_hands, *, opponents=None))]
    fn new(seed_or_hands: &Bound<'_, PyAny>, opponents: Option<i128>) -> PyResult<Self> {
        let deal = deal(seed_or_hands)?;
        let Some(opponents) = opponents else { return Ok(Self(deal)) };
        let opponents = whole("opponents", opponents)?;
        let around = Deal::around(deal.held(Seat::ALL[0], 0x7f), opponents);
        around.map(Self).map_err(|error| error::field("deal", error))
    }

    /// The four hands, each sorted.
    #[getter]
    fn hands(&self) -> Vec<Vec<String>> {
        Seat::ALL.iter().map(|&seat| self.0.hand(seat).iter().map(ToString::to_string).collect()).collect()
    }

    /// The four hands as numbers from 0 (0-0) to 27 (6-6), by high pip, then low.
    #[getter]
    fn numbers(&self) -> Vec<Vec<u32>> {
        Seat::ALL
            .iter()
            .map(|&seat| self.0.hand(seat).iter().map(|domino| domino.number().into()).collect())
            .collect()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Deal(\"{}\")", self.0)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (String,)) {
        (py.get_type::<Self>().into_any(), (self.0.to_string(),))
    }
}

/// The deal that an argument is: one, a seed, or a text.
pub fn deal(value: &Bound<'_, PyAny>) -> PyResult<Deal> {
    if let Ok(deal) = value.cast::<PyDeal>() {
        return Ok(deal.get().0);
    }
    if let Ok(seed) = value.extract::<u64>() {
        return Ok(Deal::from_seed(seed));
    }
    match value.extract::<String>() {
        Ok(text) => text.parse().map_err(|error| error::field("deal", error)),
        Err(_) => Err(PyTypeError::new_err(
            "deal: must be a Deal, a seed of 0 or more, or four hands with `|` between them",
        )),
    }
}
