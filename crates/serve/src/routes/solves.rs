//! Solves: start, watch, stop, go on.

use crate::api::solves::{JobState, NewSolve, ResumeSolve, SolveStatus};
use crate::app::App;
use crate::extract::{Body, Segment};
use crate::failure::ApiFailure;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, watch};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Events come no more often than this.
const BETWEEN_EVENTS: Duration = Duration::from_millis(200);

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(start, list))
        .routes(routes!(show, forget))
        .routes(routes!(take_back))
        .routes(routes!(events))
        .routes(routes!(stop))
        .routes(routes!(look))
        .routes(routes!(resume))
}

/// Queues a solve.
#[utoipa::path(
    post, path = "/api/solves", tag = "solves", operation_id = "solves_start",
    request_body = NewSolve, responses((status = 201, body = SolveStatus))
)]
async fn start(
    State(app): State<App>,
    Body(solve): Body<NewSolve>,
) -> Result<(StatusCode, Json<SolveStatus>), ApiFailure> {
    let job = app.work(move |app| app.jobs.start(solve)).await?;
    Ok((StatusCode::CREATED, Json(job)))
}

/// All solves, newest first, without their measurements.
#[utoipa::path(
    get, path = "/api/solves", tag = "solves", operation_id = "solves_list", responses((status = 200, body = Vec<SolveStatus>))
)]
async fn list(State(app): State<App>) -> Result<Json<Vec<SolveStatus>>, ApiFailure> {
    app.look(|app| Ok(app.jobs.list())).await.map(Json)
}

/// A solve with all its measurements.
#[utoipa::path(
    get, path = "/api/solves/{id}", tag = "solves", operation_id = "solves_show",
    params(("id" = String, Path, description = "The id of the solve", max_length = 20)),
    responses((status = 200, body = SolveStatus))
)]
async fn show(State(app): State<App>, Segment(id): Segment<String>) -> Result<Json<SolveStatus>, ApiFailure> {
    app.look(move |app| app.jobs.job(&id, None)).await.map(Json)
}

/// Forgets a solve; its solution stays. One that runs is stopped and gone; another can be taken back for a week, with its checkpoint.
#[utoipa::path(
    delete, path = "/api/solves/{id}", tag = "solves", operation_id = "solves_forget",
    params(("id" = String, Path, description = "The id of the solve", max_length = 20)),
    responses((status = 204, description = "It is gone"))
)]
async fn forget(State(app): State<App>, Segment(id): Segment<String>) -> Result<StatusCode, ApiFailure> {
    app.remove(move |app| app.jobs.forget(&id)).await
}

/// Takes a solve back that was forgotten.
#[utoipa::path(
    post, path = "/api/solves/{id}/restore", tag = "solves", operation_id = "solves_restore",
    params(("id" = String, Path, description = "The id of the solve", max_length = 20)),
    responses((status = 200, body = SolveStatus))
)]
async fn take_back(
    State(app): State<App>,
    Segment(id): Segment<String>,
) -> Result<Json<SolveStatus>, ApiFailure> {
    app.work(move |app| app.jobs.take_back(&id)).await.map(Json)
}

/// Stops a solve: what there is so far is saved, and it can go on.
#[utoipa::path(
    post, path = "/api/solves/{id}/stop", tag = "solves", operation_id = "solves_stop",
    params(("id" = String, Path, description = "The id of the solve", max_length = 20)),
    responses((status = 200, body = SolveStatus))
)]
async fn stop(State(app): State<App>, Segment(id): Segment<String>) -> Result<Json<SolveStatus>, ApiFailure> {
    app.work(move |app| app.jobs.stop(&id)).await.map(Json)
}

/// Saves what a solve has so far after its next iteration, to be looked at like any other solution: `solution` and
/// `solution_iteration` say where it is.
#[utoipa::path(
    post, path = "/api/solves/{id}/look", tag = "solves", operation_id = "solves_look",
    params(("id" = String, Path, description = "The id of the solve", max_length = 20)),
    responses((status = 200, body = SolveStatus))
)]
async fn look(State(app): State<App>, Segment(id): Segment<String>) -> Result<Json<SolveStatus>, ApiFailure> {
    app.look(move |app| app.jobs.look(&id)).await.map(Json)
}

/// Lets a solve go on that was stopped or interrupted, or one that is done to a lower target.
#[utoipa::path(
    post, path = "/api/solves/{id}/resume", tag = "solves", operation_id = "solves_resume",
    params(("id" = String, Path, description = "The id of the solve", max_length = 20)),
    request_body = ResumeSolve, responses((status = 200, body = SolveStatus))
)]
async fn resume(
    State(app): State<App>,
    Segment(id): Segment<String>,
    Body(request): Body<ResumeSolve>,
) -> Result<Json<SolveStatus>, ApiFailure> {
    app.work(move |app| app.jobs.resume(&id, &request)).await.map(Json)
}

/// Where a stream of events stands.
struct Watching {
    app: App,
    id: String,
    changes: watch::Receiver<u64>,
    /// The iteration of the last measurement that was sent.
    sent: Option<u32>,
    next: Next,
    /// Its place among those that watch.
    _place: OwnedSemaphorePermit,
}

enum Next {
    /// The state as it is.
    Now,
    /// The state after the next change.
    Change,
    /// That it is over.
    End(Box<SolveStatus>),
    Nothing,
}

/// Watches a solve: an event `progress` whenever it has changed, with the measurements since the last one; at the end an
/// event `end`. The data of both is a Job. So many can watch at once; more are answered with 503.
#[utoipa::path(
    get, path = "/api/solves/{id}/events", tag = "solves", operation_id = "solves_events",
    params(("id" = String, Path, description = "The id of the solve", max_length = 20)),
    responses((status = 200, description = "Server-sent events", body = String, content_type = "text/event-stream"))
)]
async fn events(
    State(app): State<App>,
    Segment(id): Segment<String>,
) -> Result<impl IntoResponse, ApiFailure> {
    let place = Arc::clone(&app.streams).try_acquire_owned().map_err(|_| {
        let message = format!(
            "{} watch solves already, and no more can: ask for `/api/solves/{{id}}` now and then instead",
            app.settings.streams
        );
        ApiFailure::new(StatusCode::SERVICE_UNAVAILABLE, message)
    })?;
    let changes = app.jobs.watch();
    let known = id.clone();
    app.look(move |app| app.jobs.job(&known, Some(u32::MAX))).await?;
    let watching = Watching { app, id, changes, sent: None, next: Next::Now, _place: place };
    let events = stream::unfold(watching, |watching| watching.event());
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}

impl Watching {
    async fn event(mut self) -> Option<(Result<Event, Infallible>, Self)> {
        match std::mem::replace(&mut self.next, Next::Change) {
            Next::Nothing => return None,
            Next::End(job) => {
                self.next = Next::Nothing;
                return Some((Ok(event("end", &job)), self));
            }
            Next::Now => {}
            Next::Change => {
                tokio::time::sleep(BETWEEN_EVENTS).await;
                self.changes.changed().await.ok()?;
            }
        }
        // One that was forgotten has nothing more to tell.
        let (id, sent) = (self.id.clone(), self.sent);
        let job = self.app.look(move |app| app.jobs.job(&id, sent)).await.ok()?;
        self.sent = job.history.last().map(|point| point.iteration).max(self.sent);
        if !matches!(job.state, JobState::Queued | JobState::Running | JobState::Stopping) {
            self.next = Next::End(Box::new(SolveStatus { history: Vec::new(), ..job.clone() }));
        }
        Some((Ok(event("progress", &job)), self))
    }
}

fn event(name: &str, job: &SolveStatus) -> Event {
    // Numbers and texts always serialise.
    Event::default().event(name).data(serde_json::to_string(job).unwrap_or_default())
}
