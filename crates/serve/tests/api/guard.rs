//! Who is refused, over the wire.

use crate::common::http::{self, send};
use crate::common::{RIVER, Running};
use serde_json::json;
use std::io::{Read, Write};
use std::time::Duration;

#[test]
fn other_hosts_origins_and_content_types_are_refused() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let ask = |method: &str, host: &str, more: &str| {
        let path = "/api/solves";
        send(
            server.address,
            &format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{more}\r\n"),
            b"",
        )
    };
    let own = server.address.to_string();
    assert_eq!(ask("GET", &own, "").status, 200);
    assert_eq!(ask("GET", &own, &format!("Origin: http://{own}\r\n")).status, 200);
    let refused = ask("GET", "evil.example", "");
    assert_eq!((refused.status, refused.message().contains("Host")), (403, true));
    assert!(ask("GET", &own, "Origin: http://evil.example\r\n").message().contains("Origin"));
    assert_eq!(ask("GET", &own, "Origin: null\r\n").status, 403);
    assert_eq!(ask("POST", &own, "Content-Type: text/plain\r\nContent-Length: 0\r\n").status, 415);
    assert_eq!(ask("DELETE", &own, "").status, 415);
    let preflight =
        ask("OPTIONS", &own, "Origin: http://evil.example\r\nAccess-Control-Request-Method: POST\r\n");
    assert_eq!((preflight.status, preflight.header("access-control-allow-origin")), (403, None));
    for name in ["content-security-policy", "x-content-type-options", "x-frame-options"] {
        assert!(refused.header(name).is_some() && server.get("/").header(name).is_some(), "{name}");
    }
    assert_eq!(server.get("/api/solves").header("access-control-allow-origin"), None);
}

#[test]
fn without_the_token_nothing_is_served() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::with(home.path(), |settings| settings.token = Some("correct-horse".to_owned()));
    let ask = |path: &str, more: &str| {
        let head =
            format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{more}\r\n", server.address);
        send(server.address, &head, b"")
    };
    for path in ["/", "/api/health", "/api/solutions", "/assets/x.js", "/?token=wrong-horse"] {
        assert_eq!(ask(path, "").status, 401, "{path}");
    }
    assert_eq!(ask("/api/health", "Authorization: Bearer correct-horse\r\n").status, 200);
    assert_eq!(ask("/api/health", "Authorization: Bearer wrong\r\n").status, 401);
    let opened = ask("/?token=correct-horse", "");
    assert_eq!((opened.status, opened.header("location")), (303, Some("/")));
    let cookie = opened.header("set-cookie").unwrap().split(';').next().unwrap();
    assert_eq!(ask("/", &format!("Cookie: {cookie}\r\n")).status, 200);
}

#[test]
fn the_page_is_served_compressed_and_cached() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let ask = |path: &str, more: &str| {
        let head =
            format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{more}\r\n", server.address);
        send(server.address, &head, b"")
    };
    let page = ask("/", "");
    assert!(page.header("content-type").unwrap().starts_with("text/html"), "{page:?}");
    assert!(String::from_utf8_lossy(&page.body).contains("<title>"));
    let etag = page.header("etag").unwrap();
    let again = ask("/", &format!("If-None-Match: {etag}\r\n"));
    assert_eq!((again.status, again.body.len()), (304, 0));
    assert_eq!(ask("/solve/12", "").body, page.body);
    assert_eq!(ask("/nothing.js", "").status, 404);
    let small = ask("/", "Accept-Encoding: gzip, br\r\n");
    assert!(small.body.len() <= page.body.len());
}

/// Sends a piece and waits until the server hangs up; gives what it said.
fn dawdle(address: std::net::SocketAddr, piece: &str) -> String {
    let mut stream = http::connect(address);
    stream.write_all(piece.as_bytes()).unwrap();
    let mut said = Vec::new();
    let _ = stream.read_to_end(&mut said);
    String::from_utf8_lossy(&said).into_owned()
}

#[test]
fn who_takes_for_ever_is_hung_up_on() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::with(home.path(), |settings| settings.patience = Duration::from_millis(200));
    let head = format!("Host: {}\r\nContent-Type: application/json\r\n", server.address);
    dawdle(server.address, "");
    dawdle(server.address, "GET /api/health HTTP/1.1\r\nHost: 127");
    let said = dawdle(server.address, &format!("GET /api/health HTTP/1.1\r\n{head}\r\n"));
    assert!(said.starts_with("HTTP/1.1 200"), "{said}");
    let body = format!("POST /api/ranges/parse HTTP/1.1\r\n{head}Content-Length: 50\r\n\r\n{{\"text\":");
    let said = dawdle(server.address, &body);
    assert!(said.starts_with("HTTP/1.1 4") && said.contains("error"), "{said}");
    assert_eq!(server.get("/api/health").status, 200);
}

/// Asks for something on a connection that stays open.
fn ask(server: &Running, path: &str) -> std::net::TcpStream {
    let mut stream = http::connect(server.address);
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", server.address).unwrap();
    stream
}

#[test]
fn who_does_not_fit_in_waits_for_a_place_while_all_are_busy() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::with(home.path(), |settings| settings.connections = 1);
    // Half a body: the request is under way.
    let mut first = http::connect(server.address);
    let head = format!("Host: {}\r\nContent-Type: application/json\r\nContent-Length: 50", server.address);
    write!(first, "POST /api/ranges/parse HTTP/1.1\r\n{head}\r\n\r\n{{\"text\":").unwrap();
    // It has the place before the second asks for one.
    std::thread::sleep(Duration::from_millis(200));
    let mut second = ask(&server, "/api/health");
    let mut answer = [0; 12];
    second.set_read_timeout(Some(Duration::from_millis(200))).unwrap();
    second.read_exact(&mut answer).unwrap_err();
    drop(first);
    second.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
    second.read_exact(&mut answer).unwrap();
    assert_eq!(&answer, b"HTTP/1.1 200");
}

#[test]
fn connections_without_a_request_give_way() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::with(home.path(), |settings| {
        settings.connections = 4;
        // Nobody is hung up on for any other reason.
        settings.patience = Duration::from_secs(600);
    });
    // Some never asked, some have had their answer.
    let silent: Vec<_> = (0..8).map(|_| http::connect(server.address)).collect();
    let mut answered: Vec<_> = (0..8).map(|_| ask(&server, "/api/health")).collect();
    let read = |stream: &mut std::net::TcpStream| {
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).unwrap();
        assert_eq!(&answer, b"HTTP/1.1 200");
    };
    answered.iter_mut().for_each(read);
    // New connections have a moment to ask before they count as at rest. Then as many again take all places.
    std::thread::sleep(Duration::from_secs(1));
    for _ in 0..4 {
        answered.push(ask(&server, "/api/health"));
        answered.iter_mut().rev().take(1).for_each(read);
    }
    assert_eq!(server.get("/api/health").status, 200);
    // Who was at rest has left, and was told so.
    for mut stream in silent {
        assert_eq!(stream.read(&mut [0; 1]).unwrap_or(0), 0);
    }
    let mut whole = Vec::new();
    let _ = answered[0].read_to_end(&mut whole);
    assert!(whole.windows(4).any(|four| four == b"\r\n\r\n"), "the answer was cut off");
}

#[test]
fn streams_of_events_leave_room_for_others() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::with(home.path(), |settings| {
        settings.connections = 6;
        settings.streams = 4;
    });
    let id = server.solve("endless", &crate::common::endless());
    let path = format!("/api/solves/{id}/events");
    let mut watching: Vec<_> = (0..4).map(|_| ask(&server, &path)).collect();
    for stream in &mut watching {
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).unwrap();
        assert_eq!(&answer, b"HTTP/1.1 200");
    }
    let refused = server.get(&path);
    assert_eq!(refused.status, 503, "{refused:?}");
    assert!(refused.message().starts_with("4 watch solves already, and no more can"), "{refused:?}");
    assert_eq!(server.get("/api/health").status, 200);
    // One that leaves makes room.
    drop(watching.pop());
    let start = std::time::Instant::now();
    loop {
        let mut again = ask(&server, &path);
        let mut answer = [0; 12];
        again.read_exact(&mut answer).unwrap();
        if &answer == b"HTTP/1.1 200" {
            break;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "its place is never free again");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn two_hosts_and_whole_addresses_are_refused() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let own = server.address;
    let ask = |target: &str, headers: &str| {
        send(own, &format!("GET {target} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n"), b"")
    };
    let twice = ask("/api/health", &format!("Host: {own}\r\nHost: {own}\r\n"));
    assert_eq!(
        (twice.status, twice.message()),
        (400, "the request has two Host headers: send one".to_owned())
    );
    let other = ask("/api/health", &format!("Host: {own}\r\nHost: evil.example\r\n"));
    assert_eq!(other.status, 400);
    for target in [format!("http://{own}/api/health"), "http://evil.example/api/health".to_owned()] {
        let whole = ask(&target, &format!("Host: {own}\r\n"));
        assert_eq!(whole.status, 400, "{whole:?}");
        assert!(whole.message().contains("send its path only"), "{whole:?}");
    }
}

#[test]
fn a_body_that_is_too_large_is_answered_where_the_client_can_read_it() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::with(home.path(), |settings| settings.upload_bytes = 1000);
    // A client that writes all before it reads: the answer must still be there.
    let body = vec![b' '; 32 << 20];
    for (path, kind) in
        [("/api/solutions?name=x", "application/octet-stream"), ("/api/specs/check", "application/json")]
    {
        let mut stream = http::connect(server.address);
        let head = format!("Host: {}\r\nContent-Type: {kind}\r\nConnection: close", server.address);
        write!(stream, "POST {path} HTTP/1.1\r\n{head}\r\nContent-Length: {}\r\n\r\n", body.len()).unwrap();
        stream.write_all(&body).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        assert!(answer.starts_with(b"HTTP/1.1 413"), "{}", String::from_utf8_lossy(&answer));
    }
}

#[test]
fn who_does_not_read_or_ask_further_is_hung_up_on() {
    const BYTES: u64 = 256 << 20;
    let home = tempfile::tempdir().unwrap();
    let server = Running::with(home.path(), |settings| {
        settings.connections = 1;
        settings.patience = Duration::from_millis(200);
    });
    let file = std::fs::File::create(home.path().join("large.nrs")).unwrap();
    file.set_len(BYTES).unwrap();
    // Each has the only place until it is hung up on.
    let mut idle = ask(&server, "/api/health");
    let mut deaf = ask(&server, "/api/solutions/large/file");
    assert_eq!(server.get("/api/health").status, 200);
    let mut read = Vec::new();
    let _ = idle.read_to_end(&mut read);
    assert!(read.starts_with(b"HTTP/1.1 200"));
    let sent = std::io::copy(&mut deaf, &mut std::io::sink()).unwrap_or_default();
    assert!(sent < BYTES, "{sent}");
}

#[test]
fn bodies_that_are_too_large_or_no_json_are_refused() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let large = server.post("/api/specs/check", &json!({"toml": " ".repeat(6 << 20)}));
    assert_eq!(large.status, 413, "{:?}", large.head);
    let head = |length: usize| {
        format!(
            "POST /api/solves HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n",
            server.address
        )
    };
    for body in ["", "{", "[]", "null", "{\"name\": 1}", "\u{fffd}"] {
        let answer = send(server.address, &head(body.len()), body.as_bytes());
        assert!((400..=422).contains(&answer.status) && !answer.message().is_empty(), "{body}: {answer:?}");
    }
}

#[test]
fn no_parameter_leads_out_of_the_library() {
    let home = tempfile::tempdir().unwrap();
    let library = home.path().join("library");
    let server = Running::start(&library);
    let job = server.solved("inside", RIVER);
    std::fs::copy(library.join("inside.nrs"), home.path().join("outside.nrs")).unwrap();
    let deep = "../".repeat(12) + home.path().to_str().unwrap().trim_start_matches('/') + "/outside";
    let absolute = home.path().join("outside").display().to_string();
    let names = [
        "../outside",
        "..%2foutside",
        "./../outside",
        "inside/../../outside",
        "..\\outside",
        &deep,
        &absolute,
        "inside.nrs/../../outside",
        "..",
        ".",
        "~",
        ".jobs/1/checkpoint",
        "outside\0",
        "inside\0",
        "nul",
        "/outside",
        "//outside",
        "....//outside",
        "%2e%2e/outside",
    ];
    for name in names {
        let id = http::encoded(name);
        for path in ["", "/file", "/node", "/runouts", "/report", "/node?line=check"] {
            let answer = server.get(&format!("/api/solutions/{id}{path}"));
            assert!(matches!(answer.status, 400 | 404 | 422), "{name:?}{path}: {answer:?}");
        }
        let report = server.get(&format!("/api/batches/{id}/report"));
        assert!(matches!(report.status, 400 | 404), "{name:?}: {report:?}");
        for path in ["/api/solves/", "/api/solutions/"] {
            let answer = server.delete(&format!("{path}{id}"));
            assert!(matches!(answer.status, 400 | 404 | 405), "{name:?}: {answer:?}");
        }
        let solve = server.post("/api/solves", &json!({"name": name, "toml": RIVER}));
        assert_eq!(solve.status, 422, "{name:?}: {solve:?}");
        let from = server.post("/api/solves", &json!({"name": "x", "toml": RIVER, "continue_from": name}));
        assert!(matches!(from.status, 400 | 404 | 422), "{name:?}: {from:?}");
        let head = format!(
            "POST /api/solutions?name={id} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/octet-stream\r\nContent-Length: 1\r\n\r\n",
            server.address
        );
        assert_eq!(send(server.address, &head, b"x").status, 422, "{name:?}");
        for raw in [format!("/api/solutions/{name}"), format!("/{name}"), format!("/assets/{name}")] {
            if raw.bytes().all(|byte| byte.is_ascii_graphic()) {
                let answer = server.get(&raw);
                let is_page = String::from_utf8_lossy(&answer.body).contains("<title>");
                assert!(is_page || matches!(answer.status, 400 | 404), "{raw}: {answer:?}");
            }
        }
    }
    assert_eq!(server.get("/api/solutions").json().as_array().unwrap().len(), 1);
    assert!(home.path().join("outside.nrs").exists() && job["solution"] == "inside");
    let beside: Vec<_> = home.path().read_dir().unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(beside.len(), 2, "{beside:?}");
}
