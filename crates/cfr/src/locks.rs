//! Hands that are bound to a strategy at a decision: they play it whatever their regrets say.
//!
//! Locks lie over whatever the solver's memory says: wherever a strategy is about to be used or read, the shares of the
//! locked hands are put in the place of the stored ones. What was stored for them is never looked at, so that a lock is
//! exact in every precision.

use crate::kernels::{self, HANDS, Row, ZERO, blocks};
use crate::state::AnyPart;
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
    /// Which hands are locked, block by block.
    hands: Vec<[bool; HANDS]>,
    /// What they play: a row for each (block, action).
    shares: Vec<Row>,
}

impl LockedDecision {
    fn new(actions: usize, hands: usize) -> Self {
        let blocks = blocks(hands);
        Self { actions, hands: vec![[false; HANDS]; blocks], shares: vec![ZERO; blocks * actions] }
    }

    /// The locked hands of a block, and what each action's share of them is.
    fn block(&self, block: usize) -> (&[bool; HANDS], &[Row]) {
        (&self.hands[block], &self.shares[block * self.actions..][..self.actions])
    }
}

/// The share of each action for each hand: none for hands that are free.
pub(crate) type LockedShares = Vec<Vec<Option<f32>>>;

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
        let Some(place) = decision_at(&tile.plans[player.index()], node) else { return };
        let actions = usize::from(tree.node(node).child_count);
        assert_eq!(shares.len(), actions, "a share for each action");
        let locked = self
            .tiles
            .entry(place_of(player, deal, tile))
            .or_default()
            .entry(place)
            .or_insert_with(|| LockedDecision::new(actions, hands(player)));
        let (block, lane) = (hand / HANDS, hand % HANDS);
        locked.hands[block][lane] = true;
        for (row, &share) in locked.shares[block * actions..].iter_mut().zip(shares) {
            row[lane] = share;
        }
    }

    /// What the locks of one decision take, where the player has so many hands.
    pub fn decision_bytes(actions: usize, hands: usize) -> usize {
        let blocks = blocks(hands);
        size_of::<LockedDecision>() + blocks * (size_of::<[bool; HANDS]>() + actions * size_of::<Row>())
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

/// The number of a decision in its plan.
pub(crate) fn decision_at(plan: &Plan, node: NodeId) -> Option<usize> {
    plan.decisions.binary_search_by_key(&node, |decision| decision.node).ok()
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

    /// Extends the reaches of a block's roots to all slots, by the strategy that `weights` stand for.
    pub fn realize(self, weights: &AnyPart<'_>, block: usize, foresight: f32, reach: &mut [Row]) {
        if self.locks.is_none() {
            return weights.realize(self.plan, block, foresight, reach);
        }
        let mut strategy = vec![ZERO; self.plan.rows];
        self.strategy(weights, block, foresight, &mut strategy);
        kernels::realize_strategy(self.plan, &strategy, reach);
    }

    /// The strategy of a block that `weights` stand for.
    pub fn strategy(self, weights: &AnyPart<'_>, block: usize, foresight: f32, strategy: &mut [Row]) {
        weights.strategy(self.plan, block, foresight, strategy);
        let Some(locks) = self.locks else { return };
        for (&d, locked) in locks {
            let (hands, shares) = locked.block(block);
            let first = self.plan.decisions[d].row as usize;
            for (row, share) in strategy[first..].iter_mut().zip(shares) {
                choose(hands, share, row);
            }
        }
    }

    /// What the locked hands play at a decision; nothing if all of them are free.
    pub fn shares(self, decision: usize, hands: usize) -> Option<LockedShares> {
        let locked = self.locks?.get(&decision)?;
        let share = |action: usize, hand: usize| {
            let (locked, shares) = locked.block(hand / HANDS);
            locked[hand % HANDS].then(|| shares[action][hand % HANDS])
        };
        Some((0..locked.actions).map(|a| (0..hands).map(|hand| share(a, hand)).collect()).collect())
    }
}

/// The locks of one block of hands.
#[derive(Clone, Copy)]
pub(crate) struct BlockLocks<'a> {
    locks: &'a TileLocks,
    block: usize,
}

impl BlockLocks<'_> {
    /// Makes every action of a decision worth the same to its locked hands: they have nothing to regret.
    pub fn level(&self, plan: &Plan, decision: usize, mean: &Row, values: &mut [Row]) {
        let Some(locked) = self.locks.get(&decision) else { return };
        let (hands, _) = locked.block(self.block);
        let first = plan.roots + plan.decisions[decision].row as usize;
        for row in &mut values[first..first + locked.actions] {
            choose(hands, mean, row);
        }
    }

    /// Values from the last decision back: a decision is worth its best action to a hand that is free, and what its lock
    /// comes to otherwise.
    pub fn back_up_best(&self, plan: &Plan, values: &mut [Row]) {
        for (d, decision) in plan.decisions.iter().enumerate().rev() {
            let first = plan.roots + decision.row as usize;
            let actions = &values[first..first + decision.actions as usize];
            let mut worth = [f32::NEG_INFINITY; HANDS];
            for value in actions {
                worth.iter_mut().zip(value).for_each(|(best, &value)| *best = best.max(value));
            }
            if let Some(locked) = self.locks.get(&d) {
                let (hands, shares) = locked.block(self.block);
                let mut mean = ZERO;
                for (value, share) in actions.iter().zip(shares) {
                    (0..HANDS).for_each(|h| mean[h] += share[h] * value[h]);
                }
                choose(hands, &mean, &mut worth);
            }
            kernels::add(&mut values[decision.slot as usize], &worth);
        }
    }
}

/// Puts the numbers of some hands in the place of others.
fn choose(hands: &[bool; HANDS], from: &Row, to: &mut Row) {
    for h in 0..HANDS {
        if hands[h] {
            to[h] = from[h];
        }
    }
}
