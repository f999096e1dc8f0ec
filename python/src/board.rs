//! The public cards.

use crate::error;
use noregret_holdem::cards::{Board, Texture, canonical_board, flop_weight};
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Three to five public cards, in the order in which they were dealt.
///
/// >>> import noregret as nr
/// >>> board = nr.Board("Qs Jh 2h")
/// >>> board.street, board.cards
/// ('flop', ['Qs', 'Jh', '2h'])
#[pyclass(name = "Board", module = "noregret", frozen, eq, skip_from_py_object)]
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PyBoard(pub Board);

#[pymethods]
impl PyBoard {
    #[new]
    fn new(cards: &Bound<'_, PyAny>) -> PyResult<Self> {
        board(cards).map(Self)
    }

    /// The cards, as dealt.
    #[getter]
    fn cards(&self) -> Vec<String> {
        self.0.cards().iter().map(ToString::to_string).collect()
    }

    /// `"flop"`, `"turn"` or `"river"`: the street that is being played.
    #[getter]
    fn street(&self) -> String {
        self.0.street().to_string()
    }

    /// The same board with its suits renamed so that all boards that differ by suits alone are equal.
    ///
    /// >>> import noregret as nr
    /// >>> nr.Board("QsJh2h").canonical() == nr.Board("QcJd2d").canonical()
    /// True
    fn canonical(&self) -> Self {
        Self(canonical_board(&self.0).0)
    }

    /// How many of the 22,100 flops are this one but for the names of the suits.
    ///
    /// >>> import noregret as nr
    /// >>> nr.Board("QsJh2h").weight, nr.Board("AsAhAd").weight
    /// (12, 4)
    #[getter]
    fn weight(&self) -> u32 {
        flop_weight(&self.0)
    }

    /// What the flop looks like: its highest card, suits, pairs and straights.
    ///
    /// >>> import noregret as nr
    /// >>> nr.Board("QsJh2h").texture["suits"]
    /// 'two-tone'
    #[getter]
    fn texture<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyDict>> {
        let texture = Texture::of(&self.0);
        let words = pyo3::types::PyDict::new(py);
        words.set_item("high", texture.high.to_char().to_string())?;
        words.set_item("suits", texture.suits.to_string())?;
        words.set_item("ranks", texture.ranks.to_string())?;
        words.set_item("gaps", texture.gaps.to_string())?;
        Ok(words)
    }

    fn __len__(&self) -> usize {
        self.0.cards().len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyList::new(py, self.cards())?.into_any().try_iter()?.into_any())
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Board(\"{}\")", self.0)
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

/// The board that an argument is: one, its text, or a list of cards.
pub fn board(value: &Bound<'_, PyAny>) -> PyResult<Board> {
    if let Ok(board) = value.cast::<PyBoard>() {
        return Ok(board.get().0);
    }
    let text = match value.extract::<String>() {
        Ok(text) => text,
        Err(error) => value.extract::<Vec<String>>().map_err(|_| error)?.concat(),
    };
    text.parse().map_err(|error| error::field("board", error))
}
