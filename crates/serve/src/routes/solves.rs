//! Solves: start, watch, stop, go on.

use crate::api::solves::{Job, NewSolve, Resume};
use crate::app::App;
use crate::extract::Body;
use crate::extract::Segment;
use crate::failure::Failure;
use axum::Json;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(start, list))
        .routes(routes!(show, forget))
        .routes(routes!(events))
        .routes(routes!(stop))
        .routes(routes!(resume))
}

/// Queues a solve.
#[utoipa::path(post, path = "/api/solves", tag = "solves", operation_id = "solves_start", request_body = NewSolve, responses((status = 201, body = Job)))]
async fn start(Body(_solve): Body<NewSolve>) -> Result<Json<Job>, Failure> {
    Err(Failure::missing("not served yet"))
}

/// All solves, newest first, without their measurements.
#[utoipa::path(get, path = "/api/solves", tag = "solves", operation_id = "solves_list", responses((status = 200, body = Vec<Job>)))]
async fn list() -> Result<Json<Vec<Job>>, Failure> {
    Err(Failure::missing("not served yet"))
}

/// A solve with all its measurements.
#[utoipa::path(get, path = "/api/solves/{id}", tag = "solves", operation_id = "solves_show", params(("id" = String, Path, description = "The id of the solve", max_length = 20)), responses((status = 200, body = Job)))]
async fn show(Segment(_id): Segment<String>) -> Result<Json<Job>, Failure> {
    Err(Failure::missing("not served yet"))
}

/// Forgets a solve: it is stopped if it runs, its checkpoint is removed, its solution stays.
#[utoipa::path(delete, path = "/api/solves/{id}", tag = "solves", operation_id = "solves_forget", params(("id" = String, Path, description = "The id of the solve", max_length = 20)), responses((status = 204, description = "It is gone")))]
async fn forget(Segment(_id): Segment<String>) -> Result<Json<()>, Failure> {
    Err(Failure::missing("not served yet"))
}

/// Watches a solve: an event `progress` whenever it has changed, with the measurements since the last one; at the end an event `end`. The data of both is a Job.
#[utoipa::path(get, path = "/api/solves/{id}/events", tag = "solves", operation_id = "solves_events", params(("id" = String, Path, description = "The id of the solve", max_length = 20)), responses((status = 200, description = "Server-sent events", body = String, content_type = "text/event-stream")))]
async fn events(Segment(_id): Segment<String>) -> Result<Json<()>, Failure> {
    Err(Failure::missing("not served yet"))
}

/// Stops a solve; it can go on.
#[utoipa::path(post, path = "/api/solves/{id}/stop", tag = "solves", operation_id = "solves_stop", params(("id" = String, Path, description = "The id of the solve", max_length = 20)), responses((status = 200, body = Job)))]
async fn stop(Segment(_id): Segment<String>) -> Result<Json<Job>, Failure> {
    Err(Failure::missing("not served yet"))
}

/// Lets a solve go on that was stopped or interrupted, or one that is done to a lower target.
#[utoipa::path(post, path = "/api/solves/{id}/resume", tag = "solves", operation_id = "solves_resume", params(("id" = String, Path, description = "The id of the solve", max_length = 20)), request_body = Resume, responses((status = 200, body = Job)))]
async fn resume(Segment(_id): Segment<String>, Body(_resume): Body<Resume>) -> Result<Json<Job>, Failure> {
    Err(Failure::missing("not served yet"))
}
