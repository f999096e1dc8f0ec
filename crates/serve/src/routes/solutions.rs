//! Solutions in the library.

use crate::api::node::{Node, RunoutCards};
use crate::api::reports::LineReport;
use crate::api::solutions::{LineQuery, SolutionDetail, SolutionInfo, UploadQuery};
use crate::app::App;
use crate::extract::{PlaceQuery, Query, Segment};
use crate::failure::ApiFailure;
use crate::library::Found;
use crate::{overview, point, upload};
use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use noregret_holdem::SolutionFile;
use serde::Serialize;
use tower::ServiceExt;
use tower_http::services::ServeFile;
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

/// JSON that is there already.
struct Rendered(Bytes);

impl IntoResponse for Rendered {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, "application/json")], self.0).into_response()
    }
}

/// What a solution says about a line, from the answers that are kept if it is there.
async fn read<T: Serialize>(
    app: &App,
    PlaceQuery { id, line }: PlaceQuery,
    about: &'static str,
    read: impl FnOnce(&Found, &SolutionFile, &str) -> Result<T, ApiFailure> + Send + 'static,
) -> Result<Rendered, ApiFailure> {
    let at = line.clone();
    let read = move |found: &Found, saved: &SolutionFile| read(found, saved, &at);
    // One over all cards that can come at a place reads as many points.
    let readers = if line.contains('*') { &app.patient } else { &app.workers };
    app.solutions.answer(readers, &id, about, &line, read).await.map(Rendered)
}

/// All solutions in the library, newest first.
#[utoipa::path(
    get, path = "/api/solutions", tag = "solutions", operation_id = "solutions_list",
    responses((status = 200, body = Vec<SolutionInfo>))
)]
async fn list(State(app): State<App>) -> Result<Json<Vec<SolutionInfo>>, ApiFailure> {
    app.work(|app| Ok(app.solutions.list())).await.map(Json)
}

/// Adds a solution file to the library; where the name is taken, a number is added.
#[utoipa::path(
    post, path = "/api/solutions", tag = "solutions", operation_id = "solutions_upload", params(UploadQuery),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 201, body = SolutionInfo))
)]
async fn upload(
    State(app): State<App>,
    Query(query): Query<UploadQuery>,
    body: Body,
) -> Result<(StatusCode, Json<SolutionInfo>), ApiFailure> {
    upload::receive(&app, &query.name, body).await.map(|info| (StatusCode::CREATED, Json(info)))
}

/// A solution with its spec.
#[utoipa::path(
    get, path = "/api/solutions/{id}", tag = "solutions", operation_id = "solutions_show",
    params(("id" = String, Path, description = "The id of the solution, percent-encoded as one segment", max_length = 400)),
    responses((status = 200, body = SolutionDetail))
)]
async fn show(
    State(app): State<App>,
    Segment(id): Segment<String>,
) -> Result<Json<SolutionDetail>, ApiFailure> {
    let found = app.library.solution(&id)?;
    app.work(move |app| app.solutions.detail(&found)).await.map(Json)
}

/// Deletes a solution file.
#[utoipa::path(
    delete, path = "/api/solutions/{id}", tag = "solutions", operation_id = "solutions_remove",
    params(("id" = String, Path, description = "The id of the solution, percent-encoded as one segment", max_length = 400)),
    responses((status = 204, description = "It is gone"))
)]
async fn remove(State(app): State<App>, Segment(id): Segment<String>) -> Result<StatusCode, ApiFailure> {
    let found = app.library.solution(&id)?;
    app.remove(move |_| {
        noregret_store::remove(&found.path)
            .map_err(|error| ApiFailure::conflict(format!("cannot delete it: {error}")))
    })
    .await
}

/// The solution file itself.
#[utoipa::path(
    get, path = "/api/solutions/{id}/file", tag = "solutions", operation_id = "solutions_download",
    params(("id" = String, Path, description = "The id of the solution, percent-encoded as one segment", max_length = 400)),
    responses((status = 200, description = "The file", body = Vec<u8>, content_type = "application/octet-stream"))
)]
async fn download(
    State(app): State<App>,
    Segment(id): Segment<String>,
    request: Request,
) -> Result<Response, ApiFailure> {
    let found = app.library.solution(&id)?;
    let file = ServeFile::new(&found.path).oneshot(request).await;
    let mut response = file.map_err(ApiFailure::job)?.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    let plain: String = found
        .id
        .name()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || "-_. ".contains(c) { c } else { '_' })
        .collect();
    if let Ok(value) = HeaderValue::from_str(&format!("attachment; filename=\"{plain}.nrs\"")) {
        headers.insert(header::CONTENT_DISPOSITION, value);
    }
    Ok(response)
}

/// What happens at a line: who acts, and what every hand does and expects.
#[utoipa::path(
    get, path = "/api/solutions/{id}/node", tag = "solutions", operation_id = "solutions_node",
    params(("id" = String, Path, description = "The id of the solution, percent-encoded as one segment", max_length = 400), LineQuery),
    responses((status = 200, body = Node))
)]
async fn node(State(app): State<App>, at: PlaceQuery) -> Result<Rendered, ApiFailure> {
    read(&app, at, "node", |_, saved, line| point::node(saved, line)).await
}

/// What each card does that can come at the end of a line, or that could have come where its last card did.
#[utoipa::path(
    get, path = "/api/solutions/{id}/runouts", tag = "solutions", operation_id = "solutions_runouts",
    params(("id" = String, Path, description = "The id of the solution, percent-encoded as one segment", max_length = 400), LineQuery),
    responses((status = 200, body = RunoutCards))
)]
async fn runouts(State(app): State<App>, at: PlaceQuery) -> Result<Rendered, ApiFailure> {
    read(&app, at, "runouts", |_, saved, line| point::runouts(saved, line)).await
}

/// A line with `*` for a card, over every card that can come there; one without `*` over the cards after it.
#[utoipa::path(
    get, path = "/api/solutions/{id}/report", tag = "solutions", operation_id = "solutions_report",
    params(("id" = String, Path, description = "The id of the solution, percent-encoded as one segment", max_length = 400), LineQuery),
    responses((status = 200, body = LineReport))
)]
async fn report(State(app): State<App>, at: PlaceQuery) -> Result<Rendered, ApiFailure> {
    read(&app, at, "report", overview::of_runouts).await
}
