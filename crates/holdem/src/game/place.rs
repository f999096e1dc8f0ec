//! Where lines lead.

use noregret_cards::{Board, SuitPermutation};
use noregret_cfr::{Deal, NodeId};

/// Where a line leads: a node, the public cards, the solved deal that stands for them, and the renaming that turns its suits
/// into those of the line.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub node: NodeId,
    pub board: Board,
    pub deal: Deal,
    pub renaming: SuitPermutation,
}

/// A place, and the deals of the later rounds that lead there, one for each card of the line.
pub(crate) struct LinePath {
    pub place: Place,
    pub deals: Vec<Deal>,
}
