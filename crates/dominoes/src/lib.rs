//! Texas 42, solved exactly: the value of every legal move in every reachable position of a deal.
//!
//! Seat 0 leads the first trick; seats 0 and 2 are Team 0, and values are from its side.
//!
//! ```
//! use noregret_dominoes::{Deal, Layout, Position, Table, Threads};
//!
//! // Solve a deal, and look up the start.
//! let table = Table::solve(&Deal::from_seed(0), "blanks".parse()?, Threads::Pool);
//! let root = table.evaluate(&Position::START).ok_or("the start is reachable")?;
//! assert_eq!(root.difference(root.best), 42);
//! assert_eq!(root.regret(1), Some(4));
//!
//! // The line of best play, to the end.
//! let (seat, domino) = table.best_line(&Position::START)[0];
//! assert_eq!(format!("{seat}: {domino}"), "0: 0-0");
//!
//! // Every position as a row, ascending by its packed state.
//! let first = table.rows(Layout::ToGo).next().ok_or("there are rows")?;
//! let (_, _, same) = table.evaluate_state(first.state, Layout::ToGo)?;
//! assert_eq!(same.difference(same.best), first.value);
//!
//! // A file of a few kilobytes, and back.
//! let bytes = table.to_bytes(Some(0));
//! assert!(bytes.len() < 20_000);
//! assert!(Table::from_bytes(bytes, Threads::Pool)?.1 == table);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Game`] is the plain game that decides what is right; [`Table`] is checked against it. [`Gpu`] (with the feature `gpu`) solves the same
//! tables on a graphics device, [`BidReport`] asks what a hand is worth, [`Census`] counts, and [`TableJob`], [`Manifest`]
//! and [`Shard`](noregret_store::Shard) are for runs of many tables.

mod bid;
mod census;
mod chance;
mod deal;
mod declaration;
mod device;
mod domino;
mod expect;
mod game;
#[cfg(feature = "gpu")]
mod gpu;
mod hand;
mod manifest;
mod mersenne;
// With the feature it is compiled for its test alone.
#[cfg(any(test, not(feature = "gpu")))]
#[cfg_attr(feature = "gpu", allow(dead_code))]
mod no_gpu;
mod ordered_work;
mod parquet_file;
mod plays;
mod position;
mod random;
mod run;
mod sample_file;
mod sample_stream;
mod seat;
mod solver;
mod table;

pub use bid::{BidError, BidReport};
pub use census::{Census, LevelCensus};
pub use chance::Chance;
pub use deal::{Deal, DealError};
pub use declaration::{Declaration, ParseDeclarationError, Suit};
pub use device::{DeviceInfo, GpuError};
pub use domino::{Domino, ParseDominoError};
pub use expect::{BIDS, ExpectOptions, Expectation, MoveExpectation, PlayerView, ViewError, Worlds};
pub use game::{Game, IllegalPlayError, PlayError, Trick};
#[cfg(feature = "gpu")]
pub use gpu::Gpu;
pub use hand::{Hand, ParseHandError};
pub use manifest::{Manifest, ManifestEntry, ManifestError, ManifestFault};
#[cfg(not(feature = "gpu"))]
pub use no_gpu::Gpu;
pub use ordered_work::{NextPiece, OrderedWork};
pub use plays::{ParsePlaysError, Plays};
pub use position::{Layout, ParseLayoutError, Position, StateError, TOTAL_POINTS};
pub use run::{
    FileName, Format, RunError, Split, TableJob, WrittenFile, is_table, read_table_file, write_rows,
};
pub use sample_file::{SampleFile, SampleFileError, SampleFormat, SampleShard, sample_metadata};
pub use sample_stream::{SampleGroup, SampleStream, StreamOptions, find_table_files};
pub use seat::{Seat, Team};
pub use table::evaluate::{EvaluateError, Evaluation};
pub use table::file::{KIND as TABLE_KIND, TABLE_OUTPUT, TableHeader, TableSummary};
pub use table::look_up::LookUpError;
pub use table::parquet_rows::{RowProgress, WriteRowsError};
pub use table::rows::{NOT_LEGAL, Row, Rows};
pub use table::sample::{Levels, ParseLevelsError, SampleOptions};
pub use table::{SolveTimes, Table, Threads};
