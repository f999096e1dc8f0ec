//! What handlers take out of a request; what cannot be taken out is answered like any other mistake.

use crate::api::solutions::LineQuery;
use crate::failure::ApiFailure;
use axum::extract::rejection::{BytesRejection, JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts};
use axum::http::StatusCode;
use axum::http::request::Parts;

/// A JSON body.
#[derive(FromRequest)]
#[from_request(via(axum::Json), rejection(ApiFailure))]
pub struct Body<T>(pub T);

/// The query string.
#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Query), rejection(ApiFailure))]
pub struct Query<T>(pub T);

/// The parameters in the path.
#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Path), rejection(ApiFailure))]
pub struct Segment<T>(pub T);

/// A line of something in the library: its id in the path, the line in the query.
pub struct PlaceQuery {
    pub id: String,
    pub line: String,
}

impl<S: Send + Sync> FromRequestParts<S> for PlaceQuery {
    type Rejection = ApiFailure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiFailure> {
        let Segment(id) = Segment::from_request_parts(parts, state).await?;
        let Query(LineQuery { line }) = Query::from_request_parts(parts, state).await?;
        Ok(Self { id, line })
    }
}

impl From<JsonRejection> for ApiFailure {
    fn from(rejection: JsonRejection) -> Self {
        match &rejection {
            JsonRejection::MissingJsonContentType(_) => Self::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "the body must be JSON: send `Content-Type: application/json`",
            ),
            _ => Self::new(rejection.status(), rejection.body_text()),
        }
    }
}

impl From<QueryRejection> for ApiFailure {
    fn from(rejection: QueryRejection) -> Self {
        Self::new(rejection.status(), rejection.body_text())
    }
}

impl From<PathRejection> for ApiFailure {
    fn from(rejection: PathRejection) -> Self {
        // A parameter that is no text names nothing.
        Self::new(StatusCode::BAD_REQUEST, rejection.body_text())
    }
}

impl From<BytesRejection> for ApiFailure {
    fn from(rejection: BytesRejection) -> Self {
        Self::new(rejection.status(), rejection.body_text())
    }
}
