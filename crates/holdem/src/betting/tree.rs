//! The betting tree: every line of play of a spot, once for all runouts, in one flat array.
//!
//! The nodes of the first street come first, then those of the next, then the river's. Within a street they are grouped
//! by street root, in the order of the chance nodes that lead there, and within a group they are in breadth-first
//! order: parents come before children, and the children of a node are neighbours.
//!
//! ```
//! use noregret_holdem::{BettingTree, TreeOptions, cards::Street};
//!
//! let tree = BettingTree::build(&TreeOptions::new(100.into(), 300.into()), Street::River)?;
//! let actions: Vec<String> = tree.actions(BettingTree::ROOT).map(|action| action.to_string()).collect();
//! assert_eq!(actions, ["check", "bet 50"]);
//! # Ok::<(), noregret_holdem::BettingTreeError>(())
//! ```

use super::action::Action;
use super::chips::Chips;
use super::line::{Line, Step};
use super::node::{BettingNode, BettingNodeKind, NodeId};
use super::walk::{LineError, Points, ToAnswer, walk};
use noregret_cards::{Board, Card, Street};
use std::ops::Range;

mod build;
mod chip_lines;
mod edits;
mod options;
mod rules;
#[cfg(test)]
mod tests;
mod thin;

pub use chip_lines::{ChipLineError, ChipLines};
pub use edits::{Edit, EditError, TreeEdits};
use noregret_cfr::MAX_ACTIONS;
pub use options::{OptionsError, Payoff, Rake, StreetSizes, TreeField, TreeOptions};
pub(crate) use rules::Rules;

/// How many nodes of each kind a tree has, by street.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TreeCounts {
    /// Decision points.
    pub decisions: [usize; 3],
    /// Points where a card is dealt.
    pub chances: [usize; 3],
    /// Ends of the hand, folds and showdowns.
    pub terminals: [usize; 3],
}

impl TreeCounts {
    /// Decision points on all streets.
    pub fn all_decisions(&self) -> usize {
        self.decisions.iter().sum()
    }

    /// Ends of the hand on all streets.
    pub fn all_terminals(&self) -> usize {
        self.terminals.iter().sum()
    }

    /// Nodes of every kind on all streets.
    pub fn nodes(&self) -> usize {
        [self.decisions, self.chances, self.terminals].iter().flatten().sum()
    }

    fn on_street(&self, street: Street) -> usize {
        [self.decisions, self.chances, self.terminals].iter().map(|counts| counts[street.index()]).sum()
    }

    fn add(&mut self, street: Street, kind: BettingNodeKind) {
        let counts = match kind {
            BettingNodeKind::Decision(_) => &mut self.decisions,
            BettingNodeKind::Chance => &mut self.chances,
            BettingNodeKind::Fold(_) | BettingNodeKind::Showdown => &mut self.terminals,
        };
        counts[street.index()] += 1;
    }
}

/// Why there is no tree.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BettingTreeError {
    /// A value makes no sense.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// A line cannot be added or taken out.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// A decision would have so many actions, more than a solver takes.
    #[error(
        "a decision has {0} actions, and {MAX_ACTIONS} are possible: give fewer sizes, or raise merging_threshold"
    )]
    TooManyActions(usize),
    /// There would be more nodes than this.
    #[error(
        "the betting tree has more than {0} nodes: give fewer or larger sizes, or raise force_allin_threshold or \
         merging_threshold"
    )]
    TooLarge(usize),
}

/// Every line of play of a spot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BettingTree {
    nodes: Vec<BettingNode>,
    roots: [Vec<NodeId>; 3],
    counts: TreeCounts,
    first_street: Street,
    starting_pot: Chips,
}

impl BettingTree {
    /// The first decision of the spot.
    pub const ROOT: NodeId = NodeId(0);

    /// All nodes; a [`NodeId`] is the index.
    pub fn nodes(&self) -> &[BettingNode] {
        &self.nodes
    }

    /// The street of the root.
    pub fn first_street(&self) -> Street {
        self.first_street
    }

    /// How many nodes of each kind there are.
    pub fn counts(&self) -> &TreeCounts {
        &self.counts
    }

    /// Where the nodes of a street begin and end.
    pub fn street_nodes(&self, street: Street) -> Range<NodeId> {
        let before: usize = Street::ALL[..street.index()].iter().map(|&s| self.counts.on_street(s)).sum();
        NodeId(before as u32)..NodeId((before + self.counts.on_street(street)) as u32)
    }

    /// The street roots: the root of the spot on its first street, the nodes after the chance nodes on the later ones.
    /// The nodes from one root up to the next are its group.
    pub fn street_roots(&self, street: Street) -> &[NodeId] {
        &self.roots[street.index()]
    }

    /// The children of a node, in the order of the actions.
    pub fn children(
        &self,
        node: NodeId,
    ) -> impl ExactSizeIterator<Item = NodeId> + DoubleEndedIterator + use<> {
        let node = &self[node];
        let first = node.first_child.0;
        (0..node.child_count).map(move |i| NodeId(first + u32::from(i)))
    }

    /// What can be done at a node, in the order of the children; nothing unless it is a decision.
    pub fn actions(&self, node: NodeId) -> impl Iterator<Item = Action> + '_ {
        self.children(node).filter_map(|child| self[child].action)
    }

    /// The child that an action leads to.
    pub fn child_by_action(&self, node: NodeId, action: Action) -> Option<NodeId> {
        self.children(node).find(|&child| self[child].action == Some(action))
    }

    /// Where a line leads from a board: the node there, and the board with the cards of the line.
    ///
    /// A bet, raise or all-in is found by its amount, so that `bet 910` is fine where 910 is all-in.
    pub fn walk(&self, board: &Board, line: &Line) -> Result<(NodeId, Board), LineError> {
        walk(self, board, line).map(|end| (end.point, end.board))
    }

    /// A line as the tree has it: an all-in with its amount, and a bet that is all-in as one.
    pub fn exact(&self, board: &Board, line: &Line) -> Result<Line, LineError> {
        walk(self, board, line).map(|end| end.line)
    }

    /// The node before each step of a line, with the board there.
    pub fn nodes_before(&self, board: &Board, line: &Line) -> Result<Vec<(NodeId, Board)>, LineError> {
        walk(self, board, line).map(|end| end.before)
    }

    /// The steps from the root of the tree to a node, with these cards where cards are dealt; none if they are too few.
    pub fn line_to(&self, node: NodeId, cards: &[Card]) -> Option<Line> {
        let mut steps = Vec::new();
        let mut at = node;
        let mut left = cards.iter().rev();
        while let Some(parent) = self[at].parent {
            steps.push(match (self[parent].kind, self[at].action) {
                (BettingNodeKind::Chance, _) => Step::Card(*left.next()?),
                (_, Some(action)) => Step::Action(action),
                (_, None) => return None,
            });
            at = parent;
        }
        steps.reverse();
        Some(Line { steps })
    }

    /// The lines of the betting in the smallest amount of the tree, one for each showdown, as [`ChipLines`](crate::ChipLines) takes them.
    pub fn chip_lines(&self) -> Vec<Vec<u32>> {
        let line = |mut at: NodeId| {
            let mut chips = Vec::new();
            while let Some(parent) = self[at].parent {
                if let BettingNodeKind::Decision(player) = self[parent].kind {
                    chips.push(self[at].committed[player.index()].count());
                }
                at = parent;
            }
            chips.reverse();
            chips
        };
        let ids = (0..self.nodes().len() as u32).map(NodeId);
        let showdowns = ids.filter(|&id| self[id].kind == BettingNodeKind::Showdown);
        let mut lines: Vec<Vec<u32>> = showdowns.map(line).collect();
        lines.sort();
        lines.dedup();
        lines
    }
}

impl std::ops::Index<NodeId> for BettingTree {
    type Output = BettingNode;

    fn index(&self, node: NodeId) -> &BettingNode {
        &self.nodes[node.index()]
    }
}

impl Points for BettingTree {
    type Point = NodeId;

    fn root(&self) -> NodeId {
        Self::ROOT
    }

    fn describe(&self, point: NodeId) -> (Street, BettingNodeKind) {
        (self[point].street, self[point].kind)
    }

    fn after(&self, point: NodeId) -> Vec<(Option<Action>, NodeId)> {
        self.children(point).map(|child| (self[child].action, child)).collect()
    }

    fn to_answer(&self, point: NodeId) -> ToAnswer {
        let node = &self[point];
        // The pot after calling has twice what the one who has put in more has.
        let most = f64::from(node.committed[0].max(node.committed[1]).count());
        let previous = node.action.and_then(Action::amount).map_or(0, Chips::count);
        ToAnswer { pot: f64::from(self.starting_pot.count()) + 2.0 * most, previous }
    }
}
