//! Who is ahead: equities of two ranges on a board.

use crate::error;
use crate::interrupt::abandonable;
use crate::player::player;
use crate::range::range;
use noregret_holdem::{
    GameLayout, IP, LayOutError, MemoryLimit, NodeView, OOP, SizeKind, SizeList, Solver, SolverOptions, Spot,
    StreetSizes, TreeOptions,
};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;

/// Which share of the pot each range wins if both check to the end.
///
/// >>> import noregret as nr
/// >>> equity = nr.equity("AA", "KK", "QsJh2h")
/// >>> round(equity.oop, 3), round(equity.oop + equity.ip, 6)
/// (0.892, 1.0)
/// >>> sorted(equity.hands(nr.IP))[:2]
/// ['KdKc', 'KhKc']
#[pyfunction]
#[pyo3(signature = (oop, ip, board))]
pub fn equity(
    py: Python<'_>,
    oop: &Bound<'_, PyAny>,
    ip: &Bound<'_, PyAny>,
    board: &Bound<'_, PyAny>,
) -> PyResult<PyEquity> {
    let ranges = [range(oop, "ranges.oop")?, range(ip, "ranges.ip")?];
    let board = crate::board::board(board)?;
    // Nobody can bet, so that the tree is small and only checks are left.
    let mut options = TreeOptions::new(100.into(), 100.into());
    let none = |kind| SizeList::parse("", kind).map_err(|error| error::request(error.message));
    let sizes = StreetSizes { bet: none(SizeKind::Bet)?, raise: none(SizeKind::Raise)? };
    options.sizes = std::array::from_fn(|_| [sizes.clone(), sizes.clone()]);
    options.add_allin_threshold = 0.0;
    let spot = Spot::new(ranges, board, options).map_err(|error| error::request(&error))?;
    let (limit, threads) = (MemoryLimit::of_machine(), crate::options::threads(None)?);
    abandonable(py, move || {
        let layout = GameLayout::new(&spot).map_err(|error| error::lay_out(&LayOutError::Tree(error)))?;
        limit.check(&layout, &SolverOptions::default(), threads).map_err(|error| error::memory(&error))?;
        let solver = Solver::new(layout.build());
        let equity = [OOP, IP].map(|player| solver.equity(player));
        Ok(PyEquity { equity, root: solver.root() })
    })?
}

/// Equities of two ranges on a board.
///
/// >>> import noregret as nr
/// >>> equity = nr.equity("AA,KK", "QQ", "Ts7h2c")
/// >>> round(equity.ip, 3), round(equity.hands("ip")["QdQc"], 3)
/// (0.084, 0.084)
#[pyclass(name = "Equity", module = "noregret", frozen)]
pub struct PyEquity {
    equity: [f64; 2],
    root: NodeView,
}

#[pymethods]
impl PyEquity {
    /// The share of the pot that the first range wins.
    #[getter]
    fn oop(&self) -> f64 {
        self.equity[0]
    }

    /// The share of the pot that the second range wins.
    #[getter]
    fn ip(&self) -> f64 {
        self.equity[1]
    }

    /// The equity of each hand of a player, by its cards; None where the board or the other range leave no opponent.
    fn hands(&self, of: &Bound<'_, PyAny>) -> PyResult<std::collections::BTreeMap<String, Option<f64>>> {
        let hands = &self.root.hands[player(of)?.index()];
        Ok(hands.iter().map(|hand| (hand.hole.to_string(), hand.equity)).collect())
    }

    /// The equities of a player's hands, in the order of `Range.hands()`, 1,326 numbers; NaN for hands that the player cannot hold.
    fn array<'py>(&self, py: Python<'py>, of: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let mut numbers = vec![f64::NAN; noregret_holdem::cards::Hole::COUNT];
        for hand in &self.root.hands[player(of)?.index()] {
            numbers[hand.hole.index()] = hand.equity.unwrap_or(f64::NAN);
        }
        Ok(numbers.into_pyarray(py))
    }

    fn __repr__(&self) -> String {
        format!("<Equity {}: oop {:.4}, ip {:.4}>", self.root.board, self.equity[0], self.equity[1])
    }
}
