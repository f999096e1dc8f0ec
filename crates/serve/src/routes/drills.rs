//! Drills: questions about solutions, answers, sessions.

use crate::api::drills::{
    DrillQuestion, DrillReply, DrillResults, DrillSession, DrillState, DrillVerdict, NewDrill, ReviewState,
};
use crate::app::App;
use crate::drill_questions;
use crate::drills::{KeptDrill, solution_at};
use crate::extract::{Body, Segment};
use crate::failure::ApiFailure;
use crate::kept_sessions::KeptSession;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list, start))
        .routes(routes!(review, start_review))
        .routes(routes!(show, remove))
        .routes(routes!(take_back))
        .routes(routes!(results))
        .routes(routes!(answer))
}

/// The solution that a session asks about next; none if nothing is left.
fn solution(drill: &KeptDrill) -> Result<Option<String>, ApiFailure> {
    match &drill.review {
        Some(keys) => {
            let place = usize::try_from(drill.hand).unwrap_or(usize::MAX);
            Ok(keys.get(place).map(|key| key.solution.clone()))
        }
        None => solution_at(drill).map(Some),
    }
}

/// Where a session stands. What it was to ask and cannot is skipped where there are others: a solution that is gone or damaged, or has
/// no such decision.
async fn state(app: &App, id: u32, mut drill: Arc<KeptDrill>) -> Result<DrillState, ApiFailure> {
    loop {
        let question = match question(app, &drill).await {
            Ok(question) => question,
            Err(failure) if drill.has_others() && failure.is_lasting() => {
                drill = app.work(move |app| app.drills.skip(id, &drill, &failure)).await?;
                continue;
            }
            Err(failure) => return Err(failure),
        };
        return Ok(DrillState { session: drill.session(id), question, skipped: drill.skipped.clone() });
    }
}

/// What a session asks next; none if nothing is left.
async fn question(app: &App, drill: &Arc<KeptDrill>) -> Result<Option<DrillQuestion>, ApiFailure> {
    let Some(solution) = solution(drill)? else { return Ok(None) };
    let saved = app.solutions.opened(&solution).await?;
    let drill = Arc::clone(drill);
    app.work(move |_| drill_questions::question(&saved, &solution, &drill)).await.map(Some)
}

/// The sessions in which something was answered, the last first.
#[utoipa::path(
    get, path = "/api/drills", tag = "drills", operation_id = "drills_list",
    responses((status = 200, body = Vec<DrillSession>))
)]
async fn list(State(app): State<App>) -> Result<Json<Vec<DrillSession>>, ApiFailure> {
    app.look(|app| Ok(app.drills.list())).await.map(Json)
}

/// Starts a drill, and asks its first question. The same settings on the same solutions ask the same.
#[utoipa::path(
    post, path = "/api/drills", tag = "drills", operation_id = "drills_start",
    request_body = NewDrill, responses((status = 201, body = DrillState))
)]
async fn start(
    State(app): State<App>,
    Body(NewDrill { solution, settings }): Body<NewDrill>,
) -> Result<(StatusCode, Json<DrillState>), ApiFailure> {
    let id = app.work(move |app| app.drills.start(&solution, &settings)).await?;
    begun(&app, id).await
}

/// The first question of a session, which is forgotten if it has none.
pub async fn begun(app: &App, id: u32) -> Result<(StatusCode, Json<DrillState>), ApiFailure> {
    match state(app, id, app.drills.get(id)?).await {
        Ok(state) => Ok((StatusCode::CREATED, Json(state))),
        Err(failure) => {
            app.drills.remove(id)?;
            Err(failure)
        }
    }
}

/// How much of what went wrong is to be asked again.
#[utoipa::path(
    get, path = "/api/drills/review", tag = "drills", operation_id = "drills_review",
    responses((status = 200, body = ReviewState))
)]
async fn review(State(app): State<App>) -> Result<Json<ReviewState>, ApiFailure> {
    app.look(|app| Ok(app.drills.review())).await.map(Json)
}

/// Asks again what went wrong and is due.
#[utoipa::path(
    post, path = "/api/drills/review", tag = "drills", operation_id = "drills_review_start",
    responses((status = 201, body = DrillState))
)]
async fn start_review(State(app): State<App>) -> Result<(StatusCode, Json<DrillState>), ApiFailure> {
    let id = app.work(|app| app.drills.start_review()).await?;
    begun(&app, id).await
}

/// What a session asks next.
#[utoipa::path(
    get, path = "/api/drills/{id}", tag = "drills", operation_id = "drills_show",
    params(("id" = u32, Path, description = "The number of the session")),
    responses((status = 200, body = DrillState))
)]
async fn show(State(app): State<App>, Segment(id): Segment<u32>) -> Result<Json<DrillState>, ApiFailure> {
    let drill = app.look(move |app| app.drills.get(id)).await?;
    state(&app, id, drill).await.map(Json)
}

/// Forgets a session, which can be taken back for a week. What went wrong in it is still asked again.
#[utoipa::path(
    delete, path = "/api/drills/{id}", tag = "drills", operation_id = "drills_remove",
    params(("id" = u32, Path, description = "The number of the session")),
    responses((status = 204, description = "It is gone"))
)]
async fn remove(State(app): State<App>, Segment(id): Segment<u32>) -> Result<StatusCode, ApiFailure> {
    app.remove(move |app| app.drills.remove(id)).await
}

/// Takes a session back that was forgotten.
#[utoipa::path(
    post, path = "/api/drills/{id}/restore", tag = "drills", operation_id = "drills_restore",
    params(("id" = u32, Path, description = "The number of the session")),
    responses((status = 200, body = DrillSession))
)]
async fn take_back(
    State(app): State<App>,
    Segment(id): Segment<u32>,
) -> Result<Json<DrillSession>, ApiFailure> {
    app.work(move |app| app.drills.take_back(id)).await.map(Json)
}

/// The answers of a session.
#[utoipa::path(
    get, path = "/api/drills/{id}/answers", tag = "drills", operation_id = "drills_answers",
    params(("id" = u32, Path, description = "The number of the session")),
    responses((status = 200, body = DrillResults))
)]
async fn results(
    State(app): State<App>,
    Segment(id): Segment<u32>,
) -> Result<Json<DrillResults>, ApiFailure> {
    let results = move |app: &App| {
        let drill = app.drills.get(id)?;
        Ok(DrillResults { session: drill.session(id), answers: drill.answers.clone() })
    };
    app.look(results).await.map(Json)
}

/// Answers the question that a session asks, and tells what that cost.
#[utoipa::path(
    post, path = "/api/drills/{id}/answers", tag = "drills", operation_id = "drills_answer",
    params(("id" = u32, Path, description = "The number of the session")),
    request_body = DrillReply, responses((status = 200, body = DrillVerdict))
)]
async fn answer(
    State(app): State<App>,
    Segment(id): Segment<u32>,
    Body(reply): Body<DrillReply>,
) -> Result<Json<DrillVerdict>, ApiFailure> {
    let drill = app.look(move |app| app.drills.get(id)).await?;
    drill.check(reply.decision)?;
    let missing = || ApiFailure::conflict("nothing is left to be asked again");
    let solution = solution(&drill)?.ok_or_else(missing)?;
    let saved = app.solutions.opened(&solution).await?;
    let verdict = app.work(move |app| {
        let graded = drill_questions::graded(&saved, &solution, &drill, &reply)?;
        let drill = app.drills.answer(id, reply.decision, graded.answer.clone(), graded.is_over())?;
        Ok(graded.verdict(drill.session(id)))
    });
    verdict.await.map(Json)
}
