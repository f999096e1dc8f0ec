//! Texas 42: rules, packed states, an exhaustive solver, and what people ask of it.

mod census;
mod codec;
mod deal;
mod declaration;
mod domino;
mod evaluate;
mod file;
mod game;
mod hand;
mod lanes;
mod level;
mod mersenne;
mod position;
mod range_coder;
mod reach;
mod rows;
mod scores;
mod seat;
mod sweep;
mod table;
mod tables;

pub use census::{Census, LevelCensus};
pub use deal::{Deal, DealError};
pub use declaration::{Declaration, ParseDeclarationError, Suit};
pub use domino::{Domino, ParseDominoError};
pub use evaluate::{EvaluateError, Evaluation};
pub use file::TableHead;
pub use game::{Game, PlayError, Trick};
pub use hand::{Hand, ParseHandError};
pub use position::{Layout, ParseLayoutError, Position, StateError, TOTAL_POINTS};
pub use rows::{NOT_LEGAL, Row, Rows};
pub use seat::{Seat, Team};
pub use table::{Table, Threads};
