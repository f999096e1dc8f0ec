//! Solutions and reports that the program carries.

use crate::api::examples::Examples;
use crate::app::App;
use crate::examples;
use axum::Json;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list))
}

/// What there is to look at before anything was solved. Ids of examples stand wherever those of solutions and batches do.
#[utoipa::path(
    get, path = "/api/examples", tag = "general", operation_id = "examples_list",
    responses((status = 200, body = Examples))
)]
async fn list() -> Json<Examples> {
    Json(examples::list())
}
