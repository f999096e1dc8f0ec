//! A point of the betting.

use super::action::Action;
use super::chips::Chips;
use noregret_cards::Street;
pub use noregret_cfr::NodeId;
use noregret_cfr::Player;

/// What happens at a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BettingNodeKind {
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
pub struct BettingNode {
    /// The street that is played here.
    pub street: Street,
    /// What happens here.
    pub kind: BettingNodeKind,
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
