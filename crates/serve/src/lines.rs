//! Answers that grow: a line of JSON for each state of the work, the last one for its end.

use crate::blocking::Workers;
use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde::Serialize;
use std::convert::Infallible;
use tokio::sync::watch;

/// The content type of such answers.
pub const LINES: &str = "application/x-ndjson";

/// Runs some work, and answers with whatever it tells. A reader that is slower than the work gets the newest state and
/// the last one; when nobody reads any more, telling returns false.
pub fn stream_lines<T: Serialize>(
    workers: Workers,
    work: impl FnOnce(&mut (dyn FnMut(&T) -> bool + Send)) + Send + 'static,
) -> Response {
    let (sender, receiver) = watch::channel(Vec::new());
    tokio::spawn(async move {
        let told = workers.run(move || {
            work(&mut |state| {
                // Numbers and texts always serialise.
                let mut line = serde_json::to_vec(state).unwrap_or_default();
                line.push(b'\n');
                sender.send(line).is_ok()
            });
            Ok(())
        });
        // Work that is given up tells no more, and the answer ends there.
        let _ = told.await;
    });
    let lines = stream::unfold(receiver, |mut receiver| async {
        receiver.changed().await.ok()?;
        let line = receiver.borrow_and_update().clone();
        Some((Ok::<_, Infallible>(line), receiver))
    });
    ([(CONTENT_TYPE, LINES)], Body::from_stream(lines)).into_response()
}
