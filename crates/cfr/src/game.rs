//! What a game tells a solver.

use crate::simd::Row;
use crate::{Locks, NodeId, Player, Tree};
use std::ops::Range;

/// What chance has revealed: a number within a round.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Deal {
    /// How many chance events have happened.
    pub round: usize,
    /// Which of the round's deals this is.
    pub index: usize,
}

impl Deal {
    /// The deal before any chance event.
    pub const ROOT: Self = Self { round: 0, index: 0 };
}

/// How carefully leaves add up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sums {
    /// In 32-bit floats, to learn from: what is lost is far below what is learned.
    Fast,
    /// In 64-bit floats, to measure and to read: also right for a hand that blocks nearly all that it could meet.
    Wide,
}

/// A two-player game with public actions, public chance events and private hands.
///
/// Chance events after which the rest of the game is the same up to a renaming of hands may share one deal:
/// that deal then has several *origins*.
pub trait Game: Sync {
    /// The public tree.
    fn tree(&self) -> &Tree;

    /// How many deals a round has; one in round 0.
    fn deal_count(&self, round: usize) -> usize;

    /// The deals of the next round that can follow a deal: contiguous, and in the order of their parents.
    fn next_deals(&self, deal: Deal) -> Range<usize>;

    /// The chance of each event that leads into a round, given both hands.
    fn chance(&self, round: usize) -> f64;

    /// How many hands a player can have in a deal.
    fn hand_count(&self, deal: Deal, player: Player) -> usize;

    /// For each chance event that leads to `deal`: where each of the player's hands was in the deal before.
    /// The first one is the event whose reaches are carried over; the others mirror it.
    fn origins(&self, deal: Deal, player: Player) -> &[Vec<u16>];

    /// How likely each hand is dealt at the start, up to a constant.
    fn weights(&self, player: Player) -> &[f32];

    /// The sum over all pairs of hands that can be dealt together of the product of their weights.
    fn total_weight(&self) -> f64;

    /// What both players' values sum to at every leaf, if that is a constant.
    fn constant_sum(&self) -> Option<f64>;

    /// The hands that are bound to a strategy; none unless the game says otherwise.
    fn locks(&self) -> &Locks {
        Locks::none()
    }

    /// Values leaves of one class. One that is a [runout](crate::Kind::Runout) is worth the mean over all that chance can do, given
    /// both hands.
    fn evaluate(&self, deal: Deal, player: Player, sums: Sums, ends: Ends<'_>);

    /// Values leaves of class 1 together with leaves of class 0 that have something in common with the first of them.
    fn evaluate_beside(&self, deal: Deal, player: Player, sums: Sums, ends: Ends<'_>, beside: Beside<'_>) {
        let Ends { leaves, reach, values } = ends;
        match beside {
            Beside::SameReach { leaves: others, values: apart } => {
                self.evaluate(deal, player, sums, Ends { leaves, reach, values });
                self.evaluate(deal, player, sums, Ends { leaves: others, reach, values: apart });
            }
            Beside::SameValues { leaves: others, reach: apart } => {
                let mut more = vec![Row::ZERO; values.len()];
                self.evaluate(deal, player, sums, Ends { leaves, reach, values: &mut *values });
                self.evaluate(deal, player, sums, Ends { leaves: others, reach: apart, values: &mut more });
                for (value, more) in values.iter_mut().zip(&more) {
                    let lanes = value.iter_mut().zip(&more.0).take(others.len());
                    lanes.for_each(|(value, more)| *value += more);
                }
            }
        }
    }
}

/// Leaves to be valued, a lane each. Lanes beyond them are ignored.
pub struct Ends<'a> {
    /// Which ones.
    pub leaves: &'a [NodeId],
    /// The opponent's reach: a row for each of its hands.
    pub reach: &'a [Row],
    /// For each hand of the player, the payoff summed over the opponent's hands, weighed by their reach.
    pub values: &'a mut [Row],
}

/// Leaves that are valued beside others, in the same lanes.
pub enum Beside<'a> {
    /// The opponent comes to both alike.
    SameReach {
        /// Which ones.
        leaves: &'a [NodeId],
        /// What they are worth.
        values: &'a mut [Row],
    },
    /// The player comes to both alike: what they are worth is to be added.
    SameValues {
        /// Which ones.
        leaves: &'a [NodeId],
        /// The opponent's reach there. Lanes beyond the leaves are ignored.
        reach: &'a [Row],
    },
}
