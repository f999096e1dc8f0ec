//! `--unit`: what amounts are shown in.

use crate::failure::Failure;
use noregret_holdem::{AmountFormat, ShownUnit, SolutionFile, Spot};

/// How the amounts of a solution are shown.
pub fn format(saved: &SolutionFile, unit: Option<ShownUnit>) -> Result<AmountFormat, Failure> {
    of_spot(&saved.spec().spot, unit)
}

/// How the amounts of a spot are shown.
pub fn of_spot(spot: &Spot, unit: Option<ShownUnit>) -> Result<AmountFormat, Failure> {
    let named = |unit: ShownUnit| format!("--unit {unit}");
    let option = unit.map_or_else(|| "--unit".to_owned(), named);
    spot.options().amount_format(unit).map_err(|error| Failure::request(format!("{option}: {error}")))
}

/// The heading of a column of EVs: `EV`, with the unit where it is not that of the spec.
pub fn ev_heading(format: AmountFormat) -> String {
    if format.is_own() { "EV".to_owned() } else { format!("EV {}", format.suffix().trim()) }
}
