//! The public tree: who acts where, and what comes after. Built once, shared by every deal.
//!
//! Nodes are one flat array, round by round; in a round one root tree after the other; in a root tree breadth first.
//! [`TreeBuilder`](crate::TreeBuilder) lays out nodes that are given in any nesting.

mod node;
mod sequence_form;
mod subtree;
mod terminals;
mod tile;

use crate::Player;
pub use node::{MAX_ACTIONS, MAX_ROUNDS, Node, NodeId, NodeKind, Terminal, TreeError};
pub(crate) use sequence_form::{Decision, Run, SequenceForm};
use std::ops::Range;
pub(crate) use subtree::Subtree;
use terminals::TerminalNode;
pub(crate) use terminals::{LaneSequences, Pairing, Terminals};
pub(crate) use tile::{AllIns, Round, Tile};

/// The public tree of a game.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    /// The rounds with all-ins dealt.
    dealt: Vec<Round>,
    /// The rounds with all-ins collapsed; empty if there are no all-ins.
    collapsed: Vec<Round>,
    /// Both players' sequences at each node, within the node's tile.
    sequences: Vec<[u32; 2]>,
}

impl Tree {
    /// Checks and indexes nodes that are laid out round by round; within a round one root tree after the other,
    /// in the order of the chance nodes that lead to them; and within a root tree breadth first.
    pub fn new(nodes: Vec<Node>) -> Result<Self, TreeError> {
        if nodes.is_empty() {
            return Err(TreeError::Empty);
        }
        let mut sequences = vec![[0; 2]; nodes.len()];
        let mut dealt = Vec::new();
        let mut start = 0;
        let mut roots = 1;
        while roots > 0 {
            if dealt.len() == MAX_ROUNDS {
                return Err(TreeError::TooManyRounds);
            }
            let round = Round::with_all_ins_dealt(&nodes, start, roots, &mut sequences)?;
            start = round.nodes.end;
            roots = round.chance_count();
            dealt.push(round);
        }
        if start as usize != nodes.len() {
            return Err(TreeError::Order(start, "nothing leads to it"));
        }
        let collapsed = tile::with_all_ins_collapsed(&nodes, &dealt)?;
        Ok(Self { nodes, dealt, collapsed, sequences })
    }

    /// All nodes, parents before children.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// One node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// How many rounds there are.
    pub fn round_count(&self) -> usize {
        self.dealt.len()
    }

    /// The round that a node belongs to.
    pub fn round_of(&self, id: NodeId) -> usize {
        self.dealt.partition_point(|round| round.nodes.end <= id.0)
    }

    /// The nodes of a round.
    pub fn round_nodes(&self, round: usize) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        self.dealt[round].nodes.clone().map(NodeId)
    }

    /// The chance nodes of a round, all-ins among them.
    pub fn chance_nodes(&self, round: usize) -> impl Iterator<Item = NodeId> + '_ {
        self.round_nodes(round).filter(|&node| self.node(node).kind.is_chance())
    }

    /// The roots of a round, in the order of the chance nodes that lead there.
    pub fn roots(&self, round: usize) -> Vec<NodeId> {
        match round.checked_sub(1) {
            None => vec![NodeId::ROOT],
            Some(before) => self.chance_nodes(before).map(|chance| self.node(chance).first_child).collect(),
        }
    }

    /// The root of the root tree that a node is in.
    pub fn root_of(&self, id: NodeId) -> NodeId {
        let tile = self.tile_of(id);
        NodeId(match tile.root_of(id) {
            0 => tile.nodes.start,
            number => tile.root_ends[number - 1],
        })
    }

    /// The nodes of the root tree that a root begins.
    pub fn root_tree(&self, root: NodeId) -> Range<NodeId> {
        let mut end = root.0 + 1;
        let mut id = root.0;
        while id < end {
            let node = self.node(NodeId(id));
            if let NodeKind::Decision(_) = node.kind {
                end += u32::from(node.child_count);
            }
            id += 1;
        }
        root..NodeId(end)
    }

    /// How many actions all decisions of a player have in a round: the rows of its regrets for each block of hands.
    pub fn rows(&self, round: usize, player: Player) -> usize {
        self.dealt[round].rows[player.index()]
    }

    /// How many decisions a player has in a round.
    pub fn decisions(&self, round: usize, player: Player) -> usize {
        self.dealt[round].decisions[player.index()]
    }

    /// Whether training evaluates all-ins in a round.
    pub fn has_all_ins(&self, round: usize) -> bool {
        self.collapsed.get(round).is_some_and(|round| round.has_all_ins)
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        let tiles = self.dealt.iter().chain(&self.collapsed).flat_map(|round| &round.tiles);
        let tiles: usize = tiles.map(Tile::bytes).sum();
        tiles + self.nodes.len() * (size_of::<Node>() + size_of::<[u32; 2]>())
    }

    /// A round with all-ins dealt.
    pub(crate) fn round(&self, round: usize) -> &Round {
        self.round_with(AllIns::Dealt, round)
    }

    /// A round with all-ins dealt or collapsed.
    pub(crate) fn round_with(&self, all_ins: AllIns, round: usize) -> &Round {
        match all_ins {
            AllIns::Collapsed => self.collapsed.get(round).unwrap_or(&self.dealt[round]),
            AllIns::Dealt => &self.dealt[round],
        }
    }

    /// A node and all that follows it in its round.
    pub(crate) fn subtree(&self, top: NodeId) -> Subtree {
        Subtree::new(&self.nodes, top)
    }

    /// Some terminal nodes of a tile, each in a lane of its own.
    pub(crate) fn unpaired_terminals(
        &self,
        tile: &Tile,
        player: Player,
        is_wanted: impl Fn(NodeId) -> bool,
    ) -> Terminals {
        let mut terminals: Vec<TerminalNode> = Vec::new();
        for node in tile.nodes.clone().map(NodeId).filter(|&node| is_wanted(node)) {
            if let NodeKind::Terminal(kind) = self.node(node).kind {
                let (sequences, root) = (self.sequences[node.index()], tile.root_of(node));
                terminals.push(TerminalNode { kind, node, sequences, root });
            }
        }
        terminals.sort_by_key(|terminal| terminal.kind);
        Terminals::unpaired(&terminals, player)
    }

    /// A player's sequence at a node, within the node's tile.
    pub(crate) fn sequence(&self, id: NodeId, player: Player) -> usize {
        self.sequences[id.index()][player.index()] as usize
    }

    /// The tile that a node belongs to.
    pub(crate) fn tile_of(&self, id: NodeId) -> &Tile {
        let round = &self.dealt[self.round_of(id)];
        &round.tiles[round.tiles.partition_point(|tile| tile.nodes.end <= id.0)]
    }

    /// The tile of a root, and the indices of a player's decisions in its root tree, in the order of their nodes.
    pub(crate) fn root_decisions(&self, root: NodeId, player: Player) -> (&Tile, &[u32]) {
        let tile = self.tile_of(root);
        (tile, tile.forms[player.index()].decisions_among(self.root_tree(root)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(kind: NodeKind, first_child: u32, child_count: u16) -> Node {
        Node { kind, first_child: NodeId(first_child), child_count }
    }

    const FOLD: NodeKind = NodeKind::Terminal(Terminal::Fold);

    #[test]
    fn sequences_follow_a_players_own_actions_only() {
        // First picks one of two; after the second pick, Second picks one of two.
        let tree = Tree::new(vec![
            node(NodeKind::Decision(Player::First), 1, 2),
            node(FOLD, 0, 0),
            node(NodeKind::Decision(Player::Second), 3, 2),
            node(FOLD, 0, 0),
            node(FOLD, 0, 0),
        ])
        .unwrap();
        let sequences = |p| (0..5).map(|id| tree.sequence(NodeId(id), p)).collect::<Vec<_>>();
        assert_eq!(sequences(Player::First), [0, 1, 2, 2, 2]);
        assert_eq!(sequences(Player::Second), [0, 0, 0, 1, 2]);
        assert_eq!((tree.rows(0, Player::First), tree.rows(0, Player::Second)), (2, 2));
        let terminals = &tree.round(0).tiles[0].terminals[0];
        assert_eq!(terminals.batches[0].nodes, [NodeId(1), NodeId(3), NodeId(4)]);
    }

    /// First bets or checks. After a bet cards come twice and nobody decides; after a check they come, Second picks one of two, and
    /// after one of these they come again.
    fn with_all_ins() -> Vec<Node> {
        let (all_in, chance) = (NodeKind::AllIn, NodeKind::Chance);
        vec![
            node(NodeKind::Decision(Player::First), 1, 2),
            node(all_in, 3, 1),
            node(chance, 4, 1),
            node(all_in, 7, 1),
            node(NodeKind::Decision(Player::Second), 5, 2),
            node(FOLD, 0, 0),
            node(chance, 8, 1),
            node(FOLD, 0, 0),
            node(NodeKind::Decision(Player::First), 9, 2),
            node(FOLD, 0, 0),
            node(FOLD, 0, 0),
        ]
    }

    #[test]
    fn collapsed_all_ins_are_terminal_nodes() {
        let tree = Tree::new(with_all_ins()).unwrap();
        let roots = |all_ins, round| tree.round_with(all_ins, round).root_count();
        assert_eq!([0, 1, 2].map(|round| roots(AllIns::Dealt, round)), [1, 2, 2]);
        assert_eq!([0, 1, 2].map(|round| roots(AllIns::Collapsed, round)), [1, 1, 1]);
        assert_eq!([0, 1, 2].map(|round| tree.has_all_ins(round)), [true, false, false]);
        let terminals = |all_ins, round| {
            let batches = &tree.round_with(all_ins, round).tiles[0].terminals[0].batches;
            batches.iter().flat_map(|batch| batch.nodes.iter().map(|node| node.0)).collect::<Vec<_>>()
        };
        assert_eq!([0, 1, 2].map(|round| terminals(AllIns::Dealt, round)), [vec![], vec![5], vec![7, 9, 10]]);
        assert_eq!(
            [0, 1, 2].map(|round| terminals(AllIns::Collapsed, round)),
            [vec![1], vec![5], vec![9, 10]]
        );
        for round in 0..3 {
            let (dealt, collapsed) =
                (tree.round_with(AllIns::Dealt, round), tree.round_with(AllIns::Collapsed, round));
            assert_eq!((dealt.rows, dealt.decisions), (collapsed.rows, collapsed.decisions));
            let tile = &collapsed.tiles[0];
            assert_eq!((&tile.nodes, &tile.all_roots), (&dealt.tiles[0].nodes, &(0..dealt.root_count())));
            // Of two roots, the second one is visited.
            assert_eq!(tile.root_numbers, [u32::from(round > 0)]);
        }
        // Without runouts there is one way.
        let nodes = with_all_ins().into_iter().map(|node| match node.kind {
            NodeKind::AllIn => Node { kind: NodeKind::Chance, ..node },
            _ => node,
        });
        let plain = Tree::new(nodes.collect()).unwrap();
        assert_eq!(plain.round_with(AllIns::Collapsed, 2).root_count(), 2);
    }

    #[test]
    fn collapsing_all_ins_leaves_decisions_in_their_tiles() {
        // Forty chance nodes, of which every third is an all-in; after the others Second picks one of nine.
        let is_all_in = |i: u32| i.is_multiple_of(3);
        let mut nodes = vec![node(NodeKind::Decision(Player::First), 1, 40)];
        let mut next = 41;
        for i in 0..40 {
            nodes.push(node(if is_all_in(i) { NodeKind::AllIn } else { NodeKind::Chance }, next, 1));
            next += if is_all_in(i) { 1 } else { 10 };
        }
        for i in 0..40 {
            if !is_all_in(i) {
                nodes.push(node(NodeKind::Decision(Player::Second), nodes.len() as u32 + 1, 9));
            }
            nodes.extend((0..if is_all_in(i) { 1 } else { 9 }).map(|_| node(FOLD, 0, 0)));
        }
        let tree = Tree::new(nodes).unwrap();
        let (dealt, collapsed) = (tree.round_with(AllIns::Dealt, 1), tree.round_with(AllIns::Collapsed, 1));
        assert!(dealt.tiles.len() > 1 && dealt.tiles.len() == collapsed.tiles.len());
        assert_eq!((dealt.root_count(), collapsed.root_count()), (40, 26));
        for (dealt, collapsed) in dealt.tiles.iter().zip(&collapsed.tiles) {
            assert_eq!((&dealt.nodes, &dealt.all_roots), (&collapsed.nodes, &collapsed.all_roots));
            assert_eq!(dealt.rows_before, collapsed.rows_before);
            assert_eq!(dealt.decisions_before, collapsed.decisions_before);
            for (whole_plan, short_plan) in dealt.forms.iter().zip(&collapsed.forms) {
                assert_eq!(whole_plan.decisions.len(), short_plan.decisions.len());
                for (a, b) in whole_plan.decisions.iter().zip(&short_plan.decisions) {
                    assert_eq!((a.node, a.row, a.actions), (b.node, b.row, b.actions));
                    assert_eq!(a.root, collapsed.root_numbers[b.root as usize]);
                }
            }
        }
    }

    #[test]
    fn misplaced_nodes_are_refused() {
        let message = |nodes| Tree::new(nodes).unwrap_err().to_string();
        assert_eq!(message(vec![]), "the tree has no nodes");
        assert_eq!(
            message(vec![node(FOLD, 0, 0), node(FOLD, 0, 0)]),
            "node 1 is out of order: nothing leads to it"
        );
        let first = NodeKind::Decision(Player::First);
        assert_eq!(message(vec![node(first, 1, 0)]), "node 0 is out of order: a decision needs actions");
        assert_eq!(
            message(vec![node(first, 1, 2), node(FOLD, 0, 0)]),
            "node 2 is out of order: it does not exist"
        );
        assert_eq!(
            message(vec![node(first, 2, 1), node(FOLD, 0, 0), node(FOLD, 0, 0)]),
            "node 0 is out of order: its children are not next in breadth-first order"
        );
        // Two chance nodes that lead to each other's roots.
        let chance = |child| node(NodeKind::Chance, child, 1);
        assert_eq!(
            message(vec![node(first, 1, 2), chance(4), chance(3), node(FOLD, 0, 0), node(FOLD, 0, 0)]),
            "node 1 is out of order: a chance node has one child, the next root of the next round"
        );
        let mut nodes = with_all_ins();
        nodes[2].kind = NodeKind::AllIn;
        assert_eq!(message(nodes), "node 4 is out of order: somebody decides after an all-in");
        let mut nodes = with_all_ins();
        nodes[1].kind = NodeKind::Terminal(Terminal::AllIn);
        assert_eq!(message(nodes), "node 1 is out of order: an all-in is a chance node");
        let chain: Vec<Node> =
            (1..=5).map(|i| node(NodeKind::Chance, i, 1)).chain([node(FOLD, 0, 0)]).collect();
        assert_eq!(message(chain), "the tree has more than 4 rounds");
    }
}
