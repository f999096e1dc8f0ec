//! Hands whose strategy is fixed at a decision node, whatever their regrets are.
//!
//! Locks overlay the stored strategies: wherever a strategy is used or read, the probabilities of locked hands replace the stored
//! ones. What is stored for locked hands is never read, so a lock is exact in every precision.

use crate::Player;
use crate::deal::Deal;
use crate::simd::{Row, WIDTH, blocks};
use crate::strategy_source::StrategySource;
use crate::tree::{NodeId, NodeKind, SequenceForm, Tile, Tree};
use std::collections::BTreeMap;

/// Which hands are locked to which strategy, at which decision nodes of which deals.
#[derive(Clone, Debug, Default)]
pub struct Locks {
    tiles: BTreeMap<TileKey, TileLocks>,
}

/// A tile of a player in a deal: player, round, deal, first node.
type TileKey = (usize, usize, usize, u32);

/// The locked decisions of one tile in one deal, by their index in the sequence form.
type TileLocks = BTreeMap<usize, LockedDecision>;

/// One decision with locked hands.
#[derive(Clone, Debug)]
struct LockedDecision {
    actions: usize,
    /// One for the hands that are free and zero for those that are locked, block by block.
    free: Vec<Row>,
    /// The action probabilities of locked hands: a row for each (block, action).
    probabilities: Vec<Row>,
}

impl LockedDecision {
    fn new(actions: usize, hands: usize) -> Self {
        let blocks = blocks(hands);
        Self {
            actions,
            free: vec![Row([1.0; WIDTH]); blocks],
            probabilities: vec![Row::ZERO; blocks * actions],
        }
    }

    /// The free hands of a block, and for each action the probabilities of the locked ones.
    fn block(&self, block: usize) -> (&Row, &[Row]) {
        (&self.free[block], &self.probabilities[block * self.actions..][..self.actions])
    }
}

static NOTHING: Locks = Locks { tiles: BTreeMap::new() };

impl Locks {
    /// Nothing is locked.
    pub fn none() -> &'static Self {
        &NOTHING
    }

    /// Whether nothing is locked.
    pub fn is_empty(&self) -> bool {
        self.tiles.is_empty()
    }

    /// Locks a hand of the player who decides at `node` in `deal`, where that player has `hands` hands, to action probabilities
    /// that sum to 1. A later lock of the same hand replaces the earlier one.
    ///
    /// # Panics
    ///
    /// If nobody decides there, if there are not as many probabilities as actions, or if there is no such hand.
    pub fn lock(
        &mut self,
        tree: &Tree,
        (deal, node): (Deal, NodeId),
        hands: usize,
        hand: usize,
        probabilities: &[f32],
    ) {
        let (kind, tile) = (tree.node(node).kind, tree.tile_of(node));
        let NodeKind::Decision(player) = kind else { panic!("nobody decides at node {}", node.0) };
        assert!(hand < hands, "there is no hand {hand}");
        let Some(decision) = tile.forms[player.index()].decision_at(node) else { return };
        let actions = usize::from(tree.node(node).child_count);
        assert_eq!(probabilities.len(), actions, "a probability for each action");
        let locked = self
            .tiles
            .entry(tile_key(player, deal, tile))
            .or_default()
            .entry(decision)
            .or_insert_with(|| LockedDecision::new(actions, hands));
        let (block, lane) = (hand / WIDTH, hand % WIDTH);
        locked.free[block][lane] = 0.0;
        for (row, &probability) in locked.probabilities[block * actions..].iter_mut().zip(probabilities) {
            row[lane] = probability;
        }
    }

    /// Treats a tile as one with locks, whether it has any or not. Sums round differently where there are locks, and a part
    /// of a tile with locks must end with the same bits as the whole.
    pub(crate) fn expect(&mut self, player: Player, deal: Deal, tile: &Tile) {
        self.tiles.entry(tile_key(player, deal, tile)).or_default();
    }

    /// Bytes that the locks of one decision take, where the player has `hands` hands.
    pub fn decision_bytes(actions: usize, hands: usize) -> usize {
        let blocks = blocks(hands);
        size_of::<LockedDecision>() + blocks * (1 + actions) * size_of::<Row>()
    }

    /// The locks of a player in a tile of a deal, if there are any.
    pub(crate) fn tile<'a>(&'a self, player: Player, deal: Deal, tile: &'a Tile) -> LockOverlay<'a> {
        let locks = if self.is_empty() { None } else { self.tiles.get(&tile_key(player, deal, tile)) };
        LockOverlay { form: &tile.forms[player.index()], locks }
    }
}

fn tile_key(player: Player, deal: Deal, tile: &Tile) -> TileKey {
    (player.index(), deal.round, deal.index, tile.nodes.start)
}

/// The locks of one player in one tile of one deal, laid over its strategy. Without locks it changes nothing.
#[derive(Clone, Copy)]
pub(crate) struct LockOverlay<'a> {
    form: &'a SequenceForm,
    locks: Option<&'a TileLocks>,
}

impl<'a> LockOverlay<'a> {
    /// The locks of one block.
    pub fn block(self, block: usize) -> Option<BlockLocks<'a>> {
        self.locks.map(|locks| BlockLocks { locks, block })
    }

    /// Extends the reach probabilities of a block's roots to all sequences.
    pub fn propagate_reach(self, source: impl StrategySource, block: usize, reach: &mut [Row]) {
        if self.locks.is_none() {
            return source.propagate_reach(self.form, block, reach);
        }
        let mut strategy = vec![Row::ZERO; self.form.rows];
        self.strategy(source, block, &mut strategy);
        for decision in &self.form.decisions {
            let here = reach[decision.sequence as usize];
            let first = decision.row as usize;
            for row in first..first + decision.actions as usize {
                let reach = &mut reach[self.form.roots + row];
                (0..WIDTH).for_each(|hand| reach[hand] = here[hand] * strategy[row][hand]);
            }
        }
    }

    /// The strategy of a block, a row for each action.
    pub fn strategy(self, source: impl StrategySource, block: usize, rows: &mut [Row]) {
        source.strategy(self.form, block, rows);
        for (&d, locked) in self.locks.into_iter().flatten() {
            let (free, probabilities) = locked.block(block);
            let first = self.form.decisions[d].row as usize;
            for (row, probabilities) in rows[first..].iter_mut().zip(probabilities) {
                replace_locked(free, probabilities, row);
            }
        }
    }

    /// Whether the tile has locks.
    pub fn is_some(self) -> bool {
        self.locks.is_some()
    }

    fn decision(self, node: NodeId) -> Option<&'a LockedDecision> {
        self.locks?.get(&self.form.decision_at(node)?)
    }

    /// The hands that are locked at a decision, each with its action probabilities.
    pub fn locked_hands(self, node: NodeId) -> impl Iterator<Item = (usize, Vec<f32>)> {
        self.decision(node).into_iter().flat_map(|locked| {
            let hands = (0..locked.free.len() * WIDTH).filter(|&h| locked.free[h / WIDTH][h % WIDTH] == 0.0);
            hands.map(|hand| {
                let (_, probabilities) = locked.block(hand / WIDTH);
                (hand, probabilities.iter().map(|row| row[hand % WIDTH]).collect())
            })
        })
    }

    /// For each of `hands` hands, whether it is locked at a decision.
    pub fn are_locked(self, node: NodeId, hands: usize) -> Vec<bool> {
        let locked = self.decision(node);
        let is_locked =
            |hand: usize| locked.is_some_and(|locked| locked.free[hand / WIDTH][hand % WIDTH] == 0.0);
        (0..hands).map(is_locked).collect()
    }
}

/// The locks of one block of hands.
#[derive(Clone, Copy)]
pub(crate) struct BlockLocks<'a> {
    locks: &'a TileLocks,
    block: usize,
}

impl BlockLocks<'_> {
    /// One for the hands that are free at a decision and zero for the locked ones; none if no hand is locked there.
    pub fn free(&self, decision: usize) -> Option<&Row> {
        self.locks.get(&decision).map(|locked| locked.block(self.block).0)
    }

    /// Backpropagates values: a decision is worth its best action to a free hand, and the mean of its strategy to a locked one.
    pub fn backpropagate_best(&self, form: &SequenceForm, values: &mut [Row]) {
        for (d, decision) in form.decisions.iter().enumerate().rev() {
            let first = form.roots + decision.row as usize;
            let actions = &values[first..first + decision.actions as usize];
            let mut worth = Row([f32::NEG_INFINITY; WIDTH]);
            for value in actions {
                worth.iter_mut().zip(&value.0).for_each(|(best, &value)| *best = best.max(value));
            }
            if let Some(locked) = self.locks.get(&d) {
                let (free, probabilities) = locked.block(self.block);
                let mut mean = Row::ZERO;
                for (value, probability) in actions.iter().zip(probabilities) {
                    (0..WIDTH).for_each(|h| mean[h] += probability[h] * value[h]);
                }
                replace_locked(free, &mean, &mut worth);
            }
            let here = &mut values[decision.sequence as usize];
            here.iter_mut().zip(&worth.0).for_each(|(here, worth)| *here += worth);
        }
    }
}

/// Replaces the numbers of the locked hands.
fn replace_locked(free: &Row, from: &Row, to: &mut Row) {
    for h in 0..WIDTH {
        if free[h] == 0.0 {
            to[h] = from[h];
        }
    }
}
