//! How a round is cut into tiles for the traversal.
//!
//! The nodes of one round form a forest: one root tree for each chance node of the round before. A *tile* is some whole root trees
//! that are traversed together: few enough that their terminal nodes stay in cache. A round that chance follows is one tile,
//! because the reach probabilities at its chance nodes are needed together.

use super::node::{MAX_ACTIONS, Node, NodeId, NodeKind, Terminal, TreeError};
use super::sequence_form::{SequenceForm, decisions_in_order};
use super::terminals::{LaneSequences, TerminalNode, Terminals};
use crate::Player;
use std::ops::Range;

/// About how many terminal nodes a tile has; more where one root tree does.
const TILE_TERMINALS: usize = 96;

/// How a traversal treats [all-in](NodeKind::AllIn) nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AllIns {
    /// As chance nodes: every event is dealt, and every node visited. For readers.
    Dealt,
    /// As terminal nodes, evaluated at once. For training and measuring.
    Collapsed,
}

/// Some of a round's root trees, traversed together.
#[derive(Clone, Debug)]
pub(crate) struct Tile {
    /// The root trees that are visited, numbered among the visited ones of the round.
    pub roots: Range<usize>,
    /// The root trees among its nodes, numbered among all of the round; with collapsed all-ins some are not visited.
    pub all_roots: Range<usize>,
    /// For each visited root tree, its number among `all_roots`.
    pub root_numbers: Vec<u32>,
    /// The nodes of all its root trees.
    pub nodes: Range<u32>,
    /// Where each visited root tree ends.
    pub root_ends: Vec<u32>,
    /// The sequence form of each player.
    pub forms: [SequenceForm; 2],
    /// Rows of the round's earlier tiles, by player.
    pub rows_before: [usize; 2],
    /// Decisions of the round's earlier tiles, by player.
    pub decisions_before: [usize; 2],
    /// The terminal nodes, as each player evaluates them.
    pub terminals: [Terminals; 2],
    /// The chance nodes: each leads to the root of the same number in the next round.
    pub chance_nodes: Vec<NodeId>,
    /// The sequences of the chance nodes, by player.
    pub chance_sequences: [Vec<LaneSequences>; 2],
    /// The sequences, by player, that are zeroed before values are loaded.
    pub unset_sequences: [Vec<u32>; 2],
}

impl Tile {
    /// Which of its visited root trees a node is in.
    pub fn root_of(&self, node: NodeId) -> usize {
        self.root_ends.partition_point(|&end| end <= node.0)
    }

    /// Whether any of these nodes is in it.
    pub fn has_any_of(&self, nodes: &Range<u32>) -> bool {
        self.nodes.start < nodes.end && nodes.start < self.nodes.end
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        size_of::<Self>()
            + (self.root_ends.len() + self.root_numbers.len()) * size_of::<u32>()
            + self.forms.iter().map(SequenceForm::bytes).sum::<usize>()
            + self.terminals.iter().map(Terminals::bytes).sum::<usize>()
            + self.chance_nodes.len() * size_of::<NodeId>()
            + self.chance_sequences.iter().map(|lanes| size_of_val(lanes.as_slice())).sum::<usize>()
            + self.unset_sequences.iter().map(|unset| size_of_val(unset.as_slice())).sum::<usize>()
    }
}

/// The nodes between two chance events.
#[derive(Clone, Debug)]
pub(crate) struct Round {
    pub nodes: Range<u32>,
    pub tiles: Vec<Tile>,
    /// Actions of all decisions, by player.
    pub rows: [usize; 2],
    /// Decisions, by player.
    pub decisions: [usize; 2],
    /// Whether all-ins are among its terminal nodes.
    pub has_all_ins: bool,
}

impl Round {
    fn new(nodes: Range<u32>) -> Self {
        Self { nodes, tiles: Vec::new(), rows: [0; 2], decisions: [0; 2], has_all_ins: false }
    }

    /// How many root trees are visited.
    pub fn root_count(&self) -> usize {
        self.tiles.last().map_or(0, |tile| tile.roots.end)
    }

    /// How many chance nodes there are.
    pub fn chance_count(&self) -> usize {
        self.tiles.iter().map(|tile| tile.chance_nodes.len()).sum()
    }

    /// Appends a tile.
    fn push(&mut self, tile: Tile) {
        for (p, form) in tile.forms.iter().enumerate() {
            self.rows[p] += form.rows;
            self.decisions[p] += form.decisions.len();
        }
        self.tiles.push(tile);
    }

    /// Cuts a round into tiles. `start` is its first node, `roots` the number of its root trees; `sequences` gets the sequences
    /// of both players at each node.
    pub fn with_all_ins_dealt(
        nodes: &[Node],
        start: u32,
        roots: usize,
        sequences: &mut [[u32; 2]],
    ) -> Result<Self, TreeError> {
        let mut root_trees = Vec::with_capacity(roots);
        let mut end = start;
        for _ in 0..roots {
            let start = end;
            end = root_tree_end(nodes, start)?;
            root_trees.push(start..end);
        }
        check_chance_nodes(nodes, start..end)?;
        let has_chance = (start..end).any(|id| nodes[id as usize].kind.is_chance());
        let mut round = Self::new(start..end);
        let mut first_root = 0;
        let terminals_in = |ids: Range<u32>| ids.filter(|&id| is_terminal(&nodes[id as usize])).count();
        let terminals = terminals_in(start..end);
        let tiles = if has_chance { 1 } else { ((terminals + TILE_TERMINALS / 2) / TILE_TERMINALS).max(1) };
        // Terminal nodes since the last cut, those that are not yet in a tile, and how many tiles are left for them.
        let (mut here, mut left, mut tiles_left) = (0, terminals, tiles);
        for root in 0..roots {
            here += terminals_in(root_trees[root].clone());
            let is_full = || tiles_left > 1 && here >= TILE_TERMINALS / 2 && here * tiles_left >= left;
            if root + 1 == roots || is_full() {
                let all_roots = first_root..root + 1;
                let part = TilePart {
                    nodes: root_trees[first_root].start..root_trees[root].end,
                    roots: all_roots.clone(),
                    numbers: (0..all_roots.len() as u32).collect(),
                    trees: root_trees[all_roots.clone()].to_vec(),
                    all_roots,
                };
                let tile = part.index(nodes, AllIns::Dealt, &round, sequences);
                round.push(tile);
                left -= here;
                (here, tiles_left) = (0, tiles_left.saturating_sub(1));
                first_root = root + 1;
            }
        }
        Ok(round)
    }
}

/// Checks that the chance nodes of a round lead to the roots of the next one, in order.
fn check_chance_nodes(nodes: &[Node], round: Range<u32>) -> Result<(), TreeError> {
    let mut next_root = round.end;
    for id in round.filter(|&id| nodes[id as usize].kind.is_chance()) {
        let node = &nodes[id as usize];
        if node.child_count != 1 || node.first_child.0 != next_root {
            return Err(TreeError::Order(id, "a chance node has one child, the next root of the next round"));
        }
        next_root = root_tree_end(nodes, next_root)?;
    }
    Ok(())
}

/// The rounds of a tree with its all-ins collapsed; none if there are no all-ins. Every tile has the same decisions with the same
/// rows as with all-ins dealt, so that both share regrets and strategies.
pub(super) fn with_all_ins_collapsed(nodes: &[Node], dealt: &[Round]) -> Result<Vec<Round>, TreeError> {
    if !nodes.iter().any(|node| node.kind == NodeKind::AllIn) {
        return Ok(Vec::new());
    }
    let mut sequences = vec![[0; 2]; nodes.len()];
    let mut collapsed: Vec<Round> = Vec::new();
    // Whether each root of the round is visited.
    let mut visited = vec![true];
    for dealt in dealt {
        let mut round = Round::new(dealt.nodes.clone());
        let mut next_visited = Vec::new();
        for tile in &dealt.tiles {
            let starts = std::iter::once(tile.nodes.start).chain(tile.root_ends.iter().copied());
            let trees = starts.zip(&tile.root_ends).map(|(start, &end)| start..end);
            let first_root = round.root_count();
            let mut part = TilePart {
                nodes: tile.nodes.clone(),
                all_roots: tile.all_roots.clone(),
                roots: first_root..first_root,
                numbers: Vec::new(),
                trees: Vec::new(),
            };
            for ((tree, number), &is_visited) in trees.zip(0..).zip(&visited[tile.all_roots.clone()]) {
                for id in tree.clone() {
                    match nodes[id as usize].kind {
                        NodeKind::Decision(_) if !is_visited => {
                            return Err(TreeError::Order(id, "somebody decides after an all-in"));
                        }
                        kind @ (NodeKind::Chance | NodeKind::AllIn) => {
                            next_visited.push(is_visited && kind == NodeKind::Chance);
                        }
                        NodeKind::Decision(_) | NodeKind::Terminal(_) => {}
                    }
                }
                if is_visited {
                    round.has_all_ins |= tree.clone().any(|id| nodes[id as usize].kind == NodeKind::AllIn);
                    part.roots.end += 1;
                    part.numbers.push(number);
                    part.trees.push(tree);
                }
            }
            // A tile without visited roots has no decisions, so leaving it out moves no row of a later one.
            if !part.trees.is_empty() {
                let tile = part.index(nodes, AllIns::Collapsed, &round, &mut sequences);
                round.push(tile);
            }
        }
        collapsed.push(round);
        visited = next_visited;
    }
    Ok(collapsed)
}

fn is_terminal(node: &Node) -> bool {
    matches!(node.kind, NodeKind::Terminal(_))
}

/// Where the breadth-first tree that starts at `root` ends.
fn root_tree_end(nodes: &[Node], root: u32) -> Result<u32, TreeError> {
    let mut end = root + 1;
    let mut id = root;
    while id < end {
        let node = nodes.get(id as usize).ok_or(TreeError::Order(id, "it does not exist"))?;
        match node.kind {
            NodeKind::Decision(_) if node.child_count == 0 => {
                return Err(TreeError::Order(id, "a decision needs actions"));
            }
            NodeKind::Decision(_) if usize::from(node.child_count) > MAX_ACTIONS => {
                return Err(TreeError::Order(id, "it has too many actions"));
            }
            NodeKind::Decision(_) if node.first_child.0 != end => {
                return Err(TreeError::Order(id, "its children are not next in breadth-first order"));
            }
            NodeKind::Decision(_) => end += u32::from(node.child_count),
            NodeKind::Terminal(Terminal::AllIn) => {
                return Err(TreeError::Order(id, "an all-in is a chance node"));
            }
            NodeKind::Terminal(_) if node.child_count != 0 => {
                return Err(TreeError::Order(id, "a terminal has no children"));
            }
            NodeKind::Chance | NodeKind::AllIn | NodeKind::Terminal(_) => {}
        }
        id += 1;
    }
    Ok(end)
}

/// The root trees of a tile that is to be indexed; the fields are those of [`Tile`].
struct TilePart {
    nodes: Range<u32>,
    all_roots: Range<usize>,
    roots: Range<usize>,
    numbers: Vec<u32>,
    trees: Vec<Range<u32>>,
}

impl TilePart {
    fn index(self, nodes: &[Node], all_ins: AllIns, before: &Round, sequences: &mut [[u32; 2]]) -> Tile {
        let Self { nodes: range, all_roots, roots, numbers, trees } = self;
        for (sequence, tree) in trees.iter().enumerate() {
            sequences[tree.start as usize] = [sequence as u32; 2];
        }
        let root_ends: Vec<u32> = trees.iter().map(|tree| tree.end).collect();
        let root_of = |node: NodeId| root_ends.partition_point(|&end| end <= node.0);
        let mut decisions = decisions_in_order(nodes, range.clone(), root_of);
        // By node: the sequence of the first action of its decision.
        let mut next_sequences = vec![0; range.len()];
        for decision in decisions.iter().flatten() {
            next_sequences[(decision.node.0 - range.start) as usize] = roots.len() as u32 + decision.row;
        }
        let mut chance_nodes = Vec::new();
        let mut terminals: Vec<TerminalNode> = Vec::new();
        for id in trees.into_iter().flatten() {
            let (node, here) = (&nodes[id as usize], sequences[id as usize]);
            let terminal =
                |kind| TerminalNode { kind, node: NodeId(id), sequences: here, root: root_of(NodeId(id)) };
            match (node.kind, all_ins) {
                (NodeKind::Terminal(kind), _) => terminals.push(terminal(kind)),
                (NodeKind::AllIn, AllIns::Collapsed) => terminals.push(terminal(Terminal::AllIn)),
                (NodeKind::Chance, _) | (NodeKind::AllIn, AllIns::Dealt) => chance_nodes.push(NodeId(id)),
                (NodeKind::Decision(player), _) => {
                    let first = next_sequences[(id - range.start) as usize];
                    for (child, sequence) in node.children().zip(first..) {
                        sequences[child.index()] = here;
                        sequences[child.index()][player.index()] = sequence;
                    }
                }
            }
        }
        let forms = [0, 1].map(|p| {
            let mut decisions = std::mem::take(&mut decisions[p]);
            let sequence = |node: NodeId| sequences[node.index()][p];
            decisions.iter_mut().for_each(|decision| decision.sequence = sequence(decision.node));
            SequenceForm::new(decisions, roots.len())
        });
        terminals.sort_by_key(|terminal| terminal.kind);
        let mut chance_sequences = [0, 1]
            .map(|p| LaneSequences::of(chance_nodes.iter().map(|node: &NodeId| sequences[node.index()][p])));
        let mut terminals = Player::BOTH.map(|player| Terminals::paired(&terminals, player));
        let unset_sequences = [0, 1].map(|p| {
            let lanes = terminals[p].values.iter_mut().chain(&mut chance_sequences[p]);
            LaneSequences::rank(lanes, forms[p].sequences())
        });
        Tile {
            roots,
            all_roots,
            root_numbers: numbers,
            nodes: range,
            root_ends,
            forms,
            rows_before: before.rows,
            decisions_before: before.decisions,
            terminals,
            chance_nodes,
            chance_sequences,
            unset_sequences,
        }
    }
}
