//! The regret update: counterfactual values are backpropagated from the last decision to the roots, and on the way each action's
//! instantaneous regret, its value minus the mean under the current strategy, is added to the discounted cumulative regrets
//! (Zinkevich, Johanson, Bowling and Piccione, *Regret minimization in games with incomplete information*, NIPS 2007; floored at
//! zero: Tammelin, *Solving large imperfect information games using CFR+*, 2014; discounted: Brown and Sandholm, *Solving
//! imperfect-information games via discounted regret minimization*, AAAI 2019).

use super::common::{add_to, by_actions};
use crate::Discounts;
use crate::locks::BlockLocks;
use crate::quantize::{self, Quantized, RoundingOffsets, RoundingSeed, Scale, step_of};
use crate::simd::{Kernel, Lanes, Row};
use crate::tree::{Decision, SequenceForm};

/// Backpropagates the counterfactual values of a block and updates its cumulative regrets.
pub(crate) struct UpdateRegrets<'a, Q> {
    pub form: &'a SequenceForm,
    /// The current strategy.
    pub strategy: &'a [Row],
    /// The discounts of each root tree; none where nothing is updated.
    pub discounts: &'a [Option<Discounts>],
    /// Whether negative regrets are kept; otherwise they are floored at zero.
    pub keeps_negative: bool,
    pub rounding: RoundingSeed,
    /// The counterfactual values of all sequences. In: those of terminal and chance nodes. Out: those of the roots.
    pub values: &'a mut [Row],
    pub regrets: &'a mut [Q],
    pub scales: &'a mut [Scale],
    /// By reference, as it is large and few updates have it.
    pub extras: Option<&'a mut UpdateExtras<'a, Q>>,
}

/// The inputs of updates with locks, pruning or predictions.
pub(crate) struct UpdateExtras<'a, Q> {
    /// The hands whose strategy is locked, and whose regrets are not updated.
    pub locks: Option<BlockLocks<'a>>,
    /// A flag for each sequence that was pruned, or none at all: actions that lead there have no instantaneous regret.
    pub pruned: &'a [bool],
    /// Where the instantaneous regrets are stored as predictions; empty if the schedule does not predict.
    pub predictions: &'a mut [Q],
    pub prediction_scales: &'a mut [Scale],
}

impl<Q: Quantized> Kernel for UpdateRegrets<'_, Q> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { form, discounts, scales, mut extras, .. } = self;
        let mut offsets = self.rounding.offsets(lanes);
        let discounts = RootDiscounts::new(discounts, self.keeps_negative);
        debug_assert!(
            extras.is_some() || !Q::IS_SIGNED || self.keeps_negative,
            "regrets that are floored need no sign"
        );
        for run in form.runs.iter().rev() {
            let (before, values) = self.values.split_at_mut(form.roots + run.row);
            let part = RunRows {
                first: run.decisions.start,
                decisions: &form.decisions[run.decisions.clone()],
                before,
                strategy: &self.strategy[run.rows()],
                values,
                regrets: &mut self.regrets[run.rows()],
                scales,
            };
            match &mut extras {
                None => by_actions!(run, L, Q, N => {
                    part.update_few::<L, N>(lanes, &discounts, &mut offsets);
                } else {
                    part.update_many(lanes, run.actions, &discounts, &mut offsets, |_, _, _, _| {});
                }),
                Some(extras) => part.update_many(
                    lanes,
                    run.actions,
                    &discounts,
                    &mut offsets,
                    #[inline(always)]
                    |d, decision, regrets, offsets| extras.apply(lanes, d, decision, form, regrets, offsets),
                ),
            }
        }
    }
}

/// The rows of the decisions of a run.
struct RunRows<'a, Q> {
    /// The index of the first decision.
    first: usize,
    decisions: &'a [Decision],
    /// The values of the sequences before those of the run.
    before: &'a mut [Row],
    strategy: &'a [Row],
    values: &'a mut [Row],
    regrets: &'a mut [Q],
    /// The scales of all decisions of the sequence form.
    scales: &'a mut [Scale],
}

impl<Q: Quantized> RunRows<'_, Q> {
    /// Updates decisions with `N` actions, with all numbers of a decision in registers.
    #[inline(always)]
    fn update_few<L: Lanes, const N: usize>(
        self,
        lanes: L,
        discounts: &RootDiscounts<'_>,
        offsets: &mut RoundingOffsets<L>,
    ) {
        let (strategy, values) = (self.strategy.as_chunks::<N>().0, self.values.as_chunks_mut::<N>().0);
        let rows = strategy.iter().zip(values).zip(self.regrets.as_chunks_mut::<N>().0);
        for (d, (decision, ((strategy, values), regrets))) in
            (self.first..).zip(self.decisions.iter().zip(rows))
        {
            let scale = self.scales.get_mut(d);
            let Some(discounting) = discounts.at(lanes, decision, scale.as_deref()) else { continue };
            let value = FewRows { strategy, values, regrets }.update(lanes, discounting, scale, offsets);
            add_to(lanes, &mut self.before[decision.sequence as usize], value);
        }
    }

    /// Updates decisions with any number of actions; `adjust` may change their instantaneous regrets.
    #[inline(always)]
    fn update_many<L: Lanes>(
        self,
        lanes: L,
        actions: usize,
        discounts: &RootDiscounts<'_>,
        offsets: &mut RoundingOffsets<L>,
        mut adjust: impl FnMut(usize, &Decision, &mut [Row], &mut RoundingOffsets<L>),
    ) {
        let (strategy, values) = (self.strategy.chunks_exact(actions), self.values.chunks_exact_mut(actions));
        let rows = strategy.zip(values).zip(self.regrets.chunks_exact_mut(actions));
        for (d, (decision, ((strategy, values), regrets))) in
            (self.first..).zip(self.decisions.iter().zip(rows))
        {
            let scale = self.scales.get_mut(d);
            let Some(discounting) = discounts.at(lanes, decision, scale.as_deref()) else { continue };
            let mut rows = DecisionRows { strategy, values, regrets };
            let value = rows.subtract_mean(lanes);
            adjust(d, decision, rows.values, offsets);
            rows.accumulate(lanes, discounting, scale, offsets);
            add_to(lanes, &mut self.before[decision.sequence as usize], value);
        }
    }
}

/// The rows of a decision, one for each action.
struct DecisionRows<'a, Q> {
    strategy: &'a [Row],
    /// Counterfactual values, then instantaneous regrets, then cumulative regrets.
    values: &'a mut [Row],
    regrets: &'a mut [Q],
}

impl<Q: Quantized> DecisionRows<'_, Q> {
    /// Turns the values of actions into instantaneous regrets; returns their mean, which is the value of the decision.
    #[inline(always)]
    fn subtract_mean<L: Lanes>(&mut self, lanes: L) -> L::Numbers {
        let mut mean = lanes.splat(0.0);
        for (probability, value) in self.strategy.iter().zip(&*self.values) {
            mean = lanes.mul_add(lanes.load(probability), lanes.load(value), mean);
        }
        for value in &mut *self.values {
            *value = lanes.row(lanes.sub(lanes.load(value), mean));
        }
        mean
    }

    /// Adds the instantaneous regrets to the discounted cumulative ones, and stores them.
    #[inline(always)]
    fn accumulate<L: Lanes>(
        &mut self,
        lanes: L,
        discounting: Discounting<L::Numbers>,
        scale: Option<&mut Scale>,
        offsets: &mut RoundingOffsets<L>,
    ) {
        for (value, cumulative) in self.values.iter_mut().zip(&*self.regrets) {
            *value = lanes.row(discounting.add_floored(lanes, cumulative, lanes.load(value)));
        }
        quantize::encode_block(lanes, self.values, self.regrets, scale, offsets);
    }
}

/// As [`DecisionRows`], for `N` actions.
struct FewRows<'a, Q, const N: usize> {
    strategy: &'a [Row; N],
    values: &'a mut [Row; N],
    regrets: &'a mut [Q; N],
}

impl<Q: Quantized, const N: usize> FewRows<'_, Q, N> {
    /// Updates the regrets with all numbers in registers; returns the value of the decision.
    #[inline(always)]
    fn update<L: Lanes>(
        self,
        lanes: L,
        discounting: Discounting<L::Numbers>,
        mut scale: Option<&mut Scale>,
        offsets: &mut RoundingOffsets<L>,
    ) -> L::Numbers {
        let Self { strategy, values, regrets } = self;
        let mut mean = lanes.mul(lanes.load(&strategy[0]), lanes.load(&values[0]));
        for i in 1..N {
            mean = lanes.mul_add(lanes.load(&strategy[i]), lanes.load(&values[i]), mean);
        }
        let mut updated = [mean; N];
        for i in 0..N {
            let instantaneous = lanes.sub(lanes.load(&values[i]), mean);
            // A schedule that floors regrets has signed integers only if it predicts, and then the update has extras.
            updated[i] = if Q::IS_SIGNED {
                discounting.add(lanes, &regrets[i], instantaneous)
            } else {
                discounting.add_floored(lanes, &regrets[i], instantaneous)
            };
        }
        let is_encoded = quantize::try_encode_block(
            lanes,
            #[inline(always)]
            |i| updated[i],
            regrets,
            scale.as_deref_mut(),
            offsets,
        );
        if !is_encoded {
            // This hardly ever happens, so the values are read again rather than kept in the few registers there are.
            let (strategy, values) = std::hint::black_box((strategy, values));
            let mut rows = DecisionRows { strategy, values, regrets };
            rows.subtract_mean(lanes);
            rows.accumulate(lanes, discounting, scale, offsets);
        }
        mean
    }
}

/// The discounts of each root tree of a tile.
struct RootDiscounts<'a> {
    discounts: &'a [Option<Discounts>],
    /// The discounts of all root trees if they are equal, as they mostly are unless some were skipped.
    uniform: Option<Discounts>,
    keeps_negative: bool,
}

impl<'a> RootDiscounts<'a> {
    #[inline(always)]
    fn new(discounts: &'a [Option<Discounts>], keeps_negative: bool) -> Self {
        let first = discounts.first().copied().flatten();
        let uniform =
            first.filter(|first| discounts.iter().all(|discounts| discounts.as_ref() == Some(first)));
        Self { discounts, uniform, keeps_negative }
    }

    /// How the regrets of a decision are discounted, which have a scale or are floats; none if they are not updated.
    #[inline(always)]
    fn at<L: Lanes>(
        &self,
        lanes: L,
        decision: &Decision,
        scale: Option<&Scale>,
    ) -> Option<Discounting<L::Numbers>> {
        let discounts = match self.uniform {
            Some(uniform) => uniform,
            None => self.discounts[decision.root as usize]?,
        };
        // A power of two, so the products are exact unless they are too small to matter.
        let step = scale.map_or(1.0, |&scale| step_of(scale));
        Some(Discounting {
            positive: lanes.splat(step * discounts.positive),
            negative: lanes.splat(step * discounts.negative),
            floor: lanes.splat(if self.keeps_negative { f32::NEG_INFINITY } else { 0.0 }),
        })
    }
}

/// Decodes, discounts and adds to the regrets of a decision.
#[derive(Clone, Copy)]
struct Discounting<N> {
    /// The factor on encoded positive regrets: the quantisation step times the discount.
    positive: N,
    /// The same for negative regrets.
    negative: N,
    floor: N,
}

impl<N: Copy> Discounting<N> {
    /// The discounted cumulative regret plus the instantaneous one.
    #[inline(always)]
    fn add<L: Lanes<Numbers = N>, Q: Quantized>(self, lanes: L, cumulative: &Q, instantaneous: N) -> N {
        let cumulative = cumulative.decode(lanes);
        let discount = lanes.where_negative(cumulative, self.negative, self.positive);
        lanes.mul_add(cumulative, discount, instantaneous)
    }

    /// As [`Discounting::add`], but not below the floor.
    #[inline(always)]
    fn add_floored<L: Lanes<Numbers = N>, Q: Quantized>(
        self,
        lanes: L,
        cumulative: &Q,
        instantaneous: N,
    ) -> N {
        lanes.max(self.add(lanes, cumulative, instantaneous), self.floor)
    }
}

impl<Q: Quantized> UpdateExtras<'_, Q> {
    /// Sets the instantaneous regrets of locked hands and pruned actions to zero, and stores the others as predictions.
    #[inline(always)]
    fn apply<L: Lanes>(
        &mut self,
        lanes: L,
        d: usize,
        decision: &Decision,
        form: &SequenceForm,
        regrets: &mut [Row],
        offsets: &mut RoundingOffsets<L>,
    ) {
        if let Some(free) = self.locks.as_ref().and_then(|locks| locks.free(d)) {
            let free = lanes.load(free);
            regrets.iter_mut().for_each(|regret| *regret = lanes.row(lanes.mul(lanes.load(regret), free)));
        }
        let first = decision.row as usize;
        if !self.pruned.is_empty() {
            let pruned =
                regrets.iter_mut().zip(&self.pruned[form.roots + first..]).filter(|(_, pruned)| **pruned);
            pruned.for_each(|(regret, _)| *regret = Row::ZERO);
        }
        if !self.predictions.is_empty() {
            // Locks may leave negative zeros, which the fast path of the encoder refuses. Adding zero makes them positive.
            let zero = lanes.splat(0.0);
            regrets.iter_mut().for_each(|regret| *regret = lanes.row(lanes.add(lanes.load(regret), zero)));
            let predictions = &mut self.predictions[first..][..regrets.len()];
            quantize::encode_block(lanes, regrets, predictions, self.prediction_scales.get_mut(d), offsets);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NodeId;
    use crate::quantize::{I8, step_of};
    use crate::simd::{Plain, WIDTH, run};

    /// The regrets of one decision with two actions after its first update, and its value.
    fn first_update(values: [f32; 2], run: impl FnOnce(UpdateRegrets<'_, I8>)) -> ([Row; 2], Row) {
        let decision = Decision { node: NodeId::ROOT, sequence: 0, row: 0, actions: 2, root: 0 };
        let form = SequenceForm::new(vec![decision], 1);
        let mut sequences = [Row::ZERO, Row([values[0]; WIDTH]), Row([values[1]; WIDTH])];
        let (mut encoded, mut scales) = ([I8::ZERO; 2], [0]);
        run(UpdateRegrets {
            form: &form,
            strategy: &[Row([0.5; WIDTH]); 2],
            discounts: &[Some(Discounts { positive: 1.0, negative: 1.0, average: 1.0 })],
            keeps_negative: true,
            rounding: RoundingSeed::new(&[7]),
            values: &mut sequences,
            regrets: &mut encoded,
            scales: &mut scales,
            extras: None,
        });
        let regrets = encoded.map(|row| Row(row.decode(Plain).map(|steps| steps * step_of(scales[0]))));
        (regrets, sequences[0])
    }

    #[test]
    fn regrets_stay_finite_whatever_the_values_are() {
        for values in [[3.0, 1.0], [1e35, -1e35], [f32::INFINITY, 0.0], [f32::NAN, 1.0]] {
            let best = first_update(values, |update| run(update));
            let plain = first_update(values, |update| update.run(Plain));
            assert_eq!(best.0, plain.0, "{values:?}");
            assert!(best.0.iter().flat_map(|row| row.0).all(f32::is_finite), "{values:?} became {best:?}");
        }
        let ([first, second], value) = first_update([3.0, 1.0], |update| run(update));
        assert!(value.iter().all(|&value| value == 2.0));
        assert!(first.iter().all(|&regret| (regret - 1.0).abs() < 0.02), "{first:?}");
        // Negative numbers count a sixteenth when the scale is chosen.
        assert!(second.iter().all(|&regret| (regret + 1.0).abs() < 0.02), "{second:?}");
        let ([first, _], _) = first_update([1e35, -1e35], |update| run(update));
        assert!(first.iter().all(|&regret| regret > 0.9e30), "{first:?}");
    }
}
