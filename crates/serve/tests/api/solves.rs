//! Solves: the queue, events, stopping, going on.

use crate::common::http::{connect, wait_for};
use crate::common::{RIVER, Running, TURN, endless};
use noregret_holdem::{GameLayout, Solver, Spec, StopCondition, run};
use noregret_serve::{Server, Settings};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::ops::ControlFlow;

/// The digest of a spec that is solved without a server.
pub(crate) fn digest(toml: &str) -> String {
    let spec: Spec = toml.parse().unwrap();
    let game = GameLayout::new(&spec.spot).unwrap().build();
    let mut solution = Solver::with_options(game.clone(), &spec.solver);
    let goal = StopCondition {
        target_pct: spec.solver.target_exploitability_pct,
        max_iterations: spec.solver.max_iterations,
    };
    run(&mut solution, &goal, |_, _| ControlFlow::Continue(()));
    solution.digest()
}

pub(crate) fn digest_of(server: &Running, solution: &Value) -> String {
    let detail = server.get(&format!("/api/solutions/{}", solution.as_str().unwrap())).json();
    detail["strategy_digest"].as_str().unwrap().to_owned()
}

#[test]
fn a_solve_ends_with_the_same_solution_as_without_a_server() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let job = server.solved("river", RIVER);
    assert_eq!((&job["solution"], &job["target_pct"]), (&json!("river"), &json!(0.3)));
    assert!(
        job["exploitability_pct"].as_f64().unwrap() <= 0.3 && !job["history"].as_array().unwrap().is_empty()
    );
    assert_eq!(digest_of(&server, &job["solution"]), digest(RIVER));
    assert_eq!(server.solved("river", RIVER)["solution"], "river-2");
    let list = server.get("/api/solves").json();
    assert_eq!((&list[0]["id"], &list[1]["id"], &list[0]["history"]), (&json!("2"), &json!("1"), &json!([])));
    assert_eq!((server.delete("/api/solves/1").status, server.get("/api/solves/1").status), (204, 404));
    assert!(home.path().join("river.nrs").exists() && !home.path().join(".jobs/1").exists());
}

#[test]
fn two_solves_queue_and_one_that_waits_can_be_stopped() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let first = server.solve("first", &endless());
    let second = server.solve("second", RIVER);
    let third = server.solve("third", RIVER);
    let running = wait_for(server.address, &first, &["running"]);
    assert_eq!(running["queue_position"], Value::Null);
    let waiting = server.get(&format!("/api/solves/{third}")).json();
    assert_eq!((&waiting["state"], &waiting["queue_position"]), (&json!("queued"), &json!(2)));
    let stopped = server.post(&format!("/api/solves/{third}/stop"), &json!({})).json();
    assert_eq!(stopped["state"], "stopped");
    assert_eq!(server.post(&format!("/api/solves/{first}/resume"), &json!({})).status, 409);
    let stopping = server.post(&format!("/api/solves/{first}/stop"), &json!({})).json();
    assert!(matches!(stopping["state"].as_str(), Some("stopping" | "stopped")), "{stopping}");
    wait_for(server.address, &first, &["stopped"]);
    wait_for(server.address, &second, &["done"]);
    assert!(home.path().join(".jobs/1/checkpoint.nrc").exists());
    server.post(&format!("/api/solves/{third}/resume"), &json!({}));
    assert_eq!(wait_for(server.address, &third, &["done"])["solution"], "third");
    assert_eq!(server.delete(&format!("/api/solves/{first}")).status, 204);
}

#[test]
fn a_solve_that_is_forgotten_is_taken_back_with_its_checkpoint() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let id = server.solve("spot", &endless());
    let at = |tail: &str| format!("/api/solves/{id}{tail}");
    wait_for(server.address, &id, &["running"]);
    server.post(&at("/stop"), &json!({}));
    let stopped = wait_for(server.address, &id, &["stopped"]);
    let checkpoint = std::fs::read(home.path().join(".jobs/1/checkpoint.nrc")).unwrap();
    assert_eq!((server.delete(&at("")).status, server.get(&at("")).status), (204, 404));
    server.stop();

    let server = Running::start(home.path());
    let trash = server.get("/api/trash").json();
    let told = ["kind", "id", "name"].map(|key| trash[0][key].as_str().unwrap());
    assert_eq!((told, trash.as_array().unwrap().len()), (["solve", "1", "spot"], 1));
    assert!(trash[0]["bytes"].as_u64().unwrap() > checkpoint.len() as u64);
    // Its number is not given to another.
    assert_eq!(server.solve("river", RIVER), "2");
    let back = server.post(&at("/restore"), &json!({}));
    assert_eq!((back.status, &back.json()["iteration"]), (200, &stopped["iteration"]));
    assert_eq!(server.get(&at("")).json()["history"], stopped["history"]);
    assert_eq!(std::fs::read(home.path().join(".jobs/1/checkpoint.nrc")).unwrap(), checkpoint);
    let twice = server.post(&at("/restore"), &json!({}));
    let message = "`solve-1` is not among what was deleted";
    assert_eq!((twice.status, twice.message().as_str()), (404, message));
    let resumed = server.post(&at("/resume"), &json!({}));
    assert_eq!(resumed.status, 200, "{resumed:?}");
    server.post(&at("/stop"), &json!({}));
    assert_eq!(server.post("/api/solves/01/restore", &json!({})).message(), "there is no solve `01`");
}

#[test]
fn a_solve_that_waits_is_stopped_when_it_is_taken_back() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let first = server.solve("first", &endless());
    let second = server.solve("second", RIVER);
    assert_eq!(server.delete(&format!("/api/solves/{second}")).status, 204);
    let back = server.post(&format!("/api/solves/{second}/restore"), &json!({})).json();
    assert_eq!((&back["state"], &back["queue_position"]), (&json!("stopped"), &Value::Null));
    // One that was interrupted is told so, too.
    assert_eq!(server.delete(&format!("/api/solves/{second}")).status, 204);
    let kept = home.path().join(".trash/solve-2/state.json");
    let text = std::fs::read_to_string(&kept).unwrap();
    assert!(text.contains(r#""state":"stopped""#), "{text}");
    std::fs::write(&kept, text.replace("stopped", "running")).unwrap();
    let back = server.post(&format!("/api/solves/{second}/restore"), &json!({})).json();
    assert_eq!(back["state"], "interrupted");
    // One that runs is gone.
    wait_for(server.address, &first, &["running"]);
    assert_eq!(server.delete(&format!("/api/solves/{first}")).status, 204);
    assert_eq!(server.post(&format!("/api/solves/{first}/restore"), &json!({})).status, 404);
}

#[test]
fn a_solve_that_is_stopped_goes_on_to_the_same_end_and_then_to_a_lower_target() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let id = server.solve("spot", &endless());
    let resume = format!("/api/solves/{id}/resume");
    while server.get(&format!("/api/solves/{id}")).json()["iteration"].as_u64().unwrap() < 3 {}
    server.post(&format!("/api/solves/{id}/stop"), &json!({}));
    let stopped = wait_for(server.address, &id, &["stopped"]);
    // Wherever it was stopped: to the next full hundred after that.
    let last = stopped["iteration"].as_u64().unwrap() / 100 * 100 + 100;
    assert_eq!(server.post(&resume, &json!({"max_iterations": last})).status, 200);
    let done = wait_for(server.address, &id, &["done"]);
    assert_eq!((&done["iteration"], &done["solution"]), (&json!(last), &json!("spot")));
    let straight = |last: u64| digest(&endless().replace("1000000000", &last.to_string()));
    assert_eq!(digest_of(&server, &done["solution"]), straight(last));

    let again = server.post(&resume, &json!({}));
    assert_eq!((again.status, again.message().contains("give more max_iterations")), (409, true));
    assert_eq!(server.post(&resume, &json!({"target_pct": 200})).status, 422);
    assert_eq!(server.post(&resume, &json!({"max_iterations": last + 20})).status, 200);
    let more = wait_for(server.address, &id, &["done"]);
    assert_eq!((&more["iteration"], &more["solution"]), (&json!(last + 20), &json!("spot")));
    assert_eq!(digest_of(&server, &more["solution"]), straight(last + 20));
}

#[test]
fn a_solve_goes_on_from_a_solution() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    server.solved("rough", RIVER);
    let finer = json!({"name": "fine", "toml": RIVER, "target_pct": 0.1, "continue_from": "rough"});
    let job = server.post("/api/solves", &finer).json();
    let done = wait_for(server.address, job["id"].as_str().unwrap(), &["done"]);
    assert!(done["exploitability_pct"].as_f64().unwrap() <= 0.1);
    assert_eq!(digest_of(&server, &done["solution"]), digest(&RIVER.replace("0.3", "0.1")));
    let turn = RIVER.replace("river = \"3d\"\n", "");
    let other = json!({"name": "x", "toml": turn, "continue_from": "rough"});
    assert!(server.post("/api/solves", &other).message().contains("is not of this spec: cards.river"));
}

#[test]
fn the_server_ends_with_a_checkpoint_and_the_next_one_goes_on_from_it() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let id = server.solve("spot", &endless());
    let waiting = server.solve("waiting", RIVER);
    while server.get(&format!("/api/solves/{id}")).json()["iteration"].as_u64().unwrap() < 3 {}
    server.stop();
    let server = Running::start(home.path());
    let found = server.get(&format!("/api/solves/{id}")).json();
    assert_eq!(found["state"], "interrupted");
    // What was queued is still queued, and runs.
    wait_for(server.address, &waiting, &["done"]);
    let last = found["iteration"].as_u64().unwrap() / 100 * 100 + 100;
    server.post(&format!("/api/solves/{id}/resume"), &json!({"max_iterations": last}));
    let done = wait_for(server.address, &id, &["done"]);
    let straight = digest(&endless().replace("1000000000", &last.to_string()));
    assert_eq!(digest_of(&server, &done["solution"]), straight);
}

#[test]
fn a_damaged_checkpoint_is_made_anew_and_a_strange_one_is_left_alone() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let job = server.solved("spot", RIVER);
    let id = job["id"].as_str().unwrap();
    let checkpoint = home.path().join(".jobs").join(id).join("checkpoint.nrc");
    let whole = std::fs::read(&checkpoint).unwrap();
    let go_on = |target: f64| {
        let resumed = server.post(&format!("/api/solves/{id}/resume"), &json!({"target_pct": target}));
        assert_eq!(resumed.status, 200, "{resumed:?}");
        wait_for(server.address, id, &["done", "failed"])
    };
    std::fs::write(&checkpoint, "the notes of somebody else, kept in the wrong place").unwrap();
    let failed = go_on(0.05);
    let error = failed["error"].as_str().unwrap_or_default();
    assert!(
        failed["state"] == "failed" && error.starts_with("cannot go on from the checkpoint: "),
        "{failed}"
    );
    assert!(std::fs::read(&checkpoint).unwrap().starts_with(b"the notes"));
    std::fs::write(&checkpoint, &whole[..whole.len() / 2]).unwrap();
    assert_eq!(go_on(0.05)["state"], "done");
    assert_eq!(digest_of(&server, &json!("spot")), digest(&RIVER.replace("0.3", "0.05")));
}

#[test]
fn a_solve_that_goes_on_leaves_alone_what_has_its_name_now() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let first = server.solved("spot", RIVER);
    assert_eq!(server.delete("/api/solutions/spot").status, 204);
    let other = server.solved("spot", TURN);
    assert_eq!((&first["solution"], &other["solution"]), (&json!("spot"), &json!("spot")));
    let go_on = |target: f64| {
        let id = first["id"].as_str().unwrap();
        let resumed = server.post(&format!("/api/solves/{id}/resume"), &json!({"target_pct": target}));
        assert_eq!(resumed.status, 200, "{resumed:?}");
        wait_for(server.address, id, &["done", "failed"])["solution"].clone()
    };
    assert_eq!(go_on(0.05), "spot-2");
    assert_eq!(digest_of(&server, &json!("spot")), digest(TURN));
    assert_eq!(digest_of(&server, &json!("spot-2")), digest(&RIVER.replace("0.3", "0.05")));
    assert_eq!(go_on(0.005), "spot-2", "its own is written again");
    std::fs::write(home.path().join("spot-2.nrs"), "something else").unwrap();
    assert_eq!(go_on(0.0005), "spot-3");
    assert_eq!(std::fs::read_to_string(home.path().join("spot-2.nrs")).unwrap(), "something else");
}

#[test]
fn a_second_server_on_the_same_library_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let job = server.solve("spot", &endless());
    let open = || Server::open(Settings::new(home.path().to_owned()), 0, false);
    let message = open().err().unwrap().to_string();
    assert!(message.starts_with("another server has this library open"), "{message}");
    wait_for(server.address, &job, &["running"]);
    server.stop();
    assert!(open().is_ok());
}

#[test]
fn events_tell_of_progress_and_of_the_end() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let blocker = server.solve("blocker", &endless());
    let id = server.solve("spot", TURN);
    let mut stream = connect(server.address);
    let head = format!("GET /api/solves/{id}/events HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    stream.write_all(head.as_bytes()).unwrap();
    let mut text = String::new();
    let mut read_until = |word: &str| {
        let mut bytes = [0; 4096];
        while !text.contains(word) {
            let count = stream.read(&mut bytes).unwrap();
            assert!(count > 0, "{text}");
            text.push_str(&String::from_utf8_lossy(&bytes[..count]));
        }
        text.clone()
    };
    let first = read_until("event: progress");
    assert!(first.contains("text/event-stream"), "{first}");
    server.post(&format!("/api/solves/{blocker}/stop"), &json!({}));
    let all = read_until("event: end");
    let jobs: Vec<Value> =
        all.lines().filter_map(|line| serde_json::from_str(line.strip_prefix("data: ")?).ok()).collect();
    assert_eq!((&jobs[0]["state"], &jobs[0]["queue_position"]), (&json!("queued"), &json!(1)));
    let points: Vec<u64> = jobs
        .iter()
        .flat_map(|job| job["history"].as_array().unwrap())
        .map(|point| point["iteration"].as_u64().unwrap())
        .collect();
    assert!(!points.is_empty() && points.is_sorted_by(|a, b| a < b), "every measurement once: {points:?}");
    assert_eq!(server.get("/api/solves/99/events").status, 404);
}

#[test]
fn what_cannot_be_solved_is_refused_at_once() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::with(home.path(), |settings| settings.memory = 200_000);
    let start = |change: Value| {
        let mut body = json!({"name": "spot", "toml": RIVER});
        body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        server.post("/api/solves", &body)
    };
    let flop = RIVER.replace("turn = \"8c\"\nriver = \"3d\"\n", "");
    let large = start(json!({"toml": flop}));
    assert_eq!(large.status, 422);
    assert!(large.message().contains("the server may use 200 kB"), "{large:?}");
    assert!(start(json!({"save": "turn"})).message().contains("the spot begins on the river"));
    assert_eq!(start(json!({"target_pct": -1})).json()["error"]["field"], "target_pct");
    assert_eq!(start(json!({"max_iterations": 0})).json()["error"]["field"], "max_iterations");
    assert_eq!(start(json!({"toml": "[ranges]\nop = 1"})).json()["error"]["positions"][0]["line"], 2);
    assert_eq!(start(json!({"continue_from": "nothing"})).status, 404);
    for id in ["1", "0", "01", "-1", "x", "99999999999"] {
        for action in ["stop", "resume"] {
            assert_eq!(server.post(&format!("/api/solves/{id}/{action}"), &json!({})).status, 404, "{id}");
        }
    }
    assert_eq!(server.get("/api/solves").json(), json!([]));
}

#[test]
fn a_solve_is_looked_at_while_it_runs_and_kept_when_it_is_stopped() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let id = server.solve("spot", &endless());
    let shown = || server.get(&format!("/api/solves/{id}")).json();
    while shown()["iteration"].as_u64().unwrap() < 3 {}
    assert_eq!(server.post(&format!("/api/solves/{id}/look"), &json!({})).status, 200);
    let looked = loop {
        let now = shown();
        if now["solution"].is_string() {
            break now;
        }
    };
    assert_eq!((&looked["state"], &looked["solution"]), (&json!("running"), &json!("spot")));
    let info = server.get("/api/solutions/spot").json();
    assert_eq!(info["iterations"], looked["solution_iteration"]);
    assert!(info["exploitability_pct"].as_f64().unwrap() > 0.0);
    let node = server.get("/api/solutions/spot/node").json();
    assert_eq!(node["exploitability_pct"], info["exploitability_pct"]);

    server.post(&format!("/api/solves/{id}/stop"), &json!({}));
    let stopped = wait_for(server.address, &id, &["stopped"]);
    assert_eq!(
        (&stopped["solution"], &stopped["solution_iteration"]),
        (&json!("spot"), &stopped["iteration"])
    );
    assert_eq!(server.get("/api/solutions/spot").json()["iterations"], stopped["iteration"]);
    // There is something to look at: nothing is at work, and nothing is wrong.
    assert_eq!(server.post(&format!("/api/solves/{id}/look"), &json!({})).status, 200);
    let waiting = server.solve("first", &endless());
    let behind = server.solve("second", &endless());
    let refused = server.post(&format!("/api/solves/{behind}/look"), &json!({}));
    assert_eq!((refused.status, refused.message().contains("has saved nothing yet")), (409, true));
    server.delete(&format!("/api/solves/{behind}"));
    server.delete(&format!("/api/solves/{waiting}"));
}
