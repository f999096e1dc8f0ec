//! A hand as programs read it: who played, what was done, what is solved for it, and what its decisions cost.

use crate::decision_row::DecisionRow;
use crate::hand_draft::GameStakes;
use crate::hand_spot::HandSpot;
use crate::money::Money;
use crate::played_hand::PlayedHand;
use crate::session::{SessionHand, SolvedHand};
use noregret_holdem::Player;
use serde::Serialize;

/// A hand of a session. Money is in the currency of the hand.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct HandDocument {
    /// The name of the history.
    pub file: String,
    /// The number of the hand.
    pub hand: String,
    /// `PokerStars`, `GGPoker` or `PHH`.
    pub source: String,
    /// The line of the history that it begins at.
    pub line: u32,
    /// When it was played, as the history has it.
    pub time: String,
    /// The name of the table.
    pub table: String,
    /// The tournament; null in cash games.
    #[cfg_attr(feature = "schema", schema(required))]
    pub tournament: Option<String>,
    /// A code like `USD`; `chips` in tournaments, `play` or `other`.
    pub currency: String,
    /// The small blind.
    pub small_blind: f64,
    /// The big blind.
    pub big_blind: f64,
    /// The public cards.
    pub board: String,
    /// The position of whoever is dealt cards that are shown; null if nobody is.
    #[cfg_attr(feature = "schema", schema(required))]
    pub hero: Option<String>,
    /// The whole pot, before the rake.
    pub pot: f64,
    /// What the house took.
    pub rake: f64,
    /// Who was dealt in, in the order of action before the flop.
    pub players: Vec<HandPlayer>,
    /// Antes and blinds.
    pub posts: Vec<HandPost>,
    /// What was done.
    pub actions: Vec<HandAction>,
    /// What is solved for it; absent if nothing is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub spot: Option<SpotDocument>,
    /// Why nothing is solved for it; absent if something is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub left_out: Option<HandLeftOut>,
    /// The decisions after the flop of those who are looked at.
    pub decisions: Vec<DecisionRow>,
    /// The solution that was read; absent if none was.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub solution: Option<HandSolution>,
}

/// Somebody who was dealt in.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct HandPlayer {
    /// The number of the seat.
    pub seat: u8,
    /// The name.
    pub name: String,
    /// The place at the table, like `BTN`.
    pub position: String,
    /// What the player has before the hand.
    pub stack: f64,
    /// What the player has after it.
    pub final_stack: f64,
    /// What the player gets of the pot.
    pub collected: f64,
    /// The cards; null where they are not known.
    #[cfg_attr(feature = "schema", schema(required))]
    pub hole: Option<String>,
}

/// An ante or a blind.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct HandPost {
    /// Who posts it.
    pub position: String,
    /// `ante`, `small blind`, `big blind`, `straddle` or `dead blind`.
    pub kind: String,
    /// How much.
    pub amount: f64,
}

/// Something that was done.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct HandAction {
    /// Who acts.
    pub position: String,
    /// `preflop`, `flop`, `turn` or `river`.
    pub street: String,
    /// `fold`, `check`, `call`, `bet` or `raise`.
    pub action: String,
    /// What is put in.
    pub added: f64,
    /// What the player has put in on the street after it.
    pub to: f64,
    /// Whether nothing is left.
    pub all_in: bool,
    /// The chips in the middle before it.
    pub pot: f64,
    /// What there was to call.
    pub to_call: f64,
    /// What the player has before it.
    pub stack: f64,
    /// The line of the history.
    pub line: u32,
}

/// What is solved for a hand.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SpotDocument {
    /// The name of its solution: equal for equal spots.
    pub name: String,
    /// `single-raised`, `3-bet`, `4-bet` or `limped`.
    pub pot_type: String,
    /// The pot on the flop, in big blinds.
    pub pot_bb: f64,
    /// The smaller stack on the flop, in big blinds.
    pub stack_bb: f64,
    /// Both players.
    pub players: SpotSides,
    /// What the spot takes otherwise than it was.
    pub notes: Vec<String>,
    /// What was played from the flop on.
    pub line: String,
    /// The spec as text, to be edited.
    pub spec: String,
}

/// Both players of a spot.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SpotSides {
    /// Who acts first.
    pub oop: SpotSide,
    /// Who acts last.
    pub ip: SpotSide,
}

/// A player of a spot.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SpotSide {
    /// The place at the table.
    pub position: String,
    /// Which range of the charts it is.
    pub source: String,
    /// Whether it is one's own, in the place of that of the charts.
    pub own: bool,
    /// The range.
    pub range: String,
}

/// Why nothing is solved for a hand.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct HandLeftOut {
    /// `preflop`, `multiway`, `all-in`, `no-decision`, `no-range`, `too-large` or `spec`.
    pub reason: String,
    /// The same in a sentence.
    pub message: String,
}

/// The solution that was read.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct HandSolution {
    /// Its name.
    pub name: String,
    /// How exploitable it is, in percent of the pot on the flop; null if that was not measured.
    #[cfg_attr(feature = "schema", schema(required))]
    pub exploitability_pct: Option<f64>,
    /// A hash of its strategies.
    pub strategy_digest: String,
    /// What was played from the flop on, as its tree has it.
    pub line: String,
}

impl HandDocument {
    /// The document of a hand.
    pub fn of(session: &SessionHand) -> Self {
        let hand = &session.hand;
        let number = |amount: Money| hand.unit().number(amount);
        let position = |seat: usize| hand.seats()[seat].position.to_string();
        let players = hand.seats().iter().map(|seat| HandPlayer {
            seat: seat.number,
            name: seat.name.clone(),
            position: seat.position.to_string(),
            stack: number(seat.stack),
            final_stack: number(seat.final_stack),
            collected: number(seat.collected),
            hole: seat.hole.map(|hole| hole.to_string()),
        });
        let posts = hand.posts().iter().map(|post| HandPost {
            position: position(post.seat),
            kind: post.kind.to_string(),
            amount: number(post.amount),
        });
        let actions = hand.actions().iter().map(|action| HandAction {
            position: position(action.seat),
            street: action.street.to_string(),
            action: action.action.to_string(),
            added: number(action.added),
            to: number(action.to),
            all_in: action.is_all_in,
            pot: number(action.pot),
            to_call: number(action.to_call),
            stack: number(action.stack),
            line: action.line,
        });
        Self {
            file: session.file.clone(),
            hand: hand.id().to_owned(),
            source: hand.source().to_string(),
            line: hand.first_line(),
            time: hand.time().to_owned(),
            table: hand.table().to_owned(),
            tournament: match hand.stakes() {
                GameStakes::Cash => None,
                GameStakes::Tournament(name) => Some(name.clone()),
            },
            currency: hand.unit().currency.code().to_owned(),
            small_blind: number(hand.blinds()[0]),
            big_blind: number(hand.blinds()[1]),
            board: hand.board().iter().map(ToString::to_string).collect(),
            hero: hand.hero().map(position),
            pot: number(hand.pot()),
            rake: number(hand.rake()),
            players: players.collect(),
            posts: posts.collect(),
            actions: actions.collect(),
            spot: session.spot.as_ref().ok().map(|spot| SpotDocument::of(hand, spot)),
            left_out: session
                .spot
                .as_ref()
                .err()
                .map(|reason| HandLeftOut { reason: reason.word().to_owned(), message: reason.to_string() }),
            decisions: DecisionRow::of_hand(session),
            solution: session.solved.as_ref().map(HandSolution::of),
        }
    }
}

impl SpotDocument {
    fn of(hand: &PlayedHand, spot: &HandSpot) -> Self {
        let [oop, ip] = Player::BOTH.map(|player| {
            let (seat, choice) = (&hand.seats()[spot.seats[player.index()]], &spot.ranges[player.index()]);
            SpotSide {
                position: seat.position.to_string(),
                source: choice.source.to_string(),
                own: choice.is_own,
                range: choice.range.to_string(),
            }
        });
        Self {
            name: spot.name(),
            pot_type: spot.pot_type.to_string(),
            pot_bb: hand.big_blinds(spot.pot),
            stack_bb: hand.big_blinds(spot.stack),
            players: SpotSides { oop, ip },
            notes: spot.notes.clone(),
            line: spot.line.to_string(),
            spec: spot.toml.clone(),
        }
    }
}

impl HandSolution {
    fn of(solved: &SolvedHand) -> Self {
        Self {
            name: solved.name.clone(),
            exploitability_pct: solved.exploitability_pct,
            strategy_digest: solved.digest.clone(),
            line: solved.line.to_string(),
        }
    }
}
