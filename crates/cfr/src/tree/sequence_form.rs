//! The sequence form of one player in a tile: its decisions in the order in which kernels go through them.
//!
//! A *sequence* is what a player has done so far, whatever the opponent did (Koller, Megiddo and von Stengel, *Fast algorithms for
//! finding randomized strategies in game trees*, 1994; von Stengel, *Efficient computation of behavior strategies*, 1996). A
//! player's reach probability changes only at its own decisions, so it is computed once per sequence and not once per node; and
//! the counterfactual values of all nodes with the same sequence are simply added up.

use super::node::{Node, NodeId, NodeKind};
use std::ops::Range;

/// A decision node of one player. With each of the player's hands it is an information set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decision {
    /// The decision node.
    pub node: NodeId,
    /// The player's sequence that leads to it.
    pub sequence: u32,
    /// Its first row; action `a` has row `row + a` and leads to sequence `roots + row + a`.
    pub row: u32,
    /// How many actions there are.
    pub actions: u32,
    /// Which of the tile's root trees it is in.
    pub root: u32,
}

/// Consecutive decisions with the same number of actions, none of which follows another.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    /// Which of the player's decisions.
    pub decisions: Range<usize>,
    /// How many actions each has.
    pub actions: usize,
    /// The first row of the first decision.
    pub row: usize,
}

impl Run {
    /// The rows of all its decisions.
    pub fn rows(&self) -> Range<usize> {
        self.row..self.row + self.decisions.len() * self.actions
    }

    /// Their rows in an array with a row for every action but the last, as cumulative strategies have.
    pub fn cumulative_rows(&self) -> Range<usize> {
        let first = self.row - self.decisions.start;
        first..first + self.decisions.len() * (self.actions - 1)
    }
}

/// One player's sequences in a tile. Sequences `0..roots` are the empty ones, one for each root.
#[derive(Clone, Debug)]
pub(crate) struct SequenceForm {
    /// Sorted by how many decisions of the player come before, then by the number of actions, then by node.
    pub decisions: Vec<Decision>,
    /// All decisions, run after run.
    pub runs: Vec<Run>,
    /// Indices into `decisions`, in the order of their nodes.
    by_node: Vec<u32>,
    /// How many root trees the tile has.
    pub roots: usize,
    /// One for each action of each decision.
    pub rows: usize,
}

impl SequenceForm {
    /// From decisions that are in order and have consecutive rows.
    pub fn new(decisions: Vec<Decision>, roots: usize) -> Self {
        let (mut runs, mut rows): (Vec<Run>, usize) = (Vec::new(), 0);
        for (d, decision) in decisions.iter().enumerate() {
            let actions = decision.actions as usize;
            let sequence = decision.sequence as usize;
            debug_assert!(decision.row as usize == rows && sequence < roots + rows, "decisions are in order");
            match runs.last_mut().filter(|run| run.actions == actions && sequence < roots + run.row) {
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

    /// How many sequences there are.
    pub fn sequences(&self) -> usize {
        self.roots + self.rows
    }

    /// The index of the decision at a node.
    pub fn decision_at(&self, node: NodeId) -> Option<usize> {
        let place = self.by_node.binary_search_by_key(&node, |&d| self.decisions[d as usize].node);
        place.ok().map(|place| self.by_node[place] as usize)
    }

    /// The indices of the decisions at some nodes, in the order of the nodes.
    pub fn decisions_among(&self, nodes: Range<NodeId>) -> &[u32] {
        let before = |end: NodeId| self.by_node.partition_point(|&d| self.decisions[d as usize].node < end);
        &self.by_node[before(nodes.start)..before(nodes.end)]
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.decisions.as_slice())
            + size_of_val(self.runs.as_slice())
            + size_of_val(self.by_node.as_slice())
    }
}

/// The decisions of both players in a tile, in the order of [`SequenceForm::decisions`]. Their sequences are set by the caller.
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
        if let NodeKind::Decision(player) = node.kind {
            let p = player.index();
            let here = made[(id - range.start) as usize];
            let root = root_of(NodeId(id)) as u32;
            let actions = u32::from(node.child_count);
            decisions[p].push((here[p], Decision { node: NodeId(id), sequence: 0, row: 0, actions, root }));
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
    use crate::tree::node::Terminal;
    use crate::{Player, Tree};

    fn node(kind: NodeKind, first_child: u32, child_count: u16) -> Node {
        Node { kind, first_child: NodeId(first_child), child_count }
    }

    const LEAF: NodeKind = NodeKind::Terminal(Terminal::Fold);

    #[test]
    fn runs_have_one_number_of_actions_and_follow_the_decisions_that_lead_to_them() {
        // First has two, three or two actions, then Second two or three after each, then First two after some.
        let (first, second) = (NodeKind::Decision(Player::First), NodeKind::Decision(Player::Second));
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
        let shapes =
            |form: &SequenceForm| form.runs.iter().map(|run| (run.decisions.len(), run.actions)).collect();
        let shapes: [Vec<_>; 2] = tile.forms.each_ref().map(shapes);
        assert_eq!(shapes, [vec![(1, 3), (5, 2), (3, 3)], vec![(1, 2), (2, 3)]]);
        for form in &tile.forms {
            assert_eq!(form.runs.iter().map(|run| run.rows().len()).sum::<usize>(), form.rows);
            for run in &form.runs {
                for d in run.decisions.clone() {
                    let decision = &form.decisions[d];
                    assert_eq!(decision.row as usize, run.row + (d - run.decisions.start) * run.actions);
                    assert!(
                        (decision.sequence as usize) < form.roots + run.row,
                        "what leads there comes before"
                    );
                    assert_eq!(form.decision_at(decision.node), Some(d));
                }
            }
            let in_order = form.decisions_among(tree.root_tree(NodeId::ROOT));
            assert_eq!(in_order.len(), form.decisions.len());
            assert!(in_order.is_sorted_by_key(|&d| form.decisions[d as usize].node));
            assert_eq!(form.decision_at(NodeId(next - 1)), None);
        }
    }
}
