//! Regret matching: a decision's regrets become a strategy.

use super::{Ahead, by_actions, clear, some};
use crate::cells::{Cell, Scale, step_of};
use crate::simd::{Kernel, Lanes, Row};
use crate::tree::{Decision, Plan, Run};

/// Sums of weights that are not above this count as none: one over them may overflow. Those above 10³⁷ are out of range, too; regrets
/// that are integers never are as large, and floats would have to come from payoffs that are.
const NOTHING: f32 = 1e-37;

/// One block of a tile's regrets, and of the predicted ones where there are any: what a strategy is proportional to.
#[derive(Clone, Copy)]
pub(crate) struct Weights<'a, C> {
    pub cells: &'a [C],
    pub scales: &'a [Scale],
    pub hints: &'a [C],
    pub hint_scales: &'a [Scale],
    pub foresight: f32,
}

impl<C: Cell> Weights<'_, C> {
    /// The weights of an action at a decision; negative ones count as zero. The numbers of one decision share a scale, so without
    /// predictions it does not matter.
    #[inline(always)]
    fn of<L: Lanes>(&self, lanes: L, decision: usize, cell: &C, hint: Option<&C>) -> L::Numbers {
        let mut weights = cell.steps(lanes);
        if let Some(hint) = hint {
            let step = lanes.splat(step_at(self.scales, decision));
            let hint_step = lanes.splat(self.foresight * step_at(self.hint_scales, decision));
            weights = lanes.mul_add(weights, step, lanes.mul(hint.steps(lanes), hint_step));
        }
        lanes.max(weights, lanes.splat(0.0))
    }

    /// Shares out something at each decision of a run, in proportion to the weights; equally where all weights are zero. `whole` gives
    /// how much there is at a decision, or nothing where that is zero.
    #[inline(always)]
    fn split<L: Lanes>(
        &self,
        lanes: L,
        plan: &Plan,
        run: &Run,
        shares: &mut [Row],
        ahead: &mut Ahead<'_>,
        whole: impl Fn(&Decision) -> Option<L::Numbers>,
    ) {
        by_actions!(run, N => {
            if self.hints.is_empty() {
                self.split_few::<L, N, false>(lanes, plan, run, shares, ahead, whole);
            } else {
                self.split_few::<L, N, true>(lanes, plan, run, shares, ahead, whole);
            }
        } else {
            self.split_many(lanes, plan, run, shares, ahead, whole);
        });
    }

    /// With weights in registers.
    #[inline(always)]
    fn split_few<L: Lanes, const N: usize, const PREDICTS: bool>(
        &self,
        lanes: L,
        plan: &Plan,
        run: &Run,
        shares: &mut [Row],
        ahead: &mut Ahead<'_>,
        whole: impl Fn(&Decision) -> Option<L::Numbers>,
    ) {
        let decisions = run.decisions.clone().zip(&plan.decisions[run.decisions.clone()]);
        let hints = if PREDICTS { self.hints[run.rows()].as_chunks::<N>().0 } else { &[] };
        let (cells, shares) = (self.cells[run.rows()].as_chunks::<N>().0, shares.as_chunks_mut::<N>().0);
        for (i, ((d, decision), (cells, shares))) in decisions.zip(cells.iter().zip(shares)).enumerate() {
            ahead.step(lanes);
            let Some(whole) = whole(decision) else {
                clear(lanes, shares);
                continue;
            };
            let mut weights = [lanes.splat(0.0); N];
            for a in 0..N {
                let hint = if PREDICTS { Some(&hints[i][a]) } else { None };
                weights[a] = self.of(lanes, d, &cells[a], hint);
            }
            let portion = Portion::new(lanes, sum(lanes, weights), whole, N);
            for a in 0..N {
                shares[a] = lanes.row(portion.of(lanes, weights[a]));
            }
        }
    }

    /// With weights where the shares will be.
    #[inline(always)]
    fn split_many<L: Lanes>(
        &self,
        lanes: L,
        plan: &Plan,
        run: &Run,
        shares: &mut [Row],
        ahead: &mut Ahead<'_>,
        whole: impl Fn(&Decision) -> Option<L::Numbers>,
    ) {
        let decisions = run.decisions.clone().zip(&plan.decisions[run.decisions.clone()]);
        for ((d, decision), shares) in decisions.zip(shares.chunks_exact_mut(run.actions)) {
            ahead.step(lanes);
            let Some(whole) = whole(decision) else {
                clear(lanes, shares);
                continue;
            };
            let mut sum = lanes.splat(0.0);
            for (share, row) in shares.iter_mut().zip(decision.row as usize..) {
                let weight = self.of(lanes, d, &self.cells[row], self.hints.get(row));
                sum = lanes.add(sum, weight);
                *share = lanes.row(weight);
            }
            let portion = Portion::new(lanes, sum, whole, run.actions);
            for share in shares {
                *share = lanes.row(portion.of(lanes, lanes.load(share)));
            }
        }
    }
}

/// How weights, none of them negative, become shares: by a factor, or equal ones where all weights are zero.
#[derive(Clone, Copy)]
struct Portion<N> {
    factor: N,
    equal: N,
}

impl<N: Copy> Portion<N> {
    /// For so many shares of `whole`, if weights sum to `sum`.
    #[inline(always)]
    fn new<L: Lanes<Numbers = N>>(lanes: L, sum: N, whole: N, count: usize) -> Self {
        let (zero, nothing) = (lanes.splat(0.0), lanes.splat(NOTHING));
        let equal = lanes.mul(whole, lanes.splat(1.0 / count as f32));
        Self {
            factor: lanes.where_more(sum, nothing, lanes.mul(whole, lanes.reciprocal(sum)), zero),
            equal: lanes.where_more(sum, nothing, zero, equal),
        }
    }

    #[inline(always)]
    fn of<L: Lanes<Numbers = N>>(self, lanes: L, weight: N) -> N {
        lanes.mul_add(weight, self.factor, self.equal)
    }
}

/// The sum of some numbers, first to last.
#[inline(always)]
fn sum<L: Lanes, const N: usize>(lanes: L, numbers: [L::Numbers; N]) -> L::Numbers {
    let mut sum = numbers[0];
    for number in &numbers[1..] {
        sum = lanes.add(sum, *number);
    }
    sum
}

/// The step of a decision's numbers; floats have steps of one.
#[inline(always)]
fn step_at(scales: &[Scale], decision: usize) -> f32 {
    scales.get(decision).map_or(1.0, |&scale| step_of(scale))
}

/// Each decision's weights, divided by their sum; uniform where the sum is zero.
pub(crate) struct Normalize<'a, C> {
    pub plan: &'a Plan,
    pub weights: Weights<'a, C>,
    pub strategy: &'a mut [Row],
    /// The cells that will be needed next.
    pub ahead: &'a [u8],
}

impl<C: Cell> Kernel for Normalize<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let one = lanes.splat(1.0);
        let mut ahead = Ahead::new(self.ahead, self.plan.decisions.len());
        for run in &self.plan.runs {
            self.weights.split(
                lanes,
                self.plan,
                run,
                &mut self.strategy[run.row..],
                &mut ahead,
                #[inline(always)]
                |_| Some(one),
            );
        }
    }
}

/// How likely a player takes each of its sequences: extends the reaches of the roots to all slots, by the strategy that
/// `weights` stand for. Where no hand of the row arrives, the weights are not even looked at.
pub(crate) struct Realize<'a, C> {
    pub plan: &'a Plan,
    pub weights: Weights<'a, C>,
    pub reach: &'a mut [Row],
    /// The cells that will be needed next.
    pub ahead: &'a [u8],
}

impl<C: Cell> Kernel for Realize<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { plan, weights, reach, ahead } = self;
        let mut ahead = Ahead::new(ahead, plan.decisions.len());
        for run in &plan.runs {
            let (before, after) = reach.split_at_mut(plan.roots + run.row);
            weights.split(
                lanes,
                plan,
                run,
                after,
                &mut ahead,
                #[inline(always)]
                |decision| some(lanes, &before[decision.slot as usize]),
            );
        }
    }
}
