//! Specs before they are solved.

use crate::api::specs::{Preset, SpecCheck, SpecText, TreePoint, TreeQuestion};
use crate::app::App;
use crate::extract::Body;
use crate::failure::Failure;
use axum::Json;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(presets)).routes(routes!(check)).routes(routes!(tree))
}

/// Spots that are ready to be solved.
#[utoipa::path(get, path = "/api/presets", tag = "specs", operation_id = "specs_presets", responses((status = 200, body = Vec<Preset>)))]
async fn presets() -> Result<Json<Vec<Preset>>, Failure> {
    Err(Failure::missing("not served yet"))
}

/// Whether a text is a spec, where it is wrong, and how large the spot is.
#[utoipa::path(post, path = "/api/specs/check", tag = "specs", operation_id = "specs_check", request_body = SpecText, responses((status = 200, body = SpecCheck)))]
async fn check(Body(_spec): Body<SpecText>) -> Result<Json<SpecCheck>, Failure> {
    Err(Failure::missing("not served yet"))
}

/// What can be done at a line of a tree that is not solved.
#[utoipa::path(post, path = "/api/specs/tree", tag = "specs", operation_id = "specs_tree", request_body = TreeQuestion, responses((status = 200, body = TreePoint)))]
async fn tree(Body(_question): Body<TreeQuestion>) -> Result<Json<TreePoint>, Failure> {
    Err(Failure::missing("not served yet"))
}
