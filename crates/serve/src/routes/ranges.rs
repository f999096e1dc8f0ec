//! Ranges: text to hands and back, and a list of saved ones.

use crate::api::ranges::{HandList, PrintedRange, RangeHands, RangeText, RangeToSave, SavedRange};
use crate::app::App;
use crate::extract::Body;
use crate::extract::Segment;
use crate::failure::Failure;
use axum::Json;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(parse))
        .routes(routes!(print))
        .routes(routes!(list))
        .routes(routes!(save, remove))
}

/// Reads a range.
#[utoipa::path(post, path = "/api/ranges/parse", tag = "ranges", operation_id = "ranges_parse", request_body = RangeText, responses((status = 200, body = RangeHands)))]
async fn parse(Body(_text): Body<RangeText>) -> Result<Json<RangeHands>, Failure> {
    Err(Failure::missing("not served yet"))
}

/// Writes hands as a range.
#[utoipa::path(post, path = "/api/ranges/print", tag = "ranges", operation_id = "ranges_print", request_body = HandList, responses((status = 200, body = PrintedRange)))]
async fn print(Body(_list): Body<HandList>) -> Result<Json<PrintedRange>, Failure> {
    Err(Failure::missing("not served yet"))
}

/// The saved ranges, by name.
#[utoipa::path(get, path = "/api/ranges", tag = "ranges", operation_id = "ranges_list", responses((status = 200, body = Vec<SavedRange>)))]
async fn list() -> Result<Json<Vec<SavedRange>>, Failure> {
    Err(Failure::missing("not served yet"))
}

/// Saves a range under a name.
#[utoipa::path(put, path = "/api/ranges/{name}", tag = "ranges", operation_id = "ranges_save", params(("name" = String, Path, description = "The name of the range", max_length = 100)), request_body = RangeToSave, responses((status = 200, body = SavedRange)))]
async fn save(
    Segment(_name): Segment<String>,
    Body(_range): Body<RangeToSave>,
) -> Result<Json<SavedRange>, Failure> {
    Err(Failure::missing("not served yet"))
}

/// Forgets a saved range.
#[utoipa::path(delete, path = "/api/ranges/{name}", tag = "ranges", operation_id = "ranges_remove", params(("name" = String, Path, description = "The name of the range", max_length = 100)), responses((status = 204, description = "It is gone")))]
async fn remove(Segment(_name): Segment<String>) -> Result<Json<()>, Failure> {
    Err(Failure::missing("not served yet"))
}
