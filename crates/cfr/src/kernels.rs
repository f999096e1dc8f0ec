//! The inner loops: one row holds one number for each of [`HANDS`] hands.

use crate::tree::{Batch, Decision, LEAVES, LeafRow, Plan};
use crate::{Discounts, Player};

/// How many hands a row has.
pub(crate) const HANDS: usize = 16;

/// One number for each of [`HANDS`] hands.
pub(crate) type Row = [f32; HANDS];

pub(crate) const ZERO: Row = [0.0; HANDS];

/// How many rows hold `hands` numbers.
pub(crate) fn blocks(hands: usize) -> usize {
    hands.div_ceil(HANDS)
}

/// Each decision's weights, divided by their sum; uniform where the sum is zero. Negative weights count as zero.
#[inline(always)]
pub(crate) fn normalize(plan: &Plan, weights: &[Row], strategy: &mut [Row]) {
    for decision in &plan.decisions {
        let rows = rows_of(decision);
        normalize_one(&weights[rows.clone()], &mut strategy[rows]);
    }
}

#[inline(always)]
fn rows_of(decision: &Decision) -> std::ops::Range<usize> {
    decision.row as usize..(decision.row + decision.actions) as usize
}

#[inline(always)]
fn normalize_one(weights: &[Row], strategy: &mut [Row]) {
    let mut sum = ZERO;
    for weight in weights {
        for h in 0..HANDS {
            sum[h] += weight[h].max(0.0);
        }
    }
    let uniform = 1.0 / weights.len() as f32;
    let mut scale = ZERO;
    let mut rest = ZERO;
    for h in 0..HANDS {
        let some = sum[h] > 0.0;
        scale[h] = if some { 1.0 / sum[h] } else { 0.0 };
        rest[h] = if some { 0.0 } else { uniform };
    }
    for (weight, share) in weights.iter().zip(strategy) {
        for h in 0..HANDS {
            share[h] = weight[h].max(0.0) * scale[h] + rest[h];
        }
    }
}

/// How likely a player takes each of its sequences: extends the reaches of the roots to all slots.
#[inline(always)]
pub(crate) fn realize(plan: &Plan, strategy: &[Row], reach: &mut [Row]) {
    for decision in &plan.decisions {
        let here = reach[decision.slot as usize];
        for row in rows_of(decision) {
            for h in 0..HANDS {
                reach[plan.roots + row][h] = here[h] * strategy[row][h];
            }
        }
    }
}

/// Values from the last decision back: a decision is worth the strategy's mean of its actions.
#[inline(always)]
pub(crate) fn back_up_mean(plan: &Plan, strategy: &[Row], values: &mut [Row]) {
    for decision in plan.decisions.iter().rev() {
        let mean = mean_of(plan, decision, strategy, values);
        add(&mut values[decision.slot as usize], &mean);
    }
}

/// Values from the last decision back, while regrets learn how much better each action would have been.
#[inline(always)]
pub(crate) fn back_up_learning(
    plan: &Plan,
    strategy: &[Row],
    values: &mut [Row],
    regrets: &mut [Row],
    discounts: &Discounts,
) {
    for decision in plan.decisions.iter().rev() {
        let mean = mean_of(plan, decision, strategy, values);
        for row in rows_of(decision) {
            let (regret, value) = (&mut regrets[row], &values[plan.roots + row]);
            for h in 0..HANDS {
                let factor = if regret[h] > 0.0 { discounts.positive } else { discounts.negative };
                regret[h] = regret[h] * factor + (value[h] - mean[h]);
            }
        }
        add(&mut values[decision.slot as usize], &mean);
    }
}

/// Values from the last decision back: a decision is worth its best action.
#[inline(always)]
pub(crate) fn back_up_best(plan: &Plan, values: &mut [Row]) {
    for decision in plan.decisions.iter().rev() {
        let mut best = [f32::NEG_INFINITY; HANDS];
        for row in rows_of(decision) {
            let value = &values[plan.roots + row];
            for h in 0..HANDS {
                best[h] = best[h].max(value[h]);
            }
        }
        add(&mut values[decision.slot as usize], &best);
    }
}

#[inline(always)]
fn mean_of(plan: &Plan, decision: &Decision, strategy: &[Row], values: &[Row]) -> Row {
    let mut mean = ZERO;
    for row in rows_of(decision) {
        let (share, value) = (&strategy[row], &values[plan.roots + row]);
        for h in 0..HANDS {
            mean[h] += share[h] * value[h];
        }
    }
    mean
}

/// Adds what a player just played to its discounted past. `reach` holds the sequences' reaches, without the roots.
#[inline(always)]
pub(crate) fn accumulate(sums: &mut [Row], reach: &[Row], factor: f32) {
    for (sum, reach) in sums.iter_mut().zip(reach) {
        for h in 0..HANDS {
            sum[h] = sum[h] * factor + reach[h];
        }
    }
}

#[inline(always)]
pub(crate) fn add(target: &mut Row, row: &Row) {
    for h in 0..HANDS {
        target[h] += row[h];
    }
}

/// Spreads slots, a row each, to leaves, a lane each: `out` has a row of lanes for each of the hands.
#[inline(always)]
pub(crate) fn rows_to_lanes(batch: &Batch, player: Player, slots: &[Row], out: &mut [LeafRow; HANDS]) {
    let lanes = batch.slots[player.index()].map(|slot| &slots[slot as usize]);
    for h in 0..HANDS {
        for lane in 0..LEAVES {
            out[h][lane] = lanes[lane][h];
        }
    }
}

/// Adds leaves, a lane each, to their slots, a row each.
#[inline(always)]
pub(crate) fn lanes_to_rows(batch: &Batch, player: Player, values: &[LeafRow; HANDS], slots: &mut [Row]) {
    for lane in 0..batch.leaves.len() {
        let slot = &mut slots[batch.slots[player.index()][lane] as usize];
        for h in 0..HANDS {
            slot[h] += values[h][lane];
        }
    }
}
