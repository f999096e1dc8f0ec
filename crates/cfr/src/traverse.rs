//! One walk through the whole game for one player: reaches go down, values come back up.
//!
//! ```text
//! visit(deal, reaches at the roots):
//!     down:    the opponent's reach of every leaf and every chance node        (realize)
//!     leaves:  the value of each hand at each leaf, against those reaches       (Game::evaluate)
//!     chance:  for every event, visit what follows; add up the values
//!     up:      values of decisions, last one first; regrets and averages learn  (back_up_…)
//! ```
//!
//! Whole deals are visited at a time, all lines together: leaves of one deal share their tables and are valued
//! side by side.

use crate::kernels::{self, HANDS, Row, ZERO, blocks};
use crate::simd::vectorize;
use crate::state::{Memory, MemoryView};
use crate::tree::{LEAVES, LeafRow, Plan, Tile};
use crate::{Deal, Discounts, Game, NodeId, Player};
use std::cell::RefCell;
use std::ops::Range;

/// Chance events are added up in groups of this many, and the groups pairwise: an order that no thread count changes.
const GROUP: usize = 4;

/// Which of its two strategies a player follows.
#[derive(Clone, Copy)]
pub(crate) enum Follow {
    /// Regret matching on the current regrets.
    Current,
    /// The average of what it played so far.
    Average,
}

/// What the traverser does at its decisions.
#[derive(Clone, Copy)]
pub(crate) enum Aim<'a> {
    /// Plays its current strategy and learns; its memory is in the views that are passed down.
    Learn(Discounts),
    /// Picks the best action for each hand.
    BestRespond,
    /// Plays its average strategy.
    Follow(&'a Memory),
}

/// A traversal: who walks, what for, and against what.
pub(crate) struct Traversal<'a, G> {
    pub game: &'a G,
    pub player: Player,
    pub aim: Aim<'a>,
    pub opponent: &'a Memory,
    pub opponent_plays: Follow,
    /// The traverser's layout, to split its views by.
    pub layout: &'a crate::state::Layout,
}

/// What both players bring to the roots of a deal: a row for each (root, block of hands), by player.
pub(crate) type Reaches = [Vec<Row>; 2];

/// Buffers of one visit, kept for the next one on the same thread.
#[derive(Default)]
struct Scratch {
    strategy: Vec<Row>,
    slots: Vec<Row>,
    leaf_reach: Vec<LeafRow>,
    leaf_values: Vec<LeafRow>,
    reaches: Reaches,
    values: Vec<Row>,
}

thread_local! {
    static SCRATCH: RefCell<Vec<Scratch>> = const { RefCell::new(Vec::new()) };
}

/// Lends a scratch that nobody on this thread is using.
fn with_scratch<R>(work: impl FnOnce(&mut Scratch) -> R) -> R {
    let mut scratch = SCRATCH.with_borrow_mut(Vec::pop).unwrap_or_default();
    let result = work(&mut scratch);
    SCRATCH.with_borrow_mut(|pool| pool.push(scratch));
    result
}

impl<G: Game> Traversal<'_, G> {
    /// Visits a deal and all that can follow it; `values` gets a row for each (root, block of own hands).
    pub fn visit(&self, deal: Deal, reaches: &Reaches, mut own: Option<MemoryView<'_>>, values: &mut [Row]) {
        let round = self.game.tree().round(deal.round);
        let mut here = own.as_mut().map(|own| own.take(deal.round));
        with_scratch(|scratch| {
            for tile in &round.tiles {
                self.down(deal, tile, reaches, scratch);
                self.leaves(deal, tile, scratch);
                let exit_values = if tile.exits.is_empty() {
                    Vec::new()
                } else {
                    let exit_reaches =
                        self.exit_reaches(deal, tile, reaches, here.as_ref().map(|own| &*own.0));
                    self.chance(deal, &exit_reaches, own.take())
                };
                self.up(deal, tile, reaches, &exit_values, &mut here, scratch, values);
            }
        });
    }

    /// Values every leaf and chance node of a deal, for a look from outside: calls `report` with each node, block
    /// of hands, and row.
    pub fn leaf_values(&self, deal: Deal, reaches: &Reaches, mut report: impl FnMut(NodeId, usize, Row)) {
        let tree = self.game.tree();
        let blocks = self.blocks(deal, self.player);
        with_scratch(|scratch| {
            for tile in &tree.round(deal.round).tiles {
                self.down(deal, tile, reaches, scratch);
                self.leaves(deal, tile, scratch);
                for (b, batch) in tile.batches.iter().enumerate() {
                    let values = &scratch.leaf_values[b * blocks * HANDS..][..blocks * HANDS];
                    for (lane, &leaf) in batch.leaves.iter().enumerate() {
                        for (block, values) in values.chunks(HANDS).enumerate() {
                            report(leaf, block, std::array::from_fn(|hand| values[hand][lane]));
                        }
                    }
                }
                if !tile.exits.is_empty() {
                    let exit_reaches = self.exit_reaches(deal, tile, reaches, None);
                    let values = self.chance(deal, &exit_reaches, None);
                    for (exit, values) in tile.exits.iter().zip(values.chunks(blocks.max(1))) {
                        for (block, &row) in values.iter().enumerate() {
                            report(exit.node, block, row);
                        }
                    }
                }
            }
        });
    }

    fn blocks(&self, deal: Deal, player: Player) -> usize {
        blocks(self.game.hand_count(deal, player))
    }

    /// Carries the opponent's reach from the roots of a tile to its leaves.
    fn down(&self, deal: Deal, tile: &Tile, reaches: &Reaches, scratch: &mut Scratch) {
        let villain = self.player.opponent();
        let plan = &tile.plans[villain.index()];
        let blocks = self.blocks(deal, villain);
        let weights = self.opponent_weights(deal, tile, blocks);
        scratch.slots.resize(plan.slots(), ZERO);
        scratch.strategy.resize(plan.rows, ZERO);
        let hands = blocks * HANDS;
        scratch.leaf_reach.resize(tile.batches.len() * hands, [0.0; LEAVES]);
        let Scratch { strategy, slots, leaf_reach, .. } = scratch;
        vectorize(
            #[inline(always)]
            || {
                for block in 0..blocks {
                    load_roots(&reaches[villain.index()], tile, block, blocks, slots);
                    kernels::normalize(plan, block_rows(weights, plan, block), strategy);
                    kernels::realize(plan, strategy, slots);
                    for (b, batch) in tile.batches.iter().enumerate() {
                        let (out, _) = leaf_reach[b * hands + block * HANDS..].as_chunks_mut();
                        kernels::rows_to_lanes(batch, villain, slots, &mut out[0]);
                    }
                }
            },
        );
    }

    fn opponent_weights(&self, deal: Deal, tile: &Tile, blocks: usize) -> &[Row] {
        let array = match self.opponent_plays {
            Follow::Current => &self.opponent.regrets,
            Follow::Average => &self.opponent.sums,
        };
        array.tile(&self.opponent.layout, deal, self.player.opponent(), tile, blocks)
    }

    /// Values the leaves of a tile.
    fn leaves(&self, deal: Deal, tile: &Tile, scratch: &mut Scratch) {
        let (own, villain) = (self.player, self.player.opponent());
        let padded = [own, villain].map(|player| self.blocks(deal, player) * HANDS);
        let hands = [own, villain].map(|player| self.game.hand_count(deal, player));
        scratch.leaf_values.resize(tile.batches.len() * padded[0], [0.0; LEAVES]);
        for (b, batch) in tile.batches.iter().enumerate() {
            let reach = &scratch.leaf_reach[b * padded[1]..][..hands[1]];
            let (values, padding) = scratch.leaf_values[b * padded[0]..][..padded[0]].split_at_mut(hands[0]);
            self.game.evaluate(deal, own, &batch.leaves, reach, values);
            padding.fill([0.0; LEAVES]);
        }
    }

    /// Both players' reaches at a tile's chance nodes: those of the roots that follow, in this deal's hands.
    fn exit_reaches(&self, deal: Deal, tile: &Tile, reaches: &Reaches, own: Option<&[Row]>) -> Reaches {
        Player::BOTH.map(|player| {
            let plan = &tile.plans[player.index()];
            let blocks = self.blocks(deal, player);
            let weights = if player != self.player {
                self.opponent_weights(deal, tile, blocks)
            } else {
                match (own, self.aim) {
                    (Some(regrets), _) => regrets,
                    // Only a learner needs its own reach, to weigh its average.
                    _ => return Vec::new(),
                }
            };
            let mut strategy = vec![ZERO; plan.rows];
            let mut slots = vec![ZERO; plan.slots()];
            let mut out = vec![ZERO; tile.exits.len() * blocks];
            vectorize(
                #[inline(always)]
                || {
                    for block in 0..blocks {
                        load_roots(&reaches[player.index()], tile, block, blocks, &mut slots);
                        kernels::normalize(plan, block_rows(weights, plan, block), &mut strategy);
                        kernels::realize(plan, &strategy, &mut slots);
                        for (e, exit) in tile.exits.iter().enumerate() {
                            out[e * blocks + block] = slots[exit.slots[player.index()] as usize];
                        }
                    }
                },
            );
            out
        })
    }

    /// Visits everything that can follow a deal; the values at its chance nodes, a row for each (exit, block).
    fn chance(&self, deal: Deal, reaches: &Reaches, own: Option<MemoryView<'_>>) -> Vec<Row> {
        let next = self.game.next_deals(deal);
        let sums = self.sum_events(deal, next, reaches, own);
        let chance = self.game.chance(deal.round + 1);
        let (rows, _) = sums.as_chunks::<HANDS>();
        rows.iter().map(|row| row.map(|sum| (sum * chance) as f32)).collect()
    }

    /// The values of some next deals, added up at this deal's hands.
    fn sum_events(
        &self,
        deal: Deal,
        next: Range<usize>,
        reaches: &Reaches,
        own: Option<MemoryView<'_>>,
    ) -> Vec<f64> {
        let at = |index| Deal { round: deal.round + 1, index };
        if next.len() > GROUP {
            let middle = next.start + next.len().div_ceil(2 * GROUP) * GROUP;
            let (left_own, right_own) = self.split(own, at(next.start), at(middle));
            let (mut left, right) = rayon::join(
                || self.sum_events(deal, next.start..middle, reaches, left_own),
                || self.sum_events(deal, middle..next.end, reaches, right_own),
            );
            left.iter_mut().zip(right).for_each(|(left, right)| *left += right);
            return left;
        }
        let exits = self.game.tree().round(deal.round).exit_count();
        let mut sums = vec![0.0; exits * self.blocks(deal, self.player) * HANDS];
        let mut rest = own;
        for index in next {
            let (own, others) = self.split(rest, at(index), at(index + 1));
            rest = others;
            self.event(deal, at(index), reaches, own, &mut sums);
        }
        sums
    }

    /// Splits the memory of consecutive deals, of which `first` is the first, in front of `middle`.
    fn split<'m>(
        &self,
        own: Option<MemoryView<'m>>,
        first: Deal,
        middle: Deal,
    ) -> (Option<MemoryView<'m>>, Option<MemoryView<'m>>) {
        own.map(|own| own.split(self.game, self.layout, first, middle)).unzip()
    }

    /// Visits one next deal and adds its values to `sums`, once for each chance event that leads there.
    fn event(
        &self,
        deal: Deal,
        next: Deal,
        reaches: &Reaches,
        own: Option<MemoryView<'_>>,
        sums: &mut [f64],
    ) {
        with_scratch(|scratch| {
            let exits = self.game.tree().round(deal.round).exit_count();
            for player in Player::BOTH {
                let from = &reaches[player.index()];
                let to = &mut scratch.reaches[player.index()];
                to.clear();
                if !from.is_empty() {
                    to.resize(exits * self.blocks(next, player), ZERO);
                    let origin = &self.game.origins(next, player)[0];
                    carry(from, to, exits, origin);
                }
            }
            let own_blocks = self.blocks(next, self.player);
            scratch.values.clear();
            scratch.values.resize(exits * own_blocks, ZERO);
            self.visit(next, &scratch.reaches, own, &mut scratch.values);
            let parent_hands = sums.len() / exits;
            for origin in self.game.origins(next, self.player) {
                for exit in 0..exits {
                    let values = scratch.values[exit * own_blocks..][..own_blocks].as_flattened();
                    let sums = &mut sums[exit * parent_hands..][..parent_hands];
                    for (&parent, &value) in origin.iter().zip(values) {
                        sums[parent as usize] += f64::from(value);
                    }
                }
            }
        });
    }

    /// Brings values from the leaves and chance nodes of a tile back to its roots.
    #[allow(clippy::too_many_arguments)]
    fn up(
        &self,
        deal: Deal,
        tile: &Tile,
        reaches: &Reaches,
        exit_values: &[Row],
        own: &mut Option<(&mut [Row], &mut [Row])>,
        scratch: &mut Scratch,
        values: &mut [Row],
    ) {
        let p = self.player.index();
        let plan = &tile.plans[p];
        let blocks = self.blocks(deal, self.player);
        let hands = blocks * HANDS;
        scratch.slots.resize(plan.slots(), ZERO);
        scratch.strategy.resize(plan.rows, ZERO);
        let Scratch { strategy, slots, leaf_values, .. } = scratch;
        let rows = tile.rows_before[p] * blocks..(tile.rows_before[p] + plan.rows) * blocks;
        let mut own =
            own.as_mut().map(|(regrets, sums)| (&mut regrets[rows.clone()], &mut sums[rows.clone()]));
        vectorize(
            #[inline(always)]
            || {
                for block in 0..blocks {
                    let block_range = block * plan.rows..(block + 1) * plan.rows;
                    if let (Aim::Learn(discounts), Some((regrets, sums))) = (self.aim, &mut own) {
                        kernels::normalize(plan, &regrets[block_range.clone()], strategy);
                        load_roots(&reaches[p], tile, block, blocks, slots);
                        kernels::realize(plan, strategy, slots);
                        let sums = &mut sums[block_range.clone()];
                        kernels::accumulate(sums, &slots[plan.roots..], discounts.average);
                    }
                    load_leaves(tile, self.player, &leaf_values[block * HANDS..], hands, slots);
                    for (exit, row) in tile.exits.iter().zip(exit_values.iter().skip(block).step_by(blocks)) {
                        kernels::add(&mut slots[exit.slots[p] as usize], row);
                    }
                    match (self.aim, &mut own) {
                        (Aim::Learn(discounts), Some((regrets, _))) => {
                            let regrets = &mut regrets[block_range];
                            kernels::back_up_learning(plan, strategy, slots, regrets, &discounts);
                        }
                        (Aim::Follow(memory), _) => {
                            let sums = memory.sums.tile(&memory.layout, deal, self.player, tile, blocks);
                            kernels::normalize(plan, block_rows(sums, plan, block), strategy);
                            kernels::back_up_mean(plan, strategy, slots);
                        }
                        _ => kernels::back_up_best(plan, slots),
                    }
                    for (slot, root) in tile.roots.clone().enumerate() {
                        values[root * blocks + block] = slots[slot];
                    }
                }
            },
        );
    }
}

/// A block's rows out of a tile's.
#[inline(always)]
fn block_rows<'r>(rows: &'r [Row], plan: &Plan, block: usize) -> &'r [Row] {
    &rows[block * plan.rows..][..plan.rows]
}

/// The reaches at the roots of a tile, as the first slots.
#[inline(always)]
fn load_roots(reaches: &[Row], tile: &Tile, block: usize, blocks: usize, slots: &mut [Row]) {
    for (slot, root) in tile.roots.clone().enumerate() {
        slots[slot] = reaches[root * blocks + block];
    }
}

/// The values of a tile's leaves, each added to its slot.
#[inline(always)]
fn load_leaves(tile: &Tile, player: Player, values: &[LeafRow], hands: usize, slots: &mut [Row]) {
    slots.fill(ZERO);
    for (b, batch) in tile.batches.iter().enumerate() {
        let (values, _) = values[b * hands..].as_chunks();
        kernels::lanes_to_rows(batch, player, &values[0], slots);
    }
}

/// Moves reaches from a deal's hands to those of a deal that follows.
fn carry(from: &[Row], to: &mut [Row], roots: usize, origin: &[u16]) {
    let (from_blocks, to_blocks) = (from.len() / roots, to.len() / roots);
    for root in 0..roots {
        let from = from[root * from_blocks..][..from_blocks].as_flattened();
        let to = to[root * to_blocks..][..to_blocks].as_flattened_mut();
        for (to, &hand) in to.iter_mut().zip(origin) {
            *to = from[hand as usize];
        }
    }
}
