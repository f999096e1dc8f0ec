//! What a player may hold.

use crate::arrays::floats;
use crate::{error, html};
use noregret_holdem::cards::{HandClass, Hole, Range};
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyMapping;
use std::hash::{DefaultHasher, Hash, Hasher};

/// What a player may hold: a weight from 0 to 1 for each of the 1,326 hands.
///
/// It is made of text as every solver reads it, of 1,326 numbers (numpy, Arrow, a list), or of a mapping from hands to weights.
///
/// >>> import noregret as nr
/// >>> pairs = nr.Range("22+, A5s-A2s:0.5")
/// >>> pairs["AsAh"], pairs["A5s"], pairs["72o"]
/// (1.0, 0.5, 0.0)
/// >>> nr.Range(pairs.weights) == pairs
/// True
/// >>> str(nr.Range({"AA": 1.0, "KsKh": 0.25}))
/// 'AA,KsKh:0.25'
#[pyclass(name = "Range", module = "noregret", frozen, eq)]
#[derive(PartialEq)]
pub struct PyRange(pub Range);

#[pymethods]
impl PyRange {
    #[new]
    fn new(hands: &Bound<'_, PyAny>) -> PyResult<Self> {
        range(hands, "range").map(Self)
    }

    /// The weights of all hands, in the order of `Range.hands()`: 1,326 numbers of float32, the caller's own.
    #[getter]
    fn weights<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f32>> {
        Hole::all().map(|hole| self.0.weight(hole)).collect::<Vec<f32>>().into_pyarray(py)
    }

    /// The names of all 1,326 hands, in the order of `weights`: 2d2c, 2h2c, 2h2d, …
    ///
    /// >>> import noregret as nr
    /// >>> nr.Range.hands()[:3]
    /// ['2d2c', '2h2c', '2h2d']
    #[staticmethod]
    fn hands() -> Vec<String> {
        Hole::all().map(|hole| hole.to_string()).collect()
    }

    /// How many combinations it has, each by its weight.
    ///
    /// >>> import noregret as nr
    /// >>> nr.Range("AA,KK:0.5").combos
    /// 9.0
    #[getter]
    fn combos(&self) -> f64 {
        self.0.iter().map(|(_, weight)| f64::from(weight)).sum()
    }

    /// The weight of a hand like `AhKh`, or the mean weight of a class like `AKs`.
    fn __getitem__(&self, hand: &str) -> PyResult<f32> {
        if let Ok(hole) = hand.parse::<Hole>() {
            return Ok(self.0.weight(hole));
        }
        let class = HandClass::all().find(|class| class.to_string() == hand);
        let class = class.ok_or_else(|| {
            PyKeyError::new_err(format!("`{hand}` is not a hand: write it like `AhKh` or `AKs`"))
        })?;
        Ok(self.0.class_weight(class))
    }

    /// Whether a hand like `AhKh`, or all hands of a class like `AKs`, have a weight above 0.
    fn __contains__(&self, hand: &Bound<'_, PyAny>) -> bool {
        let Ok(hand) = hand.extract::<String>() else { return false };
        match hand.parse::<Hole>() {
            Ok(hole) => self.0.weight(hole) > 0.0,
            Err(_) => HandClass::all()
                .find(|class| class.to_string() == hand)
                .is_some_and(|class| class.holes().all(|hole| self.0.weight(hole) > 0.0)),
        }
    }

    /// How many hands have a weight above 0.
    fn __len__(&self) -> usize {
        self.0.iter().count()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Range(\"{}\")", self.0)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.iter().for_each(|(hole, weight)| (hole.index(), weight.to_bits()).hash(&mut hasher));
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (Bound<'py, PyArray1<f32>>,)) {
        (py.get_type::<Self>().into_any(), (self.weights(py),))
    }

    fn _repr_html_(&self) -> String {
        html::range(&self.0)
    }
}

/// The range that an argument is: one, its text, 1,326 numbers, or a mapping. `name` is what messages call it.
pub fn range(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Range> {
    if let Ok(range) = value.cast::<PyRange>() {
        return Ok(range.get().0.clone());
    }
    if let Ok(text) = value.extract::<String>() {
        return text.parse().map_err(|error| error::field(name, error));
    }
    if let Ok(mapping) = value.cast::<PyMapping>() {
        return of_mapping(mapping, name);
    }
    let weights = floats(value, name)?;
    let mut range = Range::default();
    if weights.len() != Hole::COUNT {
        let message = format!("a range has {} weights, not {}", Hole::COUNT, weights.len());
        return Err(error::field(name, message));
    }
    for (hole, weight) in Hole::all().zip(weights) {
        range.set(hole, weight as f32).map_err(|error| error::field(name, format!("{hole}: {error}")))?;
    }
    Ok(range)
}

fn of_mapping(mapping: &Bound<'_, PyMapping>, name: &str) -> PyResult<Range> {
    let mut range = Range::default();
    for item in mapping.items()? {
        let (hand, weight): (String, f64) = item.extract()?;
        let group: Range = hand.parse().map_err(|error| error::field(name, error))?;
        if hand.contains(':') {
            return Err(PyValueError::new_err(format!("`{hand}`: the weight belongs in the value")));
        }
        for (hole, _) in group.iter() {
            range.set(hole, weight as f32).map_err(|error| error::field(name, format!("{hand}: {error}")))?;
        }
    }
    Ok(range)
}
