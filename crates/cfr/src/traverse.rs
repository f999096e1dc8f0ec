//! One traversal of the whole game for one player: reach probabilities go down the tree, counterfactual values come back up.
//!
//! ```text
//! visit(deal, reach probabilities at the roots):
//!     forward pass:   the opponent's reach at every terminal and chance node      (propagate_opponent_reach)
//!     terminal nodes: each hand's counterfactual value against that reach         (evaluate_terminals)
//!     chance nodes:   visit every deal that can follow; sum the values            (visit_chance_outcomes)
//!     backward pass:  values of decisions, last first; regrets and averages       (update_regrets, backpropagate_…)
//! ```
//!
//! This is CFR (Zinkevich, Johanson, Bowling and Piccione, *Regret minimization in games with incomplete information*, 2007) in
//! vector form on the public tree, with every chance event enumerated and alternating updates. A visit covers a whole deal, all
//! lines of its round together, so that terminal nodes share the tables of their deal. What the opponent does not reach is not
//! visited (see [`crate::skipping`]); all-ins may be evaluated without dealing the cards to come (see [`AllIns`]).

mod scratch;
mod value_loader;

use crate::branch_values::BranchValues;
use crate::game::{PairedFolds, SumPrecision, TerminalBatch};
use crate::iteration::IterationParams;
use crate::kernels::{AllZero, BackpropagateBest, BackpropagateMean, MapReach, RowsToLanes, SumValues};
use crate::locks::LockOverlay;
use crate::quantize::RoundingSeed;
use crate::reach::{ReachProbabilities, load_roots};
use crate::regret_table::PlayerRegrets;
use crate::simd::{self, Row, WIDTH, blocks};
use crate::state::{DealState, OwnReach, RegretMatching, RegretUpdate, RegretsRef, StateLayout, StateView};
use crate::strategy::Strategy;
use crate::tree::{AllIns, NodeId, Pairing, Round, SequenceForm, Subtree, Terminals, Tile, Tree};
use crate::{Deal, Game, Player, prune, skipping};
use scratch::{KEPT_SUMS, Scratch, at_least, give_back, with_scratch, zeros};
use std::ops::Range;
use std::time::{Duration, Instant};
use value_loader::ValueLoader;

/// Deals are summed in groups of this many, and the groups pairwise: an order that does not depend on the number of threads.
const GROUP: usize = 4;

/// What a traversal computes at the player's decisions.
#[derive(Clone, Copy)]
pub(crate) enum Mode<'a> {
    /// The value of the current strategy, while regrets and average strategy are updated. They are in the views that are passed
    /// down.
    UpdateRegrets(IterationParams<'a>),
    /// The value of the best action for each hand.
    BestResponse,
    /// The value of the player's average strategy.
    EvaluateAverage(&'a Strategy),
}

/// The strategy that the opponent plays.
#[derive(Clone, Copy)]
pub(crate) enum OpponentStrategy<'a> {
    /// Regret matching on its regrets.
    Current(PlayerRegrets<'a>),
    /// Its average strategy.
    Average(&'a Strategy),
}

/// A traversal for one player.
pub(crate) struct Traversal<'a, G> {
    pub game: &'a G,
    pub player: Player,
    pub all_ins: AllIns,
    pub mode: Mode<'a>,
    pub opponent: OpponentStrategy<'a>,
    /// The layout of the player's state, to split views by.
    pub layout: &'a StateLayout,
    /// Whether to skip what the opponent does not reach; the answer is the same.
    pub skips: bool,
    /// The values of deals that are not visited here, because their state is elsewhere.
    pub branches: Option<&'a BranchValues>,
}

/// What the visit of a deal gives to whoever is responsible for the deal before.
pub(crate) struct BranchVisit {
    /// A row for each (block of the player's hands, root).
    pub values: Vec<Row>,
    /// How long it took.
    pub elapsed: Duration,
}

/// The work of a visit in one tile.
struct TileWork<'a> {
    deal: Deal,
    tile: &'a Tile,
    reach: &'a ReachProbabilities,
    /// Whether the opponent reaches any of the root trees.
    is_reached: bool,
    /// Whether the player's average strategy is updated.
    averages: bool,
    /// Whether any regrets are updated.
    updates: bool,
}

/// The memory that the buffers of one thread need at most, where `hands` gives the largest number of hands that a player can have in a
/// deal of a round. Visits of the rounds nest, and each round may be under way on its own.
pub fn working_bytes(tree: &Tree, hands: impl Fn(usize, Player) -> usize) -> usize {
    let round_bytes = |round: usize| {
        let blocks = Player::BOTH.map(|player| blocks(hands(round, player)));
        let all_ins = [AllIns::Dealt, AllIns::Collapsed];
        let tiles = || all_ins.into_iter().flat_map(|all_ins| &tree.round_with(all_ins, round).tiles);
        let largest = |number: &dyn Fn(&Tile) -> usize| tiles().map(number).max().unwrap_or(0);
        // One buffer for the values and one for the reach probabilities of either player.
        let buffer = |lanes: &dyn Fn(&Terminals) -> usize, [first, second]: [usize; 2]| {
            let most =
                |tile: &Tile| (lanes(&tile.terminals[0]) * first).max(lanes(&tile.terminals[1]) * second);
            largest(&most) * WIDTH * size_of::<Row>()
        };
        let terminals = buffer(&|terminals| terminals.values.len(), blocks)
            + buffer(&|terminals| terminals.reach.len(), [blocks[1], blocks[0]]);
        let rows = 3 * largest(&|tile| tile.forms.iter().map(SequenceForm::sequences).max().unwrap_or(0));
        let roots = tree.round(round).root_count();
        let chance_nodes = tree.round(round).chance_count().next_multiple_of(WIDTH);
        // Reach probabilities of both players and values at the roots and chance nodes, and sums over deals in f64.
        let edges = (roots + chance_nodes) * 4 * (blocks[0] + blocks[1]);
        let sums = (4 + KEPT_SUMS) * chance_nodes * blocks[0].max(blocks[1]) * 2;
        terminals + (rows + edges + sums) * size_of::<Row>()
    };
    (0..tree.round_count()).map(round_bytes).sum()
}

impl<G: Game> Traversal<'_, G> {
    /// Visits a deal and all that can follow it; `values` gets a row for each (block of the player's hands, root).
    pub fn visit(
        &self,
        deal: Deal,
        reach: &ReachProbabilities,
        mut state: Option<StateView<'_>>,
        values: &mut [Row],
    ) {
        let round = self.round(deal.round);
        let mut here = state.as_mut().and_then(|state| state.take(deal.round));
        let roots = round.root_count();
        with_scratch(|scratch| {
            for tile in &round.tiles {
                self.find_reached(deal, tile, reach, &mut scratch.reached);
                self.stamp_updates(tile, here.as_mut(), scratch);
                let work = self.work(deal, tile, reach, scratch);
                if self.skips && !work.is_reached && !work.averages && !work.updates {
                    values.chunks_mut(roots).for_each(|values| values[tile.roots.clone()].fill(Row::ZERO));
                    continue;
                }
                if work.is_reached || !self.skips {
                    let terminals = &tile.terminals[self.player.index()];
                    self.propagate_opponent_reach(&work, terminals, scratch);
                    self.evaluate_terminals(deal, terminals, scratch);
                } else {
                    scratch.chance_reach.players[self.player.opponent().index()].clear();
                }
                scratch.pruned.clear();
                if !tile.chance_nodes.is_empty() {
                    self.prune(&work, here.as_ref(), scratch);
                    self.propagate_own_reach(&work, here.as_ref(), scratch);
                    self.visit_chance_outcomes(deal, state.take(), scratch);
                }
                match (self.mode, &mut here) {
                    (Mode::UpdateRegrets(params), Some(state)) => {
                        self.update_regrets(&work, &params, state, scratch, values);
                    }
                    (Mode::EvaluateAverage(strategy), _) => {
                        self.backpropagate_average(&work, strategy, scratch, values);
                    }
                    _ => self.backpropagate_best(&work, scratch, values),
                }
            }
        });
    }

    /// The reach probabilities at the chance nodes of a deal: all that a visit of the deals that follow needs to know of it.
    pub fn chance_reach(
        &self,
        deal: Deal,
        reach: &ReachProbabilities,
        state: Option<&DealState<'_>>,
    ) -> ReachProbabilities {
        with_scratch(|scratch| {
            // A round that chance follows is one tile.
            let Some(tile) = self.round(deal.round).tiles.first() else { return Default::default() };
            self.find_reached(deal, tile, reach, &mut scratch.reached);
            scratch.discounts.clear();
            scratch.pruned.clear();
            let work = self.work(deal, tile, reach, scratch);
            if work.is_reached || !self.skips {
                self.propagate_opponent_reach(&work, &Terminals::default(), scratch);
            } else {
                scratch.chance_reach.players[self.player.opponent().index()].clear();
            }
            self.prune(&work, state, scratch);
            self.propagate_own_reach(&work, state, scratch);
            scratch.chance_reach.clone()
        })
    }

    /// Visits some of the deals that can follow a deal, in ascending order. `state` is that of these deals and no others.
    pub fn visit_branches(
        &self,
        deal: Deal,
        next: &[usize],
        reach: &ReachProbabilities,
        state: Option<StateView<'_>>,
    ) -> Vec<BranchVisit> {
        let at = |index| Deal { round: deal.round + 1, index };
        match next.split_at(next.len() / 2) {
            ([], []) => Vec::new(),
            ([], &[index, ..]) => {
                let start = Instant::now();
                let values = self.visit_next(deal, at(index), reach, state, <[Row]>::to_vec);
                vec![BranchVisit { values, elapsed: start.elapsed() }]
            }
            (left, right) => {
                let (left_state, right_state) = self.split(state, at(left[0]), at(right[0]));
                let (mut visits, later) = rayon::join(
                    || self.visit_branches(deal, left, reach, left_state),
                    || self.visit_branches(deal, right, reach, right_state),
                );
                visits.extend(later);
                visits
            }
        }
    }

    /// Evaluates every terminal and chance node of a deal, or those of a subtree: calls `report` with each node, block of hands, and
    /// row of values.
    pub fn node_values(
        &self,
        deal: Deal,
        reach: &ReachProbabilities,
        within: Option<&Subtree>,
        mut report: impl FnMut(NodeId, usize, Row),
    ) {
        let hands = self.blocks(deal, self.player) * WIDTH;
        if hands == 0 {
            return;
        }
        debug_assert_eq!(self.all_ins, AllIns::Dealt, "every node is reported");
        let is_wanted = |node: NodeId| within.is_none_or(|within| within.contains(node));
        let tiles = self.round(deal.round).tiles.iter();
        with_scratch(|scratch| {
            for tile in tiles.filter(|tile| within.is_none_or(|within| tile.has_any_of(&within.nodes()))) {
                let terminals = self.game.tree().unpaired_terminals(tile, self.player, is_wanted);
                self.find_reached(deal, tile, reach, &mut scratch.reached);
                let work = self.work(deal, tile, reach, scratch);
                self.propagate_opponent_reach(&work, &terminals, scratch);
                self.evaluate_terminals(deal, &terminals, scratch);
                scratch.chance_values.clear();
                if tile.chance_nodes.iter().any(|&node| is_wanted(node)) {
                    self.keep_chance_nodes(deal, tile, is_wanted, scratch);
                    self.propagate_own_reach(&work, None, scratch);
                    self.visit_chance_outcomes(deal, None, scratch);
                }
                let batches = terminals.batches.iter().map(|batch| batch.nodes.as_slice());
                let terminals = batches.zip(scratch.terminal_values.chunks(hands));
                let chance = tile.chance_nodes.chunks(WIDTH).zip(scratch.chance_values.chunks(hands));
                for (nodes, values) in terminals.chain(chance) {
                    for (lane, &node) in nodes.iter().enumerate().filter(|(_, node)| is_wanted(**node)) {
                        for (block, values) in values.chunks(WIDTH).enumerate() {
                            report(node, block, Row(std::array::from_fn(|hand| values[hand][lane])));
                        }
                    }
                }
            }
        });
    }

    /// Leaves the other chance nodes of a tile out, as if the opponent did not reach them.
    fn keep_chance_nodes(
        &self,
        deal: Deal,
        tile: &Tile,
        is_kept: impl Fn(NodeId) -> bool,
        scratch: &mut Scratch,
    ) {
        let opponent = self.player.opponent();
        let hands = self.blocks(deal, opponent) * WIDTH;
        let reach = scratch.chance_reach.players[opponent.index()].chunks_mut(hands.max(1));
        for (nodes, reach) in tile.chance_nodes.chunks(WIDTH).zip(reach) {
            for (lane, _) in nodes.iter().enumerate().filter(|(_, node)| !is_kept(**node)) {
                reach.iter_mut().for_each(|row| row[lane] = 0.0);
            }
        }
    }

    fn blocks(&self, deal: Deal, player: Player) -> usize {
        blocks(self.game.hand_count(deal, player))
    }

    fn round(&self, round: usize) -> &Round {
        self.game.tree().round_with(self.all_ins, round)
    }

    fn roots(&self, deal: Deal) -> usize {
        self.round(deal.round).root_count()
    }

    /// Whether any hand of a player reaches a root.
    fn reaches(&self, player: Player, deal: Deal, root: usize, reach: &ReachProbabilities) -> bool {
        let rows = &reach.players[player.index()];
        !simd::run(AllZero { rows, start: root, step: self.roots(deal) })
    }

    /// Finds out which root trees of a tile the opponent reaches.
    fn find_reached(&self, deal: Deal, tile: &Tile, reach: &ReachProbabilities, reached: &mut Vec<bool>) {
        let opponent = self.player.opponent();
        reached.clear();
        reached.extend(tile.roots.clone().map(|root| self.reaches(opponent, deal, root, reach)));
    }

    /// Marks the root trees whose regrets are updated with this iteration, and finds their discounts.
    fn stamp_updates(&self, tile: &Tile, state: Option<&mut DealState<'_>>, scratch: &mut Scratch) {
        let Scratch { reached, discounts, .. } = scratch;
        discounts.clear();
        let (Mode::UpdateRegrets(params), Some(state)) = (self.mode, state) else { return };
        let last_update = &mut state.regrets.last_update[tile.all_roots.clone()];
        discounts.extend(reached.iter().zip(&tile.root_numbers).map(|(&is_reached, &root)| {
            let last_update = &mut last_update[root as usize];
            let iteration = params.iteration;
            let updates =
                is_reached || skipping::must_clear_predictions(params.schedule, *last_update, iteration);
            updates.then(|| {
                let last = std::mem::replace(last_update, iteration);
                skipping::discounts_since(&params, last)
            })
        }));
    }

    /// The work of a visit in one tile.
    fn work<'w>(
        &self,
        deal: Deal,
        tile: &'w Tile,
        reach: &'w ReachProbabilities,
        scratch: &Scratch,
    ) -> TileWork<'w> {
        let averages = matches!(self.mode, Mode::UpdateRegrets(IterationParams { past_weight: Some(_), .. }))
            && tile.roots.clone().any(|root| self.reaches(self.player, deal, root, reach));
        TileWork {
            deal,
            tile,
            reach,
            is_reached: scratch.reached.contains(&true),
            averages,
            updates: scratch.discounts.iter().any(Option::is_some),
        }
    }

    /// Prunes the chance nodes after actions with clearly negative regret: as if the opponent did not reach them.
    fn prune(&self, work: &TileWork<'_>, state: Option<&DealState<'_>>, scratch: &mut Scratch) {
        let &TileWork { deal, tile, .. } = work;
        let (Mode::UpdateRegrets(IterationParams { prunes: true, .. }), Some(state), true) =
            (self.mode, state, work.is_reached)
        else {
            return;
        };
        if self.locks(self.player, work).is_some() {
            return;
        }
        let form = &tile.forms[self.player.index()];
        // A round that chance follows is one tile: these are all of the deal's regrets.
        let hands = self.game.hand_count(deal, self.player);
        prune::mark_pruned(form, state.regrets.read(), hands, &mut scratch.pruned);
        if scratch.pruned.is_empty() {
            return;
        }
        let opponent = self.player.opponent();
        let reach =
            scratch.chance_reach.players[opponent.index()].chunks_mut(self.blocks(deal, opponent) * WIDTH);
        for (lanes, reach) in tile.chance_sequences[self.player.index()].iter().zip(reach) {
            for (lane, &sequence) in lanes.sequences.iter().enumerate() {
                if scratch.pruned[sequence as usize] {
                    reach.iter_mut().for_each(|row| row[lane] = 0.0);
                }
            }
        }
    }

    fn locks<'w>(&'w self, player: Player, work: &TileWork<'w>) -> LockOverlay<'w> {
        self.game.locks().tile(player, work.deal, work.tile)
    }

    /// Forward pass: extends the opponent's reach probabilities from the roots of a tile to its terminal and chance nodes.
    fn propagate_opponent_reach(&self, work: &TileWork<'_>, terminals: &Terminals, scratch: &mut Scratch) {
        let &TileWork { deal, tile, reach, .. } = work;
        let opponent = self.player.opponent();
        let (blocks, roots) = (self.blocks(deal, opponent), self.roots(deal));
        let hands = blocks * WIDTH;
        let sequences = at_least(&mut scratch.sequences, tile.forms[opponent.index()].sequences());
        let terminal_reach = at_least(&mut scratch.terminal_reach, terminals.reach.len() * hands);
        let chance_lanes = &tile.chance_sequences[opponent.index()];
        let chance_reach = &mut scratch.chance_reach.players[opponent.index()];
        chance_reach.resize(chance_lanes.len() * hands, Row::ZERO);
        let locks = self.locks(opponent, work);
        for block in 0..blocks {
            load_roots(&reach.players[opponent.index()], tile, block, roots, sequences);
            match self.opponent {
                OpponentStrategy::Current(regrets) => {
                    let regrets = regrets.tile(deal, tile, blocks);
                    locks.propagate_reach(self.regret_matching(regrets), block, sequences);
                }
                OpponentStrategy::Average(strategy) => {
                    locks.propagate_reach(strategy.tile(deal, opponent, tile, blocks), block, sequences);
                }
            }
            simd::run(RowsToLanes { lanes: &terminals.reach, sequences, block, hands, out: terminal_reach });
            simd::run(RowsToLanes { lanes: chance_lanes, sequences, block, hands, out: chance_reach });
        }
    }

    /// The current strategy that regrets stand for.
    fn regret_matching<'r>(&self, regrets: RegretsRef<'r>) -> RegretMatching<'r> {
        let prediction_weight = match self.mode {
            Mode::UpdateRegrets(params) => params.schedule.prediction_weight(),
            Mode::BestResponse | Mode::EvaluateAverage(_) => 0.0,
        };
        RegretMatching { regrets, prediction_weight }
    }

    /// Evaluates terminal nodes against the opponent's reach probabilities there.
    fn evaluate_terminals(&self, deal: Deal, terminals: &Terminals, scratch: &mut Scratch) {
        let (own, opponent) = (self.player, self.player.opponent());
        // A best response to a whole strategy is summed over all hands, so that what one of them loses by rounding does not matter.
        let precision = match self.mode {
            Mode::EvaluateAverage(_) => SumPrecision::Double,
            Mode::UpdateRegrets(_) | Mode::BestResponse => SumPrecision::Single,
        };
        let padded = [own, opponent].map(|player| self.blocks(deal, player) * WIDTH);
        let hands = [own, opponent].map(|player| self.game.hand_count(deal, player));
        let Scratch { terminal_reach, terminal_values, reached, .. } = scratch;
        at_least(terminal_values, terminals.values.len() * padded[0]);
        let mut reaches = terminal_reach.chunks_exact(padded[1].max(1));
        let mut values = terminal_values.chunks_exact_mut(padded[0].max(1));
        let mut next_values = || {
            let (values, padding) = values.next().unwrap_or_default().split_at_mut(hands[0]);
            padding.fill(Row::ZERO);
            values
        };
        for batch in &terminals.batches {
            let mut next_reach = || reaches.next().map_or(&[][..], |reach| &reach[..hands[1]]);
            let (reach, values) = (next_reach(), next_values());
            let nodes = &batch.folds;
            let folds = match batch.pairing {
                Pairing::Unpaired => PairedFolds::None,
                Pairing::SameReach => PairedFolds::SameReach { nodes, values: next_values() },
                Pairing::SameValues => PairedFolds::SameValues { nodes, reach: next_reach() },
            };
            if self.skips && !reached[batch.roots.clone()].contains(&true) {
                values.fill(Row::ZERO);
                if let PairedFolds::SameReach { values, .. } = folds {
                    values.fill(Row::ZERO);
                }
                continue;
            }
            let batch = TerminalBatch { kind: batch.kind, nodes: &batch.nodes, reach, values, folds };
            self.game.evaluate(deal, own, precision, batch);
        }
    }

    /// Extends the player's own reach probabilities from the roots of a tile to its chance nodes, where its average strategy is
    /// updated: only that needs them.
    fn propagate_own_reach(&self, work: &TileWork<'_>, state: Option<&DealState<'_>>, scratch: &mut Scratch) {
        let &TileWork { deal, tile, reach, .. } = work;
        let Scratch { sequences, chance_reach, .. } = scratch;
        let ReachProbabilities { players, average } = chance_reach;
        let current = &mut players[self.player.index()];
        let averages = matches!(self.mode, Mode::UpdateRegrets(IterationParams { past_weight: Some(_), .. }));
        let Some(state) = state.filter(|_| averages) else {
            current.clear();
            average.clear();
            return;
        };
        let form = &tile.forms[self.player.index()];
        let (blocks, roots) = (self.blocks(deal, self.player), self.roots(deal));
        let hands = blocks * WIDTH;
        let sequences = at_least(sequences, form.sequences());
        let locks = self.locks(self.player, work);
        let lanes = &tile.chance_sequences[self.player.index()];
        let to_chance_nodes = |block: usize, sequences: &[Row], out: &mut Vec<Row>| {
            out.resize(lanes.len() * hands, Row::ZERO);
            simd::run(RowsToLanes { lanes, sequences, block, hands, out });
        };
        for block in 0..blocks {
            load_roots(&reach.players[self.player.index()], tile, block, roots, sequences);
            locks.propagate_reach(self.regret_matching(state.regrets.read()), block, sequences);
            to_chance_nodes(block, sequences, current);
            load_roots(&reach.average, tile, block, roots, sequences);
            locks.propagate_reach(state.average.read(), block, sequences);
            to_chance_nodes(block, sequences, average);
        }
    }

    /// Visits every deal that can follow a deal, for the values at its chance nodes.
    fn visit_chance_outcomes(&self, deal: Deal, state: Option<StateView<'_>>, scratch: &mut Scratch) {
        let next = self.game.next_deals(deal);
        let sums = self.sum_over_deals(deal, next, &scratch.chance_reach, state);
        let chance = self.game.chance(deal.round + 1);
        let values = sums.iter().map(|row| Row(row.map(|sum| (sum * chance) as f32)));
        scratch.chance_values.clear();
        scratch.chance_values.extend(values);
        give_back(sums);
    }

    /// The values of some next deals, summed for this deal's hands: a row for each (batch of chance nodes, hand).
    fn sum_over_deals(
        &self,
        deal: Deal,
        next: Range<usize>,
        reach: &ReachProbabilities,
        state: Option<StateView<'_>>,
    ) -> Vec<[f64; WIDTH]> {
        let at = |index| Deal { round: deal.round + 1, index };
        if next.len() > GROUP {
            let middle = next.start + next.len().div_ceil(2 * GROUP) * GROUP;
            let (left_state, right_state) = self.split(state, at(next.start), at(middle));
            let (mut left, right) = rayon::join(
                || self.sum_over_deals(deal, next.start..middle, reach, left_state),
                || self.sum_over_deals(deal, middle..next.end, reach, right_state),
            );
            let sums = left.as_flattened_mut().iter_mut().zip(right.as_flattened());
            sums.for_each(|(left, right)| *left += right);
            give_back(right);
            return left;
        }
        let batches = self.round(deal.round).chance_count().div_ceil(WIDTH);
        let mut sums = zeros(batches * self.blocks(deal, self.player) * WIDTH);
        let mut rest = state;
        for index in next {
            let (state, others) = self.split(rest, at(index), at(index + 1));
            rest = others;
            self.visit_chance_outcome(deal, at(index), reach, state, &mut sums);
        }
        sums
    }

    /// Splits the state of consecutive deals, of which `first` is the first, in front of `middle`.
    fn split<'m>(
        &self,
        state: Option<StateView<'m>>,
        first: Deal,
        middle: Deal,
    ) -> (Option<StateView<'m>>, Option<StateView<'m>>) {
        state.map(|state| state.split(self.game, self.layout, first, middle)).unzip()
    }

    /// Adds the values of one next deal to `sums`, once for each chance event that leads there. It is visited, unless its values are
    /// given.
    fn visit_chance_outcome(
        &self,
        deal: Deal,
        next: Deal,
        reach: &ReachProbabilities,
        state: Option<StateView<'_>>,
        sums: &mut [[f64; WIDTH]],
    ) {
        let mut add = |values: &[Row]| {
            let origin = self.game.origins(next, self.player);
            let counts = self.game.event_counts(next, self.player);
            let (roots, hands) = (self.roots(next), self.blocks(deal, self.player) * WIDTH);
            simd::run(SumValues { values, roots, origin, counts, sums, hands });
        };
        match self.branches.and_then(|branches| branches.of(next)) {
            Some(values) => add(values),
            None => self.visit_next(deal, next, reach, state, add),
        }
    }

    /// Visits one next deal, and calls `use_values` with a row for each (block of the player's hands, root).
    fn visit_next<R>(
        &self,
        deal: Deal,
        next: Deal,
        reach: &ReachProbabilities,
        state: Option<StateView<'_>>,
        use_values: impl FnOnce(&[Row]) -> R,
    ) -> R {
        with_scratch(|scratch| {
            self.map_reach(deal, next, reach, &mut scratch.next_reach);
            let rows = self.roots(next) * self.blocks(next, self.player);
            let values = at_least(&mut scratch.next_values, rows);
            self.visit(next, &scratch.next_reach, state, values);
            use_values(values)
        })
    }

    /// Maps reach probabilities at the chance nodes of a deal to the roots of a next one.
    pub fn map_reach(
        &self,
        deal: Deal,
        next: Deal,
        reach: &ReachProbabilities,
        next_reach: &mut ReachProbabilities,
    ) {
        let roots = self.roots(next);
        let map = |player: Player, from: &[Row], to: &mut Vec<Row>| {
            to.resize(if from.is_empty() { 0 } else { roots * self.blocks(next, player) }, Row::ZERO);
            if !from.is_empty() {
                let origin = self.game.origins(next, player);
                let from_hands = self.blocks(deal, player) * WIDTH;
                simd::run(MapReach { from, from_hands, origin, roots, to });
            }
        };
        for player in Player::BOTH {
            let p = player.index();
            map(player, &reach.players[p], &mut next_reach.players[p]);
        }
        map(self.player, &reach.average, &mut next_reach.average);
    }

    /// Backward pass of an iteration: updates the regrets of a tile, and its average strategy.
    fn update_regrets(
        &self,
        work: &TileWork<'_>,
        params: &IterationParams<'_>,
        state: &mut DealState<'_>,
        scratch: &mut Scratch,
        values: &mut [Row],
    ) {
        let &TileWork { deal, tile, reach, .. } = work;
        let p = self.player.index();
        let form = &tile.forms[p];
        let (blocks, roots) = (self.blocks(deal, self.player), self.roots(deal));
        let loader = self.loader(work, &scratch.terminal_values, &scratch.chance_values, &scratch.pruned);
        let sequences = at_least(&mut scratch.sequences, form.sequences());
        let average_sequences = at_least(&mut scratch.average_sequences, form.sequences());
        let strategy = at_least(&mut scratch.strategy, form.rows);
        let locks = self.locks(self.player, work);
        let mut regrets = state.regrets.tile(self.player, tile, blocks);
        let mut average = state.average.tile(self.player, tile, blocks);
        for block in 0..blocks {
            locks.strategy(self.regret_matching(regrets.read()), block, strategy);
            if let Some(past_weight) = params.past_weight.filter(|_| work.averages) {
                load_roots(&reach.players[p], tile, block, roots, sequences);
                load_roots(&reach.average, tile, block, roots, average_sequences);
                let reach = OwnReach { current: sequences, average: average_sequences };
                let rounding = self.average_rounding(params.average_number, deal, tile, block);
                average.update(form, block, strategy, past_weight, rounding, reach);
            }
            loader.load(block, sequences);
            if work.updates {
                let update = RegretUpdate {
                    strategy,
                    discounts: &scratch.discounts,
                    keeps_negative: params.schedule.keeps_negative(),
                    rounding: self.regret_rounding(params.iteration, deal, tile, block),
                    locks: locks.block(block),
                    pruned: &scratch.pruned,
                };
                regrets.update(form, block, update, sequences);
            }
            values[block * roots..][tile.roots.clone()].copy_from_slice(&sequences[..tile.roots.len()]);
        }
    }

    /// Backward pass: a decision is worth the mean of its actions under the average strategy.
    fn backpropagate_average(
        &self,
        work: &TileWork<'_>,
        average: &Strategy,
        scratch: &mut Scratch,
        values: &mut [Row],
    ) {
        let &TileWork { deal, tile, .. } = work;
        let form = &tile.forms[self.player.index()];
        let blocks = self.blocks(deal, self.player);
        let locks = self.locks(self.player, work);
        let average = average.tile(deal, self.player, tile, blocks);
        let strategy = at_least(&mut scratch.strategy, form.rows);
        let loader = self.loader(work, &scratch.terminal_values, &scratch.chance_values, &scratch.pruned);
        let sequences = at_least(&mut scratch.sequences, form.sequences());
        for block in 0..blocks {
            locks.strategy(average, block, strategy);
            loader.load(block, sequences);
            simd::run(BackpropagateMean { form, strategy, values: sequences });
            self.store_roots(work, block, sequences, values);
        }
    }

    /// Backward pass: a decision is worth its best action.
    fn backpropagate_best(&self, work: &TileWork<'_>, scratch: &mut Scratch, values: &mut [Row]) {
        let &TileWork { deal, tile, .. } = work;
        let form = &tile.forms[self.player.index()];
        let locks = self.locks(self.player, work);
        let loader = self.loader(work, &scratch.terminal_values, &scratch.chance_values, &scratch.pruned);
        let sequences = at_least(&mut scratch.sequences, form.sequences());
        for block in 0..self.blocks(deal, self.player) {
            loader.load(block, sequences);
            match locks.block(block) {
                Some(locks) => locks.backpropagate_best(form, sequences),
                None => simd::run(BackpropagateBest { form, values: sequences }),
            }
            self.store_roots(work, block, sequences, values);
        }
    }

    /// Copies the values of a tile's roots to where a visit returns them.
    fn store_roots(&self, work: &TileWork<'_>, block: usize, sequences: &[Row], values: &mut [Row]) {
        let roots = &work.tile.roots;
        values[block * self.roots(work.deal)..][roots.clone()].copy_from_slice(&sequences[..roots.len()]);
    }

    fn loader<'v>(
        &self,
        work: &TileWork<'v>,
        terminal_values: &'v [Row],
        chance_values: &'v [Row],
        pruned: &'v [bool],
    ) -> ValueLoader<'v> {
        let (tile, p) = (work.tile, self.player.index());
        ValueLoader {
            unset: &tile.unset_sequences[p],
            sources: [
                (&tile.terminals[p].values, terminal_values),
                (&tile.chance_sequences[p], chance_values),
            ],
            hands: self.blocks(work.deal, self.player) * WIDTH,
            is_evaluated: work.is_reached || !self.skips,
            pruned,
        }
    }

    /// The random numbers for rounding the regrets of a block at an iteration.
    fn regret_rounding(&self, iteration: u32, deal: Deal, tile: &Tile, block: usize) -> RoundingSeed {
        let tile = tile.nodes.start as usize;
        RoundingSeed::new(&[iteration as usize, self.player.index(), REGRETS, deal.index, tile, block])
    }

    /// The same for its average strategy, which changes by less and less.
    fn average_rounding(&self, number: u32, deal: Deal, tile: &Tile, block: usize) -> RoundingSeed {
        let tile = tile.nodes.start as usize;
        RoundingSeed::new(&[self.player.index(), AVERAGE, deal.index, tile, block]).at_update(number)
    }
}

/// Key of regrets in [`RoundingSeed`].
const REGRETS: usize = 0;

/// Key of the average strategy in [`RoundingSeed`].
const AVERAGE: usize = 1;
