//! The interface of a game.

use crate::Player;
use crate::deal::Deal;
use crate::locks::Locks;
use crate::simd::Row;
use crate::tree::{NodeId, Terminal, Tree};
use std::ops::Range;

/// How many terminal nodes are evaluated together, one per SIMD lane.
pub const BATCH_LANES: usize = crate::simd::WIDTH;

/// The floats that sums over the opponent's hands are kept in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SumPrecision {
    /// 32 bits, to train with: rounding is far below what an iteration changes.
    Single,
    /// 64 bits, to measure and to read: also right for a hand that blocks nearly all that the opponent can hold.
    Double,
}

/// A two-player game with public actions, public chance events and private hands, evaluated in vector form: for all hands of a
/// player at once (Johanson, Waugh, Bowling and Zinkevich, *Accelerating best response calculation in large extensive games*, 2011).
///
/// Symmetries make a game smaller. Chance events after which the rest of the game is the same up to a renaming of hands may share
/// one deal. Hands that a symmetry of their deal maps onto each other form an *orbit* and may share one place: whatever a vector has
/// for a "hand" then holds for each hand of the orbit.
pub trait Game: Send + Sync {
    /// The public tree.
    fn tree(&self) -> &Tree;

    /// How many deals a round has; one in round 0.
    fn deal_count(&self, round: usize) -> usize;

    /// The deals of the next round that can follow a deal: contiguous, and in the order of their parents.
    fn next_deals(&self, deal: Deal) -> Range<usize>;

    /// The probability of each chance event that leads into a round, given both hands.
    fn chance(&self, round: usize) -> f64;

    /// How many hands a player can have in a deal; those of one orbit count once.
    fn hand_count(&self, deal: Deal, player: Player) -> usize;

    /// The index of each of the player's hands in the deal before.
    fn origins(&self, deal: Deal, player: Player) -> &[u16];

    /// For each of the player's hands, how many of the chance events that lead to `deal` it stands for: as often its value counts for
    /// the hand in the deal before. Empty if that is one for every hand.
    fn event_counts(&self, _deal: Deal, _player: Player) -> &[u8] {
        &[]
    }

    /// How many hands are in the orbit of each of the player's hands in a deal. Empty if every hand is alone.
    fn orbit_sizes(&self, _deal: Deal, _player: Player) -> &[u8] {
        &[]
    }

    /// How likely each hand is dealt at the start, up to a constant; each single hand of an orbit.
    fn weights(&self, player: Player) -> &[f32];

    /// The sum over all pairs of hands that can be dealt together of the product of their weights.
    fn total_weight(&self) -> f64;

    /// What both players' payoffs sum to at every terminal node, if that is a constant.
    fn constant_sum(&self) -> Option<f64>;

    /// The hands whose strategy is fixed; none unless the game says otherwise.
    fn locks(&self) -> &Locks {
        Locks::none()
    }

    /// Computes the counterfactual values of `player`'s hands at terminal nodes. An [all-in](Terminal::AllIn) is worth the mean
    /// over all chance events to come, given both hands. A game that has nothing to gain from evaluating folds together with
    /// showdowns begins with [`TerminalBatch::unpair`].
    fn evaluate(&self, deal: Deal, player: Player, precision: SumPrecision, batch: TerminalBatch<'_>);
}

/// Up to [`BATCH_LANES`] terminal nodes of one kind, one per lane. Lanes beyond the nodes are ignored.
pub struct TerminalBatch<'a> {
    /// How the game ends at all of them.
    pub kind: Terminal,
    /// The nodes.
    pub nodes: &'a [NodeId],
    /// The opponent's reach probabilities: a row for each of its hands.
    pub reach: &'a [Row],
    /// Out: for each hand of the player, the payoff summed over the opponent's hands, weighted by their reach probabilities.
    pub values: &'a mut [Row],
    /// Folds to be evaluated in the first lanes beside the nodes, which are showdowns then.
    pub folds: PairedFolds<'a>,
}

/// Folds that share a sequence with the showdowns of a [`TerminalBatch`].
pub enum PairedFolds<'a> {
    /// There are none.
    None,
    /// The opponent took the same actions, so its reach probabilities are those of the showdowns: the player may fold or call.
    SameReach {
        /// The folds.
        nodes: &'a [NodeId],
        /// Out: their values.
        values: &'a mut [Row],
    },
    /// The player took the same actions, so that the values are added to those of the showdowns: the opponent may fold or call.
    SameValues {
        /// The folds.
        nodes: &'a [NodeId],
        /// The opponent's reach probabilities at the folds. Lanes beyond the folds are ignored.
        reach: &'a [Row],
    },
}

impl TerminalBatch<'_> {
    /// Evaluates the nodes and the folds one after the other, by a function that takes batches without folds.
    pub fn unpair(self, mut evaluate: impl FnMut(TerminalBatch<'_>)) {
        let Self { kind, nodes, reach, values, folds } = self;
        let unpaired = PairedFolds::None;
        match folds {
            PairedFolds::None => evaluate(TerminalBatch { kind, nodes, reach, values, folds: unpaired }),
            PairedFolds::SameReach { nodes: folds, values: fold_values } => {
                evaluate(TerminalBatch { kind, nodes, reach, values, folds: PairedFolds::None });
                evaluate(TerminalBatch {
                    kind: Terminal::Fold,
                    nodes: folds,
                    reach,
                    values: fold_values,
                    folds: PairedFolds::None,
                });
            }
            PairedFolds::SameValues { nodes: folds, reach: fold_reach } => {
                let mut fold_values = vec![Row::ZERO; values.len()];
                evaluate(TerminalBatch {
                    kind,
                    nodes,
                    reach,
                    values: &mut *values,
                    folds: PairedFolds::None,
                });
                evaluate(TerminalBatch {
                    kind: Terminal::Fold,
                    nodes: folds,
                    reach: fold_reach,
                    values: &mut fold_values,
                    folds: PairedFolds::None,
                });
                for (value, fold) in values.iter_mut().zip(&fold_values) {
                    value.iter_mut().zip(&fold.0).take(folds.len()).for_each(|(value, fold)| *value += fold);
                }
            }
        }
    }

    /// Evaluates every node and every fold by the payoff for a pair of hands, given as indices: the player's, then the
    /// opponent's; `None` if they cannot be dealt together. Plain and quadratic: for small games.
    pub fn sum_payoffs(self, payoff: impl Fn(NodeId, usize, usize) -> Option<f32>) {
        self.unpair(|TerminalBatch { nodes, reach, values, .. }| {
            for (hand, value) in values.iter_mut().enumerate() {
                *value = Row::ZERO;
                for (lane, &node) in nodes.iter().enumerate() {
                    for (other, reach) in reach.iter().enumerate() {
                        value[lane] += payoff(node, hand, other).map_or(0.0, |payoff| payoff * reach[lane]);
                    }
                }
            }
        });
    }
}
