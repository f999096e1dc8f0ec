//! Root trees where nobody comes.
//!
//! A root tree of a deal that no hand of the opponent reaches sleeps: all that would happen there is that regrets fade, positive ones
//! alike, which does not change what is played. When somebody comes again, it catches up on what it missed in one step, with the
//! product of the discounts. The last iteration in which it learned is remembered for that. The player's own average goes on, as it
//! depends on the player alone.
//!
//! A player that predicts learns once more that nobody came, so that it expects nothing from then on.

use crate::traverse::Learning;
use crate::{Discounts, Schedule};

/// Whether a root tree that nobody reaches is to learn just that, having learned something else in iteration `learned`.
pub(crate) fn must_settle(schedule: &dyn Schedule, learned: u32, iteration: u32) -> bool {
    schedule.foresight() > 0.0 && learned.saturating_add(1) == iteration
}

/// The discounts of an iteration together with those that were missed since iteration `learned`.
pub(crate) fn catch_up(schedule: &dyn Schedule, learning: &Learning, learned: u32) -> Discounts {
    let first_missed = learned.saturating_add(1);
    let missed = (first_missed..learning.iteration).map(|iteration| schedule.discounts(iteration));
    missed.fold(learning.discounts, |all, missed| Discounts {
        positive: all.positive * missed.positive,
        negative: all.negative * missed.negative,
        ..all
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CfrPlus, Dcfr, PcfrPlus};

    fn learning(iteration: u32) -> Learning {
        let discounts = Dcfr::default().discounts(iteration);
        Learning { iteration, discounts, past_share: None, keeps_negative: true, prunes: false }
    }

    #[test]
    fn what_slept_fades_as_much_as_what_was_awake() {
        let dcfr = Dcfr::default();
        let (mut positive, mut negative) = (1.0, 1.0);
        for iteration in 51..=70 {
            let discounts = dcfr.discounts(iteration);
            (positive, negative) = (positive * discounts.positive, negative * discounts.negative);
            let all = catch_up(&dcfr, &learning(iteration), 50);
            let is_near = |a: f32, b: f32| (a - b).abs() < 1e-5 * b;
            assert!(
                is_near(all.positive, positive) && is_near(all.negative, negative),
                "{iteration}: {all:?}"
            );
        }
        assert_eq!(catch_up(&dcfr, &learning(20), 19), dcfr.discounts(20));
    }

    #[test]
    fn only_what_predicts_learns_that_nobody_came() {
        assert!(must_settle(&PcfrPlus::default(), 4, 5));
        assert!(!must_settle(&PcfrPlus::default(), 3, 5));
        assert!(!must_settle(&CfrPlus, 4, 5));
        assert!(!must_settle(&PcfrPlus::default(), u32::MAX, 5));
    }
}
