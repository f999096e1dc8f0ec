//! The server: each operation on the disk fails while clients ask, and power is lost after each.

use crate::child::{SERVERS, contents, directory, is_read, is_tried, operations, recorded, run as run_child};
use crate::commands::FLOP;
use crate::common::RIVER;
use crate::common::SESSION;
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

/// Each fault meets every operation with a number that this divides.
const EVERY: usize = 32;

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

const DRILLS: &str = "/api/drills";
const DOMINO_DRILLS: &str = "/api/forty-two/drills";
const NOTE: &str = "look again";

/// What a client was told, and how many steps were done on the disk by then.
type Told = (String, u16, usize);

/// What clients have asked for, and what they were told.
struct Clients<'a> {
    server: &'a Serving,
    steps: &'a dyn Fn() -> usize,
    told: Vec<Told>,
}

impl Clients<'_> {
    /// Notes what a client was told; the answer, if it was no error.
    fn tell(&mut self, what: &str, answer: Answer) -> Option<Answer> {
        self.told.push((what.to_owned(), answer.status, (self.steps)()));
        if answer.status >= 400 {
            eprintln!("error: {what}: {} {}", answer.status, answer.message());
            return None;
        }
        Some(answer)
    }

    fn ask(&mut self, what: &str, method: &str, path: &str, body: Option<&Value>) -> Option<Answer> {
        let answer = self.server.ask(method, path, body);
        self.tell(what, answer)
    }

    /// Tells how a solve has ended, which has an error or none.
    fn tell_ended(&mut self, what: &str, error: &Value) {
        let body = json!({"error": {"message": error}}).to_string().into_bytes();
        let status = if error.is_null() { 200 } else { 500 };
        self.tell(what, Answer { status, head: String::new(), body });
    }

    fn solve(&mut self, name: &str) {
        let solve = json!({"name": name, "toml": RIVER, "max_iterations": 20, "target_pct": 0});
        if let Some(started) = self.ask(&format!("start {name}"), "POST", "/api/solves", Some(&solve)) {
            let id = started.json()["id"].as_str().unwrap().to_owned();
            let ended = wait_for(self.server.address, &id, &["done", "failed"]);
            let solution = ended["solution"].as_str().unwrap_or_default();
            self.tell_ended(&format!("solve {name} as {solution}"), &ended["error"]);
        }
    }

    fn batch(&mut self) {
        // A flop stands for others where ranges tell no suits apart.
        let spec = FLOP.replace("AcAd", "AA").replace("KcKh", "KK");
        let batch = json!({"name": "pack", "toml": spec, "flops": 1});
        if self.ask("begin batch", "POST", "/api/batches", Some(&batch)).is_some() {
            let ended = ended_batch(self.server);
            self.tell_ended("solve the batch", &ended["error"]);
        }
    }

    fn upload(&mut self, file: &[u8]) {
        let head = format!(
            "POST /api/solutions?name=deep%2Fsent HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\
             Content-Type: application/octet-stream\r\nContent-Length: {}\r\n\r\n",
            self.server.address,
            file.len()
        );
        let answer = send(self.server.address, &head, file);
        self.tell("upload", answer);
    }

    /// Starts a drill and answers its first question with the first action; in Texas 42 with the first domino.
    fn drill(&mut self, path: &str, drill: &Value) {
        let Some(state) = self.ask("drill", "POST", path, Some(drill)) else { return };
        let state = state.json();
        let question = &state["question"];
        let reply = match &question["legal"][0] {
            Value::Null => json!({"decision": 0, "action": question["actions"][0]["label"]}),
            domino => json!({"decision": 0, "domino": domino}),
        };
        let answers = format!("{path}/{}/answers", state["session"]["id"]);
        self.ask(&format!("answer {path}"), "POST", &answers, Some(&reply));
    }
}

/// The batch, when it is not at work any more.
fn ended_batch(server: &Serving) -> Value {
    loop {
        let batch = server.ask("GET", "/api/batches/pack", None).json();
        if batch["running"] != true {
            return batch;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// What clients do, by the place of [`SERVERS`].
const CLIENTS: [fn(&mut Clients<'_>, &Path); 2] = [keep_much, |clients, _| clients.batch()];

/// How many answers they get.
const ANSWERS: [usize; 2] = [14, 2];

/// Clients solve, upload, keep a range and notes, train, read hands, delete and forget.
fn keep_much(clients: &mut Clients<'_>, home: &Path) {
    clients.solve("one");
    clients.solve("two");
    clients.upload(&std::fs::read(home.join("old.nrs")).unwrap());
    clients.ask("range", "PUT", "/api/ranges/mine", Some(&json!({"text": "AA,KK"})));
    let note = json!({"tags": ["river"], "note": NOTE, "bookmarks": [{"name": "the bet", "line": "check"}]});
    clients.ask("note", "PUT", "/api/solutions/two/annotation", Some(&note));
    clients.drill(DRILLS, &json!({"solution": "two", "settings": "seed=5"}));
    // A deal that is solved in a moment.
    clients.drill(DOMINO_DRILLS, &json!({"settings": "seed=511&decl=6&worlds=1"}));
    clients.ask("hands", "POST", "/api/hands", Some(&json!({"text": SESSION})));
    clients.ask("delete", "DELETE", "/api/solutions/one", None);
    clients.ask("forget", "DELETE", "/api/solves/1", None);
}

/// In a process of its own: a server and its clients. Prints what they were told. 0 if nobody was told of an error, else 1.
pub fn run(clients: usize, steps: &dyn Fn() -> usize) -> i32 {
    let home = std::env::current_dir().unwrap();
    let server = match Serving::open(&home) {
        Ok(server) => server,
        Err(error) => {
            eprintln!("error: cannot serve: {error}");
            return 1;
        }
    };
    let mut served = Clients { server: &server, steps, told: Vec::new() };
    CLIENTS[clients](&mut served, &home);
    let told = served.told;
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
    for solve in get("/api/solves").as_array().unwrap() {
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
    let has_note = solutions.to_string().contains(NOTE);
    assert!(!was_told("note") || has_note, "{place}: {solutions}");
    for path in [DRILLS, DOMINO_DRILLS] {
        let sessions = get(path);
        let sessions = sessions.as_array().unwrap();
        assert!(
            sessions.len() <= 1 && (!was_told(&format!("answer {path}")) || sessions.len() == 1),
            "{place}"
        );
        for session in sessions {
            let answers = get(&format!("{path}/{}/answers", session["id"]));
            assert_eq!(answers["answers"].as_array().unwrap().len(), 1, "{place}");
        }
    }
    let hands = get("/api/hands");
    assert!(!was_told("hands") || hands[0]["hands"] == 4, "{place}: {hands}");
    if !hands[0].is_null() {
        assert_eq!(get("/api/hands/1/hands/0")["board"], "Qc7d2h5s", "{place}");
    }
    check_batch(&server, was_told("begin batch"), was_told("solve the batch"), place);
    let solves = get("/api/solves");
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
    let known: Vec<&str> =
        solves.as_array().unwrap().iter().rev().filter_map(|solve| solve["id"].as_str()).collect();
    assert_eq!(folders, known, "{place}: folders of solves that nobody knows");
}

/// A batch that was begun is there, and one that was not solved can be continued to its end.
fn check_batch(server: &Serving, was_begun: bool, was_solved: bool, place: &str) {
    let batches = server.ask("GET", "/api/batches", None).json();
    assert!(!was_begun || batches[0]["id"] == "pack", "{place}: {batches}");
    assert!(!was_solved || batches[0]["solved"] == 1, "{place}: {batches}");
    if batches[0]["can_continue"] == true {
        let resumed = server.ask("POST", "/api/batches/pack/resume", None);
        assert_eq!(resumed.status, 200, "{place}: {resumed:?}");
        let ended = ended_batch(server);
        assert_eq!((&ended["solved"], &ended["failed"]), (&json!(1), &json!(0)), "{place}: {ended}");
    }
}

#[test]
fn whatever_operation_fails_the_library_is_whole_and_clients_are_told() {
    let mut counts = FaultCounts::default();
    SERVERS.iter().for_each(|server| fail_in_turn(server, &mut counts));
    let FaultCounts { failed, errors, full } = counts;
    println!("{failed} operations failed, {errors} times somebody was told, {full} answers were 507");
    assert!(errors > 5 && full > 0, "{errors} {full}");
}

#[derive(Default)]
struct FaultCounts {
    failed: u32,
    /// How often somebody was told.
    errors: u32,
    /// How many answers were 507.
    full: u32,
}

/// Makes operations of a server fail, one in each of its runs.
fn fail_in_turn(server: &str, counts: &mut FaultCounts) {
    let first = home();
    let (operations, output) = operations(first.path(), server);
    check(first.path(), &told(&output.stdout), "nothing fails");
    assert!(operations.len() > 40, "{server}: {operations:?}");
    for (number, fault) in DiskFault::ALL.into_iter().enumerate() {
        for (at, operation) in operations.iter().enumerate() {
            if !fault.concerns(*operation) || !is_tried(at, number, EVERY) {
                continue;
            }
            let home = directory();
            std::fs::copy(first.path().join("old.nrs"), home.path().join("old.nrs")).unwrap();
            let output = run_child(home.path(), server, Some((at, fault)));
            let said = String::from_utf8_lossy(&output.stderr);
            let place = format!("{server}: {fault:?} at {at} ({operation:?}): {:?}: {said}", output.status);
            assert!(!said.contains("panicked"), "{place}");
            let told = told(&output.stdout);
            counts.failed += 1;
            match output.status.code() {
                None if fault.kills() => {}
                Some(0) => {}
                Some(1) => {
                    counts.errors += 1;
                    assert!(
                        said.contains("the disk has failed") || said.contains("no storage space"),
                        "{place}"
                    );
                    counts.full += check_errors(&told, fault, &place);
                }
                code => panic!("{code:?}: {place}"),
            }
            let left: Vec<String> =
                contents(home.path()).into_keys().filter(|name| name.ends_with(".part")).collect();
            assert!(left.is_empty() || fault.kills(), "{place}: {left:?}");
            check(home.path(), &told, &place);
        }
    }
}

/// Checks the statuses of errors, and returns how many say that the disk is full.
fn check_errors(told: &[Told], fault: DiskFault, place: &str) -> u32 {
    let errors = || told.iter().filter(|(_, status, _)| *status >= 400);
    for (what, status, _) in errors() {
        // What was never made can neither be deleted nor asked about.
        let is_missing = *status == 404 && ["delete", "forget", "note", "drill"].contains(&what.as_str());
        // Failed solves are told with a message and no status of their own.
        let is_full = fault == DiskFault::Full || fault == DiskFault::ShortWrite;
        let wanted = if is_full && !what.starts_with("solve ") { 507 } else { 500 };
        let is_name = *status == 409 || *status == 422;
        assert!(*status == wanted || is_missing || is_name && !is_full, "{what} {status}: {place}");
    }
    errors().filter(|(_, status, _)| *status == 507).count() as u32
}

#[test]
fn after_a_loss_of_power_the_library_is_whole_and_has_what_clients_were_told() {
    let (mut states, mut checked) = (0, 0);
    for (server, answers) in SERVERS.iter().zip(ANSWERS) {
        let (more, served) = lose_power(server, answers);
        states += more;
        checked += served;
    }
    println!("{states} states of the library after a loss of power, {checked} of them served");
    assert!(states > 200, "{states}");
}

/// Loses power after each step of a server. Returns how many states there were, and how many of them were served.
fn lose_power(server: &str, answers: usize) -> (usize, usize) {
    let home = home();
    let root = home.path().canonicalize().unwrap();
    let before = before(&root);
    let (steps, output) = recorded(&root, server);
    let told = told(&output.stdout);
    assert!(told.len() == answers && told.iter().all(|(_, status, _)| *status < 400), "{told:?}");
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
        let last = steps.get(done.saturating_sub(1));
        check(&crashed, &known, &format!("{server}: after {done} of {} steps: {last:?}", steps.len()));
    });
    (states, checked)
}
