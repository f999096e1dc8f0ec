//! The discounts of past iterations.

use crate::schedule::{Discounts, Schedule};

/// The discounts of the last iterations, so that a root tree that is reached again costs a product and no powers.
#[derive(Clone, Debug, Default)]
pub(crate) struct PastDiscounts {
    discounts: Vec<Discounts>,
    /// The iteration before which they end.
    end: u32,
}

impl PastDiscounts {
    /// At least the discounts of so many iterations are there, if there were so many; earlier ones are computed again.
    const KEPT: usize = 4096;

    /// Adds the discounts of all iterations before `end`.
    pub fn extend_to(&mut self, end: u32, schedule: &dyn Schedule) {
        if end < self.end {
            *self = Self::default();
        }
        let first = self.end.max(end.saturating_sub(Self::KEPT as u32)).max(1);
        if first > self.end.max(1) {
            self.discounts.clear();
        }
        self.discounts.extend((first..end).map(|iteration| schedule.discounts(iteration)));
        if self.discounts.len() > 2 * Self::KEPT {
            self.discounts.drain(..Self::KEPT);
        }
        self.end = end;
    }

    /// The discounts of an earlier iteration.
    pub fn at(&self, iteration: u32, schedule: &dyn Schedule) -> Discounts {
        let back = self.end.saturating_sub(iteration) as usize;
        match self.discounts.len().checked_sub(back) {
            Some(index) if back > 0 => self.discounts[index],
            _ => schedule.discounts(iteration),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dcfr;

    #[test]
    fn past_discounts_are_those_of_the_schedule_however_far_it_jumps() {
        let dcfr = Dcfr::default();
        let mut past = PastDiscounts::default();
        let steps = (1..30).chain([29, 5, 6, 20_000, 20_001, 20_002, 1_000_000, 3]).chain(3..9_000);
        for end in steps {
            past.extend_to(end, &dcfr);
            assert!(past.discounts.len() <= 2 * PastDiscounts::KEPT);
            assert!(past.discounts.len() >= PastDiscounts::KEPT.min(end as usize - 1));
            for iteration in [1, 2, end / 2, end - 1].into_iter().filter(|&at| (1..end).contains(&at)) {
                assert_eq!(past.at(iteration, &dcfr), dcfr.discounts(iteration), "{iteration} of {end}");
            }
        }
    }
}
