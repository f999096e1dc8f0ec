//! Batches: folders of solutions.

use crate::api::reports::{BatchFolder, LineReport, NewBatch, RowsProgress, RowsQuestion};
use crate::api::solutions::LineQuery;
use crate::app::App;
use crate::extract::{Body, PlaceQuery, Segment};
use crate::failure::ApiFailure;
use crate::kept_rows;
use crate::lines::stream_lines;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::Value;
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list, start))
        .routes(routes!(show))
        .routes(routes!(stop))
        .routes(routes!(resume))
        .routes(routes!(report))
        .routes(routes!(rows))
}

/// The folders that batches have made.
#[utoipa::path(
    get, path = "/api/batches", tag = "batches", operation_id = "batches_list",
    responses((status = 200, body = Vec<BatchFolder>))
)]
async fn list(State(app): State<App>) -> Result<Json<Vec<BatchFolder>>, ApiFailure> {
    app.work(|app| app.batches.list()).await.map(Json)
}

/// Solves a spec on many flops that stand for all of them, one after another in the queue of solves.
#[utoipa::path(
    post, path = "/api/batches", tag = "batches", operation_id = "batches_start",
    request_body = NewBatch, responses((status = 201, body = BatchFolder))
)]
async fn start(
    State(app): State<App>,
    Body(batch): Body<NewBatch>,
) -> Result<(StatusCode, Json<BatchFolder>), ApiFailure> {
    let started = app.work(move |app| app.batches.start(batch)).await?;
    Ok((StatusCode::CREATED, Json(started)))
}

/// How far a batch is.
#[utoipa::path(
    get, path = "/api/batches/{id}", tag = "batches", operation_id = "batches_show",
    params(("id" = String, Path, description = "The id of the batch, percent-encoded as one segment", max_length = 400)),
    responses((status = 200, body = BatchFolder))
)]
async fn show(State(app): State<App>, Segment(id): Segment<String>) -> Result<Json<BatchFolder>, ApiFailure> {
    app.work(move |app| app.batches.show(&id)).await.map(Json)
}

/// Stops a batch; what is solved stays, and it can go on.
#[utoipa::path(
    post, path = "/api/batches/{id}/stop", tag = "batches", operation_id = "batches_stop",
    params(("id" = String, Path, description = "The id of the batch, percent-encoded as one segment", max_length = 400)),
    responses((status = 200, body = BatchFolder))
)]
async fn stop(State(app): State<App>, Segment(id): Segment<String>) -> Result<Json<BatchFolder>, ApiFailure> {
    app.work(move |app| app.batches.stop(&id)).await.map(Json)
}

/// Goes on with a batch that was begun by a server.
#[utoipa::path(
    post, path = "/api/batches/{id}/resume", tag = "batches", operation_id = "batches_resume",
    params(("id" = String, Path, description = "The id of the batch, percent-encoded as one segment", max_length = 400)),
    responses((status = 200, body = BatchFolder))
)]
async fn resume(
    State(app): State<App>,
    Segment(id): Segment<String>,
) -> Result<Json<BatchFolder>, ApiFailure> {
    app.work(move |app| app.batches.resume(&id)).await.map(Json)
}

/// A line over all flops of a batch.
#[utoipa::path(
    get, path = "/api/batches/{id}/report", tag = "batches", operation_id = "batches_report",
    params(("id" = String, Path, description = "The id of the batch, percent-encoded as one segment", max_length = 400), LineQuery),
    responses((status = 200, body = LineReport))
)]
async fn report(
    State(app): State<App>,
    PlaceQuery { id, line }: PlaceQuery,
) -> Result<Json<Value>, ApiFailure> {
    let library = Arc::clone(&app.library);
    app.patient.run(move || kept_rows::report(&library, &id, &line, &|_, _| ())).await.map(Json)
}

/// The same as it becomes known: a line of JSON for every few flops, the last one with the report.
#[utoipa::path(
    post, path = "/api/batches/{id}/rows", tag = "batches", operation_id = "batches_rows",
    params(("id" = String, Path, description = "The id of the batch, percent-encoded as one segment", max_length = 400)),
    request_body = RowsQuestion,
    responses((status = 200, description = "Lines of JSON", body = RowsProgress, content_type = "application/x-ndjson"))
)]
async fn rows(
    State(app): State<App>,
    Segment(id): Segment<String>,
    Body(RowsQuestion { line }): Body<RowsQuestion>,
) -> Response {
    let library = Arc::clone(&app.library);
    stream_lines(app.patient.clone(), move |tell| kept_rows::stream(&library, &id, &line, tell))
}
