//! Answers to requests whose body was not read to its end.

use axum::body::{Body, BodyDataStream};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use futures_util::{Stream, StreamExt};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

/// How much of a body that nobody wants is read all the same.
const MOST_BYTES: usize = 256 << 20;

/// A body that can be read on after its reader has given up.
#[derive(Clone)]
struct SharedBody(Arc<Mutex<BodyDataStream>>);

impl Stream for SharedBody {
    type Item = <BodyDataStream as Stream>::Item;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).poll_next_unpin(context)
    }
}

/// Reads what is left of the body of a request that is refused. Who sends it looks for the answer afterwards only, and a
/// connection that is closed on it meanwhile takes the answer along.
pub async fn read_on(State(patience): State<Duration>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let mut shared = SharedBody(Arc::new(Mutex::new(body.into_data_stream())));
    let response = next.run(Request::from_parts(parts, Body::from_stream(shared.clone()))).await;
    if response.status().is_client_error() {
        let drain = async {
            let mut left = MOST_BYTES;
            while let Some(Ok(piece)) = shared.next().await {
                left = left.saturating_sub(piece.len());
                if left == 0 {
                    break;
                }
            }
        };
        let _ = tokio::time::timeout(patience, drain).await;
    }
    response
}
