//! What a move is worth to a player who sees one hand only.

use super::declaration;
use crate::error;
use crate::interrupt::interruptible;
use crate::options::{whole, whole_from};
use crate::pool::pool;
use noregret_dominoes::{ExpectOptions, Expectation, Hand, MoveExpectation, PlayerView, Plays};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// What each legal move is worth to the player whose turn it is, who sees one hand and all that was played: the mean over deals that
/// agree with that.
///
/// `hand` is what the player was dealt, `plays` what was played since the first lead. All deals are counted if there are at most
/// `worlds`; else so many are drawn, or as many as it takes for a standard error of at most `error`.
///
/// >>> from noregret import forty_two
/// >>> answer = forty_two.expect(hand="6-6 6-5 6-4 5-5 4-4 1-0 2-0", decl="sixes", worlds=100,
/// ...                           plays="6-6 6-3 6-2 6-1  6-5 6-0 1-1 2-1  6-4 3-0 4-2 5-0")
/// >>> answer.seat, len(answer.moves), answer.best.domino
/// (0, 4, '4-4')
#[pyfunction]
#[pyo3(signature = (*, hand, decl, plays="", worlds=1000, error=None, seed=0, threads=None))]
#[expect(clippy::too_many_arguments)]
pub fn expect(
    py: Python<'_>,
    hand: &str,
    decl: &Bound<'_, PyAny>,
    plays: &str,
    worlds: i128,
    error: Option<f64>,
    seed: i128,
    threads: Option<i64>,
) -> PyResult<PyExpectation> {
    let hand: Hand = hand.parse().map_err(|error| error::field("hand", error))?;
    let plays: Plays = plays.parse().map_err(|error| error::field("plays", error))?;
    let view = PlayerView::new(hand, declaration(decl)?, &plays.0).map_err(error::request)?;
    let (worlds, seed) = (whole_from("worlds", worlds, 1)?, whole("seed", seed)?);
    if error.is_some_and(|error| error.is_nan() || error <= 0.0) {
        return Err(error::field("error", "must be a number above 0"));
    }
    let options = ExpectOptions { worlds, error, seed };
    let pool = pool(crate::options::threads(threads)?)?;
    let found = interruptible(py, |stops| {
        pool.install(|| Expectation::new(&view, &options, |_| !stops.load(Ordering::Relaxed)))
    })?;
    Ok(PyExpectation(Arc::new(found)))
}

/// What each legal move is worth over deals that agree with what the player knows.
///
/// >>> from noregret import forty_two
/// >>> plays = "6-6 6-3 6-2 6-1  6-5 6-0 1-1 2-1  6-4 3-0 4-2 5-0  5-5 5-4 5-3 5-2"
/// >>> answer = forty_two.expect(hand="6-6 6-5 6-4 5-5 4-4 1-0 2-0", decl="sixes", plays=plays, worlds=100_000)
/// >>> answer.exact, answer.worlds == answer.possible, len(answer.moves)
/// (True, True, 3)
#[pyclass(name = "Expectation", module = "noregret.forty_two", frozen)]
pub struct PyExpectation(Arc<Expectation>);

#[pymethods]
impl PyExpectation {
    /// Whose turn it is: the player.
    #[getter]
    fn seat(&self) -> usize {
        self.0.seat.index()
    }

    /// How many deals agree with what the player knows.
    #[getter]
    fn possible(&self) -> u64 {
        self.0.possible
    }

    /// How many of them were looked at.
    #[getter]
    fn worlds(&self) -> u64 {
        self.0.worlds
    }

    /// Whether each of them was looked at once, so that nothing is left to chance.
    #[getter]
    fn exact(&self) -> bool {
        self.0.exact
    }

    /// The legal moves, by domino.
    #[getter]
    fn moves(&self) -> Vec<PyMoveExpectation> {
        (0..self.0.moves.len()).map(|index| PyMoveExpectation { of: self.0.clone(), index }).collect()
    }

    /// The move with the highest mean, the first of equals.
    #[getter]
    fn best(&self) -> Option<PyMoveExpectation> {
        let best = self.0.best()?;
        let index = self.0.moves.iter().position(|play| play.domino == best.domino)?;
        Some(PyMoveExpectation { of: self.0.clone(), index })
    }

    /// Whether the 95% interval of another move's mean overlaps with that of the best.
    #[getter]
    fn too_close(&self) -> bool {
        self.0.is_too_close()
    }

    fn __repr__(&self) -> String {
        let best = self
            .0
            .best()
            .map_or_else(String::new, |best| format!(", best {} ({:.2})", best.domino, best.mean()));
        format!("<Expectation over {} of {} deals{best}>", self.0.worlds, self.0.possible)
    }
}

/// A legal move, and what it is worth.
///
/// >>> from noregret import forty_two
/// >>> plays = "6-6 6-3 6-2 6-1  6-5 6-0 1-1 2-1  6-4 3-0 4-2 5-0  5-5 5-4 5-3 5-2"
/// >>> answer = forty_two.expect(hand="6-6 6-5 6-4 5-5 4-4 1-0 2-0", decl="sixes", plays=plays, worlds=100_000)
/// >>> move = answer.best
/// >>> move.domino, move.standard_error, int(move.deals.sum()) == answer.worlds
/// ('4-4', 0.0, True)
#[pyclass(name = "MoveExpectation", module = "noregret.forty_two", frozen)]
pub struct PyMoveExpectation {
    of: Arc<Expectation>,
    index: usize,
}

impl PyMoveExpectation {
    fn play(&self) -> &MoveExpectation {
        &self.of.moves[self.index]
    }
}

#[pymethods]
impl PyMoveExpectation {
    /// The domino that is played.
    #[getter]
    fn domino(&self) -> String {
        self.play().domino.to_string()
    }

    /// The mean of the value: the difference in points that the player's team ends with.
    #[getter]
    fn mean(&self) -> f64 {
        self.play().mean()
    }

    /// The mean of the points.
    #[getter]
    fn mean_points(&self) -> f64 {
        self.play().mean_points()
    }

    /// The standard deviation of the value over the deals.
    #[getter]
    fn spread(&self) -> f64 {
        self.play().spread()
    }

    /// What the mean may be off by; 0 if all deals were counted.
    #[getter]
    fn standard_error(&self) -> f64 {
        self.of.standard_error(self.play())
    }

    /// By points of the player's team in the end, 0 to 42: in how many deals.
    #[getter]
    fn deals<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        self.play().deals.to_vec().into_pyarray(py)
    }

    /// The chance to make a bid after the move, with its 95% interval: seen, low, high.
    fn chance(&self, bid: u8) -> (f64, f64, f64) {
        let chance = self.of.chance(self.play(), bid);
        (chance.seen, chance.low, chance.high)
    }

    fn __repr__(&self) -> String {
        format!("<{}: {:.2} ± {:.2}>", self.domino(), self.mean(), self.standard_error())
    }
}
