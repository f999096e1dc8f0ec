//! Requests to the server, and the state that it finds when it starts.

use crate::place;
use noregret_holdem::{GameLayout, SaveOptions, Solver, Spec, save};
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
    let answer = ask(address, method, path, body);
    let status = answer.get(9..12).unwrap_or_default();
    // A handler that panics is answered with 500.
    assert!(status != b"500", "{first}: {}", String::from_utf8_lossy(&answer));
}

/// Sends a request, and reads its answer to the end.
fn ask(address: SocketAddr, method: &str, path: &str, body: &[u8]) -> Vec<u8> {
    let kind =
        if path.starts_with("/api/solutions?") { "application/octet-stream" } else { "application/json" };
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let mut answer = Vec::new();
    if let Ok(mut stream) = TcpStream::connect(address) {
        let _ = stream.set_read_timeout(Some(Duration::from_secs(30)));
        let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
        let _ = stream.read_to_end(&mut answer);
    }
    answer
}

/// What is answered where something panics, unlike what cannot be read.
const BROKEN_DOWN: [&str; 2] = ["the server has broken down", "the work was given up"];

/// What is asked of a server about the sessions that it has found. An answer to a question that is not the one that is asked is refused,
/// so that one of these is taken in, if any is.
const QUESTIONS: [(&str, &str, &str); 15] = [
    ("GET", "/api/solves", ""),
    ("GET", "/api/solutions", ""),
    ("GET", "/api/ranges", ""),
    ("GET", "/api/hands", ""),
    ("GET", "/api/hands/1", ""),
    ("GET", "/api/hands/1/hands/0", ""),
    ("GET", "/api/drills", ""),
    ("GET", "/api/drills/1", ""),
    ("POST", "/api/drills/1/answers", "{\"decision\": 0, \"action\": \"check\"}"),
    ("POST", "/api/drills/1/answers", "{\"decision\": 1, \"action\": \"check\"}"),
    ("GET", "/api/drills/1/answers", ""),
    ("POST", "/api/drills/review", "{}"),
    ("GET", "/api/drills/2", ""),
    ("GET", "/api/forty-two/drills", ""),
    ("GET", "/api/forty-two/drills/1", ""),
];

/// A solution for drills to ask about.
fn solution() -> &'static [u8] {
    static SOLUTION: OnceLock<Vec<u8>> = OnceLock::new();
    SOLUTION.get_or_init(|| {
        let path = place::file("asked.nrs");
        let made = || -> Result<Vec<u8>, Box<dyn std::error::Error>> {
            let spec: Spec = RIVER.parse()?;
            let mut solver = Solver::with_options(GameLayout::new(&spec.spot)?.build(), &spec.solver);
            solver.iterate();
            save(&path, &spec, &solver, &[], SaveOptions::default())?;
            Ok(std::fs::read(&path)?)
        };
        made().unwrap_or_else(|error| panic!("no solution: {error}"))
    })
}

/// The files that a server finds when it starts: the state of a solve, sessions, and what people have written down.
pub fn server_state(bytes: &[u8]) {
    let Ok(home) = TempDir::new() else { return };
    let at = |name: &str| home.path().join(name);
    let write = |name: &str, bytes: &[u8]| {
        let made = at(name).parent().map_or(Ok(()), std::fs::create_dir_all);
        made.and_then(|()| std::fs::write(at(name), bytes))
    };
    let sessions =
        [".hands/session-1.json", ".drills/forty-two-1.json", ".drills/drill-1.json", ".drills/review.json"];
    let written = write(".jobs/1/spec.toml", RIVER.as_bytes())
        .and_then(|()| write("spot.nrs", solution()))
        .and_then(|()| write(".jobs/1/state.json", bytes))
        .and_then(|()| sessions.iter().try_for_each(|name| write(name, bytes)));
    if written.is_err() {
        return;
    }
    // What people have written is never put aside: what cannot be read is told and not lost.
    for name in [".ranges.json", ".notes.json"] {
        if write(name, bytes).is_ok() && Server::open(settings(home.path()), 0, false).is_err() {
            assert!(std::fs::read(at(name)).is_ok_and(|there| there == bytes), "{name} is lost");
            let _ = std::fs::remove_file(at(name));
        }
    }
    // Nobody has to do without all solutions because of one session.
    let server = Server::open(settings(home.path()), 0, false).unwrap_or_else(|error| panic!("{error}"));
    let Ok(address) = server.address() else { return };
    let stopper = server.stopper();
    let serving = std::thread::spawn(move || server.run());
    let answers = QUESTIONS.map(|(method, path, body)| ask(address, method, path, body.as_bytes()));
    stopper.stop();
    let _ = serving.join();
    for ((method, path, _), answer) in QUESTIONS.iter().zip(&answers) {
        let answer = String::from_utf8_lossy(answer);
        let is_broken = BROKEN_DOWN.iter().any(|message| answer.contains(message));
        assert!(!is_broken, "{method} {path}: {answer}");
    }
    for name in &sessions[..2] {
        assert!(std::fs::read(at(name)).is_ok_and(|there| there == bytes), "{name} is lost");
    }
}
