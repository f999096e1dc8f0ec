//! Nodes as the protocol shows them.

use crate::arguments::NodeName;
use noregret_holdem::{
    Action, BettingNodeKind, BettingTree, Chips, Line, NodeId, OOP, Postflop, SavedStreets, Step,
};
use std::cmp::Reverse;

/// A tree whose nodes are shown.
#[derive(Clone, Copy)]
pub(crate) struct ShownTree<'a> {
    pub game: &'a Postflop,
    /// Which streets it has.
    pub keep: SavedStreets,
    /// Whether it is read from a file as far as it is asked.
    pub is_on_disk: bool,
}

/// Where a node is in the betting tree, and its line in the tree's own words.
pub(crate) fn find(game: &Postflop, node: &NodeName) -> Result<(NodeId, Line), String> {
    let (tree, board) = (game.betting(), game.spot().board());
    let (at, _) = tree.walk(board, &node.line).map_err(|error| error.to_string())?;
    let line = tree.exact(board, &node.line).map_err(|error| error.to_string())?;
    Ok((at, line))
}

/// The actions at a decision in the protocol's order, each with its index in the tree: the largest bet first, then checking or
/// calling, folding last.
pub(crate) fn actions(tree: &BettingTree, node: NodeId) -> Vec<(usize, Action)> {
    let rank = |action: Action| match action {
        Action::Fold => (0, Chips::ZERO),
        Action::Check | Action::Call => (1, Chips::ZERO),
        Action::Bet(chips) | Action::Raise(chips) | Action::AllIn(chips) => (2, chips),
    };
    let mut actions: Vec<(usize, Action)> = tree.actions(node).enumerate().collect();
    actions.sort_by_key(|&(_, action)| Reverse(rank(action)));
    actions
}

impl ShownTree<'_> {
    /// Whether nobody acts any more after a node: the hand is over, or all chips are in.
    fn is_end(&self, node: NodeId) -> bool {
        let betting = &self.game.betting()[node];
        match betting.kind {
            BettingNodeKind::Decision(_) => false,
            BettingNodeKind::Chance => betting.committed[0] == self.game.spot().options().effective_stack,
            BettingNodeKind::Fold(_) | BettingNodeKind::Showdown => true,
        }
    }

    /// The lines of `show_node`; the last is empty.
    pub fn block(&self, node: &NodeName) -> Result<Vec<String>, String> {
        let (at, line) = find(self.game, node)?;
        let game = self.game;
        let betting = &game.betting()[at];
        let (kind, children) = match betting.kind {
            _ if node.is_root => ("ROOT", 1),
            _ if self.is_end(at) => ("END_NODE", 0),
            BettingNodeKind::Decision(player) if player == OOP => {
                ("OOP_DEC", usize::from(betting.child_count))
            }
            BettingNodeKind::Decision(_) => ("IP_DEC", usize::from(betting.child_count)),
            _ => ("SPLIT_NODE", game.next_cards(&line).map_err(|error| error.to_string())?.len()),
        };
        let mut board = *game.spot().board();
        for step in &line.steps {
            if let Step::Card(card) = step {
                board = board.with(*card).unwrap_or(board);
            }
        }
        let cards: String = board.cards().iter().map(|card| format!("{card} ")).collect();
        let [oop, ip] = betting.committed;
        let flags: String = self.flags(kind, at, &line).iter().map(|flag| format!("{flag} ")).collect();
        Ok(vec![
            if node.is_root { "r".to_owned() } else { line.colon().unwrap_or_default() },
            kind.to_owned(),
            cards,
            format!("{oop} {ip} {} ", game.spot().options().starting_pot),
            format!("{children} children"),
            format!("flags: {flags}"),
            String::new(),
        ])
    }

    fn flags(&self, kind: &str, node: NodeId, line: &Line) -> Vec<&'static str> {
        let street = self.game.betting()[node].street;
        let has_rake = self.game.spot().options().rake.of(1.0) > 0.0;
        let is_locked = self.game.spot().locks().iter().any(|lock| lock.line == *line);
        let is_incomplete = self.keep != SavedStreets::Full;
        let flags: &[(bool, &'static str)] = match kind {
            "ROOT" => &[
                (is_incomplete, "INCOMPLETE_TREE"),
                (true, "ISOMORPHISM_ON"),
                (has_rake, "RAKE_ON"),
                (true, "PIO_ALG"),
                (self.is_on_disk, "FAST_LOAD"),
            ],
            "SPLIT_NODE" => &[(street >= self.keep.last(), "UNSOLVED")],
            "END_NODE" => &[(has_rake, "RAKE_ON")],
            _ => &[(true, "PIO_ALG"), (is_locked, "LOCKED")],
        };
        flags.iter().filter(|(is_set, _)| *is_set).map(|&(_, flag)| flag).collect()
    }

    /// The nodes after a node, in the protocol's order: actions as [`actions`] has them, cards from the ace of spades down.
    fn children(&self, node: &NodeName) -> Result<Vec<NodeName>, String> {
        let (at, line) = find(self.game, node)?;
        if node.is_root {
            return Ok(vec![NodeName { is_root: false, line }]);
        }
        if self.is_end(at) {
            return Ok(Vec::new());
        }
        let steps: Vec<Step> = match self.game.betting()[at].kind {
            BettingNodeKind::Chance => {
                let mut cards = self.game.next_cards(&line).map_err(|error| error.to_string())?;
                cards.sort_by_key(|&(card, _)| Reverse(card));
                cards.into_iter().map(|(card, _)| Step::Card(card)).collect()
            }
            _ => {
                actions(self.game.betting(), at).into_iter().map(|(_, action)| Step::Action(action)).collect()
            }
        };
        let child = |step| {
            let mut line = line.clone();
            line.steps.push(step);
            NodeName { is_root: false, line }
        };
        Ok(steps.into_iter().map(child).collect())
    }

    /// The lines of `show_children`: a block for each, after a line with its number.
    pub fn child_blocks(&self, node: &NodeName) -> Result<Vec<String>, String> {
        let mut lines = Vec::new();
        for (i, child) in self.children(node)?.iter().enumerate() {
            lines.push(format!("child {i}:"));
            lines.extend(self.block(child)?);
        }
        Ok(lines)
    }
}

/// Every point of the betting, without cards, parents before children.
pub(crate) fn all_lines(tree: &BettingTree) -> Vec<String> {
    let mut lines = vec!["r".to_owned()];
    let mut open = vec![(BettingTree::ROOT, "r:0".to_owned(), true)];
    while let Some((node, id, is_new)) = open.pop() {
        let mut next: Vec<(NodeId, String, bool)> = Vec::new();
        for child in tree.children(node) {
            let step = match (tree[node].kind, tree[child].action) {
                (BettingNodeKind::Decision(player), Some(action)) => match action {
                    Action::Fold => ":f".to_owned(),
                    Action::Check | Action::Call => ":c".to_owned(),
                    Action::Bet(_) | Action::Raise(_) | Action::AllIn(_) => {
                        format!(":b{}", tree[child].committed[player.index()])
                    }
                },
                _ => String::new(),
            };
            next.push((child, format!("{id}{step}"), !step.is_empty()));
        }
        if is_new {
            lines.push(id);
        }
        open.extend(next.into_iter().rev());
    }
    lines
}
