//! The nodes of a public tree.

use crate::Player;

/// How many rounds a game may have.
pub const MAX_ROUNDS: usize = 4;

/// How many actions a decision node may have.
pub const MAX_ACTIONS: usize = 64;

/// The index of a node in its tree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(
    /// Index into [`Tree::nodes`](crate::Tree::nodes).
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

/// How the game ends at a node. Terminal nodes of one kind are evaluated together, see
/// [`TerminalBatch`](crate::TerminalBatch).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Terminal {
    /// A player has given up: the payoff is the same for every pair of hands that can be dealt together.
    Fold,
    /// Hands are compared: the payoff depends on both.
    Showdown,
    /// Players are all-in with chance events to come ([`NodeKind::AllIn`]), and all of them are evaluated at once. Only
    /// batches have this kind; a node of it is a chance node.
    AllIn,
    /// A [`Subgame`](crate::Subgame) stops here before the game does: the counterfactual values are given.
    /// Only subgames have such nodes; a game must not.
    DepthLimit,
}

/// What happens at a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeKind {
    /// A player chooses one of the children.
    Decision(Player),
    /// Chance moves; the only child is a root of the next round.
    Chance,
    /// A chance node after which nobody decides any more. A traversal may deal the events that follow, or evaluate the node at
    /// once like a terminal node.
    AllIn,
    /// The game ends.
    Terminal(Terminal),
}

impl NodeKind {
    /// Whether chance moves.
    pub fn is_chance(self) -> bool {
        matches!(self, Self::Chance | Self::AllIn)
    }
}

/// A node: what happens there, and where its children are.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// What happens.
    pub kind: NodeKind,
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
    #[error("the tree has more than {rounds} rounds", rounds = MAX_ROUNDS)]
    TooManyRounds,
    /// A node's children are not where they should be.
    #[error("node {0} is out of order: {1}")]
    Order(u32, &'static str),
}
