//! Batches of positions to train on.

use super::table::levels_of;
use crate::error;
use crate::interrupt::SIGNAL_CHECK;
use crate::options::{check_fits, whole, whole_from};
use noregret_dominoes::{
    Deal, Layout, NextPiece, OrderedWork, Row, RunError, SampleGroup, SampleOptions, SampleStream, Seat,
    StreamOptions, find_table_files,
};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Table files (`.n42`) to train on: a folder with all folders in it, or a list of files.
///
/// >>> from noregret import forty_two
/// >>> import pathlib, tempfile
/// >>> folder = pathlib.Path(tempfile.mkdtemp())
/// >>> for seed in range(3):
/// ...     forty_two.solve(seed=seed, decl="fives").save(folder / f"{seed}.n42")
/// >>> tables = forty_two.Tables(folder)
/// >>> len(tables)
/// 3
/// >>> for batch in tables.batches(256, seed=0, per_table=512):
/// ...     assert batch.q.shape == (256, 7) and batch.dominoes.shape == (256, 28)
/// >>> len(tables.batches(256, seed=0, per_table=512))
/// 6
#[pyclass(name = "Tables", module = "noregret.forty_two", frozen)]
pub struct PyTables {
    files: Vec<PathBuf>,
}

#[pymethods]
impl PyTables {
    #[new]
    fn new(py: Python<'_>, place: &Bound<'_, PyAny>) -> PyResult<Self> {
        let files = match place.extract::<PathBuf>() {
            Ok(folder) => {
                crate::place::place(&folder)?;
                let files = py.detach(|| find_table_files(&folder));
                let files = files.map_err(|error| error::cannot_read("", &folder, &error))?;
                if files.is_empty() {
                    return Err(error::FileError::new_err(format!(
                        "there is no .n42 file in {}",
                        folder.display()
                    )));
                }
                files
            }
            Err(_) => place.extract::<Vec<PathBuf>>()?,
        };
        if files.is_empty() { Err(error::field("place", "there are no files")) } else { Ok(Self { files }) }
    }

    /// The files, in order.
    #[getter]
    fn files(&self) -> Vec<PathBuf> {
        self.files.clone()
    }

    /// Batches of random positions with the values of their moves, made by Rust threads while Python trains.
    ///
    /// `per_table` positions are drawn of each table in each of `epochs` passes; reading a table takes as long as drawing a hundred
    /// thousand. With `shuffle` tables come in a random order and the positions of `mix` tables are mixed. Everything depends on `seed` alone. `start` takes the order up at a step, as after an
    /// interruption. Of `world_size` workers each has its own tables, by its `rank`.
    #[pyo3(signature = (size, *, shuffle=true, seed=0, per_table=131072, mix=8, epochs=1, start=0, rank=0, world_size=1, threads=2,
                        levels=None, balance=false, layout="to-go"))]
    #[expect(clippy::too_many_arguments)]
    fn batches(
        &self,
        size: i128,
        shuffle: bool,
        seed: i128,
        per_table: i128,
        mix: i128,
        epochs: i128,
        start: i128,
        rank: i128,
        world_size: i128,
        threads: i64,
        levels: Option<&Bound<'_, PyAny>>,
        balance: bool,
        layout: &str,
    ) -> PyResult<PyBatches> {
        let size = whole_from("size", size, 1)? as usize;
        let per_table = whole_from("per_table", per_table, 1)?;
        let mix = whole_from("mix", mix, 1)? as usize;
        let (epochs, world_size) =
            (whole_from("epochs", epochs, 1)?, whole_from("world_size", world_size, 1)?);
        let (seed, start, rank) = (whole("seed", seed)?, whole("start", start)?, whole("rank", rank)?);
        if rank >= world_size {
            return Err(error::field(
                "rank",
                format!("must be from 0 to {}, as there are {world_size} workers", world_size - 1),
            ));
        }
        let threads = crate::options::threads(Some(threads))?;
        // Each thread makes a group, one waits, one is read; a position is drawn and looked up.
        let groups = threads as u64 + 2;
        let tables = if shuffle { mix as u64 } else { 1 };
        let position = size_of::<(Row, u32)>() as u64;
        check_fits("per_table", per_table.saturating_mul(tables).saturating_mul(groups), position)?;
        check_fits("size", size as u64, size_of::<Row>() as u64 + 30)?;
        let layout: Layout = super::layout(layout)?;
        let sample = SampleOptions {
            count: per_table,
            levels: levels_of(levels)?,
            is_balanced: balance,
            layout,
            seed,
        };
        let options =
            StreamOptions { sample, is_shuffled: shuffle, mixed: mix, passes: epochs, rank, world_size };
        let stream = SampleStream::new(self.files.clone(), options);
        let stream = Arc::new(stream.ok_or_else(|| error::field("place", "there are no files"))?);
        let offset = start.saturating_mul(size as u64);
        let first = offset / stream.group_size();
        let made = stream.clone();
        let source = OrderedWork::start(first, stream.groups(), threads, move |number| made.group(number));
        let source =
            source.map_err(|error| PyRuntimeError::new_err(format!("cannot start a thread: {error}")))?;
        let skip = (offset - first * stream.group_size()) as usize;
        let feed = Feed {
            source,
            group: SampleGroup::default(),
            at: 0,
            skip,
            step: start,
            batch: BatchColumns::with_capacity(size),
            failed: None,
        };
        Ok(PyBatches { stream, size, start, process: std::process::id(), feed: Mutex::new(feed) })
    }

    fn __len__(&self) -> usize {
        self.files.len()
    }

    fn __repr__(&self) -> String {
        format!("<Tables: {} files>", self.files.len())
    }
}

/// What is left of the groups so far.
struct Feed {
    source: OrderedWork<Result<SampleGroup, RunError>>,
    group: SampleGroup,
    at: usize,
    /// Positions of the first group that come before the first batch.
    skip: usize,
    step: u64,
    /// What there is of the next batch.
    batch: BatchColumns,
    /// Why there are no more.
    failed: Option<Arc<FeedError>>,
}

/// Why a source cannot go on.
enum FeedError {
    File(RunError),
    Panicked,
}

impl FeedError {
    fn raised(&self) -> PyErr {
        match self {
            Self::File(error) => error::table_file(error),
            Self::Panicked => PyRuntimeError::new_err("a thread that makes batches has failed"),
        }
    }
}

impl Feed {
    /// The next batch of so many positions; the last may have fewer. After a table that cannot be read there is no other.
    fn next(&mut self, size: usize, moment: Duration) -> Result<NextBatch, Arc<FeedError>> {
        if let Some(failed) = &self.failed {
            return Err(failed.clone());
        }
        let mut fail = |error| Err(self.failed.insert(Arc::new(error)).clone());
        while self.batch.states.len() < size {
            if self.at == self.group.rows.len() {
                match self.source.next(moment) {
                    NextPiece::NotYet => return Ok(NextBatch::NotYet),
                    NextPiece::End => break,
                    NextPiece::Panicked => return fail(FeedError::Panicked),
                    NextPiece::Piece(Err(error)) => return fail(FeedError::File(error)),
                    NextPiece::Piece(Ok(group)) => {
                        self.at = std::mem::take(&mut self.skip).min(group.rows.len());
                        self.group = group;
                    }
                }
                continue;
            }
            let end = (self.at + size - self.batch.states.len()).min(self.group.rows.len());
            self.batch.extend(&self.group, self.at..end);
            self.at = end;
        }
        if self.batch.states.is_empty() {
            return Ok(NextBatch::End);
        }
        self.step += 1;
        let batch = std::mem::replace(&mut self.batch, BatchColumns::with_capacity(size));
        Ok(NextBatch::Batch(self.step - 1, batch))
    }
}

/// What comes next of a source.
enum NextBatch {
    Batch(u64, BatchColumns),
    /// Threads are still at work on it.
    NotYet,
    End,
}

/// The numbers of a batch, column by column.
#[derive(Default)]
struct BatchColumns {
    states: Vec<i64>,
    q: Vec<[i8; 7]>,
    values: Vec<i8>,
    decls: Vec<i8>,
    dominoes: Vec<[u8; 28]>,
}

impl BatchColumns {
    fn with_capacity(size: usize) -> Self {
        Self {
            states: Vec::with_capacity(size),
            q: Vec::with_capacity(size),
            values: Vec::with_capacity(size),
            decls: Vec::with_capacity(size),
            dominoes: Vec::with_capacity(size),
        }
    }

    /// Appends some rows of a group.
    fn extend(&mut self, group: &SampleGroup, rows: Range<usize>) {
        let dealt = |deal: &Deal| {
            let mut dominoes =
                Seat::ALL.iter().flat_map(|&seat| deal.hand(seat)).map(|domino| domino.number());
            std::array::from_fn(|_| dominoes.next().unwrap_or_default())
        };
        let tables: Vec<([u8; 28], i8)> =
            group.tables.iter().map(|(deal, decl)| (dealt(deal), decl.number() as i8)).collect();
        let rows = &group.rows[rows];
        self.states.extend(rows.iter().map(|(row, _)| row.state));
        self.q.extend(rows.iter().map(|(row, _)| row.moves));
        self.values.extend(rows.iter().map(|(row, _)| row.value));
        self.decls.extend(rows.iter().map(|&(_, table)| tables[table as usize].1));
        self.dominoes.extend(rows.iter().map(|&(_, table)| tables[table as usize].0));
    }
}

/// Batches in order: an iterator.
///
/// >>> from noregret import forty_two
/// >>> import pathlib, tempfile
/// >>> folder = pathlib.Path(tempfile.mkdtemp())
/// >>> forty_two.solve(seed=0, decl="fives").save(folder / "0.n42")
/// >>> batches = forty_two.Tables(folder).batches(256, per_table=1024)
/// >>> len(batches), len(next(batches)), batches.step
/// (4, 256, 1)
#[pyclass(name = "Batches", module = "noregret.forty_two", frozen)]
pub struct PyBatches {
    stream: Arc<SampleStream>,
    size: usize,
    start: u64,
    /// The process that the threads are of: a forked child does not have them.
    process: u32,
    feed: Mutex<Feed>,
}

#[pymethods]
impl PyBatches {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyBatch>> {
        if self.process != std::process::id() {
            return Err(PyRuntimeError::new_err(
                "the batches are made by threads of the process that asked for them, and this is a fork of it: call batches() here",
            ));
        }
        loop {
            // What is there of a batch stays in the feed, so that Ctrl-C and several threads lose none of it.
            let next = py.detach(|| {
                self.feed.lock().unwrap_or_else(PoisonError::into_inner).next(self.size, SIGNAL_CHECK)
            });
            match next.map_err(|error| error.raised())? {
                NextBatch::NotYet => py.check_signals()?,
                NextBatch::End => return Ok(None),
                NextBatch::Batch(step, columns) => return PyBatch::new(py, columns, step).map(Some),
            }
        }
    }

    /// How many batches there are from the start on; the last may be smaller.
    fn __len__(&self) -> usize {
        self.stream.positions().div_ceil(self.size as u64).saturating_sub(self.start) as usize
    }

    /// The number of the next batch: what to `start` from after an interruption.
    #[getter]
    fn step(&self, py: Python<'_>) -> u64 {
        py.detach(|| self.feed.lock().unwrap_or_else(PoisonError::into_inner).step)
    }

    fn __repr__(&self) -> String {
        format!("<Batches of {}: {} positions>", self.size, self.stream.positions())
    }
}

/// Positions to train on, as arrays of numpy. It unpacks into states and q.
///
/// >>> from noregret import forty_two
/// >>> import pathlib, tempfile
/// >>> folder = pathlib.Path(tempfile.mkdtemp())
/// >>> forty_two.solve(seed=0, decl="fives").save(folder / "0.n42")
/// >>> batch = next(forty_two.Tables(folder).batches(256, per_table=1024))
/// >>> states, q = batch
/// >>> batch.step, q.shape, batch.dominoes.shape, set(batch.decls.tolist())
/// (0, (256, 7), (256, 28), {5})
#[pyclass(name = "Batch", module = "noregret.forty_two", frozen, get_all)]
pub struct PyBatch {
    /// Its number from the beginning of the order on.
    step: u64,
    /// The packed states: int64.
    states: Py<PyArray1<i64>>,
    /// The values after each move: int8, n × 7, −128 where it is not legal.
    q: Py<PyArray2<i8>>,
    /// The values under best play: int8.
    values: Py<PyArray1<i8>>,
    /// The declarations, 0 to 9: int8.
    decls: Py<PyArray1<i8>>,
    /// The dominoes that each seat was dealt, seven for each in order: uint8, n × 28. Bit *i* of a hand, and move *i*, are about the
    /// *i*-th of the seat.
    dominoes: Py<PyArray2<u8>>,
}

impl PyBatch {
    fn new(py: Python<'_>, columns: BatchColumns, step: u64) -> PyResult<Self> {
        let BatchColumns { states, q, values, decls, dominoes } = columns;
        let count = states.len();
        Ok(Self {
            step,
            states: states.into_pyarray(py).unbind(),
            q: q.into_flattened().into_pyarray(py).reshape([count, 7])?.unbind(),
            values: values.into_pyarray(py).unbind(),
            decls: decls.into_pyarray(py).unbind(),
            dominoes: dominoes.into_flattened().into_pyarray(py).reshape([count, 28])?.unbind(),
        })
    }
}

#[pymethods]
impl PyBatch {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.states.bind(py).len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let pair: Bound<'py, PyTuple> =
            (self.states.clone_ref(py), self.q.clone_ref(py)).into_pyobject(py)?;
        Ok(pair.into_any().try_iter()?.into_any())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<Batch {}: {} positions>", self.step, self.__len__(py)?))
    }
}
