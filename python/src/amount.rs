//! Amounts of chips as Python numbers.

use noregret_holdem::{Chips, Granularity};
use pyo3::prelude::*;

/// An int, or a float where there are decimals.
#[derive(IntoPyObject)]
pub enum AmountNumber {
    Whole(u32),
    Decimal(f64),
}

impl From<Chips> for AmountNumber {
    fn from(chips: Chips) -> Self {
        match chips.at(Granularity::Whole) {
            Some(whole) => Self::Whole(whole.count()),
            None => Self::Decimal(chips.as_f64()),
        }
    }
}
