//! Connections: how many there may be, and how long they may dawdle.

use crate::drain::Draining;
use crate::settings::Settings;
use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::Semaphore;
use tower::ServiceExt;
use tower_http::timeout::TimeoutBody;

/// How long nobody is let in after that failed, most likely for want of file handles.
const RECOVERY: Duration = Duration::from_millis(100);

/// How many may be waiting to be let in. More than the 128 that is usual: who does not fit in tries again after a second.
const BACKLOG: u32 = 1024;

/// Listens on an address, within a runtime.
pub fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // The port of a server that has just ended is free; on Windows this would mean that it can be taken from one that runs.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Answers everybody who connects, for ever: so many at once, while the others wait to be let in. Who takes longer than
/// the patience to send headers, between two pieces of a body or to read any of an answer is hung up on: else a few slow
/// clients could keep all others out.
pub async fn serve(listener: TcpListener, router: Router, settings: &Settings) {
    let places = Arc::new(Semaphore::new(settings.connections));
    // It is never closed.
    while let Ok(place) = Arc::clone(&places).acquire_owned().await {
        match listener.accept().await {
            Ok((stream, peer)) => {
                let attended = attend(stream, peer, router.clone(), settings.patience);
                tokio::spawn(async move {
                    attended.await;
                    drop(place);
                });
            }
            Err(_) => tokio::time::sleep(RECOVERY).await,
        }
    }
}

async fn attend(stream: TcpStream, peer: SocketAddr, router: Router, patience: Duration) {
    // An answer is written at once: there is nothing to wait for.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request: Request<hyper::body::Incoming>| {
        let mut request = request.map(|body| Body::new(Box::pin(TimeoutBody::new(patience, body))));
        request.extensions_mut().insert(ConnectInfo(peer));
        router.clone().oneshot(request)
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(patience);
    // Who breaks off has had what it came for.
    let _ = http.serve_connection(TokioIo::new(Draining::new(stream, patience)), service).await;
}
