//! Hands that are bound to a strategy at a decision: they play it whatever their regrets say.
//!
//! Locks lie over whatever the solver's memory says: wherever a strategy is about to be used or read, the shares of the
//! locked hands are put in the place of the stored ones. What was stored for them is never looked at, so that a lock is
//! exact in every precision.

use crate::kernels::blocks;
use crate::simd::{Row, WIDTH};
use crate::state::Plays;
use crate::tree::{Plan, Tile};
use crate::{Deal, Game, Kind, NodeId, Player};
use std::collections::BTreeMap;

/// Which hands are bound to what, at which decisions of which deals.
#[derive(Clone, Debug, Default)]
pub struct Locks {
    tiles: BTreeMap<Place, TileLocks>,
}

/// A tile of a player in a deal: player, round, deal, first node.
type Place = (usize, usize, usize, u32);

/// The locked decisions of one tile in one deal, by their number in the plan.
type TileLocks = BTreeMap<usize, LockedDecision>;

/// One decision with locked hands.
#[derive(Clone, Debug)]
struct LockedDecision {
    actions: usize,
    /// One for the hands that are free and zero for those that are locked, block by block.
    free: Vec<Row>,
    /// What they play: a row for each (block, action).
    shares: Vec<Row>,
}

impl LockedDecision {
    fn new(actions: usize, hands: usize) -> Self {
        let blocks = blocks(hands);
        Self { actions, free: vec![Row([1.0; WIDTH]); blocks], shares: vec![Row::ZERO; blocks * actions] }
    }

    /// The free hands of a block, and what each action's share of the locked ones is.
    fn block(&self, block: usize) -> (&Row, &[Row]) {
        (&self.free[block], &self.shares[block * self.actions..][..self.actions])
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

    /// Binds a hand of the player who decides at `node` in `deal` to `shares`, one for each action, which add up to 1. A
    /// later lock of the same hand takes the place of the earlier one.
    ///
    /// # Panics
    ///
    /// If nobody decides there, if there are not as many shares as actions, or if the deal has no such hand.
    pub fn lock<G: Game>(&mut self, game: &G, deal: Deal, node: NodeId, hand: usize, shares: &[f32]) {
        let (tree, hands) = (game.tree(), |player| game.hand_count(deal, player));
        let (kind, tile) = (tree.node(node).kind, tree.tile_of(node));
        let Kind::Decision(player) = kind else { panic!("nobody decides at node {}", node.0) };
        assert!(hand < hands(player), "there is no hand {hand}");
        let Some(place) = tile.plans[player.index()].decision_at(node) else { return };
        let actions = usize::from(tree.node(node).child_count);
        assert_eq!(shares.len(), actions, "a share for each action");
        let locked = self
            .tiles
            .entry(place_of(player, deal, tile))
            .or_default()
            .entry(place)
            .or_insert_with(|| LockedDecision::new(actions, hands(player)));
        let (block, lane) = (hand / WIDTH, hand % WIDTH);
        locked.free[block][lane] = 0.0;
        for (row, &share) in locked.shares[block * actions..].iter_mut().zip(shares) {
            row[lane] = share;
        }
    }

    /// Treats a tile as one with locks, whether it has any or not. Sums are rounded elsewhere where there are locks, and a part
    /// of a tile that has some must come to the same bits.
    pub(crate) fn expect(&mut self, player: Player, deal: Deal, tile: &Tile) {
        self.tiles.entry(place_of(player, deal, tile)).or_default();
    }

    /// What the locks of one decision take, where the player has so many hands.
    pub fn decision_bytes(actions: usize, hands: usize) -> usize {
        let blocks = blocks(hands);
        size_of::<LockedDecision>() + blocks * (1 + actions) * size_of::<Row>()
    }

    /// The locks of a player in a tile of a deal, if there are any.
    pub(crate) fn tile<'a>(&'a self, player: Player, deal: Deal, tile: &'a Tile) -> Overlay<'a> {
        let locks = if self.is_empty() { None } else { self.tiles.get(&place_of(player, deal, tile)) };
        Overlay { plan: &tile.plans[player.index()], locks }
    }
}

fn place_of(player: Player, deal: Deal, tile: &Tile) -> Place {
    (player.index(), deal.round, deal.index, tile.nodes.start)
}

/// The locks of one player in one tile of one deal, laid over its strategy. Without any, all of this does nothing.
#[derive(Clone, Copy)]
pub(crate) struct Overlay<'a> {
    plan: &'a Plan,
    locks: Option<&'a TileLocks>,
}

impl<'a> Overlay<'a> {
    /// The locks themselves, for one block.
    pub fn block(self, block: usize) -> Option<BlockLocks<'a>> {
        self.locks.map(|locks| BlockLocks { locks, block })
    }

    /// Extends the reaches of a block's roots to all slots, by a strategy.
    pub fn realize(self, strategy: impl Plays, block: usize, reach: &mut [Row]) {
        if self.locks.is_none() {
            return strategy.realize(self.plan, block, reach);
        }
        let mut rows = vec![Row::ZERO; self.plan.rows];
        self.strategy(strategy, block, &mut rows);
        for decision in &self.plan.decisions {
            let here = reach[decision.slot as usize];
            for row in decision.row as usize..(decision.row + decision.actions) as usize {
                reach[self.plan.roots + row] = Row(std::array::from_fn(|h| here[h] * rows[row][h]));
            }
        }
    }

    /// The strategy of a block, a row for each action.
    pub fn strategy(self, strategy: impl Plays, block: usize, rows: &mut [Row]) {
        strategy.strategy(self.plan, block, rows);
        for (&d, locked) in self.locks.into_iter().flatten() {
            let (free, shares) = locked.block(block);
            let first = self.plan.decisions[d].row as usize;
            for (row, share) in rows[first..].iter_mut().zip(shares) {
                choose(free, share, row);
            }
        }
    }

    /// Whether the tile has locks.
    pub fn is_some(self) -> bool {
        self.locks.is_some()
    }

    fn decision(self, node: NodeId) -> Option<&'a LockedDecision> {
        self.locks?.get(&self.plan.decision_at(node)?)
    }

    /// The hands that are locked at a decision, each with the shares of the actions.
    pub fn bound(self, node: NodeId) -> impl Iterator<Item = (usize, Vec<f32>)> {
        self.decision(node).into_iter().flat_map(|locked| {
            let hands = (0..locked.free.len() * WIDTH).filter(|&h| locked.free[h / WIDTH][h % WIDTH] == 0.0);
            hands.map(|hand| {
                let (_, shares) = locked.block(hand / WIDTH);
                (hand, shares.iter().map(|row| row[hand % WIDTH]).collect())
            })
        })
    }

    /// Which of so many hands are locked at a decision.
    pub fn locked(self, node: NodeId, hands: usize) -> Vec<bool> {
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
    /// One for the hands that are free at a decision and zero for the others, if there are others.
    pub fn free(&self, decision: usize) -> Option<&Row> {
        self.locks.get(&decision).map(|locked| locked.block(self.block).0)
    }

    /// Values from the last decision back: a decision is worth its best action to a hand that is free, and what its lock
    /// comes to otherwise.
    pub fn back_up_best(&self, plan: &Plan, values: &mut [Row]) {
        for (d, decision) in plan.decisions.iter().enumerate().rev() {
            let first = plan.roots + decision.row as usize;
            let actions = &values[first..first + decision.actions as usize];
            let mut worth = Row([f32::NEG_INFINITY; WIDTH]);
            for value in actions {
                worth.iter_mut().zip(&value.0).for_each(|(best, &value)| *best = best.max(value));
            }
            if let Some(locked) = self.locks.get(&d) {
                let (free, shares) = locked.block(self.block);
                let mut mean = Row::ZERO;
                for (value, share) in actions.iter().zip(shares) {
                    (0..WIDTH).for_each(|h| mean[h] += share[h] * value[h]);
                }
                choose(free, &mean, &mut worth);
            }
            let here = &mut values[decision.slot as usize];
            here.iter_mut().zip(&worth.0).for_each(|(here, worth)| *here += worth);
        }
    }
}

/// Puts the numbers of the hands that are not free in the place of others.
fn choose(free: &Row, from: &Row, to: &mut Row) {
    for h in 0..WIDTH {
        if free[h] == 0.0 {
            to[h] = from[h];
        }
    }
}
