//! The average strategy: reading it, and updating it with the current strategy.
//!
//! CFR's guarantee is about the average strategy, in which an iteration counts in proportion to the player's own reach probability
//! (Zinkevich, Johanson, Bowling and Piccione, *Regret minimization in games with incomplete information*, NIPS 2007)
//! and to a weight that grows with the iteration (Tammelin 2014; Brown and Sandholm 2019).

use super::common::{Prefetch, by_actions, load_nonzero, set_zero};
use crate::quantize::{Quantized, RoundingOffsets, RoundingSeed};
use crate::simd::{Kernel, Lanes, Row};
use crate::tree::{Decision, Run, SequenceForm};

/// One block of a tile's average strategy, as cumulative probabilities: for each information set, the probability of one of the
/// first *k* actions, for every *k* but the last, where it is one. Integers stand for fractions of [`Quantized::MAX_STEPS`].
///
/// All cumulative probabilities of an information set are rounded with the same random offset, so they stay in order: the
/// probabilities of actions are never negative and always sum to one.
#[derive(Clone, Copy)]
pub(crate) struct CumulativeStrategy<'a, Q> {
    pub rows: &'a [Q],
}

impl<Q: Quantized> CumulativeStrategy<'_, Q> {
    /// The encoded number that stands for probability one.
    pub const ONE: f32 = match Q::MAX_STEPS {
        Some(max_steps) => max_steps,
        None => 1.0,
    };

    /// Distributes a total over the actions of each decision of a run: reach probabilities, or one to get the strategy itself.
    /// `total` is `None` where it is zero for all hands; the strategy is not read there.
    #[inline(always)]
    fn distribute<L: Lanes>(
        &self,
        lanes: L,
        form: &SequenceForm,
        run: &Run,
        out: &mut [Row],
        prefetch: &mut Prefetch<'_>,
        total: impl Fn(&Decision) -> Option<L::Numbers>,
    ) {
        let of_run = Self { rows: &self.rows[run.cumulative_rows()] };
        let decisions = &form.decisions[run.decisions.clone()];
        by_actions!(run, L, Q, N => {
            of_run.distribute_run(lanes, N, decisions, out, prefetch, total);
        } else {
            of_run.distribute_run(lanes, run.actions, decisions, out, prefetch, total);
        });
    }

    /// As [`CumulativeStrategy::distribute`], where `self` has the rows of these decisions only, each with `actions` actions,
    /// which had best be a constant.
    #[inline(always)]
    fn distribute_run<L: Lanes>(
        &self,
        lanes: L,
        actions: usize,
        decisions: &[Decision],
        out: &mut [Row],
        prefetch: &mut Prefetch<'_>,
        total: impl Fn(&Decision) -> Option<L::Numbers>,
    ) {
        let (zero, step) = (lanes.splat(0.0), lanes.splat(1.0 / Self::ONE));
        for (i, (decision, out)) in decisions.iter().zip(out.chunks_exact_mut(actions)).enumerate() {
            prefetch.step(lanes);
            let Some(total) = total(decision) else {
                set_zero(lanes, out);
                continue;
            };
            let total = lanes.mul(total, step);
            let [rest @ .., last] = out else { continue };
            let mut previous = zero;
            for (row, out) in self.rows[i * rest.len()..].iter().zip(rest) {
                let cumulative = row.decode(lanes);
                *out = lanes.row(lanes.mul(total, lanes.max(lanes.sub(cumulative, previous), zero)));
                previous = cumulative;
            }
            let remaining = lanes.max(lanes.sub(lanes.splat(Self::ONE), previous), zero);
            *last = lanes.row(lanes.mul(total, remaining));
        }
    }
}

/// Decodes the average strategy of a block: a row of probabilities for each action.
pub(crate) struct DecodeStrategy<'a, Q> {
    pub form: &'a SequenceForm,
    pub cumulative: CumulativeStrategy<'a, Q>,
    pub strategy: &'a mut [Row],
    /// The encoded rows that are needed next.
    pub prefetch: &'a [u8],
}

impl<Q: Quantized> Kernel for DecodeStrategy<'_, Q> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let one = lanes.splat(1.0);
        let mut prefetch = Prefetch::new(self.prefetch, self.form.decisions.len());
        for run in &self.form.runs {
            self.cumulative.distribute(
                lanes,
                self.form,
                run,
                &mut self.strategy[run.row..],
                &mut prefetch,
                #[inline(always)]
                |_| Some(one),
            );
        }
    }
}

/// The forward pass with the average strategy: extends reach probabilities from the roots to all sequences.
pub(crate) struct PropagateAverageReach<'a, Q> {
    pub form: &'a SequenceForm,
    pub strategy: CumulativeStrategy<'a, Q>,
    pub reach: &'a mut [Row],
    /// The encoded rows that are needed next.
    pub prefetch: &'a [u8],
}

impl<Q: Quantized> Kernel for PropagateAverageReach<'_, Q> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { form, strategy, reach, prefetch } = self;
        let mut prefetch = Prefetch::new(prefetch, form.decisions.len());
        for run in &form.runs {
            let (before, after) = reach.split_at_mut(form.roots + run.row);
            strategy.distribute(
                lanes,
                form,
                run,
                after,
                &mut prefetch,
                #[inline(always)]
                |decision| load_nonzero(lanes, &before[decision.sequence as usize]),
            );
        }
    }
}

/// Adds the current strategy to the average, of which `past_weight` remains, and extends the player's own reach probabilities to
/// all sequences: with the current strategy, and with the average before this update.
///
/// At an information set the average strategy is the mean of the strategies so far, weighted by their reach probabilities. The sum
/// of those weights is not stored: up to a constant it is the reach probability of the average strategy itself. Where no hand of
/// the block reaches a decision with the current strategy, the average there does not change.
pub(crate) struct UpdateAverage<'a, Q> {
    pub form: &'a SequenceForm,
    pub strategy: &'a [Row],
    pub past_weight: f32,
    pub rounding: RoundingSeed,
    pub cumulative: &'a mut [Q],
    pub reach: &'a mut [Row],
    pub average_reach: &'a mut [Row],
    /// The encoded rows that are needed next.
    pub prefetch: &'a [u8],
}

impl<Q: Quantized> Kernel for UpdateAverage<'_, Q> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { form, strategy, past_weight, rounding, cumulative, reach, average_reach, prefetch } = self;
        let mut offsets = rounding.offsets(lanes);
        let mut prefetch = Prefetch::new(prefetch, form.decisions.len());
        for run in &form.runs {
            let average = AverageRun {
                decisions: &form.decisions[run.decisions.clone()],
                strategy: &strategy[run.rows()],
                cumulative: &mut cumulative[run.cumulative_rows()],
                reach: reach.split_at_mut(form.roots + run.row),
                average_reach: average_reach.split_at_mut(form.roots + run.row),
            };
            by_actions!(run, L, Q, N => {
                average.update(lanes, N, past_weight, &mut offsets, &mut prefetch);
            } else {
                average.update(lanes, run.actions, past_weight, &mut offsets, &mut prefetch);
            });
        }
    }
}

/// The average strategy of a run of decisions. Reach probabilities are split into those of the sequences before the run and those
/// of the sequences from the run on.
struct AverageRun<'a, Q> {
    decisions: &'a [Decision],
    strategy: &'a [Row],
    cumulative: &'a mut [Q],
    reach: (&'a mut [Row], &'a mut [Row]),
    average_reach: (&'a mut [Row], &'a mut [Row]),
}

impl<Q: Quantized> AverageRun<'_, Q> {
    #[inline(always)]
    fn update<L: Lanes>(
        self,
        lanes: L,
        actions: usize,
        past_weight: f32,
        offsets: &mut RoundingOffsets<L>,
        prefetch: &mut Prefetch<'_>,
    ) {
        let (past, present) = (lanes.splat(past_weight), lanes.splat(1.0 - past_weight));
        let (zero, one) = (lanes.splat(0.0), lanes.splat(CumulativeStrategy::<Q>::ONE));
        let (step, last) = (lanes.splat(1.0 / CumulativeStrategy::<Q>::ONE), actions - 1);
        let (before, after) = self.reach;
        let (average_before, average_after) = self.average_reach;
        let reaches = after.chunks_exact_mut(actions).zip(average_after.chunks_exact_mut(actions));
        let rows = self.strategy.chunks_exact(actions).zip(reaches);
        for (i, (decision, (strategy, (reach, average_reach)))) in self.decisions.iter().zip(rows).enumerate()
        {
            prefetch.step(lanes);
            // Drawn for every decision, so that one has the same random number in all iterations.
            let offset = if Q::MAX_STEPS.is_some() { offsets.next() } else { zero };
            let Some(current_reach) = load_nonzero(lanes, &before[decision.sequence as usize]) else {
                set_zero(lanes, reach);
                continue;
            };
            let cumulative = &mut self.cumulative[i * last..][..last];
            let past_reach = lanes.load(&average_before[decision.sequence as usize]);
            // This iteration's share of the weights of all iterations so far.
            let weight = lanes.mul(current_reach, present);
            let total_weight = lanes.mul_add(past_reach, past, weight);
            let share = lanes.where_more(total_weight, zero, lanes.div(weight, total_weight), zero);
            let past_reach = lanes.mul(past_reach, step);
            let (mut current, mut previous) = (zero, zero);
            for a in 0..last {
                let probability = lanes.load(&strategy[a]);
                reach[a] = lanes.row(lanes.mul(current_reach, probability));
                current = lanes.mul_add(probability, one, current);
                let average = cumulative[a].decode(lanes);
                let average_probability = lanes.max(lanes.sub(average, previous), zero);
                average_reach[a] = lanes.row(lanes.mul(past_reach, average_probability));
                previous = average;
                let updated = lanes.mul_add(share, lanes.sub(current, average), average);
                cumulative[a] = Q::encode(lanes, lanes.add(updated, offset));
            }
            reach[last] = lanes.row(lanes.mul(current_reach, lanes.load(&strategy[last])));
            let average_probability = lanes.max(lanes.sub(one, previous), zero);
            average_reach[last] = lanes.row(lanes.mul(past_reach, average_probability));
        }
    }
}
