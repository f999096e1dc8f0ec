//! The parameters of one iteration.

use crate::past_discounts::PastDiscounts;
use crate::schedule::{Discounts, Schedule};

/// The parameters of one iteration.
#[derive(Clone, Copy)]
pub(crate) struct IterationParams<'a> {
    pub schedule: &'a dyn Schedule,
    /// Counted from 1.
    pub iteration: u32,
    pub discounts: Discounts,
    /// The discounts of the iterations before this one.
    pub past: &'a PastDiscounts,
    /// The weight of the past in the average strategy, from 0 to 1; none if this iteration has no weight in the average.
    pub past_weight: Option<f32>,
    /// Counts the iterations that have weight in the average.
    pub average_number: u32,
    /// Whether actions with clearly negative regret are pruned.
    pub prunes: bool,
}
