//! Connections: how many there may be, and how long they may dawdle.

use crate::drain::Draining;
use crate::settings::Settings;
use crate::visitors::{Seat, Visitors};
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

/// How long nobody is let in after that failed, most likely for want of file handles; and how long a connection has to leave.
const RECOVERY: Duration = Duration::from_millis(100);

/// How long a new connection may be silent before it gives way.
const ARRIVAL: Duration = Duration::from_millis(250);

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

/// Answers everybody who connects, for ever: so many at once, while the others wait to be let in. A connection on which
/// nothing is under way gives its place to one that waits. Who takes longer than the patience to send headers, between two
/// pieces of a body or to read any of an answer is hung up on: else a few slow clients could keep all others out.
pub async fn serve(listener: TcpListener, router: Router, settings: &Settings) {
    let places = Arc::new(Semaphore::new(settings.connections));
    let visitors = Arc::new(Visitors::default());
    loop {
        let Ok((stream, peer)) = listener.accept().await else {
            tokio::time::sleep(RECOVERY).await;
            continue;
        };
        let place = match Arc::clone(&places).try_acquire_owned() {
            Ok(place) => Ok(place),
            Err(_) => {
                // One that was asked to leave may have begun a long answer meanwhile: then another is asked.
                let place = loop {
                    visitors.make_room();
                    let place = Arc::clone(&places).acquire_owned();
                    if let Ok(place) = tokio::time::timeout(RECOVERY, place).await {
                        break place;
                    }
                };
                visitors.room_was_made();
                place
            }
        };
        // It is never closed.
        let Ok(place) = place else { return };
        let attended = attend(stream, peer, router.clone(), settings.patience, Seat::take(&visitors));
        tokio::spawn(async move {
            attended.await;
            drop(place);
        });
    }
}

async fn attend(stream: TcpStream, peer: SocketAddr, router: Router, patience: Duration, seat: Arc<Seat>) {
    // An answer is written at once: there is nothing to wait for.
    let _ = stream.set_nodelay(true);
    let asking = Arc::clone(&seat);
    let service = service_fn(move |request: Request<hyper::body::Incoming>| {
        let under_way = asking.begin();
        let mut request = request.map(|body| Body::new(Box::pin(TimeoutBody::new(patience, body))));
        request.extensions_mut().insert(ConnectInfo(peer));
        let answered = router.clone().oneshot(request);
        async move { answered.await.map(|response| response.map(|body| under_way.until_written(body))) }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(patience);
    let connection = http.serve_connection(TokioIo::new(Draining::new(stream, patience)), service);
    let mut connection = std::pin::pin!(connection);
    let mut arrival = std::pin::pin!(tokio::time::sleep(ARRIVAL));
    let mut has_arrived = false;
    loop {
        tokio::select! {
            () = arrival.as_mut(), if !has_arrived => {
                has_arrived = true;
                seat.rest_if_silent();
            }
            // Who breaks off has had what it came for.
            _ = connection.as_mut() => return,
            () = seat.asked_to_leave() => {
                // What was answered may still be on its way; where nothing was asked there is nothing to wait for.
                if !seat.has_asked() {
                    return;
                }
                connection.as_mut().graceful_shutdown();
            }
        }
    }
}
