//! What is served.

use crate::api::common::{Health, ServerMemory};
use crate::app::App;
use axum::Json;
use axum::extract::State;
use noregret_holdem::{Algorithm, MachineMemory, instruction_set};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(health))
}

/// The version, threads and memory of the server.
#[utoipa::path(
    get, path = "/api/health", tag = "general", operation_id = "health", responses((status = 200, body = Health))
)]
async fn health(State(app): State<App>) -> Json<Health> {
    let MachineMemory { total, available, .. } = MachineMemory::now();
    Json(Health {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        threads: app.settings.threads,
        memory: ServerMemory { total, available, budget: app.jobs.budget() },
        instruction_set: instruction_set().to_owned(),
        library: app.library.place().display().to_string(),
        algorithms: Algorithm::all().map(|algorithm| algorithm.to_string()).collect(),
    })
}
