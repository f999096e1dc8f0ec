//! Cards, hole pairs, boards, ranges, hand ranking and suit isomorphism for hold'em.

mod board;
mod card;
mod flops;
mod hand_class;
mod hole;
mod range;
mod strength;
mod suit_group;
mod suit_permutation;

pub use board::{Board, BoardError, Street};
pub use card::{Card, CardSet, ParseCardError, Rank, Suit};
pub use flops::{DistinctFlop, distinct_flops};
pub use hand_class::{HandClass, Shape};
pub use hole::{Hole, ParseHoleError};
pub use range::{ParseRangeError, Range, WeightError};
pub use strength::{Category, Strength};
pub use suit_group::SuitGroup;
pub use suit_permutation::SuitPermutation;
