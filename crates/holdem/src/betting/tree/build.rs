//! From the rules to the flat array: count, then lay out street by street.

use super::rules::{BettingState, Rules};
use super::{BettingTree, BettingTreeError, TreeCounts, TreeOptions};
use crate::betting::action::Action;
use crate::betting::node::{BettingNode, BettingNodeKind, NodeId};
use noregret_cards::Street;
use noregret_cfr::MAX_ACTIONS;
use std::collections::VecDeque;

impl BettingTree {
    /// The most nodes that [`BettingTree::build`] lays out: 20 million, which is less than a gigabyte and far more than
    /// the solver state of any machine that could hold it.
    pub const MAX_NODES: usize = 20_000_000;

    /// The tree of a spot that begins on `street`.
    pub fn build(options: &TreeOptions, street: Street) -> Result<Self, BettingTreeError> {
        Self::build_within(options, street, Self::MAX_NODES)
    }

    /// As [`BettingTree::build`], with a limit of one's own on the nodes, at most [`BettingTree::MAX_NODES`].
    pub fn build_within(
        options: &TreeOptions,
        street: Street,
        limit: usize,
    ) -> Result<Self, BettingTreeError> {
        let counts = Self::count(options, street, limit.min(Self::MAX_NODES))?;
        Ok(lay_out(&Rules::new(options, street)?, street, counts))
    }

    /// How many nodes the tree would have, without building it. Stops with an error at more than `limit`, and so takes
    /// no longer and no more memory than that many steps; deep raise wars are walked, not recursed into.
    pub fn count(
        options: &TreeOptions,
        street: Street,
        limit: usize,
    ) -> Result<TreeCounts, BettingTreeError> {
        options.validate()?;
        let rules = Rules::new(options, street)?;
        let mut counts = TreeCounts::default();
        let mut open = vec![rules.root()];
        let mut nodes = 0;
        while let Some(state) = open.pop() {
            nodes += 1;
            // What is open will be counted too: no need to reach it.
            if nodes + open.len() > limit {
                return Err(BettingTreeError::TooLarge(limit));
            }
            counts.add(state.street, state.kind);
            let successors = rules.successors(&state);
            if successors.len() > MAX_ACTIONS {
                return Err(BettingTreeError::TooManyActions(successors.len()));
            }
            open.extend(successors.into_iter().map(|(_, state)| state));
        }
        Ok(counts)
    }
}

/// A street root that is still to be laid out, and the chance node before it.
type Open = (Option<NodeId>, BettingState);

fn lay_out(rules: &Rules<'_>, first_street: Street, counts: TreeCounts) -> BettingTree {
    let mut nodes: Vec<BettingNode> = Vec::with_capacity(counts.nodes());
    let mut roots: [Vec<NodeId>; 3] = Default::default();
    let mut open: Vec<Open> = vec![(None, rules.root())];
    for street in Street::ALL.into_iter().skip(first_street.index()) {
        let mut next_open = Vec::new();
        for (parent, root) in open {
            let id = NodeId(nodes.len() as u32);
            roots[street.index()].push(id);
            if let Some(chance) = parent {
                nodes[chance.index()].first_child = id;
                nodes[chance.index()].child_count = 1;
            }
            nodes.push(leaf(rules, &root, parent, None));
            lay_out_group(rules, &mut nodes, root, &mut next_open);
        }
        open = next_open;
    }
    let starting_pot = rules.starting_pot();
    BettingTree { nodes, roots, counts, first_street, starting_pot }
}

/// Lays out what follows the street root that was pushed last, breadth first up to the end of the street.
fn lay_out_group(
    rules: &Rules<'_>,
    nodes: &mut Vec<BettingNode>,
    root: BettingState,
    next_open: &mut Vec<Open>,
) {
    let mut queue = VecDeque::from([root]);
    let mut id = NodeId(nodes.len() as u32 - 1);
    while let Some(state) = queue.pop_front() {
        let successors = rules.successors(&state);
        if state.kind == BettingNodeKind::Chance {
            next_open.extend(successors.into_iter().map(|(_, root)| (Some(id), root)));
        } else {
            nodes[id.index()].first_child = NodeId(nodes.len() as u32);
            nodes[id.index()].child_count = successors.len() as u16;
            for (action, next) in successors {
                nodes.push(leaf(rules, &next, Some(id), action));
                queue.push_back(next);
            }
        }
        id.0 += 1;
    }
}

/// The node of a state, its children still unknown.
fn leaf(
    rules: &Rules<'_>,
    state: &BettingState,
    parent: Option<NodeId>,
    action: Option<Action>,
) -> BettingNode {
    BettingNode {
        street: state.street,
        kind: state.kind,
        action,
        parent,
        first_child: NodeId(0),
        child_count: 0,
        committed: state.committed.map(|count| rules.chips(count)),
    }
}
