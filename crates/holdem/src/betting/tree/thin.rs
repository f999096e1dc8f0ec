//! A betting tree with fewer sizes.

use super::{BettingTree, TreeCounts};
use crate::betting::action::Action;
use crate::betting::node::{BettingNode, NodeId};
use std::collections::HashSet;

impl BettingTree {
    /// The same tree with at most so many bets or raises at each decision, besides all-in, which stays where it is. What is left covers
    /// the range of sizes best: the middle one, or the ends and what lies evenly between them. At the nodes of `whole` all actions stay,
    /// and so does every line that leads there.
    pub(crate) fn thinned(&self, sizes: usize, whole: &HashSet<NodeId>) -> Self {
        let mut on_the_way = HashSet::new();
        for &node in whole {
            let mut at = Some(node);
            while let Some(node) = at.filter(|&node| on_the_way.insert(node)) {
                at = self[node].parent;
            }
        }
        let mut stays = vec![false; self.nodes.len()];
        stays[Self::ROOT.index()] = true;
        for id in (0..self.nodes.len() as u32).map(NodeId).filter(|id| self[*id].child_count > 0) {
            if !stays[id.index()] {
                continue;
            }
            let is_size =
                |child: &NodeId| matches!(self[*child].action, Some(Action::Bet(_) | Action::Raise(_)));
            let (sized, others): (Vec<_>, Vec<_>) = self.children(id).partition(is_size);
            let chosen = if whole.contains(&id) {
                sized.clone()
            } else {
                spread(sized.len(), sizes).map(|i| sized[i]).collect()
            };
            let on_the_way = sized.iter().copied().filter(|child| on_the_way.contains(child));
            others.into_iter().chain(chosen).chain(on_the_way).for_each(|child| stays[child.index()] = true);
        }
        self.only(&stays)
    }

    /// The nodes that stay, in the same order: that of a tree, since with a node all that follows it goes.
    fn only(&self, stays: &[bool]) -> Self {
        let mut count = 0;
        let new_ids: Vec<NodeId> = stays
            .iter()
            .map(|&stays| {
                count += u32::from(stays);
                NodeId(count.saturating_sub(u32::from(stays)))
            })
            .collect();
        let mut counts = TreeCounts::default();
        let mut nodes = Vec::with_capacity(count as usize);
        for (id, node) in self.nodes.iter().enumerate().filter(|(id, _)| stays[*id]) {
            counts.add(node.street, node.kind);
            let mut children = self.children(NodeId(id as u32)).filter(|child| stays[child.index()]);
            let first_child = children.next();
            let child_count = u16::from(first_child.is_some()) + children.count() as u16;
            let first_child = first_child.map_or(NodeId(0), |child| new_ids[child.index()]);
            let parent = node.parent.map(|parent| new_ids[parent.index()]);
            nodes.push(BettingNode { parent, first_child, child_count, ..*node });
        }
        let roots = self.roots.each_ref().map(|roots| {
            roots.iter().filter(|root| stays[root.index()]).map(|root| new_ids[root.index()]).collect()
        });
        Self { nodes, roots, counts, first_street: self.first_street, starting_pot: self.starting_pot }
    }
}

/// Which of `count` things in a row to keep, if `most` may stay: the middle one, the lower of two; or from end to end.
fn spread(count: usize, most: usize) -> impl Iterator<Item = usize> {
    let most = most.min(count);
    (0..most).map(move |i| match most {
        1 => (count - 1) / 2,
        _ => (2 * i * (count - 1) + most - 1) / (2 * (most - 1)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BettingNodeKind, SizeKind, SizeList, StreetSizes, TreeOptions};
    use noregret_cards::{Board, Street};

    fn options(bets: &str, raises: &str) -> TreeOptions {
        let mut options = TreeOptions::new(100.into(), 1000.into());
        let sizes = StreetSizes {
            bet: SizeList::parse(bets, SizeKind::Bet).unwrap(),
            raise: SizeList::parse(raises, SizeKind::Raise).unwrap(),
        };
        Street::ALL.into_iter().for_each(|street| options.set_street(street, sizes.clone()));
        options
    }

    fn node(tree: &BettingTree, line: &str) -> NodeId {
        let board: Board = "QsJh2h3c".parse().unwrap();
        tree.walk(&board, &line.parse().unwrap()).unwrap().0
    }

    fn actions(tree: &BettingTree, line: &str) -> Vec<String> {
        tree.actions(node(tree, line)).map(|action| action.to_string()).collect()
    }

    #[test]
    fn what_stays_covers_the_range_of_sizes() {
        let kept = |count, most| spread(count, most).collect::<Vec<_>>();
        assert_eq!([kept(0, 1), kept(1, 1), kept(2, 1), kept(3, 1), kept(4, 1)].concat(), [0, 0, 1, 1]);
        assert_eq!([kept(2, 2), kept(5, 2)], [[0, 1], [0, 4]]);
        assert_eq!([kept(5, 3), kept(6, 3)], [[0, 2, 4], [0, 3, 5]]);
        assert_eq!(kept(4, 9), [0, 1, 2, 3]);
    }

    #[test]
    fn a_thinned_tree_has_the_lines_of_the_full_one_that_take_what_stays() {
        let full = BettingTree::build(&options("20%, 50%, 120%, a", "50%, 100%, a"), Street::Turn).unwrap();
        let thin = full.thinned(1, &HashSet::new());
        assert_eq!(actions(&full, ""), ["check", "bet 20", "bet 50", "bet 120", "all-in 1000"]);
        assert_eq!(actions(&thin, ""), ["check", "bet 50", "all-in 1000"]);
        assert_eq!(actions(&full, "bet 50"), ["fold", "call", "raise 150", "raise 250", "all-in 1000"]);
        assert_eq!(actions(&thin, "bet 50"), ["fold", "call", "raise 150", "all-in 1000"]);
        assert_eq!(actions(&thin, "bet 50, call, Th"), ["check", "bet 100", "all-in 950"]);
        assert_eq!(
            actions(&full.thinned(2, &HashSet::new()), ""),
            ["check", "bet 20", "bet 120", "all-in 1000"]
        );
        assert_eq!(full.thinned(9, &HashSet::new()).counts(), full.counts());
    }

    #[test]
    fn a_thinned_tree_is_laid_out_as_one_that_was_built() {
        // With single lists for the first sizes of the longer ones, and nothing merged or forced, the trees are the same.
        let mut long = options("50%, 70%", "100%, 120%");
        let mut short = options("50%", "100%");
        for options in [&mut long, &mut short] {
            options.merging_threshold = 0.0;
            options.force_allin_threshold = 0.0;
            options.add_allin_threshold = 0.0;
            options.effective_stack = 400.into();
        }
        for street in [Street::Flop, Street::River] {
            let thin = BettingTree::build(&long, street).unwrap().thinned(1, &HashSet::new());
            let built = BettingTree::build(&short, street).unwrap();
            assert_eq!(thin.counts().nodes(), thin.nodes().len());
            for street in Street::ALL {
                assert!(thin.street_roots(street).iter().all(|root| thin[*root].street == street));
            }
            if street == Street::River {
                let kinds = |tree: &BettingTree| -> Vec<BettingNodeKind> {
                    tree.nodes().iter().map(|node| node.kind).collect()
                };
                assert_eq!(kinds(&thin)[..6], kinds(&built)[..6]);
            }
            for (id, node) in thin.nodes().iter().enumerate() {
                let here = NodeId(id as u32);
                assert!(thin.children(here).all(|child| thin[child].parent == Some(here)));
                assert!(node.parent.is_none_or(|parent| parent < here));
            }
        }
    }

    #[test]
    fn where_everything_stays_and_on_the_way_there_nothing_is_left_out() {
        let full = BettingTree::build(&options("20%, 50%, 120%", "50%, 100%"), Street::Turn).unwrap();
        let line = "bet 20, call, Th, check";
        let whole = HashSet::from([node(&full, line)]);
        let thin = full.thinned(1, &whole);
        assert_eq!(actions(&thin, ""), ["check", "bet 20", "bet 50"]);
        assert_eq!(actions(&thin, line), actions(&full, line));
        assert_eq!(actions(&thin, "bet 20, call, Th"), ["check", "bet 70"]);
    }
}
