//! Counterfactual values of deals that somebody else visits.

use crate::Deal;
use crate::simd::Row;

/// The counterfactual values of a player's hands at the roots of every deal of the second round.
pub(crate) struct BranchValues {
    /// For each deal, a row for each (block of hands, root).
    deals: Vec<Vec<Row>>,
}

impl BranchValues {
    /// The round whose deals have values.
    const ROUND: usize = 1;

    /// Of the deals in their order.
    pub fn new(deals: Vec<Vec<Row>>) -> Self {
        Self { deals }
    }

    /// The values of a deal; none if it is of another round.
    pub fn of(&self, deal: Deal) -> Option<&[Row]> {
        (deal.round == Self::ROUND).then(|| self.deals[deal.index].as_slice())
    }
}
