//! A point as JSON.

use super::cards::CardsTable;
use super::point::InspectedPoint;
use noregret_holdem::Player;
use noregret_holdem::cards::HandClass;
use noregret_report::{
    ActionDocument, HandLine, MadeLine, NodeSummary, class_lines, hand_lines, made_lines, player_name,
};
use serde_json::{Map, Value, json};

/// Everything about a point: both players, the actions, the matrix; hands and cards where they are asked for.
pub fn point(point: &InspectedPoint<'_>, hands: Option<&[HandLine]>, cards: Option<&CardsTable>) -> Value {
    let InspectedPoint { view, line, player, saved, .. } = point;
    let mut value = summary(&point.summary);
    let object = match &mut value {
        Value::Object(object) => object,
        _ => return value,
    };
    object.insert("unit".to_owned(), saved.spec().spot.options().unit.name().into());
    object.insert("line".to_owned(), line.to_string().into());
    object.insert("colon".to_owned(), line.colon().into());
    object.insert("shown".to_owned(), player_name(*player).into());
    let all = hand_lines(saved.game(), view, *player);
    object.insert("matrix".to_owned(), matrix(point, &all));
    object.insert("classes".to_owned(), classes(point, &all));
    if let Some(hands) = hands {
        object.insert("hands".to_owned(), hands.iter().map(|line| hand(point, line)).collect());
    }
    if let Some(cards) = cards {
        let next = cards.cards.iter().map(|next| {
            let mut value = next.summary.as_ref().map_or_else(|| json!({}), summary);
            value["card"] = next.card.to_string().into();
            value
        });
        object.insert("cards".to_owned(), next.collect());
    }
    value
}

fn summary(summary: &NodeSummary) -> Value {
    let actions: Vec<ActionDocument> = summary.actions.iter().map(ActionDocument::from).collect();
    let players: Map<String, Value> = Player::BOTH
        .iter()
        .map(|player| (player_name(*player).to_owned(), json!(summary.players[player.index()])))
        .collect();
    json!({
        "board": summary.board.to_string(),
        "player": summary.player.map(player_name),
        "pot": summary.pot,
        "matchups": summary.matchups,
        "players": players,
        "actions": actions,
    })
}

/// The cells of the matrix that the range has, by name.
fn matrix(point: &InspectedPoint<'_>, lines: &[HandLine]) -> Value {
    let cells = class_lines(point.saved.game(), lines, point.player);
    let named = HandClass::all().zip(cells).filter(|(_, cell)| cell.possible > 0.0);
    let cells: Map<String, Value> = named
        .map(|(class, cell)| {
            let value = json!({
                "combos": cell.combos, "possible": cell.possible, "strategy": cell.strategy,
                "ev": cell.ev, "equity": cell.equity,
            });
            (class.to_string(), value)
        })
        .collect();
    cells.into()
}

/// What the hands make of the board, strongest first.
fn classes(point: &InspectedPoint<'_>, lines: &[HandLine]) -> Value {
    let total = |MadeLine { made, share, line }: &MadeLine| {
        json!({
            "made": made.name(), "combos": line.combos, "share": share, "strategy": line.strategy,
            "ev": line.ev, "equity": line.equity,
        })
    };
    made_lines(point.saved.game(), lines, point.player).iter().map(total).collect()
}

fn hand(point: &InspectedPoint<'_>, line: &HandLine) -> Value {
    json!({
        "hand": line.hole.to_string(), "player": player_name(point.player), "made": line.made.name(), "draws": line.draw_names(),
        "gets_here": line.is_here(), "reach": line.reach, "share": line.share, "ev": line.ev, "equity": line.equity,
        "strategy": line.strategy, "action_evs": line.action_evs,
    })
}
