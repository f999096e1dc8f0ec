//! The cards that can come, and what they do.

use super::point::InspectedPoint;
use crate::palette::{BOLD, DIM, Paint};
use noregret_holdem::cards::{Card, Rank, Suit};
use noregret_holdem::{OOP, ReadError, Step};
use noregret_report::NodeSummary;
use std::fmt;

/// A card that can come, and what happens at the point after it; nothing of it if that would have to be solved again for each
/// card.
pub struct NextCard {
    pub card: Card,
    pub summary: Option<NodeSummary>,
}

/// All cards that can come at a point.
pub struct CardsTable {
    pub cards: Vec<NextCard>,
    street: String,
    pot: f64,
}

impl CardsTable {
    pub fn new(point: &InspectedPoint<'_>) -> Result<Self, ReadError> {
        let game = point.saved.game();
        let board = point.view.board;
        let street = board.street().next();
        let is_quick = street.is_some_and(|street| !point.saved.solves_cards_apart(street));
        let mut cards = Vec::new();
        for card in Card::all().filter(|card| !board.set().contains(*card)) {
            let mut line = point.line.clone();
            line.steps.push(Step::Card(card));
            let summary = match is_quick {
                true => Some(NodeSummary::new(game, &point.saved.at(&line)?)),
                false => None,
            };
            cards.push(NextCard { card, summary });
        }
        let street = street.map_or_else(String::new, |street| street.to_string());
        Ok(Self { cards, street, pot: point.pot })
    }

    /// What the first player expects after a card, as a share of the pot; none if no hands reach it.
    fn ev(&self, card: &NextCard) -> Option<f64> {
        card.summary.as_ref()?.players[OOP.index()].ev.map(|ev| ev / self.pot)
    }

    fn cell(&self, card: Card, mean: f64, spread: f64) -> [String; 2] {
        let Some(next) = self.cards.iter().find(|next| next.card == card) else {
            return [" ".repeat(5), " ".repeat(5)];
        };
        let name = format!("{:^5}", card.to_string());
        match self.ev(next) {
            Some(ev) => {
                let style = Paint::between_bad_and_good((ev - mean) / spread.max(1e-9)).behind();
                let share = format!("{:>5.1}", 100.0 * ev);
                [format!("{style}{name}{style:#}"), format!("{style}{share}{style:#}")]
            }
            None => [name, format!("{DIM}{:^5}{DIM:#}", "–")],
        }
    }
}

impl fmt::Display for CardsTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let evs: Vec<f64> = self.cards.iter().filter_map(|card| self.ev(card)).collect();
        let mean = evs.iter().sum::<f64>() / (evs.len().max(1)) as f64;
        let spread = evs.iter().map(|ev| (ev - mean).abs()).fold(0.0, f64::max);
        if self.cards.iter().any(|card| card.summary.is_some()) {
            writeln!(f, "{BOLD}What OOP expects after each card, in percent of the pot{BOLD:#}")?;
        } else {
            let street = &self.street;
            writeln!(
                f,
                "{BOLD}The file leaves the {street} out: each card is solved again when you walk to it{BOLD:#}"
            )?;
            writeln!(f, "{DIM}`noregret report FILE --line LINE --runouts` solves them all{DIM:#}")?;
        }
        for suit in Suit::all().rev() {
            let cells: Vec<[String; 2]> =
                Rank::all().rev().map(|rank| self.cell(Card::new(rank, suit), mean, spread)).collect();
            for line in 0..2 {
                let line: Vec<&str> = cells.iter().map(|cell| cell[line].as_str()).collect();
                writeln!(f, "{}", line.join(" ").trim_end())?;
            }
        }
        write!(f, "{DIM}walk on with a card in the line, like `Th`{DIM:#}")
    }
}
