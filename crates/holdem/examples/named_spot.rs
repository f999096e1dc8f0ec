//! Prints the spec of a spot by its name: `named_spot "BTN vs BB, single-raised, 100 bb" Ks7d2c`.

use noregret_holdem::preflop::{NamedSpot, RakePreset};
use std::error::Error;

/// The spot and the board that are printed unless others are asked for.
pub const DEFAULTS: [&str; 2] = ["BTN vs BB, single-raised, 100 bb", "Ks7d2c"];

/// The spec of a spot on a board.
pub fn text(name: &str, board: &str) -> Result<String, Box<dyn Error>> {
    let spot: NamedSpot = name.parse()?;
    // What is printed is a spec.
    spot.spec(board, RakePreset::None)?;
    Ok(spot.toml(board, RakePreset::None))
}

#[allow(dead_code)]
fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    arguments.extend(DEFAULTS.iter().skip(arguments.len()).map(|&word| word.to_owned()));
    print!("{}", text(&arguments[0], &arguments[1])?);
    Ok(())
}
