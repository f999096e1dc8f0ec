//! The public tree: who acts where, and what comes after. Built once, shared by every deal.
//!
//! The nodes of one round form a forest: one root for each chance node of the round before. For the traversal,
//! a round is cut into *tiles* of whole root trees, small enough that a tile's leaves stay in cache, and each
//! tile holds both players' view of it in sequence form: a *slot* for every sequence of a player's own actions.
//!
//! There are two ways through a tree. The *whole* one visits everything, for whoever reads. The *short* one takes chance nodes after
//! which nobody decides any more as leaves, and is for whoever learns or measures.

mod plan;

use crate::Player;
use crate::ends::{Leaf, Leaves, Places};
use crate::simd::WIDTH;
use plan::decisions_in_order;
pub(crate) use plan::{Decision, Plan, Run};
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
    /// As [`Kind::Chance`], but nobody decides any more: what can follow may be valued at once, as a leaf of a class.
    Runout {
        /// As that of a terminal; neither 0 nor 1.
        class: u8,
    },
    /// The game ends. Leaves of one class are valued by one call, side by side.
    Terminal {
        /// Whatever the game wants to tell apart. One of class 0 may be valued beside one of class 1: see
        /// [`Game::evaluate_beside`](crate::Game::evaluate_beside).
        class: u8,
    },
}

impl Kind {
    /// Whether chance moves.
    pub fn is_chance(self) -> bool {
        matches!(self, Self::Chance | Self::Runout { .. })
    }
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

/// Some of a round's root trees, traversed together.
#[derive(Clone, Debug)]
pub(crate) struct Tile {
    /// Which of the round's roots, as this way through the tree counts them.
    pub roots: Range<usize>,
    /// The numbers of all roots between its nodes, those included that this way does not visit.
    pub all_roots: Range<usize>,
    /// The number among those of each root that it visits.
    pub root_numbers: Vec<u32>,
    /// The nodes of all of them.
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

/// A way through a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// Every node is visited.
    Whole,
    /// Runouts are leaves.
    Short,
}

/// The nodes between two chance events.
#[derive(Clone, Debug)]
pub(crate) struct Round {
    pub nodes: Range<u32>,
    pub tiles: Vec<Tile>,
    pub rows: [usize; 2],
    pub decisions: [usize; 2],
    /// Whether runouts are among its leaves.
    has_runouts: bool,
}

impl Round {
    fn new(nodes: Range<u32>) -> Self {
        Self { nodes, tiles: Vec::new(), rows: [0; 2], decisions: [0; 2], has_runouts: false }
    }

    pub fn root_count(&self) -> usize {
        self.tiles.last().map_or(0, |tile| tile.roots.end)
    }

    pub fn exit_count(&self) -> usize {
        self.tiles.iter().map(|tile| tile.exits.len()).sum()
    }

    /// Adds a tile after those that there are.
    fn push(&mut self, tile: Tile) {
        for (p, plan) in tile.plans.iter().enumerate() {
            self.rows[p] += plan.rows;
            self.decisions[p] += plan.decisions.len();
        }
        self.tiles.push(tile);
    }
}

/// The public tree of a game.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    rounds: Vec<Round>,
    /// The short way; nothing if there are no runouts.
    short: Vec<Round>,
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
        let short = short_way(&nodes, &rounds)?;
        Ok(Self { nodes, rounds, short, slots })
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

    /// Whether runouts are valued in a round, by whoever learns.
    pub fn has_runouts(&self, round: usize) -> bool {
        self.short.get(round).is_some_and(|round| round.has_runouts)
    }

    /// What the tree itself takes in memory.
    pub fn bytes(&self) -> usize {
        let tiles = self.rounds.iter().chain(&self.short).flat_map(|round| &round.tiles);
        let inner: usize = tiles
            .map(|tile| {
                size_of::<Tile>()
                    + (tile.root_ends.len() + tile.root_numbers.len()) * size_of::<u32>()
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

    /// A round as one or the other way through the tree goes.
    pub(crate) fn round_on(&self, way: Way, round: usize) -> &Round {
        match way {
            Way::Short => self.short.get(round).unwrap_or(&self.rounds[round]),
            Way::Whole => &self.rounds[round],
        }
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
    let mut root_trees = Vec::with_capacity(roots);
    let mut end = start;
    for _ in 0..roots {
        let start = end;
        end = root_tree_end(nodes, start)?;
        root_trees.push(start..end);
    }
    let is_chance = |id: u32| nodes[id as usize].kind.is_chance();
    let mut next_root = end;
    for id in (start..end).filter(|&id| is_chance(id)) {
        let node = &nodes[id as usize];
        if node.child_count != 1 || node.first_child.0 != next_root {
            return Err(TreeError::Order(id, "a chance node has one child, the next root of the next round"));
        }
        next_root = root_tree_end(nodes, next_root)?;
    }
    let has_exits = (start..end).any(is_chance);
    let mut round = Round::new(start..end);
    let mut first_root = 0;
    let leaves_in = |nodes_of: Range<u32>| nodes_of.filter(|&id| is_terminal(&nodes[id as usize])).count();
    let leaves = leaves_in(start..end);
    // The reaches at a round's chance nodes are needed together, so a round with exits is one tile.
    let tiles = if has_exits { 1 } else { ((leaves + TILE_LEAVES / 2) / TILE_LEAVES).max(1) };
    // Leaves of the root trees since the last cut, and of all that are still to come, and how many tiles are left for them.
    let (mut here, mut left, mut tiles_left) = (0, leaves, tiles);
    for root in 0..roots {
        here += leaves_in(root_trees[root].clone());
        let is_full = || tiles_left > 1 && here >= TILE_LEAVES / 2 && here * tiles_left >= left;
        if root + 1 == roots || is_full() {
            let all_roots = first_root..root + 1;
            let trees = root_trees[all_roots.clone()].to_vec();
            let part = Part {
                nodes: root_trees[first_root].start..root_trees[root].end,
                roots: all_roots.clone(),
                numbers: (0..all_roots.len() as u32).collect(),
                all_roots,
                trees,
            };
            let tile = index_tile(nodes, Way::Whole, part, &round, slots);
            round.push(tile);
            left -= here;
            (here, tiles_left) = (0, tiles_left.saturating_sub(1));
            first_root = root + 1;
        }
    }
    Ok(round)
}

/// The rounds of a tree as the short way visits them, with the decisions of each tile as they are; nothing if there are no runouts.
fn short_way(nodes: &[Node], rounds: &[Round]) -> Result<Vec<Round>, TreeError> {
    if !nodes.iter().any(|node| matches!(node.kind, Kind::Runout { .. })) {
        return Ok(Vec::new());
    }
    let mut slots = vec![[0; 2]; nodes.len()];
    let mut short: Vec<Round> = Vec::new();
    // Whether each root of the round is visited.
    let mut visited = vec![true];
    for whole in rounds {
        let mut round = Round::new(whole.nodes.clone());
        let mut next_visited = Vec::new();
        let is_runout = |id: u32| matches!(nodes[id as usize].kind, Kind::Runout { .. });
        for tile in &whole.tiles {
            let starts = std::iter::once(tile.nodes.start).chain(tile.root_ends.iter().copied());
            let trees = starts.zip(&tile.root_ends).map(|(start, &end)| start..end);
            let first_root = round.root_count();
            let mut part = Part {
                nodes: tile.nodes.clone(),
                all_roots: tile.all_roots.clone(),
                roots: first_root..first_root,
                numbers: Vec::new(),
                trees: Vec::new(),
            };
            for ((tree, number), &is_visited) in trees.zip(0..).zip(&visited[tile.all_roots.clone()]) {
                for id in tree.clone() {
                    match nodes[id as usize].kind {
                        Kind::Decision(_) if !is_visited => {
                            return Err(TreeError::Order(id, "somebody decides after a runout"));
                        }
                        Kind::Chance | Kind::Runout { .. } => {
                            next_visited.push(is_visited && nodes[id as usize].kind == Kind::Chance);
                        }
                        Kind::Decision(_) | Kind::Terminal { .. } => {}
                    }
                }
                if is_visited {
                    round.has_runouts |= tree.clone().any(is_runout);
                    part.roots.end += 1;
                    part.numbers.push(number);
                    part.trees.push(tree);
                }
            }
            // Without roots there are no decisions either, so that whatever comes after stays where it is.
            if !part.trees.is_empty() {
                let tile = index_tile(nodes, Way::Short, part, &round, &mut slots);
                round.push(tile);
            }
        }
        short.push(round);
        visited = next_visited;
    }
    Ok(short)
}

/// The root trees that a tile visits.
struct Part {
    /// The nodes of these and of the others between them.
    nodes: Range<u32>,
    /// The numbers of all of them in the round.
    all_roots: Range<usize>,
    /// The numbers of those that are visited, as the way through the tree counts them.
    roots: Range<usize>,
    /// The number of each that is visited among all of them.
    numbers: Vec<u32>,
    trees: Vec<Range<u32>>,
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
            Kind::Runout { class: 0 | 1 } => {
                return Err(TreeError::Order(id, "runouts are of a class of their own"));
            }
            Kind::Chance | Kind::Runout { .. } | Kind::Terminal { .. } => {}
        }
        id += 1;
    }
    Ok(end)
}

fn index_tile(nodes: &[Node], way: Way, part: Part, before: &Round, slots: &mut [[u32; 2]]) -> Tile {
    let Part { nodes: range, all_roots, roots, numbers, trees } = part;
    for (slot, tree) in trees.iter().enumerate() {
        slots[tree.start as usize] = [slot as u32; 2];
    }
    let ends: Vec<u32> = trees.iter().map(|tree| tree.end).collect();
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
    for id in trees.into_iter().flatten() {
        let node = &nodes[id as usize];
        let here = slots[id as usize];
        match (node.kind, way) {
            (Kind::Terminal { class }, _) | (Kind::Runout { class }, Way::Short) => {
                leaves.push(Leaf { class, node: NodeId(id), slots: here, root: root_of(NodeId(id)) });
            }
            (Kind::Chance, _) | (Kind::Runout { .. }, Way::Whole) => exits.push(NodeId(id)),
            (Kind::Decision(player), _) => {
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
        roots,
        all_roots,
        root_numbers: numbers,
        nodes: range,
        root_ends: ends,
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

    /// First bets or checks. After a bet cards come twice and nobody decides; after a check they come, Second picks one of two, and
    /// after one of these they come again.
    fn with_runouts() -> Vec<Node> {
        let (runout, chance) = (Kind::Runout { class: 2 }, Kind::Chance);
        vec![
            node(Kind::Decision(Player::First), 1, 2),
            node(runout, 3, 1),
            node(chance, 4, 1),
            node(runout, 7, 1),
            node(Kind::Decision(Player::Second), 5, 2),
            node(LEAF, 0, 0),
            node(chance, 8, 1),
            node(LEAF, 0, 0),
            node(Kind::Decision(Player::First), 9, 2),
            node(LEAF, 0, 0),
            node(LEAF, 0, 0),
        ]
    }

    #[test]
    fn the_short_way_takes_runouts_as_leaves() {
        let tree = Tree::new(with_runouts()).unwrap();
        let roots = |way, round| tree.round_on(way, round).root_count();
        assert_eq!([0, 1, 2].map(|round| roots(Way::Whole, round)), [1, 2, 2]);
        assert_eq!([0, 1, 2].map(|round| roots(Way::Short, round)), [1, 1, 1]);
        assert_eq!([0, 1, 2].map(|round| tree.has_runouts(round)), [true, false, false]);
        let leaves = |way, round| {
            let batches = &tree.round_on(way, round).tiles[0].leaves[0].batches;
            batches.iter().flat_map(|batch| batch.leaves.iter().map(|leaf| leaf.0)).collect::<Vec<_>>()
        };
        assert_eq!([0, 1, 2].map(|round| leaves(Way::Whole, round)), [vec![], vec![5], vec![7, 9, 10]]);
        assert_eq!([0, 1, 2].map(|round| leaves(Way::Short, round)), [vec![1], vec![5], vec![9, 10]]);
        for round in 0..3 {
            let (whole, short) = (tree.round_on(Way::Whole, round), tree.round_on(Way::Short, round));
            assert_eq!((whole.rows, whole.decisions), (short.rows, short.decisions));
            let tile = &short.tiles[0];
            assert_eq!((&tile.nodes, &tile.all_roots), (&whole.tiles[0].nodes, &(0..whole.root_count())));
            // Of two roots, the second one is visited.
            assert_eq!(tile.root_numbers, [u32::from(round > 0)]);
        }
        // Without runouts there is one way.
        let nodes = with_runouts().into_iter().map(|node| match node.kind {
            Kind::Runout { .. } => Node { kind: Kind::Chance, ..node },
            _ => node,
        });
        let plain = Tree::new(nodes.collect()).unwrap();
        assert_eq!(plain.round_on(Way::Short, 2).root_count(), 2);
    }

    #[test]
    fn both_ways_have_the_same_decisions_in_the_same_tiles() {
        // Forty chance nodes, of which every third is a runout; after the others Second picks one of nine.
        let is_runout = |i: u32| i.is_multiple_of(3);
        let mut nodes = vec![node(Kind::Decision(Player::First), 1, 40)];
        let mut next = 41;
        for i in 0..40 {
            nodes.push(node(if is_runout(i) { Kind::Runout { class: 2 } } else { Kind::Chance }, next, 1));
            next += if is_runout(i) { 1 } else { 10 };
        }
        for i in 0..40 {
            if !is_runout(i) {
                nodes.push(node(Kind::Decision(Player::Second), nodes.len() as u32 + 1, 9));
            }
            nodes.extend((0..if is_runout(i) { 1 } else { 9 }).map(|_| node(LEAF, 0, 0)));
        }
        let tree = Tree::new(nodes).unwrap();
        let (whole, short) = (tree.round_on(Way::Whole, 1), tree.round_on(Way::Short, 1));
        assert!(whole.tiles.len() > 1 && whole.tiles.len() == short.tiles.len());
        assert_eq!((whole.root_count(), short.root_count()), (40, 26));
        for (whole, short) in whole.tiles.iter().zip(&short.tiles) {
            assert_eq!((&whole.nodes, &whole.all_roots), (&short.nodes, &short.all_roots));
            assert_eq!(whole.rows_before, short.rows_before);
            assert_eq!(whole.decisions_before, short.decisions_before);
            for (whole_plan, short_plan) in whole.plans.iter().zip(&short.plans) {
                assert_eq!(whole_plan.decisions.len(), short_plan.decisions.len());
                for (a, b) in whole_plan.decisions.iter().zip(&short_plan.decisions) {
                    assert_eq!((a.node, a.row, a.actions), (b.node, b.row, b.actions));
                    assert_eq!(a.root, short.root_numbers[b.root as usize]);
                }
            }
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
        let mut nodes = with_runouts();
        nodes[2].kind = Kind::Runout { class: 2 };
        assert_eq!(message(nodes), "node 4 is out of order: somebody decides after a runout");
        let mut nodes = with_runouts();
        nodes[1].kind = Kind::Runout { class: 1 };
        assert_eq!(message(nodes), "node 1 is out of order: runouts are of a class of their own");
        let chain: Vec<Node> = (1..=5).map(|i| node(Kind::Chance, i, 1)).chain([node(LEAF, 0, 0)]).collect();
        assert_eq!(message(chain), "the tree has more than 4 rounds");
    }
}
