//! Batches: folders of solutions.

use crate::api::reports::{BatchFolder, LineReport};
use crate::api::solutions::LineQuery;
use crate::app::App;
use crate::extract::PlaceQuery;
use crate::failure::ApiFailure;
use crate::overview;
use axum::Json;
use axum::extract::State;
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(report))
}

/// The folders that batches have made.
#[utoipa::path(
    get, path = "/api/batches", tag = "batches", operation_id = "batches_list",
    responses((status = 200, body = Vec<BatchFolder>))
)]
async fn list(State(app): State<App>) -> Result<Json<Vec<BatchFolder>>, ApiFailure> {
    app.work(|app| Ok(overview::batches(&app.library))).await.map(Json)
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
) -> Result<Json<LineReport>, ApiFailure> {
    let library = Arc::clone(&app.library);
    app.patient.run(move || overview::of_batch(&library, &id, &line)).await.map(Json)
}
