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

use crate::cells::Noise;
use crate::kernels::{self, HANDS, Lesson, Row, ZERO, blocks};
use crate::simd::vectorize;
use crate::state::{AnyPart, DealMemory, Layout, Memory, MemoryView};
use crate::tree::{LEAVES, LeafRow, Plan, Tile};
use crate::{Deal, Discounts, Game, NodeId, Player, Sums, Tree};
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
    Learn(Learning),
    /// Picks the best action for each hand.
    BestRespond,
    /// Plays its average strategy.
    Follow(&'a Memory),
}

/// How a learner learns in one iteration.
#[derive(Clone, Copy)]
pub(crate) struct Learning {
    pub iteration: u32,
    pub discounts: Discounts,
    /// Which share of the average stays what it was.
    pub past_share: f32,
    pub keeps_negative: bool,
}

/// A traversal: who walks, what for, and against what.
pub(crate) struct Traversal<'a, G> {
    pub game: &'a G,
    pub player: Player,
    pub aim: Aim<'a>,
    pub opponent: &'a Memory,
    pub opponent_plays: Follow,
    /// The traverser's layout, to split its views by.
    pub layout: &'a Layout,
    /// How much of its last regret a player expects again.
    pub foresight: f32,
}

/// What both players bring to the roots of a deal: a row for each (root, block of hands), by player.
pub(crate) type Reaches = [Vec<Row>; 2];

/// Buffers of one visit, kept for the next one on the same thread.
#[derive(Default)]
struct Scratch {
    strategy: Vec<Row>,
    fresh: Vec<Row>,
    slots: Vec<Row>,
    leaf_reach: Vec<LeafRow>,
    leaf_values: Vec<LeafRow>,
    reaches: Reaches,
    values: Vec<Row>,
}

/// What the buffers of one thread take at most, where `hands` gives the largest number of hands that a player can have in a
/// deal of a round. Visits of the rounds lie within each other, and each round may be under way on its own account.
pub fn working_bytes(tree: &Tree, hands: impl Fn(usize, Player) -> usize) -> usize {
    let round_bytes = |round: usize| {
        let blocks = Player::BOTH.map(|player| blocks(hands(round, player)));
        let largest =
            |number: &dyn Fn(&Tile) -> usize| tree.round(round).tiles.iter().map(number).max().unwrap_or(0);
        let leaves =
            largest(&|tile| tile.batches.len()) * HANDS * size_of::<LeafRow>() * (blocks[0] + blocks[1]);
        let rows = 3 * largest(&|tile| tile.plans.iter().map(Plan::slots).max().unwrap_or(0));
        let roots: usize = tree.round(round).tiles.iter().map(|tile| tile.roots.len()).sum();
        let exits = tree.round(round).exit_count();
        // Reaches of both players and values at the roots and exits, and sums over chance events in wide floats.
        let edges = (roots + exits) * 2 * (blocks[0] + blocks[1]);
        leaves
            + (rows + edges) * size_of::<Row>()
            + 4 * exits * blocks[0].max(blocks[1]) * 2 * size_of::<Row>()
    };
    (0..tree.round_count()).map(round_bytes).sum()
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
        let mut here = own.as_mut().and_then(|own| own.take(deal.round));
        with_scratch(|scratch| {
            for tile in &round.tiles {
                self.down(deal, tile, reaches, scratch);
                self.leaves(deal, tile, scratch);
                let exit_values = if tile.exits.is_empty() {
                    Vec::new()
                } else {
                    let exit_reaches =
                        self.exit_reaches(deal, tile, reaches, here.as_ref().map(|own| own.regrets.read()));
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
        let locks = self.game.locks().tile(villain, deal, tile);
        scratch.slots.resize(plan.slots(), ZERO);
        let hands = blocks * HANDS;
        scratch.leaf_reach.resize(tile.batches.len() * hands, [0.0; LEAVES]);
        let Scratch { slots, leaf_reach, .. } = scratch;
        for block in 0..blocks {
            load_roots(&reaches[villain.index()], tile, block, blocks, slots);
            locks.realize(&weights, block, self.foresight, slots);
            vectorize(
                #[inline(always)]
                || {
                    for (b, batch) in tile.batches.iter().enumerate() {
                        let (out, _) = leaf_reach[b * hands + block * HANDS..].as_chunks_mut();
                        kernels::rows_to_lanes(batch, villain, slots, &mut out[0]);
                    }
                },
            );
        }
    }

    fn opponent_weights(&self, deal: Deal, tile: &Tile, blocks: usize) -> AnyPart<'_> {
        let array = match self.opponent_plays {
            Follow::Current => &self.opponent.regrets,
            Follow::Average => &self.opponent.sums,
        };
        array.tile(&self.opponent.layout, deal, self.player.opponent(), tile, blocks)
    }

    /// Values the leaves of a tile.
    fn leaves(&self, deal: Deal, tile: &Tile, scratch: &mut Scratch) {
        let (own, villain) = (self.player, self.player.opponent());
        let sums = if matches!(self.aim, Aim::Learn(_)) { Sums::Fast } else { Sums::Wide };
        let padded = [own, villain].map(|player| self.blocks(deal, player) * HANDS);
        let hands = [own, villain].map(|player| self.game.hand_count(deal, player));
        scratch.leaf_values.resize(tile.batches.len() * padded[0], [0.0; LEAVES]);
        for (b, batch) in tile.batches.iter().enumerate() {
            let reach = &scratch.leaf_reach[b * padded[1]..][..hands[1]];
            let (values, padding) = scratch.leaf_values[b * padded[0]..][..padded[0]].split_at_mut(hands[0]);
            self.game.evaluate(deal, own, &batch.leaves, sums, reach, values);
            padding.fill([0.0; LEAVES]);
        }
    }

    /// Both players' reaches at a tile's chance nodes: those of the roots that follow, in this deal's hands.
    fn exit_reaches(&self, deal: Deal, tile: &Tile, reaches: &Reaches, own: Option<AnyPart<'_>>) -> Reaches {
        let opponent = self.opponent_weights(deal, tile, self.blocks(deal, self.player.opponent()));
        Player::BOTH.map(|player| {
            let weights = match &own {
                _ if player != self.player => &opponent,
                Some(regrets) => regrets,
                // Only a learner needs its own reach, to weigh its average.
                None => return Vec::new(),
            };
            let plan = &tile.plans[player.index()];
            let blocks = self.blocks(deal, player);
            let locks = self.game.locks().tile(player, deal, tile);
            let mut slots = vec![ZERO; plan.slots()];
            let mut out = vec![ZERO; tile.exits.len() * blocks];
            for block in 0..blocks {
                load_roots(&reaches[player.index()], tile, block, blocks, &mut slots);
                locks.realize(weights, block, self.foresight, &mut slots);
                for (e, exit) in tile.exits.iter().enumerate() {
                    out[e * blocks + block] = slots[exit.slots[player.index()] as usize];
                }
            }
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
        own: &mut Option<DealMemory<'_>>,
        scratch: &mut Scratch,
        values: &mut [Row],
    ) {
        let p = self.player.index();
        let plan = &tile.plans[p];
        let blocks = self.blocks(deal, self.player);
        scratch.slots.resize(plan.slots(), ZERO);
        scratch.strategy.resize(plan.rows, ZERO);
        scratch.fresh.resize(plan.rows, ZERO);
        let Scratch { strategy, slots, fresh, leaf_values, .. } = scratch;
        let locks = self.game.locks().tile(self.player, deal, tile);
        let mut own = own.as_mut().map(|own| {
            (own.regrets.tile(self.player, tile, blocks), own.sums.tile(self.player, tile, blocks))
        });
        for block in 0..blocks {
            match (self.aim, &mut own) {
                (Aim::Learn(learning), Some((regrets, sums))) => {
                    let noise = |array| self.noise(&learning, deal, tile, block, array);
                    let discounts = &learning.discounts;
                    locks.strategy(&regrets.read(), block, self.foresight, strategy);
                    load_roots(&reaches[p], tile, block, blocks, slots);
                    kernels::realize_strategy(plan, strategy, slots);
                    sums.accumulate(plan, block, &slots[plan.roots..], learning.past_share, noise(1), fresh);
                    self.load_values(tile, block, blocks, leaf_values, exit_values, slots);
                    let lesson = Lesson {
                        strategy,
                        discounts,
                        keeps_negative: learning.keeps_negative,
                        locks: locks.block(block),
                    };
                    regrets.learn(plan, block, &lesson, noise(0), slots, fresh);
                }
                (Aim::Follow(memory), _) => {
                    let sums = memory.sums.tile(&memory.layout, deal, self.player, tile, blocks);
                    locks.strategy(&sums, block, 0.0, strategy);
                    self.load_values(tile, block, blocks, leaf_values, exit_values, slots);
                    kernels::back_up_mean(plan, strategy, slots);
                }
                _ => {
                    self.load_values(tile, block, blocks, leaf_values, exit_values, slots);
                    match locks.block(block) {
                        Some(locks) => locks.back_up_best(plan, slots),
                        None => vectorize(
                            #[inline(always)]
                            || kernels::back_up_best(plan, slots),
                        ),
                    }
                }
            }
            for (slot, root) in tile.roots.clone().enumerate() {
                values[root * blocks + block] = slots[slot];
            }
        }
    }

    /// The random numbers of a place at an iteration.
    fn noise(&self, learning: &Learning, deal: Deal, tile: &Tile, block: usize, array: usize) -> Noise {
        let tile = tile.nodes.start as usize;
        Noise::new(&[learning.iteration as usize, self.player.index(), array, deal.index, tile, block])
    }

    /// The values of a tile's leaves and chance nodes for one block of hands, each added to its slot.
    fn load_values(
        &self,
        tile: &Tile,
        block: usize,
        blocks: usize,
        leaf_values: &[LeafRow],
        exit_values: &[Row],
        slots: &mut [Row],
    ) {
        let hands = blocks * HANDS;
        vectorize(
            #[inline(always)]
            || {
                slots.fill(ZERO);
                for (b, batch) in tile.batches.iter().enumerate() {
                    let (values, _) = leaf_values[b * hands + block * HANDS..].as_chunks();
                    kernels::lanes_to_rows(batch, self.player, &values[0], slots);
                }
                for (exit, row) in tile.exits.iter().zip(exit_values.iter().skip(block).step_by(blocks)) {
                    kernels::add(&mut slots[exit.slots[self.player.index()] as usize], row);
                }
            },
        );
    }
}

/// The reaches at the roots of a tile, as the first slots.
#[inline(always)]
fn load_roots(reaches: &[Row], tile: &Tile, block: usize, blocks: usize, slots: &mut [Row]) {
    for (slot, root) in tile.roots.clone().enumerate() {
        slots[slot] = reaches[root * blocks + block];
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
