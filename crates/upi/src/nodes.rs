//! Nodes as the protocol shows them.

use crate::arguments::NodeName;
use noregret_holdem::{Action, BettingNodeKind, BettingTree, Line, NodeId, OOP, Postflop, Step};

/// Where a node is in the betting tree, and its line in the tree's own words.
pub(crate) fn find(game: &Postflop, node: &NodeName) -> Result<(NodeId, Line), String> {
    let (tree, board) = (game.betting(), game.spot().board());
    let (at, _) = tree.walk(board, &node.line).map_err(|error| error.to_string())?;
    let line = tree.exact(board, &node.line).map_err(|error| error.to_string())?;
    Ok((at, line))
}

/// Whether nobody acts any more after a node: the hand is over, or all chips are in.
fn is_end(game: &Postflop, node: NodeId) -> bool {
    let betting = &game.betting()[node];
    match betting.kind {
        BettingNodeKind::Decision(_) => false,
        BettingNodeKind::Chance => betting.committed[0] == game.spot().options().effective_stack,
        BettingNodeKind::Fold(_) | BettingNodeKind::Showdown => true,
    }
}

/// The lines of `show_node`.
pub(crate) fn block(game: &Postflop, node: &NodeName) -> Result<Vec<String>, String> {
    let (at, line) = find(game, node)?;
    let betting = &game.betting()[at];
    let (kind, children) = match betting.kind {
        _ if node.is_root => ("ROOT", 1),
        _ if is_end(game, at) => ("END_NODE", 0),
        BettingNodeKind::Decision(player) if player == OOP => ("OOP_DEC", usize::from(betting.child_count)),
        BettingNodeKind::Decision(_) => ("IP_DEC", usize::from(betting.child_count)),
        _ => ("SPLIT_NODE", game.next_cards(&line).map_err(|error| error.to_string())?.len()),
    };
    let mut board = *game.spot().board();
    for step in &line.steps {
        if let Step::Card(card) = step {
            board = board.with(*card).unwrap_or(board);
        }
    }
    let cards: Vec<String> = board.cards().iter().map(ToString::to_string).collect();
    let [oop, ip] = betting.committed;
    let is_locked = game.spot().locks().iter().any(|lock| lock.line == line);
    Ok(vec![
        if node.is_root { "r".to_owned() } else { line.colon().unwrap_or_default() },
        kind.to_owned(),
        cards.join(" "),
        format!("{oop} {ip} {}", game.spot().options().starting_pot),
        format!("{children} children"),
        if is_locked { "flags: LOCKED" } else { "flags:" }.to_owned(),
    ])
}

/// The nodes after a node.
pub(crate) fn children(game: &Postflop, node: &NodeName) -> Result<Vec<NodeName>, String> {
    let (at, line) = find(game, node)?;
    if node.is_root {
        return Ok(vec![NodeName { is_root: false, line }]);
    }
    if is_end(game, at) {
        return Ok(Vec::new());
    }
    let steps: Vec<Step> = match game.betting()[at].kind {
        BettingNodeKind::Chance => {
            let cards = game.next_cards(&line).map_err(|error| error.to_string())?;
            cards.into_iter().map(|(card, _)| Step::Card(card)).collect()
        }
        _ => game.betting().actions(at).map(Step::Action).collect(),
    };
    let child = |step| {
        let mut line = line.clone();
        line.steps.push(step);
        NodeName { is_root: false, line }
    };
    Ok(steps.into_iter().map(child).collect())
}

/// The lines of `show_children`: a block for each, with an empty line in between.
pub(crate) fn child_blocks(game: &Postflop, node: &NodeName) -> Result<Vec<String>, String> {
    let mut lines = Vec::new();
    for (i, child) in children(game, node)?.iter().enumerate() {
        if i > 0 {
            lines.push(String::new());
        }
        lines.push(format!("child {i}:"));
        lines.extend(block(game, child)?);
    }
    Ok(lines)
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
