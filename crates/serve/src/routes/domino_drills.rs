//! Drills of Texas 42: hands with one seat's dominoes seen, plays, sessions.

use crate::api::domino_drills::{
    DominoReply, DominoResults, DominoSession, DominoState, DominoVerdict, NewDominoDrill,
};
use crate::app::App;
use crate::domino_drills::{GradedPlay, KeptDominoDrill};
use crate::extract::{Body, Segment};
use crate::failure::ApiFailure;
use crate::kept_sessions::KeptSession;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use noregret_dominoes::Table;
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list, start))
        .routes(routes!(show, remove))
        .routes(routes!(take_back))
        .routes(routes!(results, answer))
}

/// The solved deal of the hand that a session plays.
async fn table(app: &App, kept: &KeptDominoDrill) -> Result<Arc<Table>, ApiFailure> {
    let (deal, declaration) = kept.drill()?.deal(kept.hand);
    app.tables.table(deal, declaration).await
}

async fn state(app: &App, id: u32, kept: Arc<KeptDominoDrill>) -> Result<DominoState, ApiFailure> {
    let table = table(app, &kept).await?;
    Ok(DominoState { session: kept.session(id), question: kept.question(&table)? })
}

/// The sessions in which something was played, the last first.
#[utoipa::path(
    get, path = "/api/forty-two/drills", tag = "forty-two", operation_id = "forty_two_drills_list",
    responses((status = 200, body = Vec<DominoSession>))
)]
async fn list(State(app): State<App>) -> Result<Json<Vec<DominoSession>>, ApiFailure> {
    app.look(|app| Ok(app.domino_drills.list())).await.map(Json)
}

/// Starts a drill of Texas 42, and asks for its first play. The same settings ask the same.
#[utoipa::path(
    post, path = "/api/forty-two/drills", tag = "forty-two", operation_id = "forty_two_drills_start",
    request_body = NewDominoDrill, responses((status = 201, body = DominoState))
)]
async fn start(
    State(app): State<App>,
    Body(NewDominoDrill { settings }): Body<NewDominoDrill>,
) -> Result<(StatusCode, Json<DominoState>), ApiFailure> {
    let (id, kept) = app
        .look(move |app| {
            let id = app.domino_drills.start(&settings)?;
            Ok((id, app.domino_drills.get(id)?))
        })
        .await?;
    state(&app, id, kept).await.map(|state| (StatusCode::CREATED, Json(state)))
}

/// What a session asks next.
#[utoipa::path(
    get, path = "/api/forty-two/drills/{id}", tag = "forty-two", operation_id = "forty_two_drills_show",
    params(("id" = u32, Path, description = "The number of the session")),
    responses((status = 200, body = DominoState))
)]
async fn show(State(app): State<App>, Segment(id): Segment<u32>) -> Result<Json<DominoState>, ApiFailure> {
    let kept = app.look(move |app| app.domino_drills.get(id)).await?;
    state(&app, id, kept).await.map(Json)
}

/// Forgets a session, which can be taken back for a week.
#[utoipa::path(
    delete, path = "/api/forty-two/drills/{id}", tag = "forty-two", operation_id = "forty_two_drills_remove",
    params(("id" = u32, Path, description = "The number of the session")),
    responses((status = 204, description = "It is gone"))
)]
async fn remove(State(app): State<App>, Segment(id): Segment<u32>) -> Result<StatusCode, ApiFailure> {
    app.remove(move |app| app.domino_drills.remove(id)).await
}

/// Takes a session back that was forgotten.
#[utoipa::path(
    post, path = "/api/forty-two/drills/{id}/restore", tag = "forty-two", operation_id = "forty_two_drills_restore",
    params(("id" = u32, Path, description = "The number of the session")),
    responses((status = 200, body = DominoSession))
)]
async fn take_back(
    State(app): State<App>,
    Segment(id): Segment<u32>,
) -> Result<Json<DominoSession>, ApiFailure> {
    app.work(move |app| app.domino_drills.take_back(id)).await.map(Json)
}

/// The plays of a session.
#[utoipa::path(
    get, path = "/api/forty-two/drills/{id}/answers", tag = "forty-two", operation_id = "forty_two_drills_answers",
    params(("id" = u32, Path, description = "The number of the session")),
    responses((status = 200, body = DominoResults))
)]
async fn results(
    State(app): State<App>,
    Segment(id): Segment<u32>,
) -> Result<Json<DominoResults>, ApiFailure> {
    let results = move |app: &App| {
        let kept = app.domino_drills.get(id)?;
        Ok(DominoResults { session: kept.session(id), answers: kept.answers.clone() })
    };
    app.look(results).await.map(Json)
}

/// Plays a domino where a session asks for it, and tells what that gave away: in the deal as it is, and as far as it could be known.
#[utoipa::path(
    post, path = "/api/forty-two/drills/{id}/answers", tag = "forty-two", operation_id = "forty_two_drills_answer",
    params(("id" = u32, Path, description = "The number of the session")),
    request_body = DominoReply, responses((status = 200, body = DominoVerdict))
)]
async fn answer(
    State(app): State<App>,
    Segment(id): Segment<u32>,
    Body(reply): Body<DominoReply>,
) -> Result<Json<DominoVerdict>, ApiFailure> {
    let kept = app.look(move |app| app.domino_drills.get(id)).await?;
    kept.check(reply.decision)?;
    let table = table(&app, &kept).await?;
    let own = app.clone();
    let verdict = app.patient.run(move || {
        let graded = GradedPlay::new(&table, &kept, &reply)?;
        let kept = own.domino_drills.answer(id, &reply, &graded)?;
        Ok(graded.verdict(kept.session(id)))
    });
    verdict.await.map(Json)
}
