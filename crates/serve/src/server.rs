//! The server itself.

use crate::app::App;
use crate::failure::ApiFailure;
use crate::guard::{self, Guard};
use crate::lock::LibraryLock;
use crate::settings::Settings;
use crate::{connections, description, linger, page, routes};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tower_http::catch_panic::CatchPanicLayer;

/// The largest JSON body: a spec of the largest size and a little more.
const BODY_BYTES: usize = noregret_holdem::Spec::MAX_BYTES + (1 << 20);
/// How many ports after the wanted one are tried.
const PORTS: u16 = 20;

/// A server that listens and has not begun to answer.
pub struct Server {
    app: App,
    lock: LibraryLock,
    listener: TcpListener,
    runtime: tokio::runtime::Runtime,
    stop: watch::Sender<bool>,
}

/// Tells a server from outside that it is to end.
#[derive(Clone)]
pub struct Stopper(watch::Sender<bool>);

impl Stopper {
    /// Ends it: running solves write their checkpoints first.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

impl Server {
    /// Opens the library, which no other server may have open, and listens on a port: the wanted one or, if that is taken
    /// and may be another, one of the next.
    pub fn open(settings: Settings, port: u16, may_move: bool) -> std::io::Result<Self> {
        let lock = LibraryLock::take(&settings.own_folder()?)?;
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let host = settings.host;
        let tried = if may_move && port != 0 { PORTS } else { 1 };
        let listener = runtime.block_on(async {
            let mut first = None;
            for port in (port..).take(tried.into()) {
                match connections::listen(SocketAddr::new(host, port)) {
                    Ok(listener) => return Ok(listener),
                    Err(error) => drop(first.get_or_insert(error)),
                }
            }
            Err(first.unwrap_or_else(|| std::io::ErrorKind::AddrInUse.into()))
        })?;
        let app = App::open(settings)?;
        Ok(Self { app, lock, listener, runtime, stop: watch::Sender::new(false) })
    }

    /// Where it listens.
    pub fn address(&self) -> std::io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// The library: a folder, or a URL.
    pub fn library(&self) -> &std::path::Path {
        self.app.library.place()
    }

    /// What whoever has started it should know: files of the library that could not be read.
    pub fn warnings(&self) -> Vec<String> {
        self.app.drills.warning.iter().cloned().collect()
    }

    /// What ends it.
    pub fn stopper(&self) -> Stopper {
        Stopper(self.stop.clone())
    }

    /// Answers until it is stopped; then running solves write their checkpoints.
    pub fn run(self) {
        let Self { app, lock, listener, runtime, stop } = self;
        let (router, settings) = (router(app.clone()), app.settings.clone());
        let mut stopped = stop.subscribe();
        runtime.block_on(async move {
            tokio::select! {
                () = connections::serve(listener, router, &settings) => {}
                _ = stopped.wait_for(|stopped| *stopped) => {}
            }
        });
        app.jobs.close();
        // Not left to the last task that has the app: the next server may start as soon as this one has returned.
        drop(lock);
        // Streams of events would go on for as long as their pages are open.
        runtime.shutdown_background();
    }
}

fn router(app: App) -> Router {
    let guard = Arc::new(Guard::new(&app.settings));
    let description = description::text();
    let openapi =
        get(async move || ([(header::CONTENT_TYPE, "application/json")], description).into_response());
    let (api, _) = routes::all().split_for_parts();
    api.route("/api/openapi.json", openapi)
        .fallback(page::serve)
        .method_not_allowed_fallback(wrong_method)
        .layer(DefaultBodyLimit::max(BODY_BYTES))
        .layer(CatchPanicLayer::custom(broken_down))
        .layer(axum::middleware::from_fn_with_state(app.settings.patience, linger::read_on))
        .layer(axum::middleware::from_fn_with_state(guard, guard::watch))
        .with_state(app)
}

async fn wrong_method() -> axum::response::Response {
    let message = "this cannot be done with that: see /api/openapi.json for the methods that there are";
    ApiFailure::new(StatusCode::METHOD_NOT_ALLOWED, message).into_response()
}

/// The answer to a request that made a handler panic.
fn broken_down(_: Box<dyn std::any::Any + Send>) -> axum::response::Response {
    ApiFailure::job("the server has broken down over this request: please report it").into_response()
}
