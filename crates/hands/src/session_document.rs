//! A session as JSON: an object for each hand, one for each part that cannot be read, and one for the session.

use crate::decision_row::DecisionRow;
use crate::hand_draft::GameStakes;
use crate::hand_spot::HandSpot;
use crate::money::Money;
use crate::played_hand::PlayedHand;
use crate::session::{HandsSession, SessionError, SessionHand};
use crate::session_totals::SessionTotals;
use noregret_holdem::Player;
use noregret_report::player_name;
use serde_json::{Map, Value, json};

/// The version of the schema.
pub const HANDS_SCHEMA: u32 = 1;

/// The objects of a session, in order.
pub fn session_documents(session: &HandsSession) -> Vec<Value> {
    let rows = DecisionRow::of_session(session);
    let hands = session.hands.iter().map(hand_document);
    let errors = session.errors.iter().map(error_document);
    hands.chain(errors).chain([summary(session, &rows)]).collect()
}

/// A hand: who played, what was done, what is solved for it, and what its decisions cost.
pub fn hand_document(session: &SessionHand) -> Value {
    let hand = &session.hand;
    let mut value = hand_value(hand);
    value["file"] = session.file.as_str().into();
    match &session.spot {
        Ok(spot) => value["spot"] = spot_value(hand, spot),
        Err(reason) => value["left_out"] = json!({"reason": reason.word(), "message": reason.to_string()}),
    }
    value["decisions"] = json!(DecisionRow::of_hand(session));
    if let Some(solved) = &session.solved {
        value["solution"] = json!({
            "name": solved.name, "exploitability_pct": solved.exploitability_pct, "strategy_digest": solved.digest,
        });
    }
    value
}

fn hand_value(hand: &PlayedHand) -> Value {
    let number = |amount: Money| hand.unit().number(amount);
    let cards: Vec<String> = hand.board().iter().map(ToString::to_string).collect();
    let seats = hand.seats().iter().map(|seat| {
        json!({
            "seat": seat.number, "name": seat.name, "position": seat.position.to_string(), "stack": number(seat.stack),
            "final_stack": number(seat.final_stack), "collected": number(seat.collected),
            "hole": seat.hole.map(|hole| hole.to_string()),
        })
    });
    let posts = hand.posts().iter().map(|post| {
        json!({
            "position": hand.seats()[post.seat].position.to_string(), "kind": post.kind.to_string(),
            "amount": number(post.amount),
        })
    });
    let actions = hand.actions().iter().map(|action| {
        json!({
            "position": hand.seats()[action.seat].position.to_string(), "street": action.street.to_string(),
            "action": action.action.to_string(), "added": number(action.added), "to": number(action.to),
            "all_in": action.is_all_in, "pot": number(action.pot), "to_call": number(action.to_call),
            "stack": number(action.stack), "line": action.line,
        })
    });
    let tournament = match hand.stakes() {
        GameStakes::Cash => None,
        GameStakes::Tournament(name) => Some(name),
    };
    json!({
        "schema": HANDS_SCHEMA, "type": "hand", "hand": hand.id(), "source": hand.source().to_string(),
        "line": hand.first_line(), "time": hand.time(), "table": hand.table(), "tournament": tournament,
        "currency": hand.unit().currency.code(), "small_blind": number(hand.blinds()[0]),
        "big_blind": number(hand.blinds()[1]), "board": cards.concat(),
        "hero": hand.hero().map(|hero| hand.seats()[hero].position.to_string()),
        "pot": number(hand.pot()), "rake": number(hand.rake()), "players": seats.collect::<Vec<_>>(),
        "posts": posts.collect::<Vec<_>>(), "actions": actions.collect::<Vec<_>>(),
    })
}

fn spot_value(hand: &PlayedHand, spot: &HandSpot) -> Value {
    let sides: Map<String, Value> = Player::BOTH
        .iter()
        .map(|player| {
            let (seat, choice) = (&hand.seats()[spot.seats[player.index()]], &spot.ranges[player.index()]);
            let value = json!({
                "position": seat.position.to_string(), "source": choice.source, "range": choice.range.to_string(),
            });
            (player_name(*player).to_owned(), value)
        })
        .collect();
    json!({
        "name": spot.name(), "pot_type": spot.pot_type.to_string(), "pot_bb": hand.big_blinds(spot.pot),
        "stack_bb": hand.big_blinds(spot.stack), "players": sides, "notes": spot.notes, "line": spot.line.to_string(),
        "spec": spot.toml,
    })
}

/// A part of a file that cannot be read.
pub fn error_document(error: &SessionError) -> Value {
    json!({
        "schema": HANDS_SCHEMA, "type": "error", "file": error.file, "line": error.error.line, "text": error.error.text,
        "message": error.error.message, "hand": error.error.hand,
    })
}

fn summary(session: &HandsSession, rows: &[DecisionRow]) -> Value {
    let totals = SessionTotals::of(rows);
    let solved = session.hands.iter().filter(|hand| hand.solved.is_some()).count();
    json!({
        "schema": HANDS_SCHEMA, "type": "session", "hands": session.hands.len(), "spots": session.spots().len(),
        "solved": solved, "left_out": session.hands.iter().filter(|hand| hand.spot.is_err()).count(),
        "errors": session.errors.len(), "repeated": session.repeated, "totals": totals,
    })
}
