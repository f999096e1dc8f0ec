//! A session as tables for the terminal.

use crate::palette::{BAD, BOLD, DIM};
use noregret_hands::{DecisionRow, HandsSession, LossTotal, SessionHand, SessionTotals};
use std::fmt;

/// The tables of a session.
pub struct HandsTable<'a> {
    pub session: &'a HandsSession,
    pub rows: &'a [DecisionRow],
}

impl fmt::Display for HandsTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for hand in &self.session.hands {
            write_hand(f, hand)?;
        }
        let totals = SessionTotals::of(self.rows);
        if totals.all.decisions > 0 {
            writeln!(
                f,
                "\n{BOLD}{:<16}{:>10}{:>10}{:>12}{BOLD:#}",
                "", "decisions", "lost, bb", "of the pot"
            )?;
            for total in totals.street.iter().chain(&totals.position).chain(&totals.pot_type) {
                write_total(f, total)?;
            }
            write!(f, "{BOLD}")?;
            write_total(f, &totals.all)?;
            write!(f, "{BOLD:#}")?;
        }
        if !totals.costliest.is_empty() {
            writeln!(f, "\n{BOLD}Costliest{BOLD:#}")?;
            for row in &totals.costliest {
                write_row(f, row, &row.hand)?;
            }
        }
        let count = |is: fn(&SessionHand) -> bool| self.session.hands.iter().filter(|hand| is(hand)).count();
        write!(
            f,
            "{DIM}{} {}: {} solved, {} to solve, {} left out; {} could not be read",
            self.session.hands.len(),
            if self.session.hands.len() == 1 { "hand" } else { "hands" },
            count(|hand| hand.solved.is_some()),
            count(|hand| hand.spot.is_ok() && hand.solved.is_none()),
            count(|hand| hand.spot.is_err()),
            self.session.errors.len()
        )?;
        if self.session.repeated > 0 {
            write!(f, "; {} skipped that are there twice", self.session.repeated)?;
        }
        write!(f, "{DIM:#}")?;
        for (name, hands) in self.session.own_ranges() {
            let s = if hands == 1 { "" } else { "s" };
            write!(f, "\nyour range in the place of `{name}`: {hands} hand{s}")?;
        }
        match self.session.missed() {
            0 => Ok(()),
            1 => write!(
                f,
                "\nthe solution of 1 hand is more exploitable than the target: its losses are less certain"
            ),
            missed => write!(
                f,
                "\nthe solutions of {missed} hands are more exploitable than the target: their losses are less certain"
            ),
        }
    }
}

fn write_hand(f: &mut fmt::Formatter<'_>, session: &SessionHand) -> fmt::Result {
    let hand = &session.hand;
    write!(f, "{BOLD}{}{BOLD:#}  ", hand.id())?;
    let spot = match &session.spot {
        Ok(spot) => spot,
        Err(reason) => return writeln!(f, "{DIM}{reason}{DIM:#}"),
    };
    let [oop, ip] = spot.seats.map(|seat| hand.seats()[seat].position);
    write!(
        f,
        "{oop} vs {ip}, {}, {}, pot {} bb, stack {} bb",
        spot.pot_type,
        spot.spec.spot.board(),
        rounded(hand.big_blinds(spot.pot)),
        rounded(hand.big_blinds(spot.stack))
    )?;
    if let Some(reached) = session.solved.as_ref().and_then(|solved| solved.exploitability_pct) {
        write!(f, ", exploitable {reached:.2}%")?;
    }
    writeln!(f)?;
    for note in &spot.notes {
        writeln!(f, "  {DIM}{note}{DIM:#}")?;
    }
    for row in DecisionRow::of_hand(session) {
        write_row(f, &row, "")?;
    }
    Ok(())
}

/// Two decimals, without zeros at the end.
fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

fn write_row(f: &mut fmt::Formatter<'_>, row: &DecisionRow, hand: &str) -> fmt::Result {
    let in_bb = |text: &str| row.in_big_blinds(text);
    let named = if hand.is_empty() { String::new() } else { format!("{hand}  ") };
    write!(f, "  {named}{:<6}{:<11}{:<5}{:<13}", row.street, row.board, row.hole, in_bb(&row.played))?;
    let Some(loss) = row.ev_loss_bb else {
        let why = match row.choices {
            None => "not solved",
            Some(_) => "the cards are not known",
        };
        return writeln!(f, "{DIM}{why}{DIM:#}");
    };
    if row.choices == Some(1) {
        return writeln!(f, "{DIM}the tree has no other action{DIM:#}");
    }
    let mix: Vec<String> = row
        .actions
        .iter()
        .map(|action| {
            let share = action.frequency.or(action.range_frequency).unwrap_or(0.0);
            format!("{} {:.0}%", in_bb(&action.action), 100.0 * share)
        })
        .collect();
    let style = if row.ev_loss_pct.is_some_and(|percent| percent >= 1.0) { BAD } else { DIM };
    let percent = row.ev_loss_pct.unwrap_or(0.0);
    writeln!(f, "{style}−{loss:.2} bb, {percent:.1}%{style:#}  {}", mix.join(", "))
}

fn write_total(f: &mut fmt::Formatter<'_>, total: &LossTotal) -> fmt::Result {
    let percent = total.ev_loss_pct.map_or_else(|| "–".to_owned(), |percent| format!("{percent:.2}%"));
    writeln!(f, "{:<16}{:>10}{:>10.2}{percent:>12}", total.name, total.decisions, total.ev_loss_bb)
}
