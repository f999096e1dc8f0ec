//! Solutions in the library.

use crate::api::node::{Node, Runouts};
use crate::api::reports::Report;
use crate::api::solutions::{LineQuery, SolutionDetail, SolutionInfo, UploadQuery};
use crate::app::App;
use crate::extract::Query;
use crate::extract::Segment;
use crate::failure::Failure;
use axum::Json;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list, upload))
        .routes(routes!(show, remove))
        .routes(routes!(download))
        .routes(routes!(node))
        .routes(routes!(runouts))
        .routes(routes!(report))
}

/// All solutions in the library, newest first.
#[utoipa::path(get, path = "/api/solutions", tag = "solutions", operation_id = "solutions_list", responses((status = 200, body = Vec<SolutionInfo>)))]
async fn list() -> Result<Json<Vec<SolutionInfo>>, Failure> {
    Err(Failure::missing("not served yet"))
}

/// Adds a solution file to the library.
#[utoipa::path(post, path = "/api/solutions", tag = "solutions", operation_id = "solutions_upload", params(UploadQuery), request_body(content = Vec<u8>, content_type = "application/octet-stream"), responses((status = 201, body = SolutionInfo)))]
async fn upload(
    Query(_query): Query<UploadQuery>,
    _body: axum::body::Bytes,
) -> Result<Json<SolutionInfo>, Failure> {
    Err(Failure::missing("not served yet"))
}

/// A solution with its spec.
#[utoipa::path(get, path = "/api/solutions/{id}", tag = "solutions", operation_id = "solutions_show", params(("id" = String, Path, description = "The id of the solution, percent-encoded as one segment", max_length = 400)), responses((status = 200, body = SolutionDetail)))]
async fn show(Segment(_id): Segment<String>) -> Result<Json<SolutionDetail>, Failure> {
    Err(Failure::missing("not served yet"))
}

/// Deletes a solution file.
#[utoipa::path(delete, path = "/api/solutions/{id}", tag = "solutions", operation_id = "solutions_remove", params(("id" = String, Path, description = "The id of the solution, percent-encoded as one segment", max_length = 400)), responses((status = 204, description = "It is gone")))]
async fn remove(Segment(_id): Segment<String>) -> Result<Json<()>, Failure> {
    Err(Failure::missing("not served yet"))
}

/// The solution file itself.
#[utoipa::path(get, path = "/api/solutions/{id}/file", tag = "solutions", operation_id = "solutions_download", params(("id" = String, Path, description = "The id of the solution, percent-encoded as one segment", max_length = 400)), responses((status = 200, description = "The file", body = Vec<u8>, content_type = "application/octet-stream")))]
async fn download(Segment(_id): Segment<String>) -> Result<Json<()>, Failure> {
    Err(Failure::missing("not served yet"))
}

/// What happens at a line: who acts, and what every hand does and expects.
#[utoipa::path(get, path = "/api/solutions/{id}/node", tag = "solutions", operation_id = "solutions_node", params(("id" = String, Path, description = "The id of the solution, percent-encoded as one segment", max_length = 400), LineQuery), responses((status = 200, body = Node)))]
async fn node(Segment(_id): Segment<String>, Query(_at): Query<LineQuery>) -> Result<Json<Node>, Failure> {
    Err(Failure::missing("not served yet"))
}

/// What each card does that can come at the end of a line.
#[utoipa::path(get, path = "/api/solutions/{id}/runouts", tag = "solutions", operation_id = "solutions_runouts", params(("id" = String, Path, description = "The id of the solution, percent-encoded as one segment", max_length = 400), LineQuery), responses((status = 200, body = Runouts)))]
async fn runouts(
    Segment(_id): Segment<String>,
    Query(_at): Query<LineQuery>,
) -> Result<Json<Runouts>, Failure> {
    Err(Failure::missing("not served yet"))
}

/// A line with `*` for a card, over every card that can come there.
#[utoipa::path(get, path = "/api/solutions/{id}/report", tag = "solutions", operation_id = "solutions_report", params(("id" = String, Path, description = "The id of the solution, percent-encoded as one segment", max_length = 400), LineQuery), responses((status = 200, body = Report)))]
async fn report(
    Segment(_id): Segment<String>,
    Query(_at): Query<LineQuery>,
) -> Result<Json<Report>, Failure> {
    Err(Failure::missing("not served yet"))
}
