//! The summary: the pot, the rake, the board again, and cards that were mucked.

use super::pieces::{bracketed, hole};
use super::play::Play;
use super::{NumberedLine, fault, money};
use crate::history_error::Fault;
use crate::money::Money;

/// What the summary adds.
#[derive(Default)]
pub(super) struct Totals {
    /// The pot, what the house took, and the line.
    pub pot: Option<(Money, Money, u32)>,
}

impl Totals {
    pub fn line(&mut self, line: &NumberedLine<'_>, play: &mut Play) -> Result<(), Fault> {
        if let Some(rest) = line.text.strip_prefix("Total pot ") {
            return self.total(line, rest, play);
        }
        if line.text.starts_with("Board [") {
            let board = bracketed(line, line.text)?.concat();
            return match board == play.board() {
                true => Ok(()),
                false => Err(fault(line, "the board is not the one that was dealt")),
            };
        }
        if line.text.starts_with("Hand was run ") || line.text.starts_with("FIRST Board") {
            return Err(fault(line, "the board was run more than once, and one run is read"));
        }
        if let Some(rest) = line.text.strip_prefix("Seat ") {
            return shown(line, rest, play);
        }
        Err(fault(line, "this line is not one of a summary"))
    }

    /// `Total pot $20 Main pot $12. Side pot $7. | Rake $1 | Jackpot $0`.
    fn total(&mut self, line: &NumberedLine<'_>, rest: &str, play: &Play) -> Result<(), Fault> {
        let mut parts = rest.split('|').map(str::trim);
        let pot = parts.next().and_then(|part| part.split(' ').next()).unwrap_or_default();
        let pot = money(&play.header, line, pot)?;
        let mut taken = Money::ZERO;
        for part in parts {
            let (name, amount) = part.rsplit_once(' ').ok_or_else(|| fault(line, "the rake is missing"))?;
            if !["Rake", "Jackpot", "Bingo", "Fortune", "Tax"].contains(&name) {
                return Err(fault(line, format!("`{name}` is nothing that is known to be taken from a pot")));
            }
            taken += money(&play.header, line, amount)?;
        }
        if self.pot.replace((pot, taken, line.number)).is_some() {
            return Err(fault(line, "there is a second total"));
        }
        Ok(())
    }
}

/// `Seat 3: Villain1 (button) mucked [Ah Kd]`: the cards, if there are two.
fn shown(line: &NumberedLine<'_>, rest: &str, play: &mut Play) -> Result<(), Fault> {
    let (number, what) = rest.split_once(": ").ok_or_else(|| fault(line, "the seat has no number"))?;
    let number: Option<u8> = number.parse().ok();
    let seat = play.seats.iter().position(|seat| Some(seat.number) == number && what.starts_with(&seat.name));
    let Some(seat) = seat else { return Err(fault(line, "nobody sits there")) };
    let after = &what[play.seats[seat].name.len()..];
    if let Some(hole) = hole(line, after)? {
        play.show(seat, hole, line.number);
    }
    Ok(())
}
