//! Actions that no hand wants, left out for a while.
//!
//! An action of which every hand has clearly negative regret is not played, and what would follow it matters only to find out whether it
//! has become better. In most iterations the player takes it that nothing changed: chance events below the action are not visited,
//! regrets there gain nothing and fade. How clear is clear follows each hand's own stakes: its regret must be below zero by a share of all
//! that it regrets not having done otherwise. One iteration of [`REVISIT`] visits everything; and as an action that is left out
//! fades, it is looked at sooner under schedules that forget soon.
//!
//! Only actions that lead to chance events are worth it: leaves are valued sixteen at a time, and those of one action rarely
//! fill a batch.

use crate::cells::Cell;
use crate::simd::{Plain, WIDTH};
use crate::state::{RegretsRef, with_cell};
use crate::tree::Plan;

/// One of so many iterations leaves out nothing.
pub(crate) const REVISIT: u32 = 4;

/// How far below zero a regret must be, in parts of the hand's positive regrets.
const CLEARLY: f32 = 0.5;

/// Marks the slots of a tile that come after an action that none of `hands` hands wants: `pruned` gets a flag for each slot,
/// or nothing if there are none.
pub(crate) fn mark(plan: &Plan, regrets: RegretsRef<'_>, hands: usize, pruned: &mut Vec<bool>) {
    let mut wanted = vec![false; plan.rows];
    for block in 0..hands.div_ceil(WIDTH) {
        let hands = (hands - block * WIDTH).min(WIDTH);
        with_cell!(regrets.cells.encoding, C => mark_wanted::<C>(plan, regrets, block, hands, &mut wanted));
    }
    pruned.clear();
    if wanted.iter().all(|&wanted| wanted) {
        return;
    }
    pruned.resize(plan.slots(), false);
    for decision in &plan.decisions {
        let before = pruned[decision.slot as usize];
        for row in decision.row as usize..(decision.row + decision.actions) as usize {
            pruned[plan.roots + row] = before || !wanted[row];
        }
    }
}

/// Marks the actions that some hand of a block wants, or does not mind.
fn mark_wanted<C: Cell>(
    plan: &Plan,
    regrets: RegretsRef<'_>,
    block: usize,
    hands: usize,
    wanted: &mut [bool],
) {
    let cells = &regrets.cells.of::<C>()[block * plan.rows..][..plan.rows];
    for decision in &plan.decisions {
        let rows = decision.row as usize..(decision.row + decision.actions) as usize;
        let mut stakes = [0.0; WIDTH];
        // All actions of a decision count in the same steps.
        for cell in &cells[rows.clone()] {
            let steps = cell.steps(Plain);
            stakes.iter_mut().zip(steps.iter()).for_each(|(stake, step)| *stake += step.max(0.0));
        }
        for (wanted, cell) in wanted[rows.clone()].iter_mut().zip(&cells[rows]) {
            let steps = cell.steps(Plain);
            *wanted |= (0..hands).any(|hand| stakes[hand] == 0.0 || steps[hand] >= -CLEARLY * stakes[hand]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NodeId;
    use crate::cells::F32;
    use crate::simd::Row;
    use crate::tree::Decision;

    /// A choice of two; after its second action, a choice of two more.
    fn plan() -> Plan {
        let decision = |node, slot, row| Decision { node: NodeId(node), slot, row, actions: 2, root: 0 };
        Plan::new(vec![decision(0, 0, 0), decision(2, 2, 2)], 1)
    }

    fn marked(regrets: [Row; 4], hands: usize) -> Vec<bool> {
        let cells = regrets.map(|row| F32::nearest(Plain, row));
        let mut pruned = Vec::new();
        mark(&plan(), RegretsRef::floats(&cells), hands, &mut pruned);
        pruned
    }

    fn rows(numbers: [f32; 4]) -> [Row; 4] {
        numbers.map(|number| Row([number; WIDTH]))
    }

    #[test]
    fn what_no_hand_wants_is_left_out_with_all_that_follows() {
        // Slots: the root, then one for each action.
        assert_eq!(marked(rows([1.0, -0.6, 0.0, 0.0]), 16), [false, false, true, true, true]);
        assert_eq!(marked(rows([1.0, 1.0, 2.0, -1.5]), 16), [false, false, false, false, true]);
    }

    #[test]
    fn what_one_hand_wants_or_does_not_mind_stays() {
        assert_eq!(marked(rows([1.0, -0.4, 0.0, 0.0]), 16), []);
        let mut regrets = rows([1.0, -0.6, 0.0, 0.0]);
        (regrets[0][5], regrets[1][5]) = (-1.0, -1.0);
        assert_eq!(marked(regrets, 16), [], "a hand that regrets nothing plays anything");
        assert_eq!(marked(regrets, 5), [false, false, true, true, true], "there is no such hand");
    }
}
