//! Batches: folders of solutions.

use crate::api::reports::{Batch, Report};
use crate::api::solutions::LineQuery;
use crate::app::App;
use crate::extract::Query;
use crate::extract::Segment;
use crate::failure::Failure;
use axum::Json;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(report))
}

/// The folders that batches have made.
#[utoipa::path(get, path = "/api/batches", tag = "batches", operation_id = "batches_list", responses((status = 200, body = Vec<Batch>)))]
async fn list() -> Result<Json<Vec<Batch>>, Failure> {
    Err(Failure::missing("not served yet"))
}

/// A line over all flops of a batch.
#[utoipa::path(get, path = "/api/batches/{id}/report", tag = "batches", operation_id = "batches_report", params(("id" = String, Path, description = "The id of the batch, percent-encoded as one segment", max_length = 400), LineQuery), responses((status = 200, body = Report)))]
async fn report(
    Segment(_id): Segment<String>,
    Query(_at): Query<LineQuery>,
) -> Result<Json<Report>, Failure> {
    Err(Failure::missing("not served yet"))
}
