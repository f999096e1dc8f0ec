//! Requests to the server, and the state that it finds when it starts.

use noregret_serve::{Server, Settings};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;
use tempfile::TempDir;

const RIVER: &str = "[ranges]\noop = 'AA,QQ'\nip = 'KK,JJ'\n[cards]\nflop = 'QsJh2h'\nturn = '8c'\nriver = '3d'\n[tree]\nstarting_pot = 100\n\
                     effective_stack = 200\n[solver]\nmax_iterations = 5\ntarget_exploitability_pct = 0\n";

fn settings(library: &Path) -> Settings {
    let mut settings = Settings::new(library.to_owned());
    settings.threads = 1;
    settings.memory = 64 << 20;
    settings.patience = Duration::from_secs(2);
    settings.upload_bytes = 1 << 20;
    settings
}

/// A server that runs until the process ends.
fn server() -> SocketAddr {
    static SERVER: OnceLock<(TempDir, SocketAddr)> = OnceLock::new();
    let (_, address) = SERVER.get_or_init(|| {
        let home = TempDir::new().unwrap_or_else(|error| panic!("no library: {error}"));
        let server = Server::open(settings(home.path()), 0, false)
            .unwrap_or_else(|error| panic!("no server: {error}"));
        let address = server.address().unwrap_or_else(|error| panic!("no address: {error}"));
        std::thread::spawn(move || server.run());
        (home, address)
    });
    *address
}

/// A request: a line with method and path, then the body. Headers are made right.
pub fn request(bytes: &[u8]) {
    let end = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
    let (first, body) = bytes.split_at(end);
    let body = body.strip_prefix(b"\n").unwrap_or(body);
    let first = String::from_utf8_lossy(first);
    let (method, path) = first.split_once(' ').unwrap_or(("GET", &first));
    let is_plain = |c: char| c.is_ascii_graphic();
    // What HTTP itself refuses is no concern of this server, and streams of events do not end.
    if !method.chars().all(|c| c.is_ascii_uppercase())
        || !path.chars().all(is_plain)
        || path.contains("events")
    {
        return;
    }
    let address = server();
    let kind =
        if path.starts_with("/api/solutions?") { "application/octet-stream" } else { "application/json" };
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let Ok(mut stream) = TcpStream::connect(address) else { return };
    let _ = stream.set_read_timeout(Some(Duration::from_secs(30)));
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let status = answer.get(9..12).unwrap_or_default();
    // A handler that panics is answered with 500.
    assert!(status != b"500", "{first}: {}", String::from_utf8_lossy(&answer));
}

/// The state of a solve as a server finds it when it starts.
pub fn server_state(bytes: &[u8]) {
    let Ok(home) = TempDir::new() else { return };
    let job = home.path().join(".jobs/1");
    let ranges = home.path().join(".ranges.json");
    let write = |folder: &str, name: &str| {
        let folder = home.path().join(folder);
        std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(folder.join(name), bytes))
    };
    let written = std::fs::create_dir_all(&job)
        .and_then(|()| std::fs::write(job.join("spec.toml"), RIVER))
        .and_then(|()| std::fs::write(job.join("state.json"), bytes))
        .and_then(|()| write(".hands", "session-1.json"))
        .and_then(|()| write(".drills", "drill-1.json"))
        .and_then(|()| write(".drills", "review.json"));
    if written.is_err() {
        return;
    }
    if let Ok(server) = Server::open(settings(home.path()), 0, false) {
        server.stopper().stop();
        server.run();
    }
    // The saved ranges are JSON too: what cannot be read is told and not lost.
    if std::fs::write(&ranges, bytes).is_ok() {
        drop(Server::open(settings(home.path()), 0, false));
        assert!(std::fs::read(&ranges).is_ok_and(|there| there == bytes), "the ranges are lost");
    }
}
