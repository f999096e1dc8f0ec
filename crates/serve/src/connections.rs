//! Connections, and how long they may dawdle.

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::net::SocketAddr;
use std::time::Duration;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
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

/// Answers everybody who connects, for ever. Who takes longer than `patience` to send headers, or between two pieces of a
/// body, is hung up on: else a few slow clients could keep all others out.
pub async fn serve(listener: TcpListener, router: Router, patience: Duration) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                tokio::spawn(attend(stream, peer, router.clone(), patience));
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
    let _ = http.serve_connection(TokioIo::new(stream), service).await;
}
