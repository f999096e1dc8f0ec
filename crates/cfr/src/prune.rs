//! Regret-based pruning: actions with clearly negative regret are skipped for a while.
//!
//! An action that regret matching plays with no hand has no influence on the opponent, and its subtree matters only to find out
//! whether the action has become better (Brown and Sandholm, *Regret-based pruning in extensive-form games*, NIPS 2015; *Reduced
//! space and faster convergence in imperfect-information games via pruning*, ICML 2017). Unlike there, nothing is computed ahead about
//! how long an action stays unplayed. Where every hand's regret for an action is clearly negative, most iterations do not visit the
//! chance events below it: instantaneous regrets count as zero, and cumulative regrets are only discounted.
//!
//! A regret is clearly negative if it is below zero by a share of the hand's positive regrets at the decision. One in [`REVISIT`]
//! iterations prunes nothing; and as the regrets of pruned actions are discounted, schedules that discount more revisit them sooner.
//!
//! Only actions that lead to chance nodes are worth pruning: terminal nodes are evaluated sixteen at a time, and those of one
//! action rarely fill a batch.

use crate::quantize::Quantized;
use crate::simd::{Plain, WIDTH};
use crate::state::{RegretsRef, with_encoding};
use crate::tree::SequenceForm;

/// One in this many iterations prunes nothing.
pub(crate) const REVISIT: u32 = 4;

/// How far below zero a regret must be, as a share of the sum of the hand's positive regrets.
const MARGIN: f32 = 0.5;

/// Marks the sequences of a tile that include an action with clearly negative regret for all of `hands` hands: `pruned` gets a flag
/// for each sequence, or becomes empty if there is no such action.
pub(crate) fn mark_pruned(
    form: &SequenceForm,
    regrets: RegretsRef<'_>,
    hands: usize,
    pruned: &mut Vec<bool>,
) {
    let mut kept = vec![false; form.rows];
    for block in 0..hands.div_ceil(WIDTH) {
        let hands = (hands - block * WIDTH).min(WIDTH);
        with_encoding!(regrets.regrets.rows.encoding, Q => mark_kept::<Q>(form, regrets, block, hands, &mut kept));
    }
    pruned.clear();
    if kept.iter().all(|&kept| kept) {
        return;
    }
    pruned.resize(form.sequences(), false);
    for decision in &form.decisions {
        let is_pruned = pruned[decision.sequence as usize];
        for row in decision.row as usize..(decision.row + decision.actions) as usize {
            pruned[form.roots + row] = is_pruned || !kept[row];
        }
    }
}

/// Marks the actions that some hand of a block has no clearly negative regret for.
fn mark_kept<Q: Quantized>(
    form: &SequenceForm,
    regrets: RegretsRef<'_>,
    block: usize,
    hands: usize,
    kept: &mut [bool],
) {
    let encoded = &regrets.regrets.rows.of::<Q>()[block * form.rows..][..form.rows];
    for decision in &form.decisions {
        let rows = decision.row as usize..(decision.row + decision.actions) as usize;
        let mut positive = [0.0; WIDTH];
        // All actions of a decision have the same scale, so encoded regrets can be compared.
        for row in &encoded[rows.clone()] {
            let regrets = row.decode(Plain);
            positive.iter_mut().zip(regrets.iter()).for_each(|(sum, regret)| *sum += regret.max(0.0));
        }
        for (kept, row) in kept[rows.clone()].iter_mut().zip(&encoded[rows]) {
            let regrets = row.decode(Plain);
            *kept |=
                (0..hands).any(|hand| positive[hand] == 0.0 || regrets[hand] >= -MARGIN * positive[hand]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NodeId;
    use crate::quantize::F32;
    use crate::simd::Row;
    use crate::tree::Decision;

    /// A decision with two actions, and after the second one another decision with two actions.
    fn form() -> SequenceForm {
        let decision =
            |node, sequence, row| Decision { node: NodeId(node), sequence, row, actions: 2, root: 0 };
        SequenceForm::new(vec![decision(0, 0, 0), decision(2, 2, 2)], 1)
    }

    fn marked(regrets: [Row; 4], hands: usize) -> Vec<bool> {
        let encoded = regrets.map(|row| F32::encode(Plain, row));
        let mut pruned = Vec::new();
        mark_pruned(&form(), RegretsRef::floats(&encoded), hands, &mut pruned);
        pruned
    }

    fn rows(numbers: [f32; 4]) -> [Row; 4] {
        numbers.map(|number| Row([number; WIDTH]))
    }

    #[test]
    fn actions_with_clearly_negative_regret_are_pruned_with_their_subtrees() {
        // Sequences: the root, then one for each action.
        assert_eq!(marked(rows([1.0, -0.6, 0.0, 0.0]), 16), [false, false, true, true, true]);
        assert_eq!(marked(rows([1.0, 1.0, 2.0, -1.5]), 16), [false, false, false, false, true]);
    }

    #[test]
    fn one_hand_keeps_an_action_for_all() {
        assert_eq!(marked(rows([1.0, -0.4, 0.0, 0.0]), 16), []);
        let mut regrets = rows([1.0, -0.6, 0.0, 0.0]);
        (regrets[0][5], regrets[1][5]) = (-1.0, -1.0);
        assert_eq!(marked(regrets, 16), [], "a hand without positive regret plays every action");
        assert_eq!(marked(regrets, 5), [false, false, true, true, true], "there is no such hand");
    }
}
