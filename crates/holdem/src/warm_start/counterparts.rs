//! Two betting trees of one spot, walked together.
//!
//! An action that both have stands for itself. A bet or a raise that the coarse tree does not have is made up of the next smaller and the
//! next larger one there, in proportion to the amounts; beyond the ends it is the nearest one. What follows it is compared with
//! what follows the nearest one there that leaves chips to play for.

use crate::{Action, BettingTree, NodeKind};
use noregret_cfr::{Blend, Counterpart, NodeId};

/// For each node of `full`, what stands for it in `coarse`.
pub(super) fn counterparts(full: &BettingTree, coarse: &BettingTree) -> Vec<Counterpart> {
    let mut counterparts = vec![Counterpart::default(); full.nodes().len()];
    counterparts[BettingTree::ROOT.index()].node = Some(BettingTree::ROOT);
    // Parents come before children.
    for id in (0..full.nodes().len() as u32).map(NodeId) {
        let Some(there) = counterparts[id.index()].node else { continue };
        match full[id].kind {
            NodeKind::Decision(_) => {
                let actions: Vec<Action> = coarse.actions(there).collect();
                for child in full.children(id) {
                    let action = full[child].action.and_then(|action| blend(action, &actions));
                    let next = full[child].action.and_then(|action| nearest(action, &actions));
                    let next = next.and_then(|next| coarse.children(there).nth(next));
                    counterparts[child.index()] =
                        Counterpart { node: next.filter(|&next| alike(full, child, coarse, next)), action };
                }
            }
            NodeKind::Chance => {
                for (child, next) in full.children(id).zip(coarse.children(there)) {
                    counterparts[child.index()].node =
                        Some(next).filter(|&next| alike(full, child, coarse, next));
                }
            }
            NodeKind::Fold(_) | NodeKind::Showdown => {}
        }
    }
    counterparts
}

/// Whether the same happens at two nodes.
fn alike(full: &BettingTree, node: NodeId, coarse: &BettingTree, there: NodeId) -> bool {
    full[node].kind == coarse[there].kind
}

/// An action as a mean of those that there are; none if there is nothing of its kind.
fn blend(action: Action, actions: &[Action]) -> Option<Blend> {
    let place = |wanted: Action| actions.iter().position(|&known| known == wanted).map(|place| place as u16);
    let Some(amount) = amount(action) else { return place(action).map(Blend::exactly) };
    let sizes =
        || actions.iter().enumerate().filter_map(|(i, &known)| Some((i as u16, self::amount(known)?)));
    let below = sizes().filter(|&(_, size)| size <= amount).last();
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
