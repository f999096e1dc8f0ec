//! Which hands a player may hold, and how often each.

mod dialect;
mod group;
mod parse;
mod piece;
mod print;

pub use piece::ParseRangeError;

use crate::{HandClass, Hole};
use std::fmt;

/// A weight from 0 to 1 for every hole pair.
///
/// It is read from text in the convention that solvers share: groups with commas between them, each with an optional
/// `:weight`. A later group overrides an earlier one.
///
/// | text | hands |
/// |---|---|
/// | `AA` | the six pairs of aces |
/// | `AKs`, `AKo`, `AK` | suited, offsuit, both |
/// | `AsAh` | one combination |
/// | `TT+` | pairs from tens up |
/// | `ATs+` | `ATs` to `AKs`: the high card stays |
/// | `QQ-88`, `A9s-A6s` | a run of pairs, a run under one high card |
/// | `98o-65o` | a run with the same gap |
#[derive(Clone, PartialEq)]
pub struct Range {
    pub(crate) weights: Box<[f32; Hole::COUNT]>,
}

/// A weight that is not a number from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{0} is not a weight: it must be a number from 0 to 1")]
pub struct WeightError(
    /// The weight.
    pub f32,
);

impl Range {
    /// How much of `hole` is in the range.
    pub fn weight(&self, hole: Hole) -> f32 {
        self.weights[hole.index()]
    }

    /// The mean weight over the hole pairs of a class.
    pub fn class_weight(&self, class: HandClass) -> f32 {
        let (sum, count) = class
            .holes()
            .fold((0.0, 0.0), |(sum, count), hole| (sum + f64::from(self.weight(hole)), count + 1.0));
        (sum / count) as f32
    }

    /// Gives `hole` a weight from 0 to 1.
    pub fn set(&mut self, hole: Hole, weight: f32) -> Result<(), WeightError> {
        if !(0.0..=1.0).contains(&weight) {
            return Err(WeightError(weight));
        }
        // Adding zero turns −0 into 0: equal ranges then have equal bits.
        self.weights[hole.index()] = weight + 0.0;
        Ok(())
    }

    /// The hole pairs with a weight above zero, in index order.
    pub fn iter(&self) -> impl Iterator<Item = (Hole, f32)> + '_ {
        Hole::all().zip(self.weights.iter().copied()).filter(|&(_, weight)| weight > 0.0)
    }

    /// Whether every weight is zero.
    pub fn is_empty(&self) -> bool {
        self.weights.iter().all(|&weight| weight == 0.0)
    }
}

impl Default for Range {
    fn default() -> Self {
        Self { weights: Box::new([0.0; Hole::COUNT]) }
    }
}

impl fmt::Debug for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weight_outside_0_to_1_is_refused() {
        let mut range = Range::default();
        let hole: Hole = "AhKh".parse().unwrap();
        for bad in [-0.1, 1.1, f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert!(range.set(hole, bad).unwrap_err().to_string().contains("from 0 to 1"));
        }
        assert!(range.is_empty());
        range.set(hole, -0.0).unwrap();
        assert_eq!(range.weight(hole).to_bits(), 0);
        range.set(hole, 0.25).unwrap();
        assert_eq!(range.iter().collect::<Vec<_>>(), [(hole, 0.25)]);
        assert_eq!(range.class_weight(HandClass::of(hole)), 0.0625);
    }
}
