//! What a hand is worth as a bid: what its best lead is expected to make under each declaration.

use thiserror::Error;

use crate::declaration::Declaration;
use crate::expect::{ExpectOptions, Expectation, PlayerView, look_at_worlds};
use crate::hand::Hand;

/// Deals between two reports of what is known so far.
const BATCH: u64 = 10;

/// What a hand makes under each declaration if it leads, over the same number of deals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BidReport {
    /// By declaration, in the order asked for: what each lead is worth.
    pub expectations: Vec<Expectation>,
}

/// A hand that cannot be bid on.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BidError {
    /// It has not seven dominoes.
    #[error("the hand has {0} dominoes: a bid is made on 7")]
    Count(usize),
}

impl BidReport {
    /// Deals the other 21 dominoes `deals` times and values every lead of the hand, which is seat 0's, in each deal under
    /// each declaration: the [`Expectation`] before the first play.
    ///
    /// `report` is called with what is known so far after every few deals, and false from it ends the work there. Every
    /// report has as many deals of each declaration. The answer depends on the hand, the deals, the seed and the
    /// declarations alone, not on the number of threads.
    ///
    /// ```
    /// use noregret_dominoes::BidReport;
    ///
    /// let hand = "6-6 6-5 6-4 6-3 6-2 6-1 6-0".parse()?;
    /// let report = BidReport::new(hand, 5, 0, &["sixes".parse()?], |_| true)?;
    /// let (sixes, bid) = report.best(0.5).ok_or("the hand makes every bid")?;
    /// assert_eq!((sixes.declaration.name(), bid), ("sixes", 42));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(
        hand: Hand,
        deals: u32,
        seed: u64,
        declarations: &[Declaration],
        mut report: impl FnMut(&Self) -> bool,
    ) -> Result<Self, BidError> {
        if hand.len() != 7 {
            return Err(BidError::Count(hand.len()));
        }
        let view =
            |&declaration| PlayerView::new(hand, declaration, &[]).map_err(|_| BidError::Count(hand.len()));
        let views: Vec<PlayerView> = declarations.iter().map(view).collect::<Result<_, _>>()?;
        let mut so_far = Self { expectations: views.iter().map(Expectation::nothing_yet).collect() };
        let options = ExpectOptions { worlds: u64::from(deals), error: None, seed };
        for from in (0..options.worlds).step_by(BATCH as usize) {
            let to = options.worlds.min(from + BATCH);
            look_at_worlds(&views, &mut so_far.expectations, &options, from..to);
            if !report(&so_far) {
                break;
            }
        }
        Ok(so_far)
    }

    /// How many deals were solved under each declaration.
    pub fn deals(&self) -> u64 {
        self.expectations.first().map_or(0, |expectation| expectation.worlds)
    }

    /// The declaration to bid, and how high: the highest bid that its best lead makes in at least this share of the
    /// deals, the surest declaration for it, and the first of equals.
    pub fn best(&self, share: f64) -> Option<(&Expectation, u8)> {
        let mut best: Option<(&Expectation, (u8, f64))> = None;
        for expectation in &self.expectations {
            if let Some(bid) = expectation.highest_bid(share) {
                let new = (bid, expectation.best_chance(bid).seen);
                if best.is_none_or(|(_, old)| new > old) {
                    best = Some((expectation, new));
                }
            }
        }
        best.map(|(expectation, (bid, _))| (expectation, bid))
    }

    /// Whether the deals are too few to tell: at the best bid, the 95% interval of another declaration's chance
    /// overlaps with that of the best one.
    pub fn is_too_close(&self, share: f64) -> bool {
        let Some((best, bid)) = self.best(share) else { return false };
        let low = best.best_chance(bid).low;
        let others = self.expectations.iter().filter(|other| other.declaration != best.declaration);
        others.into_iter().any(|other| other.best_chance(bid).high >= low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HAND: &str = "6-6 6-5 6-4 5-5 4-4 1-0 2-0";

    #[test]
    fn a_hand_of_all_sixes_makes_42_with_sixes_whatever_the_others_hold() {
        let hand: Hand = "6-6 6-5 6-4 6-3 6-2 6-1 6-0".parse().unwrap();
        let sixes = "sixes".parse().unwrap();
        let report = BidReport::new(hand, 3, 7, &[sixes, "blanks".parse().unwrap()], |_| true).unwrap();
        let best = report.expectations[0].best().unwrap();
        assert_eq!((best.deals[42], best.mean_points()), (3, 42.0));
        assert_eq!(report.best(0.5).map(|(best, bid)| (best.declaration, bid)), Some((sixes, 42)));
        assert_eq!(report.expectations[1].worlds, 3);
        // Three deals tell little, but blanks with sixes in the hand make 42 in none of many.
        assert!(report.is_too_close(0.5));
        let mut clear = report;
        for (expectation, points) in clear.expectations.iter_mut().zip([42, 30]) {
            for lead in &mut expectation.moves {
                lead.deals = [0; 43];
                lead.deals[points] = 100;
            }
        }
        assert_eq!(clear.best(0.5).map(|(best, bid)| (best.declaration, bid)), Some((sixes, 42)));
        assert!(!clear.is_too_close(0.5));
    }

    #[test]
    fn a_short_hand_is_refused() {
        let error = BidReport::new("6-6 1-0".parse().unwrap(), 1, 0, &[], |_| true).unwrap_err();
        assert_eq!(error.to_string(), "the hand has 2 dominoes: a bid is made on 7");
    }

    #[test]
    fn every_report_counts_as_many_deals_of_each_declaration_and_one_can_end_it() {
        let hand: Hand = HAND.parse().unwrap();
        let declarations: Vec<Declaration> = Declaration::all().collect();
        let mut seen = Vec::new();
        let ended = BidReport::new(hand, 25, 3, &declarations, |so_far| {
            assert!(so_far.expectations.iter().all(|one| one.worlds == so_far.deals()));
            seen.push(so_far.deals());
            seen.len() < 2
        });
        assert_eq!(seen, [10, 20]);
        let whole = BidReport::new(hand, 20, 3, &declarations, |_| true);
        assert_eq!(ended, whole);
    }

    #[test]
    fn a_bid_is_the_expectation_before_the_first_play() {
        let hand: Hand = HAND.parse().unwrap();
        for declaration in ["sixes", "no-trump"].map(|name| name.parse().unwrap()) {
            let report = BidReport::new(hand, 25, 3, &[declaration], |_| true).unwrap();
            let view = PlayerView::new(hand, declaration, &[]).unwrap();
            let options = ExpectOptions { worlds: 25, error: None, seed: 3 };
            assert_eq!(report.expectations, [Expectation::new(&view, &options, |_| true)]);
        }
    }
}
