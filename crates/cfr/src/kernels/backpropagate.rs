//! Backward passes without an update: counterfactual values of decision nodes from those of their actions.

use super::common::add_to;
use crate::simd::{Kernel, Lanes, Row};
use crate::tree::SequenceForm;

/// Backpropagates counterfactual values under a fixed strategy: the value of an information set is the mean over its actions,
/// weighted by the strategy.
pub(crate) struct BackpropagateMean<'a> {
    pub form: &'a SequenceForm,
    pub strategy: &'a [Row],
    pub values: &'a mut [Row],
}

impl Kernel for BackpropagateMean<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        backpropagate(
            self.form,
            self.values,
            #[inline(always)]
            |row, action_values, value| {
                let mut mean = lanes.splat(0.0);
                for (probability, action_value) in self.strategy[row..].iter().zip(action_values) {
                    mean = lanes.mul_add(lanes.load(probability), lanes.load(action_value), mean);
                }
                add_to(lanes, value, mean);
            },
        );
    }
}

/// Backpropagates best-response values: the value of an information set is that of its best action.
pub(crate) struct BackpropagateBest<'a> {
    pub form: &'a SequenceForm,
    pub values: &'a mut [Row],
}

impl Kernel for BackpropagateBest<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        backpropagate(
            self.form,
            self.values,
            #[inline(always)]
            |_, action_values, value| {
                let mut best = lanes.splat(f32::NEG_INFINITY);
                for action_value in action_values {
                    best = lanes.max(best, lanes.load(action_value));
                }
                add_to(lanes, value, best);
            },
        );
    }
}

/// Visits decisions from the last run back. Calls `each` with the first row of a decision, the values of its actions, and the
/// value of the sequence that leads to it, to which the value of the decision is to be added.
#[inline(always)]
fn backpropagate(form: &SequenceForm, values: &mut [Row], mut each: impl FnMut(usize, &[Row], &mut Row)) {
    for run in form.runs.iter().rev() {
        let (before, after) = values.split_at_mut(form.roots + run.row);
        for decision in &form.decisions[run.decisions.clone()] {
            let row = decision.row as usize;
            let action_values = &after[row - run.row..][..run.actions];
            each(row, action_values, &mut before[decision.sequence as usize]);
        }
    }
}
