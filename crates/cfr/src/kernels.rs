//! The inner loops: one row holds one number for each of [`HANDS`] hands.

use crate::cells::{self, Cell, Noise, Scale, step_of};
use crate::locks::BlockLocks;
use crate::state::{Part, PartMut};
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

/// What a block's strategy is proportional to: its numbers, plus the predicted ones where there are any.
pub(crate) struct Weights<'a, C> {
    part: Part<'a, C>,
    foresight: f32,
}

impl<'a, C: Cell> Weights<'a, C> {
    /// The weights of one block of a tile's numbers.
    #[inline(always)]
    pub fn new(part: Part<'a, C>, plan: &Plan, block: usize, foresight: f32) -> Self {
        let cells = block * plan.rows..(block + 1) * plan.rows;
        let decisions = block * plan.decisions.len()..(block + 1) * plan.decisions.len();
        let part = Part {
            cells: &part.cells[cells.clone()],
            scales: part.scales.get(decisions.clone()).unwrap_or_default(),
            hints: part.hints.get(cells).unwrap_or_default(),
            hint_scales: part.hint_scales.get(decisions).unwrap_or_default(),
        };
        Self { part, foresight }
    }

    /// The weights of an action. The numbers of one decision share a scale, so without predictions it does not matter.
    #[inline(always)]
    fn row(&self, decision: usize, row: usize) -> Row {
        let mut weights = self.part.cells[row].steps();
        if let Some(hint) = self.part.hints.get(row) {
            let step = step_at(self.part.scales, decision);
            let hint_step = self.foresight * step_at(self.part.hint_scales, decision);
            let hints = hint.steps();
            for h in 0..HANDS {
                weights[h] = weights[h] * step + hints[h] * hint_step;
            }
        }
        weights
    }
}

/// The step of a decision's numbers; floats have steps of one.
#[inline(always)]
fn step_at(scales: &[Scale], decision: usize) -> f32 {
    scales.get(decision).map_or(1.0, |&scale| step_of(scale))
}

/// Each decision's weights, divided by their sum; uniform where the sum is zero. Negative weights count as zero.
#[inline(always)]
pub(crate) fn normalize<C: Cell>(plan: &Plan, weights: &Weights<'_, C>, strategy: &mut [Row]) {
    for (d, decision) in plan.decisions.iter().enumerate() {
        let rows = rows_of(decision);
        let mixture = Mixture::of(rows.clone().map(|row| weights.row(d, row)));
        for row in rows {
            strategy[row] = mixture.share(&weights.row(d, row));
        }
    }
}

/// How likely a player takes each of its sequences: extends the reaches of the roots to all slots, by the strategy that
/// `weights` stand for. Where no hand of the row arrives, the weights are not even looked at.
#[inline(always)]
pub(crate) fn realize<C: Cell>(plan: &Plan, weights: &Weights<'_, C>, reach: &mut [Row]) {
    for (d, decision) in plan.decisions.iter().enumerate() {
        let here = reach[decision.slot as usize];
        let rows = rows_of(decision);
        if is_zero(&here) {
            reach[plan.roots + rows.start..plan.roots + rows.end].fill(ZERO);
            continue;
        }
        let mixture = Mixture::of(rows.clone().map(|row| weights.row(d, row)));
        for row in rows {
            let share = mixture.share(&weights.row(d, row));
            for h in 0..HANDS {
                reach[plan.roots + row][h] = here[h] * share[h];
            }
        }
    }
}

/// As [`realize`], by a strategy that is known.
#[inline(always)]
pub(crate) fn realize_strategy(plan: &Plan, strategy: &[Row], reach: &mut [Row]) {
    for decision in &plan.decisions {
        let here = reach[decision.slot as usize];
        for row in rows_of(decision) {
            for h in 0..HANDS {
                reach[plan.roots + row][h] = here[h] * strategy[row][h];
            }
        }
    }
}

#[inline(always)]
fn rows_of(decision: &Decision) -> std::ops::Range<usize> {
    decision.row as usize..(decision.row + decision.actions) as usize
}

#[inline(always)]
fn is_zero(row: &Row) -> bool {
    row.iter().fold(0, |bits, number| bits | number.to_bits()) == 0
}

/// How weights turn into shares: times `scale` plus `rest`.
struct Mixture {
    scale: Row,
    rest: Row,
}

impl Mixture {
    #[inline(always)]
    fn of(weights: impl ExactSizeIterator<Item = Row>) -> Self {
        let uniform = 1.0 / weights.len() as f32;
        let mut sum = ZERO;
        for weight in weights {
            for h in 0..HANDS {
                sum[h] += weight[h].max(0.0);
            }
        }
        let (mut scale, mut rest) = (ZERO, ZERO);
        for h in 0..HANDS {
            // One over anything smaller may overflow.
            let some = sum[h] >= f32::MIN_POSITIVE;
            scale[h] = if some { 1.0 / sum[h] } else { 0.0 };
            rest[h] = if some { 0.0 } else { uniform };
        }
        Self { scale, rest }
    }

    #[inline(always)]
    fn share(&self, weight: &Row) -> Row {
        let mut share = ZERO;
        for h in 0..HANDS {
            share[h] = weight[h].max(0.0) * self.scale[h] + self.rest[h];
        }
        share
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

/// What regrets learn from: the strategy that was played, and how the past counts.
pub(crate) struct Lesson<'a> {
    pub strategy: &'a [Row],
    pub discounts: &'a Discounts,
    /// Whether negative regrets are kept.
    pub keeps_negative: bool,
    /// The hands that have nothing to learn.
    pub locks: Option<BlockLocks<'a>>,
}

/// Values from the last decision back, while regrets learn how much better each action would have been.
#[inline(always)]
pub(crate) fn back_up_learning<C: Cell>(
    plan: &Plan,
    block: usize,
    lesson: &Lesson<'_>,
    noise: Noise,
    values: &mut [Row],
    part: &mut PartMut<'_, C>,
    fresh: &mut [Row],
) {
    let Lesson { strategy, discounts, keeps_negative, locks } = *lesson;
    let floor = if keeps_negative { f32::NEG_INFINITY } else { 0.0 };
    let cells = &mut part.cells[block * plan.rows..][..plan.rows];
    for (d, decision) in plan.decisions.iter().enumerate().rev() {
        let mean = mean_of(plan, decision, strategy, values);
        if let Some(locks) = locks {
            locks.level(plan, d, &mean, values);
        }
        let at = block * plan.decisions.len() + d;
        let step = step_at(part.scales, at);
        let (positive, negative) = (discounts.positive * step, discounts.negative * step);
        let rows = rows_of(decision);
        for row in rows.clone() {
            let (regret, value) = (cells[row].steps(), &values[plan.roots + row]);
            for h in 0..HANDS {
                let factor = if regret[h] > 0.0 { positive } else { negative };
                fresh[row][h] = (regret[h] * factor + (value[h] - mean[h])).max(floor);
            }
        }
        let scale = part.scales.get_mut(at);
        cells::store(&fresh[rows.clone()], &mut cells[rows.clone()], scale, noise, rows.start);
        if !part.hints.is_empty() {
            let hints = &mut part.hints[block * plan.rows..][..plan.rows];
            for row in rows.clone() {
                for h in 0..HANDS {
                    fresh[row][h] = values[plan.roots + row][h] - mean[h];
                }
            }
            let scale = part.hint_scales.get_mut(at);
            cells::store(
                &fresh[rows.clone()],
                &mut hints[rows.clone()],
                scale,
                noise,
                plan.rows + rows.start,
            );
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

/// Mixes what a player just played into the average of its past, of which `past_share` remains. `reach` holds the sequences' reaches, without the roots.
#[inline(always)]
pub(crate) fn accumulate<C: Cell>(
    plan: &Plan,
    block: usize,
    reach: &[Row],
    past_share: f32,
    noise: Noise,
    part: &mut PartMut<'_, C>,
    fresh: &mut [Row],
) {
    let cells = &mut part.cells[block * plan.rows..][..plan.rows];
    for (d, decision) in plan.decisions.iter().enumerate() {
        let at = block * plan.decisions.len() + d;
        let past = past_share * step_at(part.scales, at);
        let rows = rows_of(decision);
        for row in rows.clone() {
            let sum = cells[row].steps();
            for h in 0..HANDS {
                fresh[row][h] = sum[h] * past + reach[row][h] * (1.0 - past_share);
            }
        }
        cells::store(
            &fresh[rows.clone()],
            &mut cells[rows.clone()],
            part.scales.get_mut(at),
            noise,
            rows.start,
        );
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
    let mut rows = [ZERO; LEAVES];
    for h in 0..HANDS {
        for lane in 0..LEAVES {
            rows[lane][h] = values[h][lane];
        }
    }
    for (row, &slot) in rows.iter().zip(&batch.slots[player.index()]).take(batch.leaves.len()) {
        add(&mut slots[slot as usize], row);
    }
}
