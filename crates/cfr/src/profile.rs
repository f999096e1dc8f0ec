//! Reading average strategies: action probabilities, reach probabilities and values at the nodes of one deal, best responses and
//! exploitability.

use crate::branch_values::BranchValues;
use crate::reach::{ReachProbabilities, load_roots, root_rows};
use crate::simd::{Row, WIDTH, blocks, flat};
use crate::strategy::Strategy;
use crate::traverse::{Mode, OpponentStrategy, Traversal};
use crate::tree::{AllIns, NodeId, NodeKind, Subtree, Tile};
use crate::{Deal, Game, Player};

/// A deal, and how likely both players' average strategies get to its roots.
pub struct ReachedDeal {
    deal: Deal,
    reach: ReachProbabilities,
}

impl ReachedDeal {
    pub(crate) fn new(deal: Deal, reach: ReachProbabilities) -> Self {
        Self { deal, reach }
    }

    /// Which deal.
    pub fn deal(&self) -> Deal {
        self.deal
    }
}

/// The strategy of a player against the opponent's average strategy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Response {
    /// Its own average strategy.
    Average,
    /// A best response.
    Best,
}

/// The counterfactual values of a player's hands at nodes of one deal.
pub struct DealValues {
    first: u32,
    hands: usize,
    blocks: usize,
    rows: Vec<Row>,
    /// The nodes that have values; none if those of the whole round have.
    within: Option<Subtree>,
}

impl DealValues {
    /// The value of each hand at a node that was valued.
    pub fn at(&self, node: NodeId) -> &[f32] {
        debug_assert!(self.covers(node), "only nodes that were valued have values");
        let start = (node.0 - self.first) as usize * self.blocks;
        &flat(&self.rows[start..start + self.blocks])[..self.hands]
    }

    /// Whether a node of the deal's round was valued.
    pub fn covers(&self, node: NodeId) -> bool {
        self.within.as_ref().is_none_or(|within| within.contains(node))
    }
}

/// The sum of a number of each hand over all hands, where each of the given ones stands for an orbit.
pub(crate) fn sum_over_hands(orbit_sizes: &[u8], numbers: impl Iterator<Item = f64>) -> f64 {
    if orbit_sizes.is_empty() {
        return numbers.sum();
    }
    numbers.zip(orbit_sizes).map(|(number, &size)| f64::from(size) * number).sum()
}

/// The average strategies of both players together with their game: a strategy profile, to read and to measure.
pub struct Profile<'a, G> {
    game: &'a G,
    strategy: &'a Strategy,
    branches: Option<&'a BranchValues>,
}

impl<G> Clone for Profile<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G> Copy for Profile<'_, G> {}

impl<'a, G: Game> Profile<'a, G> {
    /// Strategies of a game.
    pub fn new(game: &'a G, strategy: &'a Strategy) -> Self {
        Self { game, strategy, branches: None }
    }

    /// With the values of the deals of the second round, where the strategies are those of the first one only.
    pub(crate) fn with_branches(self, branches: &'a BranchValues) -> Self {
        Self { branches: Some(branches), ..self }
    }

    /// The reach probabilities at the chance nodes of the first round for a traversal of `player` against the opponent's average
    /// strategy.
    pub(crate) fn chance_reach(
        &self,
        player: Player,
        response: Response,
        all_ins: AllIns,
    ) -> ReachProbabilities {
        let traversal = Traversal { all_ins, ..self.traversal(player, self.mode(response)) };
        traversal.chance_reach(Deal::ROOT, &ReachProbabilities::at_root(self.game, None), None)
    }

    /// The game.
    pub fn game(&self) -> &'a G {
        self.game
    }

    /// The expected value of a player, per deal, when both play their average strategies.
    pub fn expected_value(&self, player: Player) -> f64 {
        self.mean(player, Mode::EvaluateAverage(self.strategy))
    }

    /// The expected value of a player, per deal, with a best response to the opponent's average strategy.
    pub fn best_response_value(&self, player: Player) -> f64 {
        self.mean(player, Mode::BestResponse)
    }

    /// Half the sum of what both players would gain by a best response: the distance to a Nash equilibrium, zero at one.
    pub fn exploitability(&self) -> f64 {
        let best: f64 = Player::BOTH.iter().map(|&player| self.best_response_value(player)).sum();
        let now = self
            .game
            .constant_sum()
            .unwrap_or_else(|| Player::BOTH.iter().map(|&player| self.expected_value(player)).sum());
        // Rounding may leave a little less than zero.
        ((best - now) / 2.0).max(0.0)
    }

    /// A hash of the stored strategies: equal digests mean equal solutions.
    pub fn digest(&self) -> String {
        self.strategy.digest(self.game)
    }

    fn mean(&self, player: Player, mode: Mode<'_>) -> f64 {
        let mut values = root_rows(self.game, player);
        let traversal = Traversal { all_ins: AllIns::Collapsed, ..self.traversal(player, mode) };
        traversal.visit(Deal::ROOT, &ReachProbabilities::at_root(self.game, None), None, &mut values);
        let weights = self.game.weights(player).iter();
        let values = weights.zip(flat(&values)).map(|(&weight, &value)| f64::from(weight) * f64::from(value));
        sum_over_hands(self.game.orbit_sizes(Deal::ROOT, player), values) / self.game.total_weight()
    }

    /// A traversal of `player` against the opponent's average strategy.
    pub(crate) fn traversal<'t>(&'t self, player: Player, mode: Mode<'t>) -> Traversal<'t, G> {
        Traversal {
            game: self.game,
            player,
            all_ins: AllIns::Dealt,
            mode,
            opponent: OpponentStrategy::Average(self.strategy),
            layout: &self.strategy.layouts()[player.index()],
            skips: true,
            branches: self.branches,
        }
    }

    /// The first deal.
    pub fn start(&self) -> ReachedDeal {
        ReachedDeal { deal: Deal::ROOT, reach: ReachProbabilities::at_root(self.game, None) }
    }

    /// A deal that follows another one.
    pub fn follow(&self, from: &ReachedDeal, index: usize) -> ReachedDeal {
        let next = Deal { round: from.deal.round + 1, index };
        let tile = &self.game.tree().round(from.deal.round).tiles[0];
        let players = Player::BOTH.map(|player| {
            let sequences = self.sequences(from, tile, player);
            let hands = self.game.hand_count(from.deal, player);
            let next_blocks = blocks(self.game.hand_count(next, player));
            let origin = self.game.origins(next, player);
            let roots = tile.chance_nodes.len();
            let mut rows = vec![Row::ZERO; roots * next_blocks];
            let chance_nodes = tile.chance_sequences[player.index()]
                .iter()
                .flat_map(|lanes| &lanes.sequences[..lanes.count]);
            for (root, &sequence) in chance_nodes.enumerate() {
                let reach = &sequences[sequence as usize];
                debug_assert!(reach.len() >= hands);
                for (to, &from) in origin.iter().enumerate() {
                    rows[to / WIDTH * roots + root][to % WIDTH] = reach[from as usize];
                }
            }
            rows
        });
        ReachedDeal { deal: next, reach: ReachProbabilities { players, average: Vec::new() } }
    }

    /// The reach probabilities of a player's hands at a node with its average strategy, weights included.
    pub fn reach(&self, at: &ReachedDeal, node: NodeId, player: Player) -> Vec<f32> {
        let (tile, sequence) = (self.game.tree().tile_of(node), self.game.tree().sequence(node, player));
        let hands = self.game.hand_count(at.deal, player);
        let mut reach = Vec::with_capacity(blocks(hands) * WIDTH);
        self.for_each_block(at, tile, player, |rows| reach.extend_from_slice(&rows[sequence].0));
        reach.truncate(hands);
        reach
    }

    /// The average strategy at a decision node: for each action, its probability with each hand. `None` where the hand does not
    /// reach the node and is not locked there; empty if the node is not a decision node.
    pub fn strategy(&self, at: &ReachedDeal, node: NodeId) -> Vec<Vec<Option<f32>>> {
        let NodeKind::Decision(player) = self.game.tree().node(node).kind else {
            return Vec::new();
        };
        let reach = self.reach(at, node, player);
        let tile = self.game.tree().tile_of(node);
        let locked = self.game.locks().tile(player, at.deal, tile).are_locked(node, reach.len());
        let of_hand = |((&probability, &reach), &locked): ((&f32, &f32), &bool)| {
            (locked || reach > 0.0).then_some(probability)
        };
        let of_action = |action: &Vec<f32>| action.iter().zip(&reach).zip(&locked).map(of_hand).collect();
        self.probabilities(at.deal, node, player).iter().map(of_action).collect()
    }

    /// The stored average strategy at a decision of `player`, with locks: for each action, its probability with each hand.
    fn probabilities(&self, deal: Deal, node: NodeId, player: Player) -> Vec<Vec<f32>> {
        let tile = self.game.tree().tile_of(node);
        let form = &tile.forms[player.index()];
        let Some(decision) = form.decision_at(node) else { return Vec::new() };
        let decision = &form.decisions[decision];
        let hands = self.game.hand_count(deal, player);
        let average = self.strategy.tile(deal, player, tile, blocks(hands));
        let locks = self.game.locks().tile(player, deal, tile);
        let mut actions = vec![Vec::with_capacity(blocks(hands) * WIDTH); decision.actions as usize];
        let mut strategy = vec![Row::ZERO; form.rows];
        for block in 0..blocks(hands) {
            locks.strategy(average, block, &mut strategy);
            for (action, row) in actions.iter_mut().zip(&strategy[decision.row as usize..]) {
                action.extend_from_slice(&row.0);
            }
        }
        actions.iter_mut().for_each(|action| action.truncate(hands));
        actions
    }

    /// The counterfactual values of a player's hands at every node of a deal when both play their average strategies.
    pub fn values(&self, at: &ReachedDeal, player: Player) -> DealValues {
        self.values_within(at, player, None, Response::Average)
    }

    /// As [`Profile::values`], to the same bits, at a node and whatever follows it in its round: no deal is visited for the sake of
    /// other nodes.
    pub fn values_below(&self, at: &ReachedDeal, node: NodeId, player: Player) -> DealValues {
        self.values_within(at, player, Some(self.game.tree().subtree(node)), Response::Average)
    }

    /// The counterfactual values of a player's hands at a node and whatever follows it in its round, when the player responds best to
    /// the opponent's average strategy from there on. Locked hands play their locks.
    pub fn best_response_values_below(&self, at: &ReachedDeal, node: NodeId, player: Player) -> DealValues {
        self.values_within(at, player, Some(self.game.tree().subtree(node)), Response::Best)
    }

    fn values_within(
        &self,
        at: &ReachedDeal,
        player: Player,
        within: Option<Subtree>,
        response: Response,
    ) -> DealValues {
        let round = self.game.tree().round(at.deal.round);
        let nodes = within.as_ref().map_or(round.nodes.clone(), |within| within.nodes());
        let hands = self.game.hand_count(at.deal, player);
        let blocks = blocks(hands);
        let rows = vec![Row::ZERO; nodes.len() * blocks];
        let mut values = DealValues { first: nodes.start, hands, blocks, rows, within };
        let traversal = self.traversal(player, self.mode(response));
        let DealValues { first, within, rows, .. } = &mut values;
        traversal.node_values(at.deal, &at.reach, within.as_ref(), |node, block, values| {
            rows[(node.0 - *first) as usize * blocks + block] = values;
        });
        for tile in round.tiles.iter().filter(|tile| tile.has_any_of(&nodes)) {
            self.add_decisions(at.deal, tile, player, response, &mut values);
        }
        values
    }

    /// Values the decisions of a tile, where its terminal and chance nodes have values: last first, a player's own by the mean over
    /// its strategy or by its best action, the opponent's by the sum, as counterfactual values hold the opponent's reach.
    fn add_decisions(
        &self,
        deal: Deal,
        tile: &Tile,
        player: Player,
        response: Response,
        values: &mut DealValues,
    ) {
        let tree = self.game.tree();
        let form = &tile.forms[player.index()];
        let average = self.strategy.tile(deal, player, tile, values.blocks);
        let locks = self.game.locks().tile(player, deal, tile);
        // Where the strategy of each decision begins, if it is the player's own.
        let mut decisions = Vec::new();
        for node in tile.nodes.clone().rev().map(NodeId).filter(|&node| values.covers(node)) {
            if let NodeKind::Decision(_) = tree.node(node).kind {
                let own = form.decision_at(node).map(|own| form.decisions[own].row as usize);
                let is_locked = match response {
                    Response::Best if own.is_some() => locks.are_locked(node, values.blocks * WIDTH),
                    _ => Vec::new(),
                };
                decisions.push((node, own, is_locked));
            }
        }
        let mut strategy = vec![Row::ZERO; form.rows];
        for block in 0..values.blocks {
            locks.strategy(average, block, &mut strategy);
            let row = |node: NodeId| (node.0 - values.first) as usize * values.blocks + block;
            for (node, own, is_locked) in &decisions {
                for (action, child) in tree.node(*node).children().enumerate() {
                    let value = values.rows[row(child)];
                    let sum = &mut values.rows[row(*node)];
                    match own {
                        Some(_) if response == Response::Best && action == 0 => {
                            let probability = &strategy[own.unwrap_or_default()];
                            (0..WIDTH).for_each(|hand| {
                                let is_locked = is_locked[block * WIDTH + hand];
                                sum[hand] =
                                    if is_locked { probability[hand] * value[hand] } else { value[hand] };
                            });
                        }
                        Some(first) if response == Response::Best => {
                            let probability = &strategy[first + action];
                            (0..WIDTH).for_each(|hand| match is_locked[block * WIDTH + hand] {
                                true => sum[hand] += probability[hand] * value[hand],
                                false => sum[hand] = sum[hand].max(value[hand]),
                            });
                        }
                        Some(first) => {
                            let probability = &strategy[first + action];
                            (0..WIDTH).for_each(|hand| sum[hand] += probability[hand] * value[hand]);
                        }
                        None => (0..WIDTH).for_each(|hand| sum[hand] += value[hand]),
                    }
                }
            }
        }
    }

    /// The counterfactual values of a player's hands at every chance node of a deal, in the order of the nodes, against the
    /// opponent's average strategy.
    pub fn chance_values(&self, at: &ReachedDeal, player: Player, response: Response) -> Vec<Vec<f32>> {
        let blocks = blocks(self.game.hand_count(at.deal, player));
        let chance_nodes: Vec<NodeId> = self.game.tree().chance_nodes(at.deal.round).collect();
        let mut rows = vec![vec![Row::ZERO; blocks]; chance_nodes.len()];
        let traversal = self.traversal(player, self.mode(response));
        traversal.node_values(at.deal, &at.reach, None, |node, block, row| {
            if let Ok(index) = chance_nodes.binary_search(&node) {
                rows[index][block] = row;
            }
        });
        self.cropped(at.deal, player, rows.iter().map(Vec::as_slice))
    }

    /// The counterfactual values of a player's hands at every root of a deal, against the opponent's average strategy.
    pub fn root_values(&self, at: &ReachedDeal, player: Player, response: Response) -> Vec<Vec<f32>> {
        let blocks = blocks(self.game.hand_count(at.deal, player));
        let roots = self.game.tree().roots(at.deal.round).len();
        let mut rows = vec![Row::ZERO; roots * blocks];
        self.traversal(player, self.mode(response)).visit(at.deal, &at.reach, None, &mut rows);
        let of_root = |root: usize| (0..blocks).map(|block| rows[block * roots + root]).collect();
        let by_root: Vec<Vec<Row>> = (0..roots).map(of_root).collect();
        self.cropped(at.deal, player, by_root.iter().map(Vec::as_slice))
    }

    pub(crate) fn mode(&self, response: Response) -> Mode<'_> {
        match response {
            Response::Average => Mode::EvaluateAverage(self.strategy),
            Response::Best => Mode::BestResponse,
        }
    }

    /// Rows without padding.
    fn cropped<'r>(
        &self,
        deal: Deal,
        player: Player,
        rows: impl Iterator<Item = &'r [Row]>,
    ) -> Vec<Vec<f32>> {
        let hands = self.game.hand_count(deal, player);
        rows.map(|rows| flat(rows)[..hands].to_vec()).collect()
    }

    /// A player's reach probabilities in every sequence of a tile, one for each hand.
    fn sequences(&self, at: &ReachedDeal, tile: &Tile, player: Player) -> Vec<Vec<f32>> {
        let mut sequences = vec![Vec::new(); tile.forms[player.index()].sequences()];
        self.for_each_block(at, tile, player, |rows| {
            for (sequence, row) in sequences.iter_mut().zip(rows) {
                sequence.extend_from_slice(&row.0);
            }
        });
        sequences
    }

    /// Calls `read` with a player's reach probabilities in every sequence of a tile, block by block of its hands.
    fn for_each_block(&self, at: &ReachedDeal, tile: &Tile, player: Player, mut read: impl FnMut(&[Row])) {
        let blocks = blocks(self.game.hand_count(at.deal, player));
        let roots = self.game.tree().round(at.deal.round).root_count();
        let average = self.strategy.tile(at.deal, player, tile, blocks);
        let locks = self.game.locks().tile(player, at.deal, tile);
        let mut rows = vec![Row::ZERO; tile.forms[player.index()].sequences()];
        for block in 0..blocks {
            load_roots(&at.reach.players[player.index()], tile, block, roots, &mut rows);
            locks.propagate_reach(average, block, &mut rows);
            read(&rows);
        }
    }
}
