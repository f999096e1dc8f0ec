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
//! # Ok::<(), noregret_holdem::TreeError>(())
//! ```

use crate::{Chips, Player};
use noregret_cards::Street;
use std::fmt;
use std::ops::Range;

mod build;
mod edits;
mod options;
mod rules;
#[cfg(test)]
mod tests;
mod thin;

pub use edits::{Edit, EditError, TreeEdits};
use noregret_cfr::MAX_ACTIONS;
pub use noregret_cfr::NodeId;
pub use options::{OptionsError, Payoff, Rake, StreetSizes, TreeField, TreeOptions};
pub(crate) use rules::Rules;

/// What a player does. Amounts are what the player has put in on this street in all.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Gives the pot up.
    Fold,
    /// Passes without a bet to answer.
    Check,
    /// Answers a bet with as much.
    Call,
    /// Puts in the first chips of the street.
    Bet(Chips),
    /// Answers a bet with more.
    Raise(Chips),
    /// Bets or raises everything.
    AllIn(Chips),
}

impl Action {
    /// What the player has put in on this street after a bet, a raise or an all-in.
    pub fn amount(self) -> Option<Chips> {
        match self {
            Self::Fold | Self::Check | Self::Call => None,
            Self::Bet(amount) | Self::Raise(amount) | Self::AllIn(amount) => Some(amount),
        }
    }

    /// The word for it: `fold`, `check`, `call`, `bet`, `raise` or `all-in`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fold => "fold",
            Self::Check => "check",
            Self::Call => "call",
            Self::Bet(_) => "bet",
            Self::Raise(_) => "raise",
            Self::AllIn(_) => "all-in",
        }
    }
}

impl fmt::Display for Action {
    /// As in a line: `check`, `bet 94`, `all-in 910`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        self.amount().map_or(Ok(()), |amount| write!(f, " {amount}"))
    }
}

/// What happens at a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NodeKind {
    /// This player acts.
    Decision(Player),
    /// The next card is dealt.
    Chance,
    /// This player has folded.
    Fold(Player),
    /// The hands are compared.
    Showdown,
}

/// One point of the betting, for all runouts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node {
    /// The street that is played here.
    pub street: Street,
    /// What happens here.
    pub kind: NodeKind,
    /// What led here from the parent; none at the root and after a chance node.
    pub action: Option<Action>,
    /// The node before; none at the root.
    pub parent: Option<NodeId>,
    /// The first of the children, which follow each other; no meaning without children.
    pub first_child: NodeId,
    /// How many children there are: one per action, one after a chance node (the root of the next street), none at the
    /// end of the hand.
    pub child_count: u16,
    /// What each player has put in since the root of the spot, all streets together.
    pub committed: [Chips; 2],
}

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

    fn add(&mut self, street: Street, kind: NodeKind) {
        let counts = match kind {
            NodeKind::Decision(_) => &mut self.decisions,
            NodeKind::Chance => &mut self.chances,
            NodeKind::Fold(_) | NodeKind::Showdown => &mut self.terminals,
        };
        counts[street.index()] += 1;
    }
}

/// Why there is no tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TreeError {
    /// A value makes no sense.
    Options(OptionsError),
    /// A line cannot be added or taken out.
    Edit(EditError),
    /// A decision would have so many actions, more than a solver takes.
    TooManyActions(usize),
    /// There would be more nodes than this.
    TooLarge(usize),
}

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Options(error) => error.fmt(f),
            Self::Edit(error) => error.fmt(f),
            Self::TooManyActions(actions) => write!(
                f,
                "a decision has {actions} actions, and {MAX_ACTIONS} are possible: give fewer sizes, or raise \
                 merging_threshold"
            ),
            Self::TooLarge(limit) => write!(
                f,
                "the betting tree has more than {limit} nodes: give fewer or larger sizes, or raise force_allin_threshold \
                 or merging_threshold"
            ),
        }
    }
}

impl std::error::Error for TreeError {}

impl From<EditError> for TreeError {
    fn from(error: EditError) -> Self {
        Self::Edit(error)
    }
}

impl From<OptionsError> for TreeError {
    fn from(error: OptionsError) -> Self {
        Self::Options(error)
    }
}

/// Every line of play of a spot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BettingTree {
    nodes: Vec<Node>,
    roots: [Vec<NodeId>; 3],
    counts: TreeCounts,
    first_street: Street,
}

impl BettingTree {
    /// The first decision of the spot.
    pub const ROOT: NodeId = NodeId(0);

    /// All nodes; a [`NodeId`] is the index.
    pub fn nodes(&self) -> &[Node] {
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
}

impl std::ops::Index<NodeId> for BettingTree {
    type Output = Node;

    fn index(&self, node: NodeId) -> &Node {
        &self.nodes[node.index()]
    }
}
