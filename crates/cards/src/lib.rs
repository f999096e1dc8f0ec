//! Cards, hole pairs, boards, ranges, hand ranking and suit isomorphism for hold'em.
//!
//! Read a range, ask for weights, and print it back in short:
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use noregret_cards::Range;
//!
//! let range: Range = "AA, KK, QQ, AKs, AKo, A5s-A2s:0.5, AhKh:0".parse()?;
//! assert_eq!(range.weight("As5s".parse()?), 0.5);
//! assert_eq!(range.to_string(), "QQ+,AK,A5s-A2s:0.5,AhKh:0");
//!
//! let error = "QQ+,AKx".parse::<Range>().unwrap_err();
//! assert_eq!(error.span, 4..7);
//! assert!(error.to_string().starts_with("`AKx` is not a group of hands"));
//! # Ok(()) }
//! ```
//!
//! See who wins a showdown:
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use noregret_cards::{Board, Category, Hole, Strength};
//!
//! let board: Board = "QsJh2h8c3h".parse()?;
//! let strength = |hole: Hole| Strength::of(hole.set().union(board.set()));
//! let (flush, set) = (strength("AhKh".parse()?), strength("QdQc".parse()?));
//! assert!(flush > set);
//! assert_eq!(set.map(Strength::category), Some(Category::Trips));
//! # Ok(()) }
//! ```
//!
//! Find isomorphic boards:
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use noregret_cards::{Board, canonical_board, distinct_flops};
//!
//! let (a, b): (Board, Board) = ("QsJh2h".parse()?, "2dQcJd".parse()?);
//! assert_eq!(canonical_board(&a).0, canonical_board(&b).0);
//! assert_eq!(distinct_flops().len(), 1755);
//! # Ok(()) }
//! ```

mod board;
mod card;
mod draws;
mod flops;
mod hand_class;
mod hand_kind;
mod hole;
mod made_hand;
mod range;
mod strength;
mod suit_group;
mod suit_permutation;
mod texture;

pub use board::{Board, BoardError, Street};
pub use card::{Card, CardSet, ParseCardError, Rank, Suit};
pub use draws::{Draws, FlushDraw, StraightDraw};
pub use flops::{DistinctFlop, distinct_flops, flop_weight};
pub use hand_class::{HandClass, Shape};
pub use hand_kind::{HandKind, ParseKindError};
pub use hole::{Hole, ParseHoleError};
pub use made_hand::MadeHand;
pub use range::{ParseRangeError, Range, WeightError};
pub use strength::{Category, Strength};
pub use suit_group::{SuitGroup, canonical_board};
pub use suit_permutation::SuitPermutation;
pub use texture::{FlopGaps, FlopRanks, FlopSuits, Texture};
