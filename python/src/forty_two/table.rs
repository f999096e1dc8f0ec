//! A solved deal.

use super::deal::PyDeal;
use super::declaration;
use super::samples::{PySamples, SampledTable};
use crate::arrays::States;
use crate::error;
use crate::interrupt::{abandonable, interruptible};
use crate::options::{check_fits, whole};
use crate::place;
use crate::pool::on_pool;
use noregret_dominoes::{
    Census, Deal, Game, Layout, Levels, Plays, Row, RunError, SampleOptions, TABLE_OUTPUT, Table, TableJob,
    TableSummary, Threads, read_table_file, write_rows,
};
use noregret_report::TableFormat;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A deal under a declaration, solved exactly: the value of every legal move in every reachable position.
///
/// Values are differences in points from the side of Team 0 (seats 0 and 2). In the layout `"to-go"` they are what is still to be
/// won; in `"scored"`, where states have the score so far, the final difference.
///
/// >>> from noregret import forty_two
/// >>> table = forty_two.solve(seed=0, decl="blanks")
/// >>> table.root_value, table.root_moves
/// (42, [42, 38, 42, 42, 38, 42, 42])
/// >>> start = table.state()
/// >>> table.q([start])
/// array([[42, 38, 42, 42, 38, 42, 42]], dtype=int8)
/// >>> states, q = table.sample(1000, seed=1)
/// >>> (table.q(states) == q).all()
/// np.True_
#[pyclass(name = "Table", module = "noregret.forty_two", frozen)]
pub struct PyTable {
    pub table: Arc<Table>,
    seed: Option<u64>,
}

#[pymethods]
impl PyTable {
    /// The values after each move of many packed states: int8, n × 7, −128 where a move is not legal. The *i*-th move is the *i*-th
    /// lowest domino of the hand that was dealt to the seat whose turn it is.
    ///
    /// `states` is an array of int64, of numpy or Arrow, which is read in place. With `out` the values are put there. The first call
    /// with many states lays the values out anew, for up to 30 MB of memory.
    #[pyo3(signature = (states, *, layout="to-go", out=None))]
    fn q<'py>(
        &self,
        py: Python<'py>,
        states: &Bound<'py, PyAny>,
        layout: &str,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let layout = super::layout(layout)?;
        let states = States::new(states)?;
        let slice = states.as_slice();
        let Some(out) = out else {
            let mut values = vec![0_i8; 7 * slice.len()];
            self.fill(py, slice, layout, &mut values)?;
            return Ok(values.into_pyarray(py).reshape([slice.len(), 7])?.into_any());
        };
        let wrong = || {
            PyTypeError::new_err(format!(
                "out: must be a writable array of int8 with the shape ({}, 7) and its rows one after the other (C order)",
                slice.len()
            ))
        };
        let array = out.cast::<PyArray2<i8>>().map_err(|_| wrong())?;
        let mut place = array.try_readwrite().map_err(|_| wrong())?;
        // A slice is there in Fortran order, too, where rows would be written over columns.
        if place.as_array().dim() != (slice.len(), 7) || !place.as_array().is_standard_layout() {
            return Err(wrong());
        }
        self.fill(py, slice, layout, place.as_slice_mut().map_err(|_| wrong())?)?;
        drop(place);
        Ok(out.clone())
    }

    /// The values of many packed states under best play: int8.
    #[pyo3(signature = (states, *, layout="to-go"))]
    fn values<'py>(
        &self,
        py: Python<'py>,
        states: &Bound<'py, PyAny>,
        layout: &str,
    ) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let layout = super::layout(layout)?;
        let states = States::new(states)?;
        let slice = states.as_slice();
        let values = py.detach(|| {
            let rows = self.table.look_up_many(slice, layout).into_iter().enumerate();
            rows.map(|(number, row)| row.map(|row| row.value).map_err(|error| (number, error)))
                .collect::<Result<Vec<i8>, _>>()
        });
        let failed = |(number, error)| error::state(format!("state number {number} of the list: {error}"));
        Ok(values.map_err(failed)?.into_pyarray(py))
    }

    /// Random reachable positions at which a move can be made, with the values of their moves: `states, q = table.sample(100_000)`.
    /// Every position is as likely as any other; with `balance` as many are drawn for each number of tricks left. `levels` keeps to
    /// some of those, like `"2..=4"` or `[2, 3]`. Draws depend on `seed` and the table alone, and are those of `noregret forty-two
    /// sample`.
    #[pyo3(signature = (count, *, seed=0, levels=None, balance=false, layout="to-go"))]
    fn sample(
        &self,
        py: Python<'_>,
        count: i128,
        seed: i128,
        levels: Option<&Bound<'_, PyAny>>,
        balance: bool,
        layout: &str,
    ) -> PyResult<PySamples> {
        let (count, seed) = (whole("count", count)?, whole("seed", seed)?);
        let layout = super::layout(layout)?;
        // What is drawn, looked up and laid out by columns.
        check_fits("count", count, 3 * size_of::<Row>() as u64)?;
        // As the command line draws them: of many tables with one seed, each has its own.
        let seed =
            self.seed.map_or(seed, |dealt| TableJob::new(dealt, self.table.declaration()).sample_seed(seed));
        let options = SampleOptions { count, levels: levels_of(levels)?, is_balanced: balance, layout, seed };
        let table = self.table.clone();
        let rows = abandonable(py, move || table.sample(&options))?;
        let of = SampledTable { seed: self.seed, declaration: self.table.declaration(), layout };
        on_pool(py, || PySamples::new(&rows, &of))?
    }

    /// The packed state after some plays, in order from the first lead on: `table.state("5-2 5-3")`. Without plays it is the start.
    #[pyo3(signature = (plays="", *, layout="to-go"))]
    fn state(&self, plays: &str, layout: &str) -> PyResult<i64> {
        let layout = super::layout(layout)?;
        let plays: Plays = plays.parse().map_err(|error| error::field("plays", error))?;
        let (deal, declaration) = (self.table.deal(), self.table.declaration());
        let game = Game::after(deal, declaration, &plays.0).map_err(|error| error::field("plays", error))?;
        Ok(game.position(deal).pack(layout, game.score()))
    }

    /// One position: whose turn it is, each legal move with its value and its regret, the line of best play. It is given by its packed
    /// state, or by what was played.
    ///
    /// >>> from noregret import forty_two
    /// >>> position = forty_two.solve(seed=0, decl="blanks").position()
    /// >>> position.turn, position.value, position.line[0]
    /// (0, 42, (0, '0-0'))
    #[pyo3(signature = (state=None, *, plays=None, layout="to-go"))]
    fn position(
        &self,
        py: Python<'_>,
        state: Option<i64>,
        plays: Option<&str>,
        layout: &str,
    ) -> PyResult<PyPosition> {
        let state = match (state, plays) {
            (Some(_), Some(_)) => return Err(PyValueError::new_err("give a state or plays, not both")),
            (Some(state), None) => state,
            (None, plays) => self.state(plays.unwrap_or_default(), layout)?,
        };
        let layout = super::layout(layout)?;
        py.detach(|| PyPosition::new(&self.table, state, layout))
    }

    /// How many positions between tricks are stored.
    #[getter]
    fn positions(&self) -> usize {
        self.table.positions()
    }

    /// How many positions there are: `to_go` and `scored`, with those inside tricks.
    fn census<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let table = self.table.clone();
        let census = abandonable(py, move || Census::new(&table))?;
        let counts = PyDict::new(py);
        counts.set_item("to_go", census.to_go())?;
        counts.set_item("scored", census.scored())?;
        Ok(counts)
    }

    /// The value of the deal under best play.
    #[getter]
    fn root_value(&self) -> i8 {
        TableSummary::of(&self.table).root_value()
    }

    /// The value of each opening lead.
    #[getter]
    fn root_moves(&self) -> Vec<i32> {
        TableSummary::of(&self.table).root_moves.iter().map(|&value| value.into()).collect()
    }

    /// The deal.
    #[getter]
    fn deal(&self) -> PyDeal {
        PyDeal(*self.table.deal())
    }

    /// The seed that dealt it; None if it is not known.
    #[getter]
    fn seed(&self) -> Option<u64> {
        self.seed
    }

    /// The name of the declaration.
    #[getter]
    fn decl(&self) -> &'static str {
        self.table.declaration().name()
    }

    /// The number of the declaration, 0 to 9.
    #[getter]
    fn decl_id(&self) -> u8 {
        self.table.declaration().number()
    }

    /// The bytes of its file, the same that the command line writes.
    fn to_bytes(&self, py: Python<'_>) -> Vec<u8> {
        py.detach(|| self.table.to_bytes(self.seed))
    }

    /// Writes a table file (`.n42`), whole or not at all. A file of another kind is not written over unless `force` says so.
    #[pyo3(signature = (path, *, force=false))]
    fn save(&self, py: Python<'_>, path: PathBuf, force: bool) -> PyResult<()> {
        place::check(py, &path, TABLE_OUTPUT, &[], force)?;
        let written = py.detach(|| noregret_store::write_whole(&path, &self.table.to_bytes(self.seed)));
        written.map_err(|error| error::cannot_write(&path, error))
    }

    /// Writes every reachable position as a row of a Parquet file, the same bytes that the command line writes, whole or not at all.
    /// Returns the number of rows: some millions. A file of another kind is not written over unless `force` says so.
    #[pyo3(signature = (path, *, layout="to-go", force=false))]
    fn save_rows(&self, py: Python<'_>, path: PathBuf, layout: &str, force: bool) -> PyResult<u64> {
        let layout = super::layout(layout)?;
        place::check(py, &path, TableFormat::Parquet.output_kind(), &[], force)?;
        let written = interruptible(py, |stops| {
            write_rows(&path, &self.table, self.seed, layout, None, |_| !stops.load(Ordering::Relaxed))
        })?;
        let written = written.map_err(|error| error::table_file(&error))?;
        Ok(written.rows.unwrap_or(0))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().table == self.table)
    }

    fn __hash__(&self) -> u64 {
        u64::from(self.table.declaration().number()) << 32 | self.table.positions() as u64
    }

    fn __repr__(&self) -> String {
        let seed = self.seed.map_or_else(String::new, |seed| format!("seed {seed}, "));
        format!("<Table {seed}{}: {} positions>", self.table.declaration().name(), self.table.positions())
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, pyo3::types::PyBytes>,))> {
        let bytes = pyo3::types::PyBytes::new(py, &self.to_bytes(py));
        Ok((py.import("noregret._noregret")?.getattr("open_table")?, (bytes,)))
    }
}

impl PyTable {
    fn fill(&self, py: Python<'_>, states: &[i64], layout: Layout, out: &mut [i8]) -> PyResult<()> {
        let (places, _) = out.as_chunks_mut::<7>();
        py.detach(|| self.table.q_into(states, layout, places)).map_err(error::state)
    }
}

/// The levels that an argument names: a text, a number, or several.
pub fn levels_of(value: Option<&Bound<'_, PyAny>>) -> PyResult<Levels> {
    let Some(value) = value else { return Ok(Levels::ALL) };
    let text = if let Ok(text) = value.extract::<String>() {
        text
    } else if let Ok(level) = value.extract::<i64>() {
        level.to_string()
    } else {
        let levels = value.extract::<Vec<i64>>();
        let levels =
            levels.map_err(|_| PyTypeError::new_err("levels: must be like \"2..=4\", 3 or [2, 3]"))?;
        levels.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
    };
    text.parse().map_err(|error| error::field("levels", error))
}

/// Solves a deal under a declaration: of a seed, or of a `Deal`.
///
/// >>> from noregret import forty_two
/// >>> forty_two.solve(seed=0, decl="blanks").root_value
/// 42
#[pyfunction]
#[pyo3(name = "solve", signature = (*, seed=None, decl, deal=None, opponents=None))]
pub fn solve_table(
    py: Python<'_>,
    seed: Option<i128>,
    decl: &Bound<'_, PyAny>,
    deal: Option<&Bound<'_, PyAny>>,
    opponents: Option<i128>,
) -> PyResult<PyTable> {
    let seed = seed.map(|seed| whole("seed", seed)).transpose()?;
    let opponents = opponents.map(|seed| whole("opponents", seed)).transpose()?;
    let declaration = declaration(decl)?;
    let dealt = match (seed, deal) {
        (Some(seed), None) => Deal::from_seed(seed),
        (None, Some(deal)) => super::deal::deal(deal)?,
        _ => return Err(PyTypeError::new_err("give a seed or a deal, one of the two")),
    };
    let dealt = match opponents {
        None => dealt,
        Some(opponents) => {
            let hand = dealt.held(noregret_dominoes::Seat::ALL[0], 0x7f);
            Deal::around(hand, opponents).map_err(|error| error::field("deal", error))?
        }
    };
    let table = abandonable(py, move || Table::solve(&dealt, declaration, Threads::Pool))?;
    Ok(PyTable { table: Arc::new(table), seed: seed.filter(|_| opponents.is_none()) })
}

/// Opens a table file (`.n42`), or reads one from bytes.
///
/// >>> from noregret import forty_two
/// >>> table = forty_two.solve(seed=0, decl="blanks")
/// >>> forty_two.open(table.to_bytes()) == table
/// True
#[pyfunction]
#[pyo3(name = "open_table")]
pub fn open_table(py: Python<'_>, path_or_bytes: &Bound<'_, PyAny>) -> PyResult<PyTable> {
    let of_bytes = |bytes: Vec<u8>| on_pool(py, || Table::from_bytes(bytes, Threads::Pool));
    let read = if let Ok(bytes) = path_or_bytes.cast::<pyo3::types::PyBytes>() {
        of_bytes(bytes.as_bytes().to_vec())?.map_err(|error| error::FileError::new_err(error.to_string()))
    } else {
        let path: PathBuf = path_or_bytes.extract()?;
        place::place(&path)?;
        let bytes = py.detach(|| read_table_file(&path)).map_err(|error| error::table_file(&error))?;
        let damaged = |error| error::table_file(&RunError::Table { path: path.clone(), error });
        of_bytes(bytes)?.map_err(damaged)
    };
    let (head, table) = read?;
    Ok(PyTable { table: Arc::new(table), seed: head.seed })
}

/// One position of a table.
///
/// >>> from noregret import forty_two
/// >>> position = forty_two.solve(seed=0, decl="blanks").position(plays="5-2 5-3")
/// >>> position.turn, position.moves, position.line[0]
/// (2, {'5-5': 42, '6-5': 42}, (2, '5-5'))
#[pyclass(name = "Position", module = "noregret.forty_two", frozen, get_all)]
pub struct PyPosition {
    /// The packed state.
    state: i64,
    /// The seat whose turn it is; None at the end.
    turn: Option<usize>,
    /// Its value under best play.
    value: i32,
    /// Points still to be won by either team.
    points_left: u8,
    /// The value after each legal move, by domino.
    moves: BTreeMap<String, i32>,
    /// What each legal move gives away against the best one.
    regrets: BTreeMap<String, u8>,
    /// The line of best play: seats and dominoes.
    line: Vec<(usize, String)>,
}

impl PyPosition {
    fn new(table: &Table, state: i64, layout: Layout) -> PyResult<Self> {
        let (position, score, evaluation) = table.evaluate_state(state, layout).map_err(error::state)?;
        let value = |points: u8| match layout {
            Layout::ToGo => i32::from(evaluation.difference(points)),
            Layout::Scored => {
                2 * (i32::from(points) + i32::from(score)) - i32::from(noregret_dominoes::TOTAL_POINTS)
            }
        };
        let hand = table.deal().hand(evaluation.turn);
        let legal =
            || evaluation.moves.iter().enumerate().filter_map(|(local, points)| Some((local, (*points)?)));
        let best = table.best_line(&position);
        Ok(Self {
            state,
            turn: (!position.is_over()).then(|| evaluation.turn.index()),
            value: value(evaluation.best),
            points_left: evaluation.points_left,
            moves: legal().map(|(local, points)| (hand[local].to_string(), value(points))).collect(),
            regrets: legal()
                .filter_map(|(local, _)| Some((hand[local].to_string(), evaluation.regret(local)?)))
                .collect(),
            line: best.into_iter().map(|(seat, domino)| (seat.index(), domino.to_string())).collect(),
        })
    }
}

#[pymethods]
impl PyPosition {
    fn __repr__(&self) -> String {
        let turn = self.turn.map_or_else(|| "the end".to_owned(), |seat| format!("seat {seat} plays"));
        format!("<Position {}: {turn}, value {}>", self.state, self.value)
    }
}
