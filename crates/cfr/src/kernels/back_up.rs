//! Values from the last decision back, for those who do not learn.

use super::add;
use crate::simd::{Kernel, Lanes, Row};
use crate::tree::Plan;

/// Values from the last decision back: a decision is worth the strategy's mean of its actions.
pub(crate) struct BackUpMean<'a> {
    pub plan: &'a Plan,
    pub strategy: &'a [Row],
    pub values: &'a mut [Row],
}

impl Kernel for BackUpMean<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        back_up(
            self.plan,
            self.values,
            #[inline(always)]
            |row, values, here| {
                let mut mean = lanes.splat(0.0);
                for (share, value) in self.strategy[row..].iter().zip(values) {
                    mean = lanes.mul_add(lanes.load(share), lanes.load(value), mean);
                }
                add(lanes, here, mean);
            },
        );
    }
}

/// Values from the last decision back: a decision is worth its best action.
pub(crate) struct BackUpBest<'a> {
    pub plan: &'a Plan,
    pub values: &'a mut [Row],
}

impl Kernel for BackUpBest<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        back_up(
            self.plan,
            self.values,
            #[inline(always)]
            |_, values, here| {
                let mut best = lanes.splat(f32::NEG_INFINITY);
                for value in values {
                    best = lanes.max(best, lanes.load(value));
                }
                add(lanes, here, best);
            },
        );
    }
}

/// Goes from the last run of decisions back: calls `each` with the first row of a decision, the values of its actions, and the
/// slot that what it is worth is added to.
#[inline(always)]
fn back_up(plan: &Plan, values: &mut [Row], mut each: impl FnMut(usize, &[Row], &mut Row)) {
    for run in plan.runs.iter().rev() {
        let (before, after) = values.split_at_mut(plan.roots + run.row);
        for decision in &plan.decisions[run.decisions.clone()] {
            let row = decision.row as usize;
            let actions = &after[row - run.row..][..run.actions];
            each(row, actions, &mut before[decision.slot as usize]);
        }
    }
}
