//! Ranges: text to hands and back, and a list of saved ones.

use crate::api::common::{RequestProblem, TextPosition};
use crate::api::ranges::{
    HandList, PrintedRange, RangeHands, RangeText, RangeToSave, SavedRange, WeighedHand,
};
use crate::app::App;
use crate::extract::{Body, Segment};
use crate::failure::ApiFailure;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use noregret_cards::{Board, CardSet, Hole, ParseRangeError, Range};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The longest text of a range, in bytes: far more than 1,326 hands with their weights.
const MAX_TEXT: usize = 100_000;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(parse))
        .routes(routes!(print))
        .routes(routes!(list))
        .routes(routes!(save, remove))
}

/// A range that somebody sends.
pub fn read(text: &str) -> Result<Range, ApiFailure> {
    if text.len() > MAX_TEXT {
        return Err(ApiFailure::field("text", format!("a range is no longer than {MAX_TEXT} bytes")));
    }
    if text.trim().is_empty() {
        return Ok(Range::default());
    }
    text.parse().map_err(|ParseRangeError { span, message }| {
        let units = |piece: Option<&str>| piece.map_or(0, |piece| piece.encode_utf16().count());
        let before = text.get(..span.start).map(|before| before.rsplit('\n').next().unwrap_or_default());
        let line = text.get(..span.start).map_or(1, |before| before.matches('\n').count() + 1);
        let position = TextPosition {
            line,
            column: units(before) + 1,
            length: units(text.get(span)),
            message: message.clone(),
        };
        ApiFailure::problem(RequestProblem {
            message: format!("text: {message}"),
            field: Some("text".to_owned()),
            help: None,
            positions: vec![position],
        })
    })
}

/// The cards of a board with any number of them.
fn dead(board: &str) -> Result<CardSet, ApiFailure> {
    if board.trim().is_empty() {
        return Ok(CardSet::default());
    }
    board.parse::<Board>().map(|board| board.set()).map_err(|error| ApiFailure::field("board", error))
}

fn combos(range: &Range) -> f64 {
    range.iter().map(|(_, weight)| f64::from(weight)).sum()
}

/// A weight as people write it: 0.1 and not 0.10000000149.
fn weight(weight: f32) -> f64 {
    weight.to_string().parse().unwrap_or(f64::from(weight))
}

/// Reads a range.
#[utoipa::path(
    post, path = "/api/ranges/parse", tag = "ranges", operation_id = "ranges_parse",
    request_body = RangeText, responses((status = 200, body = RangeHands))
)]
async fn parse(Body(question): Body<RangeText>) -> Result<Json<RangeHands>, ApiFailure> {
    let range = read(&question.text)?;
    let dead = dead(question.board.as_deref().unwrap_or_default())?;
    let mut possible = Range::default();
    for (hole, weight) in range.iter().filter(|(hole, _)| !hole.set().intersects(dead)) {
        possible.set(hole, weight).map_err(|error| ApiFailure::field("text", error))?;
    }
    let hands = possible.iter().map(|(hole, w)| WeighedHand { hand: hole.to_string(), weight: weight(w) });
    Ok(Json(RangeHands { hands: hands.collect(), combos: combos(&possible), text: possible.to_string() }))
}

/// Writes hands as a range.
#[utoipa::path(
    post, path = "/api/ranges/print", tag = "ranges", operation_id = "ranges_print",
    request_body = HandList, responses((status = 200, body = PrintedRange))
)]
async fn print(Body(list): Body<HandList>) -> Result<Json<PrintedRange>, ApiFailure> {
    let mut range = Range::default();
    for (i, WeighedHand { hand, weight }) in list.hands.iter().enumerate() {
        let hole: Hole =
            hand.parse().map_err(|error| ApiFailure::field(&format!("hands[{i}].hand"), error))?;
        let set = range.set(hole, *weight as f32);
        set.map_err(|error| ApiFailure::field(&format!("hands[{i}].weight"), error))?;
    }
    Ok(Json(PrintedRange { text: range.to_string(), combos: combos(&range) }))
}

/// The saved ranges, by name.
#[utoipa::path(
    get, path = "/api/ranges", tag = "ranges", operation_id = "ranges_list",
    responses((status = 200, body = Vec<SavedRange>))
)]
async fn list(State(app): State<App>) -> Json<Vec<SavedRange>> {
    Json(app.ranges.list())
}

/// Saves a range under a name.
#[utoipa::path(
    put, path = "/api/ranges/{name}", tag = "ranges", operation_id = "ranges_save",
    params(("name" = String, Path, description = "The name of the range", max_length = 100)),
    request_body = RangeToSave, responses((status = 200, body = SavedRange))
)]
async fn save(
    State(app): State<App>,
    Segment(name): Segment<String>,
    Body(range): Body<RangeToSave>,
) -> Result<Json<SavedRange>, ApiFailure> {
    read(&range.text)?;
    app.work(move |app| app.ranges.save(&name, &range.text)).await.map(Json)
}

/// Forgets a saved range.
#[utoipa::path(
    delete, path = "/api/ranges/{name}", tag = "ranges", operation_id = "ranges_remove",
    params(("name" = String, Path, description = "The name of the range", max_length = 100)),
    responses((status = 204, description = "It is gone"))
)]
async fn remove(State(app): State<App>, Segment(name): Segment<String>) -> Result<StatusCode, ApiFailure> {
    app.remove(move |app| app.ranges.remove(&name)).await
}
