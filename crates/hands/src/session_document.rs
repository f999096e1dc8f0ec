//! A session as JSON: an object for each hand, one for each part that cannot be read, and one for the session.

use crate::decision_row::DecisionRow;
use crate::hand_document::HandDocument;
use crate::session::{HandsSession, SessionError, SessionHand};
use crate::session_totals::SessionTotals;
use serde_json::{Value, json};

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
    let mut value = json!(HandDocument::of(session));
    value["schema"] = HANDS_SCHEMA.into();
    value["type"] = "hand".into();
    value
}

/// A part of a file that cannot be read.
pub fn error_document(error: &SessionError) -> Value {
    json!({
        "schema": HANDS_SCHEMA, "type": "error", "file": error.file, "line": error.error.line, "text": error.error.text,
        "message": error.error.message, "hand": error.error.hand,
    })
}

fn summary(session: &HandsSession, rows: &[DecisionRow]) -> Value {
    let own = session.own_ranges().into_iter();
    let own: Vec<Value> =
        own.map(|(name, hands)| json!({"name": name.to_string(), "hands": hands})).collect();
    json!({
        "schema": HANDS_SCHEMA, "type": "session", "hands": session.hands.len(), "spots": session.spots().len(),
        "solved": session.solved(), "missed": session.missed(), "left_out": session.left_out(), "errors": session.errors.len(),
        "repeated": session.repeated, "own_ranges": own, "totals": SessionTotals::of(rows),
    })
}
