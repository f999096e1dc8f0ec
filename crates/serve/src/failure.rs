//! Answers that are not a success.

use crate::api::common::{ErrorBody, RequestProblem};
use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use noregret_store::StoreError;
use std::borrow::Borrow;
use std::fmt::Display;

/// Why a request gets no other answer.
#[derive(Clone, PartialEq, Debug)]
pub struct ApiFailure {
    status: StatusCode,
    problem: RequestProblem,
}

impl ApiFailure {
    /// An answer with this status and message.
    pub fn new(status: StatusCode, message: impl Display) -> Self {
        let problem = RequestProblem { message: message.to_string(), ..RequestProblem::default() };
        Self { status, problem }
    }

    /// What was asked for makes no sense: 400.
    pub fn request(message: impl Display) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    /// A value of the request makes no sense: 422, with the name of the field.
    pub fn field(field: &str, message: impl Display) -> Self {
        let problem = RequestProblem {
            message: format!("{field}: {message}"),
            field: Some(field.to_owned()),
            ..RequestProblem::default()
        };
        Self::problem(problem)
    }

    /// The request can be read, but what it says is wrong: 422.
    pub fn problem(problem: RequestProblem) -> Self {
        Self { status: StatusCode::UNPROCESSABLE_ENTITY, problem }
    }

    /// There is no such thing: 404.
    pub fn missing(message: impl Display) -> Self {
        Self::new(StatusCode::NOT_FOUND, message)
    }

    /// It cannot be done as things are: 409.
    pub fn conflict(message: impl Display) -> Self {
        Self::new(StatusCode::CONFLICT, message)
    }

    /// The library cannot be read.
    pub fn cannot_read(error: impl Borrow<std::io::Error>) -> Self {
        let error = error.borrow();
        Self::new(status_of(error), format!("cannot read the library: {error}"))
    }

    /// The library cannot be written: 507 if there is no room.
    pub fn cannot_write(error: std::io::Error) -> Self {
        Self::new(status_of(&error), format!("cannot write to the library: {error}"))
    }

    /// Something of the library cannot be deleted: 507 if there is no room.
    pub fn cannot_delete(error: std::io::Error) -> Self {
        Self::new(status_of(&error), format!("cannot delete it: {error}"))
    }

    /// The disk, or what is on it, does not play along: 500.
    pub fn job(message: impl Display) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }

    /// Whether the same request would fail again as long as the library is as it is: neither the disk nor too many others are why.
    pub fn is_lasting(&self) -> bool {
        self.status.is_client_error()
    }

    /// Whether a value of what was asked for makes no sense.
    pub fn is_of_field(&self) -> bool {
        self.problem.field.is_some()
    }

    /// What is wrong, in a sentence.
    pub fn message(&self) -> &str {
        &self.problem.message
    }

    /// What is wrong, where an answer has begun already and its status is sent.
    pub fn into_problem(self) -> RequestProblem {
        self.problem
    }
}

/// What a disk or a store that does not play along means to a client: the server is not at fault for what a store says.
fn status_of(error: &std::io::Error) -> StatusCode {
    use std::io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull, TimedOut, Unsupported};
    match error.kind() {
        Unsupported if StoreError::is_in(error) => StatusCode::CONFLICT,
        TimedOut if StoreError::is_in(error) => StatusCode::GATEWAY_TIMEOUT,
        _ if StoreError::is_in(error) => StatusCode::BAD_GATEWAY,
        StorageFull | QuotaExceeded | FileTooLarge => StatusCode::INSUFFICIENT_STORAGE,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

impl IntoResponse for ApiFailure {
    fn into_response(self) -> Response {
        (self.status, Json(ErrorBody { error: self.problem })).into_response()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Error, ErrorKind};

    #[test]
    fn a_full_disk_is_told_from_a_broken_one() {
        let status = |kind| ApiFailure::cannot_write(Error::from(kind)).status;
        assert_eq!(status(ErrorKind::StorageFull), StatusCode::INSUFFICIENT_STORAGE);
        assert_eq!(status(ErrorKind::TimedOut), StatusCode::INTERNAL_SERVER_ERROR);
    }
}
