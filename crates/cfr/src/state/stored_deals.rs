//! Which deals a trainer stores.

use crate::Deal;
use std::ops::Range;

/// The deals whose regrets and average strategies a trainer stores: all of them, or a part of a game that is
/// [cut](crate::Trunk) after its first round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredDeals {
    /// Whether each deal of each round is stored; none if all are.
    rounds: Option<Vec<Vec<bool>>>,
}

impl StoredDeals {
    /// All deals.
    pub const ALL: Self = Self { rounds: None };

    /// The first round: the trunk of a game whose rounds have so many deals.
    pub fn trunk(deal_counts: &[usize]) -> Self {
        let rounds = deal_counts.iter().enumerate();
        Self { rounds: Some(rounds.map(|(round, &deals)| vec![round == 0; deals]).collect()) }
    }

    /// Some deals of the second round and all that can follow them, where `next_deals` is that of the game.
    pub fn branches(
        deal_counts: &[usize],
        next_deals: impl Fn(Deal) -> Range<usize>,
        deals: &[usize],
    ) -> Self {
        let mut rounds: Vec<Vec<bool>> = deal_counts.iter().map(|&deals| vec![false; deals]).collect();
        let last = rounds.len().saturating_sub(1);
        let mut stored = deals.to_vec();
        for (round, is_stored) in rounds.iter_mut().enumerate().skip(1) {
            stored.iter().for_each(|&index| is_stored[index] = true);
            if round < last {
                stored = stored.into_iter().flat_map(|index| next_deals(Deal { round, index })).collect();
            }
        }
        Self { rounds: Some(rounds) }
    }

    /// Whether a deal is stored.
    pub fn contains(&self, deal: Deal) -> bool {
        self.rounds.as_ref().is_none_or(|rounds| rounds[deal.round][deal.index])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trunk_and_branches_are_disjoint_and_together_all() {
        // Two deals follow the first one, and three each of them.
        let (counts, next) = ([1, 2, 6], |deal: Deal| 3 * deal.index..3 * deal.index + 3);
        let parts = [
            StoredDeals::trunk(&counts),
            StoredDeals::branches(&counts, next, &[0]),
            StoredDeals::branches(&counts, next, &[1]),
        ];
        let deals = counts
            .iter()
            .enumerate()
            .flat_map(|(round, &deals)| (0..deals).map(move |index| Deal { round, index }));
        for deal in deals {
            let owners = parts.iter().filter(|part| part.contains(deal)).count();
            assert!(owners == 1 && StoredDeals::ALL.contains(deal), "{deal:?}");
        }
        assert!(
            parts[2].contains(Deal { round: 2, index: 3 }) && !parts[2].contains(Deal { round: 2, index: 2 })
        );
    }
}
