//! How the past is discounted.

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

/// Discounted CFR: iteration t weighs regrets by tᵅ/(tᵅ+1) and tᵝ/(tᵝ+1), and the average by (t/(t+1))ᵞ.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Dcfr {
    /// Exponent for positive regrets.
    pub alpha: f64,
    /// Exponent for negative regrets.
    pub beta: f64,
    /// Exponent for the average strategy.
    pub gamma: f64,
}

impl Default for Dcfr {
    fn default() -> Self {
        // Measured on turn, river and flop spots: β = 0 needs as many iterations or more, and can lose ground for a
        // while when a line that was given up comes back.
        Self { alpha: 1.5, beta: 0.3, gamma: 5.0 }
    }
}

impl Dcfr {
    /// The discounts that iteration `t`, counted from 1, applies before it adds its own part.
    pub fn discounts(&self, t: u32) -> Discounts {
        let before = f64::from(t) - 1.0;
        // tᵉ/(tᵉ+1), written so that t = 0 has a value for every exponent.
        let decay = |exponent: f64| (1.0 / (1.0 + before.powf(-exponent))) as f32;
        Discounts {
            positive: decay(self.alpha),
            negative: decay(self.beta),
            average: (before / f64::from(t)).powf(self.gamma) as f32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discounts_follow_the_formula() {
        let dcfr = Dcfr { alpha: 1.5, beta: 0.0, gamma: 2.0 };
        assert_eq!(dcfr.discounts(1), Discounts { positive: 0.0, negative: 0.5, average: 0.0 });
        let third = dcfr.discounts(3);
        assert!((third.positive - 0.738_796).abs() < 1e-5);
        assert_eq!(third.negative, 0.5);
        assert!((third.average - 4.0 / 9.0).abs() < 1e-6);
    }
}
