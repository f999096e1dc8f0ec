//! Hands that were played.

use crate::api::drills::DrillState;
use crate::api::hands::{HandsReport, HandsSessionInfo, NewHands, SessionRange};
use crate::api::ranges::RangeToSave;
use crate::app::App;
use crate::extract::{Body, Segment};
use crate::failure::ApiFailure;
use crate::routes::{drills::begun, ranges};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use noregret_hands::HandDocument;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list, add))
        .routes(routes!(show, remove))
        .routes(routes!(take_back))
        .routes(routes!(hand))
        .routes(routes!(list_ranges))
        .routes(routes!(set_range, reset_range))
        .routes(routes!(solve))
        .routes(routes!(stop))
        .routes(routes!(drill))
}

/// Does some work on sessions where nobody waits for it who wants something quick: solutions are read for it.
async fn patiently<T: Send + 'static>(
    app: &App,
    work: impl FnOnce(&App) -> Result<T, ApiFailure> + Send + 'static,
) -> Result<T, ApiFailure> {
    let own = app.clone();
    app.patient.run(move || work(&own)).await
}

/// The sessions of hands that are kept, the last first.
#[utoipa::path(
    get, path = "/api/hands", tag = "hands", operation_id = "hands_list",
    responses((status = 200, body = Vec<HandsSessionInfo>))
)]
async fn list(State(app): State<App>) -> Result<Json<Vec<HandsSessionInfo>>, ApiFailure> {
    app.work(|app| app.hands.list()).await.map(Json)
}

/// Reads hand histories and keeps them as a session. Each hand whose flop two players saw becomes a spot.
#[utoipa::path(
    post, path = "/api/hands", tag = "hands", operation_id = "hands_add",
    request_body = NewHands, responses((status = 201, body = HandsReport))
)]
async fn add(
    State(app): State<App>,
    Body(hands): Body<NewHands>,
) -> Result<(StatusCode, Json<HandsReport>), ApiFailure> {
    let report = patiently(&app, move |app| app.hands.add(hands)).await?;
    Ok((StatusCode::CREATED, Json(report)))
}

/// A session: its hands, what could not be read, and what the decisions cost as far as they are solved.
#[utoipa::path(
    get, path = "/api/hands/{id}", tag = "hands", operation_id = "hands_show",
    params(("id" = u32, Path, description = "The number of the session")),
    responses((status = 200, body = HandsReport))
)]
async fn show(State(app): State<App>, Segment(id): Segment<u32>) -> Result<Json<HandsReport>, ApiFailure> {
    patiently(&app, move |app| app.hands.report(id)).await.map(Json)
}

/// Forgets a session and stops its solves; it can be taken back for a week. Its solutions stay in the library.
#[utoipa::path(
    delete, path = "/api/hands/{id}", tag = "hands", operation_id = "hands_remove",
    params(("id" = u32, Path, description = "The number of the session")),
    responses((status = 204, description = "It is gone"))
)]
async fn remove(State(app): State<App>, Segment(id): Segment<u32>) -> Result<StatusCode, ApiFailure> {
    app.remove(move |app| app.hands.remove(id)).await
}

/// Takes a session back that was forgotten.
#[utoipa::path(
    post, path = "/api/hands/{id}/restore", tag = "hands", operation_id = "hands_restore",
    params(("id" = u32, Path, description = "The number of the session")),
    responses((status = 200, body = HandsSessionInfo))
)]
async fn take_back(
    State(app): State<App>,
    Segment(id): Segment<u32>,
) -> Result<Json<HandsSessionInfo>, ApiFailure> {
    app.work(move |app| app.hands.take_back(id)).await.map(Json)
}

/// A hand: who played, what was done step by step, what is solved for it, and what its decisions cost.
#[utoipa::path(
    get, path = "/api/hands/{id}/hands/{number}", tag = "hands", operation_id = "hands_hand",
    params(
        ("id" = u32, Path, description = "The number of the session"),
        ("number" = u32, Path, description = "The number of the hand in the session, from 0")
    ),
    responses((status = 200, body = HandDocument))
)]
async fn hand(
    State(app): State<App>,
    Segment((id, number)): Segment<(u32, u32)>,
) -> Result<Json<HandDocument>, ApiFailure> {
    patiently(&app, move |app| app.hands.hand(id, number as usize)).await.map(Json)
}

/// The ranges of a session: those that its hands take, and its own.
#[utoipa::path(
    get, path = "/api/hands/{id}/ranges", tag = "hands", operation_id = "hands_ranges",
    params(("id" = u32, Path, description = "The number of the session")),
    responses((status = 200, body = Vec<SessionRange>))
)]
async fn list_ranges(
    State(app): State<App>,
    Segment(id): Segment<u32>,
) -> Result<Json<Vec<SessionRange>>, ApiFailure> {
    patiently(&app, move |app| app.hands.ranges(id)).await.map(Json)
}

/// Puts a range in the place of that of the charts, for all hands of a session that take it: their spots are others then, and are
/// solved anew.
#[utoipa::path(
    put, path = "/api/hands/{id}/ranges/{name}", tag = "hands", operation_id = "hands_set_range",
    params(
        ("id" = u32, Path, description = "The number of the session"),
        ("name" = String, Path, description = "Like `BTN opens, 6-max, 100 bb`", max_length = 100)
    ),
    request_body = RangeToSave, responses((status = 200, body = HandsSessionInfo))
)]
async fn set_range(
    State(app): State<App>,
    Segment((id, name)): Segment<(u32, String)>,
    Body(range): Body<RangeToSave>,
) -> Result<Json<HandsSessionInfo>, ApiFailure> {
    let range = ranges::read(&range.text)?;
    patiently(&app, move |app| app.hands.set_range(id, &name, Some(range))).await.map(Json)
}

/// Takes the range of the charts again.
#[utoipa::path(
    delete, path = "/api/hands/{id}/ranges/{name}", tag = "hands", operation_id = "hands_reset_range",
    params(
        ("id" = u32, Path, description = "The number of the session"),
        ("name" = String, Path, description = "Like `BTN opens, 6-max, 100 bb`", max_length = 100)
    ),
    responses((status = 200, body = HandsSessionInfo))
)]
async fn reset_range(
    State(app): State<App>,
    Segment((id, name)): Segment<(u32, String)>,
) -> Result<Json<HandsSessionInfo>, ApiFailure> {
    patiently(&app, move |app| app.hands.set_range(id, &name, None)).await.map(Json)
}

/// Solves the spots of a session that are not in the library yet, one after another in the queue of solves.
#[utoipa::path(
    post, path = "/api/hands/{id}/solve", tag = "hands", operation_id = "hands_solve",
    params(("id" = u32, Path, description = "The number of the session")),
    responses((status = 200, body = HandsSessionInfo))
)]
async fn solve(
    State(app): State<App>,
    Segment(id): Segment<u32>,
) -> Result<Json<HandsSessionInfo>, ApiFailure> {
    patiently(&app, move |app| app.hands.solve(id)).await.map(Json)
}

/// Stops the solves of a session; what is solved stays, and it can go on.
#[utoipa::path(
    post, path = "/api/hands/{id}/stop", tag = "hands", operation_id = "hands_stop",
    params(("id" = u32, Path, description = "The number of the session")),
    responses((status = 200, body = HandsSessionInfo))
)]
async fn stop(
    State(app): State<App>,
    Segment(id): Segment<u32>,
) -> Result<Json<HandsSessionInfo>, ApiFailure> {
    app.work(move |app| app.hands.stop(id)).await.map(Json)
}

/// Starts a drill that asks the costly decisions of a session again, the costliest first.
#[utoipa::path(
    post, path = "/api/hands/{id}/drill", tag = "hands", operation_id = "hands_drill",
    params(("id" = u32, Path, description = "The number of the session")),
    responses((status = 201, body = DrillState))
)]
async fn drill(
    State(app): State<App>,
    Segment(id): Segment<u32>,
) -> Result<(StatusCode, Json<DrillState>), ApiFailure> {
    let drill = patiently(&app, move |app| {
        let (name, keys) = app.hands.costly(id)?;
        app.drills.start_on(name, keys)
    });
    let id = drill.await?;
    begun(&app, id).await
}
