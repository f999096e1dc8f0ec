//! A decision as one row: what was played, what the solution does, what was lost.

use crate::hand_spot::PlayedDecision;
use crate::session::{HandsSession, SessionHand};
use noregret_holdem::{Line, Step};
use noregret_report::{
    ActionAnswer, Column, ColumnType, DecisionAnswer, TableCell, TableFormat, TableWriter,
};
use serde::Serialize;
use std::io::{self, Write};

/// A decision of a session. Amounts are in big blinds.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct DecisionRow {
    /// The file of the hand.
    pub file: String,
    /// The number of the hand.
    pub hand: String,
    /// Who decides.
    pub player: String,
    /// Where that is.
    pub position: String,
    /// Where the other player is.
    pub opponent: String,
    /// `single-raised`, `3-bet`, `4-bet` or `limped`.
    pub pot_type: String,
    /// `flop`, `turn` or `river`.
    pub street: String,
    /// The public cards.
    pub board: String,
    /// The cards of whoever decides; empty if they are not known.
    pub hole: String,
    /// What leads there, in the words of the betting tree.
    pub line: String,
    /// What was done, in the same words.
    pub played: String,
    /// What a big blind is in the amounts of lines and actions: the smallest amount of the hand.
    pub big_blind: f64,
    /// The pot before it, as far as both players can win it.
    pub pot_bb: f64,
    /// What there was to call.
    pub to_call_bb: f64,
    /// How many actions the tree has there. One is no choice, and counts in no total.
    #[cfg_attr(feature = "schema", schema(required))]
    pub choices: Option<usize>,
    /// What is worth most.
    #[cfg_attr(feature = "schema", schema(required))]
    pub best: Option<String>,
    /// How often the solution does with the hand what was played.
    #[cfg_attr(feature = "schema", schema(required))]
    pub frequency: Option<f64>,
    /// What the hand expects of what was played.
    #[cfg_attr(feature = "schema", schema(required))]
    pub ev_played_bb: Option<f64>,
    /// What it expects of the best action.
    #[cfg_attr(feature = "schema", schema(required))]
    pub ev_best_bb: Option<f64>,
    /// The difference.
    #[cfg_attr(feature = "schema", schema(required))]
    pub ev_loss_bb: Option<f64>,
    /// The same in percent of the pot before the decision.
    #[cfg_attr(feature = "schema", schema(required))]
    pub ev_loss_pct: Option<f64>,
    /// How exploitable the solution is, in percent of the pot on the flop: what is lost is known no better.
    #[cfg_attr(feature = "schema", schema(required))]
    pub exploitability_pct: Option<f64>,
    /// Every action there.
    pub actions: Vec<RowAction>,
    /// The name of the solution; empty if it is not solved.
    pub solution: String,
    /// The address of the point in the web page that has the solution in its library; empty if it is not solved.
    pub link: String,
}

/// An action of a row.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RowAction {
    /// The action in the words of the betting tree.
    pub action: String,
    /// How often the solution takes it with the hand.
    #[cfg_attr(feature = "schema", schema(required))]
    pub frequency: Option<f64>,
    /// How often with all hands that are there.
    #[cfg_attr(feature = "schema", schema(required))]
    pub range_frequency: Option<f64>,
    /// What the hand expects of it.
    #[cfg_attr(feature = "schema", schema(required))]
    pub ev_bb: Option<f64>,
}

impl DecisionRow {
    /// All rows of a session, in order.
    pub fn of_session(session: &HandsSession) -> Vec<Self> {
        session.hands.iter().flat_map(Self::of_hand).collect()
    }

    /// The rows of a hand.
    pub fn of_hand(session: &SessionHand) -> Vec<Self> {
        let Ok(spot) = &session.spot else { return Vec::new() };
        let hand = &session.hand;
        let blind = hand.blinds()[1].count() as f64;
        let solution = session.solved.as_ref().map_or("", |solved| &solved.name);
        let row = |(decision, answer): (&PlayedDecision, Option<&DecisionAnswer>)| {
            let other = spot.seats[decision.player.opponent().index()];
            let cards = decision.line.steps.iter().filter_map(|step| match step {
                Step::Card(card) => Some(card.to_string()),
                _ => None,
            });
            let board = cards.fold(spot.spec.spot.board().to_string(), |board, card| board + &card);
            let in_bb = |amount: f64| amount / blind;
            let played = answer.and_then(|answer| answer.actions.get(answer.played));
            let best = answer.and_then(|answer| answer.actions.get(answer.best?));
            let loss = answer.and_then(|answer| answer.ev_loss);
            // The solution's own words, where there is one: an all-in with its amount.
            let steps = decision.line.steps.len();
            let exact = session.solved.as_ref().and_then(|solved| solved.line.steps.get(..steps));
            let line = exact
                .map_or_else(|| decision.line.clone(), |steps| Line { steps: steps.to_vec() })
                .to_string();
            Self {
                file: session.file.clone(),
                hand: hand.id().to_owned(),
                player: hand.seats()[decision.seat].name.clone(),
                position: hand.seats()[decision.seat].position.to_string(),
                opponent: hand.seats()[other].position.to_string(),
                pot_type: spot.pot_type.to_string(),
                street: decision.street.to_string(),
                board,
                hole: decision.hole.map_or_else(String::new, |hole| hole.to_string()),
                played: played
                    .map_or_else(|| decision.played.to_string(), |played| played.action.to_string()),
                big_blind: blind,
                pot_bb: hand.big_blinds(decision.pot),
                to_call_bb: hand.big_blinds(decision.to_call),
                choices: answer.map(|answer| answer.actions.len()),
                best: best.map(|best| best.action.to_string()),
                frequency: played.and_then(|played| played.frequency),
                ev_played_bb: played.and_then(|played| played.ev).map(in_bb),
                ev_best_bb: best.and_then(|best| best.ev).map(in_bb),
                ev_loss_bb: loss.map(in_bb),
                ev_loss_pct: answer.and_then(|answer| Some(100.0 * answer.ev_loss? / answer.pot)),
                exploitability_pct: session.solved.as_ref().and_then(|solved| solved.exploitability_pct),
                actions: answer.map_or_else(Vec::new, |answer| {
                    let action = |answer: &ActionAnswer| RowAction {
                        action: answer.action.to_string(),
                        frequency: answer.frequency,
                        range_frequency: answer.range_frequency,
                        ev_bb: answer.ev.map(in_bb),
                    };
                    answer.actions.iter().map(action).collect()
                }),
                link: if solution.is_empty() { String::new() } else { link(solution, &line) },
                solution: solution.to_owned(),
                line,
            }
        };
        session.decisions().map(row).collect()
    }

    /// Whether it counts in totals: there was a choice, and what it cost is known.
    pub fn counts(&self) -> bool {
        self.choices.is_some_and(|choices| choices > 1) && self.ev_loss_bb.is_some()
    }

    /// An action of the row with its amount in big blinds: `bet 180` as `bet 1.8`.
    pub fn in_big_blinds(&self, text: &str) -> String {
        match text.rsplit_once(' ') {
            Some((word, amount)) => match amount.parse::<f64>() {
                Ok(amount) => format!("{word} {}", (amount / self.big_blind * 100.0).round() / 100.0),
                Err(_) => text.to_owned(),
            },
            None => text.to_owned(),
        }
    }

    /// Writes rows as a table; gives back what they were written to, with their number.
    pub fn write<W: Write + Send>(rows: &[Self], format: TableFormat, out: W) -> io::Result<(W, u64)> {
        let program = format!("noregret {}", env!("CARGO_PKG_VERSION"));
        let metadata = [("unit", "bb".to_owned()), ("program", program)];
        let mut table = TableWriter::new(format, Self::columns(), &metadata, out)?;
        rows.iter().try_for_each(|row| table.row(row.cells()))?;
        table.finish()
    }

    /// The columns of a table of rows.
    pub fn columns() -> Vec<Column> {
        use ColumnType::{Number, Text};
        let texts = [
            "file", "hand", "player", "position", "opponent", "pot_type", "street", "board", "hole", "line",
            "played", "best", "solution", "link",
        ];
        let numbers = [
            "big_blind",
            "pot_bb",
            "to_call_bb",
            "choices",
            "frequency",
            "ev_played_bb",
            "ev_best_bb",
            "ev_loss_bb",
            "ev_loss_pct",
            "exploitability_pct",
        ];
        let texts = texts.into_iter().map(|name| Column::new(name, Text));
        texts.chain(numbers.into_iter().map(|name| Column::new(name, Number))).collect()
    }

    /// The cells of the row, in the order of the columns.
    pub fn cells(&self) -> Vec<TableCell> {
        let best = self.best.clone().unwrap_or_default();
        let texts = [
            &self.file,
            &self.hand,
            &self.player,
            &self.position,
            &self.opponent,
            &self.pot_type,
            &self.street,
            &self.board,
            &self.hole,
            &self.line,
            &self.played,
            &best,
            &self.solution,
            &self.link,
        ];
        let numbers = [
            Some(self.big_blind),
            Some(self.pot_bb),
            Some(self.to_call_bb),
            self.choices.map(|choices| choices as f64),
            self.frequency,
            self.ev_played_bb,
            self.ev_best_bb,
            self.ev_loss_bb,
            self.ev_loss_pct,
            self.exploitability_pct,
        ];
        let texts = texts.into_iter().map(|text| TableCell::Text(text.clone()));
        texts.chain(numbers.into_iter().map(TableCell::Number)).collect()
    }
}

/// The address of a point behind that of the web page.
fn link(solution: &str, line: &str) -> String {
    let query = if line.is_empty() { String::new() } else { format!("?line={}", address_part(line)) };
    format!("#/browse/{}{query}", address_part(solution))
}

/// A text as one part of an address of the web page.
pub fn address_part(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' => encoded.push(char::from(byte)),
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}
