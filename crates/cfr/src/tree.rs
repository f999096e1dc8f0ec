//! The public tree: who acts where, and what comes after. Built once, shared by every deal.
//!
//! The nodes of one round form a forest: one root for each chance node of the round before. For the traversal,
//! a round is cut into *tiles* of whole root trees, small enough that a tile's leaves stay in cache, and each
//! tile holds both players' view of it in sequence form: a *slot* for every sequence of a player's own actions.

use crate::Player;
use crate::ends::{Leaf, Leaves, Places};
use crate::simd::WIDTH;
use std::ops::Range;

/// How many rounds a game may have.
pub const MAX_ROUNDS: usize = 4;

/// How many actions a decision may have.
pub const MAX_ACTIONS: usize = 64;

/// How many leaves are valued side by side.
pub const LEAVES: usize = WIDTH;

/// How many leaves a tile has, about; more where one root tree does.
const TILE_LEAVES: usize = 96;

/// The place of a node in its tree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(
    /// Index into [`Tree::nodes`].
    pub u32,
);

impl NodeId {
    /// The first node of a tree.
    pub const ROOT: Self = Self(0);

    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What happens at a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A player chooses one of the children.
    Decision(Player),
    /// Chance moves; the only child is a root of the next round.
    Chance,
    /// The game ends. Leaves of one class are valued by one call, side by side.
    Terminal {
        /// Whatever the game wants to tell apart. One of class 0 may be valued beside one of class 1: see
        /// [`Game::evaluate_beside`](crate::Game::evaluate_beside).
        class: u8,
    },
}

/// A node: what happens there, and where its children are.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// What happens.
    pub kind: Kind,
    /// The first child; the others follow it.
    pub first_child: NodeId,
    /// How many children there are.
    pub child_count: u16,
}

impl Node {
    /// The children.
    pub fn children(&self) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        let first = self.first_child.0;
        (first..first + u32::from(self.child_count)).map(NodeId)
    }
}

/// Why nodes do not form a tree that can be traversed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// There are no nodes.
    #[error("the tree has no nodes")]
    Empty,
    /// More rounds than [`MAX_ROUNDS`].
    #[error("the tree has more than {MAX_ROUNDS} rounds")]
    TooManyRounds,
    /// A node's children are not where they should be.
    #[error("node {0} is out of order: {1}")]
    Order(u32, &'static str),
}

/// A choice of one player, in sequence form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decision {
    /// Where the choice is made.
    pub node: NodeId,
    /// The slot of the sequence that leads to it.
    pub slot: u32,
    /// Its first row; action `a` continues in slot `roots + row + a`.
    pub row: u32,
    /// How many actions there are.
    pub actions: u32,
    /// Which of the tile's root trees it is in.
    pub root: u32,
}

/// Consecutive decisions of a plan with as many actions each, none of which comes after another.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    /// Which of the plan's decisions.
    pub decisions: Range<usize>,
    /// How many actions each has.
    pub actions: usize,
    /// The first row of the first one.
    pub row: usize,
}

impl Run {
    /// The rows of all of them.
    pub fn rows(&self) -> Range<usize> {
        self.row..self.row + self.decisions.len() * self.actions
    }

    /// Where they are in arrays that have a cell for every action but the last.
    pub fn shares(&self) -> Range<usize> {
        let first = self.row - self.decisions.start;
        first..first + self.decisions.len() * (self.actions - 1)
    }
}

/// One player's sequences through a tile. Slots `0..roots` are the empty sequences, one for each root.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// Those of the player that come first, then those that come after one of them, and so on. Among these, those with fewer
    /// actions come first, and then they are in the order of their nodes.
    pub decisions: Vec<Decision>,
    /// All decisions, a run after the other.
    pub runs: Vec<Run>,
    /// The numbers of the decisions in the order of their nodes.
    by_node: Vec<u32>,
    pub roots: usize,
    pub rows: usize,
}

impl Plan {
    /// The plan of decisions that are in order and have consecutive rows.
    pub fn new(decisions: Vec<Decision>, roots: usize) -> Self {
        let (mut runs, mut rows): (Vec<Run>, usize) = (Vec::new(), 0);
        for (d, decision) in decisions.iter().enumerate() {
            let actions = decision.actions as usize;
            let slot = decision.slot as usize;
            match runs.last_mut().filter(|run| run.actions == actions && slot < roots + run.row) {
                Some(run) => run.decisions.end += 1,
                None => runs.push(Run { decisions: d..d + 1, actions, row: rows }),
            }
            rows += actions;
        }
        let mut by_node: Vec<u32> = (0..decisions.len() as u32).collect();
        by_node.sort_by_key(|&d| decisions[d as usize].node);
        Self { decisions, runs, by_node, roots, rows }
    }

    pub fn slots(&self) -> usize {
        self.roots + self.rows
    }

    /// The number of the decision at a node.
    pub fn decision_at(&self, node: NodeId) -> Option<usize> {
        let place = self.by_node.binary_search_by_key(&node, |&d| self.decisions[d as usize].node);
        place.ok().map(|place| self.by_node[place] as usize)
    }

    /// The numbers of the decisions at some nodes, in the order of those.
    pub fn decisions_among(&self, nodes: Range<NodeId>) -> &[u32] {
        let before = |end: NodeId| self.by_node.partition_point(|&d| self.decisions[d as usize].node < end);
        &self.by_node[before(nodes.start)..before(nodes.end)]
    }

    /// What it takes in memory.
    fn bytes(&self) -> usize {
        size_of_val(self.decisions.as_slice())
            + size_of_val(self.runs.as_slice())
            + size_of_val(self.by_node.as_slice())
    }
}

/// Some of a round's root trees, traversed together.
#[derive(Clone, Debug)]
pub(crate) struct Tile {
    /// Which of the round's roots.
    pub roots: Range<usize>,
    /// Their nodes.
    pub nodes: Range<u32>,
    /// Where each root tree ends.
    pub root_ends: Vec<u32>,
    pub plans: [Plan; 2],
    /// Rows of the round's earlier tiles, by player.
    pub rows_before: [usize; 2],
    /// Decisions of the round's earlier tiles, by player.
    pub decisions_before: [usize; 2],
    /// The leaves, as each player values them.
    pub leaves: [Leaves; 2],
    /// The chance nodes: each leads to the root of the same number in the next round.
    pub exits: Vec<NodeId>,
    /// Their slots, by player.
    pub exit_places: [Vec<Places>; 2],
    /// The slots, by player, that are to be zero before values are loaded.
    pub bare_slots: [Vec<u32>; 2],
}

impl Tile {
    /// Which of its root trees a node is in.
    pub fn root_of(&self, node: NodeId) -> usize {
        self.root_ends.partition_point(|&end| end <= node.0)
    }
}

/// The nodes between two chance events.
#[derive(Clone, Debug)]
pub(crate) struct Round {
    pub nodes: Range<u32>,
    pub tiles: Vec<Tile>,
    pub rows: [usize; 2],
    pub decisions: [usize; 2],
}

impl Round {
    pub fn root_count(&self) -> usize {
        self.tiles.last().map_or(0, |tile| tile.roots.end)
    }

    pub fn exit_count(&self) -> usize {
        self.tiles.iter().map(|tile| tile.exits.len()).sum()
    }
}

/// The public tree of a game.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    rounds: Vec<Round>,
    slots: Vec<[u32; 2]>,
}

impl Tree {
    /// Checks and indexes nodes that are laid out round by round; within a round one root tree after the other,
    /// in the order of the chance nodes that lead to them; and within a root tree breadth first.
    pub fn new(nodes: Vec<Node>) -> Result<Self, TreeError> {
        if nodes.is_empty() {
            return Err(TreeError::Empty);
        }
        let mut slots = vec![[0; 2]; nodes.len()];
        let mut rounds = Vec::new();
        let mut start = 0;
        let mut roots = 1;
        while roots > 0 {
            if rounds.len() == MAX_ROUNDS {
                return Err(TreeError::TooManyRounds);
            }
            let round = index_round(&nodes, start, roots, &mut slots)?;
            start = round.nodes.end;
            roots = round.exit_count();
            rounds.push(round);
        }
        if start as usize != nodes.len() {
            return Err(TreeError::Order(start, "nothing leads to it"));
        }
        Ok(Self { nodes, rounds, slots })
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
        self.rounds.len()
    }

    /// The round that a node belongs to.
    pub fn round_of(&self, id: NodeId) -> usize {
        self.rounds.partition_point(|round| round.nodes.end <= id.0)
    }

    /// The nodes of a round.
    pub fn round_nodes(&self, round: usize) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        self.rounds[round].nodes.clone().map(NodeId)
    }

    /// How many numbers a player keeps for each hand of a deal in a round: one for every action of every decision.
    pub fn rows(&self, round: usize, player: Player) -> usize {
        self.rounds[round].rows[player.index()]
    }

    /// How many decisions a player has in a round.
    pub fn decisions(&self, round: usize, player: Player) -> usize {
        self.rounds[round].decisions[player.index()]
    }

    /// What the tree itself takes in memory.
    pub fn bytes(&self) -> usize {
        let tiles = self.rounds.iter().flat_map(|round| &round.tiles);
        let inner: usize = tiles
            .map(|tile| {
                size_of::<Tile>()
                    + tile.root_ends.len() * size_of::<u32>()
                    + tile.plans.iter().map(Plan::bytes).sum::<usize>()
                    + tile.leaves.iter().map(Leaves::bytes).sum::<usize>()
                    + tile.exits.len() * size_of::<NodeId>()
                    + tile.exit_places.iter().map(|places| size_of_val(places.as_slice())).sum::<usize>()
                    + tile.bare_slots.iter().map(|slots| size_of_val(slots.as_slice())).sum::<usize>()
            })
            .sum();
        inner + self.nodes.len() * (size_of::<Node>() + size_of::<[u32; 2]>())
    }

    pub(crate) fn round(&self, round: usize) -> &Round {
        &self.rounds[round]
    }

    /// The leaves of a tile as a player values them one by one.
    pub(crate) fn single_leaves(&self, tile: &Tile, player: Player) -> Leaves {
        let mut leaves: Vec<Leaf> = Vec::new();
        for node in tile.nodes.clone().map(NodeId) {
            if let Kind::Terminal { class } = self.node(node).kind {
                leaves.push(Leaf { class, node, slots: self.slots[node.index()], root: tile.root_of(node) });
            }
        }
        leaves.sort_by_key(|leaf| leaf.class);
        Leaves::single(&leaves, player)
    }

    /// A player's slot at a node, within the node's tile.
    pub(crate) fn slot(&self, id: NodeId, player: Player) -> usize {
        self.slots[id.index()][player.index()] as usize
    }

    /// The tile that a node belongs to.
    pub(crate) fn tile_of(&self, id: NodeId) -> &Tile {
        let round = &self.rounds[self.round_of(id)];
        &round.tiles[round.tiles.partition_point(|tile| tile.nodes.end <= id.0)]
    }
}

/// Cuts one round into tiles. `start` is its first node, `roots` the number of its root trees.
fn index_round(nodes: &[Node], start: u32, roots: usize, slots: &mut [[u32; 2]]) -> Result<Round, TreeError> {
    let mut root_ends = Vec::with_capacity(roots);
    let mut end = start;
    for _ in 0..roots {
        end = root_tree_end(nodes, end)?;
        root_ends.push(end);
    }
    let is_chance = |id: u32| nodes[id as usize].kind == Kind::Chance;
    let mut next_root = end;
    for id in (start..end).filter(|&id| is_chance(id)) {
        let node = &nodes[id as usize];
        if node.child_count != 1 || node.first_child.0 != next_root {
            return Err(TreeError::Order(id, "a chance node has one child, the next root of the next round"));
        }
        next_root = root_tree_end(nodes, next_root)?;
    }
    let has_exits = (start..end).any(is_chance);
    let mut round = Round { nodes: start..end, tiles: Vec::new(), rows: [0; 2], decisions: [0; 2] };
    let mut first_root = 0;
    let mut first_node = start;
    let leaves_in = |nodes_of: Range<u32>| nodes_of.filter(|&id| is_terminal(&nodes[id as usize])).count();
    let leaves = leaves_in(start..end);
    // The reaches at a round's chance nodes are needed together, so a round with exits is one tile.
    let tiles = if has_exits { 1 } else { ((leaves + TILE_LEAVES / 2) / TILE_LEAVES).max(1) };
    // Leaves of the root trees since the last cut, and of all that are still to come, and how many tiles are left for them.
    let (mut here, mut left, mut tiles_left) = (0, leaves, tiles);
    let mut root_start = start;
    for root in 0..roots {
        let tile_end = root_ends[root];
        here += leaves_in(root_start..tile_end);
        root_start = tile_end;
        let is_full = || tiles_left > 1 && here >= TILE_LEAVES / 2 && here * tiles_left >= left;
        if root + 1 == roots || is_full() {
            let roots = first_root..root + 1;
            let tile = index_tile(nodes, first_node..tile_end, roots, &root_ends, &round, slots);
            for player in Player::BOTH {
                let plan = &tile.plans[player.index()];
                round.rows[player.index()] += plan.rows;
                round.decisions[player.index()] += plan.decisions.len();
            }
            round.tiles.push(tile);
            left -= here;
            (here, tiles_left) = (0, tiles_left.saturating_sub(1));
            first_root = root + 1;
            first_node = tile_end;
        }
    }
    Ok(round)
}

fn is_terminal(node: &Node) -> bool {
    matches!(node.kind, Kind::Terminal { .. })
}

/// Where the breadth-first tree that starts at `root` ends.
fn root_tree_end(nodes: &[Node], root: u32) -> Result<u32, TreeError> {
    let mut end = root + 1;
    let mut id = root;
    while id < end {
        let node = nodes.get(id as usize).ok_or(TreeError::Order(id, "it does not exist"))?;
        match node.kind {
            Kind::Decision(_) if node.child_count == 0 => {
                return Err(TreeError::Order(id, "a decision needs actions"));
            }
            Kind::Decision(_) if usize::from(node.child_count) > MAX_ACTIONS => {
                return Err(TreeError::Order(id, "it has too many actions"));
            }
            Kind::Decision(_) if node.first_child.0 != end => {
                return Err(TreeError::Order(id, "its children are not next in breadth-first order"));
            }
            Kind::Decision(_) => end += u32::from(node.child_count),
            Kind::Terminal { .. } if node.child_count != 0 => {
                return Err(TreeError::Order(id, "a terminal has no children"));
            }
            Kind::Chance | Kind::Terminal { .. } => {}
        }
        id += 1;
    }
    Ok(end)
}

/// The decisions of both players in a tile, in the order that plans have them in; which slots they are in is still to be found out.
fn decisions_in_order(
    nodes: &[Node],
    range: Range<u32>,
    root_of: impl Fn(NodeId) -> usize,
) -> [Vec<Decision>; 2] {
    // How many decisions each player has made on the way to each node.
    let mut made = vec![[0u16; 2]; range.len()];
    let mut decisions: [Vec<(u16, Decision)>; 2] = Default::default();
    for id in range.clone() {
        let node = &nodes[id as usize];
        if let Kind::Decision(player) = node.kind {
            let p = player.index();
            let here = made[(id - range.start) as usize];
            let root = root_of(NodeId(id)) as u32;
            let actions = u32::from(node.child_count);
            decisions[p].push((here[p], Decision { node: NodeId(id), slot: 0, row: 0, actions, root }));
            for child in node.children() {
                let child = &mut made[(child.0 - range.start) as usize];
                *child = here;
                child[p] += 1;
            }
        }
    }
    decisions.map(|mut decisions| {
        decisions.sort_by_key(|(made, decision)| (*made, decision.actions, decision.node));
        let mut row = 0;
        let place = |(_, decision): (u16, Decision)| {
            row += decision.actions;
            Decision { row: row - decision.actions, ..decision }
        };
        decisions.into_iter().map(place).collect()
    })
}

fn index_tile(
    nodes: &[Node],
    range: Range<u32>,
    roots: Range<usize>,
    root_ends: &[u32],
    before: &Round,
    slots: &mut [[u32; 2]],
) -> Tile {
    for (slot, root) in roots.clone().enumerate() {
        let node = if slot == 0 { range.start } else { root_ends[root - 1] };
        slots[node as usize] = [slot as u32; 2];
    }
    let ends = &root_ends[roots.clone()];
    let root_of = |node: NodeId| ends.partition_point(|&end| end <= node.0);
    let mut decisions = decisions_in_order(nodes, range.clone(), root_of);
    // The first slots after each player's decisions, by node.
    let mut next_slots = vec![0; range.len()];
    for decisions in &decisions {
        for decision in decisions {
            next_slots[(decision.node.0 - range.start) as usize] = roots.len() as u32 + decision.row;
        }
    }
    let mut exits = Vec::new();
    let mut leaves: Vec<Leaf> = Vec::new();
    for id in range.clone() {
        let node = &nodes[id as usize];
        let here = slots[id as usize];
        match node.kind {
            Kind::Terminal { class } => {
                leaves.push(Leaf { class, node: NodeId(id), slots: here, root: root_of(NodeId(id)) });
            }
            Kind::Chance => exits.push(NodeId(id)),
            Kind::Decision(player) => {
                for (child, slot) in node.children().zip(next_slots[(id - range.start) as usize]..) {
                    slots[child.index()] = here;
                    slots[child.index()][player.index()] = slot;
                }
            }
        }
    }
    let plans = [0, 1].map(|p| {
        let mut decisions = std::mem::take(&mut decisions[p]);
        decisions.iter_mut().for_each(|decision| decision.slot = slots[decision.node.index()][p]);
        Plan::new(decisions, roots.len())
    });
    leaves.sort_by_key(|leaf| leaf.class);
    let mut exit_places =
        [0, 1].map(|p| Places::of(exits.iter().map(|exit: &NodeId| slots[exit.index()][p])));
    let mut leaves = Player::BOTH.map(|player| Leaves::paired(&leaves, player));
    let bare_slots = [0, 1].map(|p| {
        let places = leaves[p].values.iter_mut().chain(&mut exit_places[p]);
        Places::rank(places, plans[p].slots())
    });
    Tile {
        root_ends: ends.to_vec(),
        roots,
        nodes: range,
        plans,
        rows_before: before.rows,
        decisions_before: before.decisions,
        leaves,
        exits,
        exit_places,
        bare_slots,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(kind: Kind, first_child: u32, child_count: u16) -> Node {
        Node { kind, first_child: NodeId(first_child), child_count }
    }

    const LEAF: Kind = Kind::Terminal { class: 0 };

    #[test]
    fn slots_follow_a_players_own_actions_only() {
        // First picks one of two; after the second pick, Second picks one of two.
        let tree = Tree::new(vec![
            node(Kind::Decision(Player::First), 1, 2),
            node(LEAF, 0, 0),
            node(Kind::Decision(Player::Second), 3, 2),
            node(LEAF, 0, 0),
            node(LEAF, 0, 0),
        ])
        .unwrap();
        let slots = |p| (0..5).map(|id| tree.slot(NodeId(id), p)).collect::<Vec<_>>();
        assert_eq!(slots(Player::First), [0, 1, 2, 2, 2]);
        assert_eq!(slots(Player::Second), [0, 0, 0, 1, 2]);
        assert_eq!((tree.rows(0, Player::First), tree.rows(0, Player::Second)), (2, 2));
        let leaves = &tree.round(0).tiles[0].leaves[0];
        assert_eq!(leaves.batches[0].leaves, [NodeId(1), NodeId(3), NodeId(4)]);
    }

    #[test]
    fn runs_have_as_many_actions_and_come_after_what_they_follow() {
        // First has two, three or two actions, then Second two or three after each, then First two after some.
        let (first, second) = (Kind::Decision(Player::First), Kind::Decision(Player::Second));
        let mut nodes = vec![node(first, 1, 3)];
        let mut next = 4;
        let mut push = |nodes: &mut Vec<Node>, kind, actions: u16| {
            nodes.push(node(kind, next, actions));
            next += u32::from(actions);
        };
        [3, 2, 3].into_iter().for_each(|actions| push(&mut nodes, second, actions));
        [2, 3, 2, 2, 3, 3, 2, 2].into_iter().for_each(|actions| push(&mut nodes, first, actions));
        nodes.resize(next as usize, node(LEAF, 0, 0));
        let tree = Tree::new(nodes).unwrap();
        let tile = &tree.round(0).tiles[0];
        let shapes = |plan: &Plan| plan.runs.iter().map(|run| (run.decisions.len(), run.actions)).collect();
        let shapes: [Vec<_>; 2] = tile.plans.each_ref().map(shapes);
        assert_eq!(shapes, [vec![(1, 3), (5, 2), (3, 3)], vec![(1, 2), (2, 3)]]);
        for plan in &tile.plans {
            assert_eq!(plan.runs.iter().map(|run| run.rows().len()).sum::<usize>(), plan.rows);
            for run in &plan.runs {
                for d in run.decisions.clone() {
                    let decision = &plan.decisions[d];
                    assert_eq!(decision.row as usize, run.row + (d - run.decisions.start) * run.actions);
                    assert!((decision.slot as usize) < plan.roots + run.row, "what leads there comes before");
                    assert_eq!(plan.decision_at(decision.node), Some(d));
                }
            }
            let in_order = plan.decisions_among(tree.root_tree(NodeId::ROOT));
            assert_eq!(in_order.len(), plan.decisions.len());
            assert!(in_order.is_sorted_by_key(|&d| plan.decisions[d as usize].node));
            assert_eq!(plan.decision_at(NodeId(next - 1)), None);
        }
    }

    #[test]
    fn misplaced_nodes_are_refused() {
        let message = |nodes| Tree::new(nodes).unwrap_err().to_string();
        assert_eq!(message(vec![]), "the tree has no nodes");
        assert_eq!(
            message(vec![node(LEAF, 0, 0), node(LEAF, 0, 0)]),
            "node 1 is out of order: nothing leads to it"
        );
        let first = Kind::Decision(Player::First);
        assert_eq!(message(vec![node(first, 1, 0)]), "node 0 is out of order: a decision needs actions");
        assert_eq!(
            message(vec![node(first, 1, 2), node(LEAF, 0, 0)]),
            "node 2 is out of order: it does not exist"
        );
        assert_eq!(
            message(vec![node(first, 2, 1), node(LEAF, 0, 0), node(LEAF, 0, 0)]),
            "node 0 is out of order: its children are not next in breadth-first order"
        );
        // Two chance nodes that lead to each other's roots.
        let chance = |child| node(Kind::Chance, child, 1);
        assert_eq!(
            message(vec![node(first, 1, 2), chance(4), chance(3), node(LEAF, 0, 0), node(LEAF, 0, 0)]),
            "node 1 is out of order: a chance node has one child, the next root of the next round"
        );
        let chain: Vec<Node> = (1..=5).map(|i| node(Kind::Chance, i, 1)).chain([node(LEAF, 0, 0)]).collect();
        assert_eq!(message(chain), "the tree has more than 4 rounds");
    }
}
