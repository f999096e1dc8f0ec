//! Solutions in the library.

use crate::api::common::PlayerName;
use crate::api::locks::{Exploit, ExploitQuery, LockPreview, LocksQuestion};
use crate::api::node::{Node, RunoutCards};
use crate::api::reports::LineReport;
use crate::api::solutions::{
    Annotation, LineQuery, NewName, SolutionDetail, SolutionInfo, TrashedItem, UploadQuery,
};
use crate::app::App;
use crate::examples;
use crate::extract::{Body as JsonBody, PlaceQuery, Query, Segment};
use crate::failure::ApiFailure;
use crate::library::{Found, Id};
use crate::solutions::is_left_out;
use crate::trash::moved;
use crate::{download, merits, overview, point, upload};
use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use noregret_holdem::{IP, OOP, SolutionFile};
use noregret_store::Place;
use serde::Serialize;
use tower::ServiceExt;
use tower_http::services::ServeFile;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list, upload))
        .routes(routes!(show, remove))
        .routes(routes!(rename))
        .routes(routes!(annotate))
        .routes(routes!(take_back))
        .routes(routes!(trash, empty_trash))
        .routes(routes!(download))
        .routes(routes!(node))
        .routes(routes!(runouts))
        .routes(routes!(locks))
        .routes(routes!(exploit))
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
    // One over all cards that can come at a place reads as many points, and what the file leaves out is solved.
    let readers = |saved: &SolutionFile| {
        if line.contains('*') || is_left_out(saved, &line) { &app.patient } else { &app.workers }
    };
    app.solutions.answer(readers, &id, about, &line, read).await.map(Rendered)
}

/// All solutions in the library, newest first.
#[utoipa::path(
    get, path = "/api/solutions", tag = "solutions", operation_id = "solutions_list",
    responses((status = 200, body = Vec<SolutionInfo>))
)]
async fn list(State(app): State<App>) -> Result<Json<Vec<SolutionInfo>>, ApiFailure> {
    app.work(|app| app.solutions.list()).await.map(Json)
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
    app.work(move |app| app.solutions.detail(&app.library.solution(&id)?)).await.map(Json)
}

/// Deletes a solution; it can be taken back.
#[utoipa::path(
    delete, path = "/api/solutions/{id}", tag = "solutions", operation_id = "solutions_remove",
    params(("id" = String, Path, description = "The id of the solution, percent-encoded as one segment", max_length = 400)),
    responses((status = 204, description = "It is gone"))
)]
async fn remove(State(app): State<App>, Segment(id): Segment<String>) -> Result<StatusCode, ApiFailure> {
    app.remove(move |app| {
        let found = own(app, &id)?;
        let older = app.trash.put(&found)?;
        // The solution is gone by now: what is written about it must not turn that into an error.
        let _ = app.annotations.delete(found.id.as_str(), older.as_ref().map(Id::as_str));
        Ok(())
    })
    .await
}

/// A solution of the library itself: an example comes with the program and stays what it is.
fn own(app: &App, id: &str) -> Result<Found, ApiFailure> {
    if examples::is_example(id) {
        return Err(ApiFailure::conflict(
            "an example comes with the program: it cannot be changed or deleted",
        ));
    }
    app.library.solution(id)
}

/// Gives a solution another name, perhaps in another folder; where the name is taken, a number is added.
#[utoipa::path(
    post, path = "/api/solutions/{id}/rename", tag = "solutions", operation_id = "solutions_rename",
    params(("id" = String, Path, description = "The id of the solution, percent-encoded as one segment", max_length = 400)),
    request_body = NewName, responses((status = 200, body = SolutionInfo))
)]
async fn rename(
    State(app): State<App>,
    Segment(id): Segment<String>,
    JsonBody(NewName { name }): JsonBody<NewName>,
) -> Result<Json<SolutionInfo>, ApiFailure> {
    app.work(move |app| {
        let found = own(app, &id)?;
        let wanted = Id::new(name.trim()).map_err(|error| ApiFailure::field("name", error))?;
        if wanted == found.id {
            return app.solutions.info(&found);
        }
        let place = app.library.reserve(&wanted).map_err(ApiFailure::cannot_write)?;
        let renamed = moved(&app.library, &found.path, &place);
        app.library.changed(&found.id);
        let renamed = renamed?;
        app.annotations.rename(found.id.as_str(), place.id.as_str())?;
        app.solutions.info(&renamed)
    })
    .await
    .map(Json)
}

/// Writes tags, a note and bookmarks of a solution, in the place of those that were there.
#[utoipa::path(
    put, path = "/api/solutions/{id}/annotation", tag = "solutions", operation_id = "solutions_annotate",
    params(("id" = String, Path, description = "The id of the solution, percent-encoded as one segment", max_length = 400)),
    request_body = Annotation, responses((status = 200, body = Annotation))
)]
async fn annotate(
    State(app): State<App>,
    Segment(id): Segment<String>,
    JsonBody(annotation): JsonBody<Annotation>,
) -> Result<Json<Annotation>, ApiFailure> {
    app.work(move |app| {
        let found = app.library.solution(&id)?;
        app.annotations.write(found.id.as_str(), annotation)
    })
    .await
    .map(Json)
}

/// Takes a deleted solution back; where its name is taken by now, a number is added.
#[utoipa::path(
    post, path = "/api/trash/{id}/restore", tag = "solutions", operation_id = "trash_restore",
    params(("id" = String, Path, description = "The id that the solution had, percent-encoded as one segment", max_length = 400)),
    responses((status = 200, body = SolutionInfo))
)]
async fn take_back(
    State(app): State<App>,
    Segment(id): Segment<String>,
) -> Result<Json<SolutionInfo>, ApiFailure> {
    app.work(move |app| {
        let found = app.trash.take_back(&id)?;
        app.annotations.take_back(&id, found.id.as_str())?;
        app.solutions.info(&found)
    })
    .await
    .map(Json)
}

/// What was deleted and can be taken back, the last first: solutions, and sessions and solves that were forgotten. A server that starts removes what is older than a week.
#[utoipa::path(
    get, path = "/api/trash", tag = "solutions", operation_id = "trash_list",
    responses((status = 200, body = Vec<TrashedItem>))
)]
async fn trash(State(app): State<App>) -> Result<Json<Vec<TrashedItem>>, ApiFailure> {
    app.work(|app| {
        let mut items = app.trash.list()?;
        items.extend(app.forgotten.list()?);
        items.sort_by(|one, other| other.deleted.cmp(&one.deleted));
        Ok(items)
    })
    .await
    .map(Json)
}

/// Deletes for good what could be taken back.
#[utoipa::path(
    delete, path = "/api/trash", tag = "solutions", operation_id = "trash_empty",
    responses((status = 204, description = "It is gone"))
)]
async fn empty_trash(State(app): State<App>) -> Result<StatusCode, ApiFailure> {
    app.remove(|app| {
        app.trash.empty()?;
        app.forgotten.empty()?;
        app.annotations.forget_deleted(&[])
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
    let found = app.look(move |app| app.library.solution(&id)).await?;
    let mut response = match Place::is_remote(&found.path) {
        true => download::of_object(&found).await?,
        false => ServeFile::new(&found.path).oneshot(request).await.map_err(ApiFailure::job)?.into_response(),
    };
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

/// What locks do to the hands of a solution, before anything is solved again.
#[utoipa::path(
    post, path = "/api/solutions/{id}/locks", tag = "solutions", operation_id = "solutions_locks",
    params(("id" = String, Path, description = "The id of the solution, percent-encoded as one segment", max_length = 400)),
    request_body = LocksQuestion, responses((status = 200, body = Vec<LockPreview>))
)]
async fn locks(
    State(app): State<App>,
    Segment(id): Segment<String>,
    JsonBody(question): JsonBody<LocksQuestion>,
) -> Result<Json<Vec<LockPreview>>, ApiFailure> {
    let saved = app.solutions.opened(&id).await?;
    app.work(move |_| merits::previews(&saved, &question)).await.map(Json)
}

/// The best response of a player to the strategies as they are, locks included: what each hand does, and what it gains. Nothing is
/// solved for it, but a file is read as a whole the first time.
#[utoipa::path(
    get, path = "/api/solutions/{id}/exploit", tag = "solutions", operation_id = "solutions_exploit",
    params(("id" = String, Path, description = "The id of the solution, percent-encoded as one segment", max_length = 400), ExploitQuery),
    responses((status = 200, body = Exploit))
)]
async fn exploit(
    State(app): State<App>,
    Segment(id): Segment<String>,
    Query(ExploitQuery { line, player }): Query<ExploitQuery>,
) -> Result<Rendered, ApiFailure> {
    let solution = app.solutions.in_memory(&app.patient, &id).await?;
    let (about, player) = match player {
        PlayerName::Oop => ("exploit oop", OOP),
        PlayerName::Ip => ("exploit ip", IP),
    };
    let at = line.clone();
    let read = move |_: &Found, saved: &SolutionFile| point::exploit(saved, &solution, &at, player);
    app.solutions.answer(|_| &app.patient, &id, about, &line, read).await.map(Rendered)
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
