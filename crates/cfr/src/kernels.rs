//! The inner loops of CFR, written once for all instruction sets.
//!
//! A [`Row`](crate::simd::Row) holds one number for each hand of a block of 16. A kernel works on one block of one tile: on the
//! information sets of those 16 hands at all decision nodes of the tile.

mod all_zero;
mod average;
mod backpropagate;
mod common;
mod regret_matching;
mod regret_update;
#[cfg(test)]
mod tests;
mod transpose;

pub(crate) use all_zero::AllZero;
pub(crate) use average::{CumulativeStrategy, DecodeStrategy, PropagateAverageReach, UpdateAverage};
pub(crate) use backpropagate::{BackpropagateBest, BackpropagateMean};
pub(crate) use regret_matching::{ActionWeights, MatchRegrets, PropagateReach};
pub(crate) use regret_update::{UpdateExtras, UpdateRegrets};
pub(crate) use transpose::{LanesToRows, MapReach, RowsToLanes, SumValues};
