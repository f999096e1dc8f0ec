//! What a hand is worth as a bid: many deals around it, each solved.

use rayon::prelude::*;
use thiserror::Error;

use crate::deal::{Deal, DealError};
use crate::declaration::Declaration;
use crate::hand::Hand;
use crate::position::TOTAL_POINTS;
use crate::solver::alpha_beta::Searcher;
use crate::solver::rule_tables::RuleTables;

/// The lowest bid in points.
const LOWEST_BID: u8 = 30;
/// Deals between two reports of what is known so far.
const BATCH: u32 = 10;

/// How often a declaration won how many points, over deals around one hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcomes {
    /// The declaration.
    pub declaration: Declaration,
    /// By points of the bidder's team, 0 to 42: in how many deals.
    pub deals: [u32; TOTAL_POINTS as usize + 1],
}

/// A share of the deals, with the 95% interval that the whole lies in (Wilson's).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chance {
    /// What was seen.
    pub seen: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Chance {
    /// So many of so many.
    pub fn new(hits: u32, deals: u32) -> Self {
        const Z: f64 = 1.959_963_984_540_054;
        if deals == 0 {
            return Self { seen: 0.0, low: 0.0, high: 1.0 };
        }
        let (n, seen) = (f64::from(deals), f64::from(hits) / f64::from(deals));
        let scale = 1.0 + Z * Z / n;
        let middle = (seen + Z * Z / (2.0 * n)) / scale;
        let half = Z * (seen * (1.0 - seen) / n + Z * Z / (4.0 * n * n)).sqrt() / scale;
        Self { seen, low: (middle - half).max(0.0), high: (middle + half).min(1.0) }
    }
}

impl Outcomes {
    /// The chance to make a bid.
    pub fn chance(&self, bid: u8) -> Chance {
        let made = self.deals.iter().skip(usize::from(bid)).sum();
        Chance::new(made, self.deals.iter().sum())
    }

    /// The highest bid that is made in at least this share of the deals, if any of 30 to 42 is.
    pub fn highest_bid(&self, share: f64) -> Option<u8> {
        Self::bids().rev().find(|&bid| self.chance(bid).seen >= share)
    }

    /// The mean points.
    pub fn mean(&self) -> f64 {
        let total: f64 =
            self.deals.iter().zip(0..).map(|(&deals, points)| f64::from(deals) * f64::from(points)).sum();
        total / f64::from(self.deals.iter().sum::<u32>().max(1))
    }

    /// The bids in points: 30 to 42.
    pub fn bids() -> impl DoubleEndedIterator<Item = u8> {
        LOWEST_BID..=TOTAL_POINTS
    }
}

/// What a hand makes under each declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BidReport {
    /// By declaration, in the order asked for.
    pub outcomes: Vec<Outcomes>,
}

/// A hand that cannot be bid on.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BidError {
    /// It has not seven dominoes.
    #[error("the hand has {0} dominoes: a bid is made on 7")]
    Count(usize),
}

impl BidReport {
    /// Deals the other 21 dominoes `deals` times, seeded from `seed` on, and solves each deal under each declaration
    /// with the hand in seat 0, which leads.
    ///
    /// `report` is called with what is known so far after every few deals, and false from it ends the work there. Every
    /// report has as many deals of each declaration.
    pub fn new(
        hand: Hand,
        deals: u32,
        seed: u64,
        declarations: &[Declaration],
        mut report: impl FnMut(&Self) -> bool,
    ) -> Result<Self, BidError> {
        let first = Deal::around(hand, seed).map_err(|error| match error {
            DealError::Count { count, .. } => BidError::Count(count),
            _ => BidError::Count(hand.len()),
        })?;
        let empty = |&declaration| Outcomes { declaration, deals: [0; TOTAL_POINTS as usize + 1] };
        let mut so_far = Self { outcomes: declarations.iter().map(empty).collect() };
        let mut from = 0;
        while from < deals {
            let to = deals.min(from + BATCH);
            let tables: Vec<(u32, usize)> =
                (from..to).flat_map(|number| (0..declarations.len()).map(move |at| (number, at))).collect();
            let solve = |searcher: &mut Searcher, &(number, at): &(u32, usize)| {
                let deal = Deal::around(hand, seed.wrapping_add(u64::from(number))).unwrap_or(first);
                (at, searcher.start_value(&RuleTables::new(&deal, declarations[at])))
            };
            let points: Vec<(usize, u8)> = tables.par_iter().map_init(Searcher::new, solve).collect();
            for (at, points) in points {
                so_far.outcomes[at].deals[usize::from(points)] += 1;
            }
            from = to;
            if !report(&so_far) {
                break;
            }
        }
        Ok(so_far)
    }

    /// How many deals were solved under each declaration.
    pub fn deals(&self) -> u32 {
        self.outcomes.first().map_or(0, |outcomes| outcomes.deals.iter().sum())
    }

    /// The declaration to bid, and how high: the highest bid made in at least this share of the deals, the surest
    /// declaration for it, and the first of equals.
    pub fn best(&self, share: f64) -> Option<(Declaration, u8)> {
        let made =
            |outcomes: &Outcomes| outcomes.highest_bid(share).map(|bid| (bid, outcomes.chance(bid).seen));
        let mut best: Option<(Declaration, (u8, f64))> = None;
        for outcomes in &self.outcomes {
            if let Some(new) = made(outcomes)
                && best.is_none_or(|(_, old)| new > old)
            {
                best = Some((outcomes.declaration, new));
            }
        }
        best.map(|(declaration, (bid, _))| (declaration, bid))
    }
}

impl BidReport {
    /// Whether the deals are too few to tell: at the best bid, the 95% interval of another declaration's chance
    /// overlaps with that of the best one.
    pub fn is_too_close(&self, share: f64) -> bool {
        let Some((best, bid)) = self.best(share) else { return false };
        let chance_of = |outcomes: &Outcomes| outcomes.chance(bid);
        let best_low = self.outcomes.iter().find(|outcomes| outcomes.declaration == best).map(chance_of);
        let others = self.outcomes.iter().filter(|outcomes| outcomes.declaration != best);
        best_low.is_some_and(|best| others.map(chance_of).any(|other| other.high >= best.low))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_intervals_are_the_textbook_ones() {
        let chance = Chance::new(8, 10);
        assert!((chance.low - 0.4902).abs() < 1e-4 && (chance.high - 0.9433).abs() < 1e-4, "{chance:?}");
        assert_eq!(Chance::new(0, 5).low, 0.0);
        assert_eq!(Chance::new(0, 0).high, 1.0);
    }

    #[test]
    fn a_hand_of_all_sixes_makes_42_with_sixes_whatever_the_others_hold() {
        let hand: Hand = "6-6 6-5 6-4 6-3 6-2 6-1 6-0".parse().unwrap();
        let sixes = "sixes".parse().unwrap();
        let report = BidReport::new(hand, 3, 7, &[sixes, "blanks".parse().unwrap()], |_| true).unwrap();
        assert_eq!(report.outcomes[0].deals[42], 3);
        assert_eq!(report.outcomes[0].mean(), 42.0);
        assert_eq!(report.best(0.5), Some((sixes, 42)));
        assert_eq!(report.outcomes[1].deals.iter().sum::<u32>(), 3);
        // Three deals tell little, but blanks with sixes in the hand make 42 in none of many.
        assert!(report.is_too_close(0.5));
        let deals = |points: usize| {
            let mut deals = [0; 43];
            deals[points] = 100;
            deals
        };
        let outcomes = |declaration, points| Outcomes { declaration, deals: deals(points) };
        let clear = BidReport { outcomes: vec![outcomes(sixes, 42), outcomes("0".parse().unwrap(), 30)] };
        assert_eq!(clear.best(0.5), Some((sixes, 42)));
        assert!(!clear.is_too_close(0.5));
    }

    #[test]
    fn a_short_hand_is_refused() {
        let error = BidReport::new("6-6 1-0".parse().unwrap(), 1, 0, &[], |_| true).unwrap_err();
        assert_eq!(error.to_string(), "the hand has 2 dominoes: a bid is made on 7");
    }

    #[test]
    fn every_report_counts_as_many_deals_of_each_declaration_and_one_can_end_it() {
        let hand: Hand = "6-6 6-5 6-4 5-5 4-4 1-0 2-0".parse().unwrap();
        let declarations: Vec<Declaration> = Declaration::all().collect();
        let mut seen = Vec::new();
        let ended = BidReport::new(hand, 25, 3, &declarations, |so_far| {
            assert!(so_far.outcomes.iter().all(|one| one.deals.iter().sum::<u32>() == so_far.deals()));
            seen.push(so_far.deals());
            seen.len() < 2
        });
        assert_eq!(seen, [10, 20]);
        let whole = BidReport::new(hand, 20, 3, &declarations, |_| true);
        assert_eq!(ended, whole);
    }
}
