//! Average strategies: what they are, and how they take in what was just played.

use super::{Ahead, by_actions, clear, some};
use crate::cells::{Cell, Draws, Noise};
use crate::simd::{Kernel, Lanes, Row};
use crate::tree::{Decision, Plan, Run};

/// One block of a tile's average strategy. For each decision and hand it holds how often one of the first *k* actions is taken,
/// for every *k* but the last, in steps of one over [`Cell::TOP`]: running sums, which rounded by the same random number stay in
/// order, so that shares are never negative and always add up to one.
#[derive(Clone, Copy)]
pub(crate) struct Shares<'a, C> {
    pub cells: &'a [C],
}

impl<C: Cell> Shares<'_, C> {
    /// What a whole is.
    pub const TOP: f32 = match C::TOP {
        Some(top) => top,
        None => 1.0,
    };

    /// Shares out something at each decision of a run. `whole` gives how much there is at a decision, or nothing where that is zero.
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
        let part = Self { cells: &self.cells[run.shares()] };
        let decisions = &plan.decisions[run.decisions.clone()];
        by_actions!(run, N => {
            part.split_by(lanes, N, decisions, shares, ahead, whole);
        } else {
            part.split_by(lanes, run.actions, decisions, shares, ahead, whole);
        });
    }

    /// As [`Shares::split`], where these are the cells of decisions with so many actions, best a constant.
    #[inline(always)]
    fn split_by<L: Lanes>(
        &self,
        lanes: L,
        actions: usize,
        decisions: &[Decision],
        shares: &mut [Row],
        ahead: &mut Ahead<'_>,
        whole: impl Fn(&Decision) -> Option<L::Numbers>,
    ) {
        let (zero, step) = (lanes.splat(0.0), lanes.splat(1.0 / Self::TOP));
        for (i, (decision, shares)) in decisions.iter().zip(shares.chunks_exact_mut(actions)).enumerate() {
            ahead.step(lanes);
            let Some(whole) = whole(decision) else {
                clear(lanes, shares);
                continue;
            };
            let whole = lanes.mul(whole, step);
            let [rest @ .., last] = shares else { continue };
            let mut before = zero;
            for (cell, share) in self.cells[i * rest.len()..].iter().zip(rest) {
                let sum = cell.steps(lanes);
                *share = lanes.row(lanes.mul(whole, lanes.max(lanes.sub(sum, before), zero)));
                before = sum;
            }
            let left = lanes.max(lanes.sub(lanes.splat(Self::TOP), before), zero);
            *last = lanes.row(lanes.mul(whole, left));
        }
    }
}

/// An average strategy, spelled out.
pub(crate) struct SpellOut<'a, C> {
    pub plan: &'a Plan,
    pub shares: Shares<'a, C>,
    pub strategy: &'a mut [Row],
    /// The cells that will be needed next.
    pub ahead: &'a [u8],
}

impl<C: Cell> Kernel for SpellOut<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let one = lanes.splat(1.0);
        let mut ahead = Ahead::new(self.ahead, self.plan.decisions.len());
        for run in &self.plan.runs {
            self.shares.split(
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

/// As [`Realize`](super::Realize), by an average strategy.
pub(crate) struct RealizeAverage<'a, C> {
    pub plan: &'a Plan,
    pub shares: Shares<'a, C>,
    pub reach: &'a mut [Row],
    /// The cells that will be needed next.
    pub ahead: &'a [u8],
}

impl<C: Cell> Kernel for RealizeAverage<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { plan, shares, reach, ahead } = self;
        let mut ahead = Ahead::new(ahead, plan.decisions.len());
        for run in &plan.runs {
            let (before, after) = reach.split_at_mut(plan.roots + run.row);
            shares.split(
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

/// Mixes what a player just played into its average, of which `past_share` remains, and finds out how likely it takes each of its
/// sequences, in what it just played and in the average so far.
///
/// An average strategy is the mean of the played ones, weighed by how likely each got there. How likely all of them together did is
/// the product of the average's own shares on the way. Where no hand of a row gets there now, nothing changes.
pub(crate) struct Accumulate<'a, C> {
    pub plan: &'a Plan,
    pub strategy: &'a [Row],
    pub past_share: f32,
    pub noise: Noise,
    pub cells: &'a mut [C],
    pub reach: &'a mut [Row],
    pub average_reach: &'a mut [Row],
    /// The cells that will be needed next.
    pub ahead: &'a [u8],
}

impl<C: Cell> Kernel for Accumulate<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { plan, strategy, past_share, noise, cells, reach, average_reach, ahead } = self;
        let mut draws = noise.draws(lanes);
        let mut ahead = Ahead::new(ahead, plan.decisions.len());
        for run in &plan.runs {
            let mixing = Mixing {
                decisions: &plan.decisions[run.decisions.clone()],
                strategy: &strategy[run.rows()],
                cells: &mut cells[run.shares()],
                reach: reach.split_at_mut(plan.roots + run.row),
                average_reach: average_reach.split_at_mut(plan.roots + run.row),
            };
            by_actions!(run, N => {
                mixing.mix(lanes, N, past_share, &mut draws, &mut ahead);
            } else {
                mixing.mix(lanes, run.actions, past_share, &mut draws, &mut ahead);
            });
        }
    }
}

/// A run of decisions whose average takes something in. Reaches are those up to the run and from there on.
struct Mixing<'a, C> {
    decisions: &'a [Decision],
    strategy: &'a [Row],
    cells: &'a mut [C],
    reach: (&'a mut [Row], &'a mut [Row]),
    average_reach: (&'a mut [Row], &'a mut [Row]),
}

impl<C: Cell> Mixing<'_, C> {
    #[inline(always)]
    fn mix<L: Lanes>(
        self,
        lanes: L,
        actions: usize,
        past_share: f32,
        draws: &mut Draws<L>,
        ahead: &mut Ahead<'_>,
    ) {
        let (past, present) = (lanes.splat(past_share), lanes.splat(1.0 - past_share));
        let (zero, top) = (lanes.splat(0.0), lanes.splat(Shares::<C>::TOP));
        let (step, last) = (lanes.splat(1.0 / Shares::<C>::TOP), actions - 1);
        let (before, after) = self.reach;
        let (average_before, average_after) = self.average_reach;
        let reaches = after.chunks_exact_mut(actions).zip(average_after.chunks_exact_mut(actions));
        let rows = self.strategy.chunks_exact(actions).zip(reaches);
        for (i, (decision, (strategy, (reach, average_reach)))) in self.decisions.iter().zip(rows).enumerate()
        {
            ahead.step(lanes);
            let Some(here) = some(lanes, &before[decision.slot as usize]) else {
                clear(lanes, reach);
                continue;
            };
            let cells = &mut self.cells[i * last..][..last];
            let so_far = lanes.load(&average_before[decision.slot as usize]);
            let now = lanes.mul(here, present);
            let ever = lanes.mul_add(so_far, past, now);
            let gain = lanes.where_more(ever, zero, lanes.div(now, ever), zero);
            let so_far = lanes.mul(so_far, step);
            let noise = if C::TOP.is_some() { draws.next() } else { zero };
            let (mut played, mut sum_before) = (zero, zero);
            for a in 0..last {
                let share = lanes.load(&strategy[a]);
                reach[a] = lanes.row(lanes.mul(here, share));
                played = lanes.mul_add(share, top, played);
                let sum = cells[a].steps(lanes);
                let old_share = lanes.max(lanes.sub(sum, sum_before), zero);
                average_reach[a] = lanes.row(lanes.mul(so_far, old_share));
                sum_before = sum;
                let mixed = lanes.mul_add(gain, lanes.sub(played, sum), sum);
                cells[a] = C::nearest(lanes, lanes.add(mixed, noise));
            }
            reach[last] = lanes.row(lanes.mul(here, lanes.load(&strategy[last])));
            let old_share = lanes.max(lanes.sub(top, sum_before), zero);
            average_reach[last] = lanes.row(lanes.mul(so_far, old_share));
        }
    }
}
