//! A player's decisions in a tile, in the order in which kernels go through them.

use super::{Kind, Node, NodeId};
use std::ops::Range;

/// A choice of one player, in sequence form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decision {
    /// Where the choice is made.
    pub node: NodeId,
    /// The slot of the sequence that leads to it.
    pub slot: u32,
    /// Its first row; action `a` continues in slot `roots + row + a`.
    pub row: u32,
    /// How many actions there are.
    pub actions: u32,
    /// Which of the tile's root trees it is in.
    pub root: u32,
}

/// Consecutive decisions of a plan with as many actions each, none of which comes after another.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    /// Which of the plan's decisions.
    pub decisions: Range<usize>,
    /// How many actions each has.
    pub actions: usize,
    /// The first row of the first one.
    pub row: usize,
}

impl Run {
    /// The rows of all of them.
    pub fn rows(&self) -> Range<usize> {
        self.row..self.row + self.decisions.len() * self.actions
    }

    /// Where they are in arrays that have a cell for every action but the last.
    pub fn shares(&self) -> Range<usize> {
        let first = self.row - self.decisions.start;
        first..first + self.decisions.len() * (self.actions - 1)
    }
}

/// One player's sequences through a tile. Slots `0..roots` are the empty sequences, one for each root.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// Those of the player that come first, then those that come after one of them, and so on. Among these, those with fewer
    /// actions come first, and then they are in the order of their nodes.
    pub decisions: Vec<Decision>,
    /// All decisions, a run after the other.
    pub runs: Vec<Run>,
    /// The numbers of the decisions in the order of their nodes.
    by_node: Vec<u32>,
    pub roots: usize,
    pub rows: usize,
}

impl Plan {
    /// The plan of decisions that are in order and have consecutive rows.
    pub fn new(decisions: Vec<Decision>, roots: usize) -> Self {
        let (mut runs, mut rows): (Vec<Run>, usize) = (Vec::new(), 0);
        for (d, decision) in decisions.iter().enumerate() {
            let actions = decision.actions as usize;
            let slot = decision.slot as usize;
            debug_assert!(decision.row as usize == rows && slot < roots + rows, "decisions are in order");
            match runs.last_mut().filter(|run| run.actions == actions && slot < roots + run.row) {
                Some(run) => run.decisions.end += 1,
                None => runs.push(Run { decisions: d..d + 1, actions, row: rows }),
            }
            rows += actions;
        }
        runs.shrink_to_fit();
        let mut by_node: Vec<u32> = (0..decisions.len() as u32).collect();
        by_node.sort_by_key(|&d| decisions[d as usize].node);
        Self { decisions, runs, by_node, roots, rows }
    }

    pub fn slots(&self) -> usize {
        self.roots + self.rows
    }

    /// The number of the decision at a node.
    pub fn decision_at(&self, node: NodeId) -> Option<usize> {
        let place = self.by_node.binary_search_by_key(&node, |&d| self.decisions[d as usize].node);
        place.ok().map(|place| self.by_node[place] as usize)
    }

    /// The numbers of the decisions at some nodes, in the order of those.
    pub fn decisions_among(&self, nodes: Range<NodeId>) -> &[u32] {
        let before = |end: NodeId| self.by_node.partition_point(|&d| self.decisions[d as usize].node < end);
        &self.by_node[before(nodes.start)..before(nodes.end)]
    }

    /// What it takes in memory.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.decisions.as_slice())
            + size_of_val(self.runs.as_slice())
            + size_of_val(self.by_node.as_slice())
    }
}

/// The decisions of both players in a tile, in the order that plans have them in; which slots they are in is still to be found out.
pub(super) fn decisions_in_order(
    nodes: &[Node],
    range: Range<u32>,
    root_of: impl Fn(NodeId) -> usize,
) -> [Vec<Decision>; 2] {
    // How many decisions each player has made on the way to each node.
    let mut made = vec![[0u32; 2]; range.len()];
    let mut decisions: [Vec<(u32, Decision)>; 2] = Default::default();
    for id in range.clone() {
        let node = &nodes[id as usize];
        if let Kind::Decision(player) = node.kind {
            let p = player.index();
            let here = made[(id - range.start) as usize];
            let root = root_of(NodeId(id)) as u32;
            let actions = u32::from(node.child_count);
            decisions[p].push((here[p], Decision { node: NodeId(id), slot: 0, row: 0, actions, root }));
            for child in node.children() {
                let child = &mut made[(child.0 - range.start) as usize];
                *child = here;
                child[p] += 1;
            }
        }
    }
    decisions.map(|mut decisions| {
        decisions.sort_by_key(|(made, decision)| (*made, decision.actions, decision.node));
        let mut row = 0;
        let place = |(_, decision): (u32, Decision)| {
            row += decision.actions;
            Decision { row: row - decision.actions, ..decision }
        };
        let mut decisions: Vec<Decision> = decisions.into_iter().map(place).collect();
        decisions.shrink_to_fit();
        decisions
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Player, Tree};

    fn node(kind: Kind, first_child: u32, child_count: u16) -> Node {
        Node { kind, first_child: NodeId(first_child), child_count }
    }

    const LEAF: Kind = Kind::Terminal { class: 0 };

    #[test]
    fn runs_have_as_many_actions_and_come_after_what_they_follow() {
        // First has two, three or two actions, then Second two or three after each, then First two after some.
        let (first, second) = (Kind::Decision(Player::First), Kind::Decision(Player::Second));
        let mut nodes = vec![node(first, 1, 3)];
        let mut next = 4;
        let mut push = |nodes: &mut Vec<Node>, kind, actions: u16| {
            nodes.push(node(kind, next, actions));
            next += u32::from(actions);
        };
        [3, 2, 3].into_iter().for_each(|actions| push(&mut nodes, second, actions));
        [2, 3, 2, 2, 3, 3, 2, 2].into_iter().for_each(|actions| push(&mut nodes, first, actions));
        nodes.resize(next as usize, node(LEAF, 0, 0));
        let tree = Tree::new(nodes).unwrap();
        let tile = &tree.round(0).tiles[0];
        let shapes = |plan: &Plan| plan.runs.iter().map(|run| (run.decisions.len(), run.actions)).collect();
        let shapes: [Vec<_>; 2] = tile.plans.each_ref().map(shapes);
        assert_eq!(shapes, [vec![(1, 3), (5, 2), (3, 3)], vec![(1, 2), (2, 3)]]);
        for plan in &tile.plans {
            assert_eq!(plan.runs.iter().map(|run| run.rows().len()).sum::<usize>(), plan.rows);
            for run in &plan.runs {
                for d in run.decisions.clone() {
                    let decision = &plan.decisions[d];
                    assert_eq!(decision.row as usize, run.row + (d - run.decisions.start) * run.actions);
                    assert!((decision.slot as usize) < plan.roots + run.row, "what leads there comes before");
                    assert_eq!(plan.decision_at(decision.node), Some(d));
                }
            }
            let in_order = plan.decisions_among(tree.root_tree(NodeId::ROOT));
            assert_eq!(in_order.len(), plan.decisions.len());
            assert!(in_order.is_sorted_by_key(|&d| plan.decisions[d as usize].node));
            assert_eq!(plan.decision_at(NodeId(next - 1)), None);
        }
    }
}
