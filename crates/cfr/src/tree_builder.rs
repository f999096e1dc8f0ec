//! Builds a tree from nested nodes.

use crate::Player;
use crate::tree::{Node, NodeId, NodeKind, Terminal, Tree, TreeError};

/// A node and its subtree, with data of the game at every node: an amount, a name, a payoff.
///
/// ```
/// use noregret_cfr::{NodeId, Player, Terminal, TreeBuilder};
///
/// // Bet or check; after a bet, fold or call. Each node carries what the bet adds to the pot.
/// let fold = TreeBuilder::terminal(Terminal::Fold, 1.0);
/// let call = TreeBuilder::terminal(Terminal::Showdown, 2.0);
/// let check = TreeBuilder::terminal(Terminal::Showdown, 0.0);
/// let bet = TreeBuilder::decision(Player::Second, vec![fold, call], 1.0);
/// let (tree, added) = TreeBuilder::decision(Player::First, vec![check, bet], 0.0).build()?;
/// assert_eq!(tree.nodes().len(), 5);
/// let children: Vec<NodeId> = tree.node(NodeId::ROOT).children().collect();
/// assert_eq!(added[children[1].index()], 1.0);
/// # Ok::<(), noregret_cfr::TreeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TreeBuilder<T> {
    kind: NodeKind,
    children: Vec<Self>,
    data: T,
}

impl<T> TreeBuilder<T> {
    /// A decision node with a child for each action.
    pub fn decision(player: Player, children: Vec<Self>, data: T) -> Self {
        Self { kind: NodeKind::Decision(player), children, data }
    }

    /// A chance node, and what follows it whatever is dealt.
    pub fn chance(child: Self, data: T) -> Self {
        Self { kind: NodeKind::Chance, children: vec![child], data }
    }

    /// A chance node after which nobody decides any more.
    pub fn all_in(child: Self, data: T) -> Self {
        Self { kind: NodeKind::AllIn, children: vec![child], data }
    }

    /// A terminal node.
    pub fn terminal(kind: Terminal, data: T) -> Self {
        Self { kind: NodeKind::Terminal(kind), children: Vec::new(), data }
    }

    /// The tree, and the data of each node by its index.
    pub fn build(self) -> Result<(Tree, Vec<T>), TreeError> {
        let (mut nodes, mut data): (Vec<Node>, Vec<T>) = (Vec::new(), Vec::new());
        // The roots of a round, each with the index of the chance node before it.
        let mut roots: Vec<(Option<usize>, Self)> = vec![(None, self)];
        while !roots.is_empty() {
            let mut next_roots = Vec::new();
            for (parent, root) in roots {
                if let Some(parent) = parent {
                    nodes[parent].first_child = NodeId(nodes.len() as u32);
                }
                let mut level = vec![root];
                while !level.is_empty() {
                    let mut next_level = Vec::new();
                    let next_start = nodes.len() + level.len();
                    for Self { kind, children, data: datum } in level {
                        let first_child = NodeId((next_start + next_level.len()) as u32);
                        let child_count = u16::try_from(children.len()).unwrap_or(u16::MAX);
                        if kind.is_chance() {
                            next_roots.extend(children.into_iter().map(|child| (Some(nodes.len()), child)));
                        } else {
                            next_level.extend(children);
                        }
                        nodes.push(Node { kind, first_child, child_count });
                        data.push(datum);
                    }
                    level = next_level;
                }
            }
            roots = next_roots;
        }
        Ok((Tree::new(nodes)?, data))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_laid_out_round_by_round_and_breadth_first() {
        let fold = |name| TreeBuilder::terminal(Terminal::Fold, name);
        let second = TreeBuilder::decision(Player::Second, vec![fold("c"), fold("d")], "after chance");
        let first = TreeBuilder::decision(
            Player::Second,
            vec![fold("a"), TreeBuilder::chance(second, "chance")],
            "x",
        );
        let last = TreeBuilder::chance(fold("e"), "late chance");
        let (tree, names) = TreeBuilder::decision(Player::First, vec![last, first], "root").build().unwrap();
        assert_eq!(names, ["root", "late chance", "x", "a", "chance", "e", "after chance", "c", "d"]);
        assert_eq!(tree.round_count(), 2);
        assert_eq!(tree.roots(1), [NodeId(5), NodeId(6)]);
    }

    #[test]
    fn invalid_trees_are_refused() {
        let error = TreeBuilder::decision(Player::First, Vec::new(), ()).build().unwrap_err();
        assert_eq!(error.to_string(), "node 0 is out of order: a decision needs actions");
        let all_in = TreeBuilder::terminal(Terminal::AllIn, ());
        assert_eq!(
            all_in.build().unwrap_err().to_string(),
            "node 0 is out of order: an all-in is a chance node"
        );
    }
}
