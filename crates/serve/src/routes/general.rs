//! What is served.

use crate::api::common::Health;
use crate::app::App;
use crate::failure::Failure;
use axum::Json;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(health))
}

/// The version, threads and memory of the server.
#[utoipa::path(get, path = "/api/health", tag = "general", operation_id = "health", responses((status = 200, body = Health)))]
async fn health() -> Result<Json<Health>, Failure> {
    Err(Failure::missing("not served yet"))
}
