//! `noregret serve` as a user meets it: started, killed, started again, ended.

#![cfg(all(unix, feature = "serve"))]

#[path = "../../serve/tests/common/http.rs"]
#[allow(dead_code, unreachable_pub)]
mod http;

use http::{encoded, request, wait_for};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};

const TURN: &str = "[ranges]\noop = \"AA,KK,QJs,87s,A5s\"\nip = \"TT+,AQs,KQs,JTs\"\n[cards]\nflop = \"QsJh2h\"\nturn = \"8c\"\n\
                    [tree]\nstarting_pot = 100\neffective_stack = 300\n[solver]\ntarget_exploitability_pct = 0\n\
                    max_iterations = 150\n";

fn noregret() -> Command {
    Command::new(env!("CARGO_BIN_EXE_noregret"))
}

struct ServerProcess {
    child: Child,
    address: SocketAddr,
    said: String,
}

impl ServerProcess {
    fn start(library: &Path, more: &[&str]) -> Self {
        let mut command = noregret();
        command
            .args(["serve", "--no-open", "--port", "0", "--threads", "2", "--library"])
            .arg(library)
            .args(more);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut said = String::new();
        let address = loop {
            let line = lines.next().unwrap().unwrap();
            said += &format!("{line}\n");
            if let Some(address) = line.strip_prefix("Open http://") {
                break address.split('/').next().unwrap().replace("localhost", "127.0.0.1").parse().unwrap();
            }
        };
        Self { child, address, said }
    }

    fn signal(&self, signal: &str) {
        let status = Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap();
        assert!(status.success());
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn json_of(args: &[&str]) -> Value {
    let output = noregret().args(args).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[track_caller]
fn near(a: &Value, b: &Value) {
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => assert!((a - b).abs() <= 1e-12 * b.abs().max(1.0), "{a} {b}"),
        _ => assert_eq!(a, b),
    }
}

#[test]
fn numbers_are_those_of_the_command_line() {
    let home = tempfile::tempdir().unwrap();
    let spec = home.path().join("spot.toml");
    std::fs::write(&spec, TURN).unwrap();
    let library = home.path().join("library");
    let server = ServerProcess::start(&library, &[]);
    assert!(server.said.contains("Library: "), "{}", server.said);
    let job =
        request(server.address, "POST", "/api/solves", Some(&json!({"name": "spot", "toml": TURN}))).json();
    let done = wait_for(server.address, job["id"].as_str().unwrap(), &["done", "failed"]);
    assert_eq!(done["state"], "done", "{done}");
    let solved = json_of(&["solve", spec.to_str().unwrap(), "--json"]);
    let shown = request(server.address, "GET", "/api/solutions/spot", None).json();
    assert_eq!(shown["strategy_digest"], solved["strategy_digest"]);
    for player in ["oop", "ip"] {
        near(&shown["ev"][player], &solved["ev"][player]);
        near(&shown["equity"][player], &solved["equity"][player]);
    }
    near(&done["exploitability_pct"], &solved["exploitability_pct"]);
    let file = library.join("spot.nrs");
    for line in ["", "check", "check, bet 50", "bet 50, call, Th"] {
        let point = json_of(&["inspect", file.to_str().unwrap(), "--line", line, "--hands", "--json"]);
        let path = format!("/api/solutions/spot/node?line={}", encoded(line));
        let node = request(server.address, "GET", &path, None).json();
        for (told, action) in
            node["actions"].as_array().unwrap().iter().zip(point["actions"].as_array().unwrap())
        {
            for key in ["action", "amount", "frequency", "ev", "equity", "eqr", "combos"] {
                near(&told[key], &action[key]);
            }
        }
        for key in ["ev", "equity", "eqr", "combos"] {
            near(&node["players"]["ip"][key], &point["players"]["ip"][key]);
        }
        let hands = &node["hands"][point["shown"].as_str().unwrap()];
        for hand in point["hands"].as_array().unwrap() {
            let at = hands["hand"].as_array().unwrap().iter().position(|name| *name == hand["hand"]).unwrap();
            for key in ["reach", "share", "ev", "equity", "made", "draws"] {
                near(&hands[key][at], &hand[key]);
            }
        }
    }
}

#[test]
fn killed_in_the_middle_of_a_solve_it_goes_on_from_the_checkpoint_to_the_same_solution() {
    let home = tempfile::tempdir().unwrap();
    let library = home.path().join("library");
    let server = ServerProcess::start(&library, &["--checkpoint-every", "0"]);
    let job =
        request(server.address, "POST", "/api/solves", Some(&json!({"name": "spot", "toml": TURN}))).json();
    let id = job["id"].as_str().unwrap().to_owned();
    let checkpoint = library.join(".jobs").join(&id).join("checkpoint.nrc");
    while !checkpoint.exists() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    server.signal("-KILL");
    drop(server);
    assert!(!library.join("spot.nrs").exists(), "it was too quick to be killed");

    let server = ServerProcess::start(&library, &[]);
    let found = request(server.address, "GET", &format!("/api/solves/{id}"), None).json();
    assert_eq!(found["state"], "interrupted", "{found}");
    request(server.address, "POST", &format!("/api/solves/{id}/resume"), Some(&json!({})));
    wait_for(server.address, &id, &["done"]);
    let shown = request(server.address, "GET", "/api/solutions/spot", None).json();
    let spec = home.path().join("spot.toml");
    std::fs::write(&spec, TURN).unwrap();
    let solved = json_of(&["solve", spec.to_str().unwrap(), "--json"]);
    assert_eq!(shown["strategy_digest"], solved["strategy_digest"]);
}

#[test]
fn ctrl_c_ends_it_with_a_checkpoint() {
    let home = tempfile::tempdir().unwrap();
    let mut server = ServerProcess::start(home.path(), &[]);
    let endless = TURN.replace("150", "1000000000");
    let job = request(server.address, "POST", "/api/solves", Some(&json!({"name": "spot", "toml": endless})))
        .json();
    wait_for(server.address, job["id"].as_str().unwrap(), &["running"]);
    server.signal("-INT");
    assert_eq!(server.child.wait().unwrap().code(), Some(0));
    assert!(home.path().join(".jobs/1/checkpoint.nrc").exists());
    let state = std::fs::read_to_string(home.path().join(".jobs/1/state.json")).unwrap();
    assert!(state.contains("\"interrupted\""), "{state}");
}

#[test]
fn another_host_brings_a_token_and_bad_requests_are_told() {
    let home = tempfile::tempdir().unwrap();
    let server = ServerProcess::start(home.path(), &["--host", "0.0.0.0"]);
    assert!(server.said.contains("/?token="), "{}", server.said);
    assert_eq!(request(server.address, "GET", "/api/health", None).status, 401);
    drop(server);
    let refused = |args: &[&str]| {
        let mut child =
            noregret().arg("serve").args(args).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let mut text = String::new();
        child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
        (child.wait().unwrap().code(), text)
    };
    let (code, text) = refused(&["--token", "short"]);
    assert!(code == Some(2) && text.contains("must be 8 to 200 letters"), "{text}");
    let (code, text) = refused(&["--host", "nowhere.invalid"]);
    assert!(code == Some(2) && text.contains("no address is known for this name"), "{text}");
    let local = ServerProcess::start(home.path(), &["--host", "localhost"]);
    assert!(local.said.contains("http://localhost:") && !local.said.contains("token"), "{}", local.said);
    let (code, text) = refused(&["--no-open", "--port", "0", "--library", home.path().to_str().unwrap()]);
    assert!(code == Some(1) && text.contains("another server has this library open"), "{text}");
    drop(local);
    let file = home.path().join("file");
    std::fs::write(&file, "x").unwrap();
    let (code, text) = refused(&["--no-open", "--port", "0", "--library", file.to_str().unwrap()]);
    assert!(code == Some(1) && text.contains("cannot serve"), "{text}");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let (code, text) = refused(&["--no-open", "--port", &port, "--library", home.path().to_str().unwrap()]);
    assert!(code == Some(1) && text.contains("cannot serve"), "{text}");
}

#[test]
fn the_description_is_printed() {
    let description = json_of(&["serve", "--print-openapi"]);
    assert_eq!(description["info"]["title"], "noregret");
    assert!(description["paths"]["/api/solves"].is_object());
}
