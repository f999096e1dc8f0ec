//! Amounts of chips as Python numbers, and the unit that they are shown in.

use crate::error;
use noregret_holdem::{Chips, Granularity, ShownUnit};
use pyo3::prelude::*;

/// The argument `unit`: what amounts are shown in.
pub fn shown_unit(unit: Option<&str>) -> PyResult<Option<ShownUnit>> {
    unit.map(str::parse).transpose().map_err(|wrong: noregret_holdem::UnitError| error::field("unit", wrong))
}

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
