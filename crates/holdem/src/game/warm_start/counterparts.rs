//! Two betting trees of one spot, walked together.
//!
//! An action that both have stands for itself. A bet or a raise that the coarse tree does not have is made up of the next smaller and the
//! next larger one there, in proportion to the amounts; beyond the ends it is the nearest one. What follows it is compared with
//! what follows the nearest one there that leaves chips to play for.

use crate::{Action, BettingNodeKind, BettingTree};
use noregret_cfr::{Blend, Counterpart, NodeId};

/// For each node of `full`, what stands for it in `coarse`.
pub(super) fn counterparts(full: &BettingTree, coarse: &BettingTree) -> Vec<Counterpart> {
    let mut counterparts = vec![Counterpart::default(); full.nodes().len()];
    counterparts[BettingTree::ROOT.index()].node = Some(BettingTree::ROOT);
    // Parents come before children.
    for id in (0..full.nodes().len() as u32).map(NodeId) {
        let Some(there) = counterparts[id.index()].node else { continue };
        match full[id].kind {
            BettingNodeKind::Decision(_) => {
                let actions: Vec<Action> = coarse.actions(there).collect();
                for child in full.children(id) {
                    let action = full[child].action.and_then(|action| blend(action, &actions));
                    let next = full[child].action.and_then(|action| nearest(action, &actions));
                    let next = next.and_then(|next| coarse.children(there).nth(next));
                    counterparts[child.index()] = Counterpart {
                        node: next.filter(|&next| stands_for(full, child, coarse, next)),
                        action,
                    };
                }
            }
            BettingNodeKind::Chance => {
                for (child, next) in full.children(id).zip(coarse.children(there)) {
                    counterparts[child.index()].node =
                        Some(next).filter(|&next| stands_for(full, child, coarse, next));
                }
            }
            BettingNodeKind::Fold(_) | BettingNodeKind::Showdown => {}
        }
    }
    counterparts
}

/// Whether the same happens at two nodes.
fn stands_for(full: &BettingTree, node: NodeId, coarse: &BettingTree, there: NodeId) -> bool {
    full[node].kind == coarse[there].kind
}

/// An action as a mean of those that there are; none if there is nothing of its kind.
fn blend(action: Action, actions: &[Action]) -> Option<Blend> {
    let place = |wanted: Action| actions.iter().position(|&known| known == wanted).map(|place| place as u16);
    let Some(amount) = amount(action) else { return place(action).map(Blend::exactly) };
    let sizes =
        || actions.iter().enumerate().filter_map(|(i, &known)| Some((i as u16, self::amount(known)?)));
    let below = sizes().rfind(|&(_, size)| size <= amount);
    let above = sizes().find(|&(_, size)| size >= amount);
    match (below, above) {
        (Some((lower, less)), Some((upper, more))) if less < more => {
            Some(Blend { lower, upper, share: ((amount - less) / (more - less)) as f32 })
        }
        (Some((end, _)), _) | (None, Some((end, _))) => Some(Blend::exactly(end)),
        (None, None) => None,
    }
}

/// The place of the action after which most is as after this one.
fn nearest(action: Action, actions: &[Action]) -> Option<usize> {
    if let Some(same) = actions.iter().position(|&known| known == action) {
        return Some(same);
    }
    let amount = amount(action)?;
    let sizes =
        || actions.iter().enumerate().filter_map(|(i, &known)| Some((i, known, self::amount(known)?)));
    // After all-in there is nothing left to learn of later bets.
    let is_open = |known: Action| !matches!(known, Action::AllIn(_)) || matches!(action, Action::AllIn(_));
    let open = sizes().filter(|&(_, known, _)| is_open(known));
    let by_distance = |a: &(usize, Action, f64), b: &(usize, Action, f64)| {
        (a.2 - amount).abs().total_cmp(&(b.2 - amount).abs())
    };
    open.min_by(by_distance).or_else(|| sizes().min_by(by_distance)).map(|(place, ..)| place)
}

fn amount(action: Action) -> Option<f64> {
    action.amount().map(|amount| amount.as_f64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SizeKind, SizeList, StreetSizes, TreeOptions};
    use noregret_cards::{Board, Street};
    use std::collections::HashSet;

    fn tree(stack: u16, bets: &str, raises: &str) -> BettingTree {
        let mut options = TreeOptions::new(100.into(), stack.into());
        let sizes = StreetSizes {
            bet: SizeList::parse(bets, SizeKind::Bet).unwrap(),
            raise: SizeList::parse(raises, SizeKind::Raise).unwrap(),
        };
        Street::ALL.into_iter().for_each(|street| options.set_street(street, sizes.clone()));
        (options.add_allin_threshold, options.force_allin_threshold) = (0.0, 0.0);
        options.merging_threshold = 0.0;
        BettingTree::build(&options, Street::Turn).unwrap()
    }

    fn node(tree: &BettingTree, line: &str) -> NodeId {
        let board: Board = "QsJh2h3c".parse().unwrap();
        tree.walk(&board, &line.parse().unwrap()).unwrap().0
    }

    /// What stands for the actions at the end of a line: the two names, and how much the second counts.
    fn blends(full: &BettingTree, coarse: &BettingTree, line: &str) -> Vec<String> {
        let counterparts = counterparts(full, coarse);
        let at = node(full, line);
        let there = counterparts[at.index()].node.unwrap();
        let actions: Vec<Action> = coarse.actions(there).collect();
        let shown = |child: NodeId| match counterparts[child.index()].action {
            None => "nothing".to_owned(),
            Some(Blend { lower, share: 0.0, .. }) => actions[usize::from(lower)].to_string(),
            Some(Blend { lower, upper, share }) => {
                format!("{} to {}: {share}", actions[usize::from(lower)], actions[usize::from(upper)])
            }
        };
        full.children(at).map(shown).collect()
    }

    /// The line in `coarse` that stands for one of `full`, as actions.
    fn stand_in(full: &BettingTree, coarse: &BettingTree, line: &str) -> Option<String> {
        let mut at = counterparts(full, coarse)[node(full, line).index()].node;
        at?;
        let mut names = Vec::new();
        while let Some(node) = at {
            names.extend(coarse[node].action.map(|action| action.to_string()));
            at = coarse[node].parent;
        }
        names.reverse();
        Some(names.join(", "))
    }

    #[test]
    fn an_action_is_itself_or_lies_between_two_or_is_the_nearest_end() {
        let full = tree(1000, "20%, 40%, 50%, 80%, 300%, a", "");
        let coarse = tree(1000, "40%, 80%", "");
        assert_eq!(
            blends(&full, &coarse, ""),
            ["check", "bet 40", "bet 40", "bet 40 to bet 80: 0.25", "bet 80", "bet 80", "bet 80"]
        );
        // All-in is a size like others.
        let coarse = tree(1000, "40%, a", "");
        assert_eq!(
            blends(&full, &coarse, "")[4..],
            [
                format!("bet 40 to all-in 1000: {}", 40.0f32 / 960.0),
                format!("bet 40 to all-in 1000: {}", 260.0f32 / 960.0),
                "all-in 1000".to_owned()
            ]
        );
        assert_eq!(blends(&full, &coarse, "check, bet 50"), ["fold", "call"]);
    }

    #[test]
    fn what_follows_is_what_follows_the_nearest_that_leaves_chips_to_play_for() {
        let full = tree(1000, "20%, 40%, 70%, 900%, a", "100%");
        let coarse = tree(1000, "20%, 70%, a", "100%");
        let follows = |line: &str| stand_in(&full, &coarse, line);
        assert_eq!(follows("bet 40").unwrap(), "bet 20");
        assert_eq!(follows("bet 900").unwrap(), "bet 70");
        assert_eq!(follows("all-in").unwrap(), "all-in 1000");
        assert_eq!(follows("bet 40, call, Th, check").unwrap(), "bet 20, call, check");
        // Raises there are of another pot: 40 + 180 between nothing below and 20 + 140.
        assert_eq!(blends(&full, &coarse, "bet 40"), ["fold", "call", "raise 160"]);
        assert_eq!(follows("bet 40, raise 220").unwrap(), "bet 20, raise 160");
    }

    #[test]
    fn where_the_coarse_tree_has_nothing_alike_there_is_no_counterpart() {
        let full = tree(1000, "50%, a", "100%");
        let coarse = tree(1000, "a", "");
        assert_eq!(blends(&full, &coarse, ""), ["check", "all-in 1000", "all-in 1000"]);
        // After all-in nobody raises, and on the river nobody bets.
        assert_eq!(blends(&full, &coarse, "bet 50"), ["fold", "call", "nothing"]);
        assert_eq!(stand_in(&full, &coarse, "bet 50, raise 250"), None);
        assert_eq!(stand_in(&full, &coarse, "bet 50, call, Th"), None);
        assert_eq!(stand_in(&full, &coarse, "check, check, Th").unwrap(), "check, check");
    }

    #[test]
    fn every_line_of_a_thinned_tree_stands_for_itself() {
        let full = tree(600, "20%, 50%, 120%, a", "50%, 100%, a");
        let coarse = full.thinned(1, &HashSet::new());
        let counterparts = counterparts(&full, &coarse);
        let mut met = HashSet::new();
        for (id, counterpart) in counterparts.iter().enumerate() {
            let (node, there) = (&full.nodes()[id], counterpart.node.map(|there| (there, &coarse[there])));
            if let Some((there, other)) = there {
                assert_eq!((node.street, node.kind), (other.street, other.kind));
                if node.committed == other.committed && node.action == other.action {
                    met.insert(there);
                }
            }
        }
        assert_eq!(met.len(), coarse.nodes().len());
    }
}
