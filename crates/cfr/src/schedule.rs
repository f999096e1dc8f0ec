//! The family of regret minimisers: how the past is discounted, floored and used to predict.

use std::fmt::Debug;

/// What an iteration does to what was accumulated before it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Discounts {
    /// Factor on positive regrets.
    pub positive: f32,
    /// Factor on negative regrets.
    pub negative: f32,
    /// Factor on the strategy sum.
    pub average: f32,
}

/// A regret minimiser.
pub trait Schedule: Debug + Send + Sync {
    /// The discounts that iteration `t`, counted from 1, applies before it adds its own part.
    fn discounts(&self, t: u32) -> Discounts;

    /// Whether regrets are kept when they are negative; otherwise they are floored at zero.
    fn keeps_negative(&self) -> bool {
        false
    }

    /// How much of the last regret is expected again: the next strategy is played as if that had happened already.
    fn foresight(&self) -> f32 {
        0.0
    }
}

/// `tᵉ/(tᵉ+1)` for the iteration before `t`, written so that it has a value for every exponent.
fn decay(t: u32, exponent: f64) -> f32 {
    (1.0 / (1.0 + (f64::from(t) - 1.0).powf(-exponent))) as f32
}

/// The factor that makes iteration `t` of an average count as `tᵞ`.
fn fade(t: u32, gamma: f64) -> f32 {
    ((f64::from(t) - 1.0) / f64::from(t)).powf(gamma) as f32
}

/// An exponent that goes evenly from one number to another over the first iterations, and stays there.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ramp {
    /// Where it starts.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
    /// The iteration in which it gets there.
    pub over: u32,
}

impl Ramp {
    fn at(self, t: u32) -> f64 {
        if t >= self.over {
            return self.to;
        }
        self.from + (self.to - self.from) * (f64::from(t) / f64::from(self.over))
    }
}

impl From<f64> for Ramp {
    fn from(exponent: f64) -> Self {
        Self { from: exponent, to: exponent, over: 0 }
    }
}

/// Discounted CFR: regrets fade by tᵅ/(tᵅ+1) and tᵝ/(tᵝ+1), and iteration t counts as tᵞ in the average.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Dcfr {
    /// Exponent for positive regrets.
    pub alpha: Ramp,
    /// Exponent for negative regrets.
    pub beta: Ramp,
    /// Exponent for the average strategy.
    pub gamma: f64,
    /// Whether the average starts again after iterations 1, 4, 16, 64…
    pub restarts: bool,
}

impl Default for Dcfr {
    fn default() -> Self {
        // Measured on turn, river and flop spots. What is learned against an opponent who knows nothing yet is soon forgotten; later,
        // a low β can lose ground for a while when a line that was given up comes back.
        Self {
            alpha: Ramp { from: 1.2, to: 1.4, over: 60 },
            beta: Ramp { from: -1.0, to: 0.4, over: 60 },
            gamma: 4.5,
            restarts: false,
        }
    }
}

impl Schedule for Dcfr {
    fn discounts(&self, t: u32) -> Discounts {
        let counted = if self.restarts { t - last_power_of_four(t - 1) } else { t };
        Discounts {
            positive: decay(t, self.alpha.at(t)),
            negative: decay(t, self.beta.at(t)),
            average: fade(counted, self.gamma),
        }
    }

    fn keeps_negative(&self) -> bool {
        true
    }
}

/// The largest power of four that is not above a number; 0 for 0.
fn last_power_of_four(number: u32) -> u32 {
    number.checked_ilog(4).map_or(0, |power| 4u32.pow(power))
}

/// Linear CFR: iteration t counts as t, in regrets and average.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Lcfr;

impl Schedule for Lcfr {
    fn discounts(&self, t: u32) -> Discounts {
        Discounts { positive: decay(t, 1.0), negative: decay(t, 1.0), average: fade(t, 1.0) }
    }

    fn keeps_negative(&self) -> bool {
        true
    }
}

/// CFR+: regrets are floored at zero and never fade; iteration t counts as t in the average.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct CfrPlus;

impl Schedule for CfrPlus {
    fn discounts(&self, t: u32) -> Discounts {
        Discounts { positive: 1.0, negative: 0.0, average: fade(t, 1.0) }
    }
}

/// DCFR+: discounted like DCFR and floored like CFR+.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DcfrPlus {
    /// Exponent for the regrets.
    pub alpha: f64,
    /// Exponent for the average strategy.
    pub gamma: f64,
}

impl Default for DcfrPlus {
    fn default() -> Self {
        Self { alpha: 1.5, gamma: 4.0 }
    }
}

impl Schedule for DcfrPlus {
    fn discounts(&self, t: u32) -> Discounts {
        Discounts { positive: decay(t, self.alpha), negative: 0.0, average: fade(t, self.gamma) }
    }
}

/// Predictive CFR+: CFR+ that expects the last regret to come again.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PcfrPlus {
    /// Exponent for the average strategy.
    pub gamma: f64,
}

impl Default for PcfrPlus {
    fn default() -> Self {
        Self { gamma: 2.0 }
    }
}

impl Schedule for PcfrPlus {
    fn discounts(&self, t: u32) -> Discounts {
        Discounts { positive: 1.0, negative: 0.0, average: fade(t, self.gamma) }
    }

    fn foresight(&self) -> f32 {
        1.0
    }
}

/// Predictive DCFR+: DCFR+ that expects the last regret to come again.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PdcfrPlus {
    /// Exponent for the regrets.
    pub alpha: f64,
    /// Exponent for the average strategy.
    pub gamma: f64,
}

impl Default for PdcfrPlus {
    fn default() -> Self {
        Self { alpha: 2.3, gamma: 5.0 }
    }
}

impl Schedule for PdcfrPlus {
    fn discounts(&self, t: u32) -> Discounts {
        Discounts { positive: decay(t, self.alpha), negative: 0.0, average: fade(t, self.gamma) }
    }

    fn foresight(&self) -> f32 {
        1.0
    }
}

/// Simple asymmetric predictive CFR+: predictive CFR+ that trusts its prediction less than what has happened.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SapcfrPlus {
    /// How much less: the prediction counts as 1/(1+asymmetry).
    pub asymmetry: f32,
    /// Exponent for the average strategy.
    pub gamma: f64,
}

impl Default for SapcfrPlus {
    fn default() -> Self {
        Self { asymmetry: 2.0, gamma: 2.0 }
    }
}

impl Schedule for SapcfrPlus {
    fn discounts(&self, t: u32) -> Discounts {
        Discounts { positive: 1.0, negative: 0.0, average: fade(t, self.gamma) }
    }

    fn foresight(&self) -> f32 {
        1.0 / (1.0 + self.asymmetry)
    }
}

/// DCFR with exponents that change on a schedule: α from 1 to 4, β from −1 to −3, γ from 30 to 25 over a number of
/// iterations.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HsDcfr {
    /// The iteration at which the exponents have arrived.
    pub horizon: u32,
}

impl Default for HsDcfr {
    fn default() -> Self {
        Self { horizon: 1000 }
    }
}

impl Schedule for HsDcfr {
    fn discounts(&self, t: u32) -> Discounts {
        let exponent = |from, to| Ramp { from, to, over: self.horizon }.at(t);
        Discounts {
            positive: decay(t, exponent(1.0, 4.0)),
            negative: decay(t, exponent(-1.0, -3.0)),
            average: fade(t, exponent(30.0, 25.0)),
        }
    }

    fn keeps_negative(&self) -> bool {
        true
    }
}

/// Another schedule whose average starts after some iterations.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WarmUp<S> {
    /// The schedule.
    pub schedule: S,
    /// How many iterations are left out of the average.
    pub iterations: u32,
}

impl<S: Schedule> Schedule for WarmUp<S> {
    fn discounts(&self, t: u32) -> Discounts {
        let counted = t.saturating_sub(self.iterations).max(1);
        let average = self.schedule.discounts(counted).average;
        Discounts { average, ..self.schedule.discounts(t) }
    }

    fn keeps_negative(&self) -> bool {
        self.schedule.keeps_negative()
    }

    fn foresight(&self) -> f32 {
        self.schedule.foresight()
    }
}

impl<S: Schedule + ?Sized> Schedule for Box<S> {
    fn discounts(&self, t: u32) -> Discounts {
        (**self).discounts(t)
    }

    fn keeps_negative(&self) -> bool {
        (**self).keeps_negative()
    }

    fn foresight(&self) -> f32 {
        (**self).foresight()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discounts_follow_the_formula() {
        let dcfr = Dcfr { alpha: 1.5.into(), beta: 0.0.into(), gamma: 2.0, restarts: false };
        assert_eq!(dcfr.discounts(1), Discounts { positive: 0.0, negative: 0.5, average: 0.0 });
        let third = dcfr.discounts(3);
        assert!((third.positive - 0.738_796).abs() < 1e-5);
        assert_eq!(third.negative, 0.5);
        assert!((third.average - 4.0 / 9.0).abs() < 1e-6);
        assert_eq!(Dcfr { beta: Ramp::from(-1.0), ..dcfr }.discounts(1).negative, 1.0);
    }

    #[test]
    fn exponents_move_evenly_and_stay_where_they_get_to() {
        let ramp = Ramp { from: -1.0, to: 3.0, over: 8 };
        assert_eq!([0, 1, 4, 8, 9, u32::MAX].map(|t| ramp.at(t)), [-1.0, -0.5, 1.0, 3.0, 3.0, 3.0]);
        assert_eq!([0, 1, 2].map(|t| Ramp::from(1.5).at(t)), [1.5; 3]);
        assert_eq!([0, 1, 2].map(|t| Ramp::from(f64::NEG_INFINITY).at(t)), [f64::NEG_INFINITY; 3]);
        assert_eq!(Dcfr::default().beta.at(60), 0.4);
        // The default forgets more in its first iterations than it does at the end.
        let (dcfr, last) = (Dcfr::default(), Dcfr::default().alpha.to);
        assert!(dcfr.discounts(10).positive < decay(10, last));
        assert_eq!(dcfr.discounts(200).positive, decay(200, last));
    }

    #[test]
    fn restarts_forget_the_average_after_powers_of_four() {
        let dcfr = Dcfr { restarts: true, ..Dcfr::default() };
        let forgets: Vec<u32> = (1..100).filter(|&t| dcfr.discounts(t).average == 0.0).collect();
        assert_eq!(forgets, [1, 2, 5, 17, 65]);
    }

    #[test]
    fn a_warm_up_is_left_out_of_the_average() {
        let warm = WarmUp { schedule: Lcfr, iterations: 10 };
        let forgets: Vec<u32> = (1..30).filter(|&t| warm.discounts(t).average == 0.0).collect();
        assert_eq!(forgets, (1..=11).collect::<Vec<_>>());
        assert_eq!(warm.discounts(12).average, 0.5);
        assert_eq!(warm.discounts(12).positive, Lcfr.discounts(12).positive);
    }

    #[test]
    fn linear_weights_are_linear() {
        // What iteration 1 added has faded to 1/t by iteration t.
        let faded: f64 = (2..=50).map(|t| f64::from(Lcfr.discounts(t).positive)).product();
        assert!((faded - 1.0 / 50.0).abs() < 1e-6, "{faded}");
    }
}
