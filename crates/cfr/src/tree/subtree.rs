//! What follows a node before the next chance event.

use super::node::{Node, NodeId, NodeKind};
use std::ops::Range;

/// A node and all that follows it in its round.
#[derive(Clone, Debug)]
pub(crate) struct Subtree {
    top: NodeId,
    /// For the top and each node after it, whether it is in the subtree: breadth first, others lie between.
    is_in: Vec<bool>,
}

impl Subtree {
    /// The subtree of a node, where the nodes of a root tree are laid out breadth first.
    pub fn new(nodes: &[Node], top: NodeId) -> Self {
        let mut is_in = vec![true];
        let mut at = 0;
        while at < is_in.len() {
            let node = &nodes[top.index() + at];
            if let (true, NodeKind::Decision(_)) = (is_in[at], node.kind) {
                let children = node.children().map(|child| child.index() - top.index());
                for child in children {
                    is_in.resize(is_in.len().max(child + 1), false);
                    is_in[child] = true;
                }
            }
            at += 1;
        }
        Self { top, is_in }
    }

    /// The nodes from the top to the last one of the subtree; not all of them are in it.
    pub fn nodes(&self) -> Range<u32> {
        self.top.0..self.top.0 + self.is_in.len() as u32
    }

    /// Whether a node is in it.
    pub fn contains(&self, node: NodeId) -> bool {
        let place = node.index().checked_sub(self.top.index());
        place.and_then(|place| self.is_in.get(place)).is_some_and(|&is_in| is_in)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Player;
    use crate::tree::Terminal;

    #[test]
    fn a_subtree_has_what_follows_and_nothing_beside_it() {
        let node =
            |kind, first_child, child_count| Node { kind, first_child: NodeId(first_child), child_count };
        let (first, second) = (NodeKind::Decision(Player::First), NodeKind::Decision(Player::Second));
        let fold = node(NodeKind::Terminal(Terminal::Fold), 0, 0);
        // 0 leads to 1 and 2; 1 to 3 and 4; 2 to 5 and 6; a card comes at 4.
        let chance = node(NodeKind::Chance, 7, 1);
        let nodes =
            [node(first, 1, 2), node(second, 3, 2), node(second, 5, 2), fold, chance, fold, fold, fold];
        let of = |top| {
            let subtree = Subtree::new(&nodes, NodeId(top));
            let ids: Vec<u32> = (0..8).filter(|&id| subtree.contains(NodeId(id))).collect();
            (ids, subtree.nodes())
        };
        assert_eq!(of(0), (vec![0, 1, 2, 3, 4, 5, 6], 0..7));
        assert_eq!(of(1), (vec![1, 3, 4], 1..5));
        assert_eq!(of(2), (vec![2, 5, 6], 2..7));
        assert_eq!(of(4), (vec![4], 4..5));
    }
}
