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
//! side by side. Where nobody comes, nothing is visited (see [`crate::sleep`]), and where nobody decides any more, nothing is
//! visited by those who take the short way (see [`Way`]).

use crate::cells::Noise;
use crate::ends::{Leaves, Share};
use crate::kernels::{AreZero, BackUpBest, BackUpMean, Carry, Collect, LanesToRows, RowsToLanes, blocks};
use crate::simd::{self, Row, WIDTH};
use crate::state::{DealMemory, Layout, Lesson, Matching, Memory, MemoryView, OwnReach, RegretsRef};
use crate::tree::{Plan, Round, Tile, Way};
use crate::{Beside, Deal, Discounts, Ends, Game, NodeId, Player, Schedule, Sums, Tree, prune, sleep};
use std::cell::RefCell;
use std::ops::Range;

/// Chance events are added up in groups of this many, and the groups pairwise: an order that no thread count changes.
const GROUP: usize = 4;

/// How many buffers for sums over chance events a thread keeps.
const KEPT_SUMS: usize = 4;

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
    /// Which share of the average stays what it was, if this iteration counts in it.
    pub past_share: Option<f32>,
    pub keeps_negative: bool,
    /// Whether actions that no hand wants are left out.
    pub prunes: bool,
}

/// A traversal: who walks, what for, and against what.
pub(crate) struct Traversal<'a, G> {
    pub game: &'a G,
    pub player: Player,
    pub way: Way,
    pub aim: Aim<'a>,
    pub opponent: &'a Memory,
    pub opponent_plays: Follow,
    /// The traverser's layout, to split its views by.
    pub layout: &'a Layout,
    /// How players learn.
    pub schedule: &'a dyn Schedule,
    /// Whether to leave out what cannot matter; the answer is the same.
    pub skips: bool,
}

/// A tile that is being visited, and what there is to do.
struct Visit<'a> {
    deal: Deal,
    tile: &'a Tile,
    reaches: &'a Reaches,
    /// Whether the traverser meets anybody in any of the root trees.
    is_met: bool,
    /// Whether it brings hands there that count in an average.
    averages: bool,
    /// Whether any of its regrets are to be written.
    learns: bool,
}

/// What players bring to the roots of a deal: a row for each (block of hands, root).
#[derive(Clone, Default)]
pub(crate) struct Reaches {
    /// By player. A traverser that does not learn has no need for its own.
    pub players: [Vec<Row>; 2],
    /// What a learner brought on average, so far.
    pub average: Vec<Row>,
}

/// What players bring to the chance nodes of a deal, in the same order: a line of sixteen chance nodes for each (batch of them, hand).
type ExitReaches = Reaches;

/// Buffers of one visit, kept for the next one on the same thread.
#[derive(Default)]
struct Scratch {
    strategy: Vec<Row>,
    slots: Vec<Row>,
    average_slots: Vec<Row>,
    leaf_reach: Vec<Row>,
    leaf_values: Vec<Row>,
    exits: ExitReaches,
    exit_values: Vec<Row>,
    reaches: Reaches,
    values: Vec<Row>,
    /// Whether the traverser meets anybody in each root tree of the tile.
    met: Vec<bool>,
    /// How the past counts in each root tree that learns.
    discounts: Vec<Option<Discounts>>,
    /// A flag for each of the traverser's slots that are left out, or none at all.
    pruned: Vec<bool>,
}

/// What the buffers of one thread take at most, where `hands` gives the largest number of hands that a player can have in a
/// deal of a round. Visits of the rounds lie within each other, and each round may be under way on its own account.
pub fn working_bytes(tree: &Tree, hands: impl Fn(usize, Player) -> usize) -> usize {
    let round_bytes = |round: usize| {
        let blocks = Player::BOTH.map(|player| blocks(hands(round, player)));
        let tiles = || [Way::Whole, Way::Short].into_iter().flat_map(|way| &tree.round_on(way, round).tiles);
        let largest = |number: &dyn Fn(&Tile) -> usize| tiles().map(number).max().unwrap_or(0);
        // One buffer for the values and one for the reaches of either player.
        let buffer = |places: &dyn Fn(&Leaves) -> usize, [first, second]: [usize; 2]| {
            let most = |tile: &Tile| (places(&tile.leaves[0]) * first).max(places(&tile.leaves[1]) * second);
            largest(&most) * WIDTH * size_of::<Row>()
        };
        let leaves = buffer(&|leaves| leaves.values.len(), blocks)
            + buffer(&|leaves| leaves.reach.len(), [blocks[1], blocks[0]]);
        let rows = 3 * largest(&|tile| tile.plans.iter().map(Plan::slots).max().unwrap_or(0));
        let roots = tree.round(round).root_count();
        let exits = tree.round(round).exit_count().next_multiple_of(WIDTH);
        // Reaches of both players and values at the roots and exits, and sums over chance events in wide floats.
        let edges = (roots + exits) * 4 * (blocks[0] + blocks[1]);
        let sums = (4 + KEPT_SUMS) * exits * blocks[0].max(blocks[1]) * 2;
        leaves + (rows + edges + sums) * size_of::<Row>()
    };
    (0..tree.round_count()).map(round_bytes).sum()
}

/// Makes a buffer hold at least `len` rows, whatever is in them.
fn at_least(buffer: &mut Vec<Row>, len: usize) -> &mut [Row] {
    if buffer.len() < len {
        buffer.resize(len, Row::ZERO);
    }
    &mut buffer[..len]
}

thread_local! {
    static SCRATCH: RefCell<Vec<Scratch>> = const { RefCell::new(Vec::new()) };
    /// Buffers for sums over chance events, a few: they go from thread to thread, and would pile up where they end.
    static SUMS: RefCell<Vec<Vec<[f64; WIDTH]>>> = const { RefCell::new(Vec::new()) };
}

/// Lends a scratch that nobody on this thread is using.
fn with_scratch<R>(work: impl FnOnce(&mut Scratch) -> R) -> R {
    let mut scratch = SCRATCH.with_borrow_mut(Vec::pop).unwrap_or_default();
    let result = work(&mut scratch);
    SCRATCH.with_borrow_mut(|pool| pool.push(scratch));
    result
}

impl<G: Game> Traversal<'_, G> {
    /// Visits a deal and all that can follow it; `values` gets a row for each (block of own hands, root).
    pub fn visit(&self, deal: Deal, reaches: &Reaches, mut own: Option<MemoryView<'_>>, values: &mut [Row]) {
        let round = self.round(deal.round);
        let mut here = own.as_mut().and_then(|own| own.take(deal.round));
        let roots = round.root_count();
        with_scratch(|scratch| {
            for tile in &round.tiles {
                let visit = self.look(deal, tile, reaches, here.as_mut(), scratch);
                if self.skips && !visit.is_met && !visit.averages && !visit.learns {
                    values.chunks_mut(roots).for_each(|values| values[tile.roots.clone()].fill(Row::ZERO));
                    continue;
                }
                if visit.is_met || !self.skips {
                    let leaves = &tile.leaves[self.player.index()];
                    self.down(deal, tile, leaves, reaches, scratch);
                    self.value(deal, leaves, scratch);
                } else {
                    scratch.exits.players[self.player.opponent().index()].clear();
                }
                scratch.pruned.clear();
                if !tile.exits.is_empty() {
                    self.prune(&visit, here.as_ref(), scratch);
                    self.own_exits(deal, tile, reaches, here.as_ref(), scratch);
                    self.chance(deal, own.take(), scratch);
                }
                self.up(&visit, &mut here, scratch, values);
            }
        });
    }

    /// What there is to do in a tile. From here on, what learns has learned.
    fn look<'v>(
        &self,
        deal: Deal,
        tile: &'v Tile,
        reaches: &'v Reaches,
        own: Option<&mut DealMemory<'_>>,
        scratch: &mut Scratch,
    ) -> Visit<'v> {
        let roots = self.roots(deal);
        let arrive = |player: Player, root: usize| {
            !simd::run(AreZero { rows: &reaches.players[player.index()], start: root, step: roots })
        };
        let Scratch { met, discounts, .. } = scratch;
        met.clear();
        met.extend(tile.roots.clone().map(|root| arrive(self.player.opponent(), root)));
        discounts.clear();
        let mut averages = false;
        if let (Aim::Learn(learning), Some(own)) = (self.aim, own) {
            averages =
                learning.past_share.is_some() && tile.roots.clone().any(|root| arrive(self.player, root));
            let learned = &mut own.regrets.learned[tile.all_roots.clone()];
            discounts.extend(met.iter().zip(&tile.root_numbers).map(|(&is_met, &root)| {
                let learned = &mut learned[root as usize];
                let learns = is_met || sleep::must_settle(self.schedule, *learned, learning.iteration);
                learns.then(|| {
                    let last = std::mem::replace(learned, learning.iteration);
                    sleep::catch_up(self.schedule, &learning, last)
                })
            }));
        }
        let (is_met, learns) = (met.contains(&true), discounts.iter().any(Option::is_some));
        Visit { deal, tile, reaches, is_met, averages, learns }
    }

    /// Leaves out what comes after actions that no hand wants: as if the opponent did not get to those chance nodes.
    fn prune(&self, visit: &Visit<'_>, own: Option<&DealMemory<'_>>, scratch: &mut Scratch) {
        let &Visit { deal, tile, .. } = visit;
        let (Aim::Learn(Learning { prunes: true, .. }), Some(own), true) = (self.aim, own, visit.is_met)
        else {
            return;
        };
        if self.game.locks().tile(self.player, deal, tile).block(0).is_some() {
            return;
        }
        let plan = &tile.plans[self.player.index()];
        // A round that chance follows is one tile: these are all of the deal's regrets.
        prune::mark(plan, own.regrets.read(), self.game.hand_count(deal, self.player), &mut scratch.pruned);
        if scratch.pruned.is_empty() {
            return;
        }
        let villain = self.player.opponent();
        let reach = scratch.exits.players[villain.index()].chunks_mut(self.blocks(deal, villain) * WIDTH);
        for (places, reach) in tile.exit_places[self.player.index()].iter().zip(reach) {
            for (lane, &slot) in places.slots.iter().enumerate() {
                if scratch.pruned[slot as usize] {
                    reach.iter_mut().for_each(|row| row[lane] = 0.0);
                }
            }
        }
    }

    /// Values every leaf and chance node of a deal, for a look from outside: calls `report` with each node, block
    /// of hands, and row.
    pub fn leaf_values(&self, deal: Deal, reaches: &Reaches, mut report: impl FnMut(NodeId, usize, Row)) {
        let hands = self.blocks(deal, self.player) * WIDTH;
        if hands == 0 {
            return;
        }
        with_scratch(|scratch| {
            debug_assert_eq!(self.way, Way::Whole, "every node is looked at");
            for tile in &self.round(deal.round).tiles {
                let leaves = self.game.tree().single_leaves(tile, self.player);
                self.look(deal, tile, reaches, None, scratch);
                self.down(deal, tile, &leaves, reaches, scratch);
                self.value(deal, &leaves, scratch);
                if !tile.exits.is_empty() {
                    self.own_exits(deal, tile, reaches, None, scratch);
                    self.chance(deal, None, scratch);
                }
                let batches = leaves.batches.iter().map(|batch| batch.leaves.as_slice());
                let leaves = batches.zip(scratch.leaf_values.chunks(hands));
                let exits = tile.exits.chunks(WIDTH).zip(scratch.exit_values.chunks(hands));
                for (nodes, values) in leaves.chain(exits) {
                    for (lane, &node) in nodes.iter().enumerate() {
                        for (block, values) in values.chunks(WIDTH).enumerate() {
                            report(node, block, Row(std::array::from_fn(|hand| values[hand][lane])));
                        }
                    }
                }
            }
        });
    }

    fn blocks(&self, deal: Deal, player: Player) -> usize {
        blocks(self.game.hand_count(deal, player))
    }

    fn round(&self, round: usize) -> &Round {
        self.game.tree().round_on(self.way, round)
    }

    fn roots(&self, deal: Deal) -> usize {
        self.round(deal.round).root_count()
    }

    /// Carries the opponent's reach from the roots of a tile to its leaves and chance nodes.
    fn down(&self, deal: Deal, tile: &Tile, leaves: &Leaves, reaches: &Reaches, scratch: &mut Scratch) {
        let villain = self.player.opponent();
        let plan = &tile.plans[villain.index()];
        let (blocks, roots) = (self.blocks(deal, villain), self.roots(deal));
        let hands = blocks * WIDTH;
        let slots = at_least(&mut scratch.slots, plan.slots());
        let leaf_reach = at_least(&mut scratch.leaf_reach, leaves.reach.len() * hands);
        let exit_places = &tile.exit_places[villain.index()];
        let exit_reach = &mut scratch.exits.players[villain.index()];
        exit_reach.resize(exit_places.len() * hands, Row::ZERO);
        for block in 0..blocks {
            load_roots(&reaches.players[villain.index()], tile, block, roots, slots);
            self.realize_opponent(deal, tile, block, blocks, slots);
            simd::run(RowsToLanes { places: &leaves.reach, slots, block, hands, out: leaf_reach });
            simd::run(RowsToLanes { places: exit_places, slots, block, hands, out: exit_reach });
        }
    }

    /// Extends the opponent's reaches of a block's roots to all slots.
    fn realize_opponent(&self, deal: Deal, tile: &Tile, block: usize, blocks: usize, slots: &mut [Row]) {
        let villain = self.player.opponent();
        let locks = self.game.locks().tile(villain, deal, tile);
        match self.opponent_plays {
            Follow::Current => {
                let regrets = self.opponent.regrets(deal, villain, tile, blocks);
                locks.realize(self.matching(regrets), block, slots);
            }
            Follow::Average => {
                locks.realize(self.opponent.average(deal, villain, tile, blocks), block, slots);
            }
        }
    }

    fn matching<'r>(&self, regrets: RegretsRef<'r>) -> Matching<'r> {
        Matching { regrets, foresight: self.schedule.foresight() }
    }

    /// Values leaves, whose reaches have been brought down.
    fn value(&self, deal: Deal, leaves: &Leaves, scratch: &mut Scratch) {
        let (own, villain) = (self.player, self.player.opponent());
        // A best response to a whole strategy adds up over all hands, so that what one of them loses by rounding does not matter.
        let sums = if matches!(self.aim, Aim::Follow(_)) { Sums::Wide } else { Sums::Fast };
        let padded = [own, villain].map(|player| self.blocks(deal, player) * WIDTH);
        let hands = [own, villain].map(|player| self.game.hand_count(deal, player));
        let Scratch { leaf_reach, leaf_values, met, .. } = scratch;
        at_least(leaf_values, leaves.values.len() * padded[0]);
        let mut reaches = leaf_reach.chunks_exact(padded[1].max(1));
        let mut values = leaf_values.chunks_exact_mut(padded[0].max(1));
        let mut next_values = || {
            let (values, padding) = values.next().unwrap_or_default().split_at_mut(hands[0]);
            padding.fill(Row::ZERO);
            values
        };
        for batch in &leaves.batches {
            let mut next_reach = || reaches.next().map_or(&[][..], |reach| &reach[..hands[1]]);
            let skips = self.skips && !met[batch.roots.clone()].contains(&true);
            let (reach, values) = (next_reach(), next_values());
            let ends = Ends { leaves: &batch.leaves, reach, values };
            let beside = match batch.share {
                Share::Nothing if skips => {
                    ends.values.fill(Row::ZERO);
                    continue;
                }
                Share::Nothing => {
                    self.game.evaluate(deal, own, sums, ends);
                    continue;
                }
                Share::Reach => Beside::SameReach { leaves: &batch.beside, values: next_values() },
                Share::Values => Beside::SameValues { leaves: &batch.beside, reach: next_reach() },
            };
            if !skips {
                self.game.evaluate_beside(deal, own, sums, ends, beside);
                continue;
            }
            ends.values.fill(Row::ZERO);
            if let Beside::SameReach { values, .. } = beside {
                values.fill(Row::ZERO);
            }
        }
    }

    /// Carries a learner's own reach from the roots of a tile to its chance nodes: others have no average to weigh by it.
    fn own_exits(
        &self,
        deal: Deal,
        tile: &Tile,
        reaches: &Reaches,
        own: Option<&DealMemory<'_>>,
        scratch: &mut Scratch,
    ) {
        let Scratch { slots, exits, .. } = scratch;
        let Reaches { players, average } = exits;
        let now = &mut players[self.player.index()];
        let averages = matches!(self.aim, Aim::Learn(Learning { past_share: Some(_), .. }));
        let Some(own) = own.filter(|_| averages) else {
            now.clear();
            average.clear();
            return;
        };
        let plan = &tile.plans[self.player.index()];
        let (blocks, roots) = (self.blocks(deal, self.player), self.roots(deal));
        let hands = blocks * WIDTH;
        let slots = at_least(slots, plan.slots());
        let locks = self.game.locks().tile(self.player, deal, tile);
        let places = &tile.exit_places[self.player.index()];
        let collect = |block: usize, slots: &[Row], out: &mut Vec<Row>| {
            out.resize(places.len() * hands, Row::ZERO);
            simd::run(RowsToLanes { places, slots, block, hands, out });
        };
        for block in 0..blocks {
            load_roots(&reaches.players[self.player.index()], tile, block, roots, slots);
            locks.realize(self.matching(own.regrets.read()), block, slots);
            collect(block, slots, now);
            load_roots(&reaches.average, tile, block, roots, slots);
            locks.realize(own.average.read(), block, slots);
            collect(block, slots, average);
        }
    }

    /// Visits everything that can follow a deal, for the values at its chance nodes.
    fn chance(&self, deal: Deal, own: Option<MemoryView<'_>>, scratch: &mut Scratch) {
        let next = self.game.next_deals(deal);
        let sums = self.sum_events(deal, next, &scratch.exits, own);
        let chance = self.game.chance(deal.round + 1);
        let values = sums.iter().map(|line| Row(line.map(|sum| (sum * chance) as f32)));
        scratch.exit_values.clear();
        scratch.exit_values.extend(values);
        give_back(sums);
    }

    /// The values of some next deals, added up at this deal's hands: lines as those of [`ExitReaches`].
    fn sum_events(
        &self,
        deal: Deal,
        next: Range<usize>,
        reaches: &ExitReaches,
        own: Option<MemoryView<'_>>,
    ) -> Vec<[f64; WIDTH]> {
        let at = |index| Deal { round: deal.round + 1, index };
        if next.len() > GROUP {
            let middle = next.start + next.len().div_ceil(2 * GROUP) * GROUP;
            let (left_own, right_own) = self.split(own, at(next.start), at(middle));
            let (mut left, right) = rayon::join(
                || self.sum_events(deal, next.start..middle, reaches, left_own),
                || self.sum_events(deal, middle..next.end, reaches, right_own),
            );
            let sums = left.as_flattened_mut().iter_mut().zip(right.as_flattened());
            sums.for_each(|(left, right)| *left += right);
            give_back(right);
            return left;
        }
        let batches = self.round(deal.round).exit_count().div_ceil(WIDTH);
        let mut sums = zeros(batches * self.blocks(deal, self.player) * WIDTH);
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
        reaches: &ExitReaches,
        own: Option<MemoryView<'_>>,
        sums: &mut [[f64; WIDTH]],
    ) {
        let roots = self.roots(next);
        with_scratch(|scratch| {
            let carry = |player: Player, from: &[Row], to: &mut Vec<Row>| {
                to.resize(if from.is_empty() { 0 } else { roots * self.blocks(next, player) }, Row::ZERO);
                if !from.is_empty() {
                    let origin = &self.game.origins(next, player)[0];
                    let from_hands = self.blocks(deal, player) * WIDTH;
                    simd::run(Carry { from, from_hands, origin, roots, to });
                }
            };
            for player in Player::BOTH {
                let p = player.index();
                carry(player, &reaches.players[p], &mut scratch.reaches.players[p]);
            }
            carry(self.player, &reaches.average, &mut scratch.reaches.average);
            let values = at_least(&mut scratch.values, roots * self.blocks(next, self.player));
            self.visit(next, &scratch.reaches, own, values);
            let origins = self.game.origins(next, self.player);
            let hands = self.blocks(deal, self.player) * WIDTH;
            simd::run(Collect { values, roots, origins, sums, hands });
        });
    }

    /// Brings values from the leaves and chance nodes of a tile back to its roots.
    fn up(
        &self,
        visit: &Visit<'_>,
        own: &mut Option<DealMemory<'_>>,
        scratch: &mut Scratch,
        values: &mut [Row],
    ) {
        let &Visit { deal, tile, reaches, .. } = visit;
        let p = self.player.index();
        let plan = &tile.plans[p];
        let (blocks, roots) = (self.blocks(deal, self.player), self.roots(deal));
        let slots = at_least(&mut scratch.slots, plan.slots());
        let average_slots = at_least(&mut scratch.average_slots, plan.slots());
        let strategy = at_least(&mut scratch.strategy, plan.rows);
        let ends = [
            (&*tile.leaves[p].values, &*scratch.leaf_values),
            (&*tile.exit_places[p], &*scratch.exit_values),
        ];
        let hands = blocks * WIDTH;
        let pruned = &scratch.pruned;
        let load_values = |block: usize, slots: &mut [Row]| {
            if visit.is_met || !self.skips {
                simd::run(LanesToRows { bare: &tile.bare_slots[p], ends, slots, block, hands });
            } else {
                slots.fill(Row::ZERO);
            }
            // What is worth something only with what was left out counts for nothing.
            let pruned = slots.iter_mut().zip(pruned).filter(|(_, pruned)| **pruned);
            pruned.for_each(|(slot, _)| *slot = Row::ZERO);
        };
        let locks = self.game.locks().tile(self.player, deal, tile);
        let mut own = own.as_mut().map(|own| {
            (own.regrets.tile(self.player, tile, blocks), own.average.tile(self.player, tile, blocks))
        });
        for block in 0..blocks {
            match (self.aim, &mut own) {
                (Aim::Learn(learning), Some((regrets, average))) => {
                    let noise = |array| self.noise(&learning, deal, tile, block, array);
                    locks.strategy(self.matching(regrets.read()), block, strategy);
                    if let Some(past_share) = learning.past_share.filter(|_| visit.averages) {
                        load_roots(&reaches.players[p], tile, block, roots, slots);
                        load_roots(&reaches.average, tile, block, roots, average_slots);
                        let reach = OwnReach { now: slots, average: average_slots };
                        average.accumulate(plan, block, strategy, past_share, noise(1), reach);
                    }
                    load_values(block, slots);
                    if visit.learns {
                        let lesson = Lesson {
                            strategy,
                            discounts: &scratch.discounts,
                            keeps_negative: learning.keeps_negative,
                            noise: noise(0),
                            locks: locks.block(block),
                            pruned,
                        };
                        regrets.learn(plan, block, lesson, slots);
                    }
                }
                (Aim::Follow(memory), _) => {
                    locks.strategy(memory.average(deal, self.player, tile, blocks), block, strategy);
                    load_values(block, slots);
                    simd::run(BackUpMean { plan, strategy, values: slots });
                }
                _ => {
                    load_values(block, slots);
                    match locks.block(block) {
                        Some(locks) => locks.back_up_best(plan, slots),
                        None => simd::run(BackUpBest { plan, values: slots }),
                    }
                }
            }
            values[block * roots..][tile.roots.clone()].copy_from_slice(&slots[..tile.roots.len()]);
        }
    }

    /// The random numbers of a place at an iteration.
    fn noise(&self, learning: &Learning, deal: Deal, tile: &Tile, block: usize, array: usize) -> Noise {
        let tile = tile.nodes.start as usize;
        Noise::new(&[learning.iteration as usize, self.player.index(), array, deal.index, tile, block])
    }
}

/// A buffer of so many zeros, which may have been used before.
fn zeros(len: usize) -> Vec<[f64; WIDTH]> {
    let mut buffer = SUMS.with_borrow_mut(Vec::pop).unwrap_or_default();
    buffer.clear();
    buffer.resize(len, [0.0; WIDTH]);
    buffer
}

/// Keeps a buffer for the next one who needs [`zeros`], unless there are enough.
fn give_back(buffer: Vec<[f64; WIDTH]>) {
    SUMS.with_borrow_mut(|pool| {
        if pool.len() < KEPT_SUMS {
            pool.push(buffer);
        }
    });
}

/// The reaches at the roots of a tile, as the first slots.
#[inline(always)]
pub(crate) fn load_roots(reaches: &[Row], tile: &Tile, block: usize, roots: usize, slots: &mut [Row]) {
    slots[..tile.roots.len()].copy_from_slice(&reaches[block * roots..][tile.roots.clone()]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_do_not_pile_up() {
        (0..100).for_each(|len| give_back(vec![[1.0; WIDTH]; len]));
        assert_eq!(SUMS.with_borrow(Vec::len), KEPT_SUMS);
        assert_eq!(zeros(200), vec![[0.0; WIDTH]; 200]);
        assert_eq!(SUMS.with_borrow(Vec::len), KEPT_SUMS - 1);
    }
}
