//! The state of consecutive deals, to write: split along the deals, so that threads share no memory.

use super::average::AverageMut;
use super::layout::{Offset, StateLayout};
use super::regrets::RegretsMut;
use crate::tree::MAX_ROUNDS;
use crate::{Deal, Game};

/// The regrets and the average strategy of a player on consecutive deals of a round, to write.
pub(crate) struct DealState<'a> {
    pub regrets: RegretsMut<'a>,
    pub average: AverageMut<'a>,
}

impl DealState<'_> {
    fn split(self, at: Offset) -> (Self, Self) {
        let (regrets, right_regrets) = self.regrets.split(at);
        let (average, right_average) = self.average.0.split(at.cumulative());
        let right = Self { regrets: right_regrets, average: AverageMut(right_average) };
        (Self { regrets, average: AverageMut(average) }, right)
    }
}

/// The state of a player on some consecutive deals and on all that can follow them.
pub(crate) struct StateView<'a> {
    pub rounds: [Option<DealState<'a>>; MAX_ROUNDS],
}

impl<'a> StateView<'a> {
    /// Takes out the state of a round, which must be that of a single deal.
    pub fn take(&mut self, round: usize) -> Option<DealState<'a>> {
        self.rounds[round].take()
    }

    /// Splits a view whose first deal is `first` in front of the deal `middle` of the same round.
    pub fn split<G: Game>(self, game: &G, layout: &StateLayout, first: Deal, middle: Deal) -> (Self, Self) {
        let mut at = [Offset::default(); MAX_ROUNDS];
        let (mut first, mut middle) = (first, middle);
        let next = |deal: Deal| Deal { round: deal.round + 1, index: first_follower(game, deal) };
        loop {
            at[first.round] = layout.start(middle).minus(layout.start(first));
            if first.round + 1 == game.tree().round_count() {
                break;
            }
            (first, middle) = (next(first), next(middle));
        }
        let mut left = Self { rounds: [const { None }; MAX_ROUNDS] };
        let mut right = Self { rounds: [const { None }; MAX_ROUNDS] };
        for (round, state) in self.rounds.into_iter().enumerate() {
            (left.rounds[round], right.rounds[round]) = state.map(|state| state.split(at[round])).unzip();
        }
        (left, right)
    }
}

/// The first deal of the next round that follows `deal`, which may be one past the last of its round.
fn first_follower<G: Game>(game: &G, deal: Deal) -> usize {
    if deal.index < game.deal_count(deal.round) {
        game.next_deals(deal).start
    } else {
        game.deal_count(deal.round + 1)
    }
}
