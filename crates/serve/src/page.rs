//! The page, which is part of the program.

use crate::failure::ApiFailure;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

/// A file of the page, as it is and compressed.
pub struct Asset {
    pub path: &'static str,
    pub kind: &'static str,
    pub etag: &'static str,
    /// Whether its name changes with its content.
    pub hashed: bool,
    pub plain: &'static [u8],
    pub gzip: &'static [u8],
    pub brotli: &'static [u8],
}

include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// How many files the page has, and their bytes.
pub fn page_size() -> (usize, usize) {
    (ASSETS.len(), ASSETS.iter().map(|asset| asset.plain.len()).sum())
}

/// Serves a file of the page; whatever else a browser opens is one of the page's views.
pub async fn serve(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    if uri.path().starts_with("/api/") || uri.path() == "/api" {
        return ApiFailure::missing("there is no such thing in the API: see /api/openapi.json")
            .into_response();
    }
    if method != Method::GET && method != Method::HEAD {
        return ApiFailure::new(StatusCode::METHOD_NOT_ALLOWED, "a page is only read").into_response();
    }
    let path = uri.path().trim_start_matches('/');
    let asset = ASSETS.iter().find(|asset| asset.path == path);
    let is_view = !path.rsplit('/').next().unwrap_or_default().contains('.');
    let index = || ASSETS.iter().find(|asset| asset.path == "index.html").filter(|_| is_view);
    match asset.or_else(index) {
        Some(asset) => respond(asset, &headers),
        None => ApiFailure::missing("there is no such file").into_response(),
    }
}

fn respond(asset: &Asset, headers: &HeaderMap) -> Response {
    let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    let is_known = known
        .is_some_and(|tags| tags.split(',').any(|tag| tag.trim().trim_start_matches("W/") == asset.etag));
    let (encoding, bytes) = choose(asset, headers);
    let mut response = match is_known {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => bytes.into_response(),
    };
    let caching = if asset.hashed { "public, max-age=31536000, immutable" } else { "no-cache" };
    let all = response.headers_mut();
    all.insert(header::CONTENT_TYPE, HeaderValue::from_static(asset.kind));
    all.insert(header::ETAG, HeaderValue::from_static(asset.etag));
    all.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
    all.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Some(encoding) = encoding.filter(|_| !is_known) {
        all.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    response
}

/// The smallest form of a file that the browser takes.
fn choose(asset: &Asset, headers: &HeaderMap) -> (Option<&'static str>, &'static [u8]) {
    let accepted =
        headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let takes = |name: &str| {
        accepted.split(',').any(|entry| {
            let mut parts = entry.split(';').map(str::trim);
            parts.next() == Some(name) && parts.next() != Some("q=0")
        })
    };
    match () {
        () if takes("br") && !asset.brotli.is_empty() => (Some("br"), asset.brotli),
        () if takes("gzip") && !asset.gzip.is_empty() => (Some("gzip"), asset.gzip),
        () => (None, asset.plain),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn files_of_the_page_are_whole_and_compressed_ones_are_smaller() {
        let (files, bytes) = page_size();
        assert!(files >= 3 && bytes > 100_000, "{files} files, {bytes} bytes");
        for asset in &ASSETS {
            if !asset.gzip.is_empty() {
                let mut plain = Vec::new();
                flate2::read::GzDecoder::new(asset.gzip).read_to_end(&mut plain).unwrap();
                assert_eq!(plain, asset.plain, "{}", asset.path);
            }
            let largest = asset.gzip.len().max(asset.brotli.len());
            assert!(largest < asset.plain.len(), "{}: {largest} of {} bytes", asset.path, asset.plain.len());
        }
        let index = ASSETS.iter().find(|asset| asset.path == "index.html").unwrap();
        assert!(index.plain.starts_with(b"<!doctype html>") && !index.hashed);
    }
}
