//! Cards, hole pairs, boards, ranges, hand ranking and suit isomorphism for hold'em.

mod board;
mod card;
mod hole;

pub use board::{Board, BoardError, Street};
pub use card::{Card, CardSet, ParseCardError, Rank, Suit};
pub use hole::{Hole, ParseHoleError};
