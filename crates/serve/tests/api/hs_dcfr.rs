//! Going on with an algorithm that plans all its iterations from the first on.

use crate::common::http::wait_for;
use crate::common::{RIVER, Running, endless};
use crate::solves::{digest, digest_of};
use noregret_holdem::{Checkpoint, GameLayout, Progress, Solver, Spec};
use serde_json::json;
use std::path::Path;
use std::time::Duration;

/// A river of forty iterations; at half the pot it needs fewer.
fn planned() -> String {
    let forty = "[solver]\nalgorithm = \"hs-dcfr\"\nmax_iterations = 40\n";
    RIVER.replace("[solver]\n", forty).replace("pct = 0.3", "pct = 50")
}

/// What is said when it is asked to make eighty.
const REFUSAL: &str = "`hs-dcfr` plans all its iterations from the first on, 40 here, and cannot make 80 of them: leave \
                       max_iterations at 40, or start a new solve with another number or algorithm";

#[test]
fn what_hs_dcfr_has_planned_cannot_be_changed_and_nothing_is_lost_by_asking() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let toml = planned();
    let job = server.solved("planned", &toml);
    assert!(job["iteration"].as_u64().unwrap() < 40, "{job}");
    let resume = format!("/api/solves/{}/resume", job["id"].as_str().unwrap());
    let more = server.post(&resume, &json!({"target_pct": 0, "max_iterations": 80}));
    assert_eq!((more.status, more.message().as_str()), (409, REFUSAL));
    // Nor is it in the way of what it can do.
    assert_eq!(server.post(&resume, &json!({"target_pct": 0})).status, 200);
    let id = job["id"].as_str().unwrap();
    let done = wait_for(server.address, id, &["done", "failed"]);
    assert_eq!((&done["state"], &done["iteration"]), (&json!("done"), &json!(40)));
    assert_eq!(digest_of(&server, &done["solution"]), digest(&toml.replace("pct = 50", "pct = 0")));
    let over = server.post(&resume, &json!({"target_pct": 0}));
    assert_eq!(
        (over.status, over.message().as_str()),
        (
            409,
            "this solve has made all 40 iterations that `hs-dcfr` planned, and there can be no more: start a new solve \
             with more max_iterations, or with another algorithm, which can always go on"
        )
    );
    let still = server.get(&format!("/api/solves/{id}")).json();
    assert_eq!((&still["state"], &still["max_iterations"]), (&json!("done"), &json!(40)));
}

/// Leaves in the folder of a solve what one leaves that is stopped before its first iteration.
fn stop_before_the_first_iteration(folder: &Path) {
    let spec: Spec = std::fs::read_to_string(folder.join("spec.toml")).unwrap().parse().unwrap();
    let game = GameLayout::new(&spec.spot).unwrap().build();
    let solution = Solver::with_options(game.clone(), &spec.solver);
    let moment = Progress { solver: &solution, history: &[], elapsed: Duration::ZERO };
    let mut checkpoint = Checkpoint::new(folder.join("checkpoint.nrc"), Duration::ZERO);
    checkpoint.keep(&spec, &moment, true).unwrap();
    assert_eq!(checkpoint.iteration(), Some(0));
}

#[test]
fn hs_dcfr_may_plan_anew_before_its_first_iteration() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let blocker = server.solve("blocker", &endless());
    let id = server.solve("planned", &planned());
    server.post(&format!("/api/solves/{id}/stop"), &json!({}));
    stop_before_the_first_iteration(&home.path().join(".jobs").join(&id));
    let other = json!({"target_pct": 0, "max_iterations": 80});
    assert_eq!(server.post(&format!("/api/solves/{id}/resume"), &other).status, 200);
    server.post(&format!("/api/solves/{blocker}/stop"), &json!({}));
    let done = wait_for(server.address, &id, &["done", "failed"]);
    assert_eq!((&done["state"], &done["iteration"]), (&json!("done"), &json!(80)), "{done}");
    let straight = planned().replace("pct = 50", "pct = 0").replace("= 40", "= 80");
    assert_eq!(digest_of(&server, &done["solution"]), digest(&straight));
}

#[test]
fn hs_dcfr_keeps_to_the_plan_of_the_solution_that_it_continues() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    server.solved("rough", &planned());
    let blocker = server.solve("blocker", &endless());
    let finer = json!({"name": "fine", "toml": planned(), "target_pct": 0, "continue_from": "rough"});
    let id = server.post("/api/solves", &finer).json()["id"].as_str().unwrap().to_owned();
    let resume = format!("/api/solves/{id}/resume");
    let stopped = server.post(&format!("/api/solves/{id}/stop"), &json!({})).json();
    assert_eq!((&stopped["state"], &stopped["iteration"]), (&json!("stopped"), &json!(0)));
    let more = server.post(&resume, &json!({"max_iterations": 80}));
    assert_eq!((more.status, more.message().as_str()), (409, REFUSAL));
    assert_eq!(server.post(&resume, &json!({})).status, 200);
    server.post(&format!("/api/solves/{blocker}/stop"), &json!({}));
    let done = wait_for(server.address, &id, &["done", "failed"]);
    assert_eq!((&done["state"], &done["iteration"]), (&json!("done"), &json!(40)), "{done}");
    assert_eq!(digest_of(&server, &done["solution"]), digest(&planned().replace("pct = 50", "pct = 0")));
}
