//! The CFR variants: how cumulative regrets and average strategies are discounted, floored and used for predictions.
//!
//! All of them do regret matching on discounted cumulative regrets with alternating updates, so each is a [`Schedule`]: three factors
//! per iteration, whether negative regrets are kept, and the weight of the prediction.
//!
//! | schedule | paper |
//! |---|---|
//! | [`CfrPlus`] | Tammelin, *Solving large imperfect information games using CFR+*, arXiv:1407.5042, 2014; Tammelin, Burch, Johanson and Bowling, *Solving heads-up limit Texas hold'em*, IJCAI 2015 |
//! | [`Lcfr`], [`LcfrPlus`], [`Dcfr`] | Brown and Sandholm, *Solving imperfect-information games via discounted regret minimization*, AAAI 2019 |
//! | [`PcfrPlus`] | Farina, Kroer and Sandholm, *Faster game solving via predictive Blackwell approachability*, AAAI 2021 |
//! | [`DcfrPlus`], [`PdcfrPlus`] | Xu, Li, Liu, Fu, Fu, Xing and Cheng, *Minimizing weighted counterfactual regret with optimistic online mirror descent*, IJCAI 2024 |
//! | [`HsDcfr`] | Zhang, McAleer and Sandholm, *Faster game solving via hyperparameter schedules*, arXiv:2404.09097, 2024 |
//! | [`SapcfrPlus`] | Meng, Yang, Zhang, Ge and Gao, *Faster game solving via asymmetry of step sizes*, AAAI 2026, arXiv:2503.12770, 2025 |

use std::fmt::Debug;

/// The factors that an iteration applies to cumulative regrets and to the sum of strategies before it adds its own.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Discounts {
    /// The factor on positive cumulative regrets.
    pub positive: f32,
    /// The factor on negative cumulative regrets.
    pub negative: f32,
    /// The factor on the cumulative strategy, of which the average strategy is the normalised form.
    pub average: f32,
}

/// A CFR variant, by what it does in each iteration. See `examples/own_schedule.rs` for one of your own.
pub trait Schedule: Debug + Send + Sync {
    /// The discounts that iteration `t`, counted from 1, applies before it adds its instantaneous regrets and its strategy.
    fn discounts(&self, t: u32) -> Discounts;

    /// Whether negative cumulative regrets are kept; otherwise they are floored at zero (regret matching+).
    fn keeps_negative(&self) -> bool {
        false
    }

    /// The weight of the prediction: regret matching adds this share of the last instantaneous regret to the cumulative one.
    fn prediction_weight(&self) -> f32 {
        0.0
    }
}

/// The discount of regrets in DCFR, `sᵉ/(sᵉ+1)` with `s = t - 1`, written so that it is defined for every exponent.
fn regret_discount(t: u32, exponent: f64) -> f32 {
    (1.0 / (1.0 + (f64::from(t) - 1.0).powf(-exponent))) as f32
}

/// The discount of the cumulative strategy with which iteration `t` has weight `tᵞ`.
fn average_discount(t: u32, gamma: f64) -> f32 {
    ((f64::from(t) - 1.0) / f64::from(t)).powf(gamma) as f32
}

/// An exponent that changes linearly over the first iterations and then stays constant.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ramp {
    /// The value at iteration 0.
    pub from: f64,
    /// The value from iteration `over` on.
    pub to: f64,
    /// The iteration at which it becomes constant.
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

/// Discounted CFR (Brown and Sandholm 2019): positive regrets are multiplied by tᵅ/(tᵅ+1) and negative ones by tᵝ/(tᵝ+1), and
/// iteration t has weight tᵞ in the average strategy.
///
/// The paper has α = 1.5, β = 0 and γ = 2. The defaults here were measured on hold'em spots, and α and β change over the first
/// iterations, which is the idea of [`HsDcfr`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Dcfr {
    /// The exponent of the discount of positive regrets.
    pub alpha: Ramp,
    /// The exponent of the discount of negative regrets.
    pub beta: Ramp,
    /// The exponent of the weights of iterations in the average strategy.
    pub gamma: f64,
    /// Whether the average strategy is restarted after iterations 1, 4, 16, 64…
    pub restarts: bool,
}

impl Default for Dcfr {
    fn default() -> Self {
        // Measured on turn, river and flop spots. Regrets against the opponent's first, poor strategies are discounted quickly. Later
        // a low β can raise exploitability for a while, when an action with negative regret is played again.
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
        Discounts {
            positive: regret_discount(t, self.alpha.at(t)),
            negative: regret_discount(t, self.beta.at(t)),
            average: average_discount(averaged_iteration(t, self.restarts), self.gamma),
        }
    }

    fn keeps_negative(&self) -> bool {
        true
    }
}

/// The iteration counted from the last restart of the average, which is after iterations 1, 4, 16, 64…, if there are any.
fn averaged_iteration(t: u32, restarts: bool) -> u32 {
    if restarts { t - last_power_of_four(t - 1) } else { t }
}

/// The largest power of four that is at most a number; 0 for 0.
fn last_power_of_four(number: u32) -> u32 {
    number.checked_ilog(4).map_or(0, |power| 4u32.pow(power))
}

/// Linear CFR (Brown and Sandholm 2019): iteration t has weight t in the regrets and in the average strategy.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Lcfr;

impl Schedule for Lcfr {
    fn discounts(&self, t: u32) -> Discounts {
        Discounts {
            positive: regret_discount(t, 1.0),
            negative: regret_discount(t, 1.0),
            average: average_discount(t, 1.0),
        }
    }

    fn keeps_negative(&self) -> bool {
        true
    }
}

/// Linear CFR+ (Brown and Sandholm 2019): iteration t has weight t in the regrets, which are
/// floored at zero, and in the average strategy.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct LcfrPlus;

impl Schedule for LcfrPlus {
    fn discounts(&self, t: u32) -> Discounts {
        Discounts { positive: regret_discount(t, 1.0), negative: 0.0, average: average_discount(t, 1.0) }
    }
}

/// CFR+ (Tammelin 2014): cumulative regrets are floored at zero and not discounted; iteration t has weight t in the average strategy.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct CfrPlus;

impl Schedule for CfrPlus {
    fn discounts(&self, t: u32) -> Discounts {
        Discounts { positive: 1.0, negative: 0.0, average: average_discount(t, 1.0) }
    }
}

/// DCFR+ (Xu et al. 2024): regrets are discounted as in DCFR and floored as in CFR+.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DcfrPlus {
    /// The exponent of the discount of regrets.
    pub alpha: f64,
    /// The exponent of the weights of iterations in the average strategy.
    pub gamma: f64,
    /// Whether the average strategy is restarted after iterations 1, 4, 16, 64…
    pub restarts: bool,
}

impl Default for DcfrPlus {
    fn default() -> Self {
        Self { alpha: 1.5, gamma: 4.0, restarts: false }
    }
}

impl Schedule for DcfrPlus {
    fn discounts(&self, t: u32) -> Discounts {
        Discounts {
            positive: regret_discount(t, self.alpha),
            negative: 0.0,
            average: average_discount(averaged_iteration(t, self.restarts), self.gamma),
        }
    }
}

/// Predictive CFR+ (Farina, Kroer and Sandholm 2021): CFR+ that predicts the last instantaneous regret again.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PcfrPlus {
    /// The exponent of the weights of iterations in the average strategy.
    pub gamma: f64,
}

impl Default for PcfrPlus {
    fn default() -> Self {
        Self { gamma: 2.0 }
    }
}

impl Schedule for PcfrPlus {
    fn discounts(&self, t: u32) -> Discounts {
        Discounts { positive: 1.0, negative: 0.0, average: average_discount(t, self.gamma) }
    }

    fn prediction_weight(&self) -> f32 {
        1.0
    }
}

/// Predictive DCFR+ (Xu et al. 2024): DCFR+ that predicts the last instantaneous regret again.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PdcfrPlus {
    /// The exponent of the discount of regrets.
    pub alpha: f64,
    /// The exponent of the weights of iterations in the average strategy.
    pub gamma: f64,
}

impl Default for PdcfrPlus {
    fn default() -> Self {
        Self { alpha: 2.3, gamma: 5.0 }
    }
}

impl Schedule for PdcfrPlus {
    fn discounts(&self, t: u32) -> Discounts {
        Discounts {
            positive: regret_discount(t, self.alpha),
            negative: 0.0,
            average: average_discount(t, self.gamma),
        }
    }

    fn prediction_weight(&self) -> f32 {
        1.0
    }
}

/// Simple asymmetric predictive CFR+ (Meng et al. 2025): predictive CFR+ with a smaller step size for the prediction than for the update
/// of cumulative regrets.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SapcfrPlus {
    /// The asymmetry of step sizes: the prediction has weight 1/(1 + asymmetry).
    pub asymmetry: f32,
    /// The exponent of the weights of iterations in the average strategy.
    pub gamma: f64,
}

impl Default for SapcfrPlus {
    fn default() -> Self {
        Self { asymmetry: 2.0, gamma: 2.0 }
    }
}

impl Schedule for SapcfrPlus {
    fn discounts(&self, t: u32) -> Discounts {
        Discounts { positive: 1.0, negative: 0.0, average: average_discount(t, self.gamma) }
    }

    fn prediction_weight(&self) -> f32 {
        1.0 / (1.0 + self.asymmetry)
    }
}

/// DCFR with hyperparameter schedules (Zhang, McAleer and Sandholm 2024): α changes linearly from 1 to 4, β from −1 to −3 and γ from 30 to
/// 25.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HsDcfr {
    /// The iteration at which the exponents become constant.
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
            positive: regret_discount(t, exponent(1.0, 4.0)),
            negative: regret_discount(t, exponent(-1.0, -3.0)),
            average: average_discount(t, exponent(30.0, 25.0)),
        }
    }

    fn keeps_negative(&self) -> bool {
        true
    }
}

/// A schedule whose average strategy starts after some iterations, as the delay of CFR+ (Tammelin 2014).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WarmUp<S> {
    /// The schedule.
    pub schedule: S,
    /// How many iterations have no weight in the average strategy.
    pub iterations: u32,
}

impl<S: Schedule> Schedule for WarmUp<S> {
    fn discounts(&self, t: u32) -> Discounts {
        let averaged = t.saturating_sub(self.iterations).max(1);
        let average = self.schedule.discounts(averaged).average;
        Discounts { average, ..self.schedule.discounts(t) }
    }

    fn keeps_negative(&self) -> bool {
        self.schedule.keeps_negative()
    }

    fn prediction_weight(&self) -> f32 {
        self.schedule.prediction_weight()
    }
}

impl<S: Schedule + ?Sized> Schedule for Box<S> {
    fn discounts(&self, t: u32) -> Discounts {
        (**self).discounts(t)
    }

    fn keeps_negative(&self) -> bool {
        (**self).keeps_negative()
    }

    fn prediction_weight(&self) -> f32 {
        (**self).prediction_weight()
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
    fn ramps_are_linear_and_then_constant() {
        let ramp = Ramp { from: -1.0, to: 3.0, over: 8 };
        assert_eq!([0, 1, 4, 8, 9, u32::MAX].map(|t| ramp.at(t)), [-1.0, -0.5, 1.0, 3.0, 3.0, 3.0]);
        assert_eq!([0, 1, 2].map(|t| Ramp::from(1.5).at(t)), [1.5; 3]);
        assert_eq!([0, 1, 2].map(|t| Ramp::from(f64::NEG_INFINITY).at(t)), [f64::NEG_INFINITY; 3]);
        assert_eq!(Dcfr::default().beta.at(60), 0.4);
        // The default discounts more in its first iterations than with its last exponent.
        let (dcfr, last) = (Dcfr::default(), Dcfr::default().alpha.to);
        assert!(dcfr.discounts(10).positive < regret_discount(10, last));
        assert_eq!(dcfr.discounts(200).positive, regret_discount(200, last));
    }

    #[test]
    fn the_average_is_restarted_after_powers_of_four() {
        let dcfr = Dcfr { restarts: true, ..Dcfr::default() };
        let restarts: Vec<u32> = (1..100).filter(|&t| dcfr.discounts(t).average == 0.0).collect();
        assert_eq!(restarts, [1, 2, 5, 17, 65]);
        let floored = DcfrPlus { restarts: true, ..DcfrPlus::default() };
        let restarts: Vec<u32> = (1..100).filter(|&t| floored.discounts(t).average == 0.0).collect();
        assert_eq!(restarts, [1, 2, 5, 17, 65]);
        assert_eq!(floored.discounts(50).positive, DcfrPlus::default().discounts(50).positive);
    }

    #[test]
    fn warm_up_iterations_have_no_weight_in_the_average() {
        let warm = WarmUp { schedule: Lcfr, iterations: 10 };
        let restarts: Vec<u32> = (1..30).filter(|&t| warm.discounts(t).average == 0.0).collect();
        assert_eq!(restarts, (1..=11).collect::<Vec<_>>());
        assert_eq!(warm.discounts(12).average, 0.5);
        assert_eq!(warm.discounts(12).positive, Lcfr.discounts(12).positive);
    }

    #[test]
    fn linear_weights_are_linear() {
        // The regrets of iteration 1 are discounted to 1/t by iteration t.
        let discount: f64 = (2..=50).map(|t| f64::from(Lcfr.discounts(t).positive)).product();
        assert!((discount - 1.0 / 50.0).abs() < 1e-6, "{discount}");
        for t in 1..50 {
            assert_eq!(LcfrPlus.discounts(t), Discounts { negative: 0.0, ..Lcfr.discounts(t) });
        }
        assert!(!LcfrPlus.keeps_negative() && Lcfr.keeps_negative());
    }
}
