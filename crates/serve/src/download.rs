//! Solution files out of a bucket.

use crate::blocking::look_off;
use crate::failure::ApiFailure;
use crate::library::Found;
use axum::body::{Body, Bytes};
use axum::http::header::CONTENT_LENGTH;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use noregret_store::StoredFile;
use std::io;
use std::sync::Arc;

/// How much is fetched at once.
const CHUNK: u64 = 4 << 20;

/// The object as it is now, piece by piece: no more than one is in memory.
pub async fn of_object(found: &Found) -> Result<Response, ApiFailure> {
    let path = found.path.clone();
    let opened = look_off(move || {
        let file = noregret_store::open(&path).map_err(ApiFailure::cannot_read)?;
        let length = file.length().map_err(ApiFailure::cannot_read)?;
        Ok((Arc::new(file), length))
    });
    let (file, length) = opened.await?;
    let pieces = stream::try_unfold(0, move |at| {
        let file = Arc::clone(&file);
        async move { if at < length { piece(file, at).await.map(Some) } else { Ok(None) } }
    });
    Ok(([(CONTENT_LENGTH, length)], Body::from_stream(pieces)).into_response())
}

/// A piece from a place on, and the place after it.
async fn piece(file: Arc<StoredFile>, at: u64) -> io::Result<(Bytes, u64)> {
    let read = tokio::task::spawn_blocking(move || file.read_at(at, CHUNK)).await;
    let bytes = read.map_err(io::Error::other)??;
    if bytes.is_empty() {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let next = at + bytes.len() as u64;
    Ok((bytes.into(), next))
}
