//! The server: each operation on the disk fails while clients ask, and power is lost after each.

use crate::child::{SERVER, contents, directory, is_read, is_tried, operations, recorded, run as run_child};
use crate::common::RIVER;
use crate::http::{Answer, request, send, wait_for};
use crate::power_loss::{before, put};
use noregret_serve::{Server, Settings, Stopper};
use noregret_store::simulate::{DiskFault, crash_states};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::path::Path;
use std::thread::JoinHandle;
use std::time::Duration;
use tempfile::TempDir;

/// A server on the folder `library` of a home.
struct Serving {
    address: SocketAddr,
    stopper: Stopper,
    thread: Option<JoinHandle<()>>,
}

impl Serving {
    fn open(home: &Path) -> std::io::Result<Self> {
        let mut settings = Settings::new(home.join("library"));
        settings.threads = 1;
        settings.checkpoint_every = Duration::ZERO;
        let server = Server::open(settings, 0, false)?;
        let (address, stopper) = (server.address()?, server.stopper());
        Ok(Self { address, stopper, thread: Some(std::thread::spawn(move || server.run())) })
    }

    fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> Answer {
        request(self.address, method, path, body)
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.stopper.stop();
        self.thread.take().unwrap().join().unwrap();
    }
}

/// What a client was told, and how many steps were done on the disk by then.
type Told = (String, u16, usize);

/// In a process of its own: a server, and clients that solve, upload, keep a range, delete and forget. Prints what they were told.
/// 0 if nobody was told of an error, else 1.
pub fn run(steps: &dyn Fn() -> usize) -> i32 {
    let home = std::env::current_dir().unwrap();
    let server = match Serving::open(&home) {
        Ok(server) => server,
        Err(error) => {
            eprintln!("error: cannot serve: {error}");
            return 1;
        }
    };
    let mut told: Vec<Told> = Vec::new();
    let mut tell = |what: &str, answer: &Answer| {
        told.push((what.to_owned(), answer.status, steps()));
        if answer.status >= 400 {
            eprintln!("error: {what}: {} {}", answer.status, answer.message());
        }
        answer.status < 400
    };
    let solve = |name: &str| json!({"name": name, "toml": RIVER, "max_iterations": 20, "target_pct": 0});
    for name in ["one", "two"] {
        let started = server.ask("POST", "/api/solves", Some(&solve(name)));
        if tell(&format!("start {name}"), &started) {
            let id = started.json()["id"].as_str().unwrap().to_owned();
            let ended = wait_for(server.address, &id, &["done", "failed"]);
            let failed = ended["state"] == "failed";
            let answer = Answer {
                status: if failed { 500 } else { 200 },
                head: String::new(),
                body: json!({"error": {"message": ended["error"]}}).to_string().into_bytes(),
            };
            tell(&format!("solve {name} as {}", ended["solution"].as_str().unwrap_or_default()), &answer);
        }
    }
    let file = std::fs::read(home.join("old.nrs")).unwrap();
    let head = format!(
        "POST /api/solutions?name=deep%2Fsent HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\
         Content-Type: application/octet-stream\r\nContent-Length: {}\r\n\r\n",
        server.address,
        file.len()
    );
    tell("upload", &send(server.address, &head, &file));
    tell("range", &server.ask("PUT", "/api/ranges/mine", Some(&json!({"text": "AA,KK"}))));
    tell("delete", &server.ask("DELETE", "/api/solutions/one", None));
    tell("forget", &server.ask("DELETE", "/api/solves/1", None));
    drop(server);
    println!("\ntold {}", json!(told));
    i32::from(told.iter().any(|(_, status, _)| *status >= 400))
}

fn told(stdout: &[u8]) -> Vec<Told> {
    let text = String::from_utf8_lossy(stdout);
    let line = text.lines().find_map(|line| line.strip_prefix("told "));
    line.map(|line| serde_json::from_str(line).unwrap()).unwrap_or_default()
}

fn home() -> TempDir {
    crate::commands::home()
}

/// Opens the library once more: everything in it is whole, nothing is left over, and what clients were told holds.
fn check(home: &Path, told: &[Told], place: &str) {
    let server = Serving::open(home).unwrap_or_else(|error| panic!("{place}: {error}"));
    let get = |path: &str| {
        let answer = server.ask("GET", path, None);
        assert_eq!(answer.status, 200, "{place}: {path}: {answer:?}");
        answer.json()
    };
    let solutions = get("/api/solutions");
    let ids: Vec<&str> =
        solutions.as_array().unwrap().iter().filter_map(|found| found["id"].as_str()).collect();
    let solves = get("/api/solves");
    let solves = solves.as_array().unwrap();
    for solve in solves {
        let state = solve["state"].as_str().unwrap();
        assert!(["queued", "running", "done", "failed", "interrupted"].contains(&state), "{place}: {solve}");
        wait_for(server.address, solve["id"].as_str().unwrap(), &["done", "failed", "interrupted"]);
    }
    let ranges = get("/api/ranges").to_string();
    let was_told = |what: &str| told.iter().any(|(told, status, _)| told == what && *status < 400);
    for (what, status, _) in told.iter().filter(|(_, status, _)| *status < 400) {
        if let Some((_, id)) = what.strip_prefix("solve ").and_then(|rest| rest.split_once(" as ")) {
            assert!(ids.contains(&id) || id == "one", "{place}: {what} {status}: {ids:?}");
        }
    }
    assert!(!was_told("upload") || ids.contains(&"deep/sent"), "{place}: {ids:?}");
    assert!(!was_told("range") || ranges.contains("AA,KK"), "{place}: {ranges}");
    drop(server);
    let mut folders: Vec<String> = Vec::new();
    for (name, bytes) in contents(home) {
        assert!(!name.ends_with(".part"), "{place}: {name} is left over");
        if name.ends_with(".nrs") || name.ends_with(".nrc") {
            noregret_holdem::verify(&home.join(&name), noregret_holdem::MemoryLimit::ANY)
                .unwrap_or_else(|error| panic!("{place}: {name}: {error}"));
        }
        if name.ends_with(".json") {
            serde_json::from_slice::<Value>(&bytes)
                .unwrap_or_else(|error| panic!("{place}: {name}: {error}"));
        }
        if let Some((id, _)) = name.strip_prefix("library/.jobs/").and_then(|rest| rest.split_once('/')) {
            folders.push(id.to_owned());
        }
    }
    folders.dedup();
    let known: Vec<&str> = solves.iter().rev().filter_map(|solve| solve["id"].as_str()).collect();
    assert_eq!(folders, known, "{place}: folders of solves that nobody knows");
}

#[test]
fn whatever_operation_fails_the_library_is_whole_and_clients_are_told() {
    let first = home();
    let (operations, output) = operations(first.path(), SERVER);
    check(first.path(), &told(&output.stdout), "nothing fails");
    assert!(operations.len() > 60, "{operations:?}");
    let (mut failed, mut errors, mut full) = (0, 0, 0);
    for (number, fault) in DiskFault::ALL.into_iter().enumerate() {
        for (at, _) in operations.iter().enumerate().filter(|(_, operation)| fault.concerns(**operation)) {
            if !is_tried(at, number) {
                continue;
            }
            let home = directory();
            std::fs::copy(first.path().join("old.nrs"), home.path().join("old.nrs")).unwrap();
            let output = run_child(home.path(), SERVER, Some((at, fault)));
            let said = String::from_utf8_lossy(&output.stderr);
            let place = format!("{fault:?} at {at} ({:?}): {:?}: {said}", operations[at], output.status);
            assert!(!said.contains("panicked"), "{place}");
            let told = told(&output.stdout);
            failed += 1;
            match output.status.code() {
                None if fault.kills() => {}
                Some(0) => {}
                Some(1) => {
                    errors += 1;
                    assert!(
                        said.contains("the disk has failed") || said.contains("no storage space"),
                        "{place}"
                    );
                    for (what, status, _) in told.iter().filter(|(_, status, _)| *status >= 400) {
                        // What was never made cannot be deleted.
                        let is_missing = *status == 404 && (what == "delete" || what == "forget");
                        // Failed solves are told with a message and no status of their own.
                        let is_full = fault == DiskFault::Full || fault == DiskFault::ShortWrite;
                        let wanted = if is_full && !what.starts_with("solve ") { 507 } else { 500 };
                        let is_name = *status == 409 || *status == 422;
                        assert!(
                            *status == wanted || is_missing || is_name && !is_full,
                            "{what} {status}: {place}"
                        );
                        full += u32::from(*status == 507);
                    }
                }
                code => panic!("{code:?}: {place}"),
            }
            let left: Vec<String> =
                contents(home.path()).into_keys().filter(|name| name.ends_with(".part")).collect();
            assert!(left.is_empty() || fault.kills(), "{place}: {left:?}");
            check(home.path(), &told, &place);
        }
    }
    println!("{failed} operations failed, {errors} times somebody was told, {full} answers were 507");
    assert!(errors > 5 && full > 0, "{errors} {full}");
}

#[test]
fn after_a_loss_of_power_the_library_is_whole_and_has_what_clients_were_told() {
    let home = home();
    let root = home.path().canonicalize().unwrap();
    let before = before(&root);
    let (steps, output) = recorded(&root, SERVER);
    let told = told(&output.stdout);
    assert!(told.len() == 8 && told.iter().all(|(_, status, _)| *status < 400), "{told:?}");
    let crashed = directory();
    let crashed = crashed.path().join("after");
    std::fs::create_dir(&crashed).unwrap();
    let (mut number, mut checked) = (0, 0);
    let states = crash_states(&before, &steps, |done, files| {
        number += 1;
        if !is_read(number) {
            return;
        }
        checked += 1;
        put(&crashed, files, &root);
        let known: Vec<Told> = told.iter().filter(|(_, _, by)| *by <= done).cloned().collect();
        check(
            &crashed,
            &known,
            &format!("after {done} of {} steps: {:?}", steps.len(), steps.get(done.saturating_sub(1))),
        );
    });
    println!("{states} states of the library after a loss of power, {checked} of them served");
    assert!(states > 200, "{states}");
}
