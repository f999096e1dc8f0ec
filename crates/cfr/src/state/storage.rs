//! The precision of regrets and strategies, and the memory that they need.

use super::array::cache_lines;
use super::layout::StateLayout;
use super::stored_deals::StoredDeals;
use crate::quantize::Precision;
use crate::simd::Row;
use crate::tree::{MAX_ROUNDS, Tree};
use crate::{Deal, Player};

/// The precision of regrets and average strategies, round by round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StoragePrecision {
    /// The precision of cumulative regrets, and of predictions where there are any.
    pub regrets: [Precision; MAX_ROUNDS],
    /// The precision of average strategies.
    pub strategy: [Precision; MAX_ROUNDS],
}

impl StoragePrecision {
    /// The same precisions in every round.
    pub fn uniform(strategy: Precision, regrets: Precision) -> Self {
        Self { regrets: [regrets; MAX_ROUNDS], strategy: [strategy; MAX_ROUNDS] }
    }
}

/// The memory that a trainer allocates, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StateBytes {
    /// Regrets, predictions, the iteration of the last update of each root tree, and the layout that both arrays share.
    pub regrets: usize,
    /// Average strategies.
    pub strategy: usize,
}

/// The memory that a trainer of a game with this tree allocates, where `hand_counts` gives how many hands a player can have in each
/// deal of a round, and `predicts` says whether the schedule stores predictions.
pub fn state_bytes(
    tree: &Tree,
    hand_counts: impl Fn(usize, Player) -> Vec<usize>,
    storage: &StoragePrecision,
    predicts: bool,
) -> StateBytes {
    stored_state_bytes(tree, hand_counts, &StoredDeals::ALL, storage, predicts)
}

/// As [`state_bytes`], for a trainer that stores some of the deals only.
pub fn stored_state_bytes(
    tree: &Tree,
    hand_counts: impl Fn(usize, Player) -> Vec<usize>,
    stored: &StoredDeals,
    storage: &StoragePrecision,
    predicts: bool,
) -> StateBytes {
    let mut bytes = StateBytes::default();
    for player in Player::BOTH {
        let layout = StateLayout::new(tree, player, |round| {
            let hands = hand_counts(round, player).into_iter().enumerate();
            hands.map(|(index, hands)| stored.contains(Deal { round, index }).then_some(hands)).collect()
        });
        bytes.regrets += layout.bytes();
        for round in 0..tree.round_count() {
            let end = layout.end(round);
            let (regrets, strategy) = (storage.regrets[round], storage.strategy[round]);
            let arrays = if predicts { 2 } else { 1 };
            bytes.regrets += arrays
                * (cache_lines(regrets, end.actions) * size_of::<Row>() + regrets.scale_bytes(end.decisions));
            bytes.regrets += end.roots * size_of::<u32>();
            bytes.strategy += cache_lines(strategy, end.cumulative()) * size_of::<Row>();
        }
    }
    bytes
}
