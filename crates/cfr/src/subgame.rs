//! The rest of a game from one node on, as a game of its own.

use crate::game::{PairedFolds, SumPrecision, TerminalBatch};
use crate::simd::Row;
use crate::tree::{MAX_ROUNDS, Node, NodeId, NodeKind, Terminal, Tree};
use crate::{Deal, Game, Locks, Player};
use std::ops::Range;
use std::sync::Arc;

/// How far a subgame goes.
enum Depth {
    /// To the end of the game.
    Whole,
    /// To the next chance nodes. The counterfactual values of each player's hands there are known, chance node by chance node.
    Round([Vec<Vec<f32>>; 2]),
}

/// The part of a game that begins at a node of a deal: a root of a round, or a chance node. The reach probabilities there are the
/// weights of the hands, and values are the counterfactual ones of the whole game.
pub struct Subgame<G> {
    game: Arc<G>,
    deal: Deal,
    tree: Tree,
    /// Where each node is in the whole game.
    nodes: Vec<NodeId>,
    /// Which deals of the whole game each round has.
    deals: [Range<usize>; MAX_ROUNDS],
    weights: [Vec<f32>; 2],
    depth: Depth,
    locks: Locks,
}

impl<G: Game> Subgame<G> {
    /// Everything that can follow `node` on a deal, which both players reach with these probabilities.
    pub fn new(game: Arc<G>, deal: Deal, node: NodeId, reach: [Vec<f32>; 2]) -> Self {
        Self::to_depth(game, deal, node, reach, Depth::Whole)
    }

    /// As [`Subgame::new`], up to the next chance nodes, where the counterfactual values of each player's hands are given, in the
    /// order of the nodes. They may be empty if values are never read.
    pub fn to_chance(
        game: Arc<G>,
        deal: Deal,
        node: NodeId,
        reach: [Vec<f32>; 2],
        values: [Vec<Vec<f32>>; 2],
    ) -> Self {
        Self::to_depth(game, deal, node, reach, Depth::Round(values))
    }

    fn to_depth(game: Arc<G>, deal: Deal, node: NodeId, weights: [Vec<f32>; 2], depth: Depth) -> Self {
        let (nodes, originals) = subtree(game.tree(), node, matches!(depth, Depth::Round(_)));
        let tree = Tree::new(nodes).unwrap_or_else(|error| unreachable!("a part of a tree is one: {error}"));
        let mut deals = [const { 0..0 }; MAX_ROUNDS];
        deals[0] = deal.index..deal.index + 1;
        for round in 1..tree.round_count() {
            let next = |index| game.next_deals(Deal { round: deal.round + round - 1, index });
            let before = deals[round - 1].clone();
            deals[round] = next(before.start).start..next(before.end - 1).end;
        }
        let locks = Locks::default();
        let mut subgame = Self { game, deal, tree, nodes: originals, deals, weights, depth, locks };
        subgame.locks = subgame.bind_locks();
        subgame
    }

    /// The locks of the whole game that are in the subgame.
    fn bind_locks(&self) -> Locks {
        let mut locks = Locks::default();
        if self.game.locks().is_empty() {
            return locks;
        }
        for round in 0..self.tree.round_count() {
            for deal in (0..self.deals[round].len()).map(|index| Deal { round, index }) {
                for node in self.tree.round_nodes(round) {
                    let NodeKind::Decision(player) = self.tree.node(node).kind else { continue };
                    let original = self.original_node(node);
                    let whole = self.game.tree().tile_of(original);
                    let overlay = self.game.locks().tile(player, self.original_deal(deal), whole);
                    if overlay.is_some() {
                        locks.expect(player, deal, self.tree.tile_of(node));
                    }
                    let hands = self.hand_count(deal, player);
                    for (hand, probabilities) in overlay.locked_hands(original) {
                        locks.lock(&self.tree, (deal, node), hands, hand, &probabilities);
                    }
                }
            }
        }
        locks
    }

    /// The node of the whole game that a node stands for.
    pub fn original_node(&self, node: NodeId) -> NodeId {
        self.nodes[node.index()]
    }

    fn original_nodes(&self, nodes: &[NodeId]) -> Vec<NodeId> {
        nodes.iter().map(|&node| self.original_node(node)).collect()
    }

    /// The node that stands for a node of the whole game, if that is part of the subgame.
    pub fn find(&self, original: NodeId) -> Option<NodeId> {
        self.nodes.iter().position(|&node| node == original).map(|index| NodeId(index as u32))
    }

    /// The deal of the whole game that a deal stands for.
    pub fn original_deal(&self, deal: Deal) -> Deal {
        Deal { round: self.deal.round + deal.round, index: self.deals[deal.round].start + deal.index }
    }
}

/// The nodes from `root` on, laid out as [`Tree::new`] wants them, and the node of the whole tree that each stands for.
fn subtree(tree: &Tree, root: NodeId, cut: bool) -> (Vec<Node>, Vec<NodeId>) {
    let (mut nodes, mut originals): (Vec<Node>, Vec<NodeId>) = (Vec::new(), Vec::new());
    // The roots of a round, each with the chance node that leads there.
    let mut roots: Vec<(Option<usize>, NodeId)> = vec![(None, root)];
    while !roots.is_empty() {
        let mut next_roots = Vec::new();
        for (parent, root) in roots {
            let start = originals.len();
            if let Some(parent) = parent {
                nodes[parent].first_child = NodeId(start as u32);
            }
            originals.push(root);
            let mut at = start;
            while at < originals.len() {
                let mut node = *tree.node(originals[at]);
                match node.kind {
                    NodeKind::Decision(_) => {
                        let children = node.children();
                        node.first_child = NodeId(originals.len() as u32);
                        originals.extend(children);
                    }
                    NodeKind::Chance | NodeKind::AllIn if cut => {
                        let kind = NodeKind::Terminal(Terminal::DepthLimit);
                        node = Node { kind, child_count: 0, ..node };
                    }
                    NodeKind::Chance | NodeKind::AllIn => next_roots.push((Some(at), node.first_child)),
                    NodeKind::Terminal(_) => {}
                }
                nodes.push(node);
                at += 1;
            }
        }
        roots = next_roots;
    }
    (nodes, originals)
}

impl<G: Game> Game for Subgame<G> {
    fn tree(&self) -> &Tree {
        &self.tree
    }

    fn deal_count(&self, round: usize) -> usize {
        self.deals[round].len()
    }

    fn next_deals(&self, deal: Deal) -> Range<usize> {
        let first = self.deals[deal.round + 1].start;
        let next = self.game.next_deals(self.original_deal(deal));
        next.start - first..next.end - first
    }

    fn chance(&self, round: usize) -> f64 {
        self.game.chance(self.deal.round + round)
    }

    fn hand_count(&self, deal: Deal, player: Player) -> usize {
        self.game.hand_count(self.original_deal(deal), player)
    }

    fn origins(&self, deal: Deal, player: Player) -> &[u16] {
        self.game.origins(self.original_deal(deal), player)
    }

    fn event_counts(&self, deal: Deal, player: Player) -> &[u8] {
        self.game.event_counts(self.original_deal(deal), player)
    }

    fn orbit_sizes(&self, deal: Deal, player: Player) -> &[u8] {
        self.game.orbit_sizes(self.original_deal(deal), player)
    }

    fn weights(&self, player: Player) -> &[f32] {
        &self.weights[player.index()]
    }

    fn total_weight(&self) -> f64 {
        self.game.total_weight()
    }

    fn constant_sum(&self) -> Option<f64> {
        None
    }

    fn locks(&self) -> &Locks {
        &self.locks
    }

    fn evaluate(&self, deal: Deal, player: Player, precision: SumPrecision, batch: TerminalBatch<'_>) {
        let TerminalBatch { kind, nodes, reach, values, folds } = batch;
        if let (Terminal::DepthLimit, Depth::Round(known)) = (kind, &self.depth) {
            values.fill(Row::ZERO);
            for (lane, &node) in nodes.iter().enumerate() {
                let known = known[player.index()].get(self.depth_limit_number(node)).into_iter().flatten();
                for (value, &known) in values.iter_mut().zip(known) {
                    value[lane] = known;
                }
            }
            return;
        }
        let fold_originals;
        let folds = match folds {
            PairedFolds::None => PairedFolds::None,
            PairedFolds::SameReach { nodes, values } => {
                fold_originals = self.original_nodes(nodes);
                PairedFolds::SameReach { nodes: &fold_originals, values }
            }
            PairedFolds::SameValues { nodes, reach } => {
                fold_originals = self.original_nodes(nodes);
                PairedFolds::SameValues { nodes: &fold_originals, reach }
            }
        };
        let nodes = &self.original_nodes(nodes);
        let batch = TerminalBatch { kind, nodes, reach, values, folds };
        self.game.evaluate(self.original_deal(deal), player, precision, batch);
    }
}

impl<G> Subgame<G> {
    /// Which of the chance nodes at the depth limit a node is, in the order of the nodes.
    fn depth_limit_number(&self, node: NodeId) -> usize {
        let is_limit = |node: &&Node| node.kind == NodeKind::Terminal(Terminal::DepthLimit);
        self.tree.nodes()[..node.index()].iter().filter(is_limit).count()
    }
}
