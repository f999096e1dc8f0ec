//! Batches that the server solves, and their reports.

use crate::common::Running;
use crate::common::http::encoded;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Few hands and one size: each flop is solved in a moment.
const FLOP: &str = "[ranges]\noop = \"AA,KK\"\nip = \"QQ,JJ\"\n[cards]\nflop = \"2c3d4h\"\n[tree]\nstarting_pot = 100\n\
                    effective_stack = 60\n[bet_sizes.flop]\noop_bet = \"a\"\nip_bet = \"a\"\n[bet_sizes.turn]\noop_bet = \"\"\n\
                    ip_bet = \"\"\n[bet_sizes.river]\noop_bet = \"\"\nip_bet = \"\"\n[solver]\ntarget_exploitability_pct = 2\n";

#[track_caller]
fn wait_until(server: &Running, id: &str, is_there: impl Fn(&Value) -> bool) -> Value {
    let start = Instant::now();
    loop {
        let batch = server.get(&format!("/api/batches/{}", encoded(id))).json();
        if is_there(&batch) {
            return batch;
        }
        assert!(start.elapsed() < Duration::from_secs(120), "{batch}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The lines of a report as it becomes known.
fn rows(server: &Running, id: &str, line: &str) -> Vec<Value> {
    let answer = server.post(&format!("/api/batches/{}/rows", encoded(id)), &json!({"line": line}));
    assert_eq!(answer.status, 200);
    let text = String::from_utf8(answer.body).unwrap();
    text.lines()
        .filter(|line| line.starts_with('{'))
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn a_spot_is_solved_on_many_flops_stopped_and_continued() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let started = server.post("/api/batches", &json!({"name": "my spot", "toml": FLOP, "flops": 4}));
    assert_eq!(started.status, 201, "{started:?}");
    let id = started.json()["id"].as_str().unwrap().to_owned();
    assert_eq!(
        (id.as_str(), &started.json()["total"], &started.json()["running"]),
        ("my spot", &json!(4), &json!(true))
    );
    wait_until(&server, &id, |batch| batch["solved"].as_u64() > Some(0));
    server.post(&format!("/api/batches/{}/stop", encoded(&id)), &json!({}));
    let stopped = wait_until(&server, &id, |batch| batch["running"] == false);
    let solved = stopped["solved"].as_u64().unwrap();
    assert!(solved >= 1, "{stopped}");
    if solved < 4 {
        assert_eq!(stopped["can_continue"], true);
        let again = server.post(&format!("/api/batches/{}/resume", encoded(&id)), &json!({}));
        assert_eq!(again.status, 200, "{again:?}");
    }
    let done = wait_until(&server, &id, |batch| batch["running"] == false && batch["solved"] == 4);
    assert_eq!((&done["failed"], &done["flops"]), (&json!(0), &json!(22_100)));
    // The list of solves is not filled with its flops, and the command line knows the folder.
    assert_eq!(server.get("/api/solves").json(), json!([]));
    let plan = std::fs::read_to_string(home.path().join("my spot/plan.toml")).unwrap();
    assert!(plan.parse::<noregret_holdem::BatchPlan>().is_ok(), "{plan}");
    let list = std::fs::read_to_string(home.path().join("my spot/batch.tsv")).unwrap();
    assert_eq!(list.lines().count(), 5);

    let told = rows(&server, &id, "");
    let last = told.last().unwrap();
    assert_eq!(last["report"]["variants"][0]["rows"].as_array().unwrap().len(), 4);
    assert_eq!(server.get(&format!("/api/batches/{}/report", encoded(&id))).json(), last["report"]);
    // The same name again is another folder.
    let second = server.post("/api/batches", &json!({"name": "my spot", "toml": FLOP, "flops": 1}));
    assert_eq!(second.json()["id"], "my spot-2");
    wait_until(&server, "my spot-2", |batch| batch["running"] == false);
}

#[test]
fn rows_that_were_read_are_kept_until_a_solution_changes() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    server.post("/api/batches", &json!({"name": "kept", "toml": FLOP, "flops": 2}));
    wait_until(&server, "kept", |batch| batch["running"] == false && batch["solved"] == 2);
    let first = rows(&server, "kept", "check").pop().unwrap();
    let folder = home.path().join("kept/.rows");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
    // What is kept is what is told: a mark in it is told too.
    let file = std::fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("\"check\"", "\"marked\"")).unwrap();
    assert_eq!(rows(&server, "kept", "check").pop().unwrap()["report"]["line"], "marked");
    // Another line, and a solution that was written anew, are read.
    let other = rows(&server, "kept", "");
    assert_eq!(other.last().unwrap()["report"]["line"], "");
    let solution = std::fs::read_dir(home.path().join("kept")).unwrap().flatten();
    let solution = solution
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|end| end == "nrs"))
        .unwrap();
    std::fs::File::options()
        .write(true)
        .open(&solution)
        .unwrap()
        .set_modified(std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(9))
        .unwrap();
    assert_eq!(rows(&server, "kept", "check").pop().unwrap(), first);
    // What is wrong is told on the last line.
    let refused = rows(&server, "kept", "jump").pop().unwrap();
    assert!(refused["error"]["message"].as_str().unwrap().contains("jump"), "{refused}");
}

#[test]
fn what_cannot_be_solved_on_many_flops_is_refused_before_anything_is_written() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let start = |name: &str, toml: &str, flops: u32| {
        server.post("/api/batches", &json!({"name": name, "toml": toml, "flops": flops}))
    };
    assert_eq!(start("../x", FLOP, 2).status, 422);
    assert_eq!(start("x", FLOP, 0).message(), "flops: there are 1 to 1755 flops");
    assert_eq!(start("x", "nonsense", 2).status, 422);
    let suits = start("x", &FLOP.replace("AA,KK", "AA,AhKh"), 2);
    assert!(suits.message().contains("a range tells suits apart"), "{suits:?}");
    let turn = start("x", &FLOP.replace("\"2c3d4h\"", "\"2c3d4h\"\nturn = \"5c\""), 2);
    assert!(turn.message().contains("the spec has a turn"), "{turn:?}");
    assert!(!home.path().join("x").exists());
    let post = |path: &str| server.post(path, &json!({}));
    assert_eq!((server.get("/api/batches/x").status, post("/api/batches/x/resume").status), (404, 404));
    assert_eq!(post("/api/batches/x/stop").status, 404);
}
