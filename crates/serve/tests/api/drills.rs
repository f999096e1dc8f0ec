//! Drills: questions, answers, sessions, what is asked again.

use crate::common::http::encoded;
use crate::common::{RIVER, Running, TURN};
use serde_json::{Value, json};

/// Starts a drill and gives its state.
#[track_caller]
fn start(server: &Running, solution: &str, settings: &str) -> Value {
    let answer = server.post("/api/drills", &json!({"solution": solution, "settings": settings}));
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.json()
}

#[track_caller]
fn reply(server: &Running, id: &Value, question: &Value, action: &Value) -> Value {
    let body = json!({"decision": question["decision"], "action": action});
    let answer = server.post(&format!("/api/drills/{id}/answers"), &body);
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()
}

/// What the point of a question says that the hand expects of each action.
fn action_evs(server: &Running, question: &Value) -> Vec<f64> {
    let [solution, line] = ["solution", "line"].map(|key| encoded(question[key].as_str().unwrap()));
    let node = server.get(&format!("/api/solutions/{solution}/node?line={line}")).json();
    let hands = &node["hands"][question["player"].as_str().unwrap()];
    let names = hands["hand"].as_array().unwrap();
    let place = names.iter().position(|hand| *hand == question["hole"]).unwrap();
    hands["action_evs"][place].as_array().unwrap().iter().map(|ev| ev.as_f64().unwrap()).collect()
}

#[test]
fn answers_cost_what_the_solution_says_and_sessions_stay() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    server.solved("spots/turn", TURN);
    let state = start(&server, "spots/turn", "seed=5");
    let id = state["session"]["id"].clone();
    assert_eq!(state["session"]["settings"], "seed=5");
    // Nothing is kept before something is answered.
    assert_eq!(server.get("/api/drills").json(), json!([]));
    let mut question = state["question"].clone();
    let mut lost = 0.0;
    for decision in 0..12 {
        assert_eq!(question["decision"], decision);
        let evs = action_evs(&server, &question);
        let actions = question["actions"].as_array().unwrap().clone();
        let chosen = decision % actions.len();
        let verdict = reply(&server, &id, &question, &actions[chosen]["label"]);
        let most = evs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // Numbers are read back to all but their last bit.
        let is_near = |a: f64, b: f64| (a - b).abs() <= 1e-12 * (1.0 + b.abs());
        assert!(is_near(verdict["ev_loss"].as_f64().unwrap(), most - evs[chosen]), "{verdict}");
        assert_eq!(verdict["chosen"], chosen);
        assert_eq!(verdict["actions"].as_array().unwrap().len(), evs.len());
        let pct = verdict["ev_loss_pct"].as_f64().unwrap();
        assert!(is_near(pct, 100.0 * (most - evs[chosen]) / question["pot"].as_f64().unwrap()));
        assert_eq!(verdict["mistake"].is_null(), pct <= 0.5, "{verdict}");
        lost += pct;
        let next = server.get(&format!("/api/drills/{id}")).json()["question"].clone();
        // A hand goes on with the same cards, or another is dealt.
        let goes_on = verdict["end"].is_null();
        assert_eq!(goes_on, next["hand"] == question["hand"]);
        assert!(!goes_on || next["hole"] == question["hole"]);
        question = next;
    }
    let sessions = server.get("/api/drills").json();
    let totals = &sessions[0]["totals"];
    assert_eq!((&sessions[0]["id"], &totals["decisions"]), (&id, &json!(12)));
    assert!((totals["ev_loss_pct"].as_f64().unwrap() - lost / 12.0).abs() < 1e-9);
    let answers = server.get(&format!("/api/drills/{id}/answers")).json();
    assert_eq!(answers["answers"].as_array().unwrap().len(), 12);
    assert_eq!(answers["answers"][0]["solution"], "spots/turn");
    drop(server);

    let again = Running::start(home.path());
    let kept = again.get("/api/drills").json();
    let same = |key: &str| kept[0][key] == sessions[0][key];
    assert!(["id", "started", "solution", "settings"].into_iter().all(same), "{kept}");
    let lost_then = kept[0]["totals"]["ev_loss_pct"].as_f64().unwrap();
    assert!((lost_then - lost / 12.0).abs() < 1e-9);
    assert_eq!(again.get(&format!("/api/drills/{id}")).json()["question"], question);
    assert_eq!(again.delete(&format!("/api/drills/{id}")).status, 204);
    assert_eq!(again.get("/api/drills").json(), json!([]));
    assert_eq!(again.get(&format!("/api/drills/{id}")).status, 404);
    let trash = again.get("/api/trash").json();
    assert_eq!((&trash[0]["kind"], &trash[0]["name"]), (&json!("drill"), &json!("spots/turn")));
    let back = again.post(&format!("/api/drills/{id}/restore"), &json!({}));
    assert_eq!((back.status, back.json()), (200, kept[0].clone()));
    assert_eq!(again.get("/api/drills").json(), kept);
    assert_eq!(again.get(&format!("/api/drills/{id}")).json()["question"], question);
    let twice = again.post(&format!("/api/drills/{id}/restore"), &json!({}));
    let message = format!("`drill-{id}.json` is not among what was deleted");
    assert_eq!((twice.status, twice.message()), (404, message));
}

#[test]
fn the_same_link_asks_the_same_and_a_folder_asks_about_all_of_it() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    server.solved("spots/river", RIVER);
    server.solved("spots/turn", TURN);
    let play = |settings: &str| -> Vec<Value> {
        let state = start(&server, "spots", settings);
        let id = state["session"]["id"].clone();
        let mut question = state["question"].clone();
        (0..10)
            .map(|_| {
                reply(&server, &id, &question, &question["actions"][0]["label"]);
                let next = server.get(&format!("/api/drills/{id}")).json()["question"].clone();
                std::mem::replace(&mut question, next)
            })
            .collect()
    };
    let first = play("seed=3&play=decisions");
    assert_eq!(first, play("seed=3&play=decisions"));
    assert_ne!(first, play("seed=4&play=decisions"));
    for solution in ["spots/river", "spots/turn"] {
        assert!(first.iter().any(|question| question["solution"] == solution), "{solution}");
    }
    assert!(first.iter().all(|question| question["actions"].as_array().unwrap().len() > 1));
}

#[test]
fn what_went_wrong_is_asked_again() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    server.solved("river", RIVER);
    let nothing = server.post("/api/drills/review", &json!({}));
    assert_eq!((nothing.status, nothing.message()), (409, "nothing is to be asked again now".to_owned()));
    let state = start(&server, "river", "seed=1&play=decisions");
    let id = state["session"]["id"].clone();
    let mut question = state["question"].clone();
    let mut wrong = Vec::new();
    while wrong.len() < 2 {
        let evs = action_evs(&server, &question);
        let worst = (0..evs.len()).min_by(|&a, &b| evs[a].total_cmp(&evs[b])).unwrap();
        let verdict = reply(&server, &id, &question, &question["actions"][worst]["label"]);
        let key = [&question["line"], &question["hole"]].map(Clone::clone);
        if !verdict["mistake"].is_null() && !wrong.contains(&key) {
            wrong.push(key);
        }
        question = server.get(&format!("/api/drills/{id}")).json()["question"].clone();
    }
    assert_eq!(server.get("/api/drills/review").json(), json!({"due": 2, "boxes": [2, 0, 0, 0, 0]}));
    let mut review = server.post("/api/drills/review", &json!({})).json();
    let session = review["session"]["id"].clone();
    assert_eq!(review["session"]["is_review"], true);
    for left in [2, 1] {
        let question = &review["question"];
        assert_eq!(question["left"], left);
        assert!(wrong.contains(&[&question["line"], &question["hole"]].map(Clone::clone)));
        let evs = action_evs(&server, question);
        let best = (0..evs.len()).max_by(|&a, &b| evs[a].total_cmp(&evs[b])).unwrap();
        let verdict = reply(&server, &session, question, &question["actions"][best]["label"]);
        assert_eq!((&verdict["verdict"], &verdict["end"]["kind"]), (&json!("best"), &json!("answered")));
        review = server.get(&format!("/api/drills/{session}")).json();
    }
    assert_eq!(review["question"], Value::Null);
    assert_eq!(server.get("/api/drills/review").json(), json!({"due": 0, "boxes": [0, 2, 0, 0, 0]}));
    let late =
        server.post(&format!("/api/drills/{session}/answers"), &json!({"decision": 2, "action": "check"}));
    assert_eq!((late.status, late.message()), (409, "nothing is left to be asked again".to_owned()));
}

#[test]
fn what_makes_no_sense_is_told() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    server.solved("river", RIVER);
    let refused = |solution: &str, settings: &str| {
        let answer = server.post("/api/drills", &json!({"solution": solution, "settings": settings}));
        (answer.status, answer.message())
    };
    assert_eq!(refused("nothing", "").0, 404);
    for (settings, message) in [
        ("play=all", "settings: play: `all` must be hands or decisions"),
        (
            "speed=1",
            "settings: `speed` is no setting of a drill: there is seed, play, street, player, hands, line",
        ),
        (
            "hands=72o",
            "settings: no hand that the settings choose comes to the line together with one of the opponent's",
        ),
        ("line=check,check", "settings: line: the hand is over there: give a line that ends before that"),
    ] {
        assert_eq!(refused("river", settings), (422, message.to_owned()));
    }
    assert_eq!(refused("river", "line=bet 7").0, 422);
    let state = start(&server, "river", "player=oop");
    let id = &state["session"]["id"];
    let post = |body: Value| {
        let answer = server.post(&format!("/api/drills/{id}/answers"), &body);
        (answer.status, answer.message())
    };
    let (status, message) = post(json!({"decision": 0, "action": "call"}));
    assert_eq!(status, 422);
    assert!(message.starts_with("action: `call` is no action there: there is check"), "{message}");
    assert_eq!(
        post(json!({"decision": 0, "action": "jump"})),
        (422, "action: `jump` is no action".to_owned())
    );
    assert_eq!(
        post(json!({"decision": 3, "action": "check"})),
        (409, "question 3 is not the one that is asked: that is 0".to_owned())
    );
    let missing = server.post("/api/drills/77/answers", &json!({"decision": 0, "action": "check"}));
    assert_eq!((missing.status, missing.message()), (404, "there is no drill 77".to_owned()));
}

#[test]
fn an_example_can_be_trained_on() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    let state = start(&server, "example:SB vs BB, single-raised, 100 bb", "seed=2");
    let question = &state["question"];
    assert_eq!((&question["street"], question["board"].as_array().unwrap().len()), (&json!("river"), 5));
    let verdict = reply(&server, &state["session"]["id"], question, &question["actions"][0]["label"]);
    assert!(verdict["ev_loss_bb"].is_number(), "{verdict}");
}

/// Writes over the middle of a file of a library.
fn damage(home: &std::path::Path, name: &str) {
    let path = home.join(name);
    let bytes = std::fs::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    std::fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
}

fn skipped(state: &Value) -> Vec<&str> {
    state["skipped"].as_array().unwrap().iter().map(|skip| skip["solution"].as_str().unwrap()).collect()
}

#[test]
fn a_review_goes_on_without_what_cannot_be_asked() {
    let home = tempfile::tempdir().unwrap();
    let key = |solution: &str, line: &str, due: u64| json!({"solution": solution, "line": line, "player": "oop", "hole": "KcKd", "mistake": "missed-bet", "box": 1, "due": due});
    let items = json!({"items": [
        key("spots/turn", "bet 12345", 1), key("damaged", "", 2), key("spots/turn", "", 3), key("damaged", "check", 4),
    ]});
    {
        let server = Running::start(home.path());
        server.solved("spots/turn", TURN);
        server.solved("damaged", RIVER);
        let question = start(&server, "spots/turn", "seed=5")["question"].clone();
        // Boxes are files of the format that the server itself writes.
        reply(&server, &json!(1), &question, &question["actions"][0]["label"]);
    }
    std::fs::write(home.path().join(".drills/review.json"), items.to_string()).unwrap();
    damage(home.path(), "damaged.nrs");
    let server = Running::start(home.path());
    let answer = server.post("/api/drills/review", &json!({}));
    assert_eq!(answer.status, 201, "{answer:?}");
    let state = answer.json();
    assert_eq!(skipped(&state), ["spots/turn", "damaged"]);
    assert_eq!(state["skipped"][0]["line"], "bet 12345");
    assert!(state["skipped"][1]["message"].as_str().unwrap().contains("cannot be read"), "{state}");
    assert_eq!(state["question"]["line"], "");
    // The line that is nowhere is forgotten; what is damaged comes again tomorrow.
    let review = server.get("/api/drills/review").json();
    assert_eq!(review, json!({"due": 2, "boxes": [3, 0, 0, 0, 0]}));
    let id = &state["session"]["id"];
    reply(&server, id, &state["question"], &state["question"]["actions"][0]["label"]);
    let end = server.get(&format!("/api/drills/{id}")).json();
    assert_eq!((&end["question"], skipped(&end).len()), (&Value::Null, 3));
}

#[test]
fn a_drill_on_a_folder_leaves_out_what_does_not_have_its_line() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    server.solved("spots/river", RIVER);
    server.solved("spots/turn", TURN);
    server.solved("spots/damaged", TURN);
    damage(home.path(), "spots/damaged.nrs");
    // On the river no card follows.
    let line = "line=check, check, 2c";
    let state = start(&server, "spots", &format!("seed=3&{line}"));
    assert_eq!(skipped(&state), ["spots/damaged", "spots/river"]);
    assert_eq!(state["question"]["solution"], "spots/turn");
    let none = server.post("/api/drills", &json!({"solution": "spots", "settings": "line=bet 12345"}));
    assert_eq!(none.status, 422, "{none:?}");
    let message = none.json()["error"]["message"].as_str().unwrap().to_owned();
    assert!(message.starts_with("solution: no solution there can be asked about: "), "{message}");
}

#[test]
fn a_drill_on_a_folder_goes_on_when_a_solution_is_deleted() {
    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path());
    server.solved("spots/river", RIVER);
    server.solved("spots/turn", TURN);
    let state = start(&server, "spots", "seed=3");
    let asked = state["question"]["solution"].as_str().unwrap().to_owned();
    assert_eq!(skipped(&state), [""; 0]);
    std::fs::remove_file(home.path().join(format!("{asked}.nrs"))).unwrap();
    let id = &state["session"]["id"];
    let mut question = Value::Null;
    for decision in 0..6 {
        let next = server.get(&format!("/api/drills/{id}")).json();
        assert_eq!(skipped(&next), [asked.as_str()], "{next}");
        question = next["question"].clone();
        assert_eq!(question["decision"], decision);
        assert_ne!(question["solution"], asked);
        reply(&server, id, &question, &question["actions"][0]["label"]);
    }
    // With the last one gone there is nothing to go on with.
    let other = question["solution"].as_str().unwrap();
    std::fs::remove_file(home.path().join(format!("{other}.nrs"))).unwrap();
    assert_eq!(server.get(&format!("/api/drills/{id}")).status, 404);
}
