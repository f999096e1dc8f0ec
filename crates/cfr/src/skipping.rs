//! Root trees that the opponent does not reach are skipped.
//!
//! Where no hand of the opponent has a positive reach probability, all counterfactual values are zero: an update would only discount
//! the regrets, all positive ones by the same factor, which does not change the current strategy (partial pruning: Lanctot, Waugh,
//! Zinkevich and Bowling, *Monte Carlo sampling for regret minimization in extensive games*, NIPS 2009). So terminal nodes are not
//! evaluated and regrets not written. When the opponent reaches the root tree again, the product of the missed discounts is applied
//! in one step; the last iteration in which each root tree was updated is stored for that. The player's own average strategy is
//! updated all the same, as it depends on the player alone.
//!
//! With a schedule that predicts, a root tree is updated once more after the opponent stopped reaching it, so that its predictions
//! become zero.

use crate::iteration::IterationParams;
use crate::schedule::{Discounts, Schedule};

/// Whether a root tree that the opponent does not reach is updated so that its predictions become zero.
pub(crate) fn must_clear_predictions(schedule: &dyn Schedule, last_update: u32, iteration: u32) -> bool {
    schedule.prediction_weight() > 0.0 && last_update.saturating_add(1) == iteration
}

/// The discounts of an iteration together with those missed since iteration `last_update`.
pub(crate) fn discounts_since(params: &IterationParams<'_>, last_update: u32) -> Discounts {
    let first_missed = last_update.saturating_add(1);
    let missed = (first_missed..params.iteration).map(|iteration| params.past.at(iteration, params.schedule));
    missed.fold(params.discounts, |all, missed| Discounts {
        positive: all.positive * missed.positive,
        negative: all.negative * missed.negative,
        ..all
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::past_discounts::PastDiscounts;
    use crate::{CfrPlus, Dcfr, PcfrPlus};

    #[test]
    fn skipped_iterations_discount_as_much_as_updates() {
        let dcfr = Dcfr::default();
        let past = |end| {
            let mut past = PastDiscounts::default();
            past.extend_to(end, &dcfr);
            past
        };
        let (all, none) = (past(70), PastDiscounts::default());
        let params = |iteration: u32, past| IterationParams {
            schedule: &dcfr,
            iteration,
            discounts: dcfr.discounts(iteration),
            past,
            past_weight: None,
            average_number: 0,
            prunes: false,
        };
        let (mut positive, mut negative) = (1.0, 1.0);
        for iteration in 51..=70 {
            let discounts = dcfr.discounts(iteration);
            (positive, negative) = (positive * discounts.positive, negative * discounts.negative);
            let kept = discounts_since(&params(iteration, &all), 50);
            let is_near = |a: f32, b: f32| (a - b).abs() < 1e-5 * b;
            assert_eq!(kept, discounts_since(&params(iteration, &none), 50), "to the bit");
            assert!(
                is_near(kept.positive, positive) && is_near(kept.negative, negative),
                "{iteration}: {kept:?}"
            );
        }
        assert_eq!(discounts_since(&params(20, &all), 19), dcfr.discounts(20));
    }

    #[test]
    fn only_predictions_need_another_update() {
        assert!(must_clear_predictions(&PcfrPlus::default(), 4, 5));
        assert!(!must_clear_predictions(&PcfrPlus::default(), 3, 5));
        assert!(!must_clear_predictions(&CfrPlus, 4, 5));
        assert!(!must_clear_predictions(&PcfrPlus::default(), u32::MAX, 5));
    }
}
