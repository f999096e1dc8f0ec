//! The rest of a game from one point on, as a game of its own.

use crate::simd::Row;
use crate::{Beside, Deal, Ends, Game, Kind, Locks, MAX_ROUNDS, Node, NodeId, Player, Sums, Tree};
use std::ops::Range;

/// The class of chance nodes at which a subgame ends. No game may use it.
const CUT: u8 = u8::MAX;

/// How far a subgame goes.
enum Depth {
    /// To the end of the game.
    Whole,
    /// To the next chance nodes. What each player's hands are worth there is known, chance node by chance node.
    Round([Vec<Vec<f32>>; 2]),
}

/// The part of a game that begins at a node of a deal: a root of a round, or a chance node. The reaches there are the
/// weights of the hands, and values are the counterfactual ones of the whole game.
pub struct Subgame<'g, G> {
    game: &'g G,
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

impl<'g, G: Game> Subgame<'g, G> {
    /// Everything that can follow `node` on a deal, which both players reach like this.
    pub fn new(game: &'g G, deal: Deal, node: NodeId, reaches: [Vec<f32>; 2]) -> Self {
        Self::to_depth(game, deal, node, reaches, Depth::Whole)
    }

    /// As [`Subgame::new`], up to the next chance nodes. There each player's hands are worth what `exits` says, in the
    /// order of the nodes; nothing, as far as values are never asked for.
    pub fn to_chance(
        game: &'g G,
        deal: Deal,
        node: NodeId,
        reaches: [Vec<f32>; 2],
        exits: [Vec<Vec<f32>>; 2],
    ) -> Self {
        Self::to_depth(game, deal, node, reaches, Depth::Round(exits))
    }

    fn to_depth(game: &'g G, deal: Deal, node: NodeId, weights: [Vec<f32>; 2], depth: Depth) -> Self {
        let (nodes, places) = subtree(game.tree(), node, matches!(depth, Depth::Round(_)));
        let tree = Tree::new(nodes).unwrap_or_else(|error| unreachable!("a part of a tree is one: {error}"));
        let mut deals = [const { 0..0 }; MAX_ROUNDS];
        deals[0] = deal.index..deal.index + 1;
        for round in 1..tree.round_count() {
            let next = |index| game.next_deals(Deal { round: deal.round + round - 1, index });
            let before = deals[round - 1].clone();
            deals[round] = next(before.start).start..next(before.end - 1).end;
        }
        let locks = Locks::default();
        let mut subgame = Self { game, deal, tree, nodes: places, deals, weights, depth, locks };
        subgame.locks = subgame.bind();
        subgame
    }

    /// The locks of the whole game that are in here.
    fn bind(&self) -> Locks {
        let mut locks = Locks::default();
        if self.game.locks().is_empty() {
            return locks;
        }
        for round in 0..self.tree.round_count() {
            for deal in (0..self.deals[round].len()).map(|index| Deal { round, index }) {
                for node in self.tree.round_nodes(round) {
                    let Kind::Decision(player) = self.tree.node(node).kind else { continue };
                    let place = self.place(node);
                    let whole = self.game.tree().tile_of(place);
                    let overlay = self.game.locks().tile(player, self.deal(deal), whole);
                    if overlay.is_some() {
                        locks.expect(player, deal, self.tree.tile_of(node));
                    }
                    for (hand, shares) in overlay.bound(place) {
                        locks.lock(self, deal, node, hand, &shares);
                    }
                }
            }
        }
        locks
    }

    /// Where a node is in the whole game.
    pub fn place(&self, node: NodeId) -> NodeId {
        self.nodes[node.index()]
    }

    fn places(&self, nodes: &[NodeId]) -> Vec<NodeId> {
        nodes.iter().map(|&node| self.place(node)).collect()
    }

    /// The node that is at a place of the whole game, if it is part of this.
    pub fn find(&self, place: NodeId) -> Option<NodeId> {
        self.nodes.iter().position(|&node| node == place).map(|index| NodeId(index as u32))
    }

    /// Which deal of the whole game a deal is.
    pub fn deal(&self, deal: Deal) -> Deal {
        Deal { round: self.deal.round + deal.round, index: self.deals[deal.round].start + deal.index }
    }
}

/// The nodes from `root` on, laid out as [`Tree::new`] wants them, and where each is in the whole tree.
fn subtree(tree: &Tree, root: NodeId, cut: bool) -> (Vec<Node>, Vec<NodeId>) {
    let (mut nodes, mut places): (Vec<Node>, Vec<NodeId>) = (Vec::new(), Vec::new());
    // The roots of a round, each with the chance node that leads there.
    let mut roots: Vec<(Option<usize>, NodeId)> = vec![(None, root)];
    while !roots.is_empty() {
        let mut next_roots = Vec::new();
        for (parent, root) in roots {
            let start = places.len();
            if let Some(parent) = parent {
                nodes[parent].first_child = NodeId(start as u32);
            }
            places.push(root);
            let mut at = start;
            while at < places.len() {
                let mut node = *tree.node(places[at]);
                match node.kind {
                    Kind::Decision(_) => {
                        let children = node.children();
                        node.first_child = NodeId(places.len() as u32);
                        places.extend(children);
                    }
                    Kind::Chance | Kind::Runout { .. } if cut => {
                        node = Node { kind: Kind::Terminal { class: CUT }, child_count: 0, ..node };
                    }
                    Kind::Chance | Kind::Runout { .. } => next_roots.push((Some(at), node.first_child)),
                    Kind::Terminal { .. } => {}
                }
                nodes.push(node);
                at += 1;
            }
        }
        roots = next_roots;
    }
    (nodes, places)
}

impl<G: Game> Game for Subgame<'_, G> {
    fn tree(&self) -> &Tree {
        &self.tree
    }

    fn deal_count(&self, round: usize) -> usize {
        self.deals[round].len()
    }

    fn next_deals(&self, deal: Deal) -> Range<usize> {
        let first = self.deals[deal.round + 1].start;
        let next = self.game.next_deals(self.deal(deal));
        next.start - first..next.end - first
    }

    fn chance(&self, round: usize) -> f64 {
        self.game.chance(self.deal.round + round)
    }

    fn hand_count(&self, deal: Deal, player: Player) -> usize {
        self.game.hand_count(self.deal(deal), player)
    }

    fn origins(&self, deal: Deal, player: Player) -> &[Vec<u16>] {
        self.game.origins(self.deal(deal), player)
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

    fn evaluate(&self, deal: Deal, player: Player, sums: Sums, ends: Ends<'_>) {
        let Ends { leaves, reach, values } = ends;
        match &self.depth {
            Depth::Round(exits) if self.tree.node(leaves[0]).kind == Kind::Terminal { class: CUT } => {
                values.fill(Row::ZERO);
                for (lane, &leaf) in leaves.iter().enumerate() {
                    let known = exits[player.index()].get(self.exit_number(leaf)).into_iter().flatten();
                    for (value, &known) in values.iter_mut().zip(known) {
                        value[lane] = known;
                    }
                }
            }
            _ => {
                let ends = Ends { leaves: &self.places(leaves), reach, values };
                self.game.evaluate(self.deal(deal), player, sums, ends);
            }
        }
    }

    fn evaluate_beside(&self, deal: Deal, player: Player, sums: Sums, ends: Ends<'_>, beside: Beside<'_>) {
        let (leaves, others): (Vec<NodeId>, Vec<NodeId>);
        leaves = self.places(ends.leaves);
        let beside = match beside {
            Beside::SameReach { leaves, values } => {
                others = self.places(leaves);
                Beside::SameReach { leaves: &others, values }
            }
            Beside::SameValues { leaves, reach } => {
                others = self.places(leaves);
                Beside::SameValues { leaves: &others, reach }
            }
        };
        let ends = Ends { leaves: &leaves, ..ends };
        self.game.evaluate_beside(self.deal(deal), player, sums, ends, beside);
    }
}

impl<G> Subgame<'_, G> {
    /// Which of the chance nodes at the end a leaf is, in the order of the nodes.
    fn exit_number(&self, leaf: NodeId) -> usize {
        let is_cut = |node: &&Node| node.kind == Kind::Terminal { class: CUT };
        self.tree.nodes()[..leaf.index()].iter().filter(is_cut).count()
    }
}
