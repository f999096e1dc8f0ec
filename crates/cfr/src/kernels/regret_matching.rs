//! Regret matching: the current strategy of an information set is proportional to its positive cumulative regrets, and uniform
//! where none is positive (Hart and Mas-Colell, *A simple adaptive procedure leading to correlated equilibrium*, Econometrica
//! 2000; at every information set of a game: Zinkevich, Johanson, Bowling and Piccione, *Regret minimization in games with
//! incomplete information*, NIPS 2007).
//!
//! Predictive algorithms add a prediction of the next instantaneous regret before matching (Farina, Kroer and Sandholm, *Faster
//! game solving via predictive Blackwell approachability*, AAAI 2021).

use super::common::{Prefetch, by_actions, load_nonzero, set_zero};
use crate::quantize::{Quantized, Scale, step_of};
use crate::simd::{Kernel, Lanes, Row};
use crate::tree::{Decision, Run, SequenceForm};

/// Sums of weights up to this count as zero, because their reciprocal may overflow. Sums above 10³⁷ would be out of range, too:
/// quantised regrets are never that large, and regrets in floats only if payoffs are.
const MIN_SUM: f32 = 1e-37;

/// The cumulative regrets of a block, and the predictions of a schedule that predicts: the weights that the current strategy is
/// proportional to.
#[derive(Clone, Copy)]
pub(crate) struct ActionWeights<'a, Q> {
    pub regrets: &'a [Q],
    pub scales: &'a [Scale],
    pub predictions: &'a [Q],
    pub prediction_scales: &'a [Scale],
    pub prediction_weight: f32,
}

impl<Q: Quantized> ActionWeights<'_, Q> {
    /// The weight of one action at a decision: its regret and prediction, floored at zero. The regrets of one decision share a
    /// scale, which cancels when the strategy is normalised, so it is applied only if predictions are added.
    #[inline(always)]
    fn weight<L: Lanes>(&self, lanes: L, decision: usize, regret: &Q, prediction: Option<&Q>) -> L::Numbers {
        let mut weight = regret.decode(lanes);
        if let Some(prediction) = prediction {
            let step = lanes.splat(step_at(self.scales, decision));
            let prediction_step =
                lanes.splat(self.prediction_weight * step_at(self.prediction_scales, decision));
            weight = lanes.mul_add(weight, step, lanes.mul(prediction.decode(lanes), prediction_step));
        }
        lanes.max(weight, lanes.splat(0.0))
    }

    /// Distributes a total over the actions of each decision of a run, in proportion to their weights: reach probabilities, or
    /// one to get the strategy itself. `total` is `None` where it is zero for all hands; the weights are not read there.
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
        if !self.predictions.is_empty() {
            return self.distribute_many(lanes, form, run, out, prefetch, total);
        }
        by_actions!(run, L, Q, N => {
            self.distribute_few::<L, N>(lanes, form, run, out, prefetch, total);
        } else {
            self.distribute_many(lanes, form, run, out, prefetch, total);
        });
    }

    /// For decisions with `N` actions and no predictions. Weights are kept in registers.
    #[inline(always)]
    fn distribute_few<L: Lanes, const N: usize>(
        &self,
        lanes: L,
        form: &SequenceForm,
        run: &Run,
        out: &mut [Row],
        prefetch: &mut Prefetch<'_>,
        total: impl Fn(&Decision) -> Option<L::Numbers>,
    ) {
        let decisions = run.decisions.clone().zip(&form.decisions[run.decisions.clone()]);
        let (regrets, out) = (self.regrets[run.rows()].as_chunks::<N>().0, out.as_chunks_mut::<N>().0);
        for ((d, decision), (regrets, out)) in decisions.zip(regrets.iter().zip(out)) {
            prefetch.step(lanes);
            let Some(total) = total(decision) else {
                set_zero(lanes, out);
                continue;
            };
            let mut weights = [lanes.splat(0.0); N];
            for a in 0..N {
                weights[a] = self.weight(lanes, d, &regrets[a], None);
            }
            let normalization = Normalization::new(lanes, sum(lanes, weights), total, N);
            for a in 0..N {
                out[a] = lanes.row(normalization.apply(lanes, weights[a]));
            }
        }
    }

    /// For decisions with any number of actions, whose weights are kept in `out` meanwhile.
    #[inline(always)]
    fn distribute_many<L: Lanes>(
        &self,
        lanes: L,
        form: &SequenceForm,
        run: &Run,
        out: &mut [Row],
        prefetch: &mut Prefetch<'_>,
        total: impl Fn(&Decision) -> Option<L::Numbers>,
    ) {
        let decisions = run.decisions.clone().zip(&form.decisions[run.decisions.clone()]);
        for ((d, decision), out) in decisions.zip(out.chunks_exact_mut(run.actions)) {
            prefetch.step(lanes);
            let Some(total) = total(decision) else {
                set_zero(lanes, out);
                continue;
            };
            let mut sum = lanes.splat(0.0);
            for (out, row) in out.iter_mut().zip(decision.row as usize..) {
                let weight = self.weight(lanes, d, &self.regrets[row], self.predictions.get(row));
                sum = lanes.add(sum, weight);
                *out = lanes.row(weight);
            }
            let normalization = Normalization::new(lanes, sum, total, run.actions);
            for out in out {
                *out = lanes.row(normalization.apply(lanes, lanes.load(out)));
            }
        }
    }
}

/// How non-negative weights are normalised to sum to a total: multiplied by a factor, or replaced by equal parts where all of
/// them are zero.
#[derive(Clone, Copy)]
struct Normalization<N> {
    factor: N,
    /// Zero where the weights are not all zero.
    uniform: N,
}

impl<N: Copy> Normalization<N> {
    /// For `actions` weights with this sum.
    #[inline(always)]
    fn new<L: Lanes<Numbers = N>>(lanes: L, sum: N, total: N, actions: usize) -> Self {
        let (zero, min_sum) = (lanes.splat(0.0), lanes.splat(MIN_SUM));
        let uniform = lanes.mul(total, lanes.splat(1.0 / actions as f32));
        Self {
            factor: lanes.where_more(sum, min_sum, lanes.mul(total, lanes.reciprocal(sum)), zero),
            uniform: lanes.where_more(sum, min_sum, zero, uniform),
        }
    }

    #[inline(always)]
    fn apply<L: Lanes<Numbers = N>>(self, lanes: L, weight: N) -> N {
        lanes.mul_add(weight, self.factor, self.uniform)
    }
}

/// The sum of the weights, first to last: a fixed order, so that it has the same bits everywhere.
#[inline(always)]
fn sum<L: Lanes, const N: usize>(lanes: L, weights: [L::Numbers; N]) -> L::Numbers {
    let mut sum = weights[0];
    for weight in &weights[1..] {
        sum = lanes.add(sum, *weight);
    }
    sum
}

/// The quantisation step of a decision; one for floats, which have no scales.
#[inline(always)]
fn step_at(scales: &[Scale], decision: usize) -> f32 {
    scales.get(decision).map_or(1.0, |&scale| step_of(scale))
}

/// The current strategy of a block, by regret matching.
pub(crate) struct MatchRegrets<'a, Q> {
    pub form: &'a SequenceForm,
    pub weights: ActionWeights<'a, Q>,
    /// Out: a row for each action.
    pub strategy: &'a mut [Row],
    /// The encoded rows that are needed next.
    pub prefetch: &'a [u8],
}

impl<Q: Quantized> Kernel for MatchRegrets<'_, Q> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let one = lanes.splat(1.0);
        let mut prefetch = Prefetch::new(self.prefetch, self.form.decisions.len());
        for run in &self.form.runs {
            self.weights.distribute(
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

/// The forward pass: extends a player's reach probabilities from the roots to all of its sequences, by regret matching. Regrets
/// are not read where no hand of the block reaches the decision.
pub(crate) struct PropagateReach<'a, Q> {
    pub form: &'a SequenceForm,
    pub weights: ActionWeights<'a, Q>,
    pub reach: &'a mut [Row],
    /// The encoded rows that are needed next.
    pub prefetch: &'a [u8],
}

impl<Q: Quantized> Kernel for PropagateReach<'_, Q> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { form, weights, reach, prefetch } = self;
        let mut prefetch = Prefetch::new(prefetch, form.decisions.len());
        for run in &form.runs {
            let (before, after) = reach.split_at_mut(form.roots + run.row);
            weights.distribute(
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
